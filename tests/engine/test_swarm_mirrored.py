"""Two clusters with MirrorMaker in the swarm: the invariants of mirrors hold, and what breaks them is seen."""

from types import SimpleNamespace
from typing import Any, cast

import pytest

from simengine.facts.kinds import OFFSET_SYNCED, RECORDS_COPIED
from simengine.scenario import load
from simengine.world.mirrors.verdict import mirror_verdicts
from simengine.world.world import World, build
from tests.invariants.violation import Violation
from tests.mirror.documents import QUIET
from tests.mirror.documents import mirrored as document
from tests.swarm import run
from tests.swarm.mirror_watch import MirrorWatch
from tests.swarm.mirrored import MIRRORED_ONE_IN, bring_back, drawn, mirrored


def copied(upstream: int, downstream: int, count: int) -> list[int]:
    return [0, 0, RECORDS_COPIED, 0, 0, 7, upstream, 8, downstream, count]


def synced(upstream: int, downstream: int) -> list[int]:
    return [0, 0, OFFSET_SYNCED, 0, 0, 7, upstream, downstream]


def watch(*rows: list[int]) -> MirrorWatch:
    """A watch of a world that has stated these facts."""
    trace = SimpleNamespace(take=lambda: SimpleNamespace(rows=lambda: rows))
    mirrors = SimpleNamespace(flows=list)
    net = SimpleNamespace(clients=[])
    return MirrorWatch(cast(World, SimpleNamespace(trace=trace, mirrors=mirrors, net=net)))


@pytest.mark.parametrize("seed", [1, 2])
def test_two_clusters_with_mirrors_keep_the_invariants_and_catch_up(seed: int) -> None:
    assert len(drawn(seed).mirrors) in (1, 2)
    mirrored(seed)


def test_a_translation_beyond_the_records_that_follow_is_seen() -> None:
    """MM-5: 50 is translated to 60 and its copy is at 50: a group would skip ten records."""
    with pytest.raises(Violation, match=r"mm_never_ahead at .*position 50 is translated to 60; .* stands from 50 on"):
        watch(copied(0, 0, 100), synced(50, 60)).look()


def test_the_newest_copies_count_where_records_were_copied_again() -> None:
    again = (copied(0, 0, 100), copied(50, 100, 100), synced(60, 110))
    watch(*again).look()
    with pytest.raises(Violation, match="position 60 is translated to 111"):
        watch(*again, synced(60, 111)).look()


def test_what_is_still_to_be_copied_again_may_be_translated_to_the_end() -> None:
    watch(copied(0, 0, 100), copied(0, 100, 1), synced(0, 100)).look()


def test_a_late_sync_of_a_task_that_was_given_up_may_translate_to_an_earlier_offset() -> None:
    """MM-4: its last flush ends while the next task copies again; then it emits its newest copy (seed 1032)."""
    again = (copied(0, 0, 34), synced(9, 9), copied(0, 34, 34), synced(0, 34), synced(1, 35))
    watch(*again, synced(33, 33)).look()
    with pytest.raises(Violation, match="position 33 is translated to 32; one before it to 35"):
        watch(*again, synced(33, 32)).look()


def test_a_remote_partition_that_has_lost_copies_is_excused() -> None:
    watch(copied(0, 0, 100), synced(90, 90), copied(100, 80, 10)).look()


def test_records_that_come_back_to_their_cluster_are_seen() -> None:
    """MM-3."""
    world = build(load(document(rate=20)))
    world.run(5_000_000)
    MirrorWatch(world).check_provenance()
    [running] = world.mirrors.flows()
    running.target = running.source
    with pytest.raises(Violation, match=r"mm_never_ahead at .* has records of east, which are copied back to it"):
        MirrorWatch(world).check_provenance()


def test_records_that_come_back_as_copies_of_copies_are_seen() -> None:
    """MM-3: a flow with another separator does not know where a copy came from, and copies it back."""
    back = {"topics": r"east\.orders", "replication.policy.separator": "_"}
    doc = document({"topics": "orders"}, rate=20)
    doc["mirrors"].append({"source": "west", "target": "east", "config": {**QUIET, **back}})
    world = build(load(doc))
    world.run(5_000_000)
    with pytest.raises(Violation, match=r"mm_never_ahead at west->east: .* has records of east, which are copied back"):
        MirrorWatch(world).check_provenance()


def test_records_without_a_copy_are_seen_unless_a_side_cannot_serve() -> None:
    world = build(load(document(timeline=[{"at": "5s", "do": "cut mirror-maker|east"}])))
    world.run(10_000_000)
    [flow] = mirror_verdicts(world.mirrors)
    assert flow["topics"][0]["not_mirrored"] > 100
    with pytest.raises(Violation, match=r"mm_catches_up at east->west: orders: [0-9]+ records are still to be copied"):
        MirrorWatch(world).check_caught_up()
    world.act(10_000_001, "kill-site east")
    world.run(30_000_000)
    MirrorWatch(world).check_caught_up()


def test_brokers_are_slow_no_longer_once_all_is_brought_back() -> None:
    """Two records a second are served too slowly for a backlog to be copied (seeds 1139, 1198, 1285)."""
    slow = [{"at": "1s", "do": "slow east/0 serving 2"}, {"at": "1s", "do": "slow east/1 7"}]
    world = build(load(document(timeline=slow)))
    world.run(2_000_000)
    brokers = world.cluster_runs[0].cluster.brokers
    assert [int(brokers[0].serving.per_s), int(brokers[1].intake_per_s)] == [2, 7]
    bring_back(world)
    world.run(3_000_000)
    assert [int(brokers[0].serving.per_s), int(brokers[1].intake_per_s)] == [0, 0]


def test_a_mirror_that_breaks_an_invariant_ends_the_swarms_run(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(seed: int) -> None:
        raise Violation("mm_never_ahead", "mirrors[0]", f"seed {seed}")

    def fine(plan: Any) -> run.Outcome:
        return run.Outcome(int(plan["seed"]))

    monkeypatch.setattr(run, "mirrored", broken)
    monkeypatch.setattr(run, "run_plan", fine)
    told = run.run_seed(MIRRORED_ONE_IN)
    assert (told.name, told.story, told.plan) == ("mm_never_ahead", [f"seed {MIRRORED_ONE_IN}"], {})
