"""Kafka's configuration keys: which exist, what they take, their defaults in Kafka 4.2, and which are simulated.

A key is one of three: *simulated* (the engine obeys it; type and range are checked), *known* (a Kafka key that has
no effect here; it is kept, and listed as ignored), or unknown: an error with the near miss.
Defaults are those of docs/rules/settings.md; `profiles` overrides them by version.
"""

import re
from dataclasses import dataclass
from typing import Final

from simengine.scenario.config_known import KNOWN
from simengine.scenario.durations import parse_iso_duration
from simengine.scenario.near import nearest
from simengine.scenario.problems import FieldError

BROKER: Final = "broker"  # server properties of brokers and controllers
TOPIC: Final = "topic"
PRODUCER: Final = "producer"
CONSUMER: Final = "consumer"
MIRROR: Final = "mirror"  # one flow of MirrorMaker 2: its three connectors and its Connect worker
SCOPES: Final = (BROKER, TOPIC, PRODUCER, CONSUMER, MIRROR)

Value = int | bool | str

INT_MAX: Final = 2**31 - 1
LONG_MAX: Final = 2**63 - 1
CLEANUP_POLICIES: Final = ("delete", "compact", "compact,delete", "delete,compact")
DEFAULT_POLICY: Final = "org.apache.kafka.connect.mirror.DefaultReplicationPolicy"
IDENTITY_POLICY: Final = "org.apache.kafka.connect.mirror.IdentityReplicationPolicy"
LEADER_RATE: Final = "leader.replication.throttled.rate"
FOLLOWER_RATE: Final = "follower.replication.throttled.rate"
LEADERS_THROTTLED: Final = "leader.replication.throttled.replicas"
FOLLOWERS_THROTTLED: Final = "follower.replication.throttled.replicas"
THROTTLES: Final = (LEADER_RATE, FOLLOWER_RATE, LEADERS_THROTTLED, FOLLOWERS_THROTTLED)  # of copies of logs (FET-19)
THROTTLED_FORMS: Final = "*, none, or partition:broker,partition:broker…"
US_PER_UNIT: Final[dict[str, int]] = {"ms": 1_000, "s": 1_000_000}


@dataclass(frozen=True, slots=True)
class ConfigKey:
    """One simulated key. `unit`: ms, s, B or "" (a number of things).

    For texts only: `choices`, and `before_duration`, a beginning that an ISO 8601 duration may follow.
    `instead`: Kafka leaves this key unset, and that one counts; `default` is what comes of it.
    """

    name: str
    default: Value
    low: int = 0
    high: int = INT_MAX
    unit: str = ""
    choices: tuple[str, ...] = ()
    before_duration: str = ""
    form: str = ""  # a pattern, and `said` is what it asks for
    said: str = ""
    dynamic: bool = False  # may be changed by a `config` action while the cluster runs
    instead: str = ""

    @property
    def allowed(self) -> str:
        """The values that the key takes, in words."""
        if isinstance(self.default, bool):
            return "true, false"
        if isinstance(self.default, int):
            unit = f" {self.unit}" if self.unit else ""
            return f"a whole number from {self.low} to {self.high}{unit}"
        if self.form:
            return self.said
        open_form = (f"{self.before_duration}PnDTnHnMn.nS",) if self.before_duration else ()
        return ", ".join(self.choices + open_form) if self.choices else "a text"

    def read(self, raw: object) -> Value:
        """The value in Kafka's own type and unit. Raises FieldError."""
        if isinstance(self.default, bool):
            return self._read_bool(raw)
        if isinstance(self.default, int):
            return self._read_int(raw)
        return self._read_text(raw)

    def engine(self, value: Value) -> Value:
        """`value` as the engine counts: times in microseconds, all else unchanged."""
        if isinstance(value, bool) or not isinstance(value, int):
            return value
        return value * US_PER_UNIT.get(self.unit, 1)

    def _read_bool(self, raw: object) -> bool:
        if isinstance(raw, bool):
            return raw
        if isinstance(raw, str) and raw.strip().lower() in ("true", "false"):
            return raw.strip().lower() == "true"
        raise FieldError("not a boolean", raw, self.allowed, nearest(str(raw), ("true", "false")))

    def _read_int(self, raw: object) -> int:
        number = raw
        if isinstance(raw, str) and raw.strip().removeprefix("-").isdecimal() and len(raw) <= 20:
            number = int(raw)
        if isinstance(number, bool) or not isinstance(number, int):
            raise FieldError("not a whole number", raw, self.allowed)
        if not self.low <= number <= self.high:
            raise FieldError("out of range", raw, self.allowed)
        return number

    def _read_text(self, raw: object) -> str:
        text = str(raw).strip() if isinstance(raw, str | int) and not isinstance(raw, bool) else ""
        if self.choices:
            text = ",".join(part.strip() for part in text.split(","))  # a list, as Kafka reads it
        if self.before_duration and text.startswith(self.before_duration):
            parse_iso_duration(text.removeprefix(self.before_duration))
            return text
        if self.form:
            text = re.sub(r"\s", "", text)
        is_wrong = self.choices and text not in self.choices or self.form and not re.fullmatch(self.form, text)
        if isinstance(raw, bool) or is_wrong:
            raise FieldError(
                "not a value of this key",
                raw,
                self.allowed,
                nearest(text, self.choices),
            )
        return text


