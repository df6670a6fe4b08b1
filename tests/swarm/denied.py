"""No figure of the run shows what a sentence of the verdict denies: a recount from facts alone.

The recount keeps every log as pieces, every acknowledged record, and how long each ``send()`` and each record's reader
waited (``denied_readers``). A sentence on a topic or on all of them that says "nothing lost", "nothing stopped" or that
praises is held against it; so is the moment of the event that a loss goes back to, which is not later than the loss
itself. Groups without their committed offsets are named (``denied_groups``).
"""

from bisect import bisect_left, insort
from typing import Any, Final, NamedTuple

from simengine.facts.decisive import ClientChanged, ConsumerReset, ReplicaGone, Truncated
from simengine.facts.errors import ERR_NONE
from simengine.facts.kinds import CLIENT_CRASHED
from simengine.facts.traffic import (
    Appended,
    CallsMade,
    CallsMoved,
    CallsSettled,
    ConsumerMoved,
    Delivered,
    OffsetCommitted,
    StartMoved,
)
from simengine.kafka.broker.lifecycle import BOOTING
from simengine.kafka.replica.replica import LEADER
from simengine.verdict.outage import THETA_US
from simengine.verdict.whole import TOLD_MAX
from simengine.world.world import World
from tests.invariants.violation import demand
from tests.recount.pieces import Pieces, Spans, missing
from tests.recount.rows import Readers
from tests.swarm.denied_groups import DeniedGroups
from tests.swarm.denied_readers import DeniedReaders
from tests.swarm.unowned import Unowned

Json = dict[str, Any]
Key = tuple[int, int]

OFFSETS_GONE: Final = "The committed offsets of"
NO_LOSS: Final = ("Nothing acknowledged was lost", "Nothing was lost", "Nothing lost")
NO_STOP: Final = ("nothing stopped",)
NO_WAIT: Final = ("no send() waited longer",)
NOTHING_YET: Final = "Nothing has been acknowledged."
SLACK_US: Final = 100_000  # in a folded log the times of appends are spread evenly


class Counted(NamedTuple):
    """The figures of some partitions, from the facts."""

    gone: int  # records that no log holds
    absent: int  # acknowledged records that the leader's log lacks
    hidden: int  # acknowledged records above the high watermark
    acked: int
    wait_us: int  # the longest that a send() waited
    late_us: int  # the longest that a record waited for its reader
    unowned_us: int  # the longest that a consumer or group had no position


class Waits:
    """The waits of one producer's calls to one partition, and the longest of them."""

    def __init__(self) -> None:
        self.open: list[tuple[int, int, int]] = []  # first call, end, when they were made: sorted, without overlap
        self.longest_us = 0

    def made(self, first: int, end: int, t: int) -> None:
        """Calls first .. end-1 were made at t."""
        insort(self.open, (first, end, t))

    def within(self, first: int, end: int) -> slice:
        """The place in ``open`` of what holds some of the calls first .. end-1."""
        at = bisect_left(self.open, (first,))
        if at and self.open[at - 1][1] > first:
            at -= 1
        return slice(at, bisect_left(self.open, (end,), at))

    def ended(self, first: int, end: int, t: int) -> None:
        """Calls first .. end-1 have ended."""
        place = self.within(first, end)
        rest: list[tuple[int, int, int]] = []
        for low, high, made in self.open[place]:
            self.longest_us = max(self.longest_us, t - made)
            rest += [(a, b, made) for a, b in ((low, min(high, first)), (max(low, end), high)) if a < b]
        self.open[place] = rest

    def longest_at(self, now: int) -> int:
        """The longest wait so far, those that go on included."""
        return max([self.longest_us, *(now - made for _, _, made in self.open)])


