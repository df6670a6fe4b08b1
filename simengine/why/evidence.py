"""Who acknowledged the lost records and when, and whose logs had them, as the traffic of the run tells (``again``)."""

from dataclasses import dataclass, field
from typing import Any

from simengine.kernel.errors import ERR_NONE
from simengine.kernel.facts import APPENDED, CALLS_SETTLED

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
        return (self.p, self.epoch) == (other.p, other.epoch) and self.base < other.end and other.base < self.end


@dataclass(frozen=True, slots=True)
class Seen:
    """Something that happened to records: an acknowledgement, or an append to a broker's log."""

    seq: int
    t: int
    who: int  # the broker that appended, or the producer that was answered
    records: Records


@dataclass(slots=True)
class Evidence:
    """Acknowledgements and appends of the records in question, in order."""

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
        seen = _settled(row) if row[2] == CALLS_SETTLED else _appended(row)
        if seen is not None and any(seen.records.overlaps(one) for one in self._by_partition.get(seen.records.p, [])):
            (self.found.acks if row[2] == CALLS_SETTLED else self.found.appends).append(seen)


def _settled(row: Row) -> Seen | None:
    seq, t, _, _, client, p, _, count, offset, epoch, error = row
    if error != ERR_NONE or offset < 0:
        return None
    return Seen(seq, t, client, Records(p, offset, offset + count, epoch))


def _appended(row: Row) -> Seen:
    seq, t, _, _, broker, p, base, count, epoch = row[:9]
    return Seen(seq, t, broker, Records(p, base, base + count, epoch))
