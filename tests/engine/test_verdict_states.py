"""Records lost and open, partitions readable and under-replicated, on states made by hand (FATE-3, STOP-1, STOP-4)."""

from typing import Any

import pytest

from simengine.facts.kinds import (
    ELECTION_CLEAN,
    ELECTION_ELR,
    ELECTION_LAST_KNOWN,
    ELECTION_UNCLEAN,
    REG_ACTIVE,
    REG_FENCED,
)
from simengine.kafka.log.log import Batch, Log
from simengine.kafka.replica.replica import FOLLOWER, LEADER, Partition
from simengine.kafka.shared.metadata import BrokerState, PartitionRegistration, broker_record, partition_record
from simengine.kafka.shared.standing import BELOW_MIN_ISR, LEADERLESS, OPEN, STALLED
from simengine.verdict.fates import CALL_FATES, put
from simengine.verdict.final_log import ABSENT, FinalLog
from simengine.verdict.losses import Losses
from simengine.verdict.metrics import of_node
from simengine.verdict.outcomes import ACKED, CallRun
from simengine.verdict.read_path import can_be_read
from simengine.verdict.write_path import leader_of, write_state
from simengine.world.world import World
from tests.engine.cluster import SECOND, copy_on, known, remote_of, started, world


def logged(replica: Partition, *ends: int) -> Partition:
    """A copy whose log has epoch 0 up to the first of these offsets, epoch 1 up to the next, and so on."""
    replica.log = Log()
    for epoch, end in enumerate(ends):
        if end > replica.log.leo:
            replica.log.append(Batch(replica.log.leo, end - replica.log.leo, epoch, 0, replica.log.leo, -1, -1, -1, 0))
    return replica


def led(run: World, broker: int, epoch: int, *ends: int) -> Partition:
    """A broker leads t-0 in an epoch, as the controller and it agree, with such a log; -1: nobody does."""
    image = run.cluster.quorum.image
    base = image.partitions[0]
    assert base is not None
    base = base.copy()
    base.leader, base.epoch, base.pe = broker, epoch, base.pe + 1
    base.fact = 100 + epoch
    image.partitions[0] = base
    copy = logged(copy_on(run, max(broker, 0)), *ends)
    copy.role, copy.epoch, copy.registration = (LEADER if broker >= 0 else FOLLOWER), epoch, base
    return copy


# -- lost, and back


def lost(losses: Losses) -> list[tuple[int, int, int]]:
    """(epoch, first, end) of what is lost, in order."""
    return sorted((int(run.epoch), int(run.base), int(run.base + run.count)) for run in losses.lost)


def test_what_a_former_leader_acknowledges_is_lost_from_the_start_as_far_as_the_new_one_lacks_it() -> None:
    """S26: epoch 0 ends at 4 there; records 2 to 5 are acknowledged late."""
    run = world()
    losses = Losses(run.cluster, 0)
    losses.leader_activated(led(run, 1, 1, 4, 6))
    losses.acknowledged(2, 4, 0, 1, 0)
    assert (lost(losses), int(losses.count), int(losses.doomed)) == ([(0, 4, 6)], 2, 2)
    assert losses.kept.within(0, 9) == (2, 4)
    assert losses.counts == {101: 2}


def test_what_is_acknowledged_while_nobody_leads_is_judged_by_the_next_leader() -> None:
    """Lost by it, those records were so from the start; others of its losses were not."""
    run = world()
    losses = Losses(run.cluster, 0)
    losses.leader_activated(led(run, 0, 0, 2))
    losses.acknowledged(0, 3, 0, 1, 0)
    led(run, -1, 1)
    losses.acknowledged(3, 4, 0, 1, 0)
    assert (lost(losses), int(losses.doomed)) == ([], 0)
    losses.leader_activated(led(run, 2, 2, 2))
    assert (lost(losses), int(losses.count), int(losses.doomed)) == ([(0, 2, 7)], 5, 4)


def test_a_leader_that_comes_back_in_its_own_epoch_with_less_has_lost_what_is_acknowledged_only_then() -> None:
    """LOG-8: its host lost power; the answer was on its way."""
    run = world()
    losses = Losses(run.cluster, 0)
    losses.begin()
    losses.leader_activated(led(run, 0, 0, 3))
    losses.acknowledged(0, 5, 0, 1, 0)
    assert (lost(losses), int(losses.count)) == ([(0, 3, 5)], 2)


def test_of_what_one_leader_lacks_and_the_next_lacks_too_every_record_is_lost_once() -> None:
    run = world()
    losses = Losses(run.cluster, 0)
    led(run, 0, 0, 10)
    losses.acknowledged(0, 10, 0, -1, 0)
    for broker, epoch, has in ((1, 1, 6), (2, 2, 4)):
        losses.leader_activated(led(run, broker, epoch, has))
    assert (lost(losses), int(losses.count)) == ([(0, 4, 6), (0, 6, 10)], 6)
    assert losses.counts == {101: 4, 102: 2}
    assert losses.kept.within(0, 99) == (4, 4)


