"""The way in: text, bytes or plain data -> a checked `Document`, or `DocumentError` with every problem."""

import json
from typing import Any, Final

from pydantic import ValidationError

from simengine.scenario import checks
from simengine.scenario.dumping import to_plain
from simengine.scenario.limits import FORMAT, NESTING_MAX, UPLOAD_BYTES_MAX
from simengine.scenario.model import Document
from simengine.scenario.near import nearest
from simengine.scenario.problems import MARK, DocumentError, Problem, joined, shown
from simengine.scenario.shapes import names_at
from simengine.scenario.yaml_reading import read_yaml

Plain = dict[str, Any]
_NUMBERED: Final = ("initial", "lag", "logs", "heartbeat", "isr-check")  # maps whose keys are numbers
_MESSAGES: Final[dict[str, str]] = {
    "missing": "is missing",
    "extra_forbidden": "unknown key",
    "int_type": "not a whole number",
    "bool_type": "not true or false",
    "string_type": "not a text",
    "list_type": "not a list",
    "dict_type": "not a map",
    "model_type": "not a map",
    "model_attributes_type": "not a map",
    "tuple_type": "not a list",
}


def load(source: str | bytes | Plain) -> Document:
    """The document in `source`: YAML or JSON as text or UTF-8 bytes, or plain data. Raises DocumentError."""
    data = read_plain(source) if isinstance(source, str | bytes) else source
    if not isinstance(data, dict):
        raise DocumentError([Problem("", shown(data), "a scenario document is a map of keys and values")])
    try:
        document = Document.model_validate(data)
    except ValidationError as error:
        raise DocumentError(_problems_of(error)) from None
    problems = checks.check(document) or _unwritable(document)
    if problems:
        raise DocumentError(problems)
    return document


def _unwritable(document: Document) -> list[Problem]:
    """Texts that no file or database can hold: NUL, and halves of surrogate pairs (JSON can spell both)."""
    for name, part in to_plain(document).items():
        text = json.dumps(part, ensure_ascii=False)
        if "\\u0000" in text or any("\ud800" <= character <= "\udfff" for character in text):
            return [Problem(name, "", "holds a character that no text may hold (NUL, or half of a surrogate pair)")]
    return []


def read_plain(source: str | bytes) -> object:
    """The plain data in YAML or JSON text; duplicate keys are refused. Raises DocumentError."""
    size = len(source) if isinstance(source, bytes) else len(source.encode("utf-8", "surrogatepass"))
    if size > UPLOAD_BYTES_MAX:
        raise DocumentError(
            [
                Problem(
                    "",
                    f"{size} bytes",
                    f"a document has at most {UPLOAD_BYTES_MAX} bytes (4 MiB)",
                )
            ]
        )
    try:
        text = source.decode("utf-8-sig") if isinstance(source, bytes) else source.removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        raise DocumentError([Problem("", f"byte {error.start}", "the document is not UTF-8 text")]) from None
    return _read_json(text) if text.lstrip().startswith("{") else read_yaml(text)


def _read_json(text: str) -> object:
    """JSON; a text that begins with a brace and is no JSON is tried as YAML, which allows that."""
    try:
        return json.loads(text, object_pairs_hook=_unique_pairs)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        try:
            return read_yaml(text)
        except DocumentError:
            raise DocumentError([Problem(where, "", f"not JSON: {error.msg}")]) from None
    except RecursionError:
        raise DocumentError([Problem("", "", f"nested deeper than {NESTING_MAX} levels")]) from None
    except DocumentError:
        raise
    except ValueError as error:  # a number of thousands of digits
        raise DocumentError([Problem("", "", f"not JSON: {error}")]) from None


def _unique_pairs(pairs: list[tuple[str, Any]]) -> Plain:
    found: Plain = {}
    for key, value in pairs:
        if key in found:
            raise DocumentError([Problem(key, "", "this key stands twice in one map")])
        found[key] = value
    return found


def _problems_of(error: ValidationError) -> list[Problem]:
    problems: list[Problem] = []
    for detail in error.errors(include_url=False):
        path = _path(detail["loc"])
        if detail["type"] == MARK:
            inner: list[Problem] = detail["ctx"]["problems"]
            problems += [problem._replace(path=joined(path, problem.path)) for problem in inner]
        elif detail["type"] == "extra_forbidden":
            allowed = names_at(detail["loc"][:-1])
            near = nearest(str(detail["loc"][-1]), allowed)
            problems.append(
                Problem(
                    path,
                    "",
                    f"unknown key {detail['loc'][-1]!r}",
                    ", ".join(allowed),
                    near,
                )
            )
        else:
            problems.append(_problem_of(path, detail))
    return problems


def _problem_of(path: str, detail: Any) -> Problem:
    kind = str(detail["type"])
    value = "" if kind == "missing" else shown(detail["input"])
    context = detail.get("ctx", {})
    if kind == "literal_error":
        allowed = str(context["expected"]).replace("'", "").replace(" or ", ", ")
        if path == "format":
            return Problem(path, value, f"this version reads format {FORMAT}", str(FORMAT))
        near = nearest(str(detail["input"]), allowed.split(", "))
        return Problem(path, value, "not a value of this key", allowed, near)
    if kind in ("too_long", "string_too_long"):
        most = context.get("max_length")
        return Problem(path, str(context.get("actual_length", "")), f"too many: at most {most}")
    return Problem(path, value, _MESSAGES.get(kind, str(detail["msg"])))


def _path(loc: tuple[int | str, ...]) -> str:
    path = ""
    before: int | str = ""
    for part in loc:
        if part == "[key]":
            continue
        is_index = isinstance(part, int) and before not in _NUMBERED
        path = path + f"[{part}]" if is_index else joined(path, str(part))
        before = part
    return path
