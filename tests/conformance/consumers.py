"""The reads of each consumer on each partition (rule 6)."""

from typing import Final, NamedTuple

from simengine.recordings.model import CONSUMER, Read, Recording
from simengine.recordings.values import Pair
from tests.conformance.cases import Case, Cases, CaseWait, Counts, Extent

READ: Final = "offsets read"
READ_AGAIN: Final = "offsets read again"
PHANTOMS: Final = "phantoms"


class Reading(NamedTuple):
    """Of one consumer on one partition: counts by category, and the longest time without a record.

    No rule looks at these, sentences name them: ``extents``, the first and the last record of each category, and
    ``left_out``, the first record read behind offsets that nothing read and that stand in the final log.
    """

    counts: Counts
    wait: CaseWait
    extents: dict[str, Extent]
    left_out: Case | None


def readings(recording: Recording, end: float) -> dict[Pair, Reading]:
    """The reads of each consumer on each partition that it was given or got, up to ``end`` (s)."""
    reads: dict[Pair, list[Read]] = {}
    for client in recording.clients:
        if client.kind == CONSUMER:
            for topic, number in client.assign:
                reads[client.id, f"{topic}-{number}"] = []
    for read in recording.reads:
        reads.setdefault((read.client, read.partition), []).append(read)
    opened = _opened(recording)
    return {pair: _reading(of_one, recording, opened.get(pair[0], 0.0), end) for pair, of_one in reads.items()}


def exceptions(recording: Recording) -> dict[str, dict[str, float]]:
    """The classes of exception that each consumer's poll threw, ascending, each with the time (s) of its first."""
    thrown: dict[str, dict[str, float]] = {c.id: {} for c in recording.clients if c.kind == CONSUMER}
    for event in recording.client_events:
        if event.kind == "error" and event.client in thrown:
            thrown[event.client].setdefault(str(event.details.get("error")), event.t)
    return {client: dict(sorted(classes.items())) for client, classes in thrown.items()}


def _opened(recording: Recording) -> dict[str, float]:
    """The times (s) at which the script opened clients that did not run from the beginning."""
    return {
        str(client): action.start
        for action in recording.actions
        if action.verb == CONSUMER and isinstance(named := action.details.get("args"), list)
        for client in named
    }


def _reading(reads: list[Read], recording: Recording, opened: float, end: float) -> Reading:
    offsets: dict[int, None] = {}
    cases = Cases(READ, READ_AGAIN, PHANTOMS)
    records = recording.logs[reads[0].partition].records if reads and reads[0].partition in recording.logs else None
    final = None if records is None else {record.offset: record.value for record in records}
    wait = CaseWait(0.0, opened, "")
    last, after = opened, ""
    for read in reads:
        case = Case(read.value, read.t, None, read.offset)
        cases.add(READ_AGAIN if read.offset in offsets else READ, case)
        offsets[read.offset] = None
        if final is not None and final.get(read.offset) != read.value:
            cases.add(PHANTOMS, case)
        if read.t > last:
            wait = max(wait, CaseWait(read.t - last, last, after), key=_seconds)
            last = read.t
        after = str(read.offset)
    wait = max(wait, CaseWait(end - last, last, after), key=_seconds)
    return Reading(cases.counts, wait, cases.extents, _left_out(reads, offsets, final or {}))


def _left_out(reads: list[Read], offsets: dict[int, None], final: dict[int, str]) -> Case | None:
    """The first record that was read behind offsets of the final log that nothing read."""
    expected = reads[0].offset if reads else 0
    for read in reads:
        if any(offset in final and offset not in offsets for offset in range(expected, read.offset)):
            return Case(read.value, read.t, None, read.offset)
        expected = read.offset + 1
    return None


def _seconds(wait: CaseWait) -> float:
    return wait.seconds