def _ms(name: str, default: int, low: int = 0, high: int = INT_MAX, dynamic: bool = False) -> ConfigKey:
    return ConfigKey(name, default, low, high, "ms", dynamic=dynamic)


def _s(name: str, default: int) -> ConfigKey:
    return ConfigKey(name, default, 1, unit="s")


def _factor(name: str, default: int) -> ConfigKey:
    """A replication factor; -1: the default of the cluster's brokers."""
    return ConfigKey(name, default, -1, 32_767)


def _throttled_rate(name: str) -> ConfigKey:
    return ConfigKey(name, LONG_MAX, 0, LONG_MAX, "B", dynamic=True)


def _throttled_replicas(name: str) -> ConfigKey:
    """`ThrottledReplicaListValidator`: all replicas, none, or some as partition:broker."""
    return ConfigKey(name, "", form=r"(\*|none|\d+:\d+(,\d+:\d+)*)?", said=THROTTLED_FORMS, dynamic=True)


def _by_name(*keys: ConfigKey) -> dict[str, ConfigKey]:
    return {key.name: key for key in keys}


_MIN_ISR: Final = ConfigKey("min.insync.replicas", 1, 1, dynamic=True)
_UNCLEAN: Final = ConfigKey("unclean.leader.election.enable", default=False, dynamic=True)

_BROKER_KEYS: Final = _by_name(
    _MIN_ISR,
    _UNCLEAN,
    ConfigKey("log.flush.interval.messages", LONG_MAX, 1, LONG_MAX, dynamic=True),
    _ms("broker.heartbeat.interval.ms", 2_000, 1),
    _ms("broker.session.timeout.ms", 9_000, 1),
    _ms("initial.broker.registration.timeout.ms", 60_000, 1),
    _ms("replica.lag.time.max.ms", 30_000, 1),
    _ms("replica.fetch.wait.max.ms", 500),
    _ms("replica.fetch.backoff.ms", 1_000),
    ConfigKey("num.replica.fetchers", 1, 1, 1),
    _ms("replica.socket.timeout.ms", 30_000, 1),
    _ms("replica.high.watermark.checkpoint.interval.ms", 5_000, 1),
    _ms("unclean.leader.election.interval.ms", 300_000, 1),
    ConfigKey("auto.leader.rebalance.enable", default=True),
    ConfigKey("leader.imbalance.check.interval.seconds", 300, 1, unit="s"),
    ConfigKey("controlled.shutdown.enable", default=True),
    ConfigKey("replica.selector.class", ""),
    _ms("controller.quorum.fetch.timeout.ms", 2_000, 1),
    _ms("controller.quorum.append.linger.ms", 25),
    _ms("controller.socket.timeout.ms", 30_000, 1),
    _ms("request.timeout.ms", 30_000, 1),
    ConfigKey("offsets.topic.replication.factor", 3, 1, 32_767),
    _ms("group.initial.rebalance.delay.ms", 3_000),
    ConfigKey("offsets.retention.minutes", 10_080, 1),
    _ms("offsets.retention.check.interval.ms", 600_000, 1, LONG_MAX),
    ConfigKey("log.retention.ms", 604_800_000, -1, LONG_MAX, "ms", instead="log.retention.minutes"),
    ConfigKey("log.retention.minutes", 10_080, -1, instead="log.retention.hours"),
    ConfigKey("log.retention.hours", 168, -1),
    ConfigKey("log.retention.bytes", -1, -1, LONG_MAX, "B"),
    ConfigKey("log.segment.bytes", 1_073_741_824, 14, unit="B"),
    ConfigKey("log.roll.ms", 604_800_000, 1, LONG_MAX, "ms", instead="log.roll.hours"),
    ConfigKey("log.roll.hours", 168, 1),
    _ms("log.retention.check.interval.ms", 300_000, 1, LONG_MAX),
    ConfigKey("log.cleanup.policy", "delete", choices=CLEANUP_POLICIES),
    _ms("log.initial.task.delay.ms", 30_000, 0, LONG_MAX),
    _throttled_rate(LEADER_RATE),
    _throttled_rate(FOLLOWER_RATE),
)

