from pathlib import Path

import pytest

from simengine.recordings import values
from simengine.recordings.errors import RecordingError
from simengine.recordings.reader import read
from simengine.recordings.script import ControllerAction, Script, script_of
from simengine.scenario import load
from tests.conformance.every import EVERY

RECORDINGS = Path(__file__).parent / "recordings"


def script(name: str) -> Script:
    return script_of(read(RECORDINGS / f"{name}.json"))


def timeline(name: str) -> list[tuple[str, str]]:
    return [(entry["at"], entry["do"]) for entry in script(name).document["timeline"]]


@pytest.mark.parametrize("path", EVERY, ids=lambda path: path.stem)
def test_every_script_is_a_document(path: Path) -> None:
    load(script_of(read(path)).document)


def test_the_run_begins_ten_seconds_before_the_script_and_starts_take_as_long_as_recorded() -> None:
    assert script("s08").zero_us == 10_000_000
    assert timeline("s08") == [
        ("10s", "rate P 10 t-0"),
        ("20s", "kill 0"),
        ("50s", "start 0 after 2.376s"),
        ("85s", "rate P 0 t-0"),
    ]


def test_steps_of_the_setup_lie_where_the_recording_shows_them() -> None:
    assert timeline("s03-a")[:4] == [
        ("10s", "open P"),
        ("11.723s", "stop 2"),
        ("12s", "send P t-0 1"),
        ("14.086s", "open C"),
    ]
    assert script("s03-a").zero_us == 15_086_000


def test_values_of_rates_count_on_and_sends_fall_between_them() -> None:
    sent = script("s40").values["P", "t-0"]
    assert sent[:2] == ["P-0", "P-1"]
    assert [sent.index(f"slow{i}") - sent.index("slow0") for i in range(6)] == [0, 1, 2, 3, 4, 5]
    assert sent[sent.index("slow5") + 1] == f"P-{sent.index('slow0')}"


def test_a_producer_that_sends_more_than_can_be_kept_is_refused_with_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(values, "CALLS_MAX", 100)
    with pytest.raises(RecordingError, match=r"^actions: a producer sends too much \(got 'P'\); allowed: 100 calls$"):
        script("s40")


def test_actions_on_controllers_stay_apart_with_the_role_they_had() -> None:
    actions = [a for a in script("quo2").controller_actions if isinstance(a, ControllerAction)]
    found = [(a.verb, a.controller, a.was_active) for a in actions[:8]]
    assert found[0::2] == [("kill", 102, True), ("kill", 101, True), ("kill", 102, True), ("kill", 100, True)]
    assert [verb for verb, _, _ in found[1::2]] == ["start"] * 4


def test_a_proxy_rule_names_the_call_that_carries_the_record() -> None:
    assert ("10s", "intercept lost P t-0 2 drop-response") not in timeline("s06-a")
    assert "intercept lost P t-0 2 drop-response" in [action for _, action in timeline("s06-a")]
    assert "release heldB" in [action for _, action in timeline("s07-a")]


def test_a_process_that_was_killed_before_it_registered_never_does() -> None:
    """It was killed 10.7 s after its start."""
    starts = [action for _, action in timeline("f056") if action.startswith("start 3")]
    assert starts[0] == "start 3 after 11.7s"


def test_a_start_takes_until_the_registration_where_the_process_did_not_say_that_it_began_to_register() -> None:
    assert [action for _, action in timeline("f061-v400") if action.startswith("start 2")][-1] == "start 2 after 8.821s"


def test_what_reached_nobody_is_left_out_and_a_late_heartbeat_is_given() -> None:
    actions = [action for _, action in timeline("f039")]
    assert "late-heartbeat 1" in actions
    assert "kill 1" not in actions
    assert sum(action.startswith("start 1") for action in actions) == 1
