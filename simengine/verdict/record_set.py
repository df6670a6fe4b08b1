"""Sets of records of one partition, whoever sent them and in whichever mode: those kept, those lost."""

from typing import final

from mypy_extensions import i64, mypyc_attr

from simengine.verdict.presence import Spans


@mypyc_attr(acyclic=True)
@final
class Span:
    """Records base .. end-1 of one leader epoch."""

    __slots__ = ("base", "end", "epoch")

    def __init__(self, base: i64, end: i64, epoch: i64) -> None:
        self.base: i64 = base
        self.end: i64 = end
        self.epoch: i64 = epoch

    def is_before(self, epoch: i64, base: i64) -> bool:
        """True if the span stands before records of ``epoch`` that begin at ``base``."""
        return self.epoch < epoch or (self.epoch == epoch and self.base < base)


@mypyc_attr(acyclic=True)
@final
class RecordSet:
    """Spans by epoch and offset, those that touch made one: few, as records are acknowledged about in their order."""

    __slots__ = ("_spans",)

    def __init__(self) -> None:
        self._spans: list[Span] = []

    def add(self, base: i64, end: i64, epoch: i64) -> None:
        """Put records in."""
        spans = self._spans
        i = len(spans)
        while i > 0 and not spans[i - 1].is_before(epoch, base):
            i -= 1
        if i > 0 and spans[i - 1].epoch == epoch and spans[i - 1].end >= base:
            i -= 1
            spans[i].end = max(spans[i].end, end)
        else:
            spans.insert(i, Span(base, end, epoch))
        while i + 1 < len(spans) and spans[i + 1].epoch == epoch and spans[i + 1].base <= spans[i].end:
            spans[i].end = max(spans[i].end, spans.pop(i + 1).end)

    def drop(self, base: i64, end: i64, epoch: i64) -> None:
        """Take records out."""
        spans = self._spans
        i = len(spans) - 1
        while i >= 0 and spans[i].epoch >= epoch:
            span = spans[i]
            if span.epoch == epoch and span.base < end and base < span.end:
                spans.pop(i)
                if end < span.end:
                    spans.insert(i, Span(end, span.end, epoch))
                if span.base < base:
                    spans.insert(i, Span(span.base, base, epoch))
            i -= 1

    def spans(self) -> list[tuple[int, int, int]]:
        """All records that are in it: base, end and epoch of each span, by epoch and offset."""
        return [(int(span.base), int(span.end), int(span.epoch)) for span in self._spans]

    def parts(self, base: i64, end: i64, epoch: i64) -> Spans:
        """The records base .. end-1 of an epoch that are in the set, as spans of offsets."""
        found: Spans = []
        i = len(self._spans)
        while i > 0 and not self._spans[i - 1].is_before(epoch, end):
            i -= 1
        while i > 0 and self._spans[i - 1].epoch == epoch and self._spans[i - 1].end > base:
            i -= 1
            found.append((int(max(self._spans[i].base, base)), int(min(self._spans[i].end, end))))
        found.reverse()
        return found

    def has(self, offset: i64, epoch: i64) -> bool:
        """True if the record that ``epoch`` wrote at ``offset`` is in the set."""
        i = len(self._spans) - 1
        while i >= 0 and self._spans[i].epoch >= epoch:
            span = self._spans[i]
            if span.epoch == epoch and span.base <= offset < span.end:
                return True
            i -= 1
        return False

    def newest(self, below: i64) -> tuple[i64, i64]:
        """End and epoch of the newest records below an offset; 0 and -1 for none."""
        i = len(self._spans) - 1
        while i >= 0:
            span = self._spans[i]
            if span.base < below:
                return min(span.end, below), span.epoch
            i -= 1
        return 0, -1

    def oldest_epoch(self) -> i64:
        """The lowest epoch of which it has records; -1 for none."""
        return self._spans[0].epoch if self._spans else -1

    def within(self, low: i64, high: i64) -> tuple[i64, i64]:
        """The number of records from one offset up to another, and one past the last of them (0: there is none)."""
        count: i64 = 0
        end: i64 = 0
        for span in self._spans:
            first, last = max(span.base, low), min(span.end, high)
            if first < last:
                count += last - first
                end = max(end, last)
        return count, end
