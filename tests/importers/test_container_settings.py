"""Kafka's environment variables outside a whole compose file: parts of one, Helm values, docker run, env files."""

from typing import Any

import pytest

from tests.importers.test_field_faults import assumption, imported, warned

KRAFT = {"NODE_ID": "1", "PROCESS_ROLES": "broker,controller", "CONTROLLER_QUORUM_VOTERS": "1@k1:9093"}
FORMS = {
    "a mapping": "".join(f"KAFKA_{key}: {value}\n" for key, value in KRAFT.items()),
    "an env file": "".join(f"KAFKA_{key}={value}\n" for key, value in KRAFT.items()),
    "exports": "".join(f"export KAFKA_{key}='{value}'\n" for key, value in KRAFT.items()),
    "a list": "environment:\n" + "".join(f"  - KAFKA_CFG_{key}={value}\n" for key, value in KRAFT.items()),
    "a quoted list": "    environment:\n" + "".join(f'      - "KAFKA_{key}={value}"\n' for key, value in KRAFT.items()),
    "items alone": "".join(f"      - KAFKA_CFG_{key}={value}\n" for key, value in KRAFT.items()),
    "docker run": "docker run -d "
    + " ".join(f"-e KAFKA_{key}={value}" for key, value in KRAFT.items())
    + " apache/kafka:4.1.0",
    "docker run over lines": "docker run -d \\\n"
    + "".join(f"  -e KAFKA_{key}={value} \\\n" for key, value in KRAFT.items())
    + "  apache/kafka:4.1.0\n",
    "names and values": "env:\n"
    + "".join(f'  - name: KAFKA_{key}\n    value: "{value}"\n' for key, value in KRAFT.items()),
    "a service": "  kafka1:\n    image: apache/kafka:4.1.0\n    environment:\n"
    + "".join(f"      KAFKA_{key}: {value}\n" for key, value in KRAFT.items()),
    "a service between sentences": "I run this:\n\n  kafka1:\n    image: apache/kafka:4.1.0\n    environment:\n"
    + "".join(f"      KAFKA_{key}: {value}\n" for key, value in KRAFT.items())
    + "\nand it does not start.\n",
}
CHART = """\
extraEnvVars:
  - name: ALLOW_PLAINTEXT_LISTENER
    value: "yes"
  # - name: KAFKA_CFG_NODE_ID
  #   value: "0"
  - name: KAFKA_CFG_CONTROLLER_QUORUM_VOTERS
    value: 0@127.0.0.1:9093,1@127.0.0.1:9093,2@127.0.0.1:9093
  - name: KAFKA_CFG_PROCESS_ROLES
    value: broker, controller
  - name: KAFKA_CFG_MIN_INSYNC_REPLICAS
    value: "2"

## @param replicaCount Number of Kafka nodes
replicaCount: 5
"""
STATEFUL_SET = """\
apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: kafka
spec:
  serviceName: kafka
  replicas: 3
  template:
    spec:
      containers:
        - name: kafka
          image: apache/kafka:4.1.0
          env:
            - name: KAFKA_PROCESS_ROLES
              value: broker,controller
            - name: KAFKA_CONTROLLER_QUORUM_VOTERS
              value: 0@kafka-0:9093,1@kafka-1:9093,2@kafka-2:9093
            - name: KAFKA_NODE_ID
              valueFrom:
                fieldRef:
                  fieldPath: metadata.name
"""
POOLS = """\
controller:
  replicaCount: 3
  controllerOnly: {only}
broker:
  replicaCount: 2
image:
  repository: bitnami/kafka
"""


def brokers(result: dict[str, Any]) -> list[int]:
    return [broker["id"] for broker in result["scenario"]["cluster"]["brokers"]]


@pytest.mark.parametrize("form", FORMS)
def test_a_node_is_read_of_each_form(form: str) -> None:
    result = imported(FORMS[form])
    assert brokers(result) == [1]
    assert [one["broker"] for one in result["scenario"]["cluster"]["controllers"]] == [1]


def test_two_containers_are_two_nodes() -> None:
    run = "docker run -e KAFKA_NODE_ID={0} -e KAFKA_PROCESS_ROLES=broker apache/kafka:4.1.0\n"
    result = imported(run.format(1) + run.format(2))
    assert brokers(result) == [1, 2]
    assert assumption(result, "version")["value"] == "4.1"


def test_variables_that_are_set_again_are_another_node() -> None:
    assert brokers(imported(FORMS["an env file"] + FORMS["an env file"].replace("=1", "=2", 1))) == [1, 2]


def test_services_without_the_line_services_are_brokers_with_their_defaults() -> None:
    service = "  kafka{0}:\n    image: confluentinc/cp-kafka:7.5.0\n    environment:\n      KAFKA_BROKER_ID: {0}\n"
    service += "      KAFKA_ZOOKEEPER_CONNECT: zk:2181\n      KAFKA_MIN_INSYNC_REPLICAS: 2\n"
    result = imported(service.format(1) + service.format(2))
    assert brokers(result) == [1, 2]
    assert result["scenario"]["cluster"]["config"]["min.insync.replicas"] == 2
    assert not warned(result, "no image")


