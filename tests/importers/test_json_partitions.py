"""JSON that tells who is in sync is read, whatever tool writes it and whatever it calls its keys."""

import json
from typing import Any

import pytest
import yaml

from tests.importers.test_field_faults import assumption, imported, states, warned

AWS = (
    "$ aws kafka describe-topic-partitions --cluster-arn arn:aws:kafka:x --topic-name orders\n"
    '{\n    "Partitions": [\n        {\n            "Partition": 0,\n            "Leader": 1,\n'
    '            "Replicas": [1, 2],\n            "Isr": [1]\n        },\n'
    '        {"Partition": 1, "Leader": -1, "Replicas": [2, 1], "Isr": [2]}\n    ]\n}\n'
)
GO = (
    '{"Brokers":[{"ID":1,"Host":"k1","Port":9092},{"ID":2,"Host":"k2","Port":9092}],"Topics":{"orders":{"Topic":'
    '"orders","Partitions":[{"ID":0,"Error":{},"Leader":1,"Replicas":[1,2],"ISRs":[1]},'
    '{"ID":1,"Error":{},"Leader":-1,"Replicas":[2,1],"ISRs":[2]}],"Error":{}}},"OriginatingBroker":{"ID":1}}'
)
DOT_NET = (
    '{ "OriginatingBrokerId": 1, "Brokers": [ { "BrokerId": 1, "Host": "k1", "Port": 9092 } ], "Topics": [ { "Topic": '
    '"orders", "Partitions": [ { "PartitionId": 0, "Leader": 1, "Replicas": [ 1, 2 ], "InSyncReplicas": [ 1 ], '
    '"Error": "Success" }, { "PartitionId": 1, "Leader": -1, "Replicas": [2, 1], "InSyncReplicas": [2] } ] } ] }'
)
KAFKA_JS = (
    "{\n  topics: [\n    {\n      name: 'orders',\n      partitions: [\n        {\n          partitionErrorCode: 0,\n"
    "          partitionId: 0,\n          leader: 1,\n          replicas: [ 1, 2 ],\n          isr: [ 1 ],\n"
    "          offlineReplicas: []\n        },\n        { partitionErrorCode: 5, partitionId: 1, leader: -1, "
    "replicas: [ 2, 1 ], isr: [ 2 ], offlineReplicas: [] }\n      ]\n    }\n  ]\n}\n"
)
PYTHON = repr(
    [
        {
            "error_code": 0,
            "topic": "orders",
            "is_internal": False,
            "partitions": [
                {"error_code": 0, "partition": 0, "leader": 1, "replicas": [1, 2], "isr": [1], "offline_replicas": []},
                {"error_code": 5, "partition": 1, "leader": -1, "replicas": [2, 1], "isr": [2], "offline_replicas": []},
            ],
        }
    ]
)
AKHQ = (
    '{"name":"orders","internal":false,"partitions":[{"id":0,"topic":"orders","leader":{"id":1,"isLeader":true,'
    '"isInSyncReplicas":true},"replicas":[{"id":1,"isLeader":true,"inSyncReplicas":true},{"id":2,"isLeader":false,'
    '"inSyncReplicas":false}],"firstOffset":0},{"id":1,"topic":"orders","leader":null,"replicas":[{"id":2,'
    '"isLeader":false,"inSyncReplicas":true},{"id":1,"isLeader":false,"inSyncReplicas":false}]}]}'
)
KAFKA_UI = (
    '{"name":"orders","partitions":[{"partition":0,"leader":1,"replicas":[{"broker":1,"leader":true,"inSync":true},'
    '{"broker":2,"leader":false,"inSync":false}],"offsetMax":5},{"partition":1,"leader":null,"replicas":['
    '{"broker":2,"leader":false,"inSync":true},{"broker":1,"leader":false,"inSync":false}]}]}'
)
REST = (
    "$ curl http://rest:8082/topics/orders/partitions\n"
    '[{"partition":0,"leader":1,"replicas":[{"broker":1,"leader":true,"in_sync":true},{"broker":2,"leader":false,'
    '"in_sync":false}]},{"partition":1,"leader":-1,"replicas":[{"broker":2,"leader":false,"in_sync":true},'
    '{"broker":1,"leader":false,"in_sync":false}]}]'
)
JAVA = (
    '{"orders":[{"topic":"orders","partition":0,"leader":{"id":1,"idString":"1","rack":"a"},"replicas":[{"id":1,'
    '"rack":"a"},{"id":2,"rack":"b"}],"inSyncReplicas":[{"id":1}],"offlineReplicas":[]},{"topic":"orders",'
    '"partition":1,"leader":{"id":-1},"replicas":[{"id":2},{"id":1}],"inSyncReplicas":[{"id":2}]}]}'
)
ROWS = (
    '{"topic":"orders","partition":0,"leader":1,"replicas":[1,2],"isr":[1]}\n'
    '{"topic":"orders","partition":1,"leader":null,"replicas":[2,1],"isr":[2]}\n'
)
COPIES = [(0, 1, True, True), (0, 2, False, False), (1, 2, False, True), (1, 1, False, False)]
REPLICAS = json.dumps(
    {
        "kind": "KafkaReplicaList",
        "data": [
            {"kind": "KafkaReplica", "topic_name": "orders", "partition_id": part, "broker_id": broker}
            | {"is_leader": leads, "is_in_sync": in_sync}
            for part, broker, leads, in_sync in COPIES
        ],
    }
)
PROTOCOL = json.dumps(
    {
        "topics": [
            {
                "name": "orders",
                "partitions": [
                    {"partitionIndex": 0, "leaderId": 1, "leaderEpoch": 4, "replicaNodes": [1, 2], "isrNodes": [1]},
                    {"partitionIndex": 1, "leaderId": -1, "leaderEpoch": 4, "replicaNodes": [2, 1], "isrNodes": [2]},
                ],
            }
        ]
    }
)
RESPONSE = json.dumps({"brokers": [{"nodeId": 1, "rack": "a"}, {"nodeId": 2, "rack": "b"}], **json.loads(PROTOCOL)})
KAFKA_GO = (
    "{Topic:orders Leader:{Host:k1 Port:9092 ID:1 Rack:a} Replicas:[{Host:k1 Port:9092 ID:1 Rack:a} {Host:k2 Port:9092 "
    "ID:2 Rack:b}] Isr:[{Host:k1 Port:9092 ID:1 Rack:a}] OfflineReplicas:[] ID:0 Error:<nil>}\n"
    "{Topic:orders Leader:{Host: Port:0 ID:-1 Rack:} Replicas:[{Host:k2 Port:9092 ID:2 Rack:b} {Host:k1 Port:9092 ID:1 "
    "Rack:a}] Isr:[{Host:k2 Port:9092 ID:2 Rack:b}] OfflineReplicas:[] ID:1 Error:[5] Leader Not Available: wait}\n"
)
SARAMA = (
    "topic orders:\n"
    "&{Version:5 Err:kafka server: Not an error, why are you printing me? ID:0 Leader:1 Replicas:[1 2] Isr:[1]}\n"
    "&{Version:5 Err:kafka server: In the middle of a leadership election ID:1 Leader:-1 Replicas:[2 1] Isr:[2]}\n"
)
KARAFKA = (
    '[{:partition_count=>2, :topic_name=>"orders", :partitions=>[{:leader=>1, :partition_id=>0, :replicas=>[1, 2], '
    ":isrs=>[1]}, {:leader=>-1, :partition_id=>1, :replicas=>[2, 1], :isrs=>[2]}]}]"
)
BROD = (
    '{:ok, %{brokers: [%{host: "k1", node_id: 1, rack: "a"}, %{host: "k2", node_id: 2, rack: nil}], topics: '
    '[%{error_code: :no_error, name: "orders", partitions: [%{error_code: :no_error, isr_nodes: [1], leader_id: 1, '
    "partition_index: 0, replica_nodes: [1, 2]}, %{error_code: :leader_not_available, isr_nodes: [2], leader_id: -1, "
    "partition_index: 1, replica_nodes: [2, 1]}]}]}}"
)
FORMS = {
    "Kafka's protocol": PROTOCOL,
    "Kafka's response with its brokers": RESPONSE,
    "kafka-go": KAFKA_GO,
    "Sarama": SARAMA,
    "Karafka": KARAFKA,
    "brod": BROD,
    "AWS": AWS,
    "AWS in small letters": AWS.replace('"P', '"p').replace('"L', '"l').replace('"R', '"r').replace('"I', '"i'),
    "Go": GO,
    ".NET": DOT_NET,
    "KafkaJS": KAFKA_JS,
    "kafka-python": PYTHON,
    "AKHQ": AKHQ,
    "Kafka UI": KAFKA_UI,
    "REST proxy": REST,
    "Java": JAVA,
    "a row a line": ROWS,
    "Confluent's REST API": REPLICAS,
}
BINDINGS = {
    "orig_broker_id": 0,
    "orig_broker_name": "k1:9093/0",
    "topics": [{"name": "t", "partitions": [{"id": 0, "leader": 0, "replicas": [0, 1, 4], "isrs": [0, 1]}]}],
    "brokers": [{"id": number, "host": f"k{number}", "port": 9093} for number in (4, 1, 0)],
}
STATUS = (
    "Topic   Partition  Replica  ClusterLink  IsLeader  IsObserver  IsIsrEligible  IsInIsr  IsCaughtUp  "
    "LastCaughtUpLagMs  LastFetchLagMs  LogStartOffset  LogEndOffset\n"
    "orders  0          1        -            false     false       true           true     true        0  0  0  4711\n"
    "orders  0          2        -            true      false       true           true     true        0  0  0  4711\n"
    "orders  0          3        -            false     true        false          false    true        9  9  0  4700\n"
    "orders  1          1        -            true      false       true           true     true        0  0  0  500\n"
    "orders  1          2        -            false     false       true           false    false       9  9  0  40\n"
)