_TOPIC_KEYS: Final = _by_name(
    _MIN_ISR,
    _UNCLEAN,
    ConfigKey("flush.messages", LONG_MAX, 1, LONG_MAX, dynamic=True),
    _ms("retention.ms", 604_800_000, -1, LONG_MAX, dynamic=True),
    ConfigKey("retention.bytes", -1, -1, LONG_MAX, "B", dynamic=True),
    _ms("segment.ms", 604_800_000, 1, LONG_MAX, dynamic=True),
    ConfigKey("segment.bytes", 1_073_741_824, 14, unit="B", dynamic=True),
    ConfigKey("cleanup.policy", "delete", choices=CLEANUP_POLICIES, dynamic=True),
    _throttled_replicas(LEADERS_THROTTLED),
    _throttled_replicas(FOLLOWERS_THROTTLED),
)

_PRODUCER_KEYS: Final = _by_name(
    ConfigKey("acks", "all", choices=("0", "1", "all", "-1")),
    ConfigKey("enable.idempotence", default=True),
    _ms("linger.ms", 5),
    ConfigKey("batch.size", 16_384, 0, unit="B"),
    ConfigKey("max.in.flight.requests.per.connection", 5, 1),
    ConfigKey("retries", INT_MAX, 0),
    _ms("retry.backoff.ms", 100),
    _ms("retry.backoff.max.ms", 1_000),
    _ms("request.timeout.ms", 30_000, 1),
    _ms("delivery.timeout.ms", 120_000, 1),
    _ms("metadata.max.age.ms", 300_000),
    _ms("max.block.ms", 60_000),
)

_CONSUMER_KEYS: Final = _by_name(
    ConfigKey("auto.offset.reset", "latest", choices=("latest", "earliest", "none"), before_duration="by_duration:"),
    ConfigKey(
        "isolation.level",
        "read_uncommitted",
        choices=("read_uncommitted", "read_committed"),
    ),
    ConfigKey("enable.auto.commit", default=True),
    _ms("auto.commit.interval.ms", 5_000),
    _ms("fetch.max.wait.ms", 500),
    _ms("session.timeout.ms", 45_000, 1),
    _ms("heartbeat.interval.ms", 3_000, 1),
    _ms("max.poll.interval.ms", 300_000, 1),
    _ms("request.timeout.ms", 30_000, 1),
    _ms("retry.backoff.ms", 100),
    _ms("retry.backoff.max.ms", 1_000),
    _ms("metadata.max.age.ms", 300_000),
)

