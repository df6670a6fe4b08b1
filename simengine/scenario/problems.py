"""A problem in a document or an action: place, value, message, what is allowed, and the near miss."""

import json
import re
from typing import Final, NamedTuple

from pydantic_core import PydanticCustomError

from simengine.scenario.invisible import spelled_out
from simengine.scenario.limits import PROBLEMS_MAX

VALUE_SHOWN_MAX: Final = 80  # characters of a wrong value that are repeated
MARK: Final = "highwater"  # type of the pydantic errors that carry our own problems


class Problem(NamedTuple):
    """One thing that is wrong. `path` is as in ``cluster.brokers[1].rack``; `near` is "" where nothing is near."""

    path: str
    value: str
    message: str
    allowed: str = ""
    near: str = ""

    def __str__(self) -> str:
        text = self.message
        if self.value and not _tells(self.message, self.value):
            text += f" (got {self.value})"
        if self.near:
            text += f"; did you mean {self.near}?"
        if self.allowed:
            text += f"{'' if self.near else '.'} Allowed: {self.allowed}."
        return f"{self.path}: {text}" if self.path else text


def _spelled_out(problem: Problem) -> Problem:
    return problem._replace(path=spelled_out(problem.path), value=spelled_out(problem.value))


def _tells(message: str, value: str) -> bool:
    """True if a message repeats the value: in quotes, or bare where it begins as a number does.

    A bare word may be a word of the message itself: ``al`` stands in "not an acks value".
    """
    if f"'{value}'" in message:
        return True
    return value[0].isdecimal() and re.search(rf"(?<![\w.-]){re.escape(value)}(?![\w-])", message) is not None


class DocumentError(ValueError):
    """A document cannot be used; `problems` lists everything that is wrong with it, in document order."""

    def __init__(self, problems: list[Problem]) -> None:
        self.problems: list[Problem] = [_spelled_out(problem) for problem in problems[:PROBLEMS_MAX]]
        self.left_out: int = len(problems) - len(self.problems)
        super().__init__(self._text())

    def _text(self) -> str:
        lines = [str(problem) for problem in self.problems]
        if self.left_out:
            lines.append(f"… and {self.left_out} more problems")
        return "\n".join(lines)


class FieldError(ValueError):
    """A value is wrong, as a reader of one value says it: without the path, which its caller knows."""

    def __init__(self, message: str, value: object = "", allowed: str = "", near: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.value = shown(value)
        self.allowed = allowed
        self.near = near

    def at(self, path: str) -> Problem:
        """The problem at `path`."""
        return Problem(path, self.value, self.message, self.allowed, self.near)

    def __str__(self) -> str:
        return str(self.at(""))


def shown(value: object) -> str:
    """`value` as it is repeated in an error: short, on one line, written as a document writes it."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    text = spelled_out(" ".join(text.split()))
    return text if len(text) <= VALUE_SHOWN_MAX else text[: VALUE_SHOWN_MAX - 1] + "…"


def joined(path: str, part: str) -> str:
    """`path` followed by `part`, which is a name or an index in brackets."""
    if not path or not part or part.startswith("["):
        return path + part
    return f"{path}.{part}"


def pydantic_error(problems: list[Problem]) -> PydanticCustomError:
    """An error that carries `problems` (their paths relative to the value) through a pydantic validator."""
    return PydanticCustomError(MARK, "see problems", {"problems": problems})
