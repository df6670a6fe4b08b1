import json
from dataclasses import replace
from typing import Any

from simengine.recordings.reader import parse
from tests.lab.evidence import LabEvidence
from tests.lab.export import recording, text
from tests.lab.fault_script import script_of_plain

ZERO_MS = 1_000_000
STATE = {"leads": True, "epoch": 0, "leo": 0, "hw": 0, "isr": [0, 1, 2], "epochs": [[0, 0]]}


def at(t: float, **line: Any) -> dict[str, Any]:
    return {"at": ZERO_MS + round(t * 1000), **line}


def call(t: float, event: str, value: str, **more: Any) -> dict[str, Any]:
    return at(t, client="P", event=event, topic="t", partition=0, value=value, **more)


def committed(t: float, kind: str, **data: Any) -> dict[str, Any]:
    return at(t, type=kind, data={"topicId": "A", "partitionId": 0, **data})


EVIDENCE = LabEvidence(
    zero_ms=ZERO_MS,
    actions=[[4.0, 4.1, "kill", {"args": [0]}]],
    nodes=[
        at(-5, node=0, event="starting"),
        at(-4, node=0, event="sampler:java.lang.Error"),
        at(0, node=0, replica="t-0", **STATE),
        at(0.1, node=0, replica="t-0", **{**STATE, "leo": 1}),
        at(0.6, node=0, replica="t-0", **{**STATE, "leo": 2, "hw": 2}),
        at(0.7, node=0, replica="t-0", **{**STATE, "leads": False, "epoch": 1, "leo": 2, "hw": 2}),
        at(0.8, node=0, replica="t-0", gone=True),
    ],
    clients=[
        call(1, "send", "a"),
        call(1.1, "send", "b"),
        call(1.2, "send", "c"),
        call(1.3, "ack", "a", offset=0),
        call(1.4, "fail", "b", error="TimeoutException"),
        at(1.5, client="C", event="read", topic="t", partition=0, offset=0, epoch=0, value="a"),
        at(1.6, client="C", event="error", error="NoOffsetForPartitionException", message="none"),
    ],
    metadata=[
        at(-3, type="RegisterBrokerRecord", data={"brokerId": 0, "brokerEpoch": 5, "fenced": True, "endPoints": []}),
        committed(-2, "TopicRecord", name="t"),
        committed(-2, "PartitionRecord", replicas=[0, 1, 2], isr=[0, 1, 2], leader=0, leaderEpoch=0, partitionEpoch=0),
        committed(5, "PartitionChangeRecord", isr=[1, 2], leader=1),
        committed(6, "PartitionChangeRecord", isr=[1], eligibleLeaderReplicas=[2]),
        committed(7, "PartitionChangeRecord", leader=1),
        at(-2, type="TopicRecord", data={"topicId": "B", "name": "__consumer_offsets"}),
        at(8, type="PartitionChangeRecord", data={"topicId": "B", "partitionId": 0, "leader": 2}),
    ],
    logs={"t-0": {0: [[0, 0, "a"], [1, 0, "c"]], 1: [[0, 0, "a"]], 2: [[0, 0, "a"]]}},
)
SCRIPT = script_of_plain(
    {
        "name": "E",
        "setup": [
            {"do": "producer", "args": ["P"], "acks": "1"},
            {"do": "consumer", "args": ["C"], "assign": [["t", 0]], "group": "g"},
            {"do": "sleep", "args": [1]},
        ],
        "timeline": [],
    },
    "4.2.1",
)
PLAIN = recording(SCRIPT, EVIDENCE)


def test_an_export_is_a_recording_that_the_reader_takes() -> None:
    read = parse(text(PLAIN))
    assert (read.name, read.kafka, read.actions[0].verb) == ("E", "4.2.1", "kill")
    assert [(client.id, client.group) for client in read.clients] == [("P", ""), ("C", "g")]
    assert json.loads(text(PLAIN)) == json.loads(json.dumps(PLAIN))


def test_setup_steps_that_open_no_client_stay_in_the_setup() -> None:
    assert PLAIN["setup"] == [{"do": "sleep", "args": [1]}]


def test_a_call_is_one_row_completed_by_its_callback() -> None:
    assert PLAIN["produce"] == [
        ["P", "t-0", "a", 1.0, 1.3, "ok", 0],
        ["P", "t-0", "b", 1.1, 1.4, "TimeoutException", None],
        ["P", "t-0", "c", 1.2, None, None, None],
    ]
    assert PLAIN["reads"] == [[1.5, "C", "t-0", 0, 0, "a"]]
    error = {"error": "NoOffsetForPartitionException", "message": "none"}
    assert PLAIN["client_events"] == [[1.6, "C", "error", error]]


def test_a_partition_is_written_whole_once_and_then_what_changed() -> None:
    """A change record that names a leader begins a leader epoch, the same leader included."""
    first, election, shrink, same_leader = PLAIN["metadata"]
    assert first[:2] == [-2.0, "t-0"]
    assert first[2] == {
        "replicas": [0, 1, 2],
        "isr": [0, 1, 2],
        "leader": 0,
        "epoch": 0,
        "partitionEpoch": 0,
        "recovery": 0,
        "elr": [],
        "lastKnownElr": [],
        "adding": [],
        "removing": [],
    }
    assert election == [5.0, "t-0", {"leader": 1, "epoch": 1, "partitionEpoch": 1, "isr": [1, 2]}]
    assert shrink == [6.0, "t-0", {"partitionEpoch": 2, "isr": [1], "elr": [2]}]
    assert same_leader == [7.0, "t-0", {"partitionEpoch": 3, "epoch": 2}]


def test_registrations_keep_the_columns_that_matter() -> None:
    assert PLAIN["brokers"] == [[-3.0, "RegisterBroker", {"brokerId": 0, "brokerEpoch": 5, "fenced": True}]]


def test_changes_of_offsets_alone_are_thinned_and_a_follower_has_no_isr() -> None:
    assert PLAIN["nodes"] == [[-5.0, 0, "starting"]]
    assert [(row[0], row[3]) for row in PLAIN["replicas"]] == [
        (0.0, STATE),
        (0.6, {"leo": 2, "hw": 2}),
        (0.7, {"leads": False, "epoch": 1}),
        (0.8, {"gone": True}),
    ]


def test_the_log_of_the_last_leader_stands_for_all_that_are_equal_to_it() -> None:
    assert PLAIN["logs"] == {
        "t-0": {"replicas": [0, 1, 2], "records": [[0, 0, "a"]], "different": {"0": [[0, 0, "a"], [1, 0, "c"]]}}
    }


def test_a_leader_without_a_record_has_an_empty_log() -> None:
    """A dump has no line of an empty log: no other replica's log stands for it."""
    evidence = replace(EVIDENCE, logs={"t-0": {2: [[0, 0, "a"]]}})  # 1 leads
    found = recording(SCRIPT, evidence)["logs"]["t-0"]
    assert (found["records"], found["different"]) == ([], {"2": [[0, 0, "a"]]})
