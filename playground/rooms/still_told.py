"""The content of the still of a link: picture, verdict, events so far, and what is still to come.

Plain values, as they travel from an engine process to the page.
"""

from dataclasses import asdict
from typing import Any

from playground.rooms.limits import EVENTS_TOLD_MAX, STEPS_TOLD_MAX
from playground.rooms.still import Still, still_of
from playground.rooms.told_verdict import told_verdict
from simengine.facts.kinds import PROCESS_NAMES
from simengine.scenario import Document
from simengine.scenario.action_words import clauses, node_names
from simengine.scenario.parts import parts_of
from simengine.world.cluster_facts import ClusterFacts
from simengine.world.event_sentences import events_told
from simengine.world.world import World


def still_told(world: World, document: Document, width: int | None = None) -> dict[str, Any]:
    """``stills``, ``verdict``, ``events`` and ``ahead`` as (microseconds, words), and how many of each there are.

    ``stills``: the picture of each cluster under its ``name``; of the only one that has no name, under "".
    """
    name = node_names(document)
    ahead = [entry for entry in document.timeline if entry.at_us > world.now_us]
    number, events = events_told(world, EVENTS_TOLD_MAX)
    return {
        "stills": [{"name": cluster, **asdict(picture)} for cluster, picture in pictures(world, document, width)],
        "processes": _processes(world),
        "verdict": told_verdict(world.verdict()),
        "number": number,
        "events": events,
        "ahead": [(entry.at_us, f"{clauses(str(entry.action), name)}.") for entry in ahead[:STEPS_TOLD_MAX]],
        "ahead_number": len(ahead),
        "until_us": document.until_us,
    }


def pictures(world: World, document: Document, width: int | None = None) -> list[tuple[str, Still]]:
    """The picture of each cluster, for a place of a width (px), with its name: "" for the only one that has none."""
    view = world.snapshot()
    if not world.is_named:
        return [("", still_of(view, _racks(document), width))]
    facts = ClusterFacts(world)
    parts = enumerate(parts_of(document).items())
    return [(name, still_of(facts.view(view, i), _racks(part), width)) for i, (name, part) in parts]


def _racks(document: Document) -> dict[int, str]:
    return {broker.id: broker.rack or "" for broker in document.brokers}


def _processes(world: World) -> list[tuple[str, str]]:
    """The processes of MirrorMaker with their states."""
    return [(one.name, PROCESS_NAMES[int(one.state)]) for one in world.mirrors.processes]
