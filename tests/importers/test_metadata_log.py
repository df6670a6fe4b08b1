"""Reads the records of a controller's log, as kafka-dump-log.sh prints them of a cluster of Kafka 4.2.1."""

import json
from typing import Any

import pytest

from simengine.importers.recognise import read
from tests.importers.test_document import scenario_of

HEAD = """Dumping d1/__cluster_metadata-0/00000000000000000000.log
Log starting offset: 0
baseOffset: 0 lastOffset: 9 count: 10 baseSequence: -1 lastSequence: -1 producerId: -1 position: 0 magic: 2
| offset: 0 CreateTime: 1796101125484 keySize: 4 valueSize: 19 headerKeys: [] LeaderChange: {"version":0,"leaderId":1}
"""
TOPIC_ID = "ILN2Ep_XS4eIcUAxBFp_EQ"
CLUSTER: tuple[tuple[str, dict[str, Any]], ...] = (
    ("FEATURE_LEVEL", {"name": "metadata.version", "featureLevel": 29}),
    ("FEATURE_LEVEL", {"name": "eligible.leader.replicas.version", "featureLevel": 1}),
    ("REGISTER_CONTROLLER", {"controllerId": 100, "endPoints": []}),
    ("REGISTER_BROKER", {"brokerId": 1, "rack": "az-a", "fenced": True, "logDirs": ["sdzmzVK84ZIgxOMwlxJ9ug"]}),
    ("REGISTER_BROKER", {"brokerId": 2, "rack": "az-b", "fenced": True, "logDirs": ["cFeyz2RwjSJUeP2ZIOMHoA"]}),
    ("BROKER_REGISTRATION_CHANGE", {"brokerId": 1, "brokerEpoch": 11, "fenced": -1}),
    ("BROKER_REGISTRATION_CHANGE", {"brokerId": 2, "brokerEpoch": 13, "fenced": -1}),
    ("NO_OP", {}),
    ("TOPIC", {"name": "orders", "topicId": TOPIC_ID}),
    ("CONFIG", {"resourceType": 2, "resourceName": "orders", "name": "min.insync.replicas", "value": "2"}),
    ("PARTITION", {"partitionId": 0, "topicId": TOPIC_ID, "replicas": [1, 2], "isr": [1, 2], "leader": 1}),
    ("PARTITION", {"partitionId": 1, "topicId": TOPIC_ID, "replicas": [2, 1], "isr": [2, 1], "leader": 2}),
)
BROKER_2_DIES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("PARTITION_CHANGE", {"partitionId": 0, "topicId": TOPIC_ID, "isr": [1], "eligibleLeaderReplicas": [2]}),
    (
        "PARTITION_CHANGE",
        {"partitionId": 1, "topicId": TOPIC_ID, "isr": [1], "leader": 1, "eligibleLeaderReplicas": [2]},
    ),
    ("BROKER_REGISTRATION_CHANGE", {"brokerId": 2, "brokerEpoch": 13, "fenced": 1}),
)


def dump(*records: tuple[str, dict[str, Any]]) -> str:
    """The lines of the tool for some records."""
    lines = [
        f"| offset: {n} CreateTime: 1796101125773 keySize: -1 valueSize: 24 sequence: -1 headerKeys: [] "
        f'payload: {{"type":"{kind}_RECORD","version":0,"data":{json.dumps(data, separators=(",", ":"))}}}'
        for n, (kind, data) in enumerate(records)
    ]
    return HEAD + "\n".join(lines) + "\n"


def rows(*records: tuple[str, dict[str, Any]]) -> dict[str, tuple[int, tuple[int, ...], tuple[int, ...] | None]]:
    """Leader, ISR and ELR of each partition."""
    found = read(dump(*records))
    assert found.cluster is not None
    return {f"{row.topic}-{row.number}": (row.leader, row.isr, row.elr) for row in found.cluster.rows()}


