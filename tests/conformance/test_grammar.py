"""Every verb and client of the recordings' grammar can be rerun; what is not of it is refused with place and cure."""

import json
from pathlib import Path
from typing import Any

import pytest

from simengine.commands import rerun
from simengine.recordings.errors import RecordingError
from simengine.recordings.reader import parse
from simengine.recordings.rerun import RecordingReruns
from tests.conformance import command as conform

RECORDINGS = Path(__file__).parent / "recordings"
BASE: dict[str, Any] = json.loads((RECORDINGS / "s01.json").read_text())
T = {"topic": "t", "partition": 0}


def recording(**changes: Any) -> dict[str, Any]:
    """S01's cluster under another script, short and without anything that happened after time 0."""
    plain = {**BASE, "setup": [], "actions": [], "produce": [], "reads": [], "client_events": [], **changes}
    return {**plain, "metadata": BASE["metadata"][:1]}


def ran(**changes: Any) -> Any:
    return RecordingReruns(parse(json.dumps(recording(**changes)))).run(1)


ACTIONS: dict[str, list[list[Any]]] = {
    "kill": [[2, 2, "kill", {"args": [0, 1]}]],
    "stop": [[2, 4, "stop", {"args": [0], "background": True}]],
    "start": [[2, 2, "kill", {"args": [0]}], [4, 4, "start", {"args": [0]}]],
    "wipe": [
        [2, 2, "kill", {"args": [0]}],
        [3, 3, "wipe", {"args": [0], "directory": "new"}],
        [4, 4, "start", {"args": [0]}],
    ],
    "controllers": [[2, 2, "stop", {"args": [100]}], [3, 3, "kill", {"args": [101]}], [5, 5, "start", {"args": [100]}]],
    "paused controller": [[2, 2, "pause", {"args": [101]}], [9, 9, "resume", {"args": [101]}]],
    "pause": [[2, 2, "pause", {"args": [1]}], [4, 4, "resume", {"args": [1]}]],
    "cut": [[2, 2, "cut", {"args": [[0], [1, 2, 100, 101, 102]]}], [5, 5, "heal", {}]],
    "cut of one controller": [
        [2, 2, "cut", {"args": [[100], [0, 1, 2, 101, 102]]}],
        [3, 3, "cut", {"args": [[101, 0], [1, 2, 100, 102]]}],
        [9, 9, "heal", {}],
    ],
    "election in a topic that was created": [
        [1, 1, "create", {"topic": "n", "assignment": [[0, 1], [1, 2]]}],
        [3, 3, "elect", {"topic": "n", "type": "PREFERRED"}],
    ],
    "rules of the proxy": [
        [
            1,
            1,
            "proxy",
            {
                "args": [
                    {"rule": "a", "match": "va", "do": "drop_response"},
                    {"rule": "b", "match": "vb", "do": "hold_request"},
                ]
            },
        ],
        [2, 2, "send", {"args": ["P"], **T, "values": ["va", "vb"]}],
        [4, 4, "proxy", {"args": [{"release": "b"}]}],
    ],
    "rate": [
        [1, 1, "rate", {"args": ["P"], **T, "per_s": 5, "prefix": "x"}],
        [3, 3, "rate", {"args": ["P"], **T, "per_s": 0}],
    ],
    "send": [[1, 1, "send", {"args": ["P"], **T, "values": ["a", "b"]}]],
    "close": [[1, 1, "close", {"args": ["C"]}], [2, 2, "close", {"args": ["P"], "crash": True}]],
    "commit": [[1, 1, "commit", {"args": ["C"], **T, "offset": 0}]],
    "config of a topic": [
        [1, 1, "config", {"topic": "t", "set": {"min.insync.replicas": "1", "retention.ms": "1000"}}]
    ],
    "config removed": [[1, 1, "config", {"topic": "t", "set": {"min.insync.replicas": None}}]],
    "config of a broker": [[1, 1, "config", {"broker": 0, "set": {"follower.replication.throttled.rate": "1000"}}]],
    "config of the cluster": [[1, 1, "config", {"set": {"min.insync.replicas": 1}}]],
    "elect": [[1, 1, "elect", {**T, "type": "PREFERRED"}], [2, 2, "elect", {"topic": "t", "type": "UNCLEAN"}]],
    "reassign": [[1, 1, "reassign", {**T, "to": [2, 1, 0]}], [2, 2, "reassign", {**T, "to": None}]],
    "create": [[1, 1, "create", {"topic": "n", "assignment": [[0, 1], [1, 2]], "via": [1]}]],
    "create-auto": [[1, 1, "create-auto", {"topic": "m", "rf": 2, "partitions": 3}]],
    "looks": [[1, 2, "wait_leader", {"args": ["t-0"]}], [2, 3, "describe", {"topic": "t"}], [3, 3, "brokers", {}]],
}


