"""A second account of a run's fates, from its facts alone, written plainly from FATE-1..9 and STOP-1..4.

It shares nothing with the verdict: logs are lists of records grown by ``Appended`` and cut by ``Truncated``, every call
and every delivery is looked at one by one. Slow. What a client could not know from its answers (refused or unknown) is
held within the bounds that the facts give: a call that ever stood in a log was not refused, and one that never left
the client is not unknown.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from simengine.facts import kinds as f
from simengine.facts.decisive import (
    ClientChanged,
    ConsumerReset,
    FollowerStarted,
    LeaderActivated,
    PartitionChanged,
    PartitionCreated,
    ProcessChanged,
    ReplicaGone,
    TopicDeleted,
    Truncated,
)
from simengine.facts.errors import ERR_NONE
from simengine.facts.traffic import (
    Appended,
    CallsMade,
    CallsMoved,
    CallsResent,
    CallsSettled,
    ConsumerMoved,
    Delivered,
    Flight,
    HwMoved,
    StartMoved,
)
from simengine.verdict.outage import THETA_US
from simengine.world.world import World
from tests.recount.copies import Call, Log, Record

Counts = dict[str, int]

KINDS = (
    *(f.APPENDED, f.START_MOVED, f.CALLS_MADE, f.CALLS_SETTLED, f.DELIVERED, f.CONSUMER_MOVED, f.FLIGHT, f.HW_MOVED),
    *(f.CALLS_RESENT, f.CALLS_MOVED, f.TOPIC_DELETED, f.FLIGHT_ENDED, f.OFFSET_COMMITTED),
)
LEADERSHIP = (ProcessChanged, PartitionChanged, LeaderActivated, FollowerStarted, ReplicaGone)


class Recount:
    """Feeds on all facts of a run, in order."""

    def __init__(self, world: World) -> None:
        self.world = world
        names: Any = world.names()
        self.clients: list[dict[str, Any]] = names["clients"]
        self.acks = {i: int(p.settings.acks) for i, p in enumerate(world.cluster_parts.producers)}
        self.logs: dict[tuple[int, int], Log] = {}  # partition, broker
        self.process: dict[int, int] = {}
        self.committed: dict[int, tuple[int, int]] = {}  # partition: leader, epoch
        self.leads: dict[
            tuple[int, int], int
        ] = {}  # partition, broker: the epoch in which it takes itself for the leader
        self.led: dict[int, int] = {}  # by partition: the epoch of its newest leader
        self.last_log: dict[
            int, tuple[int, list[Record]]
        ] = {}  # of a partition without leader: since when, and the log
        self.expired: dict[int, dict[int, set[Record]]] = {}  # by partition, offset: what retention removed at a leader
        self.deleted: dict[int, Log | None] = {}  # of deleted partitions: their last leader's log
        self.calls: dict[tuple[int, int], dict[int, Call]] = {}  # producer, partition: by number
        self.newest: dict[tuple[int, int], int] = {}  # producer, partition: the highest number of a call
        self.unsent: dict[int, list[Call]] = {}
        self.delivered: dict[tuple[str, int], list[tuple[int, int]]] = {}  # group, partition: offset, epoch, in order
        self.lowest: dict[tuple[str, int], int] = {}
        self.position: dict[tuple[str, int], int] = {}
        self._opened: set[int] = set()  # clients
        self._new: dict[int, list[int]] = {}  # by created partition: clients that came later, or have had a position
        self._stands: dict[int, list[tuple[int, int, Call, str, bool]]] = {}  # by partition, since the last fact
        self.first: dict[tuple[int, int, int], int] = {}  # producer, partition, call: its record's first call
        for broker in world.cluster.brokers:
            for replica in broker.hosted:
                log = self.log(int(replica.p), int(broker.id))
                log.start, log.hw = int(replica.log.start), int(replica.hw)
                for batch in replica.log.batches:
                    log.records += [(int(batch.epoch), int(batch.client), int(batch.n) + i) for i in range(batch.count)]
        self._readers: dict[type[Any], Callable[[Any], None]] = {
            Appended: self._appended,
            Truncated: self._truncated,
            StartMoved: self._start_moved,
            ReplicaGone: self._replica_gone,
            HwMoved: self._hw_moved,
            ProcessChanged: self._process_changed,
            PartitionChanged: self._partition_changed,
            PartitionCreated: self._partition_created,
            LeaderActivated: self._leader_activated,
            FollowerStarted: self._follower_started,
            TopicDeleted: self._topic_deleted,
            ClientChanged: self._client_changed,
            CallsMade: self._calls_made,
            CallsMoved: self._calls_moved,
            CallsResent: self._calls_resent,
            Flight: self._flight,
            CallsSettled: self._calls_settled,
            Delivered: self._delivered,
            ConsumerReset: self._consumer_reset,
            ConsumerMoved: self._consumer_moved,
        }
        self.feed(world.trace.decisive)  # the state that the run starts from

    def feed(self, facts: Sequence[Any]) -> None:
        """Take in facts."""
        self._stands = {}
        for fact in facts:
            reader = self._readers.get(type(fact))
            if reader is None:
                continue
            before = {p: self.leader(p) for p in self.committed} if isinstance(fact, LEADERSHIP) else {}
            reader(fact)
            for p, leader in before.items():
                if leader >= 0 and self.leader(p) < 0 and p not in self.deleted:
                    self.last_log[p] = fact.t, list(self.log(p, leader).records)

    def log(self, p: int, broker: int) -> Log:
        return self.logs.setdefault((p, broker), Log())

    # -- logs

    def _appended(self, fact: Appended) -> None:
        log = self.log(fact.p, fact.broker)
        assert fact.base == log.start + len(log.records), "a batch stands at the log end"
        for i in range(fact.count):
            log.records.append((fact.epoch, fact.client, fact.n + i))
            if fact.client >= 0:
                self.calls[fact.client, fact.p][fact.n + i].was_appended = True

    def _truncated(self, fact: Truncated) -> None:
        log = self.log(fact.p, fact.broker)
        assert fact.old == log.start + len(log.records)
        del log.records[max(0, fact.new - log.start) :]
        log.start = min(log.start, fact.new)
        log.hw = min(log.hw, fact.new)

    def _start_moved(self, fact: StartMoved) -> None:
        """Retention removed what lies below; or a follower too far behind dropped its whole log."""
        log = self.log(fact.p, fact.broker)
        if fact.start > log.start + len(log.records):
            log.below.clear()
        else:
            log.below.update(enumerate(log.records[: fact.start - log.start], log.start))
        del log.records[: fact.start - log.start]
        log.start = fact.start
        if fact.broker == self.leader(fact.p):
            self.expire(fact.p, log)

    def _replica_gone(self, fact: ReplicaGone) -> None:
        self.logs.pop((fact.p, fact.broker), None)
        self.leads.pop((fact.p, fact.broker), None)

    def _hw_moved(self, fact: HwMoved) -> None:
        self.log(fact.p, fact.broker).hw = fact.hw

    # -- who leads

    def _process_changed(self, fact: ProcessChanged) -> None:
        self.process[fact.node] = fact.state
        if fact.state == f.PROCESS_DOWN:
            for p, broker in list(self.leads):
                if broker == fact.node:
                    del self.leads[p, broker]

    def _partition_changed(self, fact: PartitionChanged) -> None:
        self.committed[fact.p] = (fact.leader, fact.epoch)

    def _leader_activated(self, fact: LeaderActivated) -> None:
        self.leads[fact.p, fact.broker] = fact.epoch
        self.led[fact.p] = max(self.led.get(fact.p, fact.epoch), fact.epoch)
        log = self.log(fact.p, fact.broker)
        log.hw = fact.hw
        if fact.p not in self.committed:
            self.committed[fact.p] = (fact.broker, fact.epoch)
        self.expire(fact.p, log)

    def _follower_started(self, fact: FollowerStarted) -> None:
        self.leads.pop((fact.p, fact.broker), None)
        self.log(fact.p, fact.broker).hw = fact.hw

    def expire(self, p: int, log: Log) -> None:
        """Records that retention removed from a leader's log are neither lost nor unread."""
        expired = self.expired.setdefault(p, {})
        for offset, record in log.below.items():
            expired.setdefault(offset, set()).add(record)
        log.below.clear()

    def _topic_deleted(self, fact: TopicDeleted) -> None:
        """The records in the log of the broker that acts as a partition's leader count as kept from now on."""
        for p in self.world.cluster.topics[fact.topic].partitions:
            acting = [broker for (led, broker), epoch in self.leads.items() if (led, epoch) == (p, self.led.get(p))]
            self.deleted[int(p)] = self.log(int(p), acting[0]) if acting else None

    def final(self, p: int) -> Log | None:
        """The log that records are held against: the leader's, or that of the last one before the topic went."""
        if p in self.deleted:
            return self.deleted[p]
        leader = self.leader(p)
        return self.log(p, leader) if leader >= 0 else None

    def at(self, p: int, offset: int) -> list[Record]:
        """The records that stand, or stood until retention came, at an offset: two where a log began anew at 0."""
        return [*(self.expired.get(p, {}).get(offset, set()) | self.now_at(self.final(p), offset))]

    @staticmethod
    def now_at(log: Log | None, offset: int) -> set[Record]:
        """The record that stands at an offset of a log now, if one does."""
        record = None if log is None else log.at(offset)
        return set() if record is None else {record}

    def leader(self, p: int) -> int:
        """The live broker that leads in the committed epoch, -1 if there is none."""
        broker, epoch = self.committed.get(p, (-1, -1))
        return broker if self.leads.get((p, broker)) == epoch else -1

    # -- calls

    def _client_changed(self, fact: ClientChanged) -> None:
        self.acks[fact.client] = fact.acks
        self._opened.add(fact.client)
        if fact.state == f.CLIENT_CRASHED:
            for (who, _), calls in self.calls.items():
                for call in calls.values():
                    if who == fact.client and call.settled_us < 0:
                        call.is_abandoned, call.settled_us = True, fact.t

    def _calls_made(self, fact: CallsMade) -> None:
        calls = self.calls.setdefault((fact.client, fact.p), {})
        assert fact.n > self.newest.get((fact.client, fact.p), -1), "calls are numbered in order"
        self.newest[fact.client, fact.p] = fact.n + fact.count - 1
        made = {fact.n + i: Call(self.acks[fact.client], fact.t) for i in range(fact.count)}
        calls.update(made)
        self.unsent.setdefault(fact.client, []).extend(made.values())

    def _calls_moved(self, fact: CallsMoved) -> None:
        """Calls that have not ended go on to the topic that was created again."""
        there = self.calls.setdefault((fact.client, fact.to), {})
        there.update((i, self.calls[fact.client, fact.p].pop(i)) for i in range(fact.n, fact.n + fact.count))
        self.newest[fact.client, fact.to] = max(self.newest.get((fact.client, fact.to), -1), fact.n + fact.count - 1)
        for i in range(fact.n, fact.n + fact.count):
            if (fact.client, fact.p, i) in self.first:
                self.first[fact.client, fact.to, i] = self.first.pop((fact.client, fact.p, i))

    def _calls_resent(self, fact: CallsResent) -> None:
        for i in range(fact.count):
            self.first[fact.client, fact.p, fact.n + i] = fact.of + i

    def _flight(self, fact: Flight) -> None:
        """A request of a producer may carry any call that waits."""
        if fact.msg == f.MSG_PRODUCE:
            for call in self.unsent.pop(-1 - fact.src, []):
                call.was_sent = True

    def _calls_settled(self, fact: CallsSettled) -> None:
        for i in range(fact.count):
            call = self.calls[fact.client, fact.p][fact.n + i]
            assert call.settled_us < 0, "a call ends once"
            call.settled_us, call.error, call.epoch = fact.t, fact.error, fact.epoch
            call.offset = fact.offset + i if fact.offset >= 0 else -1

    # -- reading

    def group(self, client: int) -> str:
        return str(self.clients[client].get("group") or self.clients[client]["id"])

    def _delivered(self, fact: Delivered) -> None:
        key = self.group(fact.client), fact.p
        self.delivered.setdefault(key, []).extend((fact.offset + i, fact.epoch) for i in range(fact.count))
        self._stand(key, fact.offset)
        self.position[key] = fact.offset + fact.count

    def _consumer_reset(self, fact: ConsumerReset) -> None:
        key = self.group(fact.client), fact.p
        self._stand(key, fact.new)
        if fact.p in self._new and fact.client not in self._new[fact.p] and fact.why != f.RESET_KEPT:
            self._new[fact.p].append(fact.client)
            if fact.old < 0 and fact.why != f.RESET_COMMITTED:  # it was there when the partition was created
                self.lowest[key] = 0

    def _partition_created(self, fact: PartitionCreated) -> None:
        self._new[fact.p] = [i for i in range(len(self.clients)) if i not in self._opened]

    def _consumer_moved(self, fact: ConsumerMoved) -> None:
        if fact.position >= 0:
            self._stand((self.group(fact.client), fact.p), fact.position)

    def _stand(self, key: tuple[str, int], position: int) -> None:
        self.position[key] = position
        self.lowest[key] = min(self.lowest.get(key, position), position)

    # -- the account

    def stands(self, p: int) -> list[tuple[int, int, Call, str, bool]]:
        """Every call to a partition, how it stands, worked out once."""
        if p not in self._stands:
            self._stands[p] = list(self._how_calls_stand(p))
        return self._stands[p]

    def _how_calls_stand(self, p: int) -> Iterator[tuple[int, int, Call, str, bool]]:
        """Every call to a partition: its producer, number, how its record stands, and whether elsewhere than said.

        Without a leader presence is undetermined, but for what the last leader's log lacked or had twice already, and
        for acknowledged records that no log has any more, dead brokers' included. So
        it is of calls with acks=0 of the last theta that no later call of their producer has overtaken, on their way.
        """
        final = self.final(p)
        since, records = self.last_log.get(p, (0, [])) if final is None else (0, final.records)
        copies = Counter(record[1:] for record in records)
        copies.update(one[1:] for at, gone in self.expired.get(p, {}).items() for one in gone - self.now_at(final, at))
        held = self.held(p) if final is None else set()
        for (client, partition), calls in self.calls.items():
            if partition != p:
                continue
            last_there = max((n for who, n in copies if who == client), default=-1)
            for n, call in calls.items():
                stands = ("absent", "once", "twice")[min(copies[client, n], 2)]
                if final is None and not (stands == "twice" or (stands == "absent" and -1 < call.settled_us < since)):
                    stands = "undetermined"
                if call.is_handed_over() and stands == "absent" and self.world.now_us - call.settled_us <= THETA_US:
                    stands = "absent" if n < last_there else "undetermined"
                if final is None and stands == "absent" and call.offset < 0:
                    stands = "undetermined"
                if final is None and call.is_handed_over() and stands == "undetermined":
                    is_late = self.world.now_us - call.settled_us <= THETA_US and n > last_there
                    stands = stands if is_late or (client, n) in held else "absent"
                if final is None and call.is_acked() and stands != "twice" and self.is_nowhere(p, client, n, call):
                    stands = "absent"
                if final is None and p in self.deleted and call.is_acked() and stands == "undetermined":
                    stands = "once"  # it went with its topic, which nobody led
                is_there = final is not None and call.offset >= 0 and copies[client, n] > 0
                has_moved = is_there and final is not None and (call.epoch, client, n) not in self.at(p, call.offset)
                yield client, n, call, stands, has_moved

    def held(self, p: int) -> set[tuple[int, int]]:
        """The calls, by client and number, that some log has or retention removed; all of a deleted partition."""
        if p in self.deleted:
            return {(client, n) for (client, where), calls in self.calls.items() if where == p for n in calls}
        logs = [log for (partition, _), log in self.logs.items() if partition == p]
        records = [record for log in logs for record in (*log.records, *log.below.values())]
        records += [record for gone in self.expired.get(p, {}).values() for record in gone]
        return {(client, n) for _, client, n in records}

    def is_nowhere(self, p: int, client: int, n: int, call: Call) -> bool:
        """True if no broker, up or down, has an acknowledged record at its offset, or had it until retention came."""
        if p in self.deleted:
            return False
        record = (call.epoch, client, n)
        logs = [log for (partition, _), log in self.logs.items() if partition == p]
        gone = self.expired.get(p, {}).get(call.offset, set())
        return record not in gone and all(
            record not in (log.at(call.offset), log.below.get(call.offset)) for log in logs
        )

    def fates(self, p: int, of: int = -1) -> Counts:
        """The number of calls to a partition, of all producers or one, in each cell of the table."""
        found: Counter[str] = Counter()
        for client, _, call, stands, has_moved in self.stands(p):
            if of in (-1, client):
                self._fate(found, call, stands)
                found["moved"] += has_moved
        return found

    def records(self, p: int) -> Counts:
        """The same for records: one that was sent again goes by all its calls."""
        sent: dict[tuple[int, int], list[tuple[Call, str]]] = {}
        for client, n, call, stands, _ in self.stands(p):
            sent.setdefault((client, self.first.get((client, p, n), n)), []).append((call, stands))
        found: Counter[str] = Counter()
        for calls in sent.values():
            copies = sum({"once": 1, "twice": 2}.get(stands, 0) for _, stands in calls)
            is_open = any(stands == "undetermined" for _, stands in calls)
            there = ("undetermined" if is_open else "absent", "undetermined" if is_open else "once", "twice")
            is_acked = any(call.is_acked() for call, _ in calls)
            found["resent"] += len(calls) - 1
            found["acked " + there[min(copies, 2)]] += is_acked
            found["twice"] += copies > 1
            found["by application"] += copies > 1 and all(stands != "twice" for _, stands in calls)
            lost = sum(call.is_acked() and stands == "absent" for call, stands in calls)
            found["lost again"] += max(0, lost - 1)
            found["recovered"] += lost > 0 and len(calls) > 1 and there[min(copies, 2)] in ("once", "twice")
        return found

    def _fate(self, found: Counter[str], call: Call, stands: str) -> None:
        """Put one call in its cell."""
        found["calls"] += 1
        if call.settled_us < 0:
            found["open"] += 1
            found["open " + stands] += 1
        elif call.error == ERR_NONE and not call.is_abandoned:
            outcome = "acked" if call.offset >= 0 else "handed over"
            found[outcome] += 1
            found[f"{outcome} {stands}"] += 1
            if outcome == "acked" and stands == "absent":
                found["lost_all" if call.acks < 0 else "lost_1"] += 1
        else:
            found["failed"] += 1
            found["failed " + stands] += 1
            found["surely unknown"] += call.was_appended
            found["surely refused"] += not call.was_sent

    def reads(self, group: str, p: int) -> Counts:
        """The counts of the records of a partition that a group was handed, against the log of its leader."""
        log = self.final(p)
        handed = self.delivered.get((group, p), [])
        once = set(handed)
        found = {"delivered": len(handed), "reread": len(handed) - len(once)}
        if log is None:
            return found | {"reads_undetermined": len(once)}
        there = {(o, epoch) for o, epoch in once if epoch in {record[0] for record in self.at(p, o)}}
        ghosts = once - there
        found |= {"seen": len(there), "phantoms": len(ghosts)}
        found["overwritten"] = sum(1 for offset, _ in ghosts if offset < log.hw)
        lowest, position = self.lowest.get((group, p), log.hw), self.position.get((group, p), log.hw)
        unread = [o for o in range(lowest, log.hw) for record in self.at(p, o) if (o, record[0]) not in once]
        found["lagging"] = sum(1 for offset in unread if offset >= position)
        found["skipped"] = sum(1 for offset in unread if offset < position)
        return found
