"""A partition whose ELR holds a broker that was away before the loss waits for that one too (ELR-5)."""

from typing import Any, Final

import pytest

from simengine.questions.az.cell import AzLoss
from simengine.questions.az.edits import DARK, KILLED, STAY_OUT
from simengine.questions.az.losses import az_loss
from simengine.questions.az.run import run_cell
from simengine.questions.az.table import lines
from simengine.questions.az.whys import causes_of
from simengine.scenario import Document, load
from simengine.world.world import World, build
from tests.questions.az_clusters import answered
from tests.questions.sick_clusters import draw

SECOND: Final = 1_000_000
NOBODY: Final = -1


def cluster(**config: Any) -> Document:
    """pay-0 on brokers 1 (az-a) and 2 (az-b), which is down and in the ELR."""
    racks = {1: "az-a", 2: "az-b", 3: "az-c"}
    state = {"leader": 1, "isr": [1], "elr": [2], "leo": 50}
    topic = {"name": "pay", "assignment": [[1, 2]], "initial": {"0": state}}
    plain = {
        "format": 1,
        "title": "the ELR at the return",
        "profile": "4.2",
        "elr": True,
        "cluster": {
            "brokers": [
                {"id": at, "rack": rack, "state": "down" if at == 2 else "running"} for at, rack in racks.items()
            ],
            "controllers": [{"id": 100 + at, "rack": rack} for at, rack in racks.items()],
        },
        "topics": [topic | {"config": {"min.insync.replicas": 2, **config}}],
        "producers": [{"id": "p", "topic": "pay", "rate": 10, "acks": "1"}],
    }
    return load(plain)


def loss_of(doc: Document, dies: str) -> AzLoss:
    return az_loss(doc, ("az-a",), dies)


def leader_after(world: World, seconds: int, *actions: str) -> int:
    """The leader of pay-0 so many seconds after some actions."""
    now = int(world.now_us)
    for action in actions:
        world.act(now, action)
    world.run(now + seconds * SECOND)
    one = world.cluster.quorum.image.partition(0)
    assert one is not None
    return int(one.leader)


@pytest.mark.parametrize("dies", [DARK, KILLED])
def test_what_waits_for_a_member_of_the_elr_too_says_so(dies: str) -> None:
    doc = cluster()
    loss = loss_of(doc, dies)
    safe, fast = run_cell(doc, loss, "all"), run_cell(doc, loss, "1")
    assert [part.waits_for for part in fast.parts if part.topic == "pay"] == [(2,)]
    (cause,) = [one for one in causes_of(loss, safe, fast) if not one.is_internal]
    assert cause.note.endswith("neither writable nor readable; broker 2 of its ELR must be back too")
    told = "can neither be written nor read until it is back (pay-0 waits for broker 2 of its ELR too)."
    assert told in answered(doc).headline


@pytest.mark.parametrize("dies", [DARK, KILLED])
def test_nobody_leads_it_before_that_one_is_back_and_then_the_last_leader_does(dies: str) -> None:
    doc = cluster()
    world = build(doc)
    world.run(6 * SECOND)
    assert leader_after(world, 60, *map(str, loss_of(doc, dies).actions)) == NOBODY
    assert leader_after(world, 90, "start 1", "start 101") == NOBODY
    assert leader_after(world, 60, "start 2") == 1


def test_with_unclean_elections_the_return_is_enough() -> None:
    doc = cluster(**{"unclean.leader.election.enable": True})
    parts = run_cell(doc, loss_of(doc, KILLED), "1").parts
    assert [part.waits_for for part in parts if part.topic == "pay"] == [()]


def test_groups_that_are_out_before_the_loss_are_said() -> None:
    """Their only coordinator, on broker 4, is below its minimum as pasted; the topic is not."""
    made = draw(9317)
    (other,) = [one for one in lines(load(made.plain)) if "answer" in one and one["moment"] == STAY_OUT]
    assert "No group can join or commit already." in other["answer"]["headline"]
