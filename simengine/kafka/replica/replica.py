"""One broker's copy of a partition: its log, its high watermark, and who waits for it.

Its role follows from metadata (``roles.py``), its ISR from proposals (``isr_changes.py``). A replica acts on the
metadata its own broker has applied, which may be old: that is what makes zombies. As leader it keeps for every other
assigned replica what it has fetched (``FollowerState``, STATE-4), a committed ISR and perhaps one pending change
(STATE-5), and the produce requests that wait for the high watermark. Implements LOG-6, LOG-10, LOG-11, HW-1..3, HW-9,
HW-10, PROD-2, PROD-3, PROD-5..7, PROD-9, PROD-11, ISR-2, AP-6.
"""

from typing import TYPE_CHECKING, Final, final

from librt.vecs import append, pop, vec
from mypy_extensions import i64

from simengine.facts.decisive import Truncated
from simengine.facts.errors import ERR_NONE, ERR_NOT_ENOUGH_REPLICAS, ERR_NOT_LEADER_OR_FOLLOWER
from simengine.facts.traffic import appended, epoch_cached, epochs_dropped, hw_moved, start_moved
from simengine.kafka.log.log import NO_EPOCH, Batch, Log
from simengine.kafka.log.producer_state import ProducerStates
from simengine.kafka.replica.old_logs import OldCopy
from simengine.kafka.replica.parked_read import DelayedFetch
from simengine.kafka.replica.produce_wait import DelayedProduce, hint_leader
from simengine.kafka.replica.remote import UNKNOWN, FollowerState
from simengine.kafka.shared.metadata import NO_BROKERS, PartitionRegistration
from simengine.kafka.shared.standing import is_below_min, required_isr
from simengine.kafka.wire.api import ACKS_ALL, ProduceBatch, ProduceResult

if TYPE_CHECKING:
    from simengine.kafka.replica.replica_host import ReplicaHost

NO_READERS: Final[list[DelayedFetch]] = []  # shared by all that have none: the list is replaced, never changed
NO_ROLE: Final = 0
LEADER: Final = 1
FOLLOWER: Final = 2

COMMITTED: Final = 0
PENDING_EXPAND: Final = 1
PENDING_SHRINK: Final = 2

NOBODY: Final = -1

FOLD_AFTER_US: Final = 240_000_000  # twice delivery.timeout.ms: whoever sent a batch has given up repeating it