@pytest.mark.parametrize("name", ACTIONS)
def test_every_verb_can_be_rerun(name: str) -> None:
    found = ran(actions=ACTIONS[name])
    assert found.end() == ACTIONS[name][-1][1]
    if name in ("rate", "send"):
        assert {call.outcome for call in found.produce} == {"ok"}


def test_a_cut_of_the_clients_host_cuts_off_every_client() -> None:
    actions = [
        [1, 1, "rate", {"args": ["P"], **T, "per_s": 10}],
        [3, 3, "cut", {"args": [["client"], [0, 1, 2]]}],
        [6, 6, "heal", {}],
        [15, 15, "describe", {"topic": "t"}],
    ]
    found = ran(clients=[{"id": "P", "kind": "producer"}, READER], actions=actions)
    assert [call.sent for call in found.produce if call.done is not None and 3.1 < call.done < 6] == []
    assert [read.t for read in found.reads if 3.1 < read.t < 6] == []
    assert max(read.t for read in found.reads) > 6


def test_a_cut_may_treat_controllers_and_the_clients_host_alike() -> None:
    actions = [[2, 2, "cut", {"args": [[100, "client"], [0]]}], [9, 9, "describe", {"topic": "t"}]]
    assert ran(clients=[{"id": "P", "kind": "producer"}], actions=actions).end() == 9


def test_a_cut_of_the_clients_host_does_nothing_where_there_is_no_client() -> None:
    actions = [[2, 2, "cut", {"args": [["client"], [0]]}], [9, 9, "describe", {"topic": "t"}]]
    assert ran(clients=[], actions=actions).end() == 9


READER: dict[str, Any] = {"id": "C", "kind": "consumer", "assign": [["t", 0]]}
CLIENTS: dict[str, dict[str, Any]] = {
    "acks 0": {"kind": "producer", "config": {"acks": "0", "linger.ms": 20, "batch.size": 100}},
    "acks as a number": {
        "kind": "producer",
        "config": {"acks": 1, "retries": 3, "max.in.flight.requests.per.connection": 1},
    },
    "acks -1": {
        "kind": "producer",
        "config": {"acks": "-1", "enable.idempotence": True, "delivery.timeout.ms": "40000"},
    },
    "compressed": {"kind": "producer", "config": {"compression.type": "lz4", "buffer.memory": 1000000}},
    "transactional": {"kind": "producer", "config": {"transactional.id": "tx", "transaction.timeout.ms": 10000}},
    "fetch settings": {
        "kind": "consumer",
        "config": {
            "fetch.min.bytes": 100,
            "fetch.max.wait.ms": 100,
            "max.poll.records": 5,
            "isolation.level": "read_committed",
        },
        "assign": [["t", 0]],
    },
    "automatic commits": {
        "kind": "consumer",
        "config": {"enable.auto.commit": True, "auto.commit.interval.ms": 1000, "auto.offset.reset": "latest"},
        "subscribe": ["t"],
        "group": "g",
    },
    "a rack": {"kind": "consumer", "config": {"client.rack": "a"}, "assign": [["t", 0]]},
    "told of one broker": {"kind": "consumer", "config": {"via": [1]}, "assign": [["t", 0]], "group": "g"},
}


@pytest.mark.parametrize("name", CLIENTS)
def test_every_kind_of_client_can_be_rerun(name: str) -> None:
    client = {"id": "X", **CLIENTS[name]}
    actions = [[1, 1, "rate", {"args": ["X"], **T, "per_s": 5}]] if client["kind"] == "producer" else []
    found = ran(clients=[client], actions=[*actions, [4, 4, "describe", {"topic": "t"}]])
    if actions:
        assert {call.outcome for call in found.produce[:10]} == {"ok"}


def test_steps_of_the_setup_may_be_any_verb() -> None:
    setup = [
        {"do": "rate", "args": ["P"], **T, "per_s": 10},
        {"do": "cut", "args": [[2], [0, 1]]},
        {"do": "config", "topic": "t", "set": {"min.insync.replicas": "1"}},
        {"do": "sleep", "args": [3]},
        {"do": "heal"},
    ]
    found = ran(setup=setup, actions=[[1, 1, "describe", {"topic": "t"}]])
    assert found.produce[0].sent < 0 < found.produce[-1].sent


