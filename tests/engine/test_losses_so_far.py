"""The losses that a run states while it goes on, against the count of its fates at rest."""

from importlib import resources
from typing import Any

import pytest

from simengine.commands.run import topic_lines
from simengine.facts.decisive import PartitionChanged, RecordsBack, VerdictChanged
from simengine.scenario import load
from simengine.verdict.lost_by import gravest_of, lost_by
from simengine.verdict.moment_words import moment_words
from simengine.world.world import World, build
from tests.engine.cluster import SECOND, facts, world
from tests.engine.made_facts import made

SANDBOX = resources.files("simengine.scenario.builtin").joinpath("sandbox.yaml").read_text()


def lost_so_far(run: World, topic: int) -> int:
    """The lost figure of the newest VerdictChanged of a topic."""
    stated = [fact for fact in run.trace.decisive if isinstance(fact, VerdictChanged) and fact.topic == topic]
    return stated[-1].lost if stated else 0


def lost_at_rest(run: World, topic: int) -> int:
    """The lost records of a topic by the fates of its calls."""
    topics: Any = run.verdict()["topics"]
    return int(topics[topic]["lost"])


@pytest.mark.parametrize("seed", range(1, 9))
def test_a_retry_answered_as_a_duplicate_is_no_loss_when_the_leadership_goes_back(seed: int) -> None:
    """IDEM-3: the batch has the epoch that wrote it, not the one of the leader that found it."""
    run = build(load(SANDBOX.replace("seed: 7", f"seed: {seed}")))
    for at, action in ((3, "kill 1"), (18, "start 1"), (26, "elect preferred all")):
        run.run(at * SECOND)
        run.act(at * SECOND + 1, action)
    run.run(40 * SECOND)
    assert [lost_so_far(run, topic) for topic in (0, 1)] == [lost_at_rest(run, topic) for topic in (0, 1)]
    assert lost_at_rest(run, 1) == 0


def test_of_records_that_come_back_in_part_only_the_rest_is_lost() -> None:
    """UNC-1: broker 2 has 4 records, broker 1 has 8, broker 0 all 12; broker 2 is elected, later broker 1."""
    steps = ((1, "send P t-0 4"), (3, "kill 2"), (15, "send P t-0 4"), (17, "kill 1"), (30, "send P t-0 4"),
             (32, "kill 0"), (45, "start 2"), (65, "kill 2"), (80, "start 1"))  # fmt: skip
    run = world(
        topics=[{"name": "t", "assignment": [[0, 1, 2]], "config": {"unclean.leader.election.enable": True}}],
        producers=[{"id": "P", "topic": "t", "rate": 0, "acks": 1}],
        timeline=[{"at": f"{at}s", "do": action} for at, action in steps],
    )
    run.run(64 * SECOND)
    assert lost_so_far(run, 0) == 8
    run.run(110 * SECOND)
    assert [(fact.base, fact.count) for fact in facts(run, RecordsBack)] == [(4, 4)]
    assert lost_so_far(run, 0) == 4 == lost_at_rest(run, 0)


def deciding(run: World, topic: int) -> tuple[Any, Any]:
    """The deciding fact of a topic as the verdict tells it, and how many lost records go back to it."""
    told: Any = run.verdict()["topics"]
    return told[topic]["deciding"], told[topic]["deciding_lost"]


def test_of_several_losses_the_gravest_decides_and_not_the_newest() -> None:
    """UNC-1: the election of broker 1 loses 8 records, that of broker 2 loses 1 more."""
    steps = ((1, "kill 1"), (14, "send P t-0 8"), (16, "kill 0"), (28, "start 1"), (45, "send P t-0 1"),
             (47, "kill 1"), (60, "start 2"))  # fmt: skip
    run = world(
        topics=[{"name": "t", "assignment": [[0, 1, 2]], "config": {"unclean.leader.election.enable": True}}],
        producers=[{"id": "P", "topic": "t", "rate": 0, "acks": 1}],
        timeline=[{"at": "500ms", "do": "kill 2"}, *({"at": f"{at}s", "do": action} for at, action in steps)],
    )
    run.run(44 * SECOND)
    first, lost = deciding(run, 0)
    assert lost == 8 == lost_at_rest(run, 0)
    run.run(90 * SECOND)
    assert lost_at_rest(run, 0) == 9
    assert deciding(run, 0) == (first, 8)
    assert first["t"] < 44 * SECOND


