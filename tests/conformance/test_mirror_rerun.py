"""Recordings of two clusters are run in the engine, and the runs are told in the recordings' own form."""

import json
from pathlib import Path

import pytest

from simengine.recordings.errors import RecordingError
from simengine.recordings.mirror_model import MirrorRecording
from simengine.recordings.mirror_reader import parse, read
from simengine.recordings.mirror_rerun import MirrorReruns, mirror_reruns_of
from simengine.recordings.mirror_script import mirror_script_of
from simengine.recordings.model import RecordedAction
from simengine.recordings.writer import to_line
from tests.conformance.mirror_rules import compare_mirror
from tests.conformance.mirror_summary import summarise_mirror
from tests.conformance.test_mirror_recordings import RECORDINGS, recording

SEEDS = range(1, 5)


@pytest.fixture(scope="module")
def failover() -> tuple[MirrorRecording, list[MirrorRecording]]:
    """The recording mm01, and runs of its script."""
    reruns = mirror_reruns_of(RECORDINGS / "mm01-failover.json")
    return reruns.recording, [reruns.run(seed) for seed in SEEDS]


def test_runs_explain_the_failover(failover: tuple[MirrorRecording, list[MirrorRecording]]) -> None:
    real, runs = failover
    comparison = compare_mirror(real, [summarise_mirror(run) for run in runs])
    assert comparison.is_explained, comparison.disagreements
    assert comparison.fewest_matching > 0


def test_a_run_translates_and_goes_on_as_recorded(failover: tuple[MirrorRecording, list[MirrorRecording]]) -> None:
    real, runs = failover
    summary = summarise_mirror(runs[0])
    assert [one[2:] for one in runs[0].checkpoints] == [one[2:] for one in real.checkpoints]
    assert summary.continued["west", "CW", "east.orders-0"] == 910
    assert runs[0].clusters["west"].logs["east.orders-0"].records[999].value == "P-999"


def test_a_run_is_written_as_a_recording_that_is_read_again(
    failover: tuple[MirrorRecording, list[MirrorRecording]],
) -> None:
    _, runs = failover
    again = parse(to_line(runs[0]))
    assert summarise_mirror(again) == summarise_mirror(runs[0])
    assert again.actions == runs[0].actions


def test_equal_seeds_make_equal_runs_and_others_do_not(failover: tuple[MirrorRecording, list[MirrorRecording]]) -> None:
    real, runs = failover
    assert to_line(MirrorReruns(real).run(1)) == to_line(runs[0])
    assert to_line(runs[0]) != to_line(runs[1])


def test_the_script_names_clusters_processes_and_what_was_done_to_them() -> None:
    document = mirror_script_of(recording("mm07")).document
    done = [entry["do"] for entry in document["timeline"]]
    assert "cut mirror-maker|west" in done
    assert "heal mirror-maker|west" in done
    assert "rate east/P 50 east/orders-0" in done
    [mirror] = document["mirrors"]
    assert (mirror["source"], mirror["target"]) == ("east", "west")
    assert "offset.flush.interval.ms" not in mirror["config"], "a worker's key has no effect at the top level"
    remote = next(topic for topic in document["clusters"]["west"]["topics"] if topic["name"] == "east.orders")
    real = next(row for row in recording("mm07").clusters["west"].metadata if row.partition == "east.orders-0")
    assert remote["assignment"] == [real.changes["replicas"]]
    assert "min.insync.replicas" not in remote["config"]


def test_the_nodes_of_a_cluster_that_is_killed_die_one_after_the_other() -> None:
    """The laboratory kills controllers first, and waits for the end of each."""
    found = recording("m063")
    [kill] = [action for action in found.actions if action.verb == "kill_all"]
    script = mirror_script_of(found)
    kills = [
        (round(float(entry["at"][:-1]) - script.zero_us / 1e6, 3), entry["do"])
        for entry in script.document["timeline"]
        if entry["do"].startswith(("kill east/", "kill-site"))
    ]
    assert [done for _, done in kills] == ["kill east/100", "kill east/0", "kill east/1", "kill-site east"]
    assert [at for at, _ in kills] == [round(kill.start + k * (kill.end - kill.start) / 4, 3) for k in range(4)]


def test_both_directions_are_two_mirrors() -> None:
    mirrors = mirror_script_of(recording("mm05")).document["mirrors"]
    assert [(one["source"], one["target"]) for one in mirrors] == [("east", "west"), ("west", "east")]


@pytest.mark.parametrize("path", sorted(RECORDINGS.glob("*.json")), ids=lambda path: path.stem)
def test_every_script_is_a_document_that_the_engine_takes(path: Path) -> None:
    assert MirrorReruns(read(path)).document.mirrors


def test_an_action_on_one_controller_is_refused() -> None:
    found = recording("mm01")
    east = found.clusters["east"]
    kill = RecordedAction(5.0, 5.1, "kill", {"args": [east.controllers[0]]})
    text = json.loads(to_line(found))
    text["clusters"]["east"]["actions"] = [[kill.start, kill.end, kill.verb, kill.details]]
    with pytest.raises(RecordingError, match="acts on single controllers"):
        MirrorReruns(parse(json.dumps(text)))


def test_calls_after_the_end_of_the_script_are_left_out() -> None:
    """In mm18 the producer goes on for 2 s, while the laboratory already stops the cluster."""
    whole = recording("mm18").clusters["east"].produce
    kept = MirrorReruns(recording("mm18")).recording.clusters["east"].produce
    assert len(whole) - len(kept) > 50
    assert all(call.outcome == "ok" for call in kept)
