"""The assumptions about a recording are said: the profile for its Kafka, and the settings that are passed over."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from simengine.commands import rerun
from simengine.recordings.assumed import assumed
from simengine.recordings.model import RecordedAction
from simengine.recordings.reader import read
from tests.conformance.compare import Comparison
from tests.conformance.conform import Verdict
from tests.conformance.every import EVERY

RECORDINGS = Path(__file__).parent / "recordings"
S08 = read(RECORDINGS / "s08.json")


@pytest.mark.parametrize(
    ("kafka", "words"),
    [
        ("4.2.1", "profile 4.2"),
        ("4.1.1", "profile 4.1"),
        ("5.0.0", "profile 4.4 for Kafka 5.0.0"),
        ("3.9.0", "profile 3.7 (not checked against a cluster) for Kafka 3.9.0"),
    ],
)
def test_the_profile_is_said_and_that_another_version_stands_behind_it(kafka: str, words: str) -> None:
    assert str(assumed(replace(S08, kafka=kafka))) == words


def test_settings_passed_over_are_said_wherever_they_stand() -> None:
    changed = RecordedAction(12.0, 12.1, "config", {"broker": 2, "set": {"zoo.keeper": "1", "num.io.threads": "2"}})
    real = replace(
        S08,
        config={"foo.bar": "1", "min.insync.replicas": "2", "log.index.size.max.bytes": "9"},
        topics=(S08.topics[0]._replace(config={"odd": "1", "file.delete.delay.ms": "7"}),),
        clients=(S08.clients[0]._replace(config={"acks": "1", "lingre.ms": "0"}), *S08.clients[1:]),
        actions=(*S08.actions, changed),
    )
    taken = assumed(real)
    assert taken.not_understood == ("foo.bar", "odd of topic t", "lingre.ms of P", "zoo.keeper at 12.00 s")
    assert taken.without_effect == (
        "log.index.size.max.bytes",
        "file.delete.delay.ms of topic t",
        "num.io.threads at 12.00 s",
    )
    assert str(taken).startswith("profile 4.2; not understood: foo.bar, odd of topic t, ")


def test_every_setting_of_the_projects_recordings_is_understood() -> None:
    """S19b's throttle is a dynamic setting of brokers that server.properties does not have."""
    for path in EVERY:
        assert assumed(read(path)).not_understood == (), path.name


def test_conform_says_it_in_words_and_as_data() -> None:
    verdict = Verdict("s08", replace(S08, kafka="5.0.0", config={"foo.bar": "1"}), Comparison(200, 150, ()))
    assert verdict.line().endswith(
        "explained (200 runs, 150 match; profile 4.4 for Kafka 5.0.0; not understood: foo.bar)"
    )
    assert verdict.plain()["assumed"] == {"profile": "4.4", "not_understood": ["foo.bar"], "without_effect": []}


def test_rerun_says_it_beside_its_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = json.loads((RECORDINGS / "s08.json").read_text())
    given["cluster"]["config"] = {"foo.bar": "1"}
    path = tmp_path / "odd.json"
    path.write_text(json.dumps(given))
    assert rerun.main([str(path), "--jobs", "1"]) == 0
    said = capsys.readouterr()
    assert said.err == "odd: profile 4.2; not understood: foo.bar\n"
    assert json.loads(said.out)["name"] == "S08"