# Defaults of MirrorMaker 4.2 (MirrorSourceConfig, MirrorCheckpointConfig, MirrorHeartbeatConfig, DistributedConfig).
_MIRROR_KEYS: Final = _by_name(
    ConfigKey("topics", ".*"),
    ConfigKey("topics.exclude", r"mm2.*\.internal, .*\.replica, __.*"),
    ConfigKey("groups", ".*"),
    ConfigKey("groups.exclude", "console-consumer-.*, connect-.*, __.*"),
    ConfigKey(
        "config.properties.exclude",
        r"follower\.replication\.throttled\.replicas, leader\.replication\.throttled\.replicas, "
        r"message\.timestamp\.difference\.max\.ms, message\.timestamp\.type, "
        r"unclean\.leader\.election\.enable, min\.insync\.replicas",
    ),
    ConfigKey("replication.policy.class", DEFAULT_POLICY, choices=(DEFAULT_POLICY, IDENTITY_POLICY)),
    ConfigKey("replication.policy.separator", "."),
    ConfigKey("replication.policy.internal.topic.separator.enabled", default=True),
    ConfigKey("emit.checkpoints.enabled", default=True),
    _s("emit.checkpoints.interval.seconds", 60),
    ConfigKey("sync.group.offsets.enabled", default=False),
    _s("sync.group.offsets.interval.seconds", 60),
    ConfigKey("refresh.topics.enabled", default=True),
    _s("refresh.topics.interval.seconds", 600),
    ConfigKey("refresh.groups.enabled", default=True),
    _s("refresh.groups.interval.seconds", 600),
    ConfigKey("sync.topic.configs.enabled", default=True),
    _s("sync.topic.configs.interval.seconds", 600),
    ConfigKey("emit.heartbeats.enabled", default=True),
    _s("emit.heartbeats.interval.seconds", 1),
    ConfigKey("emit.offset-syncs.enabled", default=True),
    ConfigKey("offset.lag.max", 100, 0, LONG_MAX),
    ConfigKey("offset-syncs.topic.location", "source", choices=("source", "target")),
    _factor("replication.factor", 2),
    _factor("offset-syncs.topic.replication.factor", 3),
    _factor("checkpoints.topic.replication.factor", 3),
    _factor("heartbeats.topic.replication.factor", 3),
    _factor("offset.storage.replication.factor", 3),
    ConfigKey("tasks.max", 1, 1),
    _ms("offset.flush.interval.ms", 60_000, 1),
    _ms("offset.flush.timeout.ms", 5_000, 1),
    _ms("task.shutdown.graceful.timeout.ms", 5_000),
    _ms("session.timeout.ms", 10_000, 1),
    _ms("heartbeat.interval.ms", 3_000, 1),
    _ms("scheduled.rebalance.max.delay.ms", 300_000),
)

SIMULATED: Final[dict[str, dict[str, ConfigKey]]] = {
    BROKER: _BROKER_KEYS,
    TOPIC: _TOPIC_KEYS,
    PRODUCER: _PRODUCER_KEYS,
    CONSUMER: _CONSUMER_KEYS,
    MIRROR: _MIRROR_KEYS,
}


def read(scope: str, name: str, raw: object) -> Value:
    """The value of key `name` in Kafka's type and unit; known keys without effect pass. Raises FieldError."""
    key = SIMULATED[scope].get(name)
    if key is not None:
        return key.read(raw)
    if name in KNOWN[scope]:
        return _plain(raw)
    raise _unknown(scope, name)


def is_ignored(scope: str, name: str) -> bool:
    """True if `name` is a Kafka key that has no effect in the simulation."""
    return name not in SIMULATED[scope]


def _plain(raw: object) -> Value:
    if isinstance(raw, float):
        return repr(raw)
    if isinstance(raw, int | str):
        return raw
    raise FieldError("not a single value", raw, "a number, a text, true or false")


def _unknown(scope: str, name: str) -> FieldError:
    names = (*SIMULATED[scope], *KNOWN[scope])
    near = nearest(name, names)
    if not near:
        elsewhere = [other for other in SCOPES if name in SIMULATED[other] or name in KNOWN[other]]
        if elsewhere:
            return FieldError(f"this is a key of a {elsewhere[0]}, not of a {scope}", name)
    allowed = "" if near else f"the configuration keys of a Kafka {scope}"
    return FieldError(f"unknown {scope} key", name, allowed, near)
