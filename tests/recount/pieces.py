"""A log as pieces of records that one leader epoch wrote for one client, grown and cut by facts alone."""

from bisect import bisect_right

Piece = tuple[int, int, int, int, int]  # base, end, epoch, client, number of the first call
Spans = list[tuple[int, int]]


class Pieces:
    """One log, its pieces in the order of their offsets."""

    def __init__(self) -> None:
        self.pieces: list[Piece] = []

    def append(self, base: int, count: int, epoch: int, client: int, n: int) -> None:
        """Records were appended; those that go on with the last piece lengthen it."""
        if self.pieces:
            first, end, known, who, number = self.pieces[-1]
            if (end, known, who, number + end - first) == (base, epoch, client, n):
                self.pieces[-1] = first, base + count, epoch, client, number
                return
        self.pieces.append((base, base + count, epoch, client, n))

    def truncate(self, end: int) -> None:
        """The log was cut to ``end``."""
        while self.pieces and self.pieces[-1][1] > end:
            base, _, epoch, client, n = self.pieces.pop()
            if base < end:
                self.pieces.append((base, end, epoch, client, n))

    def begin_at(self, start: int) -> None:
        """Leave out the records below ``start`` from now on."""
        self.pieces = [
            (max(base, start), end, epoch, client, n + max(0, start - base))
            for base, end, epoch, client, n in self.pieces
            if end > start
        ]

    def lacks_calls(self, asked: list[tuple[int, int, int]]) -> Spans:
        """Of calls (client, first, end) those of which no record stands in the log, at whatever offset."""
        held: dict[int, Spans] = {}
        for base, end, _, client, n in self.pieces:
            held.setdefault(client, []).append((n, n + end - base))
        merged = {client: merge(spans) for client, spans in held.items()}
        return [span for client, low, high in asked for span in without((low, high), merged.get(client, []))]


def missing(asked: list[Piece], logs: list[Pieces]) -> Spans:
    """The records of some pieces that none of the logs has at their offsets and epoch."""
    held: dict[tuple[int, int, int], Spans] = {}
    for log in logs:
        for base, end, epoch, client, n in log.pieces:
            held.setdefault((epoch, client, n - base), []).append((base, end))
    merged = {key: merge(spans) for key, spans in held.items()}
    return [
        span
        for base, end, epoch, client, n in asked
        for span in without((base, end), merged.get((epoch, client, n - base), []))
    ]


def merge(spans: Spans) -> Spans:
    """The same numbers as sorted spans that neither overlap nor touch."""
    merged: Spans = []
    for first, end in sorted(spans):
        if merged and first <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        else:
            merged.append((first, end))
    return merged


def without(span: tuple[int, int], held: Spans) -> Spans:
    """The parts of a span that lie in none of some merged spans."""
    low, end = span
    found: Spans = []
    begin = max(0, bisect_right(held, (low, low)) - 1)  # the last span that may begin at or before ``low``
    for at in range(begin, len(held)):
        first, last = held[at]
        if last <= low:
            continue
        if first >= end:
            break
        if low < first:
            found.append((low, first))
        low = max(low, last)
    if low < end:
        found.append((low, end))
    return found
