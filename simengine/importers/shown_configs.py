"""The configs that ``kafka-topics.sh --describe`` prints behind ``Configs:``: every key that is set anywhere.

That is the topic's own value, else what is set for the broker that answers, for all brokers, or in server properties
under the server's name of the key; only what is nowhere set is left out. With ELR on, min.insync.replicas is always
set for all brokers (ELR-7). Leaves out: server keys in hours or minutes that stand in for one in milliseconds.
"""

from collections.abc import Mapping
from typing import Any, Final

from simengine.importers.values import as_property
from simengine.scenario.config_keys import BROKER, SIMULATED, TOPIC
from simengine.scenario.config_known import KNOWN
from simengine.scenario.model import Document

MIN_ISR: Final = "min.insync.replicas"
ALL_BROKERS: Final = ""
_LIKE_SERVER: Final = (
    MIN_ISR,
    "unclean.leader.election.enable",
    "compression.type",
    "compression.gzip.level",
    "compression.lz4.level",
    "compression.zstd.level",
)
_CLEANER: Final = ("delete.retention.ms", "min.compaction.lag.ms", "max.compaction.lag.ms")
_OTHER_NAMES: Final = {
    "segment.ms": "log.roll.ms",
    "segment.jitter.ms": "log.roll.jitter.ms",
    "segment.index.bytes": "log.index.size.max.bytes",
    "flush.messages": "log.flush.interval.messages",
    "flush.ms": "log.flush.interval.ms",
    "max.message.bytes": "message.max.bytes",
    "file.delete.delay.ms": "log.segment.delete.delay.ms",
    "min.cleanable.dirty.ratio": "log.cleaner.min.cleanable.ratio",
}


def _server_names() -> dict[str, str]:
    """The server property that stands in for each key of a topic, where there is one."""
    topic_keys = sorted((*SIMULATED[TOPIC], *KNOWN[TOPIC]))
    names = {key: f"log.cleaner.{key}" if key in _CLEANER else f"log.{key}" for key in topic_keys}
    names |= {key: key for key in _LIKE_SERVER} | _OTHER_NAMES
    server_keys = {*SIMULATED[BROKER], *KNOWN[BROKER]}
    return {key: name for key, name in names.items() if name in server_keys}


SERVER_NAMES: Final = _server_names()


def shown_configs(document: Document, view: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, str]:
    """Keys and values of a topic, by key. ``own``: what is set for the topic itself."""
    shared = {topic_key: value for topic_key, value in _of_brokers(document, view).items() if topic_key not in own}
    return {key: as_property(value) for key, value in sorted((shared | dict(own)).items())}


def _of_brokers(document: Document, view: Mapping[str, Any]) -> dict[str, Any]:
    """The values that hold for topics that do not set them, as the broker that responds knows them."""
    answering = _answering(view)
    own = next((broker.config for broker in document.brokers if str(broker.id) == answering), {})
    layers = [document.config | own, *(view["broker_configs"].get(name, {}) for name in (ALL_BROKERS, answering))]
    if document.elr:
        default = SIMULATED[BROKER][MIN_ISR].default
        layers.insert(1, {MIN_ISR: document.config.get(MIN_ISR, default)})
    found: dict[str, Any] = {}
    for layer in layers:
        found |= {key: layer[name] for key, name in SERVER_NAMES.items() if name in layer}
    return found


def _answering(view: Mapping[str, Any]) -> str:
    """The broker that is asked: of those that run, the one with the lowest id (Kafka's tool takes any)."""
    brokers: Mapping[str, Any] = view["brokers"]
    running = [broker for broker, state in brokers.items() if state["process"] == "running"]
    return min(running or brokers, key=int, default="")