@pytest.mark.parametrize(
    ("actions", "words"),
    [
        (["30s power-loss 1,2 20", "31s start 1 after 1s", "31s start 2 after 1s"], "Brokers 1 and 2 lose power"),
        (["29s slow 2 1", "30s kill 1", "31s start 1 empty"], "Broker 1 starts with an empty disk"),
        (["29s slow 2 1", "30s kill 1"], None),
    ],
)
def test_what_a_leader_that_leads_on_has_lost_goes_back_to_what_took_it_from_its_disk(
    actions: list[str], words: str | None
) -> None:
    """REG-5, LOG-8: it leads on in the epoch of an election long before. Lost by an election: that election."""
    steps = [dict(zip(("at", "do"), action.split(" ", 1), strict=True)) for action in ["5s kill 0", *actions]]
    run = world(
        topics=[{"name": "t", "assignment": [[0, 1, 2]], "config": {"min.insync.replicas": 1}}],
        producers=[{"id": "P", "topic": "t", "rate": 50, "acks": 1}],
        timeline=steps,
    )
    run.run(60 * SECOND)
    topics: Any = run.verdict()["topics"]
    assert topics[0]["lost"] == topics[0]["deciding_lost"] > 0
    told = topics[0]["deciding"]
    if words is None:
        assert told["text"].startswith("broker 2 became leader of t-0 in epoch")
    else:
        assert told["text"] == words


def two_partitions(*actions: str, assignment: str = "[[0, 1], [0, 1]]") -> Any:
    """The verdict on a topic written with acks=1 while some actions are done."""
    timeline = ", ".join(f"{{at: {at}, do: '{do}'}}" for at, do in (action.split(" ", 1) for action in actions))
    run = build(
        load(
            f"""
            format: 1
            seed: 2
            until: 70s
            cluster: {{brokers: [0, 1, 2, 3], controllers: [100]}}
            topics: [{{name: t, assignment: {assignment}, config: {{min.insync.replicas: 1}}}}]
            producers: [{{id: P, topic: t, rate: 20, acks: 1}}]
            timeline: [{timeline}]
            """
        )
    )
    run.run(70 * SECOND)
    told: Any = run.verdict()["topics"]
    return told[0]


def test_one_commit_that_elects_leaders_of_two_partitions_is_one_cause() -> None:
    """LIVE-4: a fenced broker loses all its leaderships in one commit."""
    topic = two_partitions("5s cut 0|1,100", "30s heal")
    assert topic["deciding_lost"] == topic["lost"] > 0
    assert topic["also_lost_by"] == []
    assert moment_words(topic).startswith("lost by what happened at ")


def test_a_second_cause_is_told_beside_the_gravest() -> None:
    topic = two_partitions("5s cut 0|1,100", "25s heal", "40s cut 2|3,100", "55s heal", assignment="[[0, 1], [2, 3]]")
    [other] = topic["also_lost_by"]
    assert other["lost"] + topic["deciding_lost"] == topic["lost"]
    assert topic["deciding_lost"] >= other["lost"] > 0
    assert {topic["deciding"]["text"][:30], other["text"][:30]} == {
        "broker 1 became leader of t-0 ",
        "broker 3 became leader of t-1 ",
    }
    of_run = topic_lines(topic)
    assert of_run[-2].strip().startswith(f"{topic['deciding_lost']} of the {topic['lost']} were lost by what happened")
    assert of_run[-1].strip().startswith(f"{other['lost']} by what happened at {other['t'] / 1e6:.3f} s: broker ")


def test_commits_of_one_moment_and_another_cause_stay_apart() -> None:
    facts: list[Any] = [
        made(PartitionChanged, 1, 5, 9),
        made(PartitionChanged, 2, 5, 9),
        made(PartitionChanged, 3, 5, 8),
        made(PartitionChanged, 4, 6, 9),
        made(PartitionChanged, 5, 5, 0),
        made(PartitionChanged, 6, 5, 0),
    ]
    lost = {1: 3, 2: 4, 3: 6, 4: 2, 5: 1, 6: 1, 7: 0}
    assert lost_by(lost, facts) == [(7, 2), (6, 3), (2, 4), (1, 5), (1, 6)]
    assert gravest_of(lost, facts) == (2, 7)
    assert gravest_of({}, facts) == (0, 0)
