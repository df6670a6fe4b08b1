"""Topics are given partitions, deleted and created again while the cluster runs, and clients learn of it."""

from typing import Any

import pytest

from simengine.commands.run import record_line
from simengine.explain.refusals import refusals
from simengine.explain.sentences import Words
from simengine.facts.decisive import ConsumerReset, PartitionCreated, ReplicaGone, RequestRefused
from simengine.facts.kinds import RESET_KEPT, RESET_LATEST, RESET_TRUNCATION
from simengine.facts.traffic import CallsMoved
from simengine.scenario import load
from simengine.scenario.expect import Observation
from simengine.verdict.sentence import went_words
from simengine.world.world import World, build
from tests.checked import checked
from tests.engine.cluster import facts

DOCUMENT = """
format: 1
until: 60s
cluster: {brokers: [0, 1, 2], controllers: [100]}
topics: [{name: t, assignment: [[0, 1], [1, 2]]}]
producers: [{id: P, topic: t, rate: 10, config: {metadata.max.age.ms: 5000}}]
consumers: CONSUMERS
timeline: TIMELINE
"""
JUMPED = "auto.offset.reset=latest jumped over them"
GROUP = "[{id: C, topics: [t], group: g, config: {metadata.max.age.ms: 10000}}]"


def run_to(seconds: float, timeline: str, consumers: str = GROUP) -> World:
    """A checked run of the document with this timeline."""
    world = checked(load(DOCUMENT.replace("CONSUMERS", consumers).replace("TIMELINE", timeline).encode()))
    world.trace.keep_traffic = True
    world.run(int(seconds * 1e6))
    return world


def topic(world: World, name: str) -> dict[str, Any]:
    """The verdict on a topic."""
    topics = world.verdict()["topics"]
    assert isinstance(topics, list)
    return next(one for one in topics if one["topic"] == name)


def test_new_partitions_are_numbered_on_and_placed_with_as_many_replicas() -> None:
    """PLACE-7: the old ones stay where they are."""
    world = run_to(12, '[{at: 10s, do: "partitions t 4"}]')
    made = facts(world, PartitionCreated)
    assert [fact.number for fact in made] == [2, 3]
    assert all(len(set(fact.replicas)) == 2 for fact in made)
    assert [r.replicas for r in world.cluster.quorum.image.of_topic(0)][:2] == [[0, 1], [1, 2]]


def test_a_producer_spreads_its_calls_over_new_partitions_from_its_next_metadata_refresh_on() -> None:
    world = run_to(30, '[{at: 10s, do: "partitions t 4"}]')
    made = [int(calls.made) for calls in world.cluster_parts.producers[0].calls]
    assert len(made) == 4
    assert 290 <= sum(made) <= 310
    assert all(30 < count < 130 for count in made)


def test_a_group_shares_new_partitions_out_once_its_leader_has_noticed_them() -> None:
    """A group's reader with latest misses what was written to them before."""
    world = run_to(40, '[{at: 10s, do: "partitions t 4"}]')
    late = [fact for fact in facts(world, ConsumerReset) if fact.p > 2 and fact.why == RESET_LATEST]
    assert len(late) == 2
    missed = sum(fact.new for fact in late)
    assert missed > 0
    assert topic(world, "t")["sentence"].endswith(f"C missed {missed} records of t-2 and t-3: {JUMPED}.")


def test_fewer_partitions_are_refused_as_the_controller_refuses_them() -> None:
    world = run_to(12, '[{at: 5s, do: "create u 2 3"}, {at: 8s, do: "partitions u 3"}]')
    assert [fact.text for fact in facts(world, RequestRefused)] == ["partitions u"]


def test_a_deleted_topic_takes_its_records_with_it_and_none_is_lost() -> None:
    world = run_to(30, '[{at: 10s, do: "delete t"}]')
    assert all(broker.replica(0) is None and broker.replica(1) is None for broker in world.cluster.brokers)
    gone = topic(world, "t (deleted)")
    assert gone["lost"] == 0
    went = f"The topic was deleted, as asked: {gone['acked']} acknowledged records went with it."
    assert gone["sentence"] == f"{went} A send() has waited 19.9 s for its response."


@pytest.mark.parametrize(
    ("records", "before", "words"),
    [
        (151, 50, "151 records of this run and 50 from before"),
        (1, 0, "1 acknowledged record"),
        (0, 1, "1 record from before the run"),
        (0, 0, ""),
    ],
)
def test_what_goes_with_a_topic_is_of_this_run_or_from_before_it(records: int, before: int, words: str) -> None:
    assert went_words(records, before) == words


