"""The keys of MirrorMaker 2 by the part that reads them: one of three connectors, or the Connect worker."""

from typing import Final

from simengine.importers.values import as_property
from simengine.scenario.config_keys import IDENTITY_POLICY, MIRROR, SIMULATED
from simengine.scenario.config_known import KNOWN
from simengine.scenario.near import nearest
from simengine.scenario.problems import FieldError

SOURCE: Final = "sourceConnector"
CHECKPOINT: Final = "checkpointConnector"
HEARTBEAT: Final = "heartbeatConnector"
WORKER: Final = "worker"
CONNECTORS: Final = (SOURCE, CHECKPOINT, HEARTBEAT)

_SOURCE: Final = (
    "topics",
    "topics.exclude",
    "topic.filter.class",
    "config.properties.exclude",
    "config.property.filter.class",
    "use.defaults.from",
    "refresh.topics.",
    "sync.topic.",
    "emit.offset-syncs.",
    "offset.lag.max",
    "offset-syncs.topic.",
    "replication.factor",
    "heartbeats.replication.enabled",
)
_CHECKPOINT: Final = (
    "topics",
    "topics.exclude",
    "topic.filter.class",
    "groups",
    "groups.exclude",
    "group.filter.class",
    "refresh.groups.",
    "emit.checkpoints.",
    "sync.group.offsets.",
    "checkpoints.topic.",
    "emit.offset-syncs.",
    "offset-syncs.topic.location",
)
_HEARTBEAT: Final = ("emit.heartbeats.", "heartbeats.topic.")
_WORKER: Final = (
    "offset.flush.",
    "task.shutdown.graceful.timeout.ms",
    "session.timeout.ms",
    "heartbeat.interval.ms",
    "rebalance.timeout.ms",
    "scheduled.rebalance.max.delay.ms",
    "worker.",
    "offset.storage.",
    "config.storage.",
    "status.storage.",
    "group.id",
    "plugin.",
    "connect.protocol",
    "exactly.once.source.support",
    "topic.creation.enable",
    "topic.tracking.",
)
_READ: Final = ((SOURCE, _SOURCE), (CHECKPOINT, _CHECKPOINT), (HEARTBEAT, _HEARTBEAT), (WORKER, _WORKER))
_CONNECTION: Final = ("bootstrap.servers", "security.", "sasl.", "ssl.", "client.", "config.providers", "metric")
_CLIENTS: Final = ("producer.", "consumer.", "admin.", "source.", "target.", "offset-syncs-", "checkpoints-target-")
_SOURCE_CONSUMER: Final = ("consumer.", "source.consumer.")  # the consumer of the source tasks; the second wins
_TRANSACTIONS: Final = "changes nothing here: no producer of a run writes transactions"
_RESET: Final = "not simulated: a flow without stored offsets copies from the earliest record here"
_CONSUMER_VALUES: Final = {
    "auto.offset.reset": {
        "earliest": "",
        "latest": f"{_RESET}; with latest it would leave out what was written before",
        "none": f"{_RESET}; with none its tasks would fail",
    },
    "isolation.level": {"read_uncommitted": "", "read_committed": _TRANSACTIONS},
}  # of the consumer of the source tasks: why a value is not taken over, "" for what the simulation does
_OLD_NAMES: Final = {
    "topics.blacklist": "topics.exclude",
    "groups.blacklist": "groups.exclude",
    "config.properties.blacklist": "config.properties.exclude",
}  # before Kafka 2.7; gone since 4.0
_PACKAGE: Final = "org.apache.kafka.connect.mirror"
_ONLY: Final = {
    "topic.filter.class": f"{_PACKAGE}.DefaultTopicFilter",
    "group.filter.class": f"{_PACKAGE}.DefaultGroupFilter",
    "config.property.filter.class": f"{_PACKAGE}.DefaultConfigPropertyFilter",
    "exactly.once.source.support": "disabled",
    "exactly.once.support": "requested",
    "use.defaults.from": "target",
}  # keys of which one value is simulated, and which change much with another
_LIKE_KAFKAS: Final = {
    "io.strimzi.kafka.connect.mirror.IdentityReplicationPolicy": IDENTITY_POLICY,
    "com.amazonaws.kafka.samples.CustomMM2ReplicationPolicy": IDENTITY_POLICY,
}  # classes of others that do what one of Kafka's does
_PLACEHOLDERS: Final = ("${", "{{")


def canonical(key: str) -> str:
    """The key's name of today."""
    return _OLD_NAMES.get(key, key)


def readers(key: str) -> list[str]:
    """The parts of MirrorMaker that read a key; the keys of Connect itself are read by all connectors."""
    found = [who for who, keys in _READ if any(_is_of(key, one) for one in keys)]
    return found or list(CONNECTORS)


def _is_of(key: str, one: str) -> bool:
    """True if the key is `one`, or one of the family that `one` begins."""
    return key == one or one.endswith((".", "-")) and key.startswith(one)


def is_of_worker(key: str) -> bool:
    """True if the Connect worker reads the key, and no connector."""
    return readers(key) == [WORKER]


def is_known(key: str) -> bool:
    """True if MirrorMaker or its Connect worker has such a key."""
    return key in SIMULATED[MIRROR] or key in KNOWN[MIRROR]


def is_of_clients(key: str) -> bool:
    """True if it is a setting of the producers, consumers and admin clients that MirrorMaker runs."""
    return key.startswith(_CLIENTS) and not is_known(key)


def is_of_source_consumer(key: str) -> bool:
    """True if it is a setting of the consumer that reads the source's records."""
    return key.startswith(_SOURCE_CONSUMER) and not is_known(key)


def is_connection(key: str) -> bool:
    """True if it only says how clients reach a cluster; a simulated one is always reached."""
    return key.startswith(_CONNECTION)


def why_strange(key: str, value: str) -> str:
    """The reason why a key is unknown to the simulation; "" if it is known, or changes nothing anyhow."""
    if is_connection(key) or is_known(key):
        return ""
    if is_of_source_consumer(key):
        reason = _CONSUMER_VALUES.get(key.rpartition("consumer.")[2], {}).get(value.lower())
        if reason is not None:
            return reason
    if is_of_clients(key):
        return "a setting of MirrorMaker's own clients, which is not simulated"
    near = nearest(key, (*SIMULATED[MIRROR], *KNOWN[MIRROR]))
    return f"unknown key; did you mean {near}?" if near else "no key of MirrorMaker 2"


def why_wrong(key: str, value: str) -> str:
    """The reason why the value of a known key is not taken over, and what holds instead; "" if it is."""
    if any(mark in value for mark in _PLACEHOLDERS):
        return f"a placeholder that is not filled in; {default_holds(key)}"
    if key in _ONLY:
        return "" if value.lower() == _ONLY[key].lower() else f"not simulated; {_ONLY[key]} holds"
    if key not in SIMULATED[MIRROR]:
        return ""
    try:
        SIMULATED[MIRROR][key].read(as_kafkas(value))
    except FieldError as wrong:
        return f"{wrong.message}. Allowed: {wrong.allowed}; {default_holds(key)}"
    return ""


def as_kafkas(value: str) -> str:
    """The value, or the class of Kafka's own that does the same."""
    return _LIKE_KAFKAS.get(value, value)


def default_holds(key: str) -> str:
    """The clause that names MirrorMaker's default of a key."""
    known = SIMULATED[MIRROR].get(key)
    return "the default holds" if known is None else f"the default {as_property(known.default)} holds"