def test_other_clusters_can_be_rerun() -> None:
    cluster = {
        "brokers": {"1": "a", "2": "b"},
        "controllers": [100],
        "elr": 1,
        "config": {"broker.session.timeout.ms": "6000"},
    }
    topics = [
        {"name": "t", "assignment": [[2, 1]], "config": {"retention.ms": 1000, "unclean.leader.election.enable": True}}
    ]
    metadata = [[-1, "t-0", {**BASE["metadata"][0][2], "replicas": [2, 1], "leader": 2, "isr": [2, 1]}]]
    plain = {
        **recording(cluster=cluster, topics=topics, actions=[[2, 2, "kill", {"args": [2]}], [12, 12, "brokers", {}]]),
        "metadata": metadata,
        "logs": {},
        "nodes": [],
    }
    found = RecordingReruns(parse(json.dumps(plain))).run(1)
    assert [record.changes["leader"] for record in found.metadata if "leader" in record.changes] == [2, 1]


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"actions": [[1, 1, "explode", {"args": [0]}]]}, "actions[0]: unknown verb (got 'explode'); allowed: kill, stop,"),
    ({"actions": [[1, 1, "kill", {"args": [7]}]]}, "actions[0].args: unknown node (got 7); allowed: 0, 1, 2, 100"),
    ({"actions": [[1, 1, "kill", {}]]}, "actions[0].args: here stand ids of nodes"),
    ({"actions": [[1, 1, "cut", {"args": [[0]]}]]}, "actions[0].args: here stand two lists of node ids"),
    ({"actions": [[1, 1, "send", {"args": ["Q"], **T, "values": []}]]}, "unknown client (got 'Q'); allowed: P, C"),
    ({"actions": [[1, 1, "rate", {"args": ["P"], **T}]]}, "actions[0].per_s: missing: rate needs topic, per_s"),
    (
        {"actions": [[1, 1, "elect", {**T, "type": "BEST"}]]},
        "unknown kind of election (got 'BEST'); allowed: PREFERRED",
    ),
    ({"setup": [{"do": "explode"}]}, "setup[0]: unknown verb (got 'explode')"),
    ({"clients": [{"id": "P", "kind": "producer", "config": {"acks": 2}}]}, "acks"),
    (
        {"actions": [[1, 1, "proxy", {"args": [{"rule": "a", "match": "v", "do": "drop_request"}]}]]},
        "actions[0].args[0].do: a rule that nobody knows (got 'drop_request'); allowed: hold_request, drop_response",
    ),
    ({"actions": [[1, 1, "proxy", {"args": [{"do": "hold_request"}]}]]}, "actions[0].args[0].rule: missing"),
]


@pytest.mark.parametrize(("changes", "message"), WRONG)
def test_what_the_engine_cannot_do_is_refused_with_place_value_and_cure(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(RecordingError) as caught:
        ran(**changes)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    "changes",
    [
        {"kafka": "9.9.9"},
        {"clients": [{"id": "P", "kind": "producer", "config": {"acks": "1", "send.buffer.bytes": 131072, "own": 1}}]},
        {"topics": [{"name": "t", "assignment": [[1, 2]], "config": {"segment.bytes": 1048576, "own": 1}}]},
    ],
)
def test_what_a_recording_says_beyond_what_the_engine_knows_keeps_it_from_nothing(changes: dict[str, Any]) -> None:
    """It was taken of a cluster that ran with it: a newer version is run as the newest profile, other keys are left."""
    assert ran(**changes).metadata


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A recording, one cut off in the middle, one with a verb that nobody knows, and no JSON at all."""
    text = (RECORDINGS / "s01.json").read_text()
    (tmp_path / "a-whole.json").write_text(text)
    (tmp_path / "b-cut-off.json").write_text(text[: len(text) // 2])
    (tmp_path / "c-unknown.json").write_text(json.dumps(recording(actions=[[1, 1, "explode", {}]])))
    (tmp_path / "d-binary.json").write_bytes(b"\xff\xfe\x00")
    return tmp_path


def test_conform_names_what_is_wrong_with_a_recording_and_goes_on(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert conform.main([str(folder), "--seeds", "3", "--jobs", "1"]) == 2
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("a-whole: ")
    assert "cannot be used" not in lines[0]
    assert lines[1].startswith("b-cut-off: cannot be used: b-cut-off.json: line ")
    assert "c-unknown.json: actions[0]: unknown verb (got 'explode')" in lines[2]
    assert "d-binary.json: not UTF-8" in lines[3]
    assert lines[4].endswith("of 4")


def test_rerun_names_the_file_and_the_place(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert rerun.main([str(folder / "c-unknown.json")]) == 2
    assert capsys.readouterr().err.startswith("c-unknown.json: actions[0]: unknown verb (got 'explode'); allowed: kill")
    assert rerun.main([str(folder / "none.json")]) == 2


def test_several_processes_write_the_lines_of_one_in_order(capsys: pytest.CaptureFixture[str]) -> None:
    path = str(RECORDINGS / "s01.json")
    assert rerun.main([path, "--seeds", "3..14", "--jobs", "1"]) == 0
    alone = capsys.readouterr().out
    assert len(alone.splitlines()) == 12
    assert rerun.main([path, "--seeds", "3..14", "--jobs", "2"]) == 0
    assert capsys.readouterr().out == alone
