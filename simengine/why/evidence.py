"""Who acknowledged the lost records, when, and what was appended at their offsets: from the traffic (``again``)."""

from dataclasses import dataclass, field
from typing import Any

from simengine.kernel.errors import ERR_NONE
from simengine.kernel.facts import APPENDED, CALLS_SETTLED
from simengine.verdict.presence import Spans, cut_out, within

Row = list[Any]  # a fact as ``facts.KINDS`` names its values


@dataclass(frozen=True, slots=True)
class Records:
    """Records base .. end-1 that leader epoch ``epoch`` wrote to partition ``p``."""

    p: int
    base: int
    end: int
    epoch: int

    def overlaps(self, other: "Records") -> bool:
        """Whether some record is in both."""
        return self.epoch == other.epoch and self.meets(other)

    def meets(self, other: "Records") -> bool:
        """Whether both have an offset in common, whatever stands there."""
        return self.p == other.p and self.base < other.end and other.base < self.end


@dataclass(frozen=True, slots=True)
class Seen:
    """Something that happened to records: an acknowledgement, or an append to a broker's log."""

    seq: int
    t: int
    who: int  # the broker that appended, or the producer that was answered
    records: Records


@dataclass(slots=True)
class Evidence:
    """Acknowledgements of the records in question, and appends of any epoch at their offsets, in order."""

    acks: list[Seen] = field(default_factory=list)
    appends: list[Seen] = field(default_factory=list)

    def acks_of(self, records: Records) -> list[Seen]:
        """Acknowledgements of some of the records."""
        return [ack for ack in self.acks if ack.records.overlaps(records)]

    def had(self, broker: int, records: Records, before: int) -> Seen | None:
        """The newest append of some of the records to a broker's log."""
        for seen in reversed(self.appends):
            if seen.seq < before and seen.who == broker and seen.records.overlaps(records):
                return seen
        return None

    def standing(self, broker: int, p: int, spans: Spans, after: int, before: int) -> dict[int, Spans]:
        """What a broker appended last between two facts to each of some offsets: epoch -> offsets base .. end-1.

        Where its log still reaches beyond them that is what stands there: a log is written at its end only (LOG-9).
        """
        found: dict[int, Spans] = {}
        for seen in reversed(self.appends):
            if seen.seq <= after or not spans:
                break
            new = seen.records
            if seen.seq < before and seen.who == broker and new.p == p:
                for low, high in within(spans, new.base, new.end):
                    found.setdefault(new.epoch, []).append((low, high))
                spans = cut_out(spans, new.base, new.end)
        return found


class Gatherer:
    """Collects evidence about wanted records from the traffic of a run."""

    kinds: tuple[int, ...] = (CALLS_SETTLED, APPENDED)

    def __init__(self, wanted: list[Records]) -> None:
        self.found = Evidence()
        self._by_partition: dict[int, list[Records]] = {}
        for records in wanted:
            self._by_partition.setdefault(records.p, []).append(records)

    def feed(self, row: Row) -> None:
        """Note a fact if it is about wanted records."""
        if row[2] not in self.kinds:
            return
        is_ack = row[2] == CALLS_SETTLED
        seen = _settled(row) if is_ack else _appended(row)
        if seen is None:
            return
        wanted = self._by_partition.get(seen.records.p, [])
        if any(one.overlaps(seen.records) if is_ack else one.meets(seen.records) for one in wanted):
            (self.found.acks if is_ack else self.found.appends).append(seen)


def _settled(row: Row) -> Seen | None:
    seq, t, _, _, client, p, _, count, offset, epoch, error = row
    if error != ERR_NONE or offset < 0:
        return None
    return Seen(seq, t, client, Records(p, offset, offset + count, epoch))


def _appended(row: Row) -> Seen:
    seq, t, _, _, broker, p, base, count, epoch = row[:9]
    return Seen(seq, t, broker, Records(p, base, base + count, epoch))