def test_the_cluster_is_the_one_after_the_last_record() -> None:
    assert rows(*CLUSTER) == {"orders-0": (1, (1, 2), None), "orders-1": (2, (2, 1), None)}
    assert rows(*CLUSTER, *BROKER_2_DIES) == {"orders-0": (1, (1,), (2,)), "orders-1": (1, (1,), (2,))}


def test_brokers_racks_states_version_controllers_and_configs_are_told() -> None:
    found = read(dump(*CLUSTER, *BROKER_2_DIES))
    assert found.cluster is not None
    assert not found.warnings
    assert not found.unread
    assert {one.id: (one.rack, one.alive) for one in found.cluster.brokers.values()} == {
        1: ("az-a", True),
        2: ("az-b", False),
    }
    document = scenario_of(dump(*CLUSTER, *BROKER_2_DIES))
    assert document["profile"] == "4.2"
    assert document["elr"] is True
    assert document["topics"][0]["config"] == {"min.insync.replicas": 2}
    assert [one["id"] for one in document["cluster"]["controllers"]] == [100]


def test_without_the_head_of_each_record_it_is_the_same() -> None:
    bare = "\n".join(" payload: " + line.partition("payload: ")[2] for line in dump(*CLUSTER).splitlines()[4:])
    found = read(bare)
    assert found.facts == read(dump(*CLUSTER)).facts


def test_a_leader_of_minus_one_is_none() -> None:
    gone = ("PARTITION_CHANGE", {"partitionId": 0, "topicId": TOPIC_ID, "isr": [], "leader": -1})
    assert rows(*CLUSTER, gone)["orders-0"] == (-1, (), None)


def test_a_deleted_topic_and_a_deleted_config_are_gone() -> None:
    unset = ("CONFIG", {"resourceType": 2, "resourceName": "orders", "name": "min.insync.replicas", "value": None})
    assert scenario_of(dump(*CLUSTER, unset))["topics"][0]["config"] == {}
    again = ("TOPIC", {"name": "orders", "topicId": "B"})
    partition = ("PARTITION", {"partitionId": 0, "topicId": "B", "replicas": [1], "isr": [1], "leader": 1})
    text = dump(*CLUSTER, ("REMOVE_TOPIC", {"topicId": TOPIC_ID}), again, partition)
    assert read(text).facts.partitions == 1
    assert scenario_of(text)["topics"][0]["config"] == {}


def test_the_elr_of_a_topic_is_emptied() -> None:
    cleared = ("CLEAR_ELR", {"topicName": "orders"})
    assert rows(*CLUSTER, *BROKER_2_DIES, cleared)["orders-0"] == (1, (1,), ())


def test_a_broker_that_is_taken_out_is_none() -> None:
    found = read(dump(*CLUSTER, ("REGISTER_BROKER", {"brokerId": 3}), ("UNREGISTER_BROKER", {"brokerId": 3})))
    assert found.facts.brokers == 2


def test_topics_that_no_record_names_are_said() -> None:
    later = dump(*CLUSTER[2:7], *BROKER_2_DIES)
    found = read(later)
    assert "A topic changed that no record names, so the log begins after a snapshot." in " ".join(found.warnings)
    nothing = read(dump(("NO_OP", {}), ("NO_OP", {})))
    assert nothing.rejected is not None
    assert ".checkpoint" in nothing.rejected


@pytest.mark.parametrize("data", ["[]", '{"brokerId":"x"}', '{"partitionId":-1,"topicId":1,"replicas":[9e9]}', "{"])
@pytest.mark.parametrize("kind", ["REGISTER_BROKER", "UNREGISTER_BROKER", "PARTITION", "PARTITION_CHANGE", "CONFIG"])
def test_a_record_that_cannot_be_read_leaves_the_others(kind: str, data: str) -> None:
    broken = f'| offset: 9 payload: {{"type":"{kind}_RECORD","version":0,"data":{data}}}\n'
    assert read(dump(*CLUSTER) + broken).facts.partitions == 2