def test_a_stateful_set_has_as_many_nodes_as_replicas() -> None:
    result = imported(STATEFUL_SET)
    assert result["label"] == "a Kubernetes manifest"
    assert brokers(result) == [0, 1, 2]
    assert [one["broker"] for one in result["scenario"]["cluster"]["controllers"]] == [0, 1, 2]


class TestCharts:
    def test_the_pods_of_a_chart_are_nodes_and_the_listed_voters_vote(self) -> None:
        result = imported(CHART)
        assert result["label"] == "the values of a Helm chart"
        assert brokers(result) == [0, 1, 2, 3, 4]
        assert [one["broker"] for one in result["scenario"]["cluster"]["controllers"]] == [0, 1, 2]
        assert result["scenario"]["cluster"]["config"]["min.insync.replicas"] == 2
        assert assumption(result, "ids of brokers")["value"] == "0, 1, 2, 3, 4"
        assert "the values of a Helm chart" in assumption(result, "controllers")["why"]

    @pytest.mark.parametrize(("only", "ids"), [("true", [100, 101]), ("false", [0, 1, 2, 100, 101])])
    def test_pools_of_bitnamis_chart_have_roles_by_their_names(self, only: str, ids: list[int]) -> None:
        result = imported(POOLS.format(only=only))
        assert brokers(result) == ids
        assert len(result["scenario"]["cluster"]["controllers"]) == 3

    def test_a_variable_in_a_comment_is_none(self) -> None:
        assert imported("# KAFKA_NODE_ID=1\n# KAFKA_PROCESS_ROLES=broker\n")["scenario"] is None


NODE = (
    '{{"AddedToClusterTime": "x", "BrokerNodeInfo": {{"BrokerId": {0}, "ClientSubnet": "subnet-{1}", '
    '"CurrentBrokerSoftwareInfo": {{"KafkaVersion": "{2}"}}}}, "NodeType": "BROKER"}}'
)


class TestListNodesOfAws:
    @pytest.mark.parametrize("number", ["{}", "{}.0"])
    def test_brokers_have_the_subnet_for_a_rack_and_the_version(self, number: str) -> None:
        nodes = ",\n".join(NODE.format(number.format(at), "abc"[at - 1], "4.1.x") for at in (1, 2, 3))
        result = imported(f'{{"NodeInfoList": [\n{nodes}\n]}}')
        racks = {broker["id"]: broker["rack"] for broker in result["scenario"]["cluster"]["brokers"]}
        assert racks == {1: "subnet-a", 2: "subnet-b", 3: "subnet-c"}
        assert assumption(result, "version")["value"] == "4.1"
        assert any("subnet" in note for note in result["notes"])

    def test_beside_a_listing_it_gives_the_racks(self) -> None:
        row = "\tTopic: t\tPartition: 0\tLeader: 1\tReplicas: 1,2\tIsr: 1,2\n"
        nodes = ",".join(NODE.format(at, at, "3.7.x") for at in (1, 2))
        result = imported(f'{row}{{"NodeInfoList": [{nodes}, {{"ZookeeperNodeInfo": {{"ZookeeperId": 1}}}}]}}\n')
        assert [one["rack"] for one in result["scenario"]["cluster"]["brokers"]] == ["subnet-1", "subnet-2"]


@pytest.mark.parametrize(
    "text",
    [
        '{"ClusterInfo": {"Provisioned": {"CurrentBrokerSoftwareInfo": {"KafkaVersion": "4.1.x.kraft"}}}}\n',
        '{\n  "CurrentBrokerSoftwareInfo": {\n    "KafkaVersion": "4.1.0"\n  }\n}\n',
        'resource "aws_msk_cluster" "main" {\n  kafka_version = "4.1.x"\n}\n',
        "kafka_version: 4.1.1\n",
    ],
)
def test_the_version_that_a_cloud_or_a_role_names_counts(text: str) -> None:
    result = imported("\tTopic: t\tPartition: 0\tLeader: 1\tReplicas: 1,2\tIsr: 1,2\n" + text)
    assert result["scenario"]["profile"] == "4.1"


def test_a_setting_with_its_synonyms_and_without_a_topic_is_told() -> None:
    row = "\tTopic: t\tPartition: 0\tLeader: 1\tReplicas: 1,2\tIsr: 1,2\n"
    synonyms = "{DYNAMIC_TOPIC_CONFIG:min.insync.replicas=2, STATIC_BROKER_CONFIG:min.insync.replicas=1}"
    result = imported(f"{row}and that is set:\n  min.insync.replicas=2 sensitive=false synonyms={synonyms}\n")
    assert warned(result, "Line 3 sets min.insync.replicas = 2, and nothing around it says of which topic or broker.")
