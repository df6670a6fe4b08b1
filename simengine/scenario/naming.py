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
