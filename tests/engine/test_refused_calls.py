"""Administrators' calls that the controller refuses: they leave nothing behind, and are told with their reason."""

from typing import Any

import pytest

from simengine.commands.run import outcome, verdict_lines
from simengine.explain.examine import examine
from simengine.explain.lines import lines_of
from simengine.explain.refusals import refusal_line, refusals
from simengine.facts.decisive import ClientChanged
from simengine.facts.kinds import WRITE_FAILED
from simengine.importers.describe_text import describe_text
from simengine.scenario import load
from simengine.world.world import World
from tests.engine.cluster import SECOND, stated, world

TOPIC = {"name": "t", "assignment": [[0, 1, 2]], "config": {"min.insync.replicas": 2}}


def ran(*timeline: tuple[str, str], until_s: int = 40, **changes: Any) -> World:
    steps = [{"at": at, "do": do} for at, do in timeline]
    run = world(topics=[TOPIC], timeline=steps, **changes)
    run.run(until_s * SECOND)
    return run


def told(run: World) -> list[str]:
    return [refusal_line(one) for one in refusals(run.trace.decisive, run.names())]


def topics_of(run: World) -> list[str]:
    topics: Any = run.verdict()["topics"]
    return [topic["topic"] for topic in topics]


def test_a_refused_topic_is_no_topic() -> None:
    """PLACE-6: no row in the listing, none in the verdict, no name; one line says why."""
    run = ran(("2s", "kill 2"), ("20s", "create v 2/2"))
    assert topics_of(run) == ["t"]
    assert "v" not in run.names()["topics"]  # type: ignore[operator]
    listing = describe_text(run.snapshot(), run.doc)
    assert "Topic: t" in listing
    assert "Topic: v" not in listing
    [line] = told(run)
    assert line == (
        "20.000 s: create v was refused: "
        "all brokers of a replica list are fenced or shutting down (INVALID_REPLICA_ASSIGNMENT)"
    )
    assert line in verdict_lines(run)
    assert outcome(run)["refused"][0]["error"] == "INVALID_REPLICA_ASSIGNMENT"


@pytest.mark.parametrize(
    ("call", "line"),
    [
        ("reassign t-0 cancel", "no reassignment is under way (NO_REASSIGNMENT_IN_PROGRESS)"),
        ("elect preferred t-0", "the leader is already as it is asked for (ELECTION_NOT_NEEDED)"),
        ("elect unclean t-0", "the leader is already as it is asked for (ELECTION_NOT_NEEDED)"),
    ],
)
def test_other_refused_calls_are_told_too(call: str, line: str) -> None:
    run = ran(("10s", call))
    assert [one.partition("refused: ")[2] for one in told(run)] == [line]
    assert "t-0" in told(run)[0]


def test_the_examination_tells_what_was_refused() -> None:
    doc = load(
        "{format: 1, until: 20s, cluster: {brokers: [0, 1], controllers: [100]}, "
        "topics: [{name: t, assignment: [[0, 1]]}], timeline: [{at: 5s, do: reassign t-0 cancel}]}"
    )
    assert any("reassign cancel t-0 was refused" in line for line in lines_of(examine(doc, doc.until_us), str))


@pytest.mark.parametrize(
    "call", ["elect preferred v-0", "reassign v-0 1", "reassign v-0 cancel", "config v min.insync.replicas 1"]
)
def test_calls_about_a_refused_topic_are_refused(call: str) -> None:
    run = ran(("2s", "kill 2"), ("20s", "create v 2/2"), ("22s", call))
    assert told(run)[1].endswith("the topic does not exist (UNKNOWN_TOPIC_OR_PARTITION)")
    assert run.cluster.quorum.image.default_min_insync == 1


def test_nothing_is_sent_to_a_refused_topic() -> None:
    producers = [{"id": "P", "topic": "t", "rate": 5}]
    steps = [("2s", "kill 2"), ("20s", "create v 2/2"), ("22s", "send P v-0 3"), ("23s", "rate P 3 v-1")]
    run = ran(*steps, producers=producers)
    assert topics_of(run) == ["t"]
    assert [reason for _, reason in sorted(run.without_effect().items())][1:] == ["there is no topic v"] * 2


def test_the_name_of_a_refused_topic_may_be_used_again_and_that_of_another_may_not() -> None:
    steps = [("2s", "kill 2"), ("20s", "create v 2/2"), ("22s", "create v 0,1"), ("24s", "create v 1,0")]
    run = ran(*steps)
    assert topics_of(run) == ["t", "v"]
    assert [line.rpartition("(")[2] for line in told(run)] == ["INVALID_REPLICA_ASSIGNMENT)", "TOPIC_ALREADY_EXISTS)"]
    assert run.cluster.quorum.image.partition(run.cluster_parts.partition_index["v", 0]).leader == 0  # type: ignore[union-attr]


def test_a_topic_that_waits_for_a_controller_is_none_yet() -> None:
    steps = [("2s", "kill 100"), ("2s", "kill 101"), ("2s", "kill 102"), ("10s", "create v 0,1")]
    run = ran(*steps, until_s=30)
    assert topics_of(run) == ["t"]
    assert "Topic: v" not in describe_text(run.snapshot(), run.doc)
    run.run(100 * SECOND)
    assert told(run)[0].endswith("no broker reached an active controller within a minute (NOT_CONTROLLER)")
    assert topics_of(run) == ["t"]


def test_a_producer_stops_its_calls_to_a_topic_that_was_refused_after_they_began() -> None:
    """The call waits for a controller until 12 s; the producer blocks on the topic that does not exist till then."""
    run = ran(
        ("2s", "kill 2"),
        ("15s", "kill 100"),
        ("16s", "create v 2/2"),
        ("17s", "rate P 2 v-0"),
        ("20s", "start 100"),
        ("40s", "rate P 0 v-0"),
        until_s=200,
        cluster={"brokers": [0, 1, 2], "controllers": [100]},
        producers=[{"id": "P", "topic": "t"}],
    )
    assert len(told(run)) == 1
    changes = stated(run, ClientChanged)
    assert (changes[-1].t, changes[-1].rate_milli) == (40 * SECOND, 0)
    assert [fact.t for fact in run.trace.decisive if fact.kind == WRITE_FAILED][-1] < 110 * SECOND