def rows(result: dict[str, Any]) -> dict[str, list[tuple[Any, list[int], list[int]]]]:
    """Leader, replicas and ISR of each partition, by topic."""
    return {
        topic["name"]: [
            (start["leader"], replicas, start["isr"])
            for replicas, start in zip(topic["assignment"], topic["initial"].values(), strict=True)
        ]
        for topic in result["scenario"]["topics"]
    }


@pytest.mark.parametrize("name", FORMS)
def test_partitions_are_read_with_their_members_in_sync(name: str) -> None:
    result = imported(FORMS[name])
    assert result["kind"] == "metadata"
    summary = result["summary"]
    assert [summary[key] for key in ("brokers", "topics", "partitions", "under_replicated", "leaderless")] == [
        2,
        1,
        2,
        2,
        1,
    ]
    first, second = rows(result)["orders"]
    assert first == (1, [1, 2], [1])
    assert second[1:] == ([2, 1], [2])


def test_racks_in_the_json_are_those_of_the_brokers() -> None:
    brokers = imported(JAVA)["scenario"]["cluster"]["brokers"]
    assert {broker["id"]: broker["rack"] for broker in brokers} == {1: "a", 2: "b"}


def test_brokers_of_a_list_of_their_own_have_its_racks() -> None:
    brokers = {"data": [{"broker_id": 1, "host": "k1", "rack": "a"}, {"broker_id": 2, "host": "k2", "rack": "b"}]}
    result = imported(json.dumps(brokers) + "\n" + REPLICAS)
    assert [one["rack"] for one in result["scenario"]["cluster"]["brokers"]] == ["a", "b"]
    assert result["unread"] == []


