"""The topics, groups and configs that a flow copies, and the names of the copies (MM-2, MM-3, MM-10)."""

import pytest

from simengine.mirror.filters import ConfigPropertyFilter, NameFilter
from simengine.mirror.mirrored_partition import MirroredPartition
from simengine.mirror.replication_policy import IdentityReplicationPolicy, ReplicationPolicy
from simengine.mirror.source_topics import SourceTopics, tasks_of
from simengine.scenario.mirror_settings import mirror_settings
from simengine.scenario.mirrors import Mirror
from simengine.scenario.own_topics import is_own_topic
from simengine.scenario.profiles import PROFILES

DEFAULT = ReplicationPolicy()
SETTINGS = mirror_settings(Mirror(source="A", target="B"), PROFILES["4.2"])


def flow(*topics: str, policy: ReplicationPolicy = DEFAULT, heartbeats: bool = True) -> SourceTopics:
    """A flow from A to B; no topics: all, as by default."""
    return SourceTopics("A", "B", policy, NameFilter([*topics] or [".*"], SETTINGS.topics_exclude), heartbeats)


@pytest.mark.parametrize(
    ("topic", "source", "upstream"),
    [
        ("orders", None, None),
        ("A.orders", "A", "orders"),
        ("A.B.orders", "A", "B.orders"),
        ("orders.", None, None),
        ("orders...", None, None),
        (".orders", "", "orders"),
    ],
)
def test_the_default_policy_takes_the_text_before_the_first_separator_for_the_source(
    topic: str, source: str | None, upstream: str | None
) -> None:
    assert (DEFAULT.topic_source(topic), DEFAULT.upstream_topic(topic)) == (source, upstream)


def test_the_original_topic_is_found_over_any_number_of_copies() -> None:
    assert DEFAULT.original_topic("A.B.orders") == "orders"
    assert IdentityReplicationPolicy("A").original_topic("A.B.orders") == "A.B.orders"


def test_another_separator_also_stands_in_internal_names_unless_it_is_kept_out() -> None:
    policy = ReplicationPolicy("_", "_")
    assert policy.format_remote_topic("A", "orders") == "A_orders"
    assert policy.offset_syncs_topic("B") == "mm2-offset-syncs_B_internal"
    assert policy.checkpoints_topic("A") == "A_checkpoints_internal"
    assert policy.is_internal_topic("A_checkpoints_internal")
    plain = ReplicationPolicy("_")
    assert plain.offset_syncs_topic("B") == "mm2-offset-syncs.B.internal"
    assert not plain.is_internal_topic("A_checkpoints_internal")


@pytest.mark.parametrize(
    ("topic", "is_copied"),
    [
        ("orders", True),
        ("C.orders", True),
        ("B.orders", False),
        ("C.B.orders", False),
        ("__consumer_offsets", False),
        (".hidden", False),
        ("mm2-offset-syncs.B.internal", False),
        ("mm2-status.A.internal", False),
        ("C.checkpoints.internal", False),
        ("accounts.internal", True),
        ("orders.replica", False),
    ],
)
def test_a_topic_is_copied_if_admitted_and_neither_internal_nor_from_the_target(topic: str, is_copied: bool) -> None:
    assert flow().should_replicate(topic) is is_copied


def test_a_filter_matches_the_whole_name() -> None:
    assert flow("orders").should_replicate("orders")
    assert not flow("orders").should_replicate("orders2")
    assert flow("pay.*", "orders").should_replicate("payments")
    assert not NameFilter([], []).admits("orders"), "an empty list matches nothing"


def test_heartbeats_are_copied_whatever_the_filter_says_unless_switched_off() -> None:
    assert flow("orders").should_replicate("heartbeats")
    assert not flow("orders", heartbeats=False).should_replicate("heartbeats")
    assert not flow("orders").should_replicate("B.heartbeats")


def test_the_identity_policy_keeps_names_and_cannot_find_a_loop() -> None:
    identity = flow(policy=IdentityReplicationPolicy("A"))
    assert identity.remote_topic("orders") == "orders"
    assert identity.should_replicate("B.orders")
    assert identity.remote_topic("heartbeats") == "A.heartbeats"
    assert not identity.should_replicate("B.heartbeats")


def test_a_group_continues_in_the_copy_or_in_the_topic_that_was_copied_from_the_target() -> None:
    assert flow().checkpoint_topic("orders") == "A.orders"
    assert flow().checkpoint_topic("B.orders") == "orders"


@pytest.mark.parametrize(("group", "is_admitted"), [("g", True), ("console-consumer-7", False), ("connect-x", False)])
def test_groups_of_consoles_and_of_connect_are_left_out(group: str, is_admitted: bool) -> None:
    assert NameFilter(SETTINGS.groups, SETTINGS.groups_exclude).admits(group) is is_admitted


def test_min_insync_replicas_and_unclean_election_do_not_travel() -> None:
    configs = {"min.insync.replicas": "2", "unclean.leader.election.enable": "true", "retention.ms": "1000"}
    assert ConfigPropertyFilter(SETTINGS.configs_exclude).target_configs(configs) == {"retention.ms": "1000"}
    assert ConfigPropertyFilter([]).target_configs(configs) == configs


def test_partitions_are_dealt_out_to_tasks_in_turn() -> None:
    assert dealt(12, 3) == [[0, 3, 6, 9], [1, 4, 7, 10], [2, 5, 8, 11]]
    assert dealt(2, 3) == [[0], [1]]
    assert dealt(0, 3) == []


def dealt(partitions: int, tasks_max: int) -> list[list[int]]:
    pairs = [MirroredPartition(p, 100 + p, p) for p in range(partitions)]
    return [[int(pair.source_p) for pair in task] for task in tasks_of(pairs, tasks_max)]


@pytest.mark.parametrize(
    ("topic", "is_own"),
    [
        ("heartbeats", True),
        ("east.heartbeats", True),
        ("mm2-offset-syncs.west.internal", True),
        ("east.checkpoints.internal", True),
        ("east_checkpoints_internal", False),  # the default policy does not know it
        ("__consumer_offsets", True),
        ("mirrormaker2-cluster-offsets", True),
        ("connect-status", True),
        ("my-connect-cluster-configs", True),
        ("_connect-offsets", True),
        ("orders", False),
        ("connect.orders", False),
        ("order-status", False),
        ("connections-status", False),
    ],
)
def test_topics_that_kafka_connect_and_mirrormaker_keep_are_told_by_their_names(topic: str, is_own: bool) -> None:
    assert is_own_topic(topic) is is_own
    assert is_own_topic("east_checkpoints_internal", ReplicationPolicy("_", "_"))
