"""The cost of a plan for the applications that it moves: records not read, read twice or out of order, and downtime."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any, Final

from simengine.facts.traffic import Delivered
from simengine.kafka.cluster.cluster import Cluster
from simengine.plans.applications import ApplicationNames, Place
from simengine.plans.call_spans import CallSpans
from simengine.plans.origins import Origins
from simengine.plans.story import Call, PlanStory
from simengine.world.mirrors.counted import counted_copy
from simengine.world.world import World

THETA_US: Final = 1_000_000  # a stop counts if it is longer
NEVER: Final = 1 << 62

Timed = tuple[int, Call]
Wait = tuple[int, int]  # of a call: when it was made, and when it succeeded


@dataclass(frozen=True)
class PriceOfGroup:
    """A group and what it adds. ``stays_on``: the topics that it reads where others move and it does not, else ""."""

    group: str
    stays_on: str
    unread: int
    reads_down_us: int


@dataclass(frozen=True)
class Price:
    """Records, summed over all groups; times in us, of the application with the longest downtime. None: nobody does it.

    ``unread``: of an application whose records the group reads in the given document, acknowledged after the group read
    its first, and not delivered to it by the end. ``doubled``: deliveries of a record to a reader after its first; a
    group that reads in several clusters from the start is a reader in each. ``standing``: records beyond the first that
    stand twice in what one cluster's readers read, at the end. ``out_of_order``: delivered to a reader after a later
    one of the partition in which its application wrote before it moved.
    Downtimes: from a ``send()`` call to the next acknowledgement of its producer, and to the next delivery to a group
    that reads its partition. ``ack_us``: the median time of an ack before the first action.
    """

    written: int
    unread: int | None
    doubled: int | None
    standing: int
    out_of_order: int | None
    writes_down_us: int | None
    reads_down_us: int | None
    ack_us: int | None
    groups: list[PriceOfGroup]

    def plain(self) -> dict[str, Any]:
        """As JSON."""
        return asdict(self)


def price_of(world: World, story: PlanStory) -> Price:
    """The price of a run that ``story`` has followed to its end."""
    costs = _Costs(world, story)
    groups = [costs.of_group(group) for group in costs.delivered]
    unread, doubled, out_of_order = map(sum, zip(*groups, strict=True)) if groups else (None, None, None)
    by_group = [
        PriceOfGroup(group, costs.stays_on(group), count, costs.reads_down_us(group))
        for group, (count, _, _) in zip(costs.delivered, groups, strict=True)
    ]
    return Price(
        len(costs.acked), unread, doubled, costs.standing(), out_of_order,
        costs.writes_down_us(), max((one.reads_down_us for one in by_group), default=None), costs.ack_us(), by_group,
    )  # fmt: skip


class _Costs:
    """Counts in one run that has ended."""

    def __init__(self, world: World, story: PlanStory) -> None:
        self._world = world
        self._story = story
        self._origins = Origins(world)
        self._apps = ApplicationNames(world)
        self._made = [(one.t, (one.p, one.client, one.n + i)) for one in story.made for i in range(one.count)]
        self.acked = [(one.t, (one.p, one.client, one.n + i)) for one in story.acked for i in range(one.count)]
        self.delivered: dict[str, list[Timed]] = defaultdict(list)  # by group
        self._read: dict[str, dict[str, list[Call]]] = defaultdict(dict)  # by group and reader
        for one in story.deliveries:
            records = self._records(one)
            if records:
                group = self._apps.groups[one.client]
                self.delivered[group] += records
                calls = self._read[group].setdefault(self._apps.readers[one.client], [])
                calls += [call for _, call in records]

    def of_group(self, group: str) -> tuple[int, int, int]:
        """Records that a group did not read, and that a reader of it read again and out of order."""
        distinct = {call for _, call in self.delivered[group]}
        since_us = self.delivered[group][0][0]  # a new group with `latest` skips what was written before it joined
        due = [call for t, call in self.acked if t >= since_us and self._apps.is_due(call, group)]
        readers = [(calls, dict.fromkeys(calls)) for calls in self._read[group].values()]
        return (
            sum(call not in distinct for call in due),
            sum(len(calls) - len(first) for calls, first in readers),
            sum(self._out_of_order(first) for _, first in readers),
        )

    def _records(self, one: Delivered) -> list[Timed]:
        parts = [
            part
            for call, count in self._story.stored(one.p, one.offset, one.count, one.epoch)
            for part in self._origins.parts(call, count)
            if self._apps.is_theirs(part[0])
        ]
        return [(one.t, (p, client, n + i)) for (p, client, n), count in parts for i in range(count)]

    def _out_of_order(self, calls: Iterable[Call]) -> int:
        """Calls, in order of first delivery, that come after a later one of their application's partition."""
        newest: dict[int, int] = {}
        found = 0
        for call in calls:
            home, made_us = self._apps.home(call), self._story.made_us(call)
            found += made_us < newest.get(home, -1)
            newest[home] = max(made_us, newest.get(home, -1))
        return found

    def standing(self) -> int:
        """Records beyond the first of a call in all partitions of one place in one cluster."""
        return sum(
            calls.added - calls.count()
            for run in self._world.cluster_runs
            for calls in self._standing_in(run.parts.cluster).values()
        )

    def _standing_in(self, cluster: Cluster) -> dict[Place, CallSpans]:
        found: dict[Place, CallSpans] = defaultdict(CallSpans)
        for topic in cluster.own_topics():
            for p in map(int, topic.partitions) if topic.exists and not topic.is_made else ():
                copy = counted_copy(cluster, p)
                if copy is not None:
                    for part in self._origins.in_log(p, copy.log, int(copy.log.start), int(copy.log.leo)):
                        found[self._apps.place(p)].add(part)
        return found

    def writes_down_us(self) -> int | None:
        """Of the producer and the partition with the longest downtime."""
        acked = _firsts(self.acked)
        waits: dict[tuple[str, Place], list[Wait]] = defaultdict(list)
        for t, call in self._made:
            key = self._apps.producers[call[1]], self._apps.place(call[0])
            waits[key].append((t, acked.get(call, self._world.now_us)))
        return max(map(down_us, waits.values()), default=None)

    def reads_down_us(self, group: str) -> int:
        """Of the partition with the longest downtime for a group."""
        read, since_us = _firsts(self.delivered[group]), self.delivered[group][0][0]
        waits: dict[Place, list[Wait]] = defaultdict(list)
        for t, call in self._made:
            if t >= since_us and self._apps.is_due(call, group):
                waits[self._apps.place(call[0])].append((t, read.get(call, self._world.now_us)))
        return max(map(down_us, waits.values()), default=0)

    def stays_on(self, group: str) -> str:
        """The topics of a group that does not move though others do; "" for another."""
        return self._apps.stays_on(group)

    def ack_us(self) -> int | None:
        """The median time of an acknowledgement before the first action; None without one."""
        first_us = min((at for at, _ in self._world.timeline), default=self._world.now_us)
        times = [int(t) - self._story.made_us(call) for t, call in self.acked if t < first_us]
        return round(median(times)) if times else None


def _firsts(calls: Iterable[Timed]) -> dict[Call, int]:
    """The first time of each call."""
    found: dict[Call, int] = {}
    for t, call in calls:
        found.setdefault(call, t)
    return found


def down_us(waits: list[Wait]) -> int:
    """The time in which calls of one partition, in order, wait longer than THETA_US: each until it or a later one ends.

    So a call that fails or gets lost counts until its application goes on.
    """
    total, ended, begun = 0, NEVER, NEVER  # of the waits from here on: the first end, and the first begin of a long one
    for made, until in reversed(waits):
        ended = min(ended, until)
        if ended - made > THETA_US:
            total += min(ended, begun) - made
            begun = made
    return total
