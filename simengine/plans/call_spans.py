"""Sets of ``send()`` calls, kept as ranges: a pasted log holds a hundred thousand records that all are of one kind."""

from collections import defaultdict

from simengine.plans.story import Call
from simengine.verdict.presence import joined, length, within

Part = tuple[Call, int]  # consecutive calls of one producer to one partition: the first, and how many
Span = tuple[int, int]


class CallSpans:
    """Calls by partition and producer. ``added`` counts a call as often as it was added, ``count`` once."""

    def __init__(self) -> None:
        self._spans: defaultdict[tuple[int, int], list[Span]] = defaultdict(list)
        self.added = 0

    def add(self, part: Part) -> None:
        """Add consecutive calls."""
        (p, client, n), count = part
        self._spans[p, client].append((n, n + count))
        self.added += count

    def update(self, other: "CallSpans") -> None:
        """Add all calls of another set."""
        for key, spans in other._spans.items():
            self._spans[key] += spans
        self.added += other.added

    def count(self) -> int:
        """The number of different calls."""
        return sum(length(joined(spans)) for spans in self._spans.values())

    def common(self, other: "CallSpans") -> "CallSpans":
        """The calls that are in both."""
        found = CallSpans()
        for key in self._spans.keys() & other._spans.keys():
            there = joined(other._spans[key])
            for low, high in joined(self._spans[key]):
                for start, end in within(there, low, high):
                    found.add(((*key, start), end - start))
        return found