def test_rows_that_name_no_topic_are_those_of_one_and_the_next_listing_is_of_another() -> None:
    bare = '{"partitions":[{"partition":0,"leader":1,"replicas":[1,2],"isr":[1]}]}'
    result = imported(f"{bare}\n{bare}\n")
    assert list(rows(result)) == ["unnamed-topic", "unnamed-topic-2"]


def test_partitions_without_a_topic_that_stand_one_by_one_are_those_of_one_until_a_number_comes_again() -> None:
    one = "Partition {{ id: {}, leader: 1, replicas: [1, 2], isr: [1], err: None }}\n"
    result = imported("".join(map(one.format, (0, 1, 2, 0, 1))))
    assert {name: len(found) for name, found in rows(result).items()} == {"unnamed-topic": 3, "unnamed-topic-2": 2}
    assert warned(result, "The JSON names no topic")


def test_a_part_of_the_json_is_used_and_the_rest_is_told() -> None:
    result = imported(ROWS + '{"topic":"orders","partition":2,"leader":1,"repl')
    assert result["summary"]["partitions"] == 2
    assert warned(result, "The JSON is not whole")


def test_more_values_than_are_read_are_told() -> None:
    row = '{{"topic":"t","partition":{},"leader":1,"replicas":[1],"isr":[1]}}\n'
    assert warned(imported("".join(map(row.format, range(2_001)))), "the first 2,000 values are read")


