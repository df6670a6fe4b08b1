"""The partitions of a paste that lists some of them several times: of each partition the last row counts.

A later listing need not hold all partitions (a filter, ``grep``, ``head``): those that it leaves out stay as an earlier
one showed them. A header with another TopicId is another topic of that name, and one with a smaller PartitionCount has
no partitions beyond it. A header belongs to the rows in front of it if they have none and no other text is between.
"""

from bisect import bisect_right
from dataclasses import dataclass, field, replace
from heapq import heappop, heappush

from simengine.importers.model import PastedCluster, PastedPartition, PastedTopic


@dataclass(slots=True)
class _Listing:
    topic: PastedTopic
    topic_id: str = ""
    header_line: int = 0  # 0: no header yet
    since: int = 0  # where its last listing begins
    first_row: int = -1  # partition number
    numbers: list[int] = field(default_factory=list)  # a heap of the partition numbers, negative: the largest first
    first_line: int = 0  # of its first header or row
    last_line: int = 0
    times: int = 1  # how often the topic was listed
    moment: int = 0


@dataclass(slots=True)
class Listings:
    """Collects headers and rows in the order of the paste. ``breaks``: numbers of the lines that are neither."""

    breaks: list[int] = field(default_factory=list)
    open: dict[str, _Listing] = field(default_factory=dict)
    repeated: list[PastedPartition] = field(default_factory=list)  # rows said twice within one listing
    moment: int = 0  # how often any topic was listed again
    changed: list[tuple[PastedPartition, PastedPartition]] = field(
        default_factory=list
    )  # a row, and a later one that says something else

    def header(self, topic: PastedTopic, topic_id: str = "") -> None:
        """Take a header line; ``topic`` has no rows yet."""
        listing = self.open.get(topic.name)
        if listing is None:
            self.open[topic.name] = _Listing(topic, topic_id, topic.line, moment=self.moment)
            self.open[topic.name].first_line = self.open[topic.name].last_line = topic.line
            return
        is_behind = not listing.header_line and self.is_one_text(listing.last_line, topic.line)
        if not is_behind:
            self._begin(listing)
            listing.first_row = -1
            another_id = topic_id and listing.topic_id and topic_id != listing.topic_id
            if another_id:
                listing.topic.rows = {}
                listing.numbers.clear()
            elif topic.declared is not None:
                drop_beyond(listing.topic.rows, listing.numbers, topic.declared)
            listing.topic.line = topic.line
        listing.topic.declared, listing.topic.configs = topic.declared, topic.configs
        listing.topic.tells_configs, listing.topic.factor = topic.tells_configs, topic.factor
        listing.topic_id = topic_id or listing.topic_id
        listing.header_line = listing.last_line = topic.line
        if not is_behind:
            listing.since = topic.line

    def row(self, row: PastedPartition) -> PastedPartition:
        """Take a partition row; the same with its moment comes back."""
        listing = self.open.get(row.topic)
        if listing is None:
            listing = self.open[row.topic] = _Listing(PastedTopic(row.topic, line=row.line), moment=self.moment)
            listing.first_line = row.line
        before = listing.topic.rows.get(row.number)
        if before is not None:
            self._again(listing, before, row)
        row = row if row.moment == self.moment else replace(row, moment=self.moment)
        if listing.first_row < 0:
            listing.first_row = row.number
        if before is None:
            heappush(listing.numbers, -row.number)
        listing.topic.rows[row.number] = row
        listing.last_line = row.line
        return row

    def _again(self, listing: _Listing, before: PastedPartition, row: PastedPartition) -> None:
        """A row of a partition that was listed before: in this listing, or in one above."""
        is_new = before.line < listing.since
        if not is_new and (row.number == listing.first_row or row.line > listing.last_line + 1):
            self._begin(listing)
            listing.first_row, listing.since = row.number, row.line
        elif not is_new:
            self.repeated.append(row)
        if (before.leader, before.isr, before.replicas) != (row.leader, row.isr, row.replicas):
            self.changed.append((before, row))

    def _begin(self, listing: _Listing) -> None:
        """A topic is listed again: a later moment, unless it only follows others that are listed again."""
        listing.times += 1
        if listing.moment == self.moment:
            self.moment += 1
        listing.moment = self.moment

    def cluster(self) -> PastedCluster:
        """The topics with the last row of each partition, in the order of the paste."""
        return PastedCluster(topics={name: listing.topic for name, listing in self.open.items()})

    @property
    def times(self) -> dict[str, int]:
        """The number of times each topic is listed, for those listed more than once."""
        return {name: listing.times for name, listing in self.open.items() if listing.times > 1}

    @property
    def first_line(self) -> int:
        """The number of the first line of any header or row."""
        return min((listing.first_line for listing in self.open.values()), default=0)

    @property
    def last_line(self) -> int:
        """The number of the last line of any header or row."""
        return max((listing.last_line for listing in self.open.values()), default=0)

    def replace(self, row: PastedPartition, better: PastedPartition) -> None:
        """Put a row that is read otherwise in the place of what it was, if that still counts."""
        rows = self.open[row.topic].topic.rows
        if rows.get(row.number) is row:
            rows[row.number] = better

    def is_one_text(self, first: int, last: int) -> bool:
        """True if no other text stands between two lines."""
        return bisect_right(self.breaks, first) == bisect_right(self.breaks, last)


def drop_beyond(rows: dict[int, PastedPartition], numbers: list[int], declared: int) -> None:
    """Take out the rows whose number is none of the first ``declared``; ``numbers``: a heap of them, negative."""
    while numbers and -numbers[0] >= declared:
        rows.pop(-heappop(numbers), None)
