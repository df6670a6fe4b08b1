"""Reads Strimzi's KafkaMirrorMaker2 resource: v1beta2 with ``clusters`` and ``connectCluster``, v1 with ``target``.

Each connector has a config of its own, and a key counts only where the connector that reads it finds it. Without a
checkpoint connector no position is translated; without a heartbeat connector there are no heartbeats.
"""

from typing import Any, Final

from simengine.importers import connectors, limits
from simengine.importers.evidence import PastedValue
from simengine.importers.mirror_keys import (
    CONNECTORS,
    SOURCE,
    WORKER,
    canonical,
    is_known,
    is_of_source_consumer,
    readers,
)
from simengine.importers.mirrors import Mirrors, PastedFlow
from simengine.importers.text import Paste
from simengine.importers.values import as_property
from simengine.importers.yamltext import YamlError, at, documents, line_of

LABEL: Final = "a KafkaMirrorMaker2 resource of Strimzi"
KIND: Final = "KafkaMirrorMaker2"
_PATTERNS: Final = {
    "topicsBlacklistPattern": "topics.exclude",
    "groupsBlacklistPattern": "groups.exclude",
    "topicsPattern": "topics",
    "topicsExcludePattern": "topics.exclude",
    "groupsPattern": "groups",
    "groupsExcludePattern": "groups.exclude",
}  # the old names first: the new ones count


def read(paste: Paste) -> Mirrors | None:
    """The flows of all resources; None if there is none."""
    if KIND not in paste.joined():
        return None
    try:
        resources = [item for item in documents(paste) if item.get("kind") == KIND]
    except YamlError as error:
        return Mirrors(LABEL, rejected=str(error))
    if not resources:
        return None
    found = Mirrors(LABEL)
    for resource in resources:
        found.rejected = found.rejected or _Reader(resource, found).read()
    if not found.flows and not found.rejected:
        found.rejected = "No mirror has a sourceConnector, so nothing is copied."
    found.unread.sort(key=lambda unread: unread.line)
    return found


class _Reader:
    """Reads one resource: one process, with one Connect cluster on its target."""

    def __init__(self, resource: dict[str, Any], found: Mirrors) -> None:
        self.spec = at(resource, "spec")
        self.found = found
        self.process = str(at(resource, "metadata", "name") or "")
        self.by_alias = {str(one.get("alias")): one for one in _maps(at(self.spec, "clusters"))}
        target = at(self.spec, "target")
        self.target = target if isinstance(target, dict) else self.by_alias.get(str(at(self.spec, "connectCluster")))
        self.alias = str(at(self.target, "alias"))

    def read(self) -> str | None:
        """Add the flows. Returns the sentence that refuses the resource."""
        if self.target is None:
            named, aliases = at(self.spec, "connectCluster"), ", ".join(self.by_alias)
            if named is None:
                return "The resource names no target: neither spec.target nor spec.connectCluster stands in it."
            return f"connectCluster is {named}, which is no alias of spec.clusters. Allowed: {aliases or 'none'}."
        mirrors = _maps(at(self.spec, "mirrors"))
        too_long = self._why_too_long(mirrors)
        if too_long:
            return too_long
        for mirror in mirrors:
            into = str(mirror.get("targetCluster", self.alias))
            if into != self.alias:
                return f"targetCluster is {into} and connectCluster {self.alias}. Strimzi wants them to be equal."
            self._take_mirror(mirror)
        if mirrors:
            self._take_workers()
        return None

    def _why_too_long(self, mirrors: list[dict[str, Any]]) -> str:
        """The sentence that refuses a resource beyond the limits; a setting behind an alias counts each time."""
        if len(mirrors) > limits.MIRRORED_MAX:
            return f"The resource has {len(mirrors):,} mirrors; the limit is {limits.MIRRORED_MAX}."
        parts = [at(self.target, "config"), *(at(mirror, name, "config") for mirror in mirrors for name in CONNECTORS)]
        settings = sum(len(_map(part)) for part in parts)
        most = limits.SETTINGS_MAX
        return f"The resource has {settings:,} settings; the limit is {most:,}." if settings > most else ""

    def _take_mirror(self, mirror: dict[str, Any]) -> None:
        place = PastedValue("", line_of(mirror, "source") or line_of(mirror, "sourceCluster"), LABEL)
        source = str(at(mirror, "source", "alias") or mirror.get("sourceCluster"))
        if self.by_alias and source not in self.by_alias:
            allowed = ", ".join(self.by_alias)
            self.found.leave(place, f"sourceCluster: {source}", f"no alias of spec.clusters. Allowed: {allowed}")
            return
        self.found.clusters += [name for name in (source, self.alias) if name not in self.found.clusters]
        flow = PastedFlow(source, self.alias, self.process)
        if not isinstance(mirror.get(SOURCE), dict):
            self.found.leave(place, flow.name, f"copies nothing: it has no {SOURCE}")
            return
        self.found.flows.append(flow)
        self._fill(flow, mirror)

    def _fill(self, flow: PastedFlow, mirror: dict[str, Any]) -> None:
        configs = {
            name: self._config_of(name, part) for name in CONNECTORS if isinstance(part := mirror.get(name), dict)
        }
        connectors.take(self.found, flow, configs)
        for name, key in _PATTERNS.items():
            if mirror.get(name) is not None:
                self.found.take(flow, key, _said(mirror, name))

    def _config_of(self, connector: str, part: dict[str, Any]) -> dict[str, PastedValue]:
        """The settings that a connector reads of its config; the others are left, with the place they belong to."""
        kept: dict[str, PastedValue] = {}
        config = _map(part.get("config"))
        for name in config:
            key, said = canonical(str(name)), _said(config, name)
            who = readers(key)
            if is_known(key) and connector not in who:
                place = "spec.target.config, or the config of connectCluster" if who == [WORKER] else " and ".join(who)
                self.found.leave(said, f"{name}: {said.value}", f"no effect in the {connector}: it belongs to {place}")
            elif key == "tasks.max":
                self.found.leave(said, f"{name}: {said.value}", "Strimzi sets it from tasksMax")
            else:
                kept[key] = said
        if part.get("tasksMax") is not None:
            kept["tasks.max"] = _said(part, "tasksMax")
        state = next((key for key in ("state", "pause") if str(part.get(key)) in ("paused", "stopped", "True")), None)
        if state:
            self.found.leave(_said(part, state), f"{state}: {_said(part, state).value}", "read as running")
        return kept

    def _take_workers(self) -> None:
        """Give each flow of this resource the settings of its Connect worker."""
        config = _map(at(self.target, "config"))
        for name in config:
            key, said = canonical(str(name)), _said(config, name)
            if is_of_source_consumer(key) or is_known(key) and WORKER not in readers(key):
                place = SOURCE if is_of_source_consumer(key) else " and ".join(readers(key))
                self.found.leave(said, f"{name}: {said.value}", f"no effect for the target: it belongs to {place}")
                continue
            for flow in self.found.flows:
                if flow.process == self.process and flow.target == self.alias:
                    self.found.take(flow, key, said)


def _maps(value: Any) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _map(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _said(mapping: dict[str, Any], key: str) -> PastedValue:
    return PastedValue(as_property(mapping[key]), line_of(mapping, key), LABEL)
