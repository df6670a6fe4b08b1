"""Committed metadata makes a replica the leader of its partition, or a follower of another broker.

Implements STATE-4, STATE-6, LOG-2, ISR-4, HW-5, TRUNC-1, FET-3, LEG-1, AP-6.
"""

from mypy_extensions import i64

from simengine.facts.decisive import FollowerStarted, LeaderActivated
from simengine.facts.errors import ERR_NOT_LEADER_OR_FOLLOWER
from simengine.kafka.replica import retention
from simengine.kafka.replica.isr_changes import state_adopted
from simengine.kafka.replica.legacy import cut_to_hw
from simengine.kafka.replica.remote import NEVER, NOT_FETCHED, UNKNOWN, FollowerState
from simengine.kafka.replica.replica import COMMITTED, FOLLOWER, LEADER, Partition
from simengine.kafka.shared.metadata import PartitionRegistration


def take_registration(replica: Partition, registration: PartitionRegistration, cause: i64) -> None:
    """Apply what committed metadata says of this partition to this replica."""
    if registration.pe < replica.pe:
        return
    broker = replica.broker
    new_epoch = registration.epoch > replica.epoch
    replica.registration = registration
    if registration.leader == broker.id:
        _lead(replica, registration, new_epoch, cause)
    else:
        _follow(replica, registration, new_epoch, cause)
    retention.refresh(replica)
    broker.role_changed(replica)


def _lead(replica: Partition, registration: PartitionRegistration, new_epoch: bool, cause: i64) -> None:
    broker = replica.broker
    was_leader = replica.role == LEADER
    # also what is known by an AlterPartition answer already ends what was proposed since, whose answer then counts for
    # nothing: the leader hears of it by the record after this one (f037 at 80.3 s, f083 at 97.5 and 97.7 s)
    adopted = was_leader and not new_epoch and (replica.isr != registration.isr or replica.pending != COMMITTED)
    if was_leader and registration.pe == replica.pe and replica.pending != COMMITTED:
        broker.observer.overtaken(replica)
    replica.role = LEADER
    replica.leader = broker.id
    replica.epoch = registration.epoch
    replica.pe = registration.pe
    replica.recovering = registration.recovering
    if new_epoch or not was_leader:
        broker.stop_fetching(replica)
        replica.epoch_start = replica.log.leo
        replica.log.cache.assign(registration.epoch, replica.log.leo)
    _set_remotes(replica, registration, new_epoch or not was_leader, not was_leader)
    replica.isr = registration.isr
    replica.pending = COMMITTED
    replica.refresh_maximal_isr()
    replica.refresh_min_isr()
    if new_epoch or not was_leader:
        _state_leader(replica, cause)
        broker.observer.activated(replica)
    elif adopted:
        state_adopted(replica, cause)
    replica.advance_hw()


def _state_leader(replica: Partition, cause: i64) -> None:
    replica.broker.sim.trace.state(
        LeaderActivated(
            cause,
            broker=replica.broker.id,
            p=replica.p,
            epoch=replica.epoch,
            pe=replica.pe,
            start=replica.epoch_start,
            hw=replica.hw,
            leo=replica.log.leo,
            isr=replica.isr,
        )
    )


def _state_follower(replica: Partition, cause: i64) -> None:
    replica.broker.sim.trace.state(
        FollowerStarted(
            cause,
            broker=replica.broker.id,
            p=replica.p,
            epoch=replica.epoch,
            leader=replica.leader,
            hw=replica.hw,
            leo=replica.log.leo,
        )
    )


def _set_remotes(replica: Partition, registration: PartitionRegistration, reset: bool, is_new_leader: bool) -> None:
    """STATE-4, ISR-4, HW-5: a record of every other assigned replica."""
    now = replica.broker.sim.now
    remotes: list[FollowerState] = []
    for member in registration.replicas:
        if member == replica.broker.id:
            continue
        remote = replica.remote(member)
        if remote is None:
            remote = FollowerState(replica, member)
            remote.caught_up_at = now if member in registration.isr else NEVER
        elif reset:
            remote.start_over()
            remote.caught_up_at = now if member in registration.isr else NEVER
            if is_new_leader:
                remote.leo = UNKNOWN
                remote.start = UNKNOWN
                remote.last_leader_leo = UNKNOWN
                remote.last_fetch_at = NEVER
                remote.be = NOT_FETCHED
            else:
                remote.last_leader_leo = replica.log.leo
                remote.last_fetch_at = remote.caught_up_at
        remote.is_observer = member in registration.observers
        remotes.append(remote)
    for known in replica.remotes:
        if known.broker not in registration.replicas:
            known.start_over()  # REA-4: its session fetches this partition no longer
    replica.remotes = remotes


def _follow(replica: Partition, registration: PartitionRegistration, new_epoch: bool, cause: i64) -> None:
    broker = replica.broker
    was_leader = replica.role == LEADER
    replica.pe = registration.pe
    if not new_epoch and replica.role == FOLLOWER and replica.leader == registration.leader:
        return
    replica.role = FOLLOWER
    replica.epoch = registration.epoch
    replica.leader = registration.leader
    replica.pending = COMMITTED
    replica.release_followers()
    broker.stop_fetching(replica)
    if new_epoch:
        _prepare_to_follow(replica, cause)
    _state_follower(replica, cause)
    if was_leader:
        replica.fail_waiters(ERR_NOT_LEADER_OR_FOLLOWER)
    replica.fail_readers()
    broker.start_fetching(replica)


def _prepare_to_follow(replica: Partition, cause: i64) -> None:
    """TRUNC-1, FET-3: nothing is cut, unless no epoch is cached (or the legacy mode is on, LEG-1)."""
    if replica.broker.config.legacy:
        cut_to_hw(replica, cause)
    elif not replica.log.cache.epochs and replica.log.leo > replica.hw:
        replica.truncate(replica.hw, cause)
