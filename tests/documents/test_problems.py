from typing import Any

import pytest

from simengine.scenario import DocumentError, load
from simengine.scenario.limits import PROBLEMS_MAX
from tests.documents.helpers import plain, problem, problems, timeline


def test_a_misspelt_kafka_key_is_answered_with_the_right_one() -> None:
    found = problem(topics=[{"name": "orders", "assignment": [[1, 2, 3]], "config": {"min.isnync.replicas": 2}}])
    assert found.path == "topics[0].config.min.isnync.replicas"
    assert found.near == "min.insync.replicas"
    assert "did you mean min.insync.replicas?" in str(found)


def test_a_misspelt_document_key_is_answered_with_the_right_one() -> None:
    found = problem(timelin=[])
    assert found.near == "timeline"
    assert problem(producers=[{"id": "P", "topic": "orders", "ack": 1}]).near == "acks"


def test_a_key_in_the_wrong_place_is_said_to_belong_elsewhere() -> None:
    found = problem(topics=[{"name": "orders", "assignment": [[1, 2, 3]], "config": {"linger.ms": 2}}])
    assert "key of a producer" in found.message


def test_all_problems_are_reported_at_once() -> None:
    found = problems(plain(seed=-1, until="soon", profile="5.0", timeline=timeline("kil 2")))
    assert [item.path for item in found] == ["profile", "seed", "until", "timeline[0].do"]


def test_a_long_list_of_problems_is_cut_and_counted() -> None:
    with pytest.raises(DocumentError) as caught:
        load(plain(timeline=[{"at": "1s", "do": "explode"}] * (PROBLEMS_MAX + 5)))
    assert len(caught.value.problems) == PROBLEMS_MAX
    assert caught.value.left_out == 5
    assert "5 more problems" in str(caught.value)


def _topic(**changes: Any) -> dict[str, Any]:
    return {"topics": [{"name": "orders", "assignment": [[1, 2, 3], [2, 3, 1]], **changes}]}


def _initial(**changes: Any) -> dict[str, Any]:
    return _topic(initial={"0": {"leader": 1, "isr": [1, 2], **changes}})


def _log(**log: Any) -> dict[str, Any]:
    return _initial(epoch=3, leo=9, logs={"2": log})