def test_a_duplicate_of_lost_records_is_lost_once_and_kept_at_no_time() -> None:
    """S26, IDEM-3: a former leader acknowledges again what is lost, and one record more."""
    run = world()
    losses = Losses(run.cluster, 0)
    led(run, 0, 0, 6)
    losses.acknowledged(0, 5, 0, -1, 0)
    losses.leader_activated(led(run, 1, 1, 3))
    losses.acknowledged(2, 4, 0, -1, 0)
    assert (lost(losses), int(losses.count), int(losses.doomed)) == ([(0, 3, 5), (0, 5, 6)], 3, 1)
    assert losses.kept.within(0, 99) == (3, 3)
    losses.leader_activated(led(run, 2, 2, 3))
    assert (int(losses.count), losses.kept.within(0, 99)) == (3, (3, 3))


def test_of_what_comes_back_the_parts_on_both_sides_stay_lost() -> None:
    """The second leader has 0 and 1, the third only 5 to 7, where its log begins."""
    run = world()
    losses = Losses(run.cluster, 0)
    led(run, 0, 0, 10)
    losses.acknowledged(0, 10, 0, -1, 0)
    losses.leader_activated(led(run, 1, 1, 2))
    assert lost(losses) == [(0, 2, 10)]
    third = led(run, 2, 2)
    third.log.leo = 5
    third.log.append(Batch(5, 3, 0, 0, 5, -1, -1, -1, 0))
    back = losses.leader_activated(third)
    assert [(int(one.base), int(one.count)) for one in back] == [(5, 3)]
    assert lost(losses) == [(0, 0, 2), (0, 2, 5), (0, 8, 10)]
    assert (int(losses.count), losses.counts) == (7, {101: 5, 102: 2})
    assert losses.recent_lost.rows() == [[2, 3, 0], [8, 2, 0], [0, 2, 0]]
    for one in back:
        losses.keep(one)
    assert losses.kept.within(0, 99) == (3, 8)


@pytest.mark.parametrize(("acks", "column"), [(-1, "lost_all"), (1, "lost_1")])
def test_a_lost_call_is_counted_by_its_mode(acks: int, column: str) -> None:
    counts = dict.fromkeys(CALL_FATES, 0)
    put(counts, ACKED, acks, ABSENT, 3)
    assert {key: count for key, count in counts.items() if count} == {"calls": 3, "acked": 3, "lost": 3, column: 3}


def test_what_only_a_zombie_holds_is_held_by_nobody() -> None:
    """It cuts its log when it learns of the next leader; until there is one nothing is known."""
    run = world()
    led(run, -1, 1)
    copies = [logged(copy_on(run, broker), end) for broker, end in ((0, 9), (1, 6), (2, 4))]
    copies[0].role = LEADER
    final_log = FinalLog(run.book.account(0), copies)
    assert final_log.held_by_live(CallRun(0, 0, 8, ACKED, 0, 0, 1)) == 6


# -- open for writing, open for reading


def closing(run: World, how: str) -> None:
    """Something happens to the write path of t-0, which broker 0 leads."""
    leader, member = run.cluster.by_id[0], run.cluster.by_id[2]
    if how == "leader paused":
        leader.paused = True
    elif how == "leader's port closed":
        leader.listening = False
    elif how == "leader starting":
        leader.lifecycle.state = 1
    elif how == "member paused":
        member.paused = True
    elif how == "member gone":
        member.up = False
    elif how in ("0>2", "2>0"):
        a, b = (leader, member) if how == "0>2" else (member, leader)
        run.cluster.net.cut(a, b)
    elif how == "member unheard of":
        remote_of(copy_on(run, 0), 2).leo = -1
    elif how == "isr too small":
        copy_on(run, 0).isr = [0]
    elif how == "newer epoch":
        led(run, 0, 5, 4).epoch = 4


@pytest.mark.parametrize(
    ("how", "state"),
    [
        ("", OPEN),
        ("leader paused", LEADERLESS),
        ("leader's port closed", LEADERLESS),
        ("leader starting", LEADERLESS),
        ("newer epoch", LEADERLESS),
        ("isr too small", BELOW_MIN_ISR),
        ("member paused", STALLED),
        ("member gone", STALLED),
        ("0>2", STALLED),
        ("2>0", STALLED),
        ("member unheard of", STALLED),
    ],
)
def test_a_partition_is_open_for_acks_all_when_nothing_is_in_the_way(how: str, state: int) -> None:
    """PROD-2, HW-1, HW-5: the leader takes calls, the ISR has M members, and each of them can fetch."""
    run = started()
    closing(run, how)
    assert write_state(run.cluster, leader_of(run.cluster, 0)) == state


RACKED: dict[str, Any] = {
    "brokers": [{"id": i, "rack": rack} for i, rack in enumerate("abc")],
    "controllers": [100],
    "config": {"replica.selector.class": "org.apache.kafka.common.replica.RackAwareReplicaSelector"},
}


