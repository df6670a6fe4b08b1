"""The events that one run has and another has not.

Runs of one seed draw the same chances, but a different setting moves many messages by some milliseconds. So two events
are the same event if their sentences are equal and they are at most MATCH_US apart. Left out: settings that somebody
changed, and the settings of the documents (``settings.py``). They are how the runs were set apart; a difference is what
the clusters and the mirrors made of it, and how long their clients waited.
"""

from bisect import bisect_left
from collections.abc import Sequence
from enum import Enum, auto
from typing import Any, Final, NamedTuple

from simengine.compare.stops import stop_events
from simengine.compare.wrong_copies import wrong_copies
from simengine.facts.decisive import ActionDone
from simengine.scenario.verb import SETTING, USE
from simengine.scenario.verbs import with_trait
from simengine.world.event_sentences import ToldEvent, told_events
from simengine.world.world import World

MATCH_US: Final = 1_000_000
DIFFERENCES_MAX: Final = 500  # told, the earliest
LETTERS: Final = "ABCD"  # of the runs, in their order
INPUTS: Final = (*with_trait(SETTING), *with_trait(USE))

Json = dict[str, Any]


class EventKind(Enum):
    """The kind of an event: something decisive happened, clients waited, or somebody set something or sent a record."""

    DECISIVE = auto()
    STOP = auto()
    INPUT = auto()


class RunEvent(NamedTuple):
    """An event of a run at a time (us), as a sentence."""

    t_us: int
    text: str
    kind: EventKind


def events_of(world: World, verdict: Json, until_us: int) -> list[RunEvent]:
    """The decisive events of a run, its stops, and the wrong copies that its verdict at ``until_us`` counts."""
    facts = [RunEvent(int(one.fact.t), one.text, _kind(one)) for one in told_events(world)]
    stops = [RunEvent(one.t_us, one.text, EventKind.STOP) for one in stop_events(world)]
    copies = [RunEvent(one.t_us, one.text, EventKind.DECISIVE) for one in wrong_copies(world, verdict, until_us)]
    return facts + stops + copies


class Difference(NamedTuple):
    """An event of some runs that the other runs do not have at that time.

    ``sides``: the runs that have it. ``t_us``: when the first of them has it. ``later``: when each other run has the
    same event at a later time, us by run.
    """

    t_us: int
    sides: tuple[int, ...]
    text: str
    later: dict[int, int]
    kind: EventKind

    def plain(self) -> Json:
        """As JSON has it."""
        return {"t_us": self.t_us, "sides": list(self.sides), "text": self.text}


def differences_of(sides: Sequence[Sequence[RunEvent]]) -> list[Difference]:
    """The events that are not in all runs at about the same time, in the order of time."""
    times = _times_by_text(sides)
    found: dict[tuple[str, int], Difference] = {}  # by sentence, and by its time in the first run that has it
    for side, events in enumerate(sides):
        for event in events:
            t_us = event.t_us
            near = [_nearest(times[event.text][other], t_us) for other in range(len(sides))]
            have = tuple(other for other, at_us in enumerate(near) if abs(at_us - t_us) <= MATCH_US)
            if len(have) == len(sides) or have[0] != side:
                continue
            later = {other: at_us for other, at_us in enumerate(near) if other not in have and at_us > t_us}
            first_us = min(near[other] for other in have)
            one = Difference(first_us, have, event.text, later, event.kind)
            found.setdefault((event.text, first_us), one)
    return sorted(found.values(), key=lambda one: (one.t_us, one.sides))


def _times_by_text(sides: Sequence[Sequence[RunEvent]]) -> dict[str, list[list[int]]]:
    """By sentence: when each run has it, us."""
    times: dict[str, list[list[int]]] = {}
    for side, events in enumerate(sides):
        for event in events:
            times.setdefault(event.text, [[] for _ in sides])[side].append(event.t_us)
    return times


def _nearest(times: list[int], t_us: int) -> int:
    """The time nearest to ``t_us``; one far before it where there is none."""
    at = bisect_left(times, t_us)
    return min(times[max(0, at - 1) : at + 1], key=lambda one: abs(one - t_us), default=-10 * MATCH_US)


def _kind(event: ToldEvent) -> EventKind:
    is_input = isinstance(event.fact, ActionDone) and event.fact.verb in INPUTS
    return EventKind.INPUT if is_input else EventKind.DECISIVE
