"""The names of a document, with those of topics and clients that its timeline makes."""

from typing import Final

from simengine.scenario.model import Document
from simengine.scenario.parts import parts_of
from simengine.scenario.sites import WorldNames

MAKING: Final = frozenset(("new_topic", "size", "mover"))  # arguments of actions that make topics, partitions, clients


def names_of(doc: Document) -> WorldNames:
    """All names that expectations and alert rules may use."""
    names = WorldNames(parts_of(doc))
    for entry in doc.timeline:
        if not MAKING.isdisjoint(entry.action.named):
            names.will_create(entry.action)
    return names


def alert_labels(doc: Document) -> list[str]:
    """Of each alert rule the label that its ``of`` names: process, topic, partition or group; "" without ``of``."""
    rules = doc.alerts.rules
    if all(rule.of is None for rule in rules):
        return [""] * len(rules)
    known = names_of(doc).alert_subjects()
    return ["" if rule.of is None else known.label(rule.metric, rule.of) for rule in rules]
