"""Reads MirrorMaker's own properties file (``connect-mirror-maker.sh mm2.properties``), as MirrorMakerConfig does.

A key stands alone, under a cluster's name (``west.offset.flush.interval.ms``) or under a flow's
(``east->west.topics``). The connectors read keys that stand alone, then those of their flow; the Connect worker reads
those of the target, then a few families that stand alone.
"""

import re
from typing import Final

from simengine.importers import limits
from simengine.importers.evidence import PastedValue
from simengine.importers.mirror_keys import (
    canonical,
    is_connection,
    is_known,
    is_of_clients,
    is_of_source_consumer,
    is_of_worker,
    why_strange,
)
from simengine.importers.mirrors import FLOW, Mirrors, PastedFlow
from simengine.importers.noise import why_noise
from simengine.importers.properties import KEY, logical_lines, unescaped
from simengine.importers.text import Paste

LABEL: Final = "a properties file of MirrorMaker 2"
_ENABLED: Final = ".enabled"
_ALONE: Final = ("offset.storage", "config.storage", "status.storage", "task", "worker")  # the worker reads these
_LOST: Final = re.compile(r"(?<!\\)\\[.\-*+?()\[\]]")


def read(paste: Paste) -> Mirrors | None:
    """The flows; None if no line names a flow and none lists several clusters."""
    settings = _settings(paste)
    listed = settings.get("clusters")
    if not any(FLOW in key for key in settings) and (listed is None or "," not in listed.value):
        return None
    found = Mirrors(LABEL, _clusters(settings))
    if listed is None:
        found.warn("No line lists the clusters: they are taken from the names of the flows.")
    for what, number, most in (
        ("clusters", len(found.clusters), limits.MIRRORED_MAX),
        ("settings", len(settings), limits.SETTINGS_MAX),
    ):
        if number > most:
            found.rejected = f"The file has {number:,} {what}; the limit is {most:,}."
            return found
    _Reader(settings, found).read()
    _doubt_lines(paste, found)
    found.unread.sort(key=lambda unread: unread.line)
    return found