@pytest.mark.parametrize(
    ("leader", "state", "epoch", "role", "is_readable"),
    [
        (0, REG_ACTIVE, 0, FOLLOWER, True),
        (-1, REG_ACTIVE, 0, FOLLOWER, False),  # metadata name no leader: nobody knows where to ask
        (0, REG_ACTIVE, 1, FOLLOWER, False),  # the follower does not follow in the epoch of the readers
        (0, REG_ACTIVE, 0, LEADER, False),
        (0, REG_FENCED, 0, FOLLOWER, True),  # the leader sends nobody there, and serves itself
    ],
)
def test_readers_of_a_rack_read_from_its_follower(
    leader: int, state: int, epoch: int, role: int, is_readable: bool
) -> None:
    """FFR-1, FFR-5: broker 1 is in the readers' rack; in the last case alone broker 0 serves them."""
    run = world(
        cluster=RACKED,
        consumers=[{"id": "C", "rack": "b", "partitions": [["t", 0]], "config": {"auto.offset.reset": "earliest"}}],
    )
    run.run(2 * SECOND)
    image = run.cluster.quorum.image
    base = image.partitions[0]
    assert base is not None
    base = base.copy()
    base.leader, base.epoch = leader, base.epoch + epoch
    image.partitions[0] = base
    image.brokers[1] = BrokerState(1, image.broker_epoch(1), state)
    copy_on(run, 1).role = role
    lead = copy_on(run, 0) if state == REG_FENCED else None
    [client] = [int(reader.client) for reader in run.book.account(0).reading.readers]
    assert can_be_read(run.cluster, 0, lead, [client]) is is_readable
    assert (state == REG_FENCED) is (is_readable and can_be_read(run.cluster, 0, None, [client]) is False)


# -- metrics


def reading(run: World, node: int, name: str) -> int:
    """One metric of one node."""
    [found] = [int(one.value) for one in of_node(run.cluster, node) if one.name.endswith("name=" + name)]
    return found


@pytest.mark.parametrize(
    ("isr", "replicas", "adding", "removing", "under", "below", "at", "moving"),
    [
        ([0, 1, 2], [0, 1, 2], [], [], 0, 0, 0, 0),
        ([0, 1], [0, 1, 2], [], [], 1, 0, 1, 0),
        ([0], [0, 1, 2], [], [], 1, 1, 0, 0),
        ([0, 1, 2], [0, 1, 2, 3], [3], [], 0, 0, 0, 1),  # REA-7: who is to come is not missed
        ([0, 1, 2], [0, 1, 2], [], [2], 0, 0, 0, 1),
    ],
)
def test_a_leader_counts_the_partition_that_it_leads(
    isr: list[int],
    replicas: list[int],
    adding: list[int],
    removing: list[int],
    under: int,
    below: int,
    at: int,
    moving: int,
) -> None:
    """MET-1, MET-2, MET-3, MET-6: min.insync.replicas is 2."""
    run = started()
    leader = copy_on(run, 0)
    leader.registration = known(leader, replicas=replicas, adding=adding, removing=removing)
    leader.isr = isr
    names = [
        "UnderReplicatedPartitions",
        "UnderMinIsrPartitionCount",
        "AtMinIsrPartitionCount",
        "ReassigningPartitions",
    ]
    assert [reading(run, 0, name) for name in names] == [under, below, at, moving]


def test_a_controller_counts_the_elections_that_it_reads_by_their_kind() -> None:
    """MET-10: the last known leader's is an unclean one; those before its process began count no more."""
    run = started()
    quorum = run.cluster.quorum
    elections = [ELECTION_UNCLEAN, ELECTION_CLEAN, ELECTION_LAST_KNOWN, ELECTION_ELR, ELECTION_UNCLEAN]
    begun = len(quorum.log)
    for k, election in enumerate(elections):
        record = partition_record(PartitionRegistration(0, 0, [0, 1, 2], [0], 0, k, k), 0, election, 0)
        quorum.commit([record])
    names = ["UncleanLeaderElectionsPerSec", "ElectionFromEligibleLeaderReplicasPerSec"]
    active = next(int(one.id) for one in run.cluster.controllers if one.control is not None)
    assert [reading(run, active, name) for name in names] == [3, 1]
    for controller in run.cluster.controllers:
        controller.loaded = begun + 3
    assert [reading(run, active, name) for name in names] == [1, 1]


def test_a_controller_that_is_cut_off_counts_what_it_had_read() -> None:
    """MET-9, QUO-1."""
    run = started()
    quorum = run.cluster.quorum
    other = next(one for one in run.cluster.controllers if one.control is None)
    for voter in run.cluster.controllers:
        if voter is not other:
            run.cluster.net.cut(other, voter)
            run.cluster.net.cut(voter, other)
    quorum.commit([broker_record(2, quorum.image.broker_epoch(2), REG_FENCED, 0)])
    active = next(int(one.id) for one in run.cluster.controllers if one.control is not None)
    assert reading(run, active, "FencedBrokerCount") == 1
    assert reading(run, int(other.id), "FencedBrokerCount") == 0
