"""A range of facts that somebody asks for: its rows, if one response carries them, and how many there must be."""

from bisect import bisect_right
from typing import Final, NamedTuple

from playground.rooms.streams import STATE, Row, state_rows

MARK_EVERY_US: Final = 1_000_000


class FactRange(NamedTuple):
    """Facts of a stream with from_us < t <= to_us; ``most``: facts of all streams that it may hold."""

    from_us: int
    to_us: int
    stream: str
    most: int


class FactCollection:
    """The facts of a range, added in order; none are kept once there are too many."""

    def __init__(self, wanted: FactRange) -> None:
        self.wanted = wanted
        self.number = 0  # facts of all streams
        self.rows: list[Row] = []

    def add(self, rows: list[Row]) -> None:
        """Facts that were stated, also before and after the range."""
        new = [row for row in rows if self.wanted.from_us < row[1] <= self.wanted.to_us]  # type: ignore[operator]
        self.number += len(new)
        if self.is_too_many():
            self.rows.clear()
        else:
            self.rows.extend(state_rows(new) if self.wanted.stream == STATE else new)

    def is_too_many(self) -> bool:
        """True if the range is refused: the rest of it need not be looked at."""
        return self.number > self.wanted.most


class FactMarks:
    """Counts of facts at some moments of a run, by which the size of a range is known before it is computed."""

    def __init__(self) -> None:
        self._moments: list[int] = []
        self._seqs: list[int] = []

    def note(self, t_us: int, seq: int) -> None:
        """The newest fact at ``t_us``, where the run is now, is ``seq``."""
        if not self._moments or t_us - self._moments[-1] >= MARK_EVERY_US:
            self._moments.append(t_us)
            self._seqs.append(seq)

    def at_least(self, from_us: int, to_us: int) -> int:
        """A lower bound of the number of facts of all streams with from_us < t <= to_us."""
        first, end = bisect_right(self._moments, from_us), bisect_right(self._moments, to_us)
        return self._seqs[end - 1] - self._seqs[first] if first < end else 0
