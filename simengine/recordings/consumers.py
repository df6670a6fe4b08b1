"""What each consumer read of each partition (rule 6)."""

from typing import Final, NamedTuple

from simengine.recordings.fates import Counts, Pair
from simengine.recordings.model import CONSUMER, Read, Recording

READ: Final = "offsets read"
READ_AGAIN: Final = "offsets read again"
PHANTOMS: Final = "phantoms"


class Reading(NamedTuple):
    """Of one consumer on one partition: counts by category, and the longest time (s) without a record."""

    counts: Counts
    wait: float


def readings(recording: Recording, end: float) -> dict[Pair, Reading]:
    """What each consumer read of each partition that it was given or got, up to ``end`` (s)."""
    reads: dict[Pair, list[Read]] = {}
    for client in recording.clients:
        if client.kind == CONSUMER:
            for topic, number in client.assign:
                reads[client.id, f"{topic}-{number}"] = []
    for read in recording.reads:
        reads.setdefault((read.client, read.partition), []).append(read)
    opened = _opened(recording)
    return {pair: _reading(of_one, recording, opened.get(pair[0], 0.0), end) for pair, of_one in reads.items()}


def exceptions(recording: Recording) -> dict[str, tuple[str, ...]]:
    """The classes of exception that each consumer's poll threw, ascending."""
    thrown: dict[str, dict[str, None]] = {c.id: {} for c in recording.clients if c.kind == CONSUMER}
    for event in recording.client_events:
        if event.kind == "error" and event.client in thrown:
            thrown[event.client][str(event.details.get("error"))] = None
    return {client: tuple(sorted(classes)) for client, classes in thrown.items()}


def _opened(recording: Recording) -> dict[str, float]:
    """When the script opened clients that did not run from the beginning."""
    return {
        str(client): action.start
        for action in recording.actions
        if action.verb == CONSUMER and isinstance(named := action.details.get("args"), list)
        for client in named
    }


def _reading(reads: list[Read], recording: Recording, opened: float, end: float) -> Reading:
    offsets: dict[int, None] = {}
    counts: Counts = {READ: 0, READ_AGAIN: 0, PHANTOMS: 0}
    records = recording.logs[reads[0].partition].records if reads and reads[0].partition in recording.logs else None
    final = None if records is None else {record.offset: record.value for record in records}
    last = opened
    wait = 0.0
    for read in reads:
        again = read.offset in offsets
        counts[READ_AGAIN if again else READ] += 1
        offsets[read.offset] = None
        if final is not None and final.get(read.offset) != read.value:
            counts[PHANTOMS] += 1
        if read.t > last:
            wait = max(wait, read.t - last)
            last = read.t
    return Reading(counts, max(wait, end - last))