@pytest.mark.parametrize(
    ("changes", "path", "word"),
    [
        ({"format": 2}, "format", "reads format 1"),
        ({"format": None}, "format", "missing"),
        ({"cluster": None}, "cluster", "missing"),
        ({"profile": "3.8"}, "profile", "3.7, 4.0, 4.1, 4.2"),
        ({"seed": True}, "seed", "whole number"),
        ({"seed": 2**60}, "seed", ""),
        ({"until": "25h"}, "until", "at most 24h"),
        ({"cluster": {"brokers": [1, 2, 3, 3]}}, "cluster.brokers[3].id", "taken"),
        ({"cluster": {"brokers": [1, 2, 3], "controllers": [3]}}, "cluster.controllers[0].id", "taken"),
        ({"cluster": {"brokers": [{"id": 1, "rack": 2}, 2, 3]}}, "cluster.brokers[0].rack", "called like a node"),
        (
            {"cluster": {"brokers": [1, 2, 3], "controllers": [{"id": 9, "state": "down"}]}},
            "cluster.controllers",
            "run",
        ),
        ({"cluster": {"brokers": [1, 2, {"id": 3, "state": "dead"}]}}, "cluster.brokers[2].state", "running, down"),
        (
            {"cluster": {"brokers": [1, 2, 3], "config": {"broker.heartbeat.interval.ms": 9000}}},
            "cluster.config.broker.heartbeat.interval.ms",
            "shorter",
        ),
        (
            {"elr": True, "cluster": {"brokers": [1, 2, {"id": 3, "config": {"min.insync.replicas": 2}}]}},
            "cluster.brokers[2].config.min.insync.replicas",
            "ELR-7",
        ),
        ({"elr": True, "profile": "3.7"}, "elr", "no eligible leader replicas"),
        (_topic(assignment=[[1, 2, 9]]), "topics[0].assignment[0][2]", "no broker 9"),
        (_topic(assignment=[[1, 2], [1, 2, 3]]), "topics[0].assignment[1]", "equally many"),
        (_topic(assignment=[[1, 1, 2]]), "topics[0].assignment[0][1]", "twice"),
        (_topic(assignment=[]), "topics[0].assignment", ""),
        (_topic(observers=[9]), "topics[0].observers[0]", "no broker 9"),
        (_topic(observers=[1]), "topics[0].assignment[0][0]", "OBS-1"),
        ({"captions": [{"on": "Truncate", "text": "cut"}]}, "captions[0].on", "did you mean Truncated?"),
        (_topic(name="a b"), "topics[0].name", "letters"),
        (_topic(config={"min.insync.replicas": 0}), "topics[0].config.min.insync.replicas", "from 1"),
        (
            _topic(config={"unclean.leader.election.enable": "yes"}),
            "topics[0].config.unclean.leader.election.enable",
            "true",
        ),
        (_topic(initial={"7": {"leader": 1, "isr": [1]}}), "topics[0].initial.7", "2 partitions"),
        (_topic(partitions=[4]), "topics[0].partitions", "each of the 2"),
        (_topic(partitions=[7, 4]), "topics[0].partitions[1]", "8 or more"),
        (_topic(partitions=[3, 7], count=7), "topics[0].count", "8 or more"),
        (_topic(count=1), "topics[0].count", "2 or more"),
        (_topic(partitions=[4, 7], initial={"5": {"leader": 1, "isr": [1]}}), "topics[0].initial.5", "4, 7"),
        (
            _topic(partitions=[4, 7]) | {"producers": [{"id": "P", "topic": "orders", "partitions": [0]}]},
            "producers[0].partitions",
            "4, 7",
        ),
        (_initial(leader=3), "topics[0].initial.0.leader", "always in the ISR"),
        (_initial(leader="none"), "topics[0].initial.0.leader", "would lead"),
        (_initial(isr=[1, 9]), "topics[0].initial.0.isr", "not one of the replicas"),
        (_initial(elr=[2]), "topics[0].initial.0.elr", "not in the ELR"),
        (_initial(elr=[9]), "topics[0].initial.0.elr", "there is no broker 9"),
        (_initial(adding=[9]), "topics[0].initial.0.adding", "not one of the replicas"),
        (_initial(adding=[3], removing=[3]), "topics[0].initial.0.removing", "also being added"),
        (_initial(removing=[1, 2, 3]), "topics[0].initial.0.removing", "leaves no replica"),
        (_initial(lag={"3": 5}), "topics[0].initial.0.lag.3", "more than the log"),
        (_initial(leo=9, lag={"1": 5}), "topics[0].initial.0.lag.1", "leader has no lag"),
        (_log(leo=5), "topics[0].initial.0.logs.2.epochs", "covers offset 0"),
        (_log(leo=5, epochs=[[0, 0], [2, 3], [1, 4]]), "topics[0].initial.0.logs.2.epochs", "both rise"),
        (_log(leo=5, epochs=[[0, 0], [1, 6]]), "topics[0].initial.0.logs.2.epochs", "after the log end 5"),
        (_log(leo=5, epochs=[[0, 0], [7, 3]]), "topics[0].initial.0.logs.2.epochs", "newer than"),
        (_log(leo=5, start=6), "topics[0].initial.0.logs.2.start", "0 to 5"),
        (_log(leo=20_000, epochs=[[0, 0]]), "topics[0].initial.0.logs.2.leo", "at most 10000"),
        (_initial(leo=-1), "topics[0].initial.0.leo", ""),
        ({"producers": [{"id": "P", "topic": "order"}]}, "producers[0].topic", "did you mean orders?"),
        ({"producers": [{"id": "7", "topic": "orders"}]}, "producers[0].id", "taken for a node"),
        ({"producers": [{"id": "az-a", "topic": "orders"}]}, "producers[0].id", "like a rack"),
        ({"producers": [{"id": "C", "topic": "orders"}]}, "consumers[0].id", "taken"),
        ({"producers": [{"id": "P", "topic": "orders", "partitions": [2]}]}, "producers[0].partitions", "0 to 1"),
        ({"producers": [{"id": "P", "topic": "orders", "acks": 2}]}, "producers[0].acks", "0, 1, all"),
        ({"producers": [{"id": "P", "topic": "orders", "config": {"acks": 1}}]}, "producers[0].config.acks", "beside"),
        ({"consumers": [{"id": "C"}]}, "consumers[0]", "topics or partitions"),
        ({"consumers": [{"id": "C", "partitions": [["orders", 5]]}]}, "consumers[0].partitions[0]", "0 to 1"),
        ({"network": {"links": [{"between": ["az-a", "az-z"]}]}}, "network.links[0].between[1]", "az-z"),
        ({"network": {"links": [{"between": [1, 2], "loss": 2}]}}, "network.links[0].loss", "0 to 1"),
        ({"phases": {"heartbeat": {"8": "1s"}}}, "phases.heartbeat", "no broker 8"),
        ({"phases": {"request-timeout": {"X": "1ms"}}}, "phases.request-timeout", "no producer X"),
        ({"faults": {"broker-mttf": "1m"}}, "faults.broker-mttr", "missing"),
        ({"captions": [{"text": "hello"}]}, "captions[0]", "at or on"),
        ({"expect": [{"partition": "orders-9", "leader": 1}]}, "expect[0]", "orders-9"),
        ({"expect": [{"verdict": "orders", "losd": 0}]}, "expect[0]", "did you mean lost?"),
    ],
)
def test_a_wrong_document_names_place_and_cure(changes: dict[str, Any], path: str, word: str) -> None:
    found = problem(**changes)
    assert found.path == path
    assert word in str(found)


