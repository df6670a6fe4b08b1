"""MirrorMaker's connectors as JSON of Connect's REST interface: name and config, one or several."""

import json
from typing import Any

import pytest

from simengine.importers import connect_json
from simengine.importers.mirror_paste import read_mirrors, with_mirrors
from simengine.importers.mirrors import Mirrors
from simengine.importers.text import clean
from simengine.scenario.config_keys import IDENTITY_POLICY

PACKAGE = "org.apache.kafka.connect.mirror"
ALIASES = {"source.cluster.alias": "east", "target.cluster.alias": "west"}
SOURCE = {
    "connector.class": f"{PACKAGE}.MirrorSourceConnector",
    **ALIASES,
    "source.cluster.bootstrap.servers": "a:9092",
    "topics": "orders,payments",
    "tasks.max": 4,
    "key.converter": "org.apache.kafka.connect.converters.ByteArrayConverter",
    "replication.policy.class": "io.strimzi.kafka.connect.mirror.IdentityReplicationPolicy",
}
CHECKPOINT = {
    "connector.class": f"{PACKAGE}.MirrorCheckpointConnector",
    **ALIASES,
    "sync.group.offsets.enabled": True,
    "replication.policy.class": "io.strimzi.kafka.connect.mirror.IdentityReplicationPolicy",
}
HEARTBEAT = {"connector.class": "MirrorHeartbeatConnector", **ALIASES}


def named(config: dict[str, Any]) -> dict[str, Any]:
    return {"name": str(config["connector.class"]), "config": config}


def read(value: Any, indent: int | None = None) -> Mirrors:
    found = connect_json.read(clean(json.dumps(value, indent=indent)))
    assert found is not None
    return found


@pytest.mark.parametrize(
    "value",
    [
        [named(SOURCE), named(CHECKPOINT), named(HEARTBEAT)],
        [SOURCE, CHECKPOINT, HEARTBEAT],
        {one["name"]: {"info": one} for one in (named(SOURCE), named(CHECKPOINT), named(HEARTBEAT))},
    ],
    ids=["name and config", "config alone", "expand=info"],
)
def test_the_connectors_between_two_clusters_are_one_flow(value: Any) -> None:
    found = read(value, indent=2)
    [flow] = found.flows
    assert (flow.name, found.clusters, found.unread, found.warnings) == ("east->west", ["east", "west"], [], [])
    config = flow.entry()["config"]
    assert config == {
        "topics": "orders,payments",
        "tasks.max": 4,
        "replication.policy.class": IDENTITY_POLICY,
        "sync.group.offsets.enabled": True,
    }


def test_several_json_texts_one_after_another_are_read_together() -> None:
    found = read_mirrors("\n".join(f"curl -d '{json.dumps(named(one))}'" for one in (SOURCE, CHECKPOINT)).encode())
    assert [flow.name for flow in found.flows] == ["east->west"]
    assert found.flows[0].config["emit.heartbeats.enabled"].value == "false"


def test_a_source_connector_alone_translates_nothing_and_says_so() -> None:
    found = read(named(SOURCE))
    config = found.flows[0].entry()["config"]
    assert (config["emit.checkpoints.enabled"], config["sync.group.offsets.enabled"]) == (False, False)
    assert found.warnings == [
        "No MirrorCheckpointConnector of east->west stands in the paste: no position is translated."
    ]


def test_a_key_in_the_wrong_connector_is_left_with_its_line() -> None:
    found = read([named(SOURCE), named({**CHECKPOINT, "refresh.topics.interval.seconds": "5"})], indent=1)
    [left] = found.unread
    assert left.reason == "no effect in the checkpointConnector: it belongs to sourceConnector"
    assert left.line > 10


def test_the_consumer_of_a_source_connector_is_named_where_a_run_reads_otherwise() -> None:
    own = {"consumer.auto.offset.reset": "latest", "source.consumer.isolation.level": "read_uncommitted"}
    [left] = read([named({**SOURCE, **own}), named(CHECKPOINT)]).unread
    assert left.text == "consumer.auto.offset.reset = latest"
    assert left.reason.endswith("with latest it would leave out what was written before")


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        (CHECKPOINT, "No MirrorSourceConnector stands in the paste, so nothing is copied."),
        ({**SOURCE, "target.cluster.alias": ""}, "No MirrorSourceConnector"),
    ],
)
def test_connectors_without_a_flow_are_refused(value: Any, sentence: str) -> None:
    found = read(named(value))
    assert str(found.rejected).startswith(sentence)
    assert found.unread


def test_other_connectors_are_none_of_mirrormakers() -> None:
    sink = json.dumps(named({"connector.class": "org.apache.kafka.connect.file.FileStreamSinkConnector"}))
    assert connect_json.read(clean(sink)) is None
    assert "JSON of Connect" in str(with_mirrors({"clusters": {}}, read_mirrors(sink.encode()))[1]["reason"])
