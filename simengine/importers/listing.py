"""Which header and which rows make one listing of a topic, when a paste holds several.

The last listing of a topic wins and listings are never merged: two moments put together would be a state that never
was. A header begins a listing, unless rows without one stand in front of it and no other text between (then it is
theirs); a row that repeats begins one if it is the first of the listing again, or if other lines stand between.
"""

from bisect import bisect_right
from dataclasses import dataclass, field, replace

from simengine.importers.model import Cluster, Row, Topic


@dataclass(slots=True)
class _Listing:
    topic: Topic
    header_line: int = 0  # 0: no header yet
    first_row: int = -1  # partition number
    last_line: int = 0
    header_behind_rows: bool = False


@dataclass(slots=True)
class Listings:
    """Collects headers and rows in the order of the paste. ``breaks``: numbers of the lines that are neither."""

    breaks: list[int] = field(default_factory=list)
    open: dict[str, _Listing] = field(default_factory=dict)
    replaced: dict[str, int] = field(default_factory=dict)  # topic -> how many listings were dropped
    repeated: list[Row] = field(default_factory=list)  # rows said twice within one listing

    def header(self, topic: Topic) -> None:
        """Take a header line; ``topic`` has no rows yet."""
        listing = self.open.get(topic.name)
        if listing is not None and not listing.header_line and not self._broken(listing.last_line, topic.line):
            listing.topic.declared, listing.topic.configs = topic.declared, topic.configs
            listing.topic.tells_configs, listing.topic.factor = topic.tells_configs, topic.factor
            listing.header_line, listing.header_behind_rows = topic.line, True
            return
        if listing is not None:
            self._drop(topic.name)
        self.open[topic.name] = _Listing(topic, header_line=topic.line, last_line=topic.line)

    def row(self, row: Row) -> None:
        """Take a partition row."""
        listing = self.open.get(row.topic)
        if listing is None:
            listing = self.open[row.topic] = _Listing(Topic(row.topic, line=row.line))
        elif row.number in listing.topic.rows:
            if self._begins_again(listing, row):
                listing = self._begin_again(listing)
            else:
                self.repeated.append(row)
        if not listing.topic.rows:
            listing.first_row = row.number
        listing.topic.rows[row.number] = row
        listing.last_line = row.line

    def cluster(self) -> Cluster:
        """The last listing of each topic, in the order of the paste."""
        return Cluster(topics={name: listing.topic for name, listing in self.open.items()})

    def _broken(self, first: int, last: int) -> bool:
        """Whether other text stands between two lines."""
        return bisect_right(self.breaks, first) < bisect_right(self.breaks, last)

    def _begins_again(self, listing: _Listing, row: Row) -> bool:
        return listing.header_behind_rows or row.number == listing.first_row or row.line > listing.last_line + 1

    def _begin_again(self, listing: _Listing) -> _Listing:
        """A listing of the same topic without a header in front of it; what the header said still holds."""
        old = listing.topic
        self._drop(old.name)
        fresh = _Listing(replace(old, rows={}), header_line=listing.header_line)
        self.open[old.name] = fresh
        return fresh

    def _drop(self, name: str) -> None:
        self.replaced[name] = self.replaced.get(name, 0) + 1
        del self.open[name]
