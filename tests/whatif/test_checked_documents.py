"""The documents of a task's runs are those that each run would read by itself."""

import pytest

from playground.whatif.pipeline.axes import document_of
from playground.whatif.pipeline.checked import CheckedDocuments
from playground.whatif.pipeline.plan import ExperimentPlan, grid, lettered
from simengine.scenario import DocumentError, load, to_plain
from simengine.scenario.builtin import builtin

SECOND = 1_000_000


def plan(**changes: object) -> ExperimentPlan:
    """acks=1 and acks=all under the loss of a rack at a moment of the seed, in a document with actions of its own."""
    document = {**to_plain(builtin("sandbox")), "timeline": [{"at": "3s", "do": "kill 2"}], **changes}
    fault = {"kind": "rack", "rack": "az-a", "from_us": 1 * SECOND, "to_us": 5 * SECOND, "back_us": None}
    return ExperimentPlan(document, lettered(grid({"acks": ["1", "all"], "fault": [fault]})), (), 1, 12, 20 * SECOND)


def test_each_document_is_the_one_that_its_run_would_read_by_itself() -> None:
    wanted = plan()
    documents = CheckedDocuments(wanted)
    moments = set()
    for index in range(wanted.runs):
        variant, seed = wanted.run(index)
        found = documents.of(index)
        assert found == load(document_of(wanted, variant, seed))
        moments.add(tuple(entry.at_us for entry in found.timeline))
    assert len(moments) == wanted.seeds


def test_a_wrong_document_is_refused_for_every_run() -> None:
    documents = CheckedDocuments(plan(timeline=[{"at": "3s", "do": "kill 99"}]))
    for index in (0, 1, 2):
        with pytest.raises(DocumentError, match="99"):
            documents.of(index)