@pytest.mark.parametrize(
    ("action", "word"),
    [
        ("kill 9", "no node '9'"),
        ("kill-rack az-x", "az-a, az-b"),
        ("power-loss az-x", "az-a, az-b"),
        ("cut 1|nobody", "nobody"),
        ("cut 1|1", "two ends"),
        ("acks order 1", "did you mean orders?"),
        ("rate C 5", "no producer 'C'"),
        ("send P orders-2 1", "orders-0 to orders-1"),
        ("elect preferred orders-7", "orders-7"),
        ("reassign orders-0 1,9", "no broker '9'"),
        ("create orders 1 1", "exists"),
        ("create new 4 1", "replication factor 4"),
        ("create new 1,2/1", "equally many"),
        ("create new 1,9", "no broker '9'"),
        ("delete nosuch", "no topic 'nosuch'"),
        ("partitions orders 2", "has 2 partitions"),
        ("delete __consumer_offsets", "no topic"),
        ("start 100 empty", "100 is a controller, and the loss of a controller's disk is not simulated"),
        ("start 100 wiped", "100 is a controller, and the loss of a controller's disk is not simulated"),
        ("slow 100 5", "100 is a controller"),
        ("start 77 empty", "no broker '77'"),
        ("late-heartbeat 100", "100 is a controller"),
        ("intercept i P orders-7 0 drop-response", "orders-7"),
        ("release i", "no interception 'i'"),
        ("open X", "no client 'X'"),
        ("commit P", "no consumer 'P'"),
        ("config orders min.insync.replica 2", "did you mean min.insync.replicas?"),
        ("config orders min.insync.replicas two", "whole number"),
        ("config cluster replica.lag.time.max.ms 1", "cannot be changed"),
        ("config broker.1 min.insync.replicas 2", "ELR-7"),
    ],
)
def test_an_action_on_what_does_not_exist_is_refused(action: str, word: str) -> None:
    found = problem(timeline=timeline(action))
    assert found.path == "timeline[0].do"
    assert word in str(found)