def test_records_from_before_the_run_go_with_a_deleted_topic() -> None:
    state = "initial: {0: {leader: 0, isr: [0, 1], leo: 50}}"
    timeline = '[{at: 5s, do: "delete t"}]'
    text = DOCUMENT.replace("[1, 2]]}]", f"[1, 2]], {state}}}]").replace("rate: 10", "rate: 0")
    made = checked(load(text.replace("CONSUMERS", "[]").replace("TIMELINE", timeline).encode()))
    made.run(10_000_000)
    assert topic(made, "t (deleted)")["sentence"].endswith(": 50 records from before the run went with it.")


def test_records_of_a_topic_that_was_deleted_without_a_leader_wait_for_none() -> None:
    """FATE-3: they went with the topic, and no leader will be elected."""
    world = run_to(40, '[{at: 5s, do: kill 0}, {at: 5s, do: kill 1}, {at: 30s, do: "delete t"}]')
    gone = topic(world, "t (deleted)")
    assert gone["acked"] == gone["kept"] > 0
    assert (gone["undetermined"], gone["stranded"], gone["lost"]) == (0, 0, 0)


def test_a_deleted_topic_cannot_be_deleted_again_nor_given_partitions() -> None:
    world = run_to(20, '[{at: 5s, do: "delete t"}, {at: 9s, do: "delete t"}, {at: 10s, do: "partitions t 6"}]')
    assert [fact.text for fact in facts(world, RequestRefused)] == ["delete t", "partitions t"]
    assert sorted(world.without_effect()) == [1, 2]


def test_calls_to_a_deleted_topic_end_after_max_block() -> None:
    """PC-14: the client finds no such topic, and the application waits in one call."""
    text = DOCUMENT.replace("metadata.max.age.ms: 5000", "max.block.ms: 4000, delivery.timeout.ms: 31000")
    doc = load(text.replace("CONSUMERS", "[]").replace("TIMELINE", '[{at: 10s, do: "delete t"}]').encode())
    world = checked(doc)
    world.run(50_000_000)
    gone = topic(world, "t (deleted)")
    assert gone["refused"] + gone["unknown"] > 5
    assert "failed." in gone["sentence"]


def test_what_waits_for_a_deleted_topic_goes_to_the_one_created_again() -> None:
    """Each call is told of once: by the old topic where it was acknowledged there, else by the new one."""
    world = run_to(40, '[{at: 10s, do: "delete t"}, {at: 15s, do: "create t 0,1/1,2"}]')
    made = sum(int(calls.made) for calls in world.cluster_parts.producers[0].calls if not calls.is_over)
    rows = [row for row in world.record_fates() if row["fate"] != "not answered yet, not written"]
    assert made - 5 <= sum(int(str(row["count"])) for row in rows) <= made
    assert {row["fate"] for row in rows} == {"acked, kept"}
    assert topic(world, "t")["lost"] == topic(world, "t (deleted)")["lost"] == 0


def test_a_call_that_waited_for_a_deleted_topic_has_waited_since_it_was_made() -> None:
    """Its response comes from the topic that was created again: the whole wait is told there."""
    world = run_to(40, '[{at: 10s, do: "delete t"}, {at: 15s, do: "create t 0,1/1,2"}]')
    again = topic(world, "t")
    longest = again["longest_wait_us"]
    assert 5_000_000 < longest < 8_000_000
    told = f"A send() waited {longest / 1e6:.1f} s for its response (it was sent before the partition had a leader)."
    assert again["sentence"].startswith(f"Nothing acknowledged was lost. {told}")


def test_a_broker_that_was_down_during_both_deletes_the_old_log() -> None:
    """Its log is that of another topic, though it has the name (KIP-516)."""
    timeline = (
        '[{at: 5s, do: kill 2}, {at: 10s, do: delete t}, {at: 15s, do: "create t 0,1/1,2"}, {at: 20s, do: start 2}]'
    )
    world = run_to(35, timeline)
    assert [fact.p for fact in facts(world, ReplicaGone) if fact.broker == 2] == [1]
    leader = world.cluster.by_id[1].replica(4)
    copy = world.cluster.by_id[2].replica(4)
    assert leader is not None and copy is not None
    assert copy.log.leo == leader.log.leo
    assert 2 in leader.isr


def test_who_reads_a_partition_by_itself_keeps_its_offset_in_the_new_topic() -> None:
    """CON-4: where that lies behind the end of the new log it goes on at this end."""
    timeline = '[{at: 10s, do: "delete t"}, {at: 15s, do: "create t 0,1/1,2"}]'
    world = run_to(30, timeline, "[{id: A, partitions: [[t, 0]]}]")
    jumps = [(fact.p, fact.why) for fact in facts(world, ConsumerReset)]
    assert jumps[1:] == [(2, RESET_KEPT), (2, RESET_TRUNCATION)]


