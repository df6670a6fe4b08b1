"""The decision of a loss is found by running the same document without one action; asked of the site, once a moment."""

from pathlib import Path

import pytest

from playground.rooms.work import examined
from playground.scenarios.documents import StoredScenario
from simengine.scenario import Document, DocumentError, load, to_json

SCENARIOS = Path(__file__).parent.parent / "scenarios"


def scenario(name: str) -> Document:
    return load((SCENARIOS / f"{name}.yaml").read_bytes())


def test_the_kill_of_the_only_holder_decided_that_unreplicated_records_were_lost() -> None:
    document = scenario("s10-unreplicated-data")
    found = examined(StoredScenario(to_json(document), []), document.until_us)
    assert found["decided"]["t"]["text"] == "kill 0"
    assert found["decided"]["t"]["lost_with"] == 5
    assert found["decided"]["t"]["lost_without"] == 0
    assert found["chains"][0]["count"] == 5
    assert found["verdict"]["topics"][0]["lost"] == 5


def test_accepted_actions_belong_to_the_run_that_is_examined() -> None:
    document = scenario("s10-unreplicated-data")
    action = document.timeline[-1]
    stored = to_json(document.model_copy(update={"timeline": document.timeline[:-1]}))
    whole = examined(StoredScenario(to_json(document), []), document.until_us)
    assert examined(StoredScenario(stored, [(action.at_us, str(action.action))]), document.until_us) == whole


def test_a_stored_document_that_is_damaged_is_told_by_its_problems() -> None:
    with pytest.raises(DocumentError, match="damaged"):
        examined(StoredScenario("{", []), 5)


def test_a_run_that_loses_nothing_has_no_deciding_action() -> None:
    document = scenario("s08-leader-dies")
    assert not examined(StoredScenario(to_json(document), []), document.until_us)["decided"]


def test_the_decision_need_not_be_the_last_action() -> None:
    document = scenario("s26-zombie")
    (decision,) = examined(StoredScenario(to_json(document), []), document.until_us)["decided"].values()
    assert decision["text"].startswith("cut 0|")
    assert decision["index"] < len(document.timeline) - 1
