import json
from types import SimpleNamespace
from typing import Any

import pytest

from simengine.recordings.errors import RecordingError
from simengine.recordings.mirror_model import VERBS
from simengine.recordings.mirror_reader import parse
from tests.lab import lab_verbs
from tests.lab.fault_script import LabScript, LabStep
from tests.lab.mirror_lab_script import WAIT_END, mirror_script_of_plain
from tests.lab.mirror_record import MIRROR_VERBS
from tests.lab.random_scripts import random_script

ORDERS = {"name": "orders", "assignment": [[0, 1, 2]]}


def script(*timeline: dict[str, Any], **changes: object) -> dict[str, Any]:
    return {
        "name": "M",
        "clusters": {"east": {"topics": [ORDERS], "watch": [["orders", 0]]}, "west": {}},
        "mirror": {"config": {"east->west.topics": "orders.*"}},
        "setup": [{"do": "producer", "cluster": "east", "args": ["P"]}],
        "timeline": list(timeline),
        **changes,
    }


def test_a_step_belongs_to_its_cluster_or_to_mirror_maker() -> None:
    read = mirror_script_of_plain(
        script({"at": 1, "do": "kill", "cluster": "west", "args": [0]}, {"at": 2, "do": "mm_kill"}), "4.2.1"
    )
    assert [(owner, step.verb, step.details) for owner, step in read.timeline] == [
        ("west", "kill", {}),
        ("", "mm_kill", {}),
    ]
    assert [step.verb for step in read.clusters["east"].setup] == ["producer"]
    assert read.clusters["west"].setup == ()
    assert read.clusters["west"].given.controllers == (100,)
    assert [client.id for client in read.clusters["east"].given.clients] == ["P"]


@pytest.mark.parametrize(
    ("whole", "message"),
    [
        (
            script(clusters={"east": {}}),
            "clusters: wrong names (got ['east']); allowed: two names of at most 10 letters",
        ),
        (script(clusters={"east": {"racks": 1}, "west": {}}), "clusters.east: unknown key (got 'racks')"),
        (script({"do": "heal", "cluster": "north"}), "timeline[0].cluster: unknown cluster (got 'north')"),
        (
            script({"do": "kill", "args": [0]}),
            "timeline[0]: unknown verb without a cluster (got 'kill'); allowed: mm_start",
        ),
        (script(setup=[{"do": "mm_kill"}]), "setup[0].cluster: missing: a step of the setup names its cluster"),
        (script({"do": "mm_cut"}), "timeline[0].args: names no cluster (got []); allowed: east, west"),
        (
            script({"do": "wait_end", "args": ["east"]}),
            "timeline[0].args: wait_end takes a cluster, a topic, a partition and a number of records (got ['east'])",
        ),
        (script({"do": "wait_end", "args": ["east", "orders", "0", 9]}), "a partition and a number of records (got"),
        (script({"do": "wait_end", "args": ["east", "orders", 0, True]}), "a partition and a number of records (got"),
        (
            script({"do": "wait_end", "args": ["north", "orders", 0, 9]}),
            "timeline[0].args[0]: unknown cluster (got 'north'); allowed: east, west",
        ),
        (
            script({"do": "wait_end", "args": ["east", "orders", 0, 9], "limit": "60"}),
            "timeline[0].limit: wrong kind of value (got '60'); allowed: a number",
        ),
        (
            script({"do": "send", "cluster": "west", "args": ["P"], "topic": "t", "values": []}),
            "timeline[0].args: unknown client (got 'P')",
        ),
        (
            script(clusters={"east": {"topics": [{"name": "t"}]}, "west": {}}),
            "clusters.east.topics[0].assignment: missing",
        ),
    ],
)
def test_a_wrong_script_is_refused_with_the_place_the_value_and_what_is_allowed(
    whole: dict[str, Any], message: str
) -> None:
    with pytest.raises(RecordingError) as refused:
        mirror_script_of_plain(whole, "4.2.1")
    assert message in str(refused.value)


def test_every_verb_of_mirror_maker_can_be_done() -> None:
    assert set(MIRROR_VERBS) == {*VERBS, WAIT_END}


def planned(part: LabScript, steps: list[LabStep]) -> dict[str, Any]:
    """A cluster of the script as a recording in which each step happened at its time and nothing else did."""
    return {**part.given.given, "actions": [[step.at, step.at, step.verb, step.plain()] for step in steps]}


def test_a_random_script_can_be_recorded_and_read_again() -> None:
    verbs = set()
    for seed in range(30):
        read = mirror_script_of_plain(random_script("mirror", seed), "4.2.1")
        parts = {
            name: planned(part, [step for owner, step in read.timeline if owner == name])
            for name, part in read.clusters.items()
        }
        own = [[step.at, step.at, step.verb, step.plain()] for owner, step in read.timeline if not owner]
        seen: dict[str, Any] = {"syncs": [], "checkpoints": [], "positions": [], "ends": []}
        whole = {"format": 1, "kafka": "4.2.1", "clusters": parts, "actions": own, "mirror": {"config": {}, **seen}}
        verbs |= {action.verb for action in parse(json.dumps(whole)).actions}
    assert verbs == {"mm_kill", "mm_start", "mm_pause", "mm_resume", "mm_cut", "mm_heal", "kill_all"}


class GrowingLog:
    """Stands for a cluster's clients: each look at the end of a partition finds the next response."""

    def __init__(self, *responses: dict[str, Any]) -> None:
        self.responses = list(responses)

    def admin(self, _call: str, **_details: Any) -> dict[str, Any]:
        return self.responses.pop(0) if len(self.responses) > 1 else self.responses[0]


@pytest.mark.parametrize(
    ("responses", "least", "result"),
    [
        ([{"ok": False}, {"ok": True, "result": 4}, {"ok": True, "result": 6}], 5, 6),
        ([{"ok": True, "result": 0}], 0, 0),
        ([{"ok": True, "result": 4}], 5, None),
    ],
)
def test_wait_end_returns_the_end_that_it_waited_for_or_nothing(
    responses: list[dict[str, Any]], least: int, result: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lab_verbs, "LOOK_S", 0)
    lab: Any = SimpleNamespace(labs={"east": GrowingLog(*responses)})
    details = {"limit": 0} if result is None else {}
    step = LabStep(WAIT_END, ["east", "orders", 0, least], details, at=None, after=0.0, background=False)
    assert MIRROR_VERBS[WAIT_END](lab, step) == result
