"""Kafka keys of a document that would change a real cluster's run, and change nothing here: told beside every answer.

Keys of sizes, security and names change nothing that is simulated; ``check`` alone lists them.
"""

from typing import Final

from simengine.scenario.actions import is_emptied
from simengine.scenario.config_keys import THROTTLES
from simengine.scenario.config_known import KNOWN
from simengine.scenario.model import Document
from simengine.scenario.parts import parts_of
from simengine.scenario.settings import ignored_values

TOLD: Final = (
    "group.protocol",
    "group.coordinator.rebalance.protocols",
    "group.remote.assignor",
    "partition.assignment.strategy",
    "group.instance.id",
    "transactional.id",
    "transaction.timeout.ms",
    "transaction.max.timeout.ms",
    "buffer.memory",
    "log.flush.interval.ms",
    "flush.ms",
    "remote.storage.enable",
    "remote.log.storage.system.enable",
)
CONTROLLER_DISK: Final = "the loss of a controller's disk is not simulated"
WITHOUT_SIZES: Final = "the document does not tell how large its logs are"
DEFAULTS: Final = {"group.protocol": "classic"}  # a value that is so here too

KEYS_MAX: Final = 3  # of one effect that are named


def not_simulated(doc: Document) -> list[str]:
    """A line for each effect that is missing: the keys that ask for it, and what holds instead."""
    by_effect: dict[str, dict[str, bool]] = {}
    for part in parts_of(doc).values():
        for _, key, value in ignored_values(part):
            if key in TOLD and value != DEFAULTS.get(key):
                by_effect.setdefault(_reason_of(key), {})[key] = True
        if part.basis is None or part.basis.log_mb is None or part.basis.copy_mb_per_s is None:
            held = (part.config, *(one.config for one in part.brokers), *(one.config for one in part.topics))
            for key in THROTTLES:
                if any(key in config for config in held):
                    by_effect.setdefault(WITHOUT_SIZES, {})[key] = True
    told = [f"without effect here: {_names(list(keys))} ({effect})" for effect, keys in by_effect.items()]
    return told + _kept_metadata(doc)


def _kept_metadata(doc: Document) -> list[str]:
    """A line for each start of a broker with an empty disk while a controller in its process keeps its log (QUO-10)."""
    lines: dict[str, bool] = {}
    for name, part in parts_of(doc).items():
        own = f"{name}/" if name else ""
        hosts = {f"{own}{one.broker}": one.id for one in part.controllers if one.broker is not None}
        for action in (entry.action for entry in doc.timeline):
            host = action.args[0] if is_emptied(*action) else ""
            if host in hosts:
                kept = f"controller {hosts[host]} in its process keeps its metadata log"
                lines[f"{action}: {kept} ({CONTROLLER_DISK})"] = True
    return list(lines)


def _reason_of(key: str) -> str:
    return next(reasons[key] for reasons in KNOWN.values() if key in reasons)


def _names(keys: list[str]) -> str:
    more = len(keys) - KEYS_MAX
    return ", ".join(keys[:KEYS_MAX]) + (f" and {more} more" if more > 0 else "")
