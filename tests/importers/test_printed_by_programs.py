"""Metadata that client programs print is read: partitions, nodes with their racks, ELRs."""

import pytest

from simengine.importers.recognise import read
from tests.importers.test_field_faults import assumption, imported, states, warned
from tests.importers.test_json_partitions import rows

NODES = {number: f"k{number}.example:9092 (id: {number} rack: az-{'abc'[number - 1]})" for number in (1, 2, 3)}
DESCRIPTION = (
    "12:01:22.345 INFO  [main] Probe - {orders=(name=orders, internal=false, partitions="
    f"(partition=0, leader={NODES[1]}, replicas={NODES[1]}, {NODES[2]}, isr={NODES[1]}, elr={NODES[2]}, lastKnownElr=),"
    f"(partition=1, leader=none, replicas={NODES[2]}, {NODES[1]}, isr=, elr={NODES[2]}, lastKnownElr={NODES[1]}), "
    "authorizedOperations=null)}\n"
)
FORMS = {
    "PartitionInfo": "Partition(topic = orders, partition = 0, leader = 1, replicas = [1,2], isr = [1], "
    "offlineReplicas = [2])\n"
    "Partition(topic = orders, partition = 1, leader = none, replicas = [2,1], isr = [2], offlineReplicas = [2])\n",
    "Python": ' 1 topics:\n  "orders" with 2 partition(s)\npartition 0 leader: 1, replicas: [1, 2], isrs: [1] \n'
    "partition 1 leader: -1, replicas: [2, 1], isrs: [2] errstr: Broker: Leader not available\n",
    "Python by hand": "Topic: orders with 2 partitions\n    Partition 0 - leader: 1, replicas: [1, 2], isrs: [1]\n"
    "    Partition 1 - leader: -1, replicas: [2, 1], isrs: [2]\n",
    "response of the protocol": "DEBUG Received METADATA response: MetadataResponseData(brokers=["
    "MetadataResponseBroker(nodeId=1, host='k1', port=9092, rack='a')], topics=[MetadataResponseTopic(errorCode=0, "
    "name='orders', topicId=x, isInternal=false, partitions=[MetadataResponsePartition(errorCode=0, partitionIndex=0, "
    "leaderId=1, leaderEpoch=4, replicaNodes=[1, 2], isrNodes=[1], offlineReplicas=[2]), "
    "MetadataResponsePartition(errorCode=5, partitionIndex=1, leaderId=-1, leaderEpoch=4, replicaNodes=[2, 1], "
    "isrNodes=[2], offlineReplicas=[2])])])\n",
    "kafka-metadata-shell.sh": ">> cat /image/topics/byName/orders/0\nPartitionRegistration(replicas=[1, 2], "
    "directories=[AAAAAAAAAAAAAAAAAAAAAA, x], isr=[1], removingReplicas=[], addingReplicas=[], elr=[], "
    "lastKnownElr=[], leader=1, leaderRecoveryState=RECOVERED, leaderEpoch=7, partitionEpoch=12)\n"
    ">> cat /image/topics/byName/orders/1\nPartitionRegistration(replicas=[2, 1], isr=[2], removingReplicas=[], "
    "addingReplicas=[], leader=-1, leaderRecoveryState=RECOVERED, leaderEpoch=7, partitionEpoch=12)\n",
    "Rust": "Topics:\n  Topic: orders  Err: None\n     Partition: 0  Leader: 1  Replicas: [1, 2]  ISR: [1]  Err: None\n"
    "     Partition: 1  Leader: -1  Replicas: [2, 1]  ISR: [2]  Err: Some(LEADER_NOT_AVAILABLE)\n",
    ".NET": "  Topic: orders\n    Partition: 0, Leader: 1, Replicas: [1, 2], InSyncReplicas: [1], Error: Success\n"
    "    Partition: 1, Leader: -1, Replicas: [2, 1], InSyncReplicas: [2], Error: Local_LeaderNotAvailable\n",
    "a topic on each row": "Topic: orders Partition: 0 Leader: 1 Replicas: [1 2] Isr: [1]\n"
    "Topic: orders Partition: 1 Leader: -1 Replicas: [2 1] Isr: [2]\n",
    "Redpanda": "topics=[{error_code={ error_code: none [0] } name={orders} is_internal=false partitions=[{error_code="
    "{ error_code: none [0] } partition_index=0 leader_id=1 leader_epoch=1 replica_nodes={{1}, {2}} isr_nodes={{1}} "
    "offline_replicas={{2}}},{error_code={ error_code: none [0] } partition_index=1 leader_id=-1 leader_epoch=2 "
    "replica_nodes={{2}, {1}} isr_nodes={{2}} offline_replicas={}},] topic_authorized_operations=0}]\n",
    "oldest state-change.log": "".join(
        f"[2018-05-20 17:58:39,850] TRACE Broker 1 cached leader info (LeaderAndIsrInfo:(Leader:{leader},ISR:{isr},"
        f"LeaderEpoch:4,ControllerEpoch:12),ReplicationFactor:2),AllReplicas:{replicas}) for partition {name} in "
        "response to UpdateMetadata request sent by controller 2 epoch 12 (state.change.logger)\n"
        for leader, isr, replicas, name in ((1, "1", "1,2", "orders-0"), (-1, "2", "2,1", "[orders,1]"))
    ),
    "older state-change.log": "TRACE [Broker id=0] Cached leader info PartitionState(controllerEpoch=1, leader=1, "
    "leaderEpoch=2, isr=[1], zkVersion=3, replicas=[1, 2], offlineReplicas=[2]) for partition orders-0 in response to "
    "UpdateMetadata request (state.change.logger)\nTRACE [Controller id=0 epoch=1] Sending become-leader LeaderAndIsr "
    "request PartitionState(controllerEpoch=1, leader=-1, leaderEpoch=2, isr=2, zkVersion=3, replicas=2,1, "
    "isNew=false) to broker 1 for partition orders-1 (state.change.logger)\n",
    "state-change.log": "".join(
        f"[2026-03-26 11:38:33,075] TRACE [Controller id=0 epoch=1] Sending request {request}PartitionState(topicName="
        f"'orders', partitionIndex={number}, controllerEpoch=1, leader={leader}, leaderEpoch=2, isr=[{isr}], "
        f"{epoch}=3, replicas=[{replicas}], {rest}) to broker 1 (state.change.logger)\n"
        for request, epoch, number, leader, replicas, isr, rest in (
            ("LeaderAndIsr", "zkVersion", 0, 1, "1, 2", "1, 2", "addingReplicas=[], removingReplicas=[]"),
            ("LeaderAndIsr", "partitionEpoch", 0, 1, "1, 2", "1", "addingReplicas=[], removingReplicas=[]"),
            ("UpdateMetadata", "zkVersion", 1, -1, "2, 1", "2", "offlineReplicas=[2]"),
        )
    ),
}


