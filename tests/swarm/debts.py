"""The debts of a healed cluster's nodes and partitions, read from its state (the bounds: docs/liveness-bounds.md).

Here: controller_elected, broker_runs, leader_elected, ap_resolved, metadata_converges, isr_full, logs_converge,
reassignment_completes, preferred_returns. Each bound is the sum of what may legally hold things up
(docs/liveness-bounds.md). Where the document scales a timer, the bound is scaled with it. Added to a bound of the
list: the round trips of the document's links (up to seconds on a slow pair), and the time until a connection to a
silent peer is given up (TCP-1, FET-14), from the end of the silence.
"""

from collections.abc import Iterator
from typing import Final

from simengine.facts.kinds import PROCESS_DOWN, PROCESS_STOPPING
from simengine.kafka.replica.fetcher import COLD_FETCH_MAX_US
from simengine.kafka.replica.replica import COMMITTED, LEADER, Partition
from simengine.kafka.shared.config import ClusterConfig
from simengine.kafka.shared.metadata import PartitionRegistration
from simengine.kafka.shared.standing import awaited
from simengine.kafka.wire.controller_api import CONNECT_TIMEOUT_MAX_US
from tests.invariants.metadata_checks import waits_for_all
from tests.swarm.deadlines import AT_ONCE, Debt
from tests.swarm.healed import Healed, story_of, where_of

CONTROLLER_US: Final = 5_000_000
REPLAY_US: Final = 12_000_000  # of a start: to boot, to catch up, to open the port (broker_runs counts from the start)
FOLLOW_US: Final = 4_000_000  # until all brokers follow a new controller: a fetch timeout, and a look at the others
METADATA_US: Final = 1_600_000  # the list's second, and the tail of the measured applies: 2 % take more than 0.6 s
METADATA_POLLED_US: Final = 2_100_000  # 4.0
PROPOSAL_US: Final = 5_000_000
JOIN_US: Final = 20_000_000
FETCH_US: Final = 2_000_000  # of a round of fetching: FET-12 backs off for a second
PREFERRED_US: Final = 1_000_000
UNCLEAN_US: Final = 1_000_000


def debts_of_nodes(healed: Healed) -> Iterator[Debt]:
    """The debts of controllers, brokers and partitions now."""
    quorum = healed.cluster.quorum
    able = [int(voter.id) for voter in quorum.voters if not voter.stopping and quorum.reaches_majority(voter)]
    active = quorum.active
    if not able:
        return
    if active is None or active.control is None or not quorum.reaches_majority(active):
        bound = CONTROLLER_US + max(0, int(healed.world.cluster_parts.config.quorum_fetch_timeout_us) - 2_000_000)
        yield Debt("controller_elected", "the quorum", tuple(able), 0, bound, "nobody is active")
        return
    healed.led_by(int(quorum.epoch))
    yield from debts_of_brokers(healed)
    for r in healed.registrations():
        yield from debts_of_partition(healed, r)


