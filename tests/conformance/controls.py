"""Recordings made wrong on purpose: each must not be explained by runs that explain the true one."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from simengine.recordings.model import OK, Call, PartitionRecord, RecordedFinalLog, Recording

MOVED_S: Final = 4.0


def one_step_moved(recording: Recording) -> Recording:
    """The first change of a partition after time 0 happens 4 s earlier."""
    i = _first_change(recording)
    metadata = list(recording.metadata)
    metadata[i] = metadata[i]._replace(t=metadata[i].t - MOVED_S)
    return replace(recording, metadata=tuple(sorted(metadata, key=lambda record: record.t)))


def one_isr_swapped(recording: Recording) -> Recording:
    """In the first ISR after time 0 that lacks somebody, a member gives its place to a missing replica."""
    replicas = {r.partition: r.changes["replicas"] for r in recording.metadata if "replicas" in r.changes}
    metadata = list(recording.metadata)
    for i, record in enumerate(metadata):
        isr, all_of_them = record.changes.get("isr"), replicas[record.partition]
        assert isinstance(all_of_them, list)
        if record.t > 0 and isinstance(isr, list) and isr and len(isr) < len(all_of_them):
            missing = next(broker for broker in all_of_them if broker not in isr)
            swapped = [*isr[:-1], missing]
            metadata[i] = PartitionRecord(record.t, record.partition, {**record.changes, "isr": swapped})
            return replace(recording, metadata=tuple(metadata))
    raise AssertionError(f"{recording.name} has no ISR to swap in")


def one_acked_record_removed(recording: Recording) -> Recording:
    """An acknowledged record in the middle of a log is not in it."""
    call = _acked_and_kept(recording)
    log = recording.logs[call.partition]
    records = tuple(record for record in log.records if record.value != call.value)
    return _with_log(recording, call.partition, RecordedFinalLog(log.replicas, records, log.different))


def half_of_the_reads_dropped(recording: Recording) -> Recording:
    """Consumers got only every second record."""
    return replace(recording, reads=recording.reads[::2])


def two_records_exchanged(recording: Recording) -> Recording:
    """Two neighbouring records of one producer stand in each other's place."""
    call = _acked_and_kept(recording)
    log = recording.logs[call.partition]
    own = {c.value: None for c in recording.produce if (c.client, c.partition) == (call.client, call.partition)}
    places = [i for i, record in enumerate(log.records) if record.value in own]
    one, other = places[len(places) // 2 - 1], places[len(places) // 2]
    records = list(log.records)
    first, second = records[one], records[other]
    records[one], records[other] = first._replace(value=second.value), second._replace(value=first.value)
    return _with_log(recording, call.partition, RecordedFinalLog(log.replicas, tuple(records), log.different))


CONTROLS: Final[tuple[Callable[[Recording], Recording], ...]] = (
    one_step_moved,
    one_isr_swapped,
    one_acked_record_removed,
    half_of_the_reads_dropped,
    two_records_exchanged,
)


def _first_change(recording: Recording) -> int:
    for i, record in enumerate(recording.metadata):
        if record.t > MOVED_S and "replicas" not in record.changes:
            return i
    raise AssertionError(f"{recording.name} has no step to move")


def _acked_and_kept(recording: Recording) -> Call:
    kept = {(p, record.value) for p, log in recording.logs.items() for record in log.records}
    acked = [c for c in recording.produce if c.outcome == OK and (c.partition, c.value) in kept]
    assert acked, f"{recording.name} has no acknowledged record"
    return acked[len(acked) // 2]


def _with_log(recording: Recording, partition: str, log: RecordedFinalLog) -> Recording:
    return replace(recording, logs={**recording.logs, partition: log})
