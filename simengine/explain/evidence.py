"""The acknowledgements of the lost records, and appends at their offsets, from a `replay_with_traffic`."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from simengine.facts.errors import ERR_NONE
from simengine.facts.traffic import Appended, CallsSettled
from simengine.verdict.presence import Spans, joined, within


@dataclass(frozen=True, slots=True)
class Records:
    """Records base .. end-1 that leader epoch ``epoch`` wrote to partition ``p``."""

    p: int
    base: int
    end: int
    epoch: int

    def overlaps(self, other: "Records") -> bool:
        """True if some record is in both."""
        same = self.p == other.p and self.epoch == other.epoch
        return same and self.base < other.end and other.base < self.end


class WantedRecords:
    """Records to be asked about again and again, however many ranges they come in."""

    def __init__(self, records: Iterable[Records] = ()) -> None:
        self._by_epoch: dict[tuple[int, int], Spans] = {}
        self._by_partition: dict[int, Spans] = {}
        for one in records:
            self._by_epoch.setdefault((one.p, one.epoch), []).append((one.base, one.end))
            self._by_partition.setdefault(one.p, []).append((one.base, one.end))
        self._by_epoch = {key: joined(spans) for key, spans in self._by_epoch.items()}
        self._by_partition = {p: joined(spans) for p, spans in self._by_partition.items()}

    def overlap(self, records: Records) -> bool:
        """True if some record is in both."""
        return bool(within(self._by_epoch.get((records.p, records.epoch), []), records.base, records.end))

    def meet(self, records: Records) -> bool:
        """True if both have an offset in common, even with different records."""
        return bool(within(self._by_partition.get(records.p, []), records.base, records.end))


@dataclass(frozen=True, slots=True)
class RecordEvent:
    """Something that happened to records: an acknowledgement, or an append to a broker's log."""

    seq: int
    t: int
    who: int  # the broker that appended, or the producer that was answered
    records: Records

    def of(self, who: int) -> "RecordEvent":
        """The same, as what somebody else heard of."""
        return replace(self, who=who)


@dataclass(slots=True)
class RecordEvidence:
    """Acknowledgements of the records in question, and appends of any epoch at their offsets, in order."""

    acks: list[RecordEvent] = field(default_factory=list)
    appends: list[RecordEvent] = field(default_factory=list)

    def acks_of(self, records: Iterable[Records]) -> list[RecordEvent]:
        """Acknowledgements of some of the records, in order."""
        wanted = WantedRecords(records)
        return [ack for ack in self.acks if wanted.overlap(ack.records)]

    def had(self, broker: int, records: Iterable[Records], before: int) -> RecordEvent | None:
        """The newest append of some of the records to a broker's log."""
        wanted = WantedRecords(records)
        own = (seen for seen in reversed(self.appends) if seen.seq < before and seen.who == broker)
        return next((seen for seen in own if wanted.overlap(seen.records)), None)

    def led(self, p: int, epoch: int) -> dict[int, RecordEvent]:
        """The appends of an epoch's leader, which appends first (LOG-1), by the first offset of each batch."""
        found: dict[int, RecordEvent] = {}
        for seen in self.appends:
            if (seen.records.p, seen.records.epoch) == (p, epoch):
                found.setdefault(seen.records.base, seen)
        return found


class Gatherer:
    """Collects evidence about wanted records from the traffic of a run."""

    kinds: tuple[int, ...] = (CallsSettled.KIND, Appended.KIND)

    def __init__(self, wanted: Iterable[Records]) -> None:
        self.found = RecordEvidence()
        self._wanted = WantedRecords(wanted)

    def feed(self, fact: object) -> None:
        """Note a fact if it is about wanted records."""
        if isinstance(fact, CallsSettled):
            ack = _settled(fact)
            if ack is not None and self._wanted.overlap(ack.records):
                self.found.acks.append(ack)
        elif isinstance(fact, Appended) and self._wanted.meet((appended := _appended(fact)).records):
            self.found.appends.append(appended)


def _settled(fact: CallsSettled) -> RecordEvent | None:
    if fact.error != ERR_NONE or fact.offset < 0:
        return None
    records = Records(fact.p, fact.offset, fact.offset + fact.count, fact.epoch)
    return RecordEvent(fact.seq, fact.t, fact.client, records)


def _appended(fact: Appended) -> RecordEvent:
    return RecordEvent(fact.seq, fact.t, fact.broker, Records(fact.p, fact.base, fact.base + fact.count, fact.epoch))
