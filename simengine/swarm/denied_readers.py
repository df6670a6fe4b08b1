"""How long records waited for their readers: those that were handed over, and those that a reader still waits for."""

from bisect import bisect_left, bisect_right

Key = tuple[int, int]


class DeniedReaders:
    """Reads appends, positions and deliveries from a run's facts."""

    def __init__(self) -> None:
        self._since: dict[Key, int] = {}  # by consumer and partition: since when it reads
        self._next: dict[Key, int] = {}  # the offset it is to get next
        self._appended: dict[Key, tuple[int, list[int], list[int]]] = {}  # by partition and epoch: leader, bases, times
        self._late_us: dict[int, int] = {}  # by partition: the longest from an append to a delivery

    def appended(self, t: int, broker: int, p: int, base: int, epoch: int) -> None:
        """Records were appended to a log; who appends first in an epoch leads it (LOG-1)."""
        leader, bases, times = self._appended.setdefault((p, epoch), (broker, [], []))
        if leader == broker and (not bases or base > bases[-1]):
            bases.append(base)
            times.append(t)

    def ended(self, client: int) -> None:
        """A client was closed, crashed or opened."""
        self._since = {key: since for key, since in self._since.items() if key[0] != client}

    def moved(self, t: int, client: int, p: int, position: int) -> None:
        """A consumer reads from a position, or no more (-1)."""
        if position < 0:
            self._since.pop((client, p), None)
        else:
            self._since.setdefault((client, p), t)
            self._next[client, p] = position

    def reset(self, t: int, client: int, p: int, position: int) -> None:
        """A consumer was sent to another position."""
        self._since[client, p] = t
        self._next[client, p] = position

    def delivered(self, t: int, client: int, p: int, offset: int, count: int, epoch: int) -> None:
        """A consumer was handed records."""
        _, bases, times = self._appended.get((p, epoch), (-1, [], []))
        index = bisect_right(bases, offset) - 1
        since = self._since.get((client, p))
        if index >= 0 and since is not None:
            self._late_us[p] = max(self._late_us.get(p, 0), t - max(times[index], since))
        self._next[client, p] = offset + count

    def late_us(self, p: int, epoch: int, now: int) -> int:
        """The longest that a record waited for its reader; of those still out, the ones of the leader's epoch."""
        _, bases, times = self._appended.get((p, epoch), (-1, [], []))
        longest = self._late_us.get(p, 0)
        for (client, q), since in self._since.items():
            index = bisect_left(bases, self._next[client, p]) if q == p else len(bases)
            if index < len(bases):
                longest = max(longest, now - max(times[index], since))
        return longest
