"""Recordings of two clusters: how they are read, and that rules 8 to 11 see what is wrong and nothing else."""

import json
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from simengine.recordings.errors import RecordingError
from simengine.recordings.mirror_model import CopiedPartition, MirrorRecording
from simengine.recordings.mirror_reader import parse, read
from simengine.recordings.model import RecordedAction, RecordedFinalLog
from simengine.recordings.rerun import RecordingReruns
from tests.conformance.compare import compare
from tests.conformance.mirror_rules import compare_mirror
from tests.conformance.mirror_summary import Remote, is_disturbed, summarise_mirror
from tests.conformance.recorded import Recorded
from tests.conformance.summary import summarise

RECORDINGS = Path(__file__).parent / "recordings" / "mm"
REMOTE = CopiedPartition("west", "east.orders-0", "east", "orders-0")


@cache
def recording(name: str) -> MirrorRecording:
    [path] = RECORDINGS.glob(f"{name}*.json")
    return read(path)


@pytest.mark.parametrize("path", sorted(RECORDINGS.glob("*.json")), ids=lambda path: path.stem)
def test_every_recording_is_read_and_its_checkpoints_fit_its_syncs(path: Path) -> None:
    found = read(path)
    assert list(found.clusters) == ["east", "west"]
    assert REMOTE in found.copied()
    assert found.syncs
    assert not summarise_mirror(found).wrong


def test_a_recording_is_read_whole() -> None:
    found = recording("mm01")
    assert (found.kafka, found.mirror_maker, found.groups, found.lag_max()) == ("4.2.1", "4.2.0", ("g",), 100)
    assert found.clusters["east"].logs["orders-0"].records[999].value == "P-999"
    assert (found.syncs[1].up, found.syncs[1].down) == (101, 101)
    assert found.checkpoints[0][2:] == ("g", "east.orders-0", 950, 910)
    assert found.stopped_at() == 75.0
    assert found.actions[0].details == {"args": ["east"]}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": 2}, "format: unknown format (got 2); allowed: 1"),
        ({"clusters": []}, "clusters: wrong kind of value (got []); allowed: an object"),
        ({"clusters": {"east": {}}}, "clusters.east.cluster: missing"),
        (
            {"actions": [[1, 2, "mm_burn", {}]]},
            "actions[0][2]: unknown verb (got 'mm_burn'); allowed: mm_start, mm_kill",
        ),
        ({"actions": [[1, 2, "mm_cut", {"args": ["north"]}]]}, "actions[0][3].args: names no cluster (got ['north'])"),
        ({"mirror": {"config": {}}}, "mirror.syncs: missing"),
    ],
)
def test_what_is_no_recording_is_refused_with_the_place(change: dict[str, Any], message: str) -> None:
    data = json.loads((RECORDINGS / "mm17-topic-recreated.json").read_text())
    with pytest.raises(RecordingError) as caught:
        parse(json.dumps({**data, **change}))
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (["syncs", [1.0, "north", "t", 0, "p-0", 1, 1]], "mirror.syncs[0][1]: unknown cluster (got 'north')"),
        (["ends", [1.0, "east", "p-0"]], "mirror.ends[0]: a row here has 4 values"),
        (["positions", [1.0, "east", "g", {"p-0": "1"}]], "mirror.positions[0][3].p-0: wrong kind of value (got '1')"),
    ],
)
def test_a_wrong_row_of_the_mirror_is_refused_with_the_place(row: list[Any], message: str) -> None:
    data = json.loads((RECORDINGS / "mm17-topic-recreated.json").read_text())
    data["mirror"][row[0]] = [row[1]]
    with pytest.raises(RecordingError) as caught:
        parse(json.dumps(data))
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("name", "remote"),
    [
        ("mm06", Remote(3000, 749, 0, 0)),
        ("mm15", Remote(4250, 535, 0, 0)),
        ("mm16", Remote(2081, 0, 1419, 0)),
        ("mm09", Remote(3750, 2, 0, 0)),
        ("mm17", Remote(420, 0, 0, 0)),
    ],
)
def test_a_remote_log_is_counted_against_its_source(name: str, remote: Remote) -> None:
    assert summarise_mirror(recording(name)).remote["west", "east.orders-0"] == remote


def test_the_longest_standstill_is_that_of_the_cut() -> None:
    still = summarise_mirror(recording("mm08")).standstill["west", "east.orders-0"]
    assert 26 < still < 28
    assert summarise_mirror(recording("mm01")).standstill["west", "east.orders-0"] < 1


def test_syncs_are_luck_once_something_was_done() -> None:
    assert not is_disturbed(recording("mm05"))
    assert is_disturbed(recording("mm10"))


def with_remote_log(found: MirrorRecording, change: Callable[[list[Any]], list[Any]]) -> MirrorRecording:
    west = found.clusters["west"]
    log = west.logs["east.orders-0"]
    logs = {
        **west.logs,
        "east.orders-0": RecordedFinalLog(log.replicas, tuple(change(list(log.records))), log.different),
    }
    return replace(found, clusters={**found.clusters, "west": replace(west, logs=logs)})


