"""The AZ answer of a stored document, asked of the engine service; the page shows its lines as they come.

What its lists are made of, the cells of each row, is kept by the service as the answer to a question of its own: what
it has forgotten is computed again.
"""

import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Final

from playground.engine.questions import WAITS, questions
from playground.engine.refusals import NotAnswered, WorkFailed
from playground.engine.turns import Holder
from playground.engine.works import AZ_ANSWER, AZ_ROW
from simengine.importers.az_cell import Cell, Loss
from simengine.importers.az_table import cell_of

FAILED: Final = "The answer could not be computed. The cluster itself is built: open it and kill an AZ by hand."


@dataclass(frozen=True, slots=True)
class Question:
    """A document with edits. ``document``: its JSON, ``edits``: JSON as the command takes them."""

    document: bytes
    edits: str


async def lines(question: Question, holder: Holder) -> AsyncIterator[bytes]:
    """The answer as lines of JSON, without what the lists are made of; a sentence where it breaks off."""
    try:
        async for part in questions.parts(AZ_ANSWER, [question.document, question.edits], holder):
            yield (b'{"waiting": true}' if part == WAITS else part) + b"\n"
    except NotAnswered as refused:
        yield _error(str(refused))
    except WorkFailed:
        yield _error(FAILED)


def _error(sentence: str) -> bytes:
    return json.dumps({"error": sentence}).encode() + b"\n"


async def cells(question: Question, loss: Loss, holder: Holder) -> tuple[Cell, Cell] | None:
    """Both cells of a row. None: that takes too long or breaks off."""
    try:
        found = await questions.answer(AZ_ROW, [question.document, question.edits, loss.key, loss.pick], holder)
    except (NotAnswered, WorkFailed):
        return None
    safe, fast = (cell_of(parts) for parts in json.loads(found))
    return safe, fast
