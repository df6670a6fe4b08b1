"""Outputs of other tools are refused by their name, and what their tables hold is counted."""

import pytest

from simengine.importers.recognise import read
from simengine.importers.report import import_text, status

CLOUD = """\
Topic: loads PartitionCount: 2 ReplicationFactor: 3
  Topic | Partition | Leader | Replicas |   ISR
+-------+-----------+--------+----------+---------+
  loads |         0 |      4 | [4 5 6]  | [4 5 6]
  loads |         1 |     -1 | [5 6 4]  | []
"""
MARKDOWN = """\
| Topic | Partition | Leader | Replicas | ISR |
|---|---|---|---|---|
| loads | 0 | 1 | 1, 2 | 1, 2 |
"""
CRUISE = """\
Summary: The cluster has 3 brokers, 12 replicas, 4 leaders, and 2 topics with avg replication factor: 3.00.
   BROKER  LEADER(S)  REPLICAS  OUT-OF-SYNC  OFFLINE  IS_CONTROLLER
        0          2         4            0        0          false
        1          2         4            0        0           true
        2          0         4            2        0          false
Under Replicated, Offline, and Under MinIsr Partitions:
    TOPIC PARTITION  LEADER  REPLICAS   IN-SYNC  OUT-OF-SYNC  OFFLINE  MIN-ISR
Offline Partitions:
    loads         1      -1  [2, 0, 1]  [2]      [0, 1]       []       2
Under Replicated Partitions:
    loads         0       0  [0, 1, 2]  [0, 1]   [2]          []       2
    loads         1      -1  [2, 0, 1]  [2]      [0, 1]       []       2
"""
CRUISE_JSON = (
    '{"KafkaBrokerState":{"ReplicaCountByBrokerId":{"0":4,"1":4},"Summary":{"Topics":5}},"KafkaPartitionState":'
    '{"offline":[],"urp":[{"topic":"loads","partition":0,"leader":0,"replicas":[0,1],"in-sync":[0],"offline":[1],"min-isr":2}]},"version":1}'
)
CRUISE_LOAD = """\
        HOST         BROKER      RACK         DISK_CAP(MB)            DISK(MB)/_(%)_    CORE_NUM
      h0.example,             0,  az-a,            100.000,            12.1/12.10,  2
      h1.example,             1,  az-b,            100.000,            12.1/12.10,  2
"""


def test_rows_that_cannot_be_used_are_refused_by_what_is_wrong_with_them() -> None:
    result = import_text("\tTopic: <name>\tPartition: 0\tLeader: 1\tReplicas: 1,2\tIsr: 1,2\n")
    assert result["status"] == "reject"
    assert "no row of it can be used: Line 1: Topic is '<name>'" in result["reason"]


