"""The waits of records for their readers: of those that were handed over and of those that a reader still misses."""

from bisect import bisect_left, bisect_right

from simengine.facts.decisive import ConsumerReset
from simengine.facts.traffic import Appended, ConsumerMoved, Delivered

Key = tuple[int, int]


class DeniedReaders:
    """Reads appends, positions and deliveries from a run's facts."""

    def __init__(self) -> None:
        self._since: dict[Key, int] = {}  # by consumer and partition: since when it reads
        self._next: dict[Key, int] = {}  # the offset it is to get next
        self._appended: dict[Key, tuple[int, list[int], list[int]]] = {}  # by partition and epoch: leader, bases, times
        self._late_us: dict[int, int] = {}  # by partition: the longest from an append to a delivery

    def appended(self, fact: Appended) -> None:
        """Records were appended to a log; who appends first in an epoch leads it (LOG-1)."""
        leader, bases, times = self._appended.setdefault((fact.p, fact.epoch), (fact.broker, [], []))
        if leader == fact.broker and (not bases or fact.base > bases[-1]):
            bases.append(fact.base)
            times.append(fact.t)

    def ended(self, client: int) -> None:
        """A client was closed, crashed or opened."""
        self._since = {key: since for key, since in self._since.items() if key[0] != client}

    def moved(self, fact: ConsumerMoved) -> None:
        """A consumer reads from a position, or no more (-1)."""
        key = fact.client, fact.p
        if fact.position < 0:
            self._since.pop(key, None)
        else:
            self._since.setdefault(key, fact.t)
            self._next[key] = fact.position

    def reset(self, fact: ConsumerReset) -> None:
        """A consumer was sent to another position."""
        self._since[fact.client, fact.p] = fact.t
        self._next[fact.client, fact.p] = fact.new

    def delivered(self, fact: Delivered) -> None:
        """A consumer was handed records."""
        p, key = fact.p, (fact.client, fact.p)
        _, bases, times = self._appended.get((p, fact.epoch), (-1, [], []))
        index = bisect_right(bases, fact.offset) - 1
        since = self._since.get(key)
        if index >= 0 and since is not None:
            self._late_us[p] = max(self._late_us.get(p, 0), fact.t - max(times[index], since))
        self._next[key] = fact.offset + fact.count

    def late_us(self, p: int, epoch: int, now: int) -> int:
        """The longest that a record waited for its reader; of those still out, the ones of the leader's epoch."""
        _, bases, times = self._appended.get((p, epoch), (-1, [], []))
        longest = self._late_us.get(p, 0)
        for (client, q), since in self._since.items():
            index = bisect_left(bases, self._next[client, p]) if q == p else len(bases)
            if index < len(bases):
                longest = max(longest, now - max(times[index], since))
        return longest