class Denied:
    """Reads a run's facts, and holds its sentences against them."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._logs: dict[Key, Pieces] = {}  # by partition and broker
        self._acked: dict[int, list[tuple[int, int, int, int, int, int]]] = {}  # offset, count, epoch, client, n, when
        self._before: dict[int, list[tuple[int, int, int, int, int]]] = {}  # pieces from before the run
        self._expired: dict[int, int] = {}  # by partition: where retention lets the log begin
        self._waits: dict[Key, Waits] = {}  # by producer and partition
        self._sealed: dict[int, tuple[int, int]] = {}  # by partition: records in no log, and since when so many
        self.reading = DeniedReaders()
        self._unowned = Unowned(world)
        self._begin()
        self.groups = DeniedGroups(world, self._logs)
        self.readers: Readers = {
            Appended: self._append,
            Truncated: self._truncate,
            StartMoved: self._start_moved,
            ReplicaGone: self._drop,
            CallsMade: self._made,
            CallsMoved: self._moved_calls,
            CallsSettled: self._settled,
            ClientChanged: self._client_changed,
            Delivered: self._delivered,
            ConsumerMoved: self._moved,
            ConsumerReset: self._reset,
            OffsetCommitted: self.groups.committed,
        }

    def _begin(self) -> None:
        cluster = self._world.cluster
        for broker in cluster.brokers:
            for replica in broker.hosted:
                log = self._log(int(replica.p), int(broker.id))
                for batch in replica.log.batches:
                    log.append(int(batch.base), int(batch.count), int(batch.epoch), int(batch.client), int(batch.n))
        for p in range(len(cluster.partition_names)):
            registration = cluster.quorum.image.partition(p)
            if registration is not None and registration.leader >= 0:
                self._before[p] = list(self._log(p, int(registration.leader)).pieces)

    def _log(self, p: int, broker: int) -> Pieces:
        return self._logs.setdefault((p, broker), Pieces())

    # -- facts

    def _append(self, fact: Appended) -> None:
        self._log(fact.p, fact.broker).append(fact.base, fact.count, fact.epoch, fact.client, fact.n)
        self._unowned.take(fact)
        self.reading.appended(fact)

    def _truncate(self, fact: Truncated) -> None:
        self._log(fact.p, fact.broker).truncate(fact.new)
        self._seal(fact.p, fact.t)

    def _start_moved(self, fact: StartMoved) -> None:
        """Retention removed what is below: also a follower does so by itself. A dropped log is empty by now."""
        log = self._log(fact.p, fact.broker)
        if log.pieces:
            self._expired[fact.p] = max(self._expired.get(fact.p, 0), fact.start)
        log.begin_at(fact.start)

    def _drop(self, fact: ReplicaGone) -> None:
        self._logs.pop((fact.p, fact.broker), None)
        self._seal(fact.p, fact.t)

    def _seal(self, p: int, t: int) -> None:
        """A log lost records: if now more acknowledged ones than before are in none, they are lost since now."""
        self.groups.log_shrank(p, t)
        count = sum(high - low for low, high in self.nowhere(p))
        if count != self._sealed.get(p, (0, 0))[0]:
            self._sealed[p] = count, t

    def _made(self, fact: CallsMade) -> None:
        self._waits.setdefault((fact.client, fact.p), Waits()).made(fact.n, fact.n + fact.count, fact.t)

    def _moved_calls(self, fact: CallsMoved) -> None:
        """Calls go to the topic that was created again: they have waited since they were made."""
        first, end = fact.n, fact.n + fact.count
        before = self._waits.setdefault((fact.client, fact.p), Waits())
        there = self._waits.setdefault((fact.client, fact.to), Waits())
        for low, high, made in before.open[before.within(first, end)]:
            there.made(max(low, first), min(high, end), made)
        before.ended(first, end, fact.t)

    def _kept(self, p: int) -> list[tuple[int, int, int, int, int]]:
        """The acknowledged records that retention has left: offsets, epoch, client, first call."""
        start = self._expired.get(p, 0)
        return [
            (max(offset, start), offset + count, epoch, client, n + max(0, start - offset))
            for offset, count, epoch, client, n, _ in self._acked.get(p, [])
            if offset + count > start
        ]

    def _settled(self, fact: CallsSettled) -> None:
        self._waits.setdefault((fact.client, fact.p), Waits()).ended(fact.n, fact.n + fact.count, fact.t)
        if fact.error == ERR_NONE and fact.offset >= 0:
            acked = fact.offset, fact.count, fact.epoch, fact.client, fact.n, fact.t
            self._acked.setdefault(fact.p, []).append(acked)

    def _client_changed(self, fact: ClientChanged) -> None:
        self._unowned.take(fact)
        if fact.state == CLIENT_CRASHED:
            for (client, _), waits in self._waits.items():
                if client == fact.client:
                    waits.ended(0, 1 << 62, fact.t)
        self.reading.ended(fact.client)

    def _moved(self, fact: ConsumerMoved) -> None:
        self._unowned.take(fact)
        self.reading.moved(fact)

    def _reset(self, fact: ConsumerReset) -> None:
        self._unowned.take(fact)
        self.reading.reset(fact)

    def _delivered(self, fact: Delivered) -> None:
        self._unowned.take(fact)
        self.reading.delivered(fact)

    # -- figures

    def nowhere(self, p: int) -> Spans:
        """The acknowledged records, and those from before the run, that stand in no log; as calls or offsets."""
        logs = [log for (partition, _), log in self._logs.items() if partition == p]
        start = self._expired.get(p, 0)
        asked = [
            (max(base, start), end, epoch, client, n + max(0, start - base))
            for base, end, epoch, client, n in self._before.get(p, [])
            if end > start
        ]
        return missing(asked + self._kept(p), logs)

    def acked(self, p: int) -> int:
        """Records of a partition that were acknowledged."""
        return sum(one[1] for one in self._acked.get(p, []))

    def longest_wait_us(self, p: int) -> int:
        """The longest that a call to a partition has waited for its end."""
        now = self._world.now_us
        return max((waits.longest_at(now) for (_, to), waits in self._waits.items() if to == p), default=0)

    def hidden(self, p: int) -> int:
        """Acknowledged records that stand above the leader's high watermark for longer than theta; 0 without leader."""
        leader = self._leader(p)
        if leader is None:
            return 0
        hw, now = int(leader.hw), self._world.now_us
        log = self._log(p, int(leader.broker.id))
        old = [one for one in self._acked.get(p, []) if now - one[5] > THETA_US + SLACK_US and one[0] + one[1] > hw]
        asked = [
            (max(offset, hw), offset + count, epoch, client, n + max(0, hw - offset))
            for offset, count, epoch, client, n, _ in old
        ]
        absent = sum(high - low for low, high in missing(asked, [log]))
        return sum(one[1] - one[0] for one in asked) - absent

    def absent(self, p: int) -> int:
        """Acknowledged calls of which the leader's log has no copy at all; 0 without a leader."""
        leader = self._leader(p)
        if leader is None:
            return 0
        log = self._log(p, int(leader.broker.id))
        calls = [(client, n, n + end - base) for base, end, _, client, n in self._kept(p)]
        return sum(high - low for low, high in log.lacks_calls(calls))

    def _leader(self, p: int) -> Any:
        cluster = self._world.cluster
        registration = cluster.quorum.image.partition(p)
        if registration is None or registration.leader < 0:
            return None
        broker = cluster.by_id[int(registration.leader)]
        replica = broker.replica(p)
        runs = (
            broker.up
            and broker.lifecycle.state != BOOTING  # one that was paused as it started has read no log yet
            and replica is not None
            and replica.role == LEADER
            and replica.epoch == registration.epoch
        )
        return replica if runs else None

    # -- sentences

    def check(self) -> None:
        """Raises Violation where a sentence of the verdict denies what the facts show."""
        verdict: Any = self._world.verdict()
        there = [topic for topic in self._world.cluster.topics if not topic.is_deleted]
        counted = {topic.name: self.counted([int(p) for p in topic.partitions]) for topic in there}
        for topic in verdict["topics"]:
            if topic["topic"] in counted:
                self.check_topic(topic, counted[topic["topic"]])
        own = [counted[topic.name] for topic in there if topic.exists and not topic.is_made]
        self.check_whole(verdict["sentence"], verdict["topics"], own)

    def counted(self, partitions: list[int]) -> Counted:
        """The figures of partitions from the facts: sums, and of times the longest."""
        now = self._world.now_us
        leaders = {p: leader.epoch for p in partitions if (leader := self._leader(p)) is not None}
        lates = [self.reading.late_us(p, int(leaders.get(p, -1)), now) for p in partitions]
        return Counted(
            sum(high - low for p in partitions for low, high in self.nowhere(p)),
            sum(self.absent(p) for p in partitions),
            sum(self.hidden(p) for p in partitions),
            sum(self.acked(p) for p in partitions),
            max((self.longest_wait_us(p) for p in partitions), default=0),
            max(lates, default=0) - SLACK_US,
            max((self._unowned.longest_us(p) for p in partitions), default=0),
        )

    def check_whole(self, said: str, topics: list[Json], own: list[Counted]) -> None:
        """Hold the one sentence on all topics, or that of the gravest of few, against what the facts show of each."""
        where = f"the cluster: {said}"
        praises = any(words in said for words in NO_STOP)
        if not praises and len(own) <= TOLD_MAX:
            own = [
                counted._replace(wait_us=0, acked=0) for counted in own
            ]  # a topic that is less grave may have waited
        for counted in own:
            deny_said(where, said, counted, praises)
        if any(words in said for words in NO_LOSS) and OFFSETS_GONE not in said:  # it may be about one topic alone
            deny(where, sum(len(topic["groups_lost_names"]) for topic in topics), "groups without committed offsets")

    def check_topic(self, topic: Json, counted: Counted) -> None:
        """Hold what the verdict says of a topic against what the facts show of it."""
        said, where = str(topic["sentence"]), f"{topic['topic']}: {topic['sentence']}"
        deny_said(where, said, counted, any(words in said for words in NO_STOP) or topic["severity"] == "ok")
        if topic["coordinators"]:
            self._check_groups(topic, where)
        there = [one for one in self._world.cluster.topics if one.name == topic["topic"]]
        self._check_cause(topic, [int(p) for one in there for p in one.partitions], counted.gone, where)

    def _check_groups(self, topic: Json, where: str) -> None:
        """Groups without a commit in any log are named, and what their loss goes back to is not later than it."""
        unnamed = self.groups.unnamed(topic)
        deny(where, len(unnamed), f"groups whose committed offsets no log has: {', '.join(unnamed)}")
        if not topic["lost_before"]:
            text = topic["deciding"]["text"] if topic["deciding"] else ""
            deny(where, self.groups.late_us(topic), f"us between the groups' loss and the later event: {text}")

    def _check_cause(self, topic: Json, partitions: list[int], gone: int, where: str) -> None:
        """The cause of a loss is not later than the loss: where all that is lost is in no log any more."""
        deciding = topic["deciding"]
        if not deciding or not topic["lost"] or gone != topic["lost"] + topic["lost_before"]:
            return
        sealed_us = [self._sealed[p][1] for p in partitions if p in self._sealed and self._sealed[p][0]]
        acked_us = [one[5] for p in partitions if self.nowhere(p) for one in self._acked.get(p, [])]
        late_us = deciding["t"] - max([*sealed_us, *acked_us], default=deciding["t"])
        deny(where, late_us, f"us between the loss and the later event that it goes back to: {deciding['text']}")


def deny_said(where: str, said: str, counted: Counted, praises: bool) -> None:
    """Raise Violation if a sentence denies what was counted; ``praises``: it bears a tick, or says so in words."""
    if any(words in said for words in NO_LOSS):
        deny(where, counted.gone, "records that no log holds")
        deny(where, counted.absent, "acknowledged records that the leader's log lacks")
    if praises or any(words in said for words in NO_WAIT):
        deny(where, counted.wait_us * (counted.wait_us > THETA_US), "us that a send() waited")
    if praises:
        deny(where, counted.late_us * (counted.late_us > THETA_US), "us from an append to its reader")
        deny(where, counted.unowned_us, "us that a consumer or group had no position")
        deny(where, counted.hidden, "acknowledged records above the high watermark")
        deny(where, counted.gone + counted.absent, "lost records")
    if said == NOTHING_YET:
        deny(where, counted.acked, "acknowledged records")


def deny(where: str, amount: int, what: str) -> None:
    """Raise Violation if there is any of what a sentence denies."""
    demand(amount <= 0, "what_is_said", where, f"{amount:,} {what}")
