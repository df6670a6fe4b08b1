"""The fates of the calls of each producer on each partition (rule 4), and how long they waited (rule 5)."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from simengine.recordings.model import OK, Call, RecordedAction, Recording, SetupStep
from simengine.recordings.values import Pair
from tests.conformance.cases import NO_WAIT, Case, Cases, CaseWait, Counts, Extent

ACKED: Final = "acked"
FAILED: Final = "failed"
UNANSWERED: Final = "unanswered"
KEPT: Final = "kept"
ABSENT: Final = "absent"
EXTRA_COPIES: Final = "extra copies"
OUT_OF_ORDER: Final = "out of order"


class RecordedFate(NamedTuple):
    """The fate of one call: its outcome ("" = no callback) and the number of its copies in the final log."""

    outcome: str
    copies: int


class RecordedWait(NamedTuple):
    """A time (s) in which some call was outstanding and no acknowledgement came; until None: no call has ended it."""

    since: float
    until: float | None
    is_acked: bool  # an acknowledgement ended it, not a failure


class RecordedFates(NamedTuple):
    """Of one producer on one partition: counts by category, the fate of each single record, the longest wait.

    ``extents``: the first and the last record of each category; no rule looks at them, sentences name them.
    """

    counts: Counts
    single: dict[str, RecordedFate]
    wait: CaseWait
    extents: dict[str, Extent]


def fates(recording: Recording, end: float) -> dict[Pair, RecordedFates]:
    """The fates of each producer on each partition it wrote to; ``end`` (s) closes the waits still open."""
    calls: dict[Pair, list[Call]] = {}
    for call in recording.produce:
        calls.setdefault((call.client, call.partition), []).append(call)
    single = sent_singly(recording)
    copies = {partition: _copies(recording, partition) for _, partition in calls}
    return {pair: _fates(of_one, copies[pair[1]], single.get(pair, {}), end) for pair, of_one in calls.items()}


def sent_singly(recording: Recording) -> dict[Pair, dict[str, None]]:
    """The values that the script sent one by one (``send``), by producer and partition."""
    values: dict[Pair, dict[str, None]] = {}
    steps: list[SetupStep | RecordedAction] = [*recording.setup, *recording.actions]
    for step in steps:
        named, sent = step.details.get("args"), step.details.get("values")
        if step.verb == "send" and isinstance(named, list) and named and isinstance(sent, list):
            pair = (str(named[0]), f"{step.details.get('topic')}-{step.details.get('partition', 0)}")
            values.setdefault(pair, {}).update(dict.fromkeys(str(value) for value in sent))
    return values


def waits(calls: list[Call]) -> Iterator[RecordedWait]:
    """The waits for acknowledgements that calls ended, in order, and the one that is open after the last of them."""
    moments = [(call.sent, 0, False) for call in calls]
    moments += [(call.done, 1, call.outcome == OK) for call in calls if call.done is not None]
    moments.sort()
    outstanding = 0
    since = 0.0
    for t, kind, is_acked in moments:
        if kind == 0:
            since = since if outstanding else t
            outstanding += 1
            continue
        yield RecordedWait(since, t, is_acked)
        outstanding -= 1
        since = t if is_acked else since
    if outstanding:
        yield RecordedWait(since, None, is_acked=False)


def longest_wait(calls: list[Call], end: float) -> CaseWait:
    """The longest time that some call was outstanding and no acknowledgement came, up to ``end`` (s)."""
    found = (
        CaseWait((end if wait.until is None else wait.until) - wait.since, wait.since, "") for wait in waits(calls)
    )
    longest = max(found, key=lambda wait: wait.seconds, default=NO_WAIT)
    return longest._replace(record=_waiting(calls, longest.since))


def _waiting(calls: list[Call], t: float) -> str:
    """The record that had waited longest at time t (s)."""
    outstanding = (call for call in calls if call.sent <= t and (call.done is None or call.done > t))
    oldest = min(outstanding, key=lambda call: call.sent, default=None)
    return "" if oldest is None else oldest.value


def _copies(recording: Recording, partition: str) -> dict[str, list[int]]:
    """The places of each value in the final log of a partition."""
    places: dict[str, list[int]] = {}
    if partition in recording.logs:
        for place, record in enumerate(recording.logs[partition].records):
            places.setdefault(record.value, []).append(place)
    return places


def _fates(calls: list[Call], places: dict[str, list[int]], single: dict[str, None], end: float) -> RecordedFates:
    cases = Cases()
    kept: list[Case] = []
    firsts: list[int] = []
    for call in calls:
        found = places.get(call.value, [])
        case = Case(call.value, call.sent, call.done, call.offset)
        if found:
            kept.append(case)
            firsts.append(found[0])
        fate = UNANSWERED if call.outcome is None else ACKED if call.outcome == OK else FAILED
        cases.add(f"{fate}, {KEPT if found else ABSENT}", case)
        if fate == FAILED:
            cases.add(str(call.outcome), case)
        if len(found) > 1:
            cases.add(EXTRA_COPIES, case, len(found) - 1)
    for sent in _out_of_order(firsts):
        cases.add(OUT_OF_ORDER, kept[sent])
    fate_of = {
        call.value: RecordedFate(call.outcome or "", len(places.get(call.value, [])))
        for call in calls
        if call.value in single
    }
    return RecordedFates(cases.counts, fate_of, longest_wait(calls, end), cases.extents)


def _out_of_order(places: list[int]) -> list[int]:
    """The records (indices), in the order of the log, that come after one that was sent later."""
    newest = -1
    behind = []
    for sent in sorted(range(len(places)), key=places.__getitem__):
        if sent < newest:
            behind.append(sent)
        newest = max(newest, sent)
    return behind
