"""The settings that the engine needs of a document, as plain values: integers in microseconds, booleans, texts.

Layers, as in Kafka: topic config over broker config over cluster config over the profile's default. A producer's
idempotence is resolved as its client does it (IDEM-1). `Settings` stands in parallel to the document's lists.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Final

from simengine.scenario import config_keys
from simengine.scenario.config_keys import (
    BROKER,
    CONSUMER,
    INT_MAX,
    PRODUCER,
    SIMULATED,
    US_PER_UNIT,
    Value,
)
from simengine.scenario.durations import parse_iso_duration
from simengine.scenario.model import BrokerEntry, Document
from simengine.scenario.problems import Problem
from simengine.scenario.profiles import Profile

IDEMPOTENT_IN_FLIGHT_MAX: Final = 5
MINUTE_US: Final = 60_000_000
HOUR_US: Final = 60 * MINUTE_US
TIME_COUNTED_US: Final = 10**15  # 31 years
SEGMENT_KEYS: Final = (  # by which a broker's logs are cut into segments
    "log.retention.ms",
    "log.retention.minutes",
    "log.retention.hours",
    "log.retention.bytes",
    "log.segment.bytes",
    "log.roll.ms",
    "log.roll.hours",
)
FENCING_CHECKS_PER_SESSION: Final = 8  # the controller looks for stale brokers every session/8 (LIVE-3)


@dataclass(frozen=True, slots=True)
class ClusterSettings:
    """The settings of the controllers. -1 in `*_interval_us`: never."""

    session_timeout_us: int
    fencing_check_us: int
    auto_rebalance: bool = field(metadata={"key": "auto.leader.rebalance.enable"})
    rebalance_interval_us: int = field(metadata={"key": "leader.imbalance.check.interval.seconds"})
    unclean_interval_us: int = field(metadata={"key": "unclean.leader.election.interval.ms"})
    min_insync_replicas: int = field(metadata={"key": "min.insync.replicas"})
    unclean_leader_election: bool = field(metadata={"key": "unclean.leader.election.enable"})
    flush_messages: int = field(metadata={"key": "log.flush.interval.messages"})
    quorum_fetch_timeout_us: int = field(metadata={"key": "controller.quorum.fetch.timeout.ms"})
    append_linger_us: int = field(metadata={"key": "controller.quorum.append.linger.ms"})
    offsets_replication_factor: int = field(metadata={"key": "offsets.topic.replication.factor"})


@dataclass(frozen=True, slots=True)
class BrokerSettings:
    """The settings of one broker (server properties, its own over the cluster's over the defaults)."""

    heartbeat_interval_us: int = field(metadata={"key": "broker.heartbeat.interval.ms"})
    session_timeout_us: int = field(metadata={"key": "broker.session.timeout.ms"})
    registration_timeout_us: int = field(metadata={"key": "initial.broker.registration.timeout.ms"})
    replica_lag_time_max_us: int = field(metadata={"key": "replica.lag.time.max.ms"})
    fetch_wait_max_us: int = field(metadata={"key": "replica.fetch.wait.max.ms"})
    fetch_backoff_us: int = field(metadata={"key": "replica.fetch.backoff.ms"})
    replica_socket_timeout_us: int = field(metadata={"key": "replica.socket.timeout.ms"})
    controller_socket_timeout_us: int = field(metadata={"key": "controller.socket.timeout.ms"})
    request_timeout_us: int = field(metadata={"key": "request.timeout.ms"})
    hw_checkpoint_interval_us: int = field(metadata={"key": "replica.high.watermark.checkpoint.interval.ms"})
    own_min_insync: int  # -1: it has none of its own
    unclean_leader_election: bool = field(metadata={"key": "unclean.leader.election.enable"})
    controlled_shutdown: bool = field(metadata={"key": "controlled.shutdown.enable"})
    rack_aware_reads: bool
    # an empty group waits so long for further members
    first_join_us: int = field(metadata={"key": "group.initial.rebalance.delay.ms"})
    retention_us: int  # -1: for ever
    retention_bytes: int = field(metadata={"key": "log.retention.bytes"})  # -1: any number
    is_compacted: bool  # topics are compacted and nothing else
    roll_us: int
    segment_bytes: int = field(metadata={"key": "log.segment.bytes"})
    retention_check_us: int = field(metadata={"key": "log.retention.check.interval.ms"})
    retention_first_us: int = field(metadata={"key": "log.initial.task.delay.ms"})
    offsets_kept_us: int
    offsets_check_us: int = field(metadata={"key": "offsets.retention.check.interval.ms"})
    keeps_segments: bool  # something of retention is set


@dataclass(frozen=True, slots=True)
class ResolvedProducerSettings:
    """The settings of one producer. `acks`: -1 (all), 0, 1; `batch_records`: records that fill a batch."""

    acks: int
    idempotence: bool
    linger_us: int = field(metadata={"key": "linger.ms"})
    batch_records: int
    max_in_flight: int = field(metadata={"key": "max.in.flight.requests.per.connection"})
    retries: int = field(metadata={"key": "retries"})
    retry_backoff_us: int = field(metadata={"key": "retry.backoff.ms"})
    retry_backoff_max_us: int = field(metadata={"key": "retry.backoff.max.ms"})
    request_timeout_us: int = field(metadata={"key": "request.timeout.ms"})
    delivery_timeout_us: int
    metadata_max_age_us: int = field(metadata={"key": "metadata.max.age.ms"})
    max_block_us: int = field(metadata={"key": "max.block.ms"})


@dataclass(frozen=True, slots=True)
class ResolvedConsumerSettings:
    """The settings of one consumer. `reset`: latest, earliest, none, by_duration (so far back: `reset_back_us`).

    `client_rack` "" reads from leaders only.
    """

    reset: str
    reset_back_us: int
    auto_commit: bool = field(metadata={"key": "enable.auto.commit"})
    auto_commit_interval_us: int = field(metadata={"key": "auto.commit.interval.ms"})
    fetch_max_wait_us: int = field(metadata={"key": "fetch.max.wait.ms"})
    session_timeout_us: int = field(metadata={"key": "session.timeout.ms"})
    heartbeat_interval_us: int = field(metadata={"key": "heartbeat.interval.ms"})
    max_poll_interval_us: int = field(metadata={"key": "max.poll.interval.ms"})
    request_timeout_us: int = field(metadata={"key": "request.timeout.ms"})
    retry_backoff_us: int = field(metadata={"key": "retry.backoff.ms"})
    retry_backoff_max_us: int = field(metadata={"key": "retry.backoff.max.ms"})
    metadata_max_age_us: int = field(metadata={"key": "metadata.max.age.ms"})
    client_rack: str


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings of a document; the lists stand in document order."""

    profile: Profile
    elr: bool
    cluster: ClusterSettings
    common: BrokerSettings  # what a broker without properties of its own goes by
    brokers: list[BrokerSettings]
    producers: list[ResolvedProducerSettings]
    consumers: list[ResolvedConsumerSettings]


class Layers:
    """Typed look-up of simulated keys through config layers, first layer first; times in microseconds."""

    def __init__(self, scope: str, profile: Profile, *layers: Mapping[str, Value]) -> None:
        self._keys = SIMULATED[scope]
        self._layers = (*layers, profile.defaults)

    def value(self, name: str) -> Value:
        """The effective value of `name` as the engine counts."""
        key = self._keys[name]
        for layer in self._layers:
            if name in layer:
                return key.engine(layer[name])
        return key.engine(key.default)

    def told(self, settings: type[Any]) -> dict[str, Any]:
        """By field of a class of settings: the effective value of the key that the field names, if it names one."""
        keys = {one.name: one.metadata["key"] for one in fields(settings) if one.metadata}
        return {
            name: self.time(key) if self._keys[key].unit in US_PER_UNIT else self.value(key)
            for name, key in keys.items()
        }

    def has(self, name: str) -> bool:
        """True if some layer of the document sets `name`."""
        return any(name in layer for layer in self._layers)

    def number(self, name: str) -> int:
        """The effective value of a key that holds a whole number or a time."""
        value = self.value(name)
        assert isinstance(value, int) and not isinstance(value, bool), name
        return value

    def time(self, name: str) -> int:
        """The effective value (us) of a key whose largest value the engine's clock cannot count."""
        return min(self.number(name), TIME_COUNTED_US)

    def flag(self, name: str) -> bool:
        """The effective value of a key that holds true or false."""
        value = self.value(name)
        assert isinstance(value, bool), name
        return value

    def text(self, name: str) -> str:
        """The effective value of a key that holds a text."""
        return str(self.value(name))


def resolve(doc: Document) -> Settings:
    """All settings of a checked document."""
    profile = doc.version
    return Settings(
        profile=profile,
        elr=doc.elr,
        cluster=cluster_settings(Layers(BROKER, profile, doc.config)),
        common=broker_settings(Layers(BROKER, profile, doc.config)),
        brokers=[own_settings(broker, doc.config, profile) for broker in doc.brokers],
        producers=[
            producer_settings(profile, producer.acks, producer.config, producer.record_bytes)
            for producer in doc.producers
        ],
        consumers=[consumer_settings(profile, consumer.config, consumer.rack or "") for consumer in doc.consumers],
    )


def cluster_settings(layers: Layers) -> ClusterSettings:
    """The controllers' settings, from the properties all nodes share."""
    session_us = layers.number("broker.session.timeout.ms")
    return ClusterSettings(
        **layers.told(ClusterSettings),
        session_timeout_us=session_us,
        fencing_check_us=max(1, session_us // FENCING_CHECKS_PER_SESSION),
    )


def broker_settings(layers: Layers) -> BrokerSettings:
    """One broker's settings."""
    return BrokerSettings(
        **layers.told(BrokerSettings),
        own_min_insync=-1,
        rack_aware_reads=layers.text("replica.selector.class").endswith("RackAwareReplicaSelector"),
        retention_us=_retention_us(layers),
        roll_us=layers.time("log.roll.ms")
        if layers.has("log.roll.ms")
        else min(layers.number("log.roll.hours") * HOUR_US, TIME_COUNTED_US),
        is_compacted="delete" not in layers.text("log.cleanup.policy"),
        offsets_kept_us=layers.number("offsets.retention.minutes") * MINUTE_US,
        keeps_segments=any(layers.has(name) for name in SEGMENT_KEYS),
    )


def _retention_us(layers: Layers) -> int:
    """The time (us) for which a broker keeps records: the finest of three keys counts; -1: for ever."""
    us = layers.number("log.retention.hours") * HOUR_US
    if layers.has("log.retention.minutes"):
        us = layers.number("log.retention.minutes") * MINUTE_US
    if layers.has("log.retention.ms"):
        us = layers.time("log.retention.ms")
    return min(us, TIME_COUNTED_US) if us >= 0 else -1


def own_settings(broker: BrokerEntry, shared: Mapping[str, Value], profile: Profile) -> BrokerSettings:
    """One broker's settings, its own properties over the shared ones."""
    found = broker_settings(Layers(BROKER, profile, broker.config, shared))
    return replace(found, own_min_insync=int(broker.config.get("min.insync.replicas", -1)))


def producer_settings(
    profile: Profile, acks: str, config: Mapping[str, Value], record_bytes: int
) -> ResolvedProducerSettings:
    """One producer's settings; `config` is checked (`producer_problems`). Also used when its acks are toggled."""
    layers = Layers(PRODUCER, profile, config)
    return ResolvedProducerSettings(
        **layers.told(ResolvedProducerSettings),
        acks=-1 if acks == "all" else int(acks),
        idempotence=is_idempotent(acks, config),
        batch_records=max(1, layers.number("batch.size") // record_bytes),
        delivery_timeout_us=_delivery_timeout_us(layers, config),
    )


def consumer_settings(profile: Profile, config: Mapping[str, Value], rack: str) -> ResolvedConsumerSettings:
    """One consumer's settings."""
    layers = Layers(CONSUMER, profile, config)
    reset, _, back = layers.text("auto.offset.reset").partition(":")
    return ResolvedConsumerSettings(
        **layers.told(ResolvedConsumerSettings),
        reset=reset,
        reset_back_us=parse_iso_duration(back) if back else 0,
        client_rack=rack,
    )


def is_idempotent(acks: str, config: Mapping[str, Value]) -> bool:
    """IDEM-1: on unless switched off, or silently off because acks is not all or retries is 0."""
    if "enable.idempotence" in config:
        return bool(config["enable.idempotence"])
    return acks == "all" and config.get("retries", INT_MAX) != 0


def producer_problems(acks: str, config: Mapping[str, Value], profile: Profile) -> Iterator[Problem]:
    """The settings that the producer client itself would refuse at construction; paths are relative to the producer."""
    layers = Layers(PRODUCER, profile, config)
    if config.get("enable.idempotence") is True:
        if acks != "all":
            yield Problem("acks", acks, "an idempotent producer needs acks=all (IDEM-1)", "all")
        if layers.number("retries") == 0:
            yield Problem("config.retries", "0", "an idempotent producer needs retries > 0 (IDEM-1)")
    in_flight = layers.number("max.in.flight.requests.per.connection")
    if is_idempotent(acks, config) and in_flight > IDEMPOTENT_IN_FLIGHT_MAX:
        path = "config.max.in.flight.requests.per.connection"
        message = "an idempotent producer has at most 5 requests in flight (IDEM-1)"
        yield Problem(path, str(in_flight), message, "1 to 5, or enable.idempotence: false")
    needed_ms = (layers.number("linger.ms") + layers.number("request.timeout.ms")) // 1_000
    if "delivery.timeout.ms" in config and layers.number("delivery.timeout.ms") // 1_000 < needed_ms:
        message = "delivery.timeout.ms must be at least linger.ms + request.timeout.ms"
        value = str(config["delivery.timeout.ms"])
        yield Problem("config.delivery.timeout.ms", value, message, f"at least {needed_ms}")


def _delivery_timeout_us(layers: Layers, config: Mapping[str, Value]) -> int:
    """The client raises a default delivery timeout that is shorter than linger + request timeout."""
    needed = layers.number("linger.ms") + layers.number("request.timeout.ms")
    given = layers.number("delivery.timeout.ms")
    return given if "delivery.timeout.ms" in config else max(given, needed)


def ignored_keys(doc: Document) -> list[tuple[str, str]]:
    """(path, key) of every Kafka key in the document that changes nothing in the simulation."""
    return [(path, key) for path, key, _ in ignored_values(doc)]


def ignored_values(doc: Document) -> list[tuple[str, str, Value]]:
    """The same, each with its value."""
    maps = [(config_keys.BROKER, "cluster.config", doc.config)]
    maps += [(config_keys.BROKER, f"cluster.brokers[{i}].config", b.config) for i, b in enumerate(doc.brokers)]
    maps += [(config_keys.TOPIC, f"topics[{i}].config", t.config) for i, t in enumerate(doc.topics)]
    maps += [(config_keys.PRODUCER, f"producers[{i}].config", p.config) for i, p in enumerate(doc.producers)]
    maps += [(config_keys.CONSUMER, f"consumers[{i}].config", c.config) for i, c in enumerate(doc.consumers)]
    return [
        (path, key, value)
        for scope, path, config in maps
        for key, value in config.items()
        if config_keys.is_ignored(scope, key)
    ]
