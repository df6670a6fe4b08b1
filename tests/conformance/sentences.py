"""Sentences on numbers, records, waits and logs that differ from those of the runs: rules 4 to 7."""

from typing import Final

from simengine.recordings.model import OK, Call, LogRecord, RecordedFinalLog
from tests.conformance.cases import Case, Extent, either, span
from tests.conformance.consumers import PHANTOMS, READ, READ_AGAIN, Reading
from tests.conformance.endings import Ending
from tests.conformance.fates import (
    ABSENT,
    ACKED,
    EXTRA_COPIES,
    FAILED,
    KEPT,
    OUT_OF_ORDER,
    UNANSWERED,
    RecordedFate,
    RecordedFates,
)

WORDS: Final = {
    f"{ACKED}, {KEPT}": "acknowledged and kept",
    f"{ACKED}, {ABSENT}": "acknowledged, yet absent from the final log",
    f"{FAILED}, {KEPT}": "failed, yet in the final log",
    f"{FAILED}, {ABSENT}": "failed and absent from the final log",
    f"{UNANSWERED}, {KEPT}": "unanswered, yet in the final log",
    f"{UNANSWERED}, {ABSENT}": "unanswered and absent from the final log",
    PHANTOMS: "read, yet not in the final log at that offset",
}
READ_CATEGORIES: Final = (READ, READ_AGAIN, PHANTOMS)
# of several that disagree, the one that tells most; classes of exceptions come before what is last here
TELLING: Final = (f"{ACKED}, {ABSENT}", PHANTOMS, EXTRA_COPIES, OUT_OF_ORDER, READ_AGAIN, f"{FAILED}, {KEPT}")
TOLD_LAST: Final = (READ, f"{ACKED}, {KEPT}")


def telling(category: str) -> tuple[int, str]:
    """The place of a category among those that disagree, as a sort key."""
    if category in TELLING:
        return TELLING.index(category), category
    return len(TELLING) + (category in TOLD_LAST), category


def moment(category: str, real: RecordedFates | Reading, theirs: list[RecordedFates] | list[Reading]) -> float | None:
    """The time (s) at which the first record of a category was acknowledged, failed or read: really, or in the runs."""
    if category in real.extents:
        return _moment(real.extents[category].first)
    return min((_moment(other.extents[category].first) for other in theirs if category in other.extents), default=None)


def number(category: str, real: RecordedFates | Reading, theirs: list[RecordedFates] | list[Reading]) -> str:
    """The real number of records, which ones they are, and the number in the runs."""
    seen = [other.counts.get(category, 0) for other in theirs]
    extents = [other.extents[category] for other in theirs if category in other.extents]
    known = real.extents.get(category)
    really = f"really {real.counts.get(category, 0)} {WORDS.get(category, category)}{_which(known)}"
    return f"{really}; {span(seen, 'd')} in {len(seen)} runs{_when(extents, known)}"


def gap(left_out: Case) -> str:
    """The place where a consumer read on behind offsets that it had not read."""
    return f"the first left out stands before offset {left_out.offset}, read at {left_out.t:.2f} s"


def single(call: Call, fate: RecordedFate, seen: list[RecordedFate]) -> str:
    """The fate of a record that was sent alone, really and in the runs."""
    when = "" if call.done is None else f" at {call.done:.2f} s"
    ended = f"{_outcome(fate)}{when} with {_copies(fate)}"
    return f"record {call.value}, sent at {call.sent:.2f} s, really ended {ended}; in the runs {either(_fates(seen))}"


def category_of(fate: RecordedFate) -> str:
    """The category of rule 4 that a record's fate belongs to."""
    if fate.copies > 1:
        return EXTRA_COPIES
    outcome = ACKED if fate.outcome == OK else FAILED if fate.outcome else UNANSWERED
    return f"{outcome}, {KEPT if fate.copies else ABSENT}"


def parted_at(real: Ending, seen: list[Ending], log: RecordedFinalLog) -> LogRecord | None:
    """The first record of the epoch by which the final log leaves those of the runs; None: they only go on."""
    same = max(_alike(real.epochs, other.epochs) for other in seen)
    starts = [r for i, r in enumerate(log.records) if i == 0 or r.epoch != log.records[i - 1].epoch]
    return starts[same] if same < len(starts) else None


def epochs(real: Ending, seen: list[Ending], at: LogRecord | None, when: str) -> str:
    """The epochs of the final log, with ``at``, where they part from those of the runs, sent ``when``."""
    where = "" if at is None else f", parting at offset {at.offset} with record {at.value}{when}"
    theirs = either([_epochs(other) for other in seen])
    return f"the epochs of the final log really are {_epochs(real)}{where}; in the runs {theirs}"


def differing(real: Ending, seen: list[Ending], log: RecordedFinalLog) -> str:
    """The replicas that end unlike the leader's log, and from which offset on; and those that do in the runs."""
    found = [f"{broker} (from offset {_parting(log.records, log.different[broker])} on)" for broker in real.different]
    theirs = either([_brokers(other) for other in seen])
    return f"replicas that really end unlike the leader's: {', '.join(found) or 'none'}; in the runs {theirs}"


def _which(extent: Extent | None) -> str:
    if extent is None:
        return ""
    if extent.first == extent.last:
        return f": {_case(extent.first)}"
    return f": first {_case(extent.first)}, last {_case(extent.last)}"


def _case(case: Case) -> str:
    if case.done is None:
        place = "never answered" if case.offset is None else f"offset {case.offset}"
        return f"record {case.value} at {case.t:.2f} s ({place})"
    offset = "" if case.offset is None or case.offset < 0 else f" with offset {case.offset}"
    return f"record {case.value}, sent at {case.t:.2f} s, answered at {case.done:.2f} s{offset}"


def _when(extents: list[Extent], real: Extent | None) -> str:
    """The times of the records in the runs; "" where they have none."""
    if not extents:
        return ""
    first = f"the first at {span([extent.first.t for extent in extents])} s"
    last = f"the last at {span([extent.last.t for extent in extents])} s"
    return f", {first}" if real is None else f", {first}, {last}"


def _moment(case: Case) -> float:
    return case.t if case.done is None else case.done


def _fates(seen: list[RecordedFate]) -> list[str]:
    return ["not sent" if fate.outcome == "not sent" else f"{_outcome(fate)} with {_copies(fate)}" for fate in seen]


def _outcome(fate: RecordedFate) -> str:
    return fate.outcome or "unanswered"


def _copies(fate: RecordedFate) -> str:
    return f"{fate.copies} {'copy' if fate.copies == 1 else 'copies'}"


def _epochs(ending: Ending) -> str:
    return ", ".join(f"+{epoch}" for epoch in ending.epochs) or "none"


def _brokers(ending: Ending) -> str:
    return ", ".join(map(str, ending.different)) or "none"


def _alike(one: tuple[int, ...], other: tuple[int, ...]) -> int:
    """The number of epochs that are the same from the beginning on."""
    same = [a == b for a, b in zip(one, other, strict=False)]
    return same.index(False) if False in same else len(same)


def _parting(leader: tuple[LogRecord, ...], other: tuple[LogRecord, ...]) -> int:
    """The first offset at which two logs are not the same."""
    for one, two in zip(leader, other, strict=False):
        if one != two:
            return min(one.offset, two.offset)
    longer, shorter = (leader, other) if len(leader) > len(other) else (other, leader)
    return longer[len(shorter)].offset if len(longer) > len(shorter) else 0
