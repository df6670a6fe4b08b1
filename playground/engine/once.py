"""An engine process's side of questions that are answered once: do the work, and say in words what was too much."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from playground.engine.limits import ANSWER_BYTES_MAX
from playground.engine.pipe import FAILED, KNOWN, OK, PART, REFUSED
from playground.engine.problems import problems_of
from playground.engine.works import ServiceQuestion
from simengine.scenario import DocumentError

TOO_MUCH_MEMORY = "it needs too much memory"
TOO_LONG_AN_ANSWER = "the answer is too long"


@dataclass(frozen=True)
class AnswerPart:
    """A part of an answer that is the answer to another question: it is kept for whoever asks that."""

    question: ServiceQuestion[Any]
    answer: Any


def answers(question: ServiceQuestion[Any]) -> Iterator[tuple[str, Any]]:
    """(status, result) of each part, then of the whole; REFUSED with what was too much, FAILED with an error.

    A work returns its answer, or yields it in parts. A document that it cannot use is an answer too: its
    ``problems``.
    """
    length = 0
    try:
        for part in _parts(question):
            status, result = part
            length += len(result[-1]) if status == KNOWN else len(result)
            if length > ANSWER_BYTES_MAX:
                yield REFUSED, TOO_LONG_AN_ANSWER
                return
            yield part
        yield OK, None
    except DocumentError as error:
        yield PART, _json(problems_of(error))
        yield OK, None
    except MemoryError:
        yield REFUSED, TOO_MUCH_MEMORY
    except RecursionError:
        yield REFUSED, "it is nested too deeply"
    except Exception as error:  # noqa: BLE001  # told to whoever asked; the next question is answered
        yield FAILED, f"{type(error).__name__}: {error}"


def _parts(question: ServiceQuestion[Any]) -> Iterator[tuple[str, Any]]:
    found = question.work(*question.arguments)
    for part in found if isinstance(found, Iterator) else [found]:
        if isinstance(part, AnswerPart):
            yield KNOWN, [part.question.key(), _json(part.answer)]
        else:
            yield PART, _json(part)


def _json(value: Any) -> bytes:
    """A value as JSON; a work that returns bytes has written the answer itself."""
    return value if isinstance(value, bytes) else json.dumps(value).encode()