@pytest.mark.parametrize("form", FORMS)
def test_rows_give_leader_replicas_and_isr(form: str) -> None:
    result = imported(FORMS[form])
    first, second = rows(result)["orders"]
    assert first == (1, [1, 2], [1])
    assert second[1:] == ([2, 1], [2])
    assert result["summary"]["leaderless"] == 1
    assert not warned(result, "left out")


def test_a_description_of_java_gives_racks_and_elrs() -> None:
    result = imported(DESCRIPTION)
    assert rows(result)["orders"][0] == (1, [1, 2], [1])
    assert result["scenario"]["topics"][0]["initial"]["0"]["elr"] == [2]
    assert result["scenario"]["topics"][0]["initial"]["1"]["last_known"] == [1]
    assert [one["rack"] for one in result["scenario"]["cluster"]["brokers"]] == ["az-a", "az-b"]
    assert "an Elr" in assumption(result, "version")["why"]
    assert result["unread"] == []


def test_a_node_that_is_fenced_is_down() -> None:
    fenced = DESCRIPTION.replace("rack: az-a)", "rack: az-a isFenced: false)").replace("az-b)", "az-b isFenced: true)")
    assert states(imported(fenced)) == {1: "running", 2: "down"}


def test_rows_without_a_topic_say_so() -> None:
    text = FORMS["Python"].split("\n", 2)[2]
    assert warned(imported(text), "The rows name no legal topic")


def test_rows_of_kafkas_own_tool_are_read_by_its_reader() -> None:
    text = "\tTopic: orders\tPartition: 0\tLeader: 1\tReplicas: [1,2]\tIsr: [1]\n"
    assert read(text).kind == "describe"
