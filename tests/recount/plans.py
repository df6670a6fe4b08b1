"""A second account of what a plan costs: each record is followed from append to append, in the order of the facts.

The engine's account asks each flow which call it copied. This one follows positions: an append makes a record, a copy
points to the record that stands at its source at that moment, and a delivery takes what stands at its offset.
"""

from collections import defaultdict
from typing import Any

from simengine.facts.traffic import Appended, CallsSettled, Delivered, RecordsCopied
from simengine.plans.applications import ApplicationNames
from simengine.world.mirrors.counted import counted_copy
from simengine.world.world import World
from tests.recount.rows import Readers, Rows

S = 1_000_000


Call = tuple[int, int, int]  # the partition, the producer, its number among the calls of these two


class StandingRecord:
    """The record of one call, at each offset where it stands; ``source``: the record of which it is a copy."""

    __slots__ = ("call", "source")

    def __init__(self, call: Call | None) -> None:
        self.call = call
        self.source: StandingRecord | None = None

    def first(self) -> "StandingRecord":
        """The record that an application wrote."""
        found = self
        while found.source is not None:
            found = found.source
        return found


class PlanRecount:
    """Runs a document and counts."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._logs: dict[int, dict[int, StandingRecord]] = defaultdict(dict)
        self._epochs: dict[int, dict[int, int]] = defaultdict(dict)  # of the records at these offsets
        self._records: dict[Call, StandingRecord] = {}
        self._copied: dict[
            tuple[int, int], tuple[int, int]
        ] = {}  # by remote partition and producer: what it copies next
        self._told: set[StandingRecord] = set()  # copies whose source a flow has told
        self._delivered: list[tuple[int, int, StandingRecord]] = []  # when, to which client
        self._acked: list[tuple[int, int, StandingRecord]] = []  # when, in which partition
        ran_before = {f"{one.source}->{one.target}" for one in world.doc.mirrors if one.history}
        for running in world.mirrors.flows():
            for pair in running.flow.partitions if running.name in ran_before else ():
                self._link_before(running, int(pair.source_p), int(pair.p))
        rows = Rows(world, [self._readers()])
        while world.now_us < world.doc.until_us:
            world.run(min(world.doc.until_us, world.now_us + S))
            rows.read()

    def _link_before(self, running: Any, source_p: int, p: int) -> None:
        """Copies from before the run: at the source's offsets, or both logs end with the same record."""
        clusters = self._world.mirrors.clusters
        source = counted_copy(clusters[running.source.name].cluster, source_p)
        remote = counted_copy(clusters[running.target.name].cluster, p)
        if source is None or remote is None:
            return
        shift = max(0, int(remote.log.leo) - int(source.log.leo))
        for offset in range(max(shift, int(remote.log.start)), int(remote.log.leo)):
            self._at(p, offset).source = self._at(source_p, offset - shift)

    def _readers(self) -> Readers:
        return {
            Appended: self._append,
            RecordsCopied: self._copy,
            Delivered: self._deliver,
            CallsSettled: self._settle,
        }

    def _append(self, fact: Any) -> None:
        log, epochs = self._logs[fact.p], self._epochs[fact.p]
        if epochs.get(fact.base, -1) >= fact.epoch:
            return  # a follower
        for offset in [offset for offset in log if offset >= fact.base] if fact.base in log else []:
            del log[offset]  # another log begins here
        for i in range(fact.count):
            epochs[fact.base + i] = fact.epoch
            log[fact.base + i] = self._record(fact.p, fact.client, fact.n + i)

    def _record(self, p: int, client: int, n: int) -> StandingRecord:
        """The record of a call; a call that was sent again has one record. Copies go on from the copy before them."""
        if client < 0:
            return StandingRecord(None)
        record = self._records.setdefault((p, client, n), StandingRecord((p, client, n)))
        if (p, client) in self._copied and record.source is None:
            source_p, upstream = self._copied[p, client]
            self._link(record, source_p, upstream)
        return record

    def _link(self, copy: StandingRecord, source_p: int, upstream: int) -> None:
        copy.source = self._at(source_p, upstream)
        if copy.call is not None:
            self._copied[copy.call[:2]] = source_p, upstream + 1

    def _at(self, p: int, offset: int) -> StandingRecord:
        return self._logs[p].setdefault(offset, StandingRecord(None))

    def _copy(self, fact: Any) -> None:
        """The flow tells a copy when it is acknowledged; one that never was is where its process ended."""
        for i in range(fact.count):
            copy = self._at(fact.remote, fact.downstream + i)
            if copy not in self._told:
                self._told.add(copy)
                self._link(copy, fact.p, fact.upstream + i)

    def _deliver(self, fact: Any) -> None:
        self._delivered += [(fact.t, fact.client, self._at(fact.p, fact.offset + i)) for i in range(fact.count)]

    def _settle(self, fact: Any) -> None:
        if not fact.error and fact.offset >= 0:
            self._acked += [(fact.t, fact.p, self._at(fact.p, fact.offset + i)) for i in range(fact.count)]

    def counted(self) -> dict[str, int]:
        """Records that groups did not read and that their readers read again, and records that stand twice."""
        apps = ApplicationNames(self._world)
        read: dict[str, set[StandingRecord]] = defaultdict(set)
        since_us: dict[str, int] = {}
        seen: dict[str, set[StandingRecord]] = defaultdict(set)
        doubled = 0
        for t, client, record in self._delivered:
            first = record.first()
            since_us.setdefault(apps.groups[client], t)
            read[apps.groups[client]].add(first)
            doubled += first in seen[apps.readers[client]]
            seen[apps.readers[client]].add(first)
        unread = sum(
            t >= since_us[group] and record.call is not None and apps.is_due(record.call, group) and record not in had
            for group, had in read.items()
            for t, _, record in self._acked
        )
        return {"unread": unread, "doubled": doubled, "standing": self._standing(apps)}

    def _standing(self, apps: ApplicationNames) -> int:
        standing = 0
        for run in self._world.cluster_runs:
            by_place: dict[Any, list[StandingRecord]] = defaultdict(list)
            for topic in run.parts.cluster.own_topics():
                for p in [] if topic.is_made else [int(p) for p in topic.partitions]:
                    copy = counted_copy(run.parts.cluster, p)
                    end = 0 if copy is None else int(copy.log.leo)
                    by_place[apps.place(p)] += [r.first() for at, r in self._logs[p].items() if at < end]
            standing += sum(len(records) - len(set(records)) for records in by_place.values())
        return standing