def test_a_topic_that_was_deleted_may_be_created_again_and_named() -> None:
    load(
        plain(
            timeline=timeline("delete orders", "create orders 2 3", "elect preferred orders-2", "partitions orders 5")
        )
    )
    assert problems(plain(timeline=timeline("partitions orders 5", "elect preferred orders-5")))


def test_an_expectation_may_name_a_partition_that_an_action_adds() -> None:
    load(plain(timeline=timeline("partitions orders 5"), expect=[{"partition": "orders-4", "leo": 0}]))
    assert problems(plain(timeline=timeline("partitions orders 5"), expect=[{"partition": "orders-5", "leo": 0}]))


def test_an_action_may_name_a_topic_that_an_earlier_one_created() -> None:
    load(plain(timeline=timeline("create new 3 2", "elect preferred new-1")))
    assert problems(plain(timeline=timeline("elect preferred new-1", "create new 3 2")))


def test_the_timeline_is_in_the_order_of_time() -> None:
    found = problem(timeline=[{"at": "5s", "do": "kill 1"}, {"at": "4s", "do": "start 1"}])
    assert found.path == "timeline[1].at"
    assert "5s or later" in found.allowed


def test_a_partition_without_a_running_replica_must_say_what_it_was() -> None:
    cluster = {"brokers": [{"id": broker, "state": "down"} for broker in (1, 2, 3)]}
    found = problems(plain(cluster=cluster))
    assert [item.path for item in found] == ["topics[0].initial.0", "topics[0].initial.1"]


def test_an_error_repeats_the_value_also_where_its_letters_stand_in_the_message() -> None:
    found = problem(producers=[{"id": "P", "topic": "orders", "acks": "al"}])
    assert str(found) == "producers[0].acks: not an acks value (got al); did you mean all? Allowed: 0, 1, all."
    found = problem(producers=[{"id": "P", "topic": "orders", "acks": 2}])
    assert str(found) == "producers[0].acks: not an acks value (got 2). Allowed: 0, 1, all."


def test_a_value_that_the_message_names_is_not_repeated() -> None:
    found = problem(timeline=timeline("kill 22"))
    assert str(found) == "timeline[0].do: there is no node '22'. Allowed: 1, 2, 3, 100, 101, 102."


@pytest.mark.parametrize(
    ("changes", "near"),
    [
        (_topic(config={"unclean.leader.election.enable": "ture"}), "true"),
        (_initial(leader="nonne"), "none"),
        ({"expect": [{"fact": "Truncatd"}]}, "Truncated"),
        ({"expect": [{"fact": "Truncated", "where": {"brokr": 1}}]}, "broker"),
        ({"expect": [{"metric": "UnderReplicatedPartition", "is": 1}]}, "UnderReplicatedPartitions"),
        ({"expect": [{"counter": "IsrShrink", "is": 1}]}, "IsrShrinks"),
        ({"expect": [{"any_of": [[{"fact": "Truncatd"}]]}]}, "Truncated"),
    ],
)
def test_a_name_that_is_nearly_right_is_answered_with_the_right_one(changes: dict[str, Any], near: str) -> None:
    found = problem(**changes)
    assert found.near == near
    assert found.value


def test_what_is_allowed_names_a_broker_once_although_its_id_is_taken_twice() -> None:
    found = problems(plain(cluster={"brokers": [1, 1, 3]}))
    assert [item.allowed for item in found if item.message == "there is no broker 2"] == ["1, 3", "1, 3"]
    found = problems(plain(cluster={"brokers": [1, 1, 2, 3]}, timeline=timeline("slow 9 5")))
    assert found[-1].allowed == "1, 2, 3"
