"""Consumers that subscribe: membership of a group, sessions, rebalances (CON-6)."""

from typing import Any

from simengine.facts.traffic import Delivered
from simengine.scenario import load
from simengine.world.world import World
from tests.checked import checked, checks_of
from tests.engine.cluster import SECOND, facts, world

PRODUCER = {"id": "P", "topic": "t", "rate": 40, "acks": "all", "config": {"linger.ms": 0}}
TOPIC = {"name": "t", "assignment": [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1]], "config": {"min.insync.replicas": 2}}


def member(name: str, state: str = "open", **config: Any) -> dict[str, Any]:
    settings = {"auto.offset.reset": "earliest", "session.timeout.ms": 10000}
    settings.update({key.replace("_", "."): value for key, value in config.items()})
    return {"id": name, "group": "g", "topics": ["t"], "state": state, "config": settings}


def group(timeline: list[tuple[float, str]], *members: dict[str, Any], **document: Any) -> World:
    steps = [{"at": f"{int(at * 1000)}ms", "do": verb} for at, verb in timeline]
    return world(topics=[TOPIC], producers=[PRODUCER], consumers=list(members), timeline=steps, **document)


def readers(run: World, since: float) -> dict[int, set[int]]:
    """The clients that got records of each partition after a time (s)."""
    found: dict[int, set[int]] = {}
    for fact in facts(run, Delivered):
        if fact.t / SECOND >= since:
            found.setdefault(fact.p, set()).add(fact.client)
    return found


def test_members_share_the_partitions_by_ranges() -> None:
    run = group([], member("C"), member("D"))
    run.run(10 * SECOND)
    got = facts(run, Delivered)
    assert min(fact.t / SECOND for fact in got) >= 3  # an empty group waits for further members
    assert {(fact.p, fact.client) for fact in got} == {(0, 1), (1, 1), (2, 2), (3, 2)}
    assert run.cluster_parts.consumers[0].delivered_count + run.cluster_parts.consumers[1].delivered_count > 390


def test_a_new_member_takes_its_share_within_a_heartbeat_and_nothing_is_lost() -> None:
    run = group([(10, "open D")], member("C"), member("D", "closed"))
    run.run(9 * SECOND)
    assert readers(run, 5) == {p: {1} for p in range(4)}
    run.run(30 * SECOND)
    assert readers(run, 14) == {0: {1}, 1: {1}, 2: {2}, 3: {2}}


def test_a_crashed_members_partitions_wait_until_its_session_is_over() -> None:
    """CON-6: nobody tells the group; what was read after the last commit is read again."""
    run = group([(20, "crash C")], member("C"), member("D"))
    run.run(60 * SECOND)
    got = [fact for fact in facts(run, Delivered) if fact.p == 0]
    taken_over = min(fact.t / SECOND for fact in got if fact.client == 2)
    assert 26.9 < taken_over < 33.5  # at most 3 s after its last heartbeat, 10 s session, at most 3 s to rejoin
    last_of_c = max(fact.offset for fact in got if fact.client == 1)
    first_of_d = next(fact.offset for fact in got if fact.client == 2)
    assert 0 < last_of_c - first_of_d < 60  # at most 5 s of 10/s, with what came since


def test_a_closed_members_partitions_go_on_without_a_gap_or_a_repetition() -> None:
    run = group([(20, "close C")], member("C"), member("D"))
    run.run(40 * SECOND)
    got = sorted((fact.offset, fact.count) for fact in facts(run, Delivered) if fact.p == 0)
    assert [offset for offset, _ in got] == [sum(count for _, count in got[:k]) for k in range(len(got))]
    assert readers(run, 24) == {}  # taken above
    assert run.cluster_parts.consumers[1].delivered_count > 900


def test_members_stay_members_when_the_coordinator_dies() -> None:
    run = group([], member("C"), member("D"))
    leader = run.snapshot()["partitions"][4]["leader"]  # type: ignore[index]
    run = group([(20, f"kill {leader}")], member("C"), member("D"))
    run.run(70 * SECOND)
    assert readers(run, 40) == {0: {1}, 1: {1}, 2: {2}, 3: {2}}


