"""The settings that the engine needs of a mirror, as plain values: its own keys over MirrorMaker's defaults."""

from dataclasses import dataclass, field
from typing import Final

from simengine.scenario.config_keys import IDENTITY_POLICY, MIRROR
from simengine.scenario.mirrors import Mirror, patterns
from simengine.scenario.profiles import Profile
from simengine.scenario.settings import Layers

NEVER: Final = -1


@dataclass(frozen=True, slots=True)
class MirrorSettings:
    """The settings of one flow. -1 in `*_interval_us`: never; -1 in `*_factor`: the default of the cluster's brokers.

    Lists hold regular expressions; a name is taken if it matches one of `topics` as a whole and none of the excludes.
    """

    topics: list[str]
    topics_exclude: list[str]
    groups: list[str]
    groups_exclude: list[str]
    configs_exclude: list[str]
    identity_policy: bool
    separator: str
    internal_separator: str
    emit_checkpoints_interval_us: int
    sync_group_offsets_interval_us: int
    refresh_topics_interval_us: int
    refresh_groups_interval_us: int
    sync_topic_configs_interval_us: int
    emit_heartbeats_interval_us: int
    emit_offset_syncs: bool = field(metadata={"key": "emit.offset-syncs.enabled"})
    offset_lag_max: int = field(metadata={"key": "offset.lag.max"})
    syncs_on_source: bool
    remote_factor: int = field(metadata={"key": "replication.factor"})
    offset_syncs_factor: int = field(metadata={"key": "offset-syncs.topic.replication.factor"})
    checkpoints_factor: int = field(metadata={"key": "checkpoints.topic.replication.factor"})
    heartbeats_factor: int = field(metadata={"key": "heartbeats.topic.replication.factor"})
    offset_storage_factor: int = field(metadata={"key": "offset.storage.replication.factor"})
    tasks_max: int = field(metadata={"key": "tasks.max"})
    offset_flush_interval_us: int = field(metadata={"key": "offset.flush.interval.ms"})
    offset_flush_timeout_us: int = field(metadata={"key": "offset.flush.timeout.ms"})
    graceful_stop_us: int = field(metadata={"key": "task.shutdown.graceful.timeout.ms"})
    session_timeout_us: int = field(metadata={"key": "session.timeout.ms"})
    heartbeat_interval_us: int = field(metadata={"key": "heartbeat.interval.ms"})
    rebalance_delay_us: int = field(metadata={"key": "scheduled.rebalance.max.delay.ms"})


def mirror_settings(mirror: Mirror, profile: Profile) -> MirrorSettings:
    """One flow's settings."""
    layers = Layers(MIRROR, profile, mirror.config)
    separator = layers.text("replication.policy.separator")
    own_separator = layers.flag("replication.policy.internal.topic.separator.enabled")
    return MirrorSettings(
        **layers.told(MirrorSettings),
        topics=patterns(layers.text("topics")),
        topics_exclude=patterns(layers.text("topics.exclude")),
        groups=patterns(layers.text("groups")),
        groups_exclude=patterns(layers.text("groups.exclude")),
        configs_exclude=patterns(layers.text("config.properties.exclude")),
        identity_policy=layers.text("replication.policy.class") == IDENTITY_POLICY,
        separator=separator,
        internal_separator=separator if own_separator else ".",
        emit_checkpoints_interval_us=_interval(layers, "emit.checkpoints"),
        sync_group_offsets_interval_us=_interval(layers, "sync.group.offsets"),
        refresh_topics_interval_us=_interval(layers, "refresh.topics"),
        refresh_groups_interval_us=_interval(layers, "refresh.groups"),
        sync_topic_configs_interval_us=_interval(layers, "sync.topic.configs"),
        emit_heartbeats_interval_us=_interval(layers, "emit.heartbeats"),
        syncs_on_source=layers.text("offset-syncs.topic.location") == "source",
    )


def _interval(layers: Layers, work: str) -> int:
    """The period of work that can be switched off as a whole, such as emit.checkpoints."""
    return layers.number(f"{work}.interval.seconds") if layers.flag(f"{work}.enabled") else NEVER