def without_half_the_copies(found: MirrorRecording) -> MirrorRecording:
    return with_remote_log(found, lambda records: records[::2])


def with_a_doubled_record(found: MirrorRecording) -> MirrorRecording:
    return with_remote_log(found, lambda records: [*records, records[-1]])


def with_exchanged_records(found: MirrorRecording) -> MirrorRecording:
    return with_remote_log(found, lambda records: [records[1], records[0], *records[2:]])


def with_a_late_sync(found: MirrorRecording) -> MirrorRecording:
    return replace(found, syncs=tuple(sync._replace(t=sync.t + 2) for sync in found.syncs))


def with_another_sync(found: MirrorRecording) -> MirrorRecording:
    return replace(found, syncs=(*found.syncs[:1], found.syncs[1]._replace(up=102), *found.syncs[2:]))


def with_a_wrong_checkpoint(found: MirrorRecording) -> MirrorRecording:
    return replace(found, checkpoints=tuple(one._replace(down=one.down + 3) for one in found.checkpoints))


def with_another_position(found: MirrorRecording) -> MirrorRecording:
    last = found.positions[-1]
    moved = last._replace(offsets={partition: offset - 1 for partition, offset in last.offsets.items()})
    return replace(found, positions=(*found.positions[:-1], moved))


def with_a_group_that_was_not_synced(found: MirrorRecording) -> MirrorRecording:
    return replace(found, positions=(*found.positions, found.positions[-1]._replace(group="h")))


def with_a_standstill(found: MirrorRecording) -> MirrorRecording:
    ends = (end._replace(t=end.t + 9 * (end.partition == "east.orders-0" and end.t > 0)) for end in found.ends)
    return replace(found, ends=tuple(ends))


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        (without_half_the_copies, 8),
        (with_a_doubled_record, 8),
        (with_exchanged_records, 8),
        (with_a_late_sync, 9),
        (with_another_sync, 9),
        (with_a_wrong_checkpoint, 9),
        (with_another_position, 10),
        (with_a_group_that_was_not_synced, 10),
        (with_a_standstill, 11),
    ],
)
def test_a_run_that_is_wrong_in_one_thing_does_not_explain_the_recording(
    change: Callable[[MirrorRecording], MirrorRecording], rule: int
) -> None:
    """The runs are the recording itself, with its disturbances taken away so that rule 9 looks at each sync."""
    quiet = replace(recording("mm01"), actions=())
    assert compare_mirror(quiet, [summarise_mirror(quiet)] * 3).is_explained
    wrong = compare_mirror(quiet, [summarise_mirror(change(quiet))] * 3)
    assert rule in [found.rule for found in wrong.disagreements]


def test_where_something_was_done_only_the_number_of_syncs_counts() -> None:
    found = recording("mm12")
    late = summarise_mirror(with_a_late_sync(found))
    assert compare_mirror(found, [late] * 3).is_explained
    none = replace(found, syncs=(), checkpoints=())
    [wrong] = compare_mirror(found, [summarise_mirror(none)] * 3).disagreements
    assert (wrong.rule, wrong.subject) == (9, "syncs")


def test_a_cluster_that_disagrees_is_named() -> None:
    found = recording("mm12")
    east = found.clusters["east"]
    other = replace(found, clusters={**found.clusters, "east": replace(east, reads=east.reads[::2])})
    wrong = compare_mirror(found, [summarise_mirror(other)] * 3).disagreements
    assert wrong[0].rule == 6
    assert wrong[0].subject.startswith("east C on orders-0")


def test_the_engine_explains_a_source_whose_topic_is_deleted_and_created_again() -> None:
    east = recording("mm17").clusters["east"]
    reruns = RecordingReruns(east)
    assert [str(entry.action) for entry in reruns.document.timeline][1:3] == ["delete orders", "create orders 0,1,2"]
    runs = [summarise(reruns.run(seed), east.end()) for seed in range(1, 4)]
    assert compare(Recorded.of(east), runs).is_explained


def test_a_log_that_retention_emptied_is_left_out_as_in_real_recordings() -> None:
    """The brokers of mm16 looked for old segments every 1.5 s, and ran on after the last record."""
    east = recording("mm16").clusters["east"]
    config = {"log.retention.check.interval.ms": "1500", "log.initial.task.delay.ms": "500"}
    script = [action._replace(details={**action.details, "per_s": 2}) for action in east.actions[:1]]
    script += [RecordedAction(8.0, 8.0, "rate", east.actions[1].details), RecordedAction(20.0, 20.0, "sleep", {})]
    run = RecordingReruns(replace(east, config=config, actions=tuple(script))).run(1)
    assert [call.outcome for call in run.produce] == ["ok"] * 16
    assert run.logs == east.logs == {}
    at_once = replace(east, config=config, actions=tuple(script[:2]))
    log = RecordingReruns(at_once).run(1).logs["orders-0"].records
    assert 0 < log[0].offset < 15
