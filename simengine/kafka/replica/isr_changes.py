"""A leader changes the ISR of its partition: the change is proposed, then adopted or withdrawn.

One change at a time is pending; it goes to the controller by AlterPartition (see ``isr.py``). Implements ISR-3, ISR-5,
AP-1, AP-4, AP-5, STATE-5.
"""

from mypy_extensions import i64

from simengine.facts.decisive import IsrAdopted, IsrProposed
from simengine.kafka.replica.remote import FollowerState
from simengine.kafka.replica.replica import COMMITTED, PENDING_EXPAND, PENDING_SHRINK, Partition
from simengine.kafka.shared.metadata import beginning


def maybe_shrink(replica: Partition) -> None:
    """ISR-3: all out-of-sync followers leave in one request."""
    if replica.pending != COMMITTED:
        return
    kept: list[int] = []
    cause: i64 = 0
    for member in replica.isr:
        remote = replica.remote(member)
        if remote is None or not replica.is_out_of_sync(remote):
            kept.append(member)
        else:
            cause = max(cause, why_it_leaves(replica, remote))
    if len(kept) < len(replica.isr):
        propose(replica, PENDING_SHRINK, kept, cause)


def maybe_expand(replica: Partition, remote: FollowerState) -> None:
    """ISR-5: tried at each fetch of a follower outside the ISR."""
    if replica.pending != COMMITTED or remote.is_observer or replica.is_in_isr(remote.broker):
        return
    if remote.leo < replica.hw or remote.leo < replica.epoch_start or not replica.broker.is_eligible(remote):
        return
    propose(replica, PENDING_EXPAND, [*replica.isr, int(remote.broker)], why_it_joins(replica, remote.broker))


def why_it_leaves(replica: Partition, remote: FollowerState) -> i64:
    """ISR-2: what broke when it was last caught up; else the newest fact about the two, or the leader's election."""
    broker = replica.broker
    trouble = broker.causes.cause_of_lag(broker.id, remote.broker, remote.caught_up_at)
    return trouble if trouble else max(beginning(replica.registration), broker.causes.between(broker.id, remote.broker))


def why_it_joins(replica: Partition, member: i64) -> i64:
    """The newest of: a fact about the two brokers, the member's unfencing (ISR-6), the leader's election, the
    reassignment that adds it (REA-2).
    """
    broker = replica.broker
    newest = max(
        beginning(replica.registration), broker.causes.between(broker.id, member), broker.image.registered_by(member)
    )
    registration = replica.registration
    if registration is not None and member in registration.adding:
        return max(newest, registration.adding_fact)
    return newest


def propose(replica: Partition, pending: i64, isr: list[int], cause: i64) -> None:
    """Make a change of the ISR pending and ask the controller for it (AP-1)."""
    broker = replica.broker
    state = replica.pending
    replica.pending = pending
    replica.pending_isr = isr
    replica.refresh_maximal_isr()
    replica.pending_why = cause
    replica.pending_cause = broker.sim.trace.state(
        IsrProposed(
            cause,
            broker=broker.id,
            p=replica.p,
            epoch=replica.epoch,
            pe=replica.pe,
            isr=isr,
            maximal=replica.maximal_isr,
        )
    )
    broker.observer.proposed(replica, state)
    broker.submit(replica)


def state_adopted(replica: Partition, cause: i64) -> None:
    """State that a leader goes by its ISR as it is now."""
    broker = replica.broker
    broker.sim.trace.state(
        IsrAdopted(cause, broker=broker.id, p=replica.p, epoch=replica.epoch, pe=replica.pe, isr=replica.isr)
    )


def adopt(replica: Partition, isr: list[int], pe: i64) -> None:
    """AP-4: the controller accepted the change."""
    broker = replica.broker
    if replica.pending == PENDING_SHRINK:
        broker.metrics.isr_shrinks += 1
    elif replica.pending == PENDING_EXPAND:
        broker.metrics.isr_expands += 1
    replica.isr = isr
    replica.pe = pe
    replica.recovering = False
    replica.pending = COMMITTED
    replica.refresh_maximal_isr()
    state_adopted(replica, replica.pending_cause)
    replica.advance_hw()


def withdraw(replica: Partition) -> None:
    """AP-5: back to the last committed state."""
    replica.pending = COMMITTED
    replica.refresh_maximal_isr()
    state_adopted(replica, replica.pending_cause)