def test_a_topic_that_is_deleted_twice_has_two_titles() -> None:
    actions = ('5s, do: "delete t"', '10s, do: "create t 2 2"', '20s, do: "delete t"', '25s, do: "create t 2 2"')
    world = run_to(40, f"[{', '.join(f'{{at: {one}}}' for one in actions)}]")
    titles = ["t", "t (deleted)", "t (deleted, no. 2)"]
    assert sorted(str(topic.title) for topic in world.cluster.topics if topic.name == "t") == titles
    told: Any = world.verdict()["topics"]
    assert sorted(one["topic"] for one in told if one["topic"].startswith("t")) == titles
    names = world.names()
    assert [Words(names).partition(p) for p in (0, 3)] == ["t-0 (deleted)", "t-0 (deleted, no. 2)"]


def test_every_place_names_a_partition_of_a_deleted_topic_alike() -> None:
    world = run_to(20, '[{at: 5s, do: "elect preferred t-0"}, {at: 10s, do: "delete t"}]')
    names = world.names()
    assert Words(names).partition(0) == "t-0 (deleted)"
    assert Observation(names, 1).partitions[:2] == ["t-0 (deleted)", "t-1 (deleted)"]
    assert [one["partition"] for one in refusals(world.trace.decisive, names)] == ["t-0 (deleted)"]
    assert record_line(world, world.record_fates()[0]).startswith("t-0 (deleted) P call")


def test_records_read_after_an_offset_that_was_kept_are_not_counted_as_missed() -> None:
    """A reader that had read nothing of the old topic has no epoch to check its offset by."""
    timeline = """[
      {at: 1s, do: "rate P 0"}, {at: 10s, do: "delete t"}, {at: 15s, do: "create t 0,1/1,2"},
      {at: 30s, do: "rate P 10"}, {at: 45s, do: "kill 0"}]"""
    text = "[{id: A, partitions: [[t, 0]], config: {metadata.max.age.ms: 5000, auto.offset.reset: latest}}]"
    world = build(
        load(DOCUMENT.replace("rate: 10", "rate: 0").replace("CONSUMERS", text).replace("TIMELINE", timeline).encode())
    )
    world.run(75_000_000)
    told = topic(world, "t")
    assert told["delivered"] > 100
    assert "missed" not in told["sentence"]


def test_calls_that_move_to_the_new_topic_do_so_in_the_mode_in_which_they_were_made() -> None:
    """The old client drains with its acks while the next one calls with others."""
    timeline = '[{at: 10s, do: "delete t"}, {at: 10100ms, do: "acks t 1"}, {at: 10200ms, do: "create t 0,1/1,2"}]'
    world = run_to(9.9, timeline)
    moved = []
    for at_ms in range(10_000, 40_000, 50):
        world.run(at_ms * 1_000)
        moved += facts(world, CallsMoved)
        modes = [mode for account in world.book.accounts for calls in account.calls for mode in calls.modes]
        assert all(mode.waiting >= 0 for mode in modes), at_ms
    assert moved


def test_both_senders_of_a_producer_move_their_own_calls_when_the_acks_changed_meanwhile() -> None:
    """PC-14: the new sender knows the new topic at once, the old one when its requests to broker 1 time out."""
    timeline = (
        '[{at: 9900ms, do: pause 1}, {at: 10s, do: "delete t"}, {at: 10300ms, do: "create t 2,0"},'
        ' {at: 10600ms, do: "acks t 1"}, {at: 60s, do: resume 1}, {at: 70s, do: rate P 0}]'
    )
    text = DOCUMENT.replace("[[0, 1], [1, 2]]", "[[1, 2]]").replace("metadata.max.age.ms: 5000", "linger.ms: 0")
    world = checked(load(text.replace("CONSUMERS", "[]").replace("TIMELINE", timeline).encode()))
    calls = world.cluster_parts.producers[0].calls
    held: set[tuple[int, int, int]] = set()
    for at_ms in range(10_000, 60_000, 100):
        world.run(at_ms * 1_000)
        held.update((int(one.p), int(one.queued), int(one.in_flight)) for one in calls)
    assert any(p == 0 and in_flight > 0 for p, _, in_flight in held)
    assert all(queued >= 0 and in_flight >= 0 for _, queued, in_flight in held), held
    world.run(200_000_000)
    assert [(int(one.queued), int(one.in_flight)) for one in calls] == [(0, 0)] * 2
