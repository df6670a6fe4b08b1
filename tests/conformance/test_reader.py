import json
from pathlib import Path

import pytest

from simengine.commands import rerun
from simengine.recordings.errors import RecordingError
from simengine.recordings.processes import late_heartbeats, reached_nobody
from simengine.recordings.reader import parse, read
from simengine.recordings.rerun import RecordingReruns
from simengine.recordings.script import script_of
from tests.conformance.haunted import haunted

RECORDINGS = Path(__file__).parent / "recordings"


def changed(**changes: object) -> str:
    data = json.loads((RECORDINGS / "s01.json").read_text())
    return json.dumps({**data, **changes})


def test_a_recording_is_read_whole() -> None:
    s26 = read(RECORDINGS / "s26.json")
    assert (s26.name, s26.kafka, list(s26.brokers), s26.controllers) == ("S26", "4.2.1", [0, 1, 2], (100, 101, 102))
    assert s26.clients[0].via == (0,)
    assert s26.produce[8] == ("P", "t-0", "r", 11.012, 41.112, "ok", 7)
    assert s26.logs["t-0"].records[4] == (4, 1, "w0")
    assert s26.end() == 105.042


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"format": 2}, "format: unknown format (got 2); allowed: 1"),
        ({"nodes": [[0.0, "x", "starting"]]}, "nodes[0][1]: wrong kind of value (got 'x'); allowed: a whole number"),
        ({"nodes": [["17", 1, "starting"]]}, "nodes[0][0]: wrong kind of value (got '17'); allowed: a number"),
        (
            {"clients": [{"id": "", "kind": "producer"}, {"id": "C", "kind": "producer"}]},
            "actions[0].args: unknown client (got 'P'); allowed: '', C",
        ),
        ({"nodes": [[0.0, 1]]}, "nodes[0]: a row here has 3 values (got [0.0, 1])"),
        ({"actions": [[2.0, 1.0, "kill", {}]]}, "actions[0][1]: the action ends before it starts (got 1.0)"),
        ({"produce": [["Z", "t-0", "a", 0, 1, "ok", 0]]}, "produce[0][0]: unknown client (got 'Z'); allowed: P, C"),
        (
            {"metadata": [[0.0, "t-0", {"replicas": [0], "leader": "1", "epoch": 0, "isr": [0]}]]},
            "metadata[0][2].leader: wrong kind of value (got '1'); allowed: a whole number",
        ),
        (
            {"metadata": [[0.0, "t-0", {"replicas": [0], "leader": 0, "epoch": True, "isr": [0]}]]},
            "metadata[0][2].epoch: wrong kind of value (got True); allowed: a whole number",
        ),
        (
            {"metadata": [[0.0, "t-0", {"replicas": [0], "leader": 0, "epoch": 0, "isr": "0,1"}]]},
            "metadata[0][2].isr: wrong kind of value (got '0,1'); allowed: a list",
        ),
        (
            {"metadata": [[0.0, "t-0", {"replicas": [0, "1"], "leader": 0, "epoch": 0, "isr": [0]}]]},
            "metadata[0][2].replicas[1]: wrong kind of value (got '1'); allowed: a whole number",
        ),
        (
            {"actions": [[2.0, 2.0, "rate", {"args": ["P"], "topic": "t", "per_s": -4}]]},
            "actions[0].per_s: too small a number (got -4); allowed: at least 0",
        ),
        (
            {"actions": [[2.0, 2.0, "rate", {"args": ["P"], "topic": "t", "per_s": 1e7}]]},
            "actions[0].per_s: too large a number (got 10000000.0); allowed: at most 10000 a second",
        ),
        ({"metadata": []}, "produce[0][1]: this partition has no record in metadata (got 't-0')"),
        ({"clients": [{"id": "P", "kind": "cat"}]}, "clients[0].kind: unknown kind of client (got 'cat'); "),
    ],
)
def test_a_wrong_recording_is_refused_with_place_and_value(changes: dict[str, object], message: str) -> None:
    with pytest.raises(RecordingError) as refused:
        parse(changed(**changes))
    assert message in str(refused.value)


@pytest.mark.parametrize(
    ("time", "message"),
    [
        ("NaN", "not JSON (got 'NaN'); allowed: finite numbers"),
        ("-Infinity", "not JSON (got '-Infinity')"),
        ("1e999", "nodes[0][0]: too large a number (got inf); allowed: finite numbers"),
        ("[" * 100_000, "the file: is nested too deeply"),
    ],
)
def test_a_number_that_is_none_and_a_bottomless_list_are_refused(time: str, message: str) -> None:
    with pytest.raises(RecordingError) as refused:
        parse(changed(nodes=[["TIME", 0, "starting"]]).replace('"TIME"', time))
    assert message in str(refused.value)


