"""Pydantic's errors about the shape of a document, in our words: place, value, what is allowed, near miss."""

from typing import Any, Final

from pydantic import ValidationError

from simengine.scenario.allowed import allowed_at
from simengine.scenario.limits import FORMAT
from simengine.scenario.near import nearest
from simengine.scenario.problems import MARK, Problem, joined, shown
from simengine.scenario.shapes import names_at

_NUMBERED: Final = ("initial", "lag", "logs", "heartbeat", "isr-check")  # maps whose keys are numbers
_NOT_A_MAP: Final = "not a map of keys and values"
_MESSAGES: Final[dict[str, str]] = {
    "missing": "is missing",
    "int_type": "not a whole number",
    "int_parsing": "not a whole number",
    "int_from_float": "not a whole number",
    "bool_type": "not true or false",
    "string_type": "not a text",
    "list_type": "not a list",
    "tuple_type": "not a list",
    "dict_type": _NOT_A_MAP,
    "model_type": _NOT_A_MAP,
    "model_attributes_type": _NOT_A_MAP,
    "greater_than_equal": "out of range",
    "less_than_equal": "out of range",
    "too_short": "too few",
    "string_too_short": "too short",
}


def problems_of(error: ValidationError) -> list[Problem]:
    """All problems that a validation found, in document order."""
    problems: list[Problem] = []
    for detail in error.errors(include_url=False):
        path = path_of(detail["loc"])
        if detail["type"] == MARK:
            inner: list[Problem] = detail["ctx"]["problems"]
            problems += [_told(problem, path, detail["loc"]) for problem in inner]
        else:
            problems.append(_problem(path, detail))
    return problems


def _told(problem: Problem, path: str, loc: tuple[int | str, ...]) -> Problem:
    """A reader's own problem at its path; where it names nothing that is allowed, the schema does."""
    allowed = problem.allowed or ("" if problem.path or problem.near else allowed_at(loc))
    return problem._replace(path=joined(path, problem.path), allowed=allowed)


def _problem(path: str, detail: Any) -> Problem:
    kind, loc = str(detail["type"]), detail["loc"]
    value = "" if kind == "missing" else shown(detail["input"])
    context = detail.get("ctx", {})
    if kind == "extra_forbidden":
        allowed = names_at(loc[:-1])
        return Problem(path, "", f"unknown key {shown(loc[-1])!r}", ", ".join(allowed), nearest(str(loc[-1]), allowed))
    if kind == "literal_error":
        choices = str(context["expected"]).replace("'", "").replace(" or ", ", ")
        if path == "format":
            return Problem(path, value, f"this version reads format {FORMAT}", str(FORMAT))
        return Problem(
            path, value, "not a value of this key", choices, nearest(str(detail["input"]), choices.split(", "))
        )
    if kind in ("too_long", "string_too_long"):
        count = context.get("actual_length") or len(detail["input"])
        return Problem(path, str(count), f"too many: at most {context.get('max_length')}")
    return Problem(path, value, _MESSAGES.get(kind, str(detail["msg"])), allowed_at(loc))


def path_of(loc: tuple[int | str, ...]) -> str:
    """A pydantic location as it is written: ``cluster.brokers[1].rack``."""
    path = ""
    before: int | str = ""
    for part in loc:
        if part == "[key]":
            continue
        is_index = isinstance(part, int) and before not in _NUMBERED
        path = path + f"[{part}]" if is_index else joined(path, str(part))
        before = part
    return path