def debts_of_brokers(healed: Healed) -> Iterator[Debt]:
    """broker_runs: REG-2 waits for the session of the process before, LIVE-1 repeats what failed."""
    config = healed.world.cluster_parts.config
    retry = int(config.heartbeat_us if config.fixed_retry else config.session_us // 2)
    bound = int(config.session_us + config.fence_check_us + 2 * config.heartbeat_us + retry) + REPLAY_US
    image = healed.cluster.quorum.image
    for b in healed.brokers:
        broker = healed.cluster.by_id[b]
        if broker.process in (PROCESS_DOWN, PROCESS_STOPPING) or healed.runs(b):
            continue
        state = f"process {int(broker.process)} registration {int(image.broker_state(b))}"
        cause = (int(broker.incarnation), healed.controller_epoch)
        yield Debt("broker_runs", f"broker {b}", cause, healed.free_us, bound, state)


def debts_of_partition(healed: Healed, r: PartitionRegistration) -> Iterator[Debt]:
    """The debts of the controller to a partition, of its replicas, and then of its leader."""
    yield from debts_of_belief(healed, r)
    if r.leader < 0:
        yield from debts_of_leaderless(healed, r)
        return
    if not healed.runs(int(r.leader)):
        yield from debts_of_dead_leader(healed, r)
        return
    yield from debts_of_administration(healed, r)
    leader = healed.cluster.by_id[int(r.leader)].replica(r.p)
    if leader is not None and leader.role == LEADER and leader.epoch == r.epoch:
        yield from debts_of_leader(healed, r, leader)


def debts_of_leaderless(healed: Healed, r: PartitionRegistration) -> Iterator[Debt]:
    """leader_elected: in the write that makes a replica electable, or at the next unclean task (UNC-2).

    A broker with a replaced disk is elected only when an operator requests an election (DIR-3).
    """
    image = healed.cluster.quorum.image
    able = [b for b in healed.candidates(r) if image.is_active(b)]
    if any(image.directory_of(b) == 0 for b in able):
        is_clean = any(b in awaited(r.lists()) for b in able)
        bound = AT_ONCE if is_clean else UNCLEAN_US + healed.round_trip_us
        yield Debt("leader_elected", where_of(r), (), 0, bound, story_of(r))


def debts_of_dead_leader(healed: Healed, r: PartitionRegistration) -> Iterator[Debt]:
    """leader_elected: a dead leader leads until the controller notices, even if no replica may follow (LIVE-2, ELEC-7).

    The bound is two sessions. A new controller gives each broker a new session (QUO-4), and so does a start of the
    process.
    """
    leader = healed.cluster.by_id[int(r.leader)]
    is_silent = int(r.leader) in healed.left_out or leader.process == PROCESS_DOWN
    if not is_silent or healed.is_silent_last_known(r):
        return
    cause = (int(r.leader), int(r.epoch), int(leader.incarnation), healed.controller_epoch)
    bound = 2 * int(healed.world.cluster_parts.config.session_us) + 2 * healed.round_trip_us
    yield Debt("leader_elected", where_of(r), cause, 0, bound, f"its leader is gone: {story_of(r)}")


def debts_of_administration(healed: Healed, r: PartitionRegistration) -> Iterator[Debt]:
    """reassignment_completes: with the change that makes it complete (REA-3). preferred_returns: PREF-1.

    The controller checks for completeness before it elects: the ISR that an election from outside of it makes is
    checked at the next change. The task of preferred elections runs once an interval, and its write is then committed
    (QUO-1).
    """
    config = healed.world.cluster_parts.config
    if (r.adding or r.removing) and is_complete(r, config) and not healed.has_new_isr(r):
        yield Debt("reassignment_completes", where_of(r), (), 0, AT_ONCE, story_of(r))
    if config.auto_rebalance and r.leader != r.replicas[0] and r.replicas[0] in r.isr and healed.runs(r.replicas[0]):
        bound = int(config.preferred_interval_us) + PREFERRED_US + healed.round_trip_us
        yield Debt("preferred_returns", where_of(r), (healed.controller_epoch,), 0, bound, story_of(r))


def is_complete(r: PartitionRegistration, config: ClusterConfig) -> bool:
    """REA-3: True if all that a reassignment waits for are in the ISR."""
    needed = r.synced() if waits_for_all(r, config) else r.adding
    return all(b in r.isr for b in needed if b not in r.removing)


def debts_of_belief(healed: Healed, r: PartitionRegistration) -> Iterator[Debt]:
    """metadata_converges: every running replica has the committed state; all know the controller by then.

    QUO-9: after a silence that takes as long as a connection to any of the controllers.
    """
    for b in r.replicas:
        copy = healed.cluster.by_id[b].replica(r.p)
        if believes(r, copy) or not healed.runs(b):
            continue
        believed = "nothing" if copy is None else f"epoch {int(copy.epoch)} PE {int(copy.pe)} leader {int(copy.leader)}"
        if copy is not None and is_known(r, copy):
            believed = f"ISR {copy.isr}"
        late = METADATA_US if healed.world.cluster_parts.config.propagate_on_commit else METADATA_POLLED_US
        bound = late + 2 * healed.round_trip_us
        since = max(healed.free_us, healed.controller_since_us + FOLLOW_US)
        cause = (int(r.pe), int(healed.cluster.by_id[b].incarnation), healed.controller_epoch)
        where = f"{where_of(r)} on broker {b}"
        yield Debt("metadata_converges", where, cause, since, bound, f"believes {believed}: {story_of(r)}")


def believes(r: PartitionRegistration, copy: Partition | None) -> bool:
    """True if a replica has the committed state of its partition; of a leader this includes the ISR."""
    if copy is None or not is_known(r, copy):
        return False
    return copy.broker.id != r.leader or copy.isr == r.isr or sorted(copy.isr) == sorted(r.isr)


def is_known(r: PartitionRegistration, copy: Partition) -> bool:
    """True if a replica has the newest epochs and their leader."""
    return bool(copy.pe == r.pe and copy.epoch == r.epoch and copy.leader == r.leader)


def debts_of_leader(healed: Healed, r: PartitionRegistration, leader: Partition) -> Iterator[Debt]:
    """ap_resolved, and the debts of replicas that follow an acting leader and are not level with it."""
    if leader.pending != COMMITTED and not healed.is_unheard(leader):
        cause = (int(r.leader), int(r.epoch), int(leader.pe), asked_of(healed, leader), *sorted(leader.pending_isr))
        since = max(healed.free_us, healed.controller_since_us + FOLLOW_US)
        bound = PROPOSAL_US + 2 * healed.round_trip_us + silence_us(healed, leader)
        yield Debt("ap_resolved", where_of(r), cause, since, bound, f"pending {leader.pending_isr}: {story_of(r)}")
    others = [(m, healed.cluster.by_id[m].replica(r.p)) for m in r.synced() if m != r.leader]
    late = [(m, copy) for m, copy in others if copy is not None and not (m in r.isr and is_level(leader, copy))]
    if not late or healed.is_stuck(leader):
        return
    for m, copy in late:
        if not healed.runs(m) or copy.role == LEADER or healed.has_failed(copy):
            continue
        if not healed.follows(r, copy):
            continue
        if m in r.isr:
            yield from debts_of_member(healed, r, leader, copy)
        elif not healed.is_unheard(leader):
            yield debt_of_joiner(healed, r, leader, copy)


def is_level(leader: Partition, copy: Partition) -> bool:
    """True if a copy has all of its leader's records, and both know that they are committed."""
    end = leader.log.leo
    return bool(copy.log.leo == end and copy.hw >= leader.hw >= end)


def asked_of(healed: Healed, leader: Partition) -> int:
    """The controller that proposals of this leader's broker go to, -1 before the first."""
    channel = healed.cluster.by_id[int(leader.broker.id)].alter_manager.channel
    return -1 if channel is None else int(channel.controller.id)


def silence_us(healed: Healed, leader: Partition) -> int:
    """AP-1: the time until a request to a former controller, or a connection to it, is given up."""
    active = healed.cluster.quorum.active
    if active is None or asked_of(healed, leader) in (-1, int(active.id)):
        return 0
    return int(leader.broker.config.alter_timeout_us) + CONNECT_TIMEOUT_MAX_US * 6 // 5


def debt_of_joiner(healed: Healed, r: PartitionRegistration, leader: Partition, copy: Partition) -> Debt:
    """isr_full: a replica outside the ISR gains records in every round of fetching, and joins once it may (ISR-5).

    The number of rounds is not known beforehand: records appended meanwhile are fetched as well, in whole batches, and
    a diverged log is truncated epoch by epoch (TRUNC-4). Each round pays the debt of the round before.
    """
    log = copy.log
    may_join = log.leo >= leader.hw and log.leo >= leader.epoch_start
    stands = (-1, -1) if may_join else (int(log.leo), int(log.cache.last()))
    asked = asked_of(healed, leader)
    cause = (int(copy.broker.id), int(copy.broker.incarnation), int(r.epoch), asked, *stands)
    bound = JOIN_US + 4 * healed.round_trip_us + silence_us(healed, leader)
    story = f"{int(copy.broker.id)} is outside, LEO {int(log.leo)} of {int(leader.log.leo)}: {story_of(r)}"
    return Debt("isr_full", where_of(r), cause, healed.free_us, bound, story)


def debts_of_member(healed: Healed, r: PartitionRegistration, leader: Partition, copy: Partition) -> Iterator[Debt]:
    """logs_converge: in a round of fetching a member gains records, and its high watermark and the leader's advance.

    A new fetcher needs four round trips: to connect, to greet, to ask for all, to ask again with what it has (TCP-1),
    and the first one of a process rests before it begins (FET-16). The last record waits while the ISR is
    below M (HW-2), for a dead member until it is fenced, for a slow member (HW-1), and, if M was lowered, for the next
    append (HW-9).
    """
    log, main = copy.log, leader.log
    waits = leader.hw < main.leo and healed.can_commit(leader)
    if log.leo != main.leo or copy.hw < leader.hw or waits:
        bound = int(copy.broker.config.fetch_wait_us) + FETCH_US + 4 * healed.round_trip_us
        if any(healed.is_cold(m) for m in leader.isr if m != r.leader):
            bound += COLD_FETCH_MAX_US
        marks = f"LEO {int(log.leo)} of {int(main.leo)}, HW {int(copy.hw)} of {int(leader.hw)}, {story_of(r)}"
        cause = (int(r.epoch), int(log.leo), int(main.leo), int(copy.hw), int(leader.hw), len(r.isr))
        where = f"{where_of(r)} on broker {int(copy.broker.id)}"
        yield Debt("logs_converge", where, cause, healed.free_us, bound, marks)