def test_eligible_leader_replicas_of_java_tell_the_version() -> None:
    row = '[{"topic":"t","partition":0,"leader":null,"replicas":[1,2],"isr":[],"elr":[2],"lastKnownElr":[1]}]'
    result = imported(row)
    assert result["scenario"]["topics"][0]["initial"]["0"]["elr"] == [2]
    assert "an Elr" in assumption(result, "version")["why"]


def test_a_listing_with_states_is_no_plan_of_a_reassignment() -> None:
    result = imported('[{"topic":"t","partition":0,"leader":1,"replicas":[1,2],"isr":[1]}]')
    assert result["warnings"] == []
    assert result["label"] == "the JSON of a client's metadata"


KAFKACTL = [
    {
        "Name": "orders",
        "Partitions": [
            {"ID": 0, "oldestOffset": 0, "newestOffset": 9, "leader": "k1:9092"}
            | {"replicas": [1, 2], "inSyncReplicas": [1]},
            {"ID": 1, "oldestOffset": 0, "newestOffset": 9, "leader": ""} | {"replicas": [2, 1], "inSyncReplicas": [2]},
        ],
        "Configs": [{"Name": "min.insync.replicas", "Value": "2"}],
    }
]
METADATA_SHELL = """\
>> cat /topics/by-name/orders/0
{ "partitionId" : 0, "topicId" : "x", "replicas" : [ 1, 2 ], "isr" : [ 1 ], "leader" : 1, "partitionEpoch" : 12 }
>> cat /topics/by-name/orders/1
{ "partitionId" : 1, "topicId" : "x", "replicas" : [ 2, 1 ], "isr" : [ 2 ], "leader" : -1, "partitionEpoch" : 14 }
"""


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(KAFKACTL),
        "$ kafkactl describe topic orders -o yaml\n" + yaml.dump(KAFKACTL[0]),
        "$ kafkactl describe topic orders -o yaml\n" + yaml.dump(KAFKACTL[0], default_flow_style=None),
    ],
    ids=["JSON", "YAML", "YAML with lists in brackets"],
)
def test_settings_beside_the_partitions_are_those_of_the_topic(text: str) -> None:
    result = imported(text)
    first, second = rows(result)["orders"]
    assert first == (1, [1, 2], [1]) and second[1:] == ([2, 1], [2])
    assert result["scenario"]["topics"][0]["config"] == {"min.insync.replicas": 2}
    assert [one["text"] for one in result["unread"] if not one["noise"]] == []


def test_settings_as_a_mapping_and_one_by_one_are_read() -> None:
    row = json.loads(ROWS.split("\n", 1)[0])
    listed = {"data": [{"topic_name": "orders", "name": "min.insync.replicas", "value": "2", "is_default": False}]}
    beside = {"name": "orders", "configs": {"min.insync.replicas": 2, "flush.ms": None}, "partitions": [row]}
    for text in (json.dumps(beside), json.dumps(row) + "\n" + json.dumps(listed)):
        assert imported(text)["scenario"]["topics"][0]["config"] == {"min.insync.replicas": 2}


@pytest.mark.parametrize("text", [METADATA_SHELL, PYTHON.replace("}]}]", "}], 'operations': {'READ', 'WRITE'}}]")])
def test_the_topic_is_the_one_that_stands_in_front_of_the_partitions(text: str) -> None:
    result = imported(text)
    assert list(rows(result)) == ["orders"]
    assert rows(result)["orders"][0] == (1, [1, 2], [1])
    assert not warned(result, "names no topic")


def test_numbers_in_quotes_are_numbers_and_a_leader_that_cannot_be_read_is_not_none() -> None:
    row = '[{"topic":"t","partition":"0","leader":%s,"replicas":["1","2"],"isr":["1"]}]'
    assert rows(imported(row % '"1"')) == {"t": [(1, [1, 2], [1])]}
    assert imported(row % '"somebody"')["status"] == "reject"


def test_a_leader_named_by_its_address_is_the_node_with_that_address() -> None:
    nodes = '{"brokers":[{"id":1,"host":"k1","port":9092},{"id":2,"host":"k2","port":9092}]}\n'
    row = '[{"topic":"t","partition":0,"leader":"k2:9092","replicas":[1,2],"isr":[1,2]}]'
    assert rows(imported(nodes + row)) == {"t": [(2, [1, 2], [1, 2])]}


