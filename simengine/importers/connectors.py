"""The connectors of one flow, each with a config of its own, as in Strimzi's resource and Connect's REST interface.

Without a checkpoint connector no position is translated; without a heartbeat connector there are no heartbeats.
"""

from typing import Final

from simengine.importers.evidence import PastedValue
from simengine.importers.mirror_keys import CHECKPOINT, CONNECTORS, HEARTBEAT, SOURCE, is_of_source_consumer
from simengine.importers.mirrors import Mirrors, PastedFlow
from simengine.scenario.config_keys import MIRROR, SIMULATED

_SWITCHES: Final = {
    CHECKPOINT: ("emit.checkpoints.enabled", "sync.group.offsets.enabled"),
    HEARTBEAT: ("emit.heartbeats.enabled",),
}  # what is off without the connector
_ALIKE: Final = ("replication.policy.class", "replication.policy.separator", "offset-syncs.topic.location")

Configs = dict[str, dict[str, PastedValue]]


def take(found: Mirrors, flow: PastedFlow, configs: Configs) -> None:
    """Give a flow the settings of its connectors. What several of them read is the source connector's."""
    for name in reversed(CONNECTORS):
        for key in _SWITCHES.get(name, ()) if name not in configs else ():
            flow.config[key] = PastedValue("false", 0, f"{found.label} without a {name}")
        for key, said in configs.get(name, {}).items():
            if name != SOURCE and is_of_source_consumer(key):
                found.leave(said, f"{key} = {said.value}", f"no effect in the {name}: it belongs to {SOURCE}")
            else:
                found.take(flow, key, said)
    if CHECKPOINT in configs:
        _compare(found, configs)


def _compare(found: Mirrors, configs: Configs) -> None:
    """Warn where the source and the checkpoint connector disagree on the names of topics."""
    for key in _ALIKE:
        default = PastedValue(str(SIMULATED[MIRROR][key].default), 0, found.label)
        mine, other = (configs[name].get(key, default) for name in (SOURCE, CHECKPOINT))
        if mine.value != other.value:
            found.warn(
                f"{key} is {mine.value} for the {SOURCE} and {other.value} for the {CHECKPOINT}: positions would "
                "be translated for topics of other names. Both are read as the first."
            )