@final
class Partition:
    """The copy of partition ``p`` on one broker."""

    __slots__ = (
        "broker",
        "epoch",
        "epoch_saved",
        "epoch_start",
        "fetch_dirty",
        "fetch_failed",
        "fetch_state",
        "fetch_until",
        "fetched_from",
        "has_failed",
        "hw",
        "hw_saved",
        "hw_tick",
        "isr",
        "leader",
        "leader_hw",
        "log",
        "maximal_isr",
        "min_isr",
        "old_copy",
        "p",
        "pe",
        "pending",
        "pending_cause",
        "pending_id",
        "pending_isr",
        "pending_why",
        "producers",
        "readers",
        "recovering",
        "registration",
        "remotes",
        "role",
        "waiters",
    )

    def __init__(self, broker: "ReplicaHost", p: i64) -> None:
        self.broker = broker
        self.p: i64 = p
        self.log: Log = Log()
        self.hw: i64 = 0
        self.hw_saved: i64 = 0
        self.hw_tick: i64 = 0
        self.epoch_saved: i64 = NO_EPOCH  # the newest in the file of the epoch cache when the last process ended
        self.producers: ProducerStates = ProducerStates()
        self.role: i64 = NO_ROLE
        self.epoch: i64 = -1
        self.pe: i64 = -1
        self.leader: i64 = -1
        self.registration: PartitionRegistration | None = None
        # as leader
        self.epoch_start: i64 = 0
        self.isr: list[int] = NO_BROKERS
        self.pending: i64 = COMMITTED
        self.pending_isr: list[int] = NO_BROKERS
        self.pending_id: i64 = 0
        self.pending_cause: i64 = 0
        self.pending_why: i64 = 0  # the fact that the change goes back to
        self.maximal_isr: list[int] = NO_BROKERS  # in ascending order
        self.min_isr: i64 = 1
        self.recovering: bool = False
        self.remotes: list[FollowerState] = []
        self.waiters: vec[DelayedProduce] = vec[DelayedProduce]()
        self.readers: list[DelayedFetch] = NO_READERS
        # as follower
        self.fetched_from: i64 = NOBODY  # whose records a fetcher of its broker copies
        self.fetch_state: i64 = 0
        self.fetch_until: i64 = 0
        self.fetch_dirty: bool = False
        self.has_failed: bool = False  # its fetcher copies it no more, whoever leads, until the process ends (FET-17)
        self.fetch_failed: bool = False  # it has backed off and not appended since (FET-12)
        self.leader_hw: i64 = UNKNOWN  # as the leader last answered (MET-11)
        self.old_copy: OldCopy | None = None  # of the log from before the run, while it lacks that (FET-18)

    def stop(self) -> None:
        """The process died: only what is on disk will be read again by ``load`` (STATE-7)."""
        self.hw_saved = self.saved_hw()
        self.hw_tick = self.broker.checkpoint_tick()
        self.epoch_saved = self.log.cache.last()
        self.pending = COMMITTED
        self.waiters = vec[DelayedProduce]()
        self.readers = NO_READERS
        self.fetched_from = NOBODY
        self.fetch_state = 0
        self.fetch_dirty = False
        self.has_failed = False
        if self.old_copy is not None:
            self.old_copy.interrupted()

    def lost_disk(self, old: i64, cause: i64) -> None:
        """The log is gone with its disk."""
        self.hw = 0
        self.epoch_saved = NO_EPOCH
        self.producers = ProducerStates()
        self.old_copy = self.broker.old_logs.copy_of(self.p)
        self._state_truncation(old, cause)

    def lose_tail(self, end: i64, cause: i64) -> None:
        """The host lost power before its disk had the records from ``end`` on (LOG-8); the process is gone."""
        old = self.log.leo
        self.log.truncate(end)
        self.hw = min(self.hw, end)
        self.hw_saved = min(self.hw_saved, end)
        self.producers.truncated(self.log)
        self._state_truncation(old, cause)

    def topic(self) -> i64:
        """The topic of this partition, -1 while no metadata has told."""
        registration = self.registration
        return -1 if registration is None else registration.topic

    def load(self, cause: i64) -> None:
        """The process starts: read the log from disk (LOG-6, LOG-10, LOG-11)."""
        log = self.log
        self.role = NO_ROLE
        self.epoch = -1
        self.pe = -1
        self.leader = -1
        self.remotes = []
        self.hw = self.hw_saved
        if self.broker.clean_be < 0:
            for batch in log.recover_epochs(self.epoch_saved):
                start = max(batch.base, log.start)
                epoch_cached(self.broker.sim.trace, broker=self.broker.id, p=self.p, epoch=batch.epoch, start=start)
        if log.cache.starts and log.cache.starts[-1] >= log.leo:
            log.cache.truncate(log.leo)
            self._state_truncation(log.leo, cause)
        self.hw = min(max(self.hw, log.start), log.leo)
        self.hw_saved = self.hw
        hw_moved(self.broker.sim.trace, broker=self.broker.id, p=self.p, hw=self.hw)

    # -- high watermark

    def remote(self, broker: i64) -> FollowerState | None:
        """The record of another replica."""
        for remote in self.remotes:
            if remote.broker == broker:
                return remote
        return None

    def refresh_min_isr(self) -> None:
        """M: HW-3. A change of it moves no high watermark by itself (HW-9)."""
        registration = self.registration
        if registration is None:
            return
        broker = self.broker
        m = broker.image.min_insync_at(registration.topic, broker.id, broker.config.own_min_insync)
        wanted = required_isr(m, len(registration.synced()))
        is_other = wanted != self.min_isr
        self.min_isr = wanted
        if is_other and self.role == LEADER:
            broker.observer.isr_changed(self)

    def refresh_maximal_isr(self) -> None:
        """Update the replicas that must have a record: the committed ISR and a pending addition (STATE-5, AP-6)."""
        members = [int(self.broker.id)]
        for remote in self.remotes:
            counts = remote.broker in self.isr
            if self.pending == PENDING_EXPAND and remote.broker in self.pending_isr:
                counts = True
            remote.in_maximal_isr = counts
            session = remote.session
            if not counts and session is not None and remote.covered:
                session.left_isr(remote)
            if counts:
                members.append(int(remote.broker))
        self.maximal_isr = sorted(members)
        self.broker.observer.isr_changed(self)

    def advance_hw(self) -> bool:
        """HW-1, HW-2: whether the high watermark moved. Tried at what HW-4 names; below M all waits, unseen (HW-8)."""
        if is_below_min(len(self.isr), self.min_isr):
            return False
        candidate = self.log.leo
        for remote in self.remotes:
            if remote.leo < candidate and (remote.in_maximal_isr or self.may_join(remote)):
                candidate = remote.leo
        if candidate <= self.hw:
            return False
        self.set_hw(candidate)
        for remote in self.remotes:
            session = remote.session
            if session is not None and remote.covered:
                session.hw_moved(remote)
        self._settle_waiters()
        if self.readers:
            self.broker.release_readers(self)
        return True

    def may_join(self, remote: FollowerState) -> bool:
        """A caught-up, eligible replica outside the ISR holds the high watermark back (HW-1, third set)."""
        return not remote.is_observer and not self.is_out_of_sync(remote) and self.broker.is_eligible(remote)

    def set_hw(self, hw: i64) -> None:
        """Move the high watermark, remembering what the last checkpoint held (LOG-6)."""
        broker = self.broker
        tick = broker.checkpoint_tick()
        if tick > self.hw_tick:
            self.hw_saved = self.hw
            self.hw_tick = tick
        old = self.hw
        self.hw = hw
        hw_moved(broker.sim.trace, broker=broker.id, p=self.p, hw=hw)
        broker.observer.hw_moved(self, old)

    def saved_hw(self) -> i64:
        """The high watermark in the newest checkpoint."""
        return self.hw if self.broker.checkpoint_tick() > self.hw_tick else self.hw_saved

    # -- produce

    def append(self, sent: ProduceBatch, acks: i64) -> ProduceResult:
        """PROD-2, PROD-3, PROD-11: test, append and high watermark check in one step."""
        if acks == ACKS_ALL and is_below_min(len(self.isr), self.min_isr):
            return ProduceResult(self.p, ERR_NOT_ENOUGH_REPLICAS, -1, self.epoch)
        if sent.pid >= 0:
            duplicate = self.producers.find_duplicate(sent.pid, sent.pid_epoch, sent.seq, sent.count)
            if duplicate is not None:
                self.broker.duplicates_answered += 1
                self.advance_hw()  # tried at every append, of a duplicate too (HW-9)
                return ProduceResult(self.p, ERR_NONE, duplicate.base, duplicate.epoch)
            error = self.producers.sequence_error(sent.pid, sent.pid_epoch, sent.seq)
            if error != ERR_NONE:
                return ProduceResult(self.p, error, -1, self.epoch)
        log = self.log
        base = log.leo
        batch = Batch(
            base, sent.count, self.epoch, sent.client, sent.n, sent.pid, sent.pid_epoch, sent.seq, self.broker.sim.now
        )
        self._append(batch)
        for remote in self.remotes:
            if remote.clean:
                session = remote.session
                if session is not None:
                    session.data_arrived(remote, base)
        self.advance_hw()
        return ProduceResult(self.p, ERR_NONE, base, self.epoch)

    def _append(self, batch: Batch) -> None:
        broker = self.broker
        self.log.append(batch)
        if batch.pid >= 0:
            self.producers.update(batch)
        appended(
            broker.sim.trace,
            broker=broker.id,
            p=self.p,
            base=batch.base,
            count=batch.count,
            epoch=batch.epoch,
            client=batch.client,
            n=batch.n,
        )
        broker.observer.appended(self, batch)
        if self.log.wants_folding():
            self._fold()

    def _fold(self) -> None:
        """Keep old batches as runs: those that every copy holds, that are committed, and that no producer repeats."""
        broker = self.broker
        registration = self.registration
        end = self.saved_hw() if broker.config.fold_logs else 0
        if registration is not None:
            end = broker.copies.least_end(self.p, registration.replicas, end)
        self.log.fold(end, broker.sim.now - FOLD_AFTER_US)

    def append_fetched(self, batch: Batch) -> None:
        """A follower stores offsets and epochs unchanged (LOG-1)."""
        self._append(batch)

    def _settle_waiters(self) -> None:
        """PROD-5, PROD-6. PROD-7 has no occasion: the mark passes a batch only while the ISR has M members (HW-2)."""
        while len(self.waiters) > 0 and self.waiters[0].end_of(self.p) <= self.hw:
            self.waiters, wait = pop(self.waiters, 0)
            self._decide(wait, ERR_NONE)

    def _decide(self, wait: DelayedProduce, error: i64) -> None:
        """The outcome of what a waiting request wrote here is known."""
        result = wait.result_of(self.p)
        if result.error == ERR_NONE:
            result.error = error
            if error == ERR_NONE:
                self.broker.observer.answered(self, result.offset, result.waits_for - result.offset, ACKS_ALL)
            elif error == ERR_NOT_LEADER_OR_FOLLOWER:
                hint_leader(self.broker.image, result)
        wait.decided()

    def wait_for_hw(self, wait: DelayedProduce, end: i64) -> None:
        """Let a produce request wait until HW has passed ``end``."""
        waiters = append(self.waiters, wait)
        self.waiters = waiters
        i: i64 = len(waiters) - 1
        while i > 0 and waiters[i - 1].end_of(self.p) > end:
            waiters[i] = waiters[i - 1]
            i -= 1
        waiters[i] = wait

    def forget_waiter(self, wait: DelayedProduce) -> bool:
        """A produce request waits no longer; whether it did."""
        i: i64 = 0
        while i < len(self.waiters):
            if self.waiters[i] is wait:
                self.waiters, _ = pop(self.waiters, i)
                return True
            i += 1
        return False

    def fail_waiters(self, error: i64) -> None:
        """PROD-9."""
        waiters = self.waiters
        self.waiters = vec[DelayedProduce]()
        for wait in waiters:
            self._decide(wait, error)

    def fail_readers(self) -> None:
        """Consumers that wait here are answered when the role changes."""
        if self.readers:
            self.broker.release_readers(self)

    def release_followers(self) -> None:
        """FET-8: who no longer leads answers the fetches that wait for this partition; a change of the ISR does not."""
        for remote in self.remotes:
            session = remote.session
            if session is not None and remote.covered:
                session.leader_gone()
            remote.start_over()

    # -- truncation

    def truncate(self, end: i64, cause: i64) -> None:
        """LOG-5: cut the log to ``end``."""
        old = self.log.leo
        start = self.log.start
        self.log.truncate(end)
        if self.log.start < start:
            start_moved(self.broker.sim.trace, broker=self.broker.id, p=self.p, start=self.log.start)
        if self.hw > self.log.leo:
            self.set_hw(self.log.leo)
        self.producers.truncated(self.log)
        self._state_truncation(old, cause)

    def _state_truncation(self, old: i64, cause: i64) -> None:
        broker = self.broker
        if old == self.log.leo:  # no record went; epochs in which nothing was written may have (LOG-5, LOG-11)
            epochs_dropped(broker.sim.trace, broker=broker.id, p=self.p, end=old)
            broker.observer.truncated(self, old, 0)
            return
        seq = broker.sim.trace.state(
            Truncated(cause, broker=broker.id, p=self.p, old=old, new=self.log.leo, hw=self.hw)
        )
        broker.observer.truncated(self, old, seq)

    def adopt_start(self, start: i64) -> None:
        """LOG-7: the leader's log begins later than this one."""
        self.log.raise_start(start)
        start_moved(self.broker.sim.trace, broker=self.broker.id, p=self.p, start=start)

    def restarted_at(self, old: i64) -> None:
        """The whole log was dropped; it begins anew at a higher offset (FET-13)."""
        broker = self.broker
        seq = broker.sim.trace.state(Truncated(0, broker=broker.id, p=self.p, old=old, new=0, hw=0))
        start_moved(broker.sim.trace, broker=broker.id, p=self.p, start=self.log.start)
        self.set_hw(self.log.start)
        self.producers = ProducerStates()  # whatever their batches were, none is here any more (IDEM-8)
        broker.observer.truncated(self, old, seq)

    # -- ISR (see isr_changes.py for how it changes)

    def is_out_of_sync(self, remote: FollowerState) -> bool:
        """ISR-2."""
        if remote.leo == self.log.leo:
            return False
        return self.broker.sim.now - remote.caught_up_at > self.broker.config.lag_us

    def is_in_isr(self, broker: i64) -> bool:
        """True if the broker is in the committed ISR."""
        for member in self.isr:
            if member == broker:
                return True
        return False
