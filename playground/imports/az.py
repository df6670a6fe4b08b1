"""The AZ answer of a stored cluster, asked of the engine service; the page shows its lines as they come.

What its lists are made of, the cells of each row, is kept by the service as the answer to a question of its own: what
it has forgotten is computed again.
"""

import json
from collections.abc import AsyncIterator
from typing import Any, Final, NamedTuple

from playground.engine.json_lines import json_lines
from playground.engine.questions import questions
from playground.engine.refusals import NotAnswered, WorkFailed
from playground.engine.turns import Holder
from playground.imports import az_work
from playground.scenarios.documents import StoredScenario
from simengine.questions.az.edits import STAY_OUT

FAILED: Final = "The answer could not be computed. The cluster itself is built: open it and kill an AZ by hand."


class AzQuestion(NamedTuple):
    """A cluster with edits. ``stored``: its run with the actions at its start, ``edits``: JSON."""

    stored: StoredScenario
    edits: str

    @classmethod
    def of(cls, stored: StoredScenario, edits: dict[str, Any]) -> "AzQuestion":
        """Later actions are no part of the cluster: without them its answer is kept while the run goes on."""
        body, actions, *_ = stored
        begun = [(at_us, do) for at_us, do in actions if at_us == 0]
        return cls(StoredScenario(body, begun), json.dumps({"outside": STAY_OUT, **edits}, sort_keys=True))


def lines(question: AzQuestion, holder: Holder) -> AsyncIterator[bytes]:
    """The answer as lines of JSON, without the cells of its rows; {error} where it breaks off."""
    return json_lines(az_work.lines.question(*question), holder, FAILED)


async def cells(question: AzQuestion, row: str, pick: str, holder: Holder) -> bytes | None:
    """Both cells of a row, as JSON for the service's other works. None: that takes too long or breaks off."""
    try:
        return await questions.answer(az_work.row.question(*question, row, pick), holder)
    except (NotAnswered, WorkFailed):
        return None
