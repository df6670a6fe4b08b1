"""The account of one partition: what became of its calls, and for how long it could not be written or read."""

from typing import TYPE_CHECKING, final

from mypy_extensions import i64

from simengine.clients.producer.producer import Producer
from simengine.kafka.log.log import Batch, Log
from simengine.kafka.replica.replica import Partition
from simengine.kafka.shared.causes import ON_THE_WAY_US
from simengine.kafka.shared.standing import LEADERLESS, OPEN, STALLED, awaited, is_writable
from simengine.kafka.wire.api import ACKS_ALL
from simengine.verdict.before_run import BeforeRun
from simengine.verdict.commits import OFFSETS_TOPIC, CommittedOffsets
from simengine.verdict.copies import DuplicateAppends
from simengine.verdict.expired import ExpiredRecords
from simengine.verdict.exposure import Exposure
from simengine.verdict.hidden import HiddenRecords
from simengine.verdict.last_copy import logs_of
from simengine.verdict.losses import Losses
from simengine.verdict.outage import NEVER, THETA_US, Closing, Outage
from simengine.verdict.outcomes import CallOutcomes
from simengine.verdict.presence import Spans
from simengine.verdict.reading import PartitionReads
from simengine.verdict.share import PartitionContribution
from simengine.verdict.stall_causes import newest_cause, stall_cause
from simengine.verdict.write_path import (
    acting_leader,
    cause_of,
    first_leader_trouble,
    is_reached_by,
    leader_of,
    unled_cause,
    write_state,
)

if TYPE_CHECKING:
    from simengine.kafka.cluster.cluster import Cluster