class _Reader:
    """Shares the settings of one file out among its flows."""

    def __init__(self, settings: dict[str, PastedValue], found: Mirrors) -> None:
        self.settings = settings
        self.found = found
        self.all = [PastedFlow(one, two) for one in found.clusters for two in found.clusters if one != two]
        self.pairs = [flow.name for flow in self.all]

    def read(self) -> None:
        self.found.flows = [flow for flow in self.all if self._is_enabled(flow.name)]
        for flow in self.found.flows:
            self._fill(flow)
        for key, said in self.settings.items():
            reason = (
                "" if key == "clusters" or key.endswith(_ENABLED) and FLOW in key else self._why_idle(key, said.value)
            )
            if reason:
                self.found.leave(said, f"{key} = {said.value}", reason)
        if not self.found.flows:
            example = f"{self.pairs[0] if self.pairs else 'east->west'}{_ENABLED} = true"
            self.found.rejected = f"No flow is enabled, and MirrorMaker does not start without one: add {example}."

    def _is_enabled(self, flow: str) -> bool:
        said = self.settings.get(f"{flow}{_ENABLED}")
        if said is not None and said.value.lower() not in ("true", "false"):
            self.found.leave(said, f"{flow}{_ENABLED} = {said.value}", "not a boolean. Allowed: true, false; it is off")
        return said is not None and said.value.lower() == "true"

    def _fill(self, flow: PastedFlow) -> None:
        """Take what holds for a flow. Later layers count before earlier ones."""
        own = self._under(f"{flow.name}.")
        for layer in (self.settings, own):
            for name, said in layer.items():
                key = canonical(name)
                is_old = key != name and key in layer
                if is_known(key) and not is_of_worker(key) and not is_old:
                    self.found.take(flow, key, said)
        alone = {key: said for key, said in self.settings.items() if key.startswith(_ALONE)}
        for layer in (self._under(f"{flow.target}."), alone):
            for key, said in layer.items():
                if is_known(key) and is_of_worker(key):
                    self.found.take(flow, key, said)

    def _under(self, prefix: str) -> dict[str, PastedValue]:
        return {key[len(prefix) :]: said for key, said in self.settings.items() if key.startswith(prefix)}

    def _why_idle(self, key: str, value: str) -> str:
        """The reason why a setting changes nothing in any flow; "" if it may, or if nobody would expect it to."""
        if FLOW in key:
            return self._why_idle_of_flow(key, value)
        cluster = next((name for name in self.found.clusters if key.startswith(f"{name}.")), None)
        if cluster is not None:
            return self._why_idle_of_cluster(cluster, canonical(key[len(cluster) + 1 :]), value)
        if is_of_source_consumer(key):
            source = self.found.flows[0].source if self.found.flows else "east"
            own = f"{source}.{key.removeprefix('source.')}"
            return f"no effect here: MirrorMaker reads it only under the name of the source, as {own}"
        target = self.found.flows[0].target if self.found.flows else "west"
        if is_of_clients(key) or is_known(key) and is_of_worker(key) and not key.startswith(_ALONE):
            return f"no effect here: MirrorMaker reads it only under a cluster's name, as {target}.{key}"
        return why_strange(canonical(key), value)

    def _why_idle_of_flow(self, key: str, value: str) -> str:
        flow = next((pair for pair in self.pairs if key.startswith(f"{pair}.")), None)
        if flow is None:
            return f"names no two of the clusters {', '.join(self.found.clusters)}"
        name = canonical(key[len(flow) + 1 :])
        if is_known(name) and is_of_worker(name):
            target = flow.partition(FLOW)[2]
            return f"no effect here: the Connect worker reads it only under the target's name, as {target}.{name}"
        is_spoken_of = f"{flow}{_ENABLED}" in self.settings
        return why_strange(name, value) or (
            "" if is_spoken_of else f"{flow} is not enabled: add {flow}{_ENABLED} = true"
        )

    def _why_idle_of_cluster(self, cluster: str, name: str, value: str) -> str:
        is_source = any(flow.source == cluster for flow in self.found.flows)
        if is_of_source_consumer(name) and not is_source:
            return f"no effect: only flows from {cluster} read it, and none is enabled"
        if is_connection(name) or not is_known(name):
            return why_strange(name, value)
        if not is_of_worker(name):
            return f"no effect here: the connectors read it alone, as {name}, or under a flow's name"
        is_target = any(flow.target == cluster for flow in self.found.flows)
        return "" if is_target else f"no effect: only flows into {cluster} read it, and none is enabled"


def _clusters(settings: dict[str, PastedValue]) -> list[str]:
    """The aliases of the line ``clusters``; without one, those that the flows name."""
    if "clusters" in settings:
        return list(dict.fromkeys(name.strip() for name in settings["clusters"].value.split(",") if name.strip()))
    pairs = [key.partition(FLOW) for key in settings if FLOW in key]
    return list(dict.fromkeys(name for source, _, rest in pairs for name in (source, rest.partition(".")[0]) if name))


def _settings(paste: Paste) -> dict[str, PastedValue]:
    """Key and value of each line; of two with one key the last counts."""
    found: dict[str, PastedValue] = {}
    for line in logical_lines(paste.lines):
        match = KEY.fullmatch(line.text)
        if match:
            found[unescaped(match[1])] = PastedValue(unescaped(match[2]).strip(), line.no, LABEL)
    return found


def _doubt_lines(paste: Paste, found: Mirrors) -> None:
    """Note lines between the settings that are none, and patterns that lose a backslash."""
    lines = [line for line in logical_lines(paste.lines) if line.text.strip()]
    places = [place for place, line in enumerate(lines) if KEY.fullmatch(line.text)]
    for line in lines[places[0] : places[-1]]:
        match = KEY.fullmatch(line.text)
        if match is None and not why_noise(line.text):
            found.leave(PastedValue("", line.no, LABEL), line.text.strip(), "no key and value")
    for line in lines:
        match = KEY.fullmatch(line.text)
        if match is not None and _LOST.search(match[2]):
            found.warn(
                f"Line {line.no}: a properties file drops a single backslash, so MirrorMaker reads "
                f"{unescaped(match[2]).strip()}; write two where one is meant."
            )
