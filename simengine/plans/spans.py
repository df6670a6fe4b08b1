"""Values of ranges of numbers, such as offsets."""

from bisect import bisect_right
from typing import Final, Generic, TypeVar

Value = TypeVar("Value")
UNBOUNDED: Final = 1 << 62


class Spans(Generic[Value]):
    """Ranges that are added in rising order. A number keeps the range that it got first."""

    def __init__(self) -> None:
        self._starts: list[int] = []
        self._rows: list[tuple[int, int, Value]] = []  # from where the value counts, end, value
        self._end = 0

    def add(self, start: int, count: int, value: Value) -> None:
        """Add a range, without the numbers that are in one already."""
        end = start + count
        if end > self._end:
            self._starts.append(max(start, self._end))
            self._rows.append((start, end, value))
            self._end = end

    def find(self, number: int) -> tuple[int, int, Value | None]:
        """The place of a number in its range, for how many numbers from it on the answer is alike, and the value.

        None as the value: no range has it.
        """
        at = bisect_right(self._starts, number) - 1
        following = self._starts[at + 1] if at + 1 < len(self._starts) else UNBOUNDED
        if at < 0 or number >= self._rows[at][1]:
            return 0, following - number, None
        start, end, value = self._rows[at]
        return number - start, end - number, value