@pytest.mark.parametrize(
    ("text", "counts"),
    [(CRUISE, (3, 2, 2, 2, 1)), (CRUISE_JSON, (2, 5, 1, 1, 0)), (CRUISE_LOAD, (2, 0, 0, None, None))],
)
def test_the_answers_of_cruise_control_are_named_and_counted(text: str, counts: tuple[int | None, ...]) -> None:
    reading = read(text)
    found = reading.facts
    assert (reading.kind, status(reading)) == ("cruise", "accept-warn")
    assert (found.brokers, found.topics, found.partitions, found.under_replicated, found.leaderless) == counts


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID\nt 0 2 4 2 c-1\n", "kafka-consumer-groups.sh"),
        ("Dynamic configs for topic t are:\n  retention.ms=5 sensitive=false\n", "kafka-configs.sh --describe"),
        ("Configs for topic 't' are retention.ms=5\n", "kafka-configs.sh --describe"),
        ("__consumer_offsets\nloads\n", "a list of topic names"),
        ('{"ClusterInfo": {"ClusterName": "c", "NumberOfBrokerNodes": 6}}', "Amazon MSK"),
        ("Current ACLs for resource `Topic:LITERAL:t`:\n", "kafka-acls.sh"),
        ("Name\tCount\tSize\tLast Record\tTotal\tFactor\tIn Sync\nloads\t≈ 12\t4 kB\t\t3\t3\t3\n", "a page of AKHQ"),
        ("Partition ID\tStatus\tLeader\tFollowers (in-sync)\n0\tAvailable\t1\t2, 3\n", "Confluent Control Center"),
        ("Broker ID\tClient subnet\tAvailability zone\n1\tsubnet-0\tuse1-az1\n", "the console of Amazon MSK"),
        ('[{"partition":0,"leader":1,"replicas":[{"broker":1,"leader":true}]}]', "REST proxy"),
        ('{"name":"t","partitions":[{"id":0,"oldest":0,"newest":9}]}', "kt, kafkactl"),
        ("{ partitionErrorCode: 0, partitionId: 0, leader: 1, replicas: [Array], isr: [Array] }", "KafkaJS"),
        ('kafka_topic_partition_in_sync_replica{partition="0",topic="t"} 3\n', "Prometheus"),
        ("[2026-01-01 00:00:00,000] INFO [Partition t-0 broker=1] Shrinking ISR (kafka.cluster.Partition)\n", "a log"),
        (
            "Topics:\n  Topic: t, Error: Success\n    Partition: 0\n      Replicas: [1]\n      InSyncReplicas: [1]\n",
            ".NET",
        ),
        ("loads\nparcels\n", "a list of names"),
        ('{"class": "org.apache.kafka.trogdor.workload.ProduceBenchSpec", "durationMs": 10}\n', "Trogdor"),
        ("broker:\n  replicaCount: 3\noverrideConfiguration:\n  min.insync.replicas: 2\n", "a Helm chart"),
        ("(*sarama.PartitionMetadata)(0xc0002)({\n   ID: (int32) 0,\n   Leader: (int32) 1\n", "client program"),
        ("PARTITION  EARLIEST_OFFSET  LATEST_OFFSET  ISR  SIZE\n0  0  1200  3  12345678\n", "Its ISR is a number"),
        ("baseOffset: 0 lastOffset: 9 count: 10 magic: 2\n| offset: 0 payload: xyz\n", "kafka-dump-log.sh"),
        (
            "[2026-01-01 00:00:00,000] INFO [Partition t-0 broker=1] Shrinking ISR from 1,2 to 1. "
            "(kafka.cluster.Partition)\n"
            "[2026-01-01 00:00:00,900] INFO [Partition t-0 broker=1] ISR updated to 1 (kafka.cluster.Partition)\n",
            "a log",
        ),
        (
            "$ kafka-topics.sh --bootstrap-server b:9092 --describe \\\n  --under-replicated-partitions\n$\n",
            "no partition",
        ),
        (
            "Error while executing topic command : Topic 't' does not exist as expected\n",
            "an error message of kafka-topics",
        ),
        ("% ERROR: Failed to acquire metadata: Local: Broker transport failure\n", "an error message of kcat"),
        ("Successfully completed leader election (PREFERRED) for partitions t-0\n", "kafka-leader-election.sh"),
        ("[zk: localhost:2181(CONNECTED) 0] ls /\n[admin, brokers]\n", "zookeeper-shell.sh"),
        ("Cluster ID: AbCdEfGh\n", "kafka-cluster.sh"),
        ("[{'topic': 't', 'is_internal': False, 'partitions': []}]", "Python"),
        ("Partition ID\tReplicas\tFirst Offset\tNext Offset\n0\t1, 2\t0\t5\n", "Kafka UI"),
        ("apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: kafka}\n", "Kubernetes manifest"),
        ("| killed 1 | `Leader: none Isr: Elr: 1,2 LastKnownElr: 1` |\n", "no row of it names a partition"),
        ('{"t":[{"topic":"t","leader":{"id":2,"idString":"2"},"inSyncReplicas":[{"id":2}]}]}', "PartitionInfo"),
        ("$ kafkactl get topics\nTOPIC   PARTITIONS   REPLICATION FACTOR\nt   1   2\n", "kafkactl get topics"),
        ('[\n\t{\n\t\t"Name": "t",\n\t\t"Partitions": [\n\t\t\t{"ID": 0', "kafkactl"),
        ('{"name":"t","partitions":[{"leader":1,"offsetMax":5,"replicas":[{"broker":1,"inSync":true}]}]}', "Kafka UI"),
        ('{"partitionLogDirs":[{"partitionId":0}]}', "Redpanda Console"),
        ("clusters = A, B\nA.bootstrap.servers = a:9092\nA->B.enabled = true\n", "MirrorMaker 2"),
        ("B->A.topics = .*\n", "MirrorMaker 2"),
        (
            f"[2026-01-01 00:00:00,000] TRACE [Controller id=0] Sent {'x' * 900} (state.change.logger)\n",
            "a log of Kafka",
        ),
        ("TRACE 2026-01-01 00:00:00,000 [shard 0] kafka - requests.cc:90 - sent metadata\n", "a log of Redpanda"),
        ('{"status":{"group":"g","partitions":[{"topic":"t","current_lag":0}],"maxlag":null}}', "Burrow"),
        ("(*kafka.Metadata)(0xc0001)({\n Brokers: ([]kafka.BrokerMetadata) (len=3) {\n", "a client program's own"),
    ],
)
def test_other_outputs_are_refused_by_name(text: str, name: str) -> None:
    result = import_text(text)
    assert (result["status"], result["kind"]) == ("reject", "foreign")
    assert name in result["reason"]


@pytest.mark.parametrize(("text", "least", "offline"), [(CRUISE, "2", ()), (CRUISE_JSON, "2", (1,))])
def test_cruise_control_tells_min_insync_replicas_and_which_copies_are_offline(
    text: str, least: str, offline: tuple[int, ...]
) -> None:
    cluster = read(text).cluster
    assert cluster is not None
    topic = cluster.topics["loads"]
    assert (topic.configs, topic.rows[0].offline) == ({"min.insync.replicas": least}, offline)


def test_json_of_cruise_control_on_one_line_is_read_and_not_listed_as_unread() -> None:
    assert import_text(CRUISE_JSON)["unread"] == []


def test_what_ssh_prints_around_an_output_is_no_data() -> None:
    listing = "\tTopic: t\tPartition: 0\tLeader: 1\tReplicas: 1,2\tIsr: 1,2\n"
    around = "Warning: Permanently added 'b1' (ED25519) to the list of known hosts.\n{}Connection to b1 closed.\n"
    assert all(line["noise"] for line in import_text(around.format(listing))["unread"])