def test_a_consumer_cut_off_from_its_coordinator_reads_on_and_learns_later_that_others_have_its_partitions() -> None:
    """A partition has two readers for a while: at least once, not exactly once."""
    run = group([], member("C"), member("D"))
    leader = run.snapshot()["partitions"][4]["leader"]  # type: ignore[index]
    other = next(p for p in range(4) if TOPIC["assignment"][p][0] != leader)  # type: ignore[index]
    owner = "C" if other < 2 else "D"
    run = group([(20, f"cut {owner}|{leader}"), (50, "heal")], member("C"), member("D"))
    run.run(120 * SECOND)
    got = [fact for fact in facts(run, Delivered) if fact.p == other]
    both = {fact.client for fact in got if 40 < fact.t / SECOND < 50}
    assert both == {1, 2}
    assert len({fact.client for fact in got if fact.t / SECOND > 85}) == 1


def test_the_first_members_get_what_does_not_divide_evenly() -> None:
    """CON-6: the range assignor."""
    run = group([], member("C"), member("D"), member("E"))
    run.run(15 * SECOND)
    assert readers(run, 10) == {0: {1}, 1: {1}, 2: {2}, 3: {3}}


def test_rebalances_dropped_members_and_groups_taken_over_are_counted() -> None:
    """The coverage marks by which a swarm knows that it has seen them (CON-6)."""
    members = [member("C"), member("D")]
    leader = group([], *members).snapshot()["partitions"][4]["leader"]  # type: ignore[index]
    steps = [{"at": "20s", "do": "crash C"}, {"at": "40s", "do": f"kill {leader}"}]
    document = {
        "format": 1,
        "title": "marks",
        "seed": 5,
        "until": "60s",
        "cluster": {"brokers": [0, 1, 2], "controllers": [100, 101, 102]},
        "topics": [TOPIC],
        "producers": [PRODUCER],
        "consumers": members,
        "timeline": steps,
    }
    run = checked(load(document))
    run.run(35 * SECOND)
    counts = checks_of(run.only).parts.marks.counts
    seen = ("group rebalanced", "group member dropped with its session", "group taken over by a new coordinator")
    assert [counts[mark] for mark in seen] == [2, 1, 0]
    run.run(55 * SECOND)
    assert counts[seen[2]] == 1


def test_what_stood_in_the_offsets_log_before_the_run_is_no_commit_of_it() -> None:
    """CON-6: of a pasted cluster nobody knows what its groups had committed; they begin anew, and go on from there."""
    offsets = {
        "name": "__consumer_offsets",
        "assignment": [[0, 1, 2]],
        "initial": {"0": {"leader": 0, "isr": [0, 1, 2], "leo": 7}},
    }
    run = world(
        topics=[TOPIC, offsets],
        producers=[PRODUCER],
        consumers=[member("C"), member("D")],
        timeline=[{"at": "30s", "do": "kill 0"}],
    )
    run.run(29 * SECOND)
    before = {fact.p: fact.offset for fact in facts(run, Delivered)}
    assert len(before) == 4
    run.run(80 * SECOND)
    after = {fact.p: fact.offset for fact in reversed(facts(run, Delivered))}  # the first after the fault
    assert after == {p: offset + 1 for p, offset in before.items()}


def test_a_coordinator_that_dies_as_a_rebalance_completes_leaves_no_member_without_a_client() -> None:
    """KIP-394: the reader joins again as the member that the next coordinator finds in the log; it waits for nobody."""
    leader = group([], member("C")).snapshot()["partitions"][4]["leader"]  # type: ignore[index]
    for ms in range(3004, 3014):
        run = group([(ms / 1000, f"kill {leader}")], member("C", session_timeout_ms=45000))
        run.run(25 * SECOND)
        assert readers(run, 20), f"killed at {ms} ms: nobody reads from 20 s to 25 s"
