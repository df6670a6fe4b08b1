"""MirrorMaker's properties file: which key holds for which flow, and what is said of the others."""

import pytest

from simengine.importers import mm2_properties
from simengine.importers.mirrors import Mirrors
from simengine.importers.text import clean
from simengine.scenario.mirrors import Mirror

HEAD = "clusters = east, west\neast.bootstrap.servers = e1:9092\nwest.bootstrap.servers = w1:9092\n"
ON = HEAD + "east->west.enabled = true\n"


def read(text: str) -> Mirrors:
    found = mm2_properties.read(clean(text))
    assert found is not None
    return found


def config(text: str, flow: int = 0) -> dict[str, int | bool | str]:
    """The checked config of a flow, as a document has it."""
    return Mirror.model_validate(read(text).flows[flow].entry()).config


def reasons(text: str) -> dict[int, str]:
    """The reason for each line that is not taken over, by the line's number."""
    return {unread.line: unread.reason for unread in read(text).unread}


def test_a_flow_has_its_names_and_nothing_else_is_left() -> None:
    found = read(ON + "\n# a comment\n! another\nreplication.factor = 3\nsync.topic.acls.enabled = false\n")
    assert [flow.entry() for flow in found.flows] == [
        {"source": "east", "target": "west", "config": {"replication.factor": 3}}
    ]
    assert (found.clusters, found.unread, found.warnings, found.rejected) == (["east", "west"], [], [], None)
    assert found.flows[0].config["replication.factor"].line == 8


def test_each_direction_is_a_flow_and_its_own_keys_count_before_those_that_stand_alone() -> None:
    text = ON + "topics = a.*\nwest->east.enabled: true\nwest->east.topics=b.*, c\noffset.lag.max=30\n"
    assert config(text) == {"topics": "a.*", "offset.lag.max": 30}
    assert config(text, 1) == {"topics": "b.*, c", "offset.lag.max": 30}


def test_the_worker_reads_its_keys_under_the_name_of_the_target() -> None:
    text = ON + "west.offset.flush.interval.ms = 5000\nwest.scheduled.rebalance.max.delay.ms = 1000\n"
    assert config(text) == {"offset.flush.interval.ms": 5000, "scheduled.rebalance.max.delay.ms": 1000}


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("offset.flush.interval.ms = 10000", "as west.offset.flush.interval.ms"),
        ("east->west.offset.flush.interval.ms = 1", "only under the target's name, as west.offset.flush"),
        ("east.offset.flush.interval.ms = 1", "only flows into east read it, and none is enabled"),
        ("west.replication.factor = 3", "the connectors read it alone, as replication.factor"),
        ("producer.linger.ms = 100", "only under a cluster's name, as west.producer.linger.ms"),
        ("west.producer.linger.ms = 100", "which is not simulated"),
        ("west->north.topics = a", "names no two of the clusters east, west"),
        ("west->east.topics = a", "west->east is not enabled: add west->east.enabled = true"),
        ("sync.group.offset.enabled = true", "did you mean sync.group.offsets.enabled?"),
        ("emit.checkpoints.interval.seconds = soon", "Allowed: a whole number from 1 to 2147483647 s; the default 60"),
        ("sync.group.offsets.enabled = yes", "Allowed: true, false; the default false holds"),
        ("replication.policy.class = my.Policy", "IdentityReplicationPolicy; the default"),
        ("topic.filter.class = my.Filter", "DefaultTopicFilter holds"),
        ("topics = ord(ers", "not a regular expression"),
        ("replication.factor = 0", "-1 (the default of the cluster's brokers)"),
        ("tasks.max = ${TASKS}", "a placeholder that is not filled in; the default 1 holds"),
        ("exactly.once.source.support = enabled\n", "as west.exactly.once.source.support"),
        ("west.exactly.once.source.support = enabled", "not simulated; disabled holds"),
        ("and so on\nreplication.factor = 2", "no key and value"),
        ("east->west.consumer.auto.offset.reset = latest", "with latest it would leave out what was written before"),
        ("east.consumer.auto.offset.reset = latest", "copies from the earliest record here"),
        ("east->west.source.consumer.auto.offset.reset = none", "with none its tasks would fail"),
        ("west.consumer.auto.offset.reset = latest", "only flows from west read it"),
        ("consumer.auto.offset.reset = latest", "under the name of the source, as east.consumer.auto.offset.reset"),
        ("source.consumer.auto.offset.reset = latest", "as east.consumer.auto.offset.reset"),
        ("east.consumer.isolation.level = read_committed", "no producer of a run writes transactions"),
    ],
)
def test_what_is_not_taken_over_is_listed_with_its_line_and_the_reason(line: str, reason: str) -> None:
    found = reasons(ON + line)
    assert list(found) == [5]
    assert reason in found[5]


def test_a_consumer_that_is_set_as_the_simulation_reads_is_read() -> None:
    own = "east.consumer.auto.offset.reset = earliest\neast->west.consumer.isolation.level = read_uncommitted\n"
    assert reasons(ON + own) == {}


def test_storage_that_stands_alone_counts_before_the_targets_own() -> None:
    text = ON + "offset.storage.replication.factor = 1\nwest.offset.storage.replication.factor = 3\n"
    assert config(text) == {"offset.storage.replication.factor": 1}


def test_old_names_are_read_unless_the_new_ones_stand_beside_them() -> None:
    assert config(ON + "topics.blacklist = a\n") == {"topics.exclude": "a"}
    assert config(ON + "topics.exclude = b\ntopics.blacklist = a\n") == {"topics.exclude": "b"}


def test_a_backslash_continues_a_line_and_a_single_one_is_lost() -> None:
    text = ON + "east->west.topics = orders, \\\n    pay\\\\.x, \\\n    cash\\.y\nreplication.factor = 2\n"
    found = read(text)
    assert found.flows[0].config["topics"].value == r"orders, pay\.x, cash.y"
    assert found.flows[0].config["replication.factor"].line == 8
    assert found.warnings == [
        r"Line 5: a properties file drops a single backslash, so MirrorMaker reads orders, pay\.x, cash.y; "
        "write two where one is meant."
    ]


def test_without_an_enabled_flow_mirrormaker_does_not_start() -> None:
    assert "add east->west.enabled = true" in str(read(HEAD).rejected)
    off = read(HEAD + "east->west.enabled = on\n")
    assert off.rejected
    assert "Allowed: true, false" in off.unread[0].reason


def test_clusters_that_no_line_lists_are_those_of_the_flows() -> None:
    found = read("a->b.enabled = true\na->b.topics = x\n")
    assert (found.clusters, [flow.name for flow in found.flows]) == (["a", "b"], ["a->b"])
    assert "No line lists the clusters" in found.warnings[0]


@pytest.mark.parametrize("text", ["node.id=1\nprocess.roles=broker\n", "clusters = one\n", "Topic: a  Partition: 0\n"])
def test_another_text_is_none_of_mirrormakers(text: str) -> None:
    assert mm2_properties.read(clean(text)) is None


def test_a_file_beyond_the_limits_is_refused_at_once() -> None:
    many = ", ".join(f"c{number}" for number in range(2_000))
    assert read(f"clusters = {many}\n").rejected == "The file has 2,000 clusters; the limit is 20."
    lines = "".join(f"key{number} = 1\n" for number in range(2_000))
    assert read(ON + lines).rejected == "The file has 2,004 settings; the limit is 2,000."
