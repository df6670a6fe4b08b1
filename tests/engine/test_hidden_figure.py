"""Acknowledged records above the high watermark: hidden once each of them waits, not while the pipeline flows."""

from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from simengine.facts.decisive import VerdictChanged
from simengine.scenario import load
from simengine.verdict.outage import THETA_US
from simengine.world.world import World, build
from tests.engine.cluster import taken
from tests.engine.cluster import world as small_world
from tests.recount.fates import KINDS, Recount
from tests.recount.times import Times

SECOND = 1_000_000


def hidden_figures(text: str, until_us: int) -> list[int]:
    """The hidden figure of every VerdictChanged of a run."""
    world = build(load(text))
    world.run(until_us)
    return [fact.hidden for fact in world.trace.decisive if isinstance(fact, VerdictChanged)]


def test_the_pipeline_of_acks_1_is_not_called_hidden() -> None:
    text = resources.files("simengine.scenario.builtin").joinpath("sandbox.yaml").read_text()

    figures = hidden_figures(text, 20 * SECOND)

    assert figures
    assert not any(figures)


@pytest.mark.parametrize("name", ["s04a-hidden-then-visible", "s04b-hidden-then-lost"])
def test_records_above_a_high_watermark_that_stands_are_hidden(name: str) -> None:
    text = (Path(__file__).parent.parent / "scenarios" / f"{name}.yaml").read_text()

    figures = hidden_figures(text, 30 * SECOND)

    assert max(figures) >= 1
    assert figures[-1] == 0


def test_that_hidden_records_can_be_read_is_stated_when_the_high_watermark_passes_them() -> None:
    """A follower stands still for 4 s and stays in the ISR (ISR-2): it fetches again, and nothing else happens then.

    A figure of the last whole second would call the records hidden beside a picture in which they are read (HW-1).
    """
    world = small_world(
        producers=[{"id": "P", "topic": "t", "rate": 50, "acks": 1}],
        timeline=[{"at": "5s", "do": "pause 1"}, {"at": "9100ms", "do": "resume 1"}],
    )
    world.run(9_100_000 - 1)
    assert world.book.figures()["0"]["hidden"]
    account = world.book.account(0)
    while account.hidden_records(world.now_us):
        world.run(world.now_us + 1000)
    assert world.now_us < 9_900_000
    assert world.book.figures()["0"]["hidden"] == 0


def test_an_election_ends_no_hiding_of_what_the_new_leader_has_and_can_serve_nobody() -> None:
    """FATE-8: from the acknowledgement to the crossing or the loss. A slow member holds the mark of both leaders.

    At 10 s its leader dies, about 9 s later broker 1 leads and has what broker 2 still has not (HW-1, HW-3).
    """
    world = small_world(
        producers=[{"id": "P", "topic": "t", "rate": 50, "acks": 1}],
        timeline=[{"at": "5s", "do": "slow 2 1"}, {"at": "10s", "do": "rate P 0"}, {"at": "10100ms", "do": "kill 0"}],
    )
    world.trace.keep_kinds(list(KINDS))
    times, account = Times(world, Recount(world)), world.book.account(0)
    counts: list[int] = []
    leaders: list[int] = []
    while world.now_us < 24 * SECOND:
        world.run(world.now_us + SECOND // 5)
        times.feed(taken(world))
        times.close(world.now_us)
        counts.append(int(account.hidden_records(world.now_us)))
        leader = account.leader()
        leaders.append(-1 if leader is None else int(leader.broker.id))
        hidden, oldest_us = times.hidden(0, world.now_us)
        assert counts[-1] == (hidden if oldest_us >= THETA_US else 0), world.now_us
    assert sorted(set(leaders)) == [-1, 0, 1]
    before, first = leaders.index(-1), leaders.index(1)
    assert counts[before] > 200 and set(counts[before:first]) == {counts[before]}
    assert min(counts[first:]) >= counts[before], "broker 2 takes in one batch a minute"


def test_records_without_leader_are_hidden_until_a_leader_that_has_them_not_makes_them_lost() -> None:
    """S04b: nobody leads from 15 s on; broker 2, which starts at 35 s, lacks the five."""
    world = build(load((Path(__file__).parent.parent / "scenarios" / "s04b-hidden-then-lost.yaml").read_text()))
    account = world.book.account(0)
    found: list[tuple[int, int]] = []
    while world.now_us < 55 * SECOND:
        world.run(world.now_us + SECOND // 5)
        figures = int(account.hidden_records(world.now_us)), int(account.losses.count)
        if not found or found[-1] != figures:
            found.append(figures)
    assert found == [(0, 0), (5, 0), (0, 5)]


@pytest.mark.parametrize(
    ("actions", "at_s"),
    [
        ([("3s", "cut 0|1"), ("3100ms", "heal"), ("5s", "slow 2 1")], 24),
        ([("5s", "slow 2 1"), ("20s", "cut 0|1"), ("20100ms", "heal")], 24),
        ([("5s", "slow 2 1"), ("25s", "kill 0"), ("28s", "start 0")], 40),
    ],
)
def test_hidden_records_go_back_to_what_slows_the_member_that_holds_the_mark(
    actions: list[tuple[str, str]], at_s: int
) -> None:
    """HW-1: the member of the maximal ISR that has least. What befell another, or was healed since, hides nothing."""
    world = small_world(
        producers=[{"id": "P", "topic": "t", "rate": 50, "acks": 1}],
        timeline=[{"at": at, "do": do} for at, do in actions],
    )
    world.run(at_s * SECOND)
    (found,) = topics_of(world)
    assert found["hidden"] > 0
    assert found["deciding"]["text"] == "broker 2 was held to 1 record/s of fetches"


def topics_of(world: World) -> list[dict[str, Any]]:
    """The verdict on each topic so far."""
    found: Any = world.verdict()["topics"]
    return list(found)


def test_the_topic_with_most_records_that_nobody_can_read_is_told_first() -> None:
    """S33: by a recount of each log, t hides one record, and u's 20 stand on a dead broker alone."""
    path = Path(__file__).parent.parent / "scenarios" / "s33-no-rack-awareness.yaml"
    world = build(load(path.read_bytes()))
    world.trace.keep_kinds(list(KINDS))
    recount = Recount(world)
    world.run(world.doc.until_us)
    recount.feed(taken(world))
    unread = {"t": 0, "u": 0}
    for (_, p), calls in recount.calls.items():
        log, leader = recount.final(p), recount.leader(p)
        served = log.hw if log is not None and leader >= 0 else 0
        topic = world.cluster.topics[world.cluster.partition_names[p][0]].title
        unread[topic] += sum(call.is_acked() and call.offset >= served for call in calls.values())
    assert unread == {"t": 1, "u": 20}
    verdict: Any = world.verdict()
    assert [topic["topic"] for topic in verdict["topics"]] == ["u", "t"]
    assert verdict["sentence"].startswith("u: ")
