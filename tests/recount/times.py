"""A second account of a run's times, from its facts alone: hidden, exposed, not readable, blocked, and latencies.

Beside ``fates.Recount``, which keeps logs and calls. A state holds between two moments at which facts were stated; it
is looked at anew at each, record by record. Slow, and it shares nothing with the verdict but theta.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any

from simengine.facts import kinds as f
from simengine.facts.decisive import (
    BrokerRegistration,
    ClientChanged,
    ConfigChanged,
    ConsumerReset,
    FollowerStarted,
    IsrAdopted,
    LeaderActivated,
    LinkChanged,
    PartitionChanged,
    ProcessChanged,
    ReplicaGone,
    Truncated,
)
from simengine.facts.errors import ERR_NONE
from simengine.facts.traffic import (
    Appended,
    CallsMade,
    CallsSettled,
    ConsumerMoved,
    Delivered,
    Flight,
    FlightEnded,
    HwMoved,
    StartMoved,
)
from simengine.verdict.outage import THETA_US
from simengine.world.world import World
from tests.recount.calls import CallTimes
from tests.recount.clocks import UP, Time
from tests.recount.fates import Recount
from tests.recount.fetches import Fetches
from tests.recount.served import serving
from tests.swarm.unowned import Unowned

OF_READERS = (Appended, ClientChanged, ConsumerMoved, ConsumerReset, Delivered)
OF_ONE_PARTITION = (
    *(LeaderActivated, FollowerStarted, Truncated, ReplicaGone, ConsumerReset, PartitionChanged),
    *(Appended, HwMoved, CallsSettled, ConsumerMoved, StartMoved, Delivered, CallsMade),
)


Stretch = tuple[int, int]  # start and end
Rule = tuple[int, bool]  # a partition, and whether a copy counts as live while its process comes up
Mark = tuple[int, int]  # offset and leader epoch of a record


NEVER = 1 << 62


class Times:
    """Feeds on all facts of a run, in order, and hands them on to the recount."""

    def __init__(self, world: World, recount: Recount) -> None:
        self.recount = recount
        self.world = world
        self.t = 0
        topics = range(len(world.cluster.topics))
        self.least = {i: int(world.cluster.quorum.image.min_insync(i)) for i in topics}
        self.usual = int(world.doc.cluster.config.get("min.insync.replicas", 1))  # M of a topic that is created
        self.own = {i for i, topic in enumerate(world.doc.topics) if "min.insync.replicas" in topic.config}
        self.until = NEVER if world.doc.closing_us is None else world.doc.closing_us
        self.racks = {broker.id: broker.rack or "" for broker in world.doc.brokers}
        self.selects = {broker.id: broker.config.rack_selector for broker in world.cluster.brokers}
        self.reader_racks = {consumer.number: consumer.settings.rack for consumer in world.cluster_parts.consumers}
        self.cut: set[tuple[int, int]] = set()
        self.fenced: set[int] = set()
        image = world.cluster.quorum.image
        start = {p: image.partition(p) for p in range(len(world.cluster.partition_names))}
        self.registered = {p: [list(one.replicas), list(one.isr)] for p, one in start.items() if one is not None}
        self.follows: dict[tuple[int, int], int] = {}  # partition, broker: the epoch it follows somebody in
        self.adopted: dict[tuple[int, int], list[int]] = {}  # partition, leader: the ISR that it goes by
        self._led_at: dict[tuple[int, int], int] = {}  # partition, broker: when it last began to lead
        self._asked: dict[
            tuple[int, int, int], list[int]
        ] = {}  # partition, follower, leader: arrivals of a first and a last fetch
        self.readers: dict[int, dict[int, int]] = defaultdict(dict)  # partition: reader: position, -1 none
        self.read_out: dict[int, Time] = {}
        self.reader_out: dict[tuple[int, int], Time] = {}
        self.observing: dict[int, list[int]] = {}  # topic
        self.calls = CallTimes(world, recount, self.until)
        self.fetches = Fetches(world)
        self.unowned = Unowned(world)  # who had no position to read from
        self.read_longest: dict[int, int] = defaultdict(int)  # partition: the longest from an append to a delivery
        self.written: dict[int, dict[Mark, int]] = defaultdict(dict)  # partition: when each record was first appended
        self.began: dict[tuple[int, int], int] = {}  # reader, partition: when it began there or jumped back
        self.handed: dict[tuple[int, int], int] = {}  # reader, partition: when it was handed records last
        self.dirty: set[int] = set()  # partitions of which something has changed at this moment
        self.end: dict[int, int] = {}  # the high watermark of the partition's leader, the last there was
        self.leo: dict[int, int] = {}  # and its log end
        self.before = {p: self._counted_on(p) for p in start}  # what stood there before the run
        self.acked: dict[int, set[Mark]] = defaultdict(set)  # partition: acknowledged records
        self.fresh: dict[int, set[Mark]] = defaultdict(set)  # acknowledged or copied since the last look
        self.holders: dict[int, list[Any]] = {}  # partition: its live copies as they were at the last look
        self.thin: dict[Rule, dict[Mark, int]] = defaultdict(dict)  # acknowledged records on too few copies, and since
        self.exposed: dict[Rule, list[Stretch]] = defaultdict(list)  # stretches longer than theta, of records
        self.lost: dict[int, set[Mark]] = defaultdict(set)  # acknowledged records that the newest leader did not have
        self.bare: dict[int, dict[Mark, int]] = defaultdict(dict)  # those at or above their leader's HW, and since when
        self.seen: dict[int, tuple[int, int, int]] = {}  # partition: leader, log start and HW at the last look at these
        self._readers: dict[type[Any], Callable[[Any], None]] = {
            ConfigChanged: self._config_changed,
            LinkChanged: self._link_changed,
            BrokerRegistration: self._broker_registration,
            PartitionChanged: self._partition_changed,
            LeaderActivated: self._leader_activated,
            FollowerStarted: self._follower_started,
            IsrAdopted: self._isr_adopted,
            ProcessChanged: self._process_changed,
            HwMoved: self._hw_moved,
            Delivered: self._delivered,
            ConsumerMoved: self._consumer_moved,
            ClientChanged: self._client_changed,
            CallsSettled: self._calls_settled,
            Appended: self._appended,
            Truncated: self._truncated,
            Flight: self._flies,
            FlightEnded: self.fetches.flight_ended,
        }
        self.feed(world.trace.decisive)

    def _config_changed(self, fact: ConfigChanged) -> None:
        key, value = fact.text.split("=", 1)
        if key == "min.insync.replicas" and fact.topic >= 0:
            self.least[fact.topic] = int(value)
            self.own.add(fact.topic)
        elif key == "min.insync.replicas" and fact.topic == -1:
            self.least |= {topic: int(value) for topic in self.least if topic not in self.own}
            self.usual = int(value)

    def feed(self, facts: Sequence[Any]) -> None:
        """Take in facts."""
        for fact in facts:
            if fact.t > self.t:
                self._look()
                self.t = fact.t
            self.recount.feed([fact])
            if isinstance(fact, OF_READERS):
                self.unowned.take(fact)
            self.dirty.update((fact.p,) if isinstance(fact, OF_ONE_PARTITION) else self.recount.committed)
            for readers in (self._readers, self.calls.readers):
                if type(fact) in readers:
                    readers[type(fact)](fact)
        self._look()

    def close(self, now: int) -> None:
        """The run has come to ``now``."""
        self._look()
        self.t = now
        self._look()

    # -- facts

    def _link_changed(self, fact: LinkChanged) -> None:
        (self.cut.add if fact.cut else self.cut.discard)((fact.src, fact.dst))

    def _broker_registration(self, fact: BrokerRegistration) -> None:
        (self.fenced.discard if fact.state == f.REG_ACTIVE else self.fenced.add)(fact.broker)

    def _partition_changed(self, fact: PartitionChanged) -> None:
        self.registered[fact.p] = [fact.replicas, fact.isr]
        self._leads(fact.p)

    def _leader_activated(self, fact: LeaderActivated) -> None:
        self.follows.pop((fact.p, fact.broker), None)
        self.adopted[fact.p, fact.broker] = fact.isr
        self._led_at[fact.p, fact.broker] = fact.t
        for key, arrivals in self._asked.items():
            if (key[0], key[2]) == (fact.p, fact.broker):
                arrivals[:] = [at for at in arrivals if at >= fact.t]
        self._leads(fact.p)
        for reader, position in self.readers[fact.p].items():
            out = self._reads(reader, fact.p)
            if out.since == self.t and (age := self._age(reader, fact.p, position)):
                out.since = max(self.t - age, self.handed.get((reader, fact.p), 0))

    def _isr_adopted(self, fact: IsrAdopted) -> None:
        self.adopted[fact.p, fact.broker] = fact.isr

    def _flies(self, fact: Flight) -> None:
        self.fetches.flies(fact)
        if fact.msg == f.MSG_FETCH and fact.arrive >= 0:
            arrivals = self._asked.setdefault((fact.p, fact.src, fact.dst), [])
            arrivals[1:] = [fact.arrive]

    def has_fetched(self, p: int, follower: int, leader: int) -> bool:
        """True if a follower's fetch has reached a leader since it leads; at the start of a run all have fetched."""
        led_at = self._led_at.get((p, leader), 0)
        return not led_at or any(led_at <= at <= self.t for at in self._asked.get((p, follower, leader), ()))

    def _follower_started(self, fact: FollowerStarted) -> None:
        self.follows[fact.p, fact.broker] = fact.epoch if fact.leader >= 0 else -1

    def _process_changed(self, fact: ProcessChanged) -> None:
        if fact.state == f.PROCESS_DOWN:
            self.follows = {key: epoch for key, epoch in self.follows.items() if key[1] != fact.node}

    def _hw_moved(self, fact: HwMoved) -> None:
        self._leads(fact.p)

    def _leads(self, p: int) -> None:
        leader = self.recount.leader(p)
        if leader < 0:
            return
        log = self.recount.log(p, leader)
        self.end[p], self.leo[p] = log.hw, log.start + len(log.records)
        for reader, position in self.readers[p].items():
            self._reads(reader, p).is_so(0 <= position < self.leo[p], self.t)

    def _counted_on(self, p: int) -> set[Mark]:
        """The records of the log that leads at the start, or that the registration counts on."""
        one = self.world.cluster.quorum.image.partition(p)
        candidates = [] if one is None else [one.leader, *one.isr, *one.last_known, *one.elr]
        return next((self._marks(p, int(b)) for b in candidates if (p, int(b)) in self.recount.logs), set())

    def _marks(self, p: int, broker: int) -> set[Mark]:
        log = self.recount.log(p, broker)
        return {(log.start + i, record[0]) for i, record in enumerate(log.records)}

    def lost_before(self, p: int) -> int:
        """The records from before that the leader has not; without a leader, those that no copy has."""
        leader = self.recount.leader(p)
        brokers = [leader] if leader >= 0 else [b for q, b in list(self.recount.logs) if q == p]
        found = set[Mark]().union(*(self._marks(p, b) for b in brokers))
        return len(self.before.get(p, set()) - found)

    def _reads(self, reader: int, p: int) -> Time:
        return self.reader_out.setdefault((reader, p), Time(self.until))

    def _moved(self, reader: int, p: int, position: int) -> None:
        """A jump ends no time without records, unless none are left to read."""
        self.readers[p][reader] = position
        self._reads(reader, p).is_so(0 <= position < self.leo.get(p, 0), self.t)

    def _delivered(self, fact: Delivered) -> None:
        """Delivered records end the time without any, and the next such time begins at once if more are there."""
        self.read_longest[fact.p] = max(self.read_longest[fact.p], self._age(fact.client, fact.p, fact.offset))
        self._reads(fact.client, fact.p).is_so(False, self.t)
        self.handed[fact.client, fact.p] = self.t
        self._moved(fact.client, fact.p, fact.offset + fact.count)

    def _consumer_moved(self, fact: ConsumerMoved) -> None:
        before = self.readers[fact.p].get(fact.client, -1)
        if before < 0 or 0 <= fact.position < before:
            self.began[fact.client, fact.p] = self.t
        self._moved(fact.client, fact.p, fact.position)

    def _age(self, reader: int, p: int, offset: int) -> int:
        """The time (us) that the leader's record at an offset has waited for a reader; 0 where nobody can tell."""
        leader = self.recount.leader(p)
        record = self.recount.log(p, leader).at(offset) if leader >= 0 else None
        at = -1 if record is None else self.written[p].get((offset, record[0]), -1)
        return min(self.t, self.until) - max(at, self.began.get((reader, p), 0)) if at >= 0 else 0

    def longest_read(self, p: int) -> int:
        """The longest from an append to a delivery, those that wait now included."""
        waiting = [self._age(reader, p, position) for reader, position in self.readers[p].items() if position >= 0]
        return max(self.read_longest[p], *waiting, 0)

    def _client_changed(self, fact: ClientChanged) -> None:
        if fact.state != f.CLIENT_OPEN:
            for p, readers in self.readers.items():
                if fact.client in readers:
                    self._moved(fact.client, p, -1)

    def _calls_settled(self, fact: CallsSettled) -> None:
        if fact.error == ERR_NONE and fact.offset >= 0:
            marks = {(fact.offset + i, fact.epoch) for i in range(fact.count)}
            self.acked[fact.p] |= marks
            self.fresh[fact.p] |= marks

    # -- looked at once all facts of a moment are in

    def _look(self) -> None:
        dirty, self.dirty = sorted(self.dirty), set()
        for p in dirty:
            if p not in self.recount.committed:
                continue
            self.read_out.setdefault(p, Time(self.until)).is_so(not self.is_readable(p), self.t)
            if p in self.acked:
                self._look_at_bare(p)
                self._look_at_thin(p)

    def is_readable(self, p: int) -> bool:
        """True if some reader (anybody, where there are none) would be served, by its leader or near it.

        Links between brokers and readers are left aside.
        """
        lead, epoch = self.recount.committed[p]
        if lead < 0:
            return False
        leads = self.recount.leader(p) == lead and self.recount.process.get(lead, f.PROCESS_RUNNING) in UP
        readers = [reader for reader, position in self.readers[p].items() if position >= 0]
        if not readers:
            return leads
        for reader in readers:
            rack = self.reader_racks[reader]
            near = self.near(p, lead, rack) if self.selects[lead] and rack and rack != self.racks[lead] else []
            sources = [b for b in near if self.follows.get((p, b)) == epoch] if near else [lead] if leads else []
            if any(self.recount.process.get(broker, f.PROCESS_RUNNING) in UP for broker in sources):
                return True
        return False

    def near(self, p: int, lead: int, rack: str) -> list[int]:
        """FFR-1, FFR-2: unfenced members of the ISR in the reader's rack."""
        replicas, isr = self.registered.get(p, ([], []))
        observers = [b for b in replicas if b in self.observers(p)]
        return [b for b in (*isr, *observers) if b != lead and self.racks[b] == rack and b not in self.fenced]

    def observers(self, p: int) -> list[int]:
        """Those of its topic, as the document says: they do not change."""
        topic, _ = self.world.cluster.partition_names[p]
        if topic not in self.observing:
            name = self.world.cluster.topics[topic].name
            self.observing[topic] = next((list(one.observers) for one in self.world.doc.topics if one.name == name), [])
        return self.observing[topic]

    def answers(self, broker: int, client: int) -> bool:
        """True if a broker's process takes requests of a client and answers."""
        ways = {(broker, -1 - client), (-1 - client, broker)}
        return self.recount.process.get(broker, f.PROCESS_RUNNING) in UP and not ways & self.cut

    def _look_at_bare(self, p: int) -> None:
        """Acknowledged records at or above the HW of their leader, of the last one while there is none; since when."""
        leader = serving(self, p)
        if leader < 0:
            end = self.end.get(p, 0)
            fresh = dict.fromkeys(self.fresh[p] & self.acked[p] - self.lost[p], self.t)
            self.bare[p] = {mark: since for mark, since in (fresh | self.bare[p]).items() if mark[0] >= end}
            self.seen.pop(p, None)
            return
        log = self.recount.log(p, leader)
        self.end[p] = log.hw
        before = self.seen.get(p) if p in self.holders else None  # not there: some log was cut
        self.seen[p] = (leader, log.start, log.hw)
        known = self.bare[p]
        if before is None or before[:2] != (leader, log.start) or log.hw < before[2]:
            here = range(max(log.hw, log.start), log.start + len(log.records))
            marks = [(o, log.records[o - log.start][0]) for o in here]
            self.bare[p] = {mark: known.get(mark, self.t) for mark in marks if mark in self.acked[p]}
            return
        if log.hw > before[2]:
            self.bare[p] = known = {mark: since for mark, since in known.items() if mark[0] >= log.hw}
        for mark in self.fresh[p]:
            if mark[0] >= log.hw and mark in self.acked[p] and (log.at(mark[0]) or (None,))[0] == mark[1]:
                known.setdefault(mark, self.t)

    def hidden(self, p: int, now: int) -> tuple[int, int]:
        """Records that are hidden, and for how long the oldest of them is."""
        return len(self.bare[p]), now - min(self.bare[p].values(), default=now)

    def _appended(self, fact: Appended) -> None:
        self.fresh[fact.p].update((fact.base + i, fact.epoch) for i in range(fact.count))
        for offset in range(fact.base, fact.base + fact.count):
            self.written[fact.p].setdefault((offset, fact.epoch), self.t)
        if fact.broker == self.recount.leader(fact.p):
            self._leads(fact.p)

    def _truncated(self, fact: Truncated) -> None:
        self.holders.pop(fact.p, None)

    def _look_at_thin(self, p: int) -> None:
        """Acknowledged records that are not lost, with fewer live copies than min.insync.replicas.

        Facts do not say when a process that comes up has read its disk: it is told both ways.
        """
        replicas = self.registered[p][0]
        observers = self.observers(p)
        wanted = [b for b in replicas if b not in observers]
        least = min(self.least.setdefault(self.world.cluster.partition_names[p][0], self.usual), len(wanted))
        states = [self.recount.process.get(b, f.PROCESS_RUNNING) for b in replicas]
        leader = self.recount.leader(p)
        state = [leader, least, states, [(p, b) in self.follows for b in replicas]]
        marks = self.fresh.pop(p, set()) & self.acked[p]
        if self.holders.get(p) != state:
            self.holders[p] = state
            marks = self.acked[p]
        if not marks:
            return
        copies = [(b, self.recount.log(p, b)) for b in replicas]
        sides = [({b for b in replicas if self._is_live(p, b, is_early)}, (p, is_early)) for is_early in (False, True)]
        for mark in marks:
            holders = {b for b, log in copies if (log.at(mark[0]) or (None,))[0] == mark[1]}
            if leader >= 0:
                (self.lost[p].discard if leader in holders else self.lost[p].add)(mark)
            elif not holders:
                self.lost[p].add(mark)  # the last copy went
            for live, rule in sides:
                if mark not in self.lost[p] and len(live & holders) < least:
                    self.thin[rule].setdefault(mark, self.t)
                elif mark in self.thin[rule]:
                    self._was_thin(rule, self.thin[rule].pop(mark), self.t)

    def _is_live(self, p: int, broker: int, is_early: bool) -> bool:
        state = self.recount.process.get(broker, f.PROCESS_RUNNING)
        comes_up = state in (f.PROCESS_STARTING, f.PROCESS_PAUSED) and (p, broker) not in self.follows
        return state != f.PROCESS_DOWN and (is_early or not comes_up)

    def _was_thin(self, rule: Rule, since: int, t: int) -> None:
        if min(t, self.until) - since > THETA_US:
            self.exposed[rule].append((since, min(t, self.until)))

    def exposed_for(self, p: int, is_early: bool, now: int) -> list[Stretch]:
        """The stretches in which some record was exposed for longer than theta."""
        rule = p, is_early
        still = [(since, min(now, self.until)) for since in set(self.thin[rule].values())]
        found: list[Stretch] = []
        for start, end in sorted({*self.exposed[rule], *(one for one in still if one[1] - one[0] > THETA_US)}):
            if found and start <= found[-1][1]:
                found[-1] = found[-1][0], max(end, found[-1][1])
            else:
                found.append((start, end))
        return found
