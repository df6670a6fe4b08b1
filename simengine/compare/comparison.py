"""Runs documents to one moment and compares them, as one plain object."""

from collections.abc import Sequence
from typing import Any, Final

from simengine.compare.differences import DIFFERENCES_MAX, LETTERS, EventKind, differences_of, events_of
from simengine.compare.figures import FIGURES, OF_FLOWS, figures_of, figures_of_flows, topics_of_people
from simengine.compare.parting import first_difference, parting
from simengine.compare.partitions import partitions_apart
from simengine.compare.settings import settings_apart
from simengine.scenario import Document
from simengine.world.world import World, build

SIDES_MIN: Final = 2
SIDES_MAX: Final = len(LETTERS)
AFTERMATH_US: Final = 60_000_000
"""A run goes on so long after an action that lies at its end or later, as one that was done in a live run may."""

Json = dict[str, Any]


def end_us(documents: Sequence[Document]) -> int:
    """The moment, us, at which runs are compared unless another one is asked for: the latest end of them."""
    return max(_end_us(document) for document in documents)


def _end_us(document: Document) -> int:
    last_us = max((entry.at_us for entry in document.timeline), default=-1)
    return document.until_us if last_us < document.until_us else last_us + AFTERMATH_US


def compare(documents: Sequence[Document], until_us: int) -> Json:
    """The runs of some documents at a moment, side by side.

    ``sides``: of each run its title, digest, verdict and figures (of flows too if a run has any), and those of its
    topics. ``first_difference``: time (us), ``sentence`` and its beginning, ``lead``; None where no decisive fact
    and no stop differs and the same copies of mirrors are wrong. ``parting``: a sentence in either case.
    ``differences``: every event that not all runs have, but ``inputs``. ``partitions``: those that differ now.
    ``settings``: how the documents differ. Each run has the digest that it has alone.
    """
    worlds = [build(document) for document in documents]
    for world in worlds:
        world.run(until_us)
    verdicts = [world.verdict() for world in worlds]
    events = [events_of(world, verdict, until_us) for world, verdict in zip(worlds, verdicts, strict=True)]
    apart = differences_of(events)
    found = [one for one in apart if one.kind is not EventKind.INPUT]
    inputs = [one for one in apart if one.kind is EventKind.INPUT]
    have_flows = any(verdict.get("mirrors") for verdict in verdicts)
    told: Json = {
        "until_us": until_us,
        "sides": [side_of(world, verdict, have_flows) for world, verdict in zip(worlds, verdicts, strict=True)],
        "first_difference": first_difference(found, len(worlds)),
        "differences": [one.plain() for one in found[:DIFFERENCES_MAX]],
        "more_differences": max(0, len(found) - DIFFERENCES_MAX),
        "inputs": [one.plain() for one in inputs[:DIFFERENCES_MAX]],
        "partitions": partitions_apart(worlds),
        "settings": settings_apart(documents),
        "figures": [
            {"key": one.key, "label": one.label, "unit": one.unit}
            for one in (*FIGURES, *(OF_FLOWS if have_flows else ()))
        ],
    }
    return {**told, "parting": parting(told)}


def side_of(world: World, verdict: Any, has_flows: bool) -> Json:
    """The title, digest, verdict and figures of a run, and those of its topics; ``has_flows``: of MirrorMaker too."""
    topics = verdict["topics"]
    return {
        "title": world.doc.title,
        "digest": world.digest(),
        "sentence": verdict["sentence"],
        "severity": verdict["severity"],
        **figures_of(topics_of_people(world, topics)),
        **(figures_of_flows(verdict.get("mirrors", [])) if has_flows else {}),
        "topics": [{"topic": topic["topic"], "sentence": topic["sentence"], **figures_of([topic])} for topic in topics],
    }