@final
class PartitionCounters:
    """The verdict's account of one partition."""

    __slots__ = (
        "_are_logs_seen",
        "_last_leader",
        "before",
        "calls",
        "closing",
        "cluster",
        "commits",
        "copies",
        "deleted_by",
        "expired_records",
        "exposure",
        "hidden",
        "is_dirty",
        "is_looked_at",
        "is_mirrored",
        "is_well",
        "leaders",
        "led_since",
        "losses",
        "out_1",
        "out_all",
        "p",
        "reading",
        "served",
        "share",
        "stands_since",
        "state",
        "state_us",
        "stated_at",
        "states",
        "topic",
        "unled_by",
    )

    def __init__(self, cluster: "Cluster", p: i64, topic: i64, closing: Closing) -> None:
        self.closing = closing
        self.cluster = cluster
        self.p: i64 = p
        self.topic: i64 = topic
        self.calls: list[CallOutcomes] = []
        self.losses: Losses = Losses(cluster, p)
        self.before: BeforeRun = BeforeRun(cluster, p)
        self.commits: CommittedOffsets | None = None  # of a partition of __consumer_offsets that has any
        self.expired_records: ExpiredRecords = ExpiredRecords()
        self.copies: DuplicateAppends = DuplicateAppends(p, cluster.sim.trace, self.expired_records)
        self.hidden: HiddenRecords = HiddenRecords()
        self.exposure: Exposure = Exposure(closing)
        self.reading: PartitionReads = PartitionReads(closing)
        self.state: i64 = OPEN
        self.stated_at: i64 = 0
        self.state_us: list[int] = [0, 0, 0, 0]
        self.states: list[tuple[int, int, int]] = []  # since us, state, fact that began it; before the first: OPEN
        self.leaders: list[tuple[int, int]] = []  # since us, broker
        self.served: dict[tuple[int, bool], int] = {}  # a state's begin, acks=all: the first success while it lasted
        self.out_all: Outage = Outage(closing)
        self.out_1: Outage = Outage(closing)
        self.stands_since: i64 = -1  # when the leader's high watermark last moved, where records stand above it
        self.led_since: i64 = NEVER  # when its first leader began to lead; 0 if it was there from the start
        self.deleted_by: i64 = 0  # the fact by which its topic was deleted; 0: it is there
        self._last_leader: Partition | None = None  # of a deleted one: what stood in it counts as kept until then
        self.unled_by: i64 = 0  # the fact since which nobody may lead it; 0: somebody may
        self.is_well: bool = True  # it can be written with acks=all and read
        self.is_dirty: bool = False
        self.is_mirrored: bool = False  # MirrorMaker has written to it
        self.share: PartitionContribution = PartitionContribution()  # of its topic's figures
        self.is_looked_at: bool = False  # another look at its records would find the same
        self._are_logs_seen: bool = False  # likewise another look for records of acks=0 in all its logs

    @property
    def is_new(self) -> bool:
        """True if it is being created, and has had no leader yet: until then nothing of it is out (STOP-1)."""
        return self.led_since == NEVER

    def drop_share(self) -> None:
        """Something is done to it: its share of the figures must be worked out anew."""
        self.share.is_kept = False

    def drop_kept(self) -> None:
        """Its leader, its copies or its lost records may be others: it and its records must be looked at anew."""
        self.share.is_kept = False
        self.is_looked_at = False
        self._are_logs_seen = False

    def begin(self) -> None:
        """The run begins: take up what stands there already."""
        self.losses.begin()
        self.before.begin()
        registration = self.cluster.quorum.image.partition(self.p)
        if registration is not None:
            self.led_since = 0
        if registration is not None and registration.leader >= 0:
            self.leaders.append((0, int(registration.leader)))
        if self.before.count:
            self.reading.holds_records(self.cluster.sim.now)
        commits = self.cluster.commits
        if commits is not None and self.cluster.topics[self.topic].name == OFFSETS_TOPIC:
            self.commits = CommittedOffsets(commits)

    def calls_of(self, client: i64) -> CallOutcomes:
        """The calls of one producer to this partition, for whoever changes them."""
        self.drop_share()
        for calls in self.calls:
            if calls.client == client:
                return calls
        calls = CallOutcomes(client, self.closing)
        self.calls.append(calls)
        return calls

    def leader(self) -> Partition | None:
        """The replica that leads in the epoch the controller has committed, if its process runs and knows it."""
        return self._last_leader if self.deleted_by else leader_of(self.cluster, self.p)

    def serving(self) -> Partition | None:
        """The leader, or while nobody has taken over from it the last one, if it responds to some of its clients.

        It serves on where brokers do not hear of what the controllers have committed.
        """
        leader = self.leader()
        if leader is not None or self.deleted_by:
            return leader
        former = acting_leader(self.cluster, self.p, self.losses.led)
        if former is None:
            return None
        clients = [int(calls.client) for calls in self.calls]
        clients += [int(reader.client) for reader in self.reading.readers if reader.reads]
        return former if is_reached_by(self.cluster, former.broker, clients) else None

    def whole_log(self) -> Log | None:
        """The leader's log, with what retention has removed before it begins."""
        leader = self.leader()
        return None if leader is None else self.expired_records.with_all(leader.log)

    def deleted(self, fact: i64, now: i64) -> None:
        """The topic is deleted, by an action: nothing of it is lost by the cluster from now on, and nothing is out."""
        self.drop_kept()
        leader = acting_leader(self.cluster, self.p, self.losses.led)
        self._note_standing(leader, now)
        self.stands_since = -1
        if self.state != OPEN:
            self._enter(OPEN, now, 0)
        self.reading.ended(now)
        self.is_well = True
        self.unled_by = 0
        self._last_leader = leader
        self.deleted_by = fact

    def expired(self, leader: Partition) -> None:
        """Retention moved the start of the log of the partition's leader."""
        self.drop_kept()
        self.expired_records.take(leader.log)
        self.losses.expire(leader.log.start)
        self.before.expire(leader.log.start)
        self.exposure.forget_lost(self.losses.kept, self.cluster.sim.now)

    def deleted_records(self) -> i64:
        """Acknowledged records that went with the topic."""
        return self.losses.kept.within(0, NEVER)[0] if self.deleted_by else 0

    def nowhere(self, calls: CallOutcomes, now: i64) -> Spans:
        """A producer's calls with acks=0 whose records no log has, while nobody leads; of a deleted topic none."""
        if self.deleted_by or calls.handed_over.count == 0:
            return []
        if not self._are_logs_seen:
            logs = [self.expired_records.with_all(log) for log in logs_of(self.cluster, self.p)]
            for one in self.calls:
                if one.handed_over.count:
                    one.handed_over.look(one.client, logs)
            self._are_logs_seen = True
        return calls.handed_over.nowhere(now)

    # -- what the protocol does

    def leader_activated(self, leader: Partition) -> None:
        """A new leader."""
        self.drop_kept()
        now = self.cluster.sim.now
        self.leaders.append((int(now), int(leader.broker.id)))
        if self.is_new:
            self._enter(OPEN, now, 0)
            self.led_since = now
        self._note_standing(self.leader(), now)
        self.copies.look(self.leader())
        back = self.losses.leader_activated(leader)
        self.exposure.forget_lost(self.losses.kept, now)
        if leader.log.segments is not None:
            self.expired(leader)  # it may have looked for old segments later than the last one
        self.hidden.look(self.losses.kept, leader, now)  # what comes back is hidden anew
        for run in back:
            self.losses.keep(run)
            self.exposure.came_back(run.base, run.base + run.count, run.epoch, now)
        whole = self.expired_records.with_all(leader.log)
        for calls in self.calls:
            calls.handed_over.recount(whole, calls.client)
        self.reading.leads(leader, now)
        self.stands_since = now if leader.hw < leader.log.leo else -1
        if self.commits is not None:
            self.commits.leader_activated(leader, self.losses.loss_cause(leader))

    def appended(self, replica: Partition, batch: Batch) -> None:
        """A replica that takes itself for the leader has appended a batch."""
        self.drop_share()
        self._are_logs_seen = False
        if self.copies.appended(replica, batch):
            self.copies.look(self.leader())  # now: the leader may be gone before anybody asks
        if replica.epoch != self.losses.led:
            return
        self.reading.holds_records(self.cluster.sim.now)
        has_readers = len(self.reading.readers) > 0
        registration = self.cluster.quorum.image.partition(self.p) if has_readers or self.stands_since < 0 else None
        if registration is not None and registration.epoch == replica.epoch:
            now = self.cluster.sim.now
            if self.stands_since < 0:
                self.stands_since = now
            if has_readers:
                self.reading.reaches(batch.end, now)
        if batch.client >= 0 and isinstance(self.cluster.net.clients[batch.client], Producer):
            self.calls_of(batch.client).handed_over.appended(batch)
        elif batch.client >= 0:
            self.is_mirrored = True

    def hw_moved(self, leader: Partition, old: i64) -> bool:
        """The high watermark of the leader has moved from ``old``: whether the partition must be looked at anew."""
        self.drop_share()
        now = self.cluster.sim.now
        has_stood = self.has_stood(now)
        if has_stood:
            self.restate(now)  # it stood for longer than theta, maybe since the last look
        self.stands_since = now if leader.hw < leader.log.leo else -1
        if self.commits is not None:
            self.commits.passed(leader)
        return self.hidden.passed(old, leader, now) or has_stood

    def former_hw_moved(self, former: Partition, old: i64) -> bool:
        """The same of a leader whose epoch is over."""
        has_stood = False
        if former.epoch == self.losses.led and self.serving() is former:
            self.drop_share()
            now = self.cluster.sim.now
            has_stood = self.has_stood(now)
            self.stands_since = now if former.hw < former.log.leo else -1
            self._note_served(acks_all=True)
            self.hidden.passed(old, former, now)
        if self.commits is None:
            return has_stood
        leader = self.leader()
        cause = 0 if leader is None else self.losses.loss_cause(leader)
        return self.commits.passed_by_former(former, old, leader, cause) or has_stood

    def has_stood(self, now: i64) -> bool:
        """True if the high watermark has stood below some record for longer than theta."""
        return self.stands_since >= 0 and now - self.stands_since > THETA_US

    def copy_went(self, fact: i64, loss_cause: i64) -> bool:
        """A log lost records, or was deleted, by a fact that a loss then goes back to; whether anything was lost."""
        self.drop_kept()
        if self.deleted_by:
            return False
        is_loss = self.losses.copy_went(fact, loss_cause)
        if is_loss:
            self.exposure.forget_lost(self.losses.kept, self.cluster.sim.now)
        before = self.before.lost
        leader = self.leader()
        self.before.look(leader, loss_cause)
        if self.commits is not None and leader is None:
            is_loss = self.commits.copy_went(logs_of(self.cluster, self.p), loss_cause) or is_loss
        return is_loss or self.before.lost > before

    def copied(self, copy: Partition, batch: Batch) -> bool:
        """A follower has appended a batch; whether lost commits have come back with it."""
        self.drop_share()
        self._are_logs_seen = False
        if self.state == LEADERLESS or self.before.lost:  # records that were gone may be there again
            self.is_looked_at = False
        now = self.cluster.sim.now
        for run in self.losses.copy_came(copy, batch):
            self.is_looked_at = False
            self.losses.keep(run)
            self.exposure.came_back(run.base, run.base + run.count, run.epoch, now)
        self.exposure.copied(copy, now)
        if self.commits is not None and self.commits.lost and self.leader() is None:
            return self.commits.copy_came(copy.log)
        return False

    # -- what producers do

    def acknowledged(self, offset: i64, count: i64, epoch: i64, acks: i64, client: i64) -> bool:
        """Records were acknowledged, by a leader in ``epoch``. Returns whether they were lost already."""
        self.drop_share()
        self._note_served(acks == ACKS_ALL)
        is_former = self.losses.acknowledged(offset, count, epoch, acks, client)
        if is_former:
            self.is_looked_at = False  # the leader now may hold them above its high watermark
        # acks=all: all of the ISR had them when the answer was sent, and has them still while all of it is up (PROD-6)
        if (acks != ACKS_ALL or not self.is_well) and self.losses.kept.has(offset + count - 1, epoch):
            self.is_looked_at = False
            now = self.cluster.sim.now
            self.exposure.acknowledged(offset, count, epoch, now)
            self.hidden.acknowledged(offset + count, self.serving(), now)
        return not self.losses.kept.has(offset + count - 1, epoch)

    def _note_served(self, acks_all: bool) -> None:
        """A leader that has not heard of the partition's state serves its clients in spite of it."""
        now = self.cluster.sim.now
        if self.state != OPEN and now - self.stated_at > ON_THE_WAY_US:
            self.served.setdefault((int(self.stated_at), acks_all), int(now))

    def called(self, now: i64) -> None:
        """Producers made calls. Of a partition that no broker has made yet, they wait for its leader."""
        self.drop_share()
        if self.state == OPEN and self.cluster.quorum.image.partition(self.p) is None and not self.deleted_by:
            self._enter(LEADERLESS, now, 0)

    def positioned(self, client: i64, position: i64, now: i64) -> bool:
        """A consumer found its position or jumped (-1: it reads no more); whether it begins or ends to read."""
        leader = self.leader()
        if leader is not None and not self.reading.readers:
            self.reading.reaches(leader.log.leo, now)  # for nobody the end was not followed
        return self.reading.positioned(client, position, now)

    def called_without_response(self, since: i64) -> i64:
        """The first moment (µs) from ``since`` on at which a producer had no response (over theta); -1: none."""
        first: i64 = -1
        for calls in self.calls:
            for mode in calls.modes:
                for start, end in mode.spans(self.cluster.sim.now):
                    if end > since and (first < 0 or start < first):
                        first = start
        return max(first, since) if first >= 0 else -1

    # -- looked at when something changed, and once a second

    def hidden_records(self, now: i64) -> i64:
        """Acknowledged records that nobody can read, for longer than theta; none of a deleted topic."""
        if self.deleted_by or self.hidden.is_empty():
            return 0
        return self.hidden.count(self.losses.kept, self.serving(), now)

    def _look_for_candidates(self) -> None:
        """Since when nobody is left who may lead it without an unclean election (ELEC-7, ELR-6)."""
        image = self.cluster.quorum.image
        one = image.partition(self.p)
        if one is None or one.leader >= 0 or image.unclean(self.topic) or awaited(one.lists()):
            self.unled_by = 0
        elif self.unled_by == 0:
            self.unled_by = one.fact

    def keeps_out(self, outage: Outage) -> i64:
        """The fact that keeps an open outage up: what began it, but not where nobody could lead without it, too."""
        return unled_cause(self.cluster, self.p, outage.cause) if self.state == LEADERLESS else outage.cause

    def hides(self) -> i64:
        """The fact since which the high watermark stands: what acks=all waits for (HW-3), or slows who holds it."""
        if self.out_all.since >= 0:
            return self.keeps_out(self.out_all)
        return self._stall_cause(self.leader())

    def look_at_records(self, now: i64) -> None:
        """Update the figures of acknowledged records: hidden ones, and ones on too few copies."""
        self.drop_kept()
        if self.deleted_by:
            return
        leader = self.leader()
        self.before.look(leader, self._cause() if leader is None else self.losses.loss_cause(leader))
        self.hidden.look(self.losses.kept, self.serving(), now)
        self.exposure.look(self.cluster, self.p, self.topic, self.losses.kept)
        self.is_looked_at = True

    def has_changed(self) -> bool:
        """True if the partition's write state or read state differs from the one stated last."""
        if self.deleted_by:
            return False
        leader = self.leader()
        can_be_read = self.reading.is_possible(self.cluster, self.p, leader)
        state = self._write_state(leader, self.cluster.sim.now)
        return state != self.state or can_be_read != (self.reading.out.since < 0)

    def restate(self, now: i64) -> None:
        """Work out anew whether the partition can be led, written and read."""
        self.drop_kept()
        if self.deleted_by:
            return
        leader = self.leader()
        self._look_for_candidates()
        self._note_standing(leader, now)
        state = self._write_state(leader, now)
        can_be_read = self.reading.is_possible(self.cluster, self.p, leader)
        self.reading.out.set(not can_be_read and not self.is_new, now, self._cause())
        self.is_well = state == OPEN and can_be_read
        if state != self.state:
            self._enter(state, now, self._cause_of(state, leader))

    def _cause_of(self, state: i64, leader: Partition | None) -> i64:
        """The fact that brought the write path into a state."""
        if self.is_new:
            return first_leader_trouble(self.cluster, self.p)
        return self._stall_cause(leader) if state == STALLED else cause_of(self.cluster, self.p, self.topic, state)

    def _note_standing(self, leader: Partition | None, now: i64) -> None:
        """Writes are stalled since the high watermark last moved, if that is longer ago than theta.

        Other states begin when they begin: a high watermark that has stood for theta or less before one is latency.
        """
        if self.state == OPEN and self.has_stood(now):
            self._enter(
                STALLED,
                max(self.stands_since, self.stated_at),
                self._stall_cause(leader),
            )

    def _enter(self, state: i64, since: i64, cause: i64) -> None:
        """The write path has been in another state since a moment, by a fact."""
        self.state_us[self.state] += int(self._counted(since))
        self.stated_at = since
        self.state = state
        self.states.append((int(since), int(state), int(cause)))
        self.out_all.set(not self.is_new and not is_writable(state, acks_all=True), since, cause)
        self.out_1.set(not self.is_new and not is_writable(state, acks_all=False), since, cause)

    def _write_state(self, leader: Partition | None, now: i64) -> i64:
        """By the state of the servers; whatever the reason, writes are stalled while the high watermark has stood."""
        state = write_state(self.cluster, self.serving() if self.commits is not None else leader)
        return STALLED if state == OPEN and self.has_stood(now) else state

    def _cause(self) -> i64:
        """The newest decisive fact about the partition's leader or its registration."""
        return newest_cause(self.cluster, self.p)

    def _stall_cause(self, leader: Partition | None) -> i64:
        """The fact that keeps the high watermark where it is."""
        return stall_cause(self.cluster, self.p, leader, self.stands_since)

    def us_in(self, state: i64, now: i64) -> i64:
        """Time spent in a state so far."""
        us: i64 = self.state_us[state]
        return us + self._counted(now) if self.state == state else us

    def _counted(self, now: i64) -> i64:
        """The time (µs) for which the present state has lasted, as far as it counts."""
        lasted: i64 = min(now, self.closing.us) - self.stated_at
        return lasted if lasted > 0 and not self.is_new else 0
