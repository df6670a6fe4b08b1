"""The cost of a plan for the applications that it moves: records not read, read twice or out of order, and downtime.

A group is one application in every cluster. A producer and the clients that it has moved to are one application.
"""

from dataclasses import asdict, dataclass
from itertools import pairwise
from statistics import median
from typing import Final

from simengine.plans.story import Delivery, Record, Story
from simengine.scenario.moves import original_name, remote_prefixes
from simengine.world import World

THETA_US: Final = 1_000_000  # a stop counts if it is longer


@dataclass(frozen=True)
class Price:
    """Records, summed over all groups; times in us, of the application with the longest downtime.

    ``unread``: acknowledged after the group read its first record, and not delivered to it by the end. ``doubled``:
    further deliveries of a record after its first. ``out_of_order``: delivered after a later record of the same
    partition number. ``ack_us``: the median time of an ack before the first action.
    """

    written: int
    unread: int
    doubled: int
    out_of_order: int
    writes_down_us: int
    reads_down_us: int
    ack_us: int

    def plain(self) -> dict[str, int]:
        """As JSON."""
        return asdict(self)


class Applications:
    """Names the application of each client, and the original name of each topic."""

    def __init__(self, world: World) -> None:
        self._catalog = world.catalog
        self._prefixes = remote_prefixes(run.doc for run in world.runs)
        self.groups: dict[int, str] = {}
        self.producers: dict[int, str] = {}
        for run in world.runs:
            for model, consumer in zip(run.parts.doc.consumers, run.parts.consumers, strict=True):
                self.groups[int(consumer.number)] = model.group or model.id
        known = {int(moved.opened.number): int(moved.node.number) for moved in world.moves.moved}
        for run in world.runs:
            for producer in run.parts.producers:
                home = int(producer.number)
                while known.get(home, home) < home:  # a client that joined is newer than the one that it was
                    home = known[home]
                self.producers[int(producer.number)] = str(home)

    def topic(self, p: int) -> str:
        """The original name of the topic of a partition."""
        topic = self._catalog.topics[self._catalog.partition_names[p][0]]
        return original_name(topic.name, self._prefixes)

    def number(self, p: int) -> int:
        """The number of a partition in its topic."""
        return int(self._catalog.partition_names[p][1])


def price_of(world: World, story: Story) -> Price:
    """The price of a run that ``story`` has followed to its end."""
    apps = Applications(world)
    written = [(t_us, (p, offset + i)) for t_us, _, p, offset, count in story.acked for i in range(count)]
    by_group: dict[str, list[Delivery]] = {}
    for one in story.deliveries:
        by_group.setdefault(apps.groups[one.client], []).append(one)
    unread = doubled = out_of_order = 0
    for deliveries in by_group.values():
        records = [story.origin(one.p, one.offset + i) for one in deliveries for i in range(one.count)]
        distinct = dict.fromkeys(records)
        topics = {apps.topic(one.p) for one in deliveries}
        since_us = deliveries[0].t_us  # a new group with `latest` skips what was written before it joined
        due = [record for t_us, record in written if t_us >= since_us and apps.topic(record[0]) in topics]
        unread += sum(record not in distinct for record in due)
        doubled += len(records) - len(distinct)
        out_of_order += _out_of_order(apps, story, list(distinct))
    writes = _by_application([(t_us, apps.producers[client]) for t_us, client, *_ in story.acked])
    reads = _by_application([(one.t_us, apps.groups[one.client]) for one in story.deliveries])
    downs = _longest_down_us(writes), _longest_down_us(reads)
    return Price(len(written), unread, doubled, out_of_order, *downs, _ack_us(world, story))


def _ack_us(world: World, story: Story) -> int:
    first_us = min((at for at, _ in world.timeline), default=world.now_us)
    return round(median([us for t_us, us in story.ack_times if t_us < first_us] or [0]))


def _out_of_order(apps: Applications, story: Story, records: list[Record]) -> int:
    """Records, in order of first delivery, that come after a later one of their topic and partition number."""
    newest: dict[tuple[str, int], int] = {}
    found = 0
    for record in records:
        key, written_us = (apps.topic(record[0]), apps.number(record[0])), story.written_us(record)
        found += written_us < newest.get(key, -1)
        newest[key] = max(written_us, newest.get(key, -1))
    return found


def _by_application(times: list[tuple[int, str]]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for t_us, name in times:
        found.setdefault(name, []).append(t_us)
    return found


def _longest_down_us(times: dict[str, list[int]]) -> int:
    """The downtime of the application with the longest one."""
    return max((_down_us(sorted(of_one)) for of_one in times.values()), default=0)


def _down_us(times: list[int]) -> int:
    gaps = [later - earlier for earlier, later in pairwise(times)]
    return sum(gap for gap in gaps if gap > THETA_US)
