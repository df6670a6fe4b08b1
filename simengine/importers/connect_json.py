"""Reads the connectors of MirrorMaker as Connect's REST interface has them: JSON with ``name`` and ``config``.

Also a config alone (``PUT /connectors/…/config``), several of either, and what ``GET /connectors?expand=info`` answers.
The connectors between two clusters are one flow. The configuration of their Connect worker stands elsewhere.
"""

import re
from collections.abc import Iterator
from typing import Any, Final

from simengine.importers import connectors, limits
from simengine.importers.connectors import Configs
from simengine.importers.evidence import PastedValue
from simengine.importers.jsontext import placed_values
from simengine.importers.mirror_keys import (
    CHECKPOINT,
    HEARTBEAT,
    SOURCE,
    WORKER,
    canonical,
    is_known,
    readers,
)
from simengine.importers.mirrors import Mirrors, PastedFlow
from simengine.importers.text import Paste
from simengine.importers.values import as_property

LABEL: Final = "connectors of MirrorMaker, as Connect's REST interface has them"
CLASS: Final = "connector.class"
_CLASSES: Final = {
    "MirrorSourceConnector": SOURCE,
    "MirrorCheckpointConnector": CHECKPOINT,
    "MirrorHeartbeatConnector": HEARTBEAT,
}
_ALIASES: Final = ("source.cluster.alias", "target.cluster.alias")
_OF_CONNECT: Final = (
    "name",
    CLASS,
    "source.cluster.",
    "target.cluster.",
    "key.converter",
    "value.converter",
    "header.",
)
_KEY: Final = re.compile(r'"([^"\n]{1,200})"\s{0,9}:')
DEPTH_MAX: Final = 4  # a list of answers, each with an info that has a config

Plain = dict[str, Any]


def read(paste: Paste) -> Mirrors | None:
    """The flows; None if no JSON of the paste is a connector of MirrorMaker."""
    text = paste.joined()
    if CLASS not in text:
        return None
    found = Mirrors(LABEL)
    by_flow: dict[tuple[str, str], Configs] = {}
    for one in placed_values(text, paste):
        lines = _lines(text, one.start)
        for config in _configs(one.value, DEPTH_MAX):
            _take_in(found, by_flow, config, lines)
    settings = sum(len(config) for configs in by_flow.values() for config in configs.values())
    if not by_flow and not found.unread:
        return None
    if settings > limits.SETTINGS_MAX or len(by_flow) > limits.MIRRORED_MAX:
        found.rejected = f"The paste has {len(by_flow):,} flows with {settings:,} settings; the limits are "
        found.rejected += f"{limits.MIRRORED_MAX:,} and {limits.SETTINGS_MAX:,}."
        return found
    _add_flows(found, by_flow)
    return found


def _configs(value: Any, depth: int) -> Iterator[Plain]:
    """Every config in a value that is of a connector of MirrorMaker."""
    if isinstance(value, dict) and str(value.get(CLASS)).rpartition(".")[2] in _CLASSES:
        yield value
    elif depth and isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _configs(part, depth - 1)


def _lines(text: str, start: int) -> dict[str, int]:
    """The line of each key, counted from 1: the first after the beginning of a value."""
    found: dict[str, int] = {}
    line, at = text.count("\n", 0, start) + 1, start
    for match in _KEY.finditer(text, start):
        line, at = line + text.count("\n", at, match.start()), match.start()
        found.setdefault(match[1], line)
    return found


def _take_in(found: Mirrors, by_flow: dict[tuple[str, str], Configs], config: Plain, lines: dict[str, int]) -> None:
    """Add the config of one connector to those of its flow."""
    connector = _CLASSES[str(config[CLASS]).rpartition(".")[2]]
    source, target = (str(config.get(alias, "")) for alias in _ALIASES)
    if not source or not target:
        place = PastedValue("", lines.get(CLASS, 0), LABEL)
        found.leave(place, f"{CLASS}: {config[CLASS]}", f"names no flow. Needed: {' and '.join(_ALIASES)}")
        return
    kept = by_flow.setdefault((source, target), {}).setdefault(connector, {})
    for name, value in config.items():
        said = PastedValue(as_property(value), lines.get(name, 0), LABEL)
        key, who = canonical(name), readers(canonical(name))
        if key.startswith(_OF_CONNECT):
            continue
        if is_known(key) and connector not in who:
            home = "the Connect worker" if who == [WORKER] else " and ".join(who)
            found.leave(said, f"{name}: {said.value}", f"no effect in the {connector}: it belongs to {home}")
        else:
            kept[key] = said


def _add_flows(found: Mirrors, by_flow: dict[tuple[str, str], Configs]) -> None:
    for (source, target), configs in by_flow.items():
        found.clusters += [name for name in (source, target) if name not in found.clusters]
        flow = PastedFlow(source, target)
        if SOURCE not in configs:
            found.leave(PastedValue("", 0, LABEL), flow.name, "copies nothing: it has no MirrorSourceConnector")
            continue
        found.flows.append(flow)
        connectors.take(found, flow, configs)
        if CHECKPOINT not in configs:
            found.warn(f"No MirrorCheckpointConnector of {flow.name} stands in the paste: no position is translated.")
    if not found.flows:
        found.rejected = "No MirrorSourceConnector stands in the paste, so nothing is copied."
