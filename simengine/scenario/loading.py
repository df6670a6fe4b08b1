"""The way in: text, bytes or plain data -> a checked `Document`, or `DocumentError` with every problem."""

import json
import re
from typing import Any, Final

from pydantic import ValidationError

from simengine.scenario import checks
from simengine.scenario.dumping import to_plain
from simengine.scenario.invisible import invisible_in
from simengine.scenario.limits import NESTING_MAX, UPLOAD_BYTES_MAX
from simengine.scenario.model import Document
from simengine.scenario.problems import DocumentError, Problem, shown
from simengine.scenario.readable import in_document_order, problems_behind
from simengine.scenario.shape_problems import problems_of
from simengine.scenario.yaml_reading import read_yaml

Plain = dict[str, Any]
PROSE: Final = ("title", "about", "captions")  # what cannot be seen is shown as \ufffd there
WHOLE: Final = "document"  # the path of what is wrong with a document as a whole
_HALF: Final = re.compile("[\ud800-\udfff]")


def load(source: str | bytes | Plain) -> Document:
    """The document in `source`: YAML or JSON as text or UTF-8 bytes, or plain data. Raises DocumentError."""
    data = read_plain(source) if isinstance(source, str | bytes) else source
    if not isinstance(data, dict):
        raise DocumentError([_no_map(data)])
    try:
        document = Document.model_validate(data)
    except ValidationError as error:
        raise DocumentError(in_document_order([*problems_of(error), *problems_behind(data, error)])) from None
    problems = [*checks.check(document), *_unwritable(document)]
    if problems:
        raise DocumentError(problems)
    return document


def _no_map(data: object) -> Problem:
    allowed = "a map of keys and values with at least format: 1 and cluster"
    if data is None:
        return Problem(WHOLE, "", "is empty", allowed)
    return Problem(WHOLE, shown(data), "not a map of keys and values", allowed)


def _unwritable(document: Document) -> list[Problem]:
    """Texts that no file or database can hold, and other texts than prose with characters that nobody sees.

    NUL and halves of surrogate pairs: JSON can spell both.
    """
    for name, part in to_plain(document).items():
        text = json.dumps(part, ensure_ascii=False)
        if "\\u0000" in text or _HALF.search(text):
            return [Problem(name, "", "holds a character that no text may hold (NUL, or half of a surrogate pair)")]
        if name not in PROSE and (unseen := invisible_in(text)):
            return [Problem(name, "", f"holds {unseen}, which cannot be seen", "characters that can be seen")]
    return []


def read_plain(source: str | bytes) -> object:
    """The plain data in YAML or JSON text; duplicate keys are refused. Raises DocumentError."""
    size = len(source) if isinstance(source, bytes) else len(source.encode("utf-8", "surrogatepass"))
    if size > UPLOAD_BYTES_MAX:
        most = f"at most {UPLOAD_BYTES_MAX:,} bytes (4 MiB)"
        raise DocumentError([Problem(WHOLE, f"{size:,} bytes", "too long", most)])
    try:
        text = source.decode("utf-8-sig") if isinstance(source, bytes) else source.removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        wrong = f"not UTF-8 text: the byte at position {error.start:,} (from 0) is 0x{error.object[error.start]:02x}"
        raise DocumentError([Problem(WHOLE, "", wrong, "the text of a document, saved as UTF-8")]) from None
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
        raise DocumentError([Problem(WHOLE, "", f"nested deeper than {NESTING_MAX} levels")]) from None
    except DocumentError:
        raise
    except ValueError as error:  # a number of thousands of digits
        raise DocumentError([Problem(WHOLE, "", f"not JSON: {error}")]) from None


def _unique_pairs(pairs: list[tuple[str, Any]]) -> Plain:
    found: Plain = {}
    for key, value in pairs:
        if key in found:
            raise DocumentError([Problem(key, "", "this key stands twice in one map")])
        found[key] = value
    return found
