from functools import cache
from pathlib import Path

import pytest

from simengine.recordings.reader import parse, read
from simengine.recordings.rerun import RecordingReruns
from simengine.recordings.writer import to_line
from tests.conformance.compare import compare
from tests.conformance.controls import one_acked_record_removed, one_isr_swapped, one_step_moved, two_records_exchanged
from tests.conformance.recorded import Recorded
from tests.conformance.summary import Summary, summarise

RECORDINGS = Path(__file__).parent / "recordings"
SEEDS = range(1, 13)
QUICK = ("s01", "s04-c", "s05", "s06-a", "s06-b", "s12b-elr0", "s24-m2", "s30-m1-start0", "s34-mchange", "s41")


@cache
def runs_of(name: str) -> list[Summary]:
    reruns = RecordingReruns(read(RECORDINGS / f"{name}.json"))
    return [summarise(reruns.run(seed), reruns.recording.end()) for seed in SEEDS]


@pytest.mark.parametrize("name", QUICK)
def test_the_engine_explains_what_the_real_cluster_did(name: str) -> None:
    comparison = compare(Recorded.of(read(RECORDINGS / f"{name}.json")), runs_of(name))
    assert comparison.is_explained, "\n".join(map(str, comparison.disagreements))


@pytest.mark.parametrize(
    "control",
    [one_step_moved, one_isr_swapped, one_acked_record_removed, two_records_exchanged],
    ids=lambda c: c.__name__,
)
def test_the_engine_does_not_explain_a_recording_made_wrong(control: object) -> None:
    assert callable(control)
    wrong = control(read(RECORDINGS / "s12b-elr0.json"))
    assert not compare(Recorded.of(wrong), runs_of("s12b-elr0")).is_explained


def test_a_rerun_is_written_in_the_recording_format_and_is_the_same_for_the_same_seed() -> None:
    reruns = RecordingReruns(read(RECORDINGS / "s41.json"))
    line = to_line(reruns.run(7))
    again = parse(line)
    assert (again.name, again.actions) == ("S41", reruns.recording.actions)
    assert to_line(reruns.run(7)) == line
