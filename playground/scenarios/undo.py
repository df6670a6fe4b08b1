"""Undo: back to before the newest action of a run's timeline, action by action. What is left stays where it is, and so
does what the timeline has still to bring.

The timeline alone says what can be undone: neither a page's memory nor how a run came about does. A branch that began
with the action leads back to the run that it left; anything else becomes a new branch from just before the action.
"""

from dataclasses import dataclass

from playground.scenarios import store
from playground.scenarios.models import Scenario, Source
from playground.scenarios.owner import Maker
from simengine.scenario.model import TimelineEntry


@dataclass(frozen=True)
class Undone:
    """Where one goes on, the moment (us), and what has not happened there: ``later`` actions after it go too."""

    run: Scenario
    is_new: bool
    at_us: int
    actions: list[str]
    later: int


def undo(scenario: Scenario, until_us: int, *, by: Maker, reached_us: int) -> Undone | None:
    """Go back before the newest action up to ``until_us``, None where there is none; several of one moment go together.

    Raises what ``store.undone`` raises.
    """
    timeline = store.document_of(scenario).timeline
    happened = [entry.at_us for entry in timeline if entry.at_us <= min(until_us, reached_us)]
    if not happened:
        return None
    at_us = happened[-1]
    actions = [str(entry.action) for entry in timeline if entry.at_us == at_us]
    parent = scenario.parent
    if parent is not None and not parent.is_deleted and scenario.source == Source.FORK and scenario.cut_us == at_us:
        return Undone(parent, False, at_us, actions, _later_here_alone(timeline, parent, at_us))
    branch = store.undone(scenario, at_us, by=by, reached_us=reached_us)
    later = len(timeline) - len(actions) - len(store.document_of(branch).timeline)
    return Undone(branch, True, at_us, actions, later)


def _later_here_alone(timeline: list[TimelineEntry], parent: Scenario, at_us: int) -> int:
    """How many actions after ``at_us`` a branch has that the run which it left has not."""
    there = [(entry.at_us, str(entry.action)) for entry in store.document_of(parent).timeline]
    later = [(entry.at_us, str(entry.action)) for entry in timeline if entry.at_us > at_us]
    return sum(entry not in there for entry in later)
