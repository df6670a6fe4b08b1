"""The steps that a recording tells below a run on the timeline, by real runs and by small ones made by hand."""

from dataclasses import replace
from pathlib import Path

import pytest

from simengine.recordings.model import OK, Call, Read, Recording
from simengine.recordings.reader import read
from tests.conformance.cases import CaseWait
from tests.conformance.every import EVERY
from tests.conformance.fates import RecordedWait, longest_wait, waits
from tests.conformance.told import told

RECORDINGS = Path(__file__).parent / "recordings"
WITHOUT_PARTITION_STEPS = ("f005", "f051", "quo2", "rslack", "s01", "s01-idle", "s06-a", "s06-b", "s41")


def recording(name: str) -> Recording:
    return read(RECORDINGS / f"{name}.json")


def texts(real: Recording) -> list[str]:
    return [step.text for step in told(real)]


def about(real: Recording, subject: str) -> list[tuple[float, str]]:
    return [(round(step.t, 1), step.text) for step in told(real) if step.text.startswith(f"{subject}")]


@pytest.mark.parametrize("path", EVERY, ids=lambda path: path.stem)
def test_every_recording_tells_some_steps_in_order_after_time_0(path: Path) -> None:
    steps = told(read(path))
    times = [step.t for step in steps]
    assert steps and times[0] > 0
    assert times == sorted(times)
    assert all(len(step.text) < 120 for step in steps)


def test_a_fencing_stands_before_the_election_that_it_brings_about() -> None:
    """LIVE-4: one commit, so one time."""
    assert texts(recording("s08")) == [
        "C on t-0: reads from offset 0",
        "P on t-0: first acknowledgement after 0.1 s",
        "broker 0: fenced",
        "t-0: leader 1, epoch +1, ISR {1, 2} of [0, 1, 2]",
        "P on t-0: acknowledged again after 7.7 s",
        "broker 0: registered",
        "broker 0: unfenced",
        "t-0: leader 1, epoch +1, ISR {0, 1, 2} of [0, 1, 2]",
    ]


def test_partitions_that_change_together_keep_the_order_of_their_numbers() -> None:
    """The tenth is not told before the second."""
    created = [text.partition(":")[0] for text in texts(recording("s32")) if text.startswith("x1-")][:12]
    assert created == [f"x1-{number}" for number in range(12)]


def test_a_clean_stop_is_told_to_its_end() -> None:
    """SHUT-1 to SHUT-4: the second fencing is of the session that ran out."""
    assert [text for _, text in about(recording("s12"), "broker 1")] == [
        "broker 1: shutting down",
        "broker 1: fenced",
        "broker 1: stopped",
        "broker 1: fenced",
        "broker 1: registered",
        "broker 1: unfenced",
    ]


def test_a_series_of_controller_failovers_is_told_although_no_partition_notices() -> None:
    """QUO-2."""
    controllers = [text for text in texts(recording("quo2")) if text.startswith("controller")]
    assert controllers[:3] == ["controller 101: active", "controller 102: active", "controller 100: active"]
    assert len(controllers) == 15


@pytest.mark.parametrize("name", WITHOUT_PARTITION_STEPS)
def test_where_no_partition_changes_clients_or_controllers_are_told_of(name: str) -> None:
    assert not [text for text in texts(recording(name)) if "leader" in text]
    assert texts(recording(name))


def test_what_a_consumer_meets_with_is_told() -> None:
    """CON-4, CON-6, PC-10: a redelivery, a truncation, a record that stands twice, what poll threw."""
    assert about(recording("s41"), "C2") == [(8.2, "C2 on t-0: reads from offset 5")]
    assert (82.1, "C on t-0: back to offset 4 from 6") in about(recording("s14-m1"), "C on")
    assert "C on t-0: reads the record of offset 2 again, at offset 3" in texts(recording("s06-b"))
    assert about(recording("s14-m1"), "N: poll") == [(74.9, "N: poll threw LogTruncationException")]


def call(sent: float, done: float | None, outcome: str | None = OK) -> Call:
    return Call("P", "t-0", f"v{sent}", sent, done, outcome, 0)


def test_a_wait_of_a_producer_is_over_with_an_acknowledgement_and_not_with_a_failure() -> None:
    calls = [call(1, 1.5), call(2, 6), call(2.5, 4, "TimeoutException"), call(8, None)]
    assert list(waits(calls)) == [
        RecordedWait(1, 1.5, True),
        RecordedWait(2, 4, False),
        RecordedWait(2, 6, True),
        RecordedWait(8, None, False),
    ]
    assert longest_wait(calls, 9) == CaseWait(4, 2, "v2")
    assert longest_wait(calls, 20).seconds == 12
    assert longest_wait([], 20).seconds == 0


def made(*calls: Call) -> list[str]:
    empty = replace(recording("s01"), metadata=(), nodes=(), registrations=(), reads=(), client_events=())
    return texts(replace(empty, produce=calls))


def test_a_stop_is_told_when_it_ends_and_only_if_it_took_long() -> None:
    assert made(call(1, 1.5), call(2, 4.0)) == ["P on t-0: first acknowledgement after 0.5 s"]
    assert made(call(1, 1.5), call(2, 4.1))[1:] == ["P on t-0: acknowledged again after 2.1 s"]
    assert made(call(1, 1.5), call(9, 9.5)) == ["P on t-0: first acknowledgement after 0.5 s"], "nothing was asked"


def test_failures_in_a_row_are_one_step_with_their_number() -> None:
    failed = [call(t, t + 10, "TimeoutException") for t in (1, 2, 3, 20)]
    assert made(*failed) == [
        "P on t-0: 3 records failed, TimeoutException",
        "P on t-0: 1 record failed, TimeoutException",
    ]


def test_records_that_stand_a_second_time_in_a_row_are_one_step() -> None:
    reads = [Read(1.0 + i, "C", "t-0", i, 0, value) for i, value in enumerate("abcabcd")]
    empty = replace(recording("s01"), metadata=(), nodes=(), registrations=(), produce=(), client_events=())
    assert texts(replace(empty, reads=tuple(reads))) == [
        "C on t-0: reads from offset 0",
        "C on t-0: reads the record of offset 0 again, at offset 3",
    ]
