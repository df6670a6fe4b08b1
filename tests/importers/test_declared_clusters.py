"""Compose files and Kubernetes resources: what counts as a broker, and whose resource it is."""

import json

import pytest
import yaml

from simengine.importers.recognise import read
from simengine.importers.report import import_text, status


def compose(*services: str) -> str:
    return "services:\n" + "".join(f"  s{at}: {service}\n" for at, service in enumerate(services))


@pytest.mark.parametrize(
    ("service", "brokers"),
    [
        ("{image: 'apache/kafka:4.1.0'}", 1),
        ("{image: 'example.org/bitnami/kafka', environment: {ALLOW_PLAINTEXT_LISTENER: 'yes'}}", 1),
        (
            "{image: 'wurstmeister/kafka', environment: {KAFKA_ADVERTISED_PORT: 9092, KAFKA_ZOOKEEPER_CONNECT: 'z:1'}}",
            1,
        ),
        ("{build: ., environment: {KAFKA_ADVERTISED_HOST_NAME: h, KAFKA_ZOOKEEPER_CONNECT: 'z:2181'}}", 1),
        ("{image: 'apache/kafka', deploy: {replicas: 3}}", 3),
        ("{image: 'apache/kafka', command: 'kafka-topics.sh --create --topic t'}", 0),
        ("{image: 'confluentinc/cp-kafka', command: sleep infinity, environment: {KAFKA_BROKER_ID: ignored}}", 0),
        ("{image: 'confluentinc/cp-kafka-connect', environment: {CONNECT_GROUP_ID: g}}", 0),
        ("{image: 'apache/kafka', environment: {KAFKA_NODE_ID: 9, KAFKA_PROCESS_ROLES: controller}}", 0),
        ("{image: 'apache/kafka', environment: ['KAFKA_NODE_ID=${ID:-1}']}", 1),
        ("{image: 'apache/kafka', environment: !reset null}", 1),
    ],
)
def test_a_service_is_a_broker_by_its_environment_or_its_image(service: str, brokers: int) -> None:
    assert read(compose(service)).facts.brokers == brokers


CREATES = """  init:
    image: apache/kafka:4.1.0
    command: >
      bash -c "kafka-topics.sh --bootstrap-server s0:9092 --create --topic t --partitions 2 --replication-factor 1
      && kafka-topics.sh --bootstrap-server s0:9092 --create --topic u --partitions 1 --replication-factor 1"
"""
SCRIPT = "  init: {image: 'apache/kafka', volumes: ['./init.sh:/init.sh'], entrypoint: [bash, /init.sh]}\n"
STARTED = "  s1: {image: 'apache/kafka', command: /etc/kafka/docker/run}\n"


@pytest.mark.parametrize(("more", "brokers"), [(CREATES, 1), (SCRIPT, 1), (STARTED, 2)])
def test_a_service_that_runs_a_command_beside_brokers_with_settings_is_no_broker(more: str, brokers: int) -> None:
    result = import_text(compose("{image: 'apache/kafka', environment: {KAFKA_NODE_ID: 1}}") + more)
    assert result["summary"]["brokers"] == len(result["scenario"]["cluster"]["brokers"]) == brokers


def test_the_last_lines_of_a_block_are_kept_and_a_command_behind_it_is_not() -> None:
    text = compose("{image: 'apache/kafka', environment: {KAFKA_NODE_ID: 1}}") + CREATES
    for end in ("", "$ docker compose up -d\n"):
        topics = [topic["name"] for topic in import_text(text + end)["scenario"]["topics"]]
        assert topics[:2] == ["t", "u"]
        facts = read(text + end).facts
        assert (facts.brokers, facts.topics, facts.partitions) == (1, 2, 3)


def test_brokers_that_share_no_voter_are_two_clusters() -> None:
    service = "{{image: 'apache/kafka', environment: {{KAFKA_NODE_ID: 1, KAFKA_CONTROLLER_QUORUM_VOTERS: '{}'}}}}"
    apart = read(compose(service.format("1@a:9093,2@b:9093"), service.format("3@c:9093")))
    assert any("2 clusters" in warning for warning in apart.warnings)
    together = read(compose(service.format("1@a:9093,2@b:9093"), service.format("2@b:9093,1@a:9093")))
    assert not any("clusters" in warning for warning in together.warnings)


def test_merge_keys_that_double_at_each_level_are_refused_at_once() -> None:
    levels = "".join(f"a{at}: &a{at}\n  <<: [*a{at - 1}, *a{at - 1}]\n" for at in range(1, 60))
    result = import_text(compose("{image: 'apache/kafka'}") + "a0: &a0 {k: v}\n" + levels)
    assert result["status"] == "reject"
    assert "its aliases stand for too much at line" in result["reason"]


def test_a_here_document_ends_where_the_shell_ends_it() -> None:
    text = "cat <<EOF | kubectl apply -f -\napiVersion: kafka.strimzi.io/v1\nkind: KafkaNodePool\n"
    reading = read(text + "metadata: {name: p}\nspec: {replicas: 5, roles: [broker]}\nEOF\n$ kubectl get pods\n")
    assert (status(reading), reading.facts.brokers) == ("accept", 5)


