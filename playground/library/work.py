"""The work of the engine service for questions: the two runs of one on a cluster of somebody's own."""

from typing import Any

from playground.engine.limits import QUICK
from playground.engine.works import work
from playground.library.own_cluster import NotAskable, own_documents
from playground.library.question_list import read_questions
from playground.scenarios import documents


@work(QUICK)
def asked(stored: documents.StoredScenario, key: str) -> dict[str, Any]:
    """``checked``: the two runs of a question, by its key, on a stored cluster; or ``error``: why it is not asked.

    Raises DocumentError.
    """
    question = next(one for one in read_questions() if one.key == key)
    try:
        runs = own_documents(question, documents.of_stored(stored))
    except NotAskable as reason:
        return {"error": str(reason)}
    return {"checked": [documents.check(run) for run in runs]}
