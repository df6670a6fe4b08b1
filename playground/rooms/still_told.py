"""What the still of a link shows of a run where it stands: picture, verdict, events so far, what is still to come.

Plain values, as they travel from an engine process to the page.
"""

from dataclasses import asdict
from typing import Any

from playground.rooms.limits import EVENTS_TOLD_MAX, STEPS_TOLD_MAX
from playground.rooms.still import still_of
from playground.rooms.told import events_told
from playground.rooms.told_verdict import told_verdict
from simengine.scenario import Document
from simengine.scenario.action_words import clauses, node_names
from simengine.world import World


def still_told(world: World, document: Document) -> dict[str, Any]:
    """``still``, ``verdict``, ``events`` and ``ahead`` as (microseconds, words), and how many of each there are."""
    name = node_names(document)
    ahead = [entry for entry in document.timeline if entry.at_us > world.now_us]
    number, events = events_told(world, EVENTS_TOLD_MAX)
    return {
        "still": asdict(still_of(world.snapshot(), {broker.id: broker.rack or "" for broker in document.brokers})),
        "verdict": told_verdict(world.verdict()),
        "number": number,
        "events": events,
        "ahead": [(entry.at_us, f"{clauses(str(entry.action), name)}.") for entry in ahead[:STEPS_TOLD_MAX]],
        "ahead_number": len(ahead),
        "until_us": document.until_us,
    }