def test_a_script_alone_is_enough_for_a_rerun_and_every_log_is_shown() -> None:
    """Other recorders leave out what happened, name brokers in a list, and give an action no end."""
    data = json.loads((RECORDINGS / "s01.json").read_text())
    given = {key: data[key] for key in ("format", "kafka", "topics", "clients")}
    cluster = {"brokers": [0, 1, 2], "controllers": [7]}
    actions = [[start, None, verb, details] for start, _, verb, details in data["actions"]]
    recording = parse(json.dumps({**given, "cluster": cluster, "actions": actions}))
    assert (recording.elr, recording.brokers) == (True, {0: None, 1: None, 2: None})
    run = RecordingReruns(recording).run(1)
    assert run.metadata
    assert run.produce
    assert list(run.logs) == ["t-0"]


def test_columns_that_nobody_knows_are_left_out_and_a_read_may_lack_its_epoch() -> None:
    recording = parse(changed(nodes=[[0.0, 1, "started", "host"]], reads=[[1.0, "C", "t-0", 0, None, "a"]]))
    assert recording.nodes == ((0.0, 1, "started"),)
    assert recording.reads == ((1.0, "C", "t-0", 0, -1, "a"),)


@pytest.mark.parametrize(("kafka", "profile"), [("3.9.1", "3.7"), ("4.2.1", "4.2"), ("4.3.0", "4.3"), ("5.0.0", "4.4")])
def test_a_version_without_a_profile_of_its_own_runs_as_the_newest_one_before_it(kafka: str, profile: str) -> None:
    assert script_of(parse(changed(kafka=kafka))).document["profile"] == profile


def test_keys_that_no_document_knows_do_not_keep_a_script_from_running() -> None:
    data = json.loads((RECORDINGS / "s01.json").read_text())
    config = {"in.no.list": "1", "min.insync.replicas": "2", "num.io.threads": 4}
    document = script_of(parse(changed(cluster={**data["cluster"], "config": config}))).document
    laboratory = {"group.initial.rebalance.delay.ms": 0}
    assert document["cluster"]["config"] == {**laboratory, "min.insync.replicas": "2", "num.io.threads": "4"}


def test_an_unknown_verb_is_named_with_those_that_there_are() -> None:
    with pytest.raises(RecordingError, match=r"actions\[0\]: unknown verb \(got 'explode'\); allowed: kill, stop, "):
        parse(changed(actions=[[1.0, 1.0, "explode", {"args": [1]}]]))


def test_a_file_that_is_no_json_is_refused_with_its_line() -> None:
    with pytest.raises(RecordingError, match="line 2: not JSON"):
        parse("{\n x}")


def test_a_start_beside_a_stopping_process_that_goes_away_at_once_has_no_effect_and_later_kills_miss() -> None:
    f039 = read(RECORDINGS / "f039.json")
    missed = [(f039.actions[i].verb, f039.actions[i].start, node) for i, node in reached_nobody(f039)]
    assert missed == [("start", 46.96, 1), ("kill", 57.16, 1)]


@pytest.mark.parametrize(("name", "expected"), [("f039", [(64.314, 1)]), ("f091", [(90.373, 0)]), ("f057", [])])
def test_an_unfencing_while_the_process_is_dead_is_a_late_heartbeat(
    name: str, expected: list[tuple[float, int]]
) -> None:
    assert [tuple(late) for late in late_heartbeats(read(RECORDINGS / f"{name}.json"))] == expected


@pytest.mark.parametrize(("name", "expected"), [("f057", [1]), ("f047", [0, 0]), ("s39-stop", []), ("s37", [])])
def test_a_session_that_outlives_its_process_was_renewed_by_a_late_heartbeat(name: str, expected: list[int]) -> None:
    assert haunted(read(RECORDINGS / f"{name}.json")) == expected


@pytest.mark.parametrize(("name", "why"), [("none.json", "No such file or directory"), ("", "Is a directory")])
def test_a_file_that_cannot_be_read_is_named_in_plain_words(
    name: str, why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / name
    assert rerun.main([str(path)]) == 2
    assert capsys.readouterr().err == f"{path.name}: the file: cannot be read: {why}\n"