def pool(cluster: str, replicas: int) -> str:
    return (
        "---\napiVersion: kafka.strimzi.io/v1\nkind: KafkaNodePool\n"
        f"metadata: {{name: p, labels: {{strimzi.io/cluster: {cluster}}}}}\n"
        f"spec: {{replicas: {replicas}, roles: [broker]}}\n"
    )


def classic(name: str, replicas: int) -> str:
    return (
        "---\napiVersion: kafka.strimzi.io/v1beta2\nkind: Kafka\n"
        f"metadata: {{name: {name}}}\nspec: {{kafka: {{replicas: {replicas}}}}}\n"
    )


def test_a_kafka_resource_with_pools_takes_its_brokers_from_them() -> None:
    assert read(classic("east", 3) + pool("east", 4)).facts.brokers == 4


def test_resources_as_json_are_read_as_those_in_yaml_are() -> None:
    items = list(yaml.safe_load_all(classic("east", 3) + pool("east", 4)))
    text = "$ kubectl get kafka,kafkanodepool -o json\n" + json.dumps({"kind": "List", "items": items}, indent=4) + "\n"
    reading = read(text)
    assert (status(reading), reading.facts.brokers) == ("accept", 4)
    assert [one for one in reading.unread if not one.noise] == []


def test_a_compose_file_as_json_is_read_and_other_services_are_none() -> None:
    services = yaml.safe_load(compose("{image: 'apache/kafka:4.1.0'}", "{image: 'apache/kafka:4.1.0'}"))
    assert read(json.dumps(services, indent=2)).facts.brokers == 2
    assert read('{"services": [{"service_name": "kafka", "plan": "business-4"}]}').kind == "unknown"


def test_two_clusters_in_one_paste_are_counted_and_pointed_out() -> None:
    reading = read(classic("east", 3) + classic("west", 2) + pool("west", 5))
    assert reading.facts.brokers == 8
    assert any("2 clusters" in warning for warning in reading.warnings)


def test_resources_beside_a_cluster_that_make_none_are_named() -> None:
    mirror = "---\napiVersion: kafka.strimzi.io/v1\nkind: KafkaMirrorMaker2\nmetadata: {name: m}\n"
    reading = read(classic("east", 3) + mirror)
    left, cure = reading.notes
    assert left == "Only Kafka, KafkaNodePool and KafkaTopic make a cluster; left out: KafkaMirrorMaker2."
    assert "under MirrorMaker between them" in cure
    assert not read(classic("east", 3) + pool("east", 4)).notes


def test_resources_without_a_cluster_are_named() -> None:
    text = "apiVersion: kafka.strimzi.io/v1\nkind: KafkaUser\nmetadata: {name: u}\n"
    assert "KafkaUser" in import_text(text)["reason"]


@pytest.mark.parametrize(
    ("resource", "name", "brokers"),
    [
        (
            "apiVersion: platform.confluent.io/v1beta1\nkind: Kafka\nspec: {replicas: 3}\n",
            "Confluent for Kubernetes",
            3,
        ),
        ("apiVersion: kubedb.com/v1\nkind: Kafka\nspec: {topology: {broker: {replicas: 2}}}\n", "KubeDB", 2),
        (
            "apiVersion: kafka.banzaicloud.io/v1beta1\nkind: KafkaCluster\nspec: {brokers: [{id: 0}, {id: 1}]}\n",
            "Koperator",
            2,
        ),
    ],
)
def test_the_resources_of_other_operators_are_refused_by_name(resource: str, name: str, brokers: int) -> None:
    result = import_text(resource)
    assert (result["status"], result["kind"], result["summary"]["brokers"]) == ("reject", "foreign", brokers)
    assert name in result["reason"]


def test_the_cure_for_a_mirror_maker_names_what_makes_a_cluster() -> None:
    result = import_text("apiVersion: kafka.strimzi.io/v1\nkind: KafkaMirrorMaker2\nmetadata: {name: m}\n")
    assert result["status"] == "reject"
    assert "kafka-topics.sh --describe" in result["reason"]


@pytest.mark.parametrize(
    "text",
    [
        "  k1:\n    environment:\n      KAFKA_NODE_ID: 1\n      KAFKA_PROCESS_ROLES: broker\n",
        "    environment:\n      KAFKA_NODE_ID: 1\n      KAFKA_PROCESS_ROLES: broker\n",
        "  k1:\n    environment:\n      - KAFKA_BROKER_ID=1\n      - KAFKA_ZOOKEEPER_CONNECT=z:2181\n",
    ],
)
def test_a_part_of_a_compose_file_below_its_services_is_read(text: str) -> None:
    result = import_text(text)
    assert (result["kind"], result["label"]) == ("compose", "a part of a Docker Compose file")
    assert [broker["id"] for broker in result["scenario"]["cluster"]["brokers"]] == [1]


def test_an_error_of_yaml_names_the_line_of_the_paste_behind_blank_lines_too() -> None:
    broken = "Hello,\n\napiVersion: kafka.strimzi.io/v1\n\nkind: KafkaNodePool\n\nmetadata: [a\nspec: }\n"
    assert "line 8, column" in str(import_text(broken)["reason"])