class TestMetadataOfLibrdkafka:
    @pytest.mark.parametrize("text", [json.dumps(BINDINGS), json.dumps(BINDINGS, indent=2), repr(BINDINGS)])
    def test_topics_with_a_name_and_partitions_with_an_id_are_read(self, text: str) -> None:
        result = imported(text)
        assert result["label"] == "the metadata of librdkafka as JSON"
        assert rows(result) == {"t": [(0, [0, 1, 4], [0, 1])]}
        assert states(result) == {0: "running", 1: "running", 4: "running"}


class TestReplicaStatus:
    @pytest.mark.parametrize("text", [STATUS, STATUS.replace("ClusterLink", "").replace("        -  ", "  ")])
    def test_each_partition_has_the_leader_the_isr_and_the_observers_of_its_lines(self, text: str) -> None:
        result = imported(text)
        assert rows(result) == {"orders": [(2, [2, 1, 3], [2, 1]), (1, [1, 2], [1])]}
        assert assumption(result, "observers")["value"] == "orders-0"

    def test_a_copy_is_as_far_behind_as_its_log_ends_in_front_of_the_leaders(self) -> None:
        result = imported(STATUS)
        assert result["scenario"]["topics"][0]["initial"]["1"]["lag"] == {"2": 460}
        assert assumption(result, "backlog of listed copies")["why"].endswith("as the paste tells")


class TestNoStandIn:
    """A paste that lists partitions gets no stand-in topic."""

    BROKERS = "ID HOST PORT RACK\n1 k1 9092 a\n2 k2 9092 b\n"

    @pytest.mark.parametrize(
        "listed",
        [
            "PARTITION  LEADER  EPOCH  REPLICAS  LOG-START-OFFSET\n0          1       3      [1 2]     0\n",
            "\tTopic: t\tPartition: 0\tLeader: 1\tReplicas: 1,2\n",
            "\tTopic: t\tPartition: 0\tLeader: 1\tReplicas: 1,2\tIsr: one\n",
            '{"topics":[{"topic":"t","partitions":[{"partition":0,"leader":1,"isrs":[]}]}]}\n',
            ' 1 topics:\n  topic "t" with 1 partitions:\n    partition 0, leader 1, replicas: 1,2\n',
        ],
    )
    def test_partitions_that_cannot_be_used_are_a_refusal(self, listed: str) -> None:
        result = imported(self.BROKERS + listed)
        assert result["scenario"] is None
        assert result["status"] == "reject"
        assert "no topic is made up in their place" in result["reason"]

    def test_brokers_alone_get_a_topic(self) -> None:
        assert list(rows(imported(self.BROKERS))) == ["topic-1"]


CRUISE = """\
Summary: The cluster has 3 brokers, 12 replicas, 4 leaders, and 2 topics with avg replication factor: 3.00.
   BROKER  LEADER(S)  REPLICAS  OUT-OF-SYNC  OFFLINE  IS_CONTROLLER
        0          2         4            0        0          false
        1          0         4            1        0           true
        2          0         2            2        0          false
Under Replicated, Offline, and Under MinIsr Partitions:
    TOPIC PARTITION  LEADER  REPLICAS   IN-SYNC  OUT-OF-SYNC  OFFLINE{head}
Offline Partitions:
Under Replicated Partitions:
    loads         0       0  [0, 1, 2]  [0]      [1, 2]       []{value}
"""


class TestCruiseControl:
    @pytest.mark.parametrize(
        ("head", "value", "least"), [("", "", {}), ("  MIN-ISR", "  2", {"min.insync.replicas": 2})]
    )
    def test_partitions_in_trouble_are_drawn_with_and_without_the_column_min_isr(
        self, head: str, value: str, least: dict[str, int]
    ) -> None:
        result = imported(CRUISE.format(head=head, value=value))
        assert rows(result) == {"loads": [(0, [0, 1, 2], [0])]}
        assert result["scenario"]["topics"][0]["config"] == least

    def test_a_broker_with_leaders_or_with_copies_in_sync_runs(self) -> None:
        assert states(imported(CRUISE.format(head="", value=""))) == {0: "running", 1: "running", 2: "down"}
