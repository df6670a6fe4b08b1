"""Strimzi's KafkaMirrorMaker2, in both versions: each connector reads its own config."""

import pytest

from simengine.importers import strimzi_mirrors
from simengine.importers.mirrors import Mirrors
from simengine.importers.text import clean
from simengine.scenario.mirrors import Mirror

IDENTITY = "org.apache.kafka.connect.mirror.IdentityReplicationPolicy"
BETA = """apiVersion: kafka.strimzi.io/v1beta2
kind: KafkaMirrorMaker2
metadata:
  name: to-west
spec:
  connectCluster: west
  clusters:
  - {alias: east, bootstrapServers: e:9092}
  - alias: west
    config:
      offset.storage.replication.factor: -1
      offset.flush.interval.ms: 5000
  mirrors:
  - sourceCluster: east
    targetCluster: west
    topicsPattern: "orders.*"
    groupsExcludePattern: test-.*
    sourceConnector:
      tasksMax: 4
      config:
        replication.factor: -1
        refresh.topics.interval.seconds: 60
    checkpointConnector:
      config:
        sync.group.offsets.enabled: "true"
    heartbeatConnector: {}
"""
V1 = """apiVersion: kafka.strimzi.io/v1
kind: KafkaMirrorMaker2
metadata: {name: mm}
spec:
  target:
    alias: west
    config: {offset.storage.replication.factor: 1}
  mirrors:
  - source: {alias: east}
    sourceConnector:
      config: {}
  - source: {alias: north}
    sourceConnector:
      config: {offset.lag.max: 30}
    checkpointConnector:
      config: {}
"""


def read(text: str) -> Mirrors:
    found = strimzi_mirrors.read(clean(text))
    assert found is not None
    return found


def test_the_older_resource_is_read_with_the_worker_of_its_target() -> None:
    found = read(BETA)
    assert (found.unread, found.warnings, found.rejected) == ([], [], None)
    [flow] = found.flows
    mirror = Mirror.model_validate(flow.entry())
    assert (mirror.source, mirror.target, mirror.process) == ("east", "west", "to-west")
    assert mirror.config == {
        "replication.factor": -1,
        "refresh.topics.interval.seconds": 60,
        "tasks.max": 4,
        "sync.group.offsets.enabled": True,
        "topics": "orders.*",
        "groups.exclude": "test-.*",
        "offset.storage.replication.factor": -1,
        "offset.flush.interval.ms": 5000,
    }
    assert flow.config["refresh.topics.interval.seconds"].line == 22


def test_the_newer_resource_has_one_target_and_a_source_in_each_mirror() -> None:
    found = read(V1)
    assert found.clusters == ["east", "west", "north"]
    assert [flow.name for flow in found.flows] == ["east->west", "north->west"]
    assert found.flows[1].entry()["config"] == {
        "emit.heartbeats.enabled": False,
        "offset.lag.max": 30,
        "offset.storage.replication.factor": 1,
    }


def test_without_a_checkpoint_connector_no_position_is_translated() -> None:
    config = read(V1).flows[0].entry()["config"]
    assert (config["emit.checkpoints.enabled"], config["sync.group.offsets.enabled"]) == (False, False)


@pytest.mark.parametrize(
    ("before", "after", "line", "reason"),
    [
        (
            "refresh.topics.interval.seconds: 60",
            "sync.group.offsets.enabled: true",
            22,
            "it belongs to checkpointConnector",
        ),
        ("refresh.topics.interval.seconds: 60", "tasks.max: 9", 22, "Strimzi sets it from tasksMax"),
        ("refresh.topics.interval.seconds: 60", "offset.flush.interval.ms: 9", 22, "it belongs to spec.target.config"),
        ("refresh.topics.interval.seconds: 60", "replication.facto: 1", 22, "did you mean replication.factor?"),
        (
            "refresh.topics.interval.seconds: 60",
            "replication.factor: many",
            22,
            "Allowed: a whole number from -1 to 32767",
        ),
        ("offset.flush.interval.ms: 5000", "offset.lag.max: 5", 12, "it belongs to sourceConnector"),
        (
            "refresh.topics.interval.seconds: 60",
            "consumer.auto.offset.reset: latest",
            22,
            "with latest it would leave out what was written before",
        ),
        (
            'sync.group.offsets.enabled: "true"',
            "consumer.auto.offset.reset: latest",
            25,
            "it belongs to sourceConnector",
        ),
        ("offset.flush.interval.ms: 5000", "consumer.auto.offset.reset: latest", 12, "it belongs to sourceConnector"),
        ("sourceCluster: east", "sourceCluster: esat", 14, "Allowed: east, west"),
        ("      tasksMax: 4", "      state: paused", 19, "read as running"),
    ],
)
def test_what_is_not_taken_over_is_listed_with_its_line(before: str, after: str, line: int, reason: str) -> None:
    [unread] = read(BETA.replace(before, after)).unread
    assert unread.line == line
    assert reason in unread.reason


def test_connectors_that_disagree_on_the_names_of_topics_are_pointed_out() -> None:
    found = read(BETA.replace("refresh.topics.interval.seconds: 60", f"replication.policy.class: {IDENTITY}"))
    assert found.flows[0].config["replication.policy.class"].value == IDENTITY
    assert "positions would be translated for topics of other names" in found.warnings[0]


@pytest.mark.parametrize(
    ("before", "after", "reason"),
    [
        ("connectCluster: west", "connectCluster: south", "no alias of spec.clusters. Allowed: east, west"),
        ("  connectCluster: west\n", "", "neither spec.target nor spec.connectCluster"),
        ("targetCluster: west", "targetCluster: east", "Strimzi wants them to be equal"),
        ("sourceConnector", "sourceConector", "No mirror has a sourceConnector"),
        ("metadata:", "metadata: ]", "line 3"),
    ],
)
def test_a_resource_that_cannot_run_is_refused_with_the_reason(before: str, after: str, reason: str) -> None:
    assert reason in str(read(BETA.replace(before, after)).rejected)


def test_other_resources_are_none_of_mirrormakers() -> None:
    assert strimzi_mirrors.read(clean(BETA.replace("KafkaMirrorMaker2", "KafkaConnect"))) is None


def test_a_resource_beyond_the_limits_is_refused_at_once() -> None:
    many = "  - {source: {alias: east}, sourceConnector: {config: *all}}\n" * 20
    every = "".join(f"        key{number}: 1\n" for number in range(101))
    head = V1.partition("  mirrors:")[0].replace(
        "config: {offset.storage.replication.factor: 1}", "config: &all\n" + every
    )
    assert read(f"{head}  mirrors:\n{many}").rejected == "The resource has 2,121 settings; the limit is 2,000."
    assert read(f"{head}  mirrors:\n{many}{many}").rejected == "The resource has 40 mirrors; the limit is 20."


@pytest.mark.parametrize(
    "policy",
    [
        "io.strimzi.kafka.connect.mirror.IdentityReplicationPolicy",
        "com.amazonaws.kafka.samples.CustomMM2ReplicationPolicy",
    ],
)
def test_a_policy_of_others_that_keeps_the_names_is_the_identity_policy(policy: str) -> None:
    found = read(BETA.replace("refresh.topics.interval.seconds: 60", f"replication.policy.class: {policy}"))
    assert found.unread == []
    assert found.flows[0].entry()["config"]["replication.policy.class"] == IDENTITY
