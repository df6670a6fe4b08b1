"""The settings of a mirror: Kafka's keys over MirrorMaker's defaults, and what is refused."""

import time
from typing import Any

import pytest
from pydantic import ValidationError

from simengine.scenario.mirror_settings import NEVER, MirrorSettings, mirror_settings
from simengine.scenario.mirrors import Mirror, mirror_problems, patterns
from simengine.scenario.profiles import DEFAULT_PROFILE, profile_of
from simengine.scenario.shape_problems import problems_of

SECOND = 1_000_000


def mirror(config: dict[str, Any] | None = None, target: str = "west") -> Mirror:
    return Mirror.model_validate({"source": "east", "target": target, "config": config or {}})


def settings(config: dict[str, Any] | None = None) -> MirrorSettings:
    return mirror_settings(mirror(config), profile_of(DEFAULT_PROFILE))


def test_without_config_a_mirror_has_the_defaults_of_kafka() -> None:
    found = settings()
    assert found.topics == [".*"]
    assert found.topics_exclude == [r"mm2.*\.internal", r".*\.replica", "__.*"]
    assert found.groups_exclude == ["console-consumer-.*", "connect-.*", "__.*"]
    assert r"min\.insync\.replicas" in found.configs_exclude
    assert (found.identity_policy, found.separator) == (False, ".")
    assert (found.offset_lag_max, found.remote_factor, found.tasks_max) == (100, 2, 1)
    assert found.offset_flush_interval_us == found.emit_checkpoints_interval_us == 60 * SECOND
    assert found.refresh_topics_interval_us == found.refresh_groups_interval_us == 600 * SECOND
    assert found.rebalance_delay_us == 300 * SECOND


def test_groups_are_not_synced_until_they_are_switched_on() -> None:
    assert settings().sync_group_offsets_interval_us == NEVER
    on = settings({"sync.group.offsets.enabled": "true", "sync.group.offsets.interval.seconds": "10"})
    assert on.sync_group_offsets_interval_us == 10 * SECOND


def test_work_that_is_switched_off_is_never_done() -> None:
    assert settings({"refresh.topics.enabled": False}).refresh_topics_interval_us == NEVER


def test_the_separator_of_internal_topics_may_stay_a_point() -> None:
    assert settings({"replication.policy.separator": "_"}).internal_separator == "_"
    own = {"replication.policy.separator": "_", "replication.policy.internal.topic.separator.enabled": False}
    assert settings(own).internal_separator == "."


@pytest.mark.parametrize(
    ("text", "listed"),
    [("", []), ("  ", []), ("orders", ["orders"]), (" orders.* , pay|cash ,x", ["orders.*", "pay|cash", "x"])],
)
def test_a_list_of_patterns_is_split_at_commas_and_an_empty_one_matches_nothing(text: str, listed: list[str]) -> None:
    assert patterns(text) == listed


@pytest.mark.parametrize(
    ("config", "path", "allowed"),
    [
        ({"emit.checkpoints.enabled": "yes"}, "config.emit.checkpoints.enabled", "true, false"),
        ({"emit.checkpoints.interval.seconds": 0}, "config.emit.checkpoints.interval.seconds", "from 1 to"),
        ({"replication.policy.class": "my.Own"}, "config.replication.policy.class", "IdentityReplicationPolicy"),
        ({"offset.lag.maximum": 1}, "config.offset.lag.maximum", ""),
    ],
)
def test_a_wrong_value_is_named_with_what_is_allowed(config: dict[str, Any], path: str, allowed: str) -> None:
    with pytest.raises(ValidationError) as caught:
        mirror(config)
    [problem] = problems_of(caught.value)
    assert problem.path == path
    assert allowed in str(problem)


@pytest.mark.parametrize(
    ("wrong", "path"),
    [
        (mirror(target="east"), "target"),
        (mirror({"topics": "orders, pay("}), "config.topics"),
        (mirror({"replication.factor": 0}), "config.replication.factor"),
        (mirror({"exactly.once.source.support": "enabled"}), "config.exactly.once.source.support"),
    ],
)
def test_what_mirrormaker_refuses_at_its_start_is_refused(wrong: Mirror, path: str) -> None:
    assert [problem.path for problem in mirror_problems(wrong)] == [path]
    assert not mirror_problems(mirror({"topics": "orders, pay", "replication.factor": -1}))


@pytest.mark.parametrize(
    "pattern",
    [".*", "orders", r"(orders|payments)\.[a-z]+\.v[0-9]+", ".*eu.*prod.*", "team-[a-z]+-[a-z]+-v[0-9]+", "(?i)paid?"],
)
def test_patterns_as_people_write_them_are_cheap_enough(pattern: str) -> None:
    assert mirror_problems(mirror({"topics": pattern}), names=10) == []


def test_a_list_of_patterns_is_split_in_time_that_grows_with_its_length() -> None:
    started = time.process_time()
    assert patterns("a" + " " * 1_000_000 + "b") == ["a" + " " * 1_000_000 + "b"]
    assert time.process_time() - started < 1
