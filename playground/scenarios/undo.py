"""Undo: back to before one action of a run's timeline, by default its newest. It undoes that one only: what came after
happens again, as far as it still can, and so does what the timeline has still to bring. The run that is left stays.

The timeline alone says what can be undone: neither a page's memory nor how a run came about does. A branch that began
with the action leads back to the run that it left, if nothing was done in it since; anything else becomes a new branch
from just before the action.
"""

from dataclasses import dataclass
from typing import Any

from playground.scenarios import documents, store
from playground.scenarios.models import Scenario, Source
from playground.scenarios.owner import Maker
from simengine.scenario.model import TimelineEntry


@dataclass(frozen=True)
class Step:
    """What an undo takes back, and where that leads: to ``branch``, which is not stored yet, or to ``parent``."""

    at_us: int
    actions: list[str]
    branch: store.Branch
    parent: Scenario | None


@dataclass(frozen=True)
class Undone:
    """Where one goes on, the moment (us), and what has not happened there.

    ``later``: what became of the actions after it, in words (`later.Later.plain`); None where none came.
    """

    run: Scenario
    is_new: bool
    at_us: int
    actions: list[str]
    later: dict[str, Any] | None


def step_back(scenario: Scenario, until_us: int, *, reached_us: int) -> Step | None:
    """The newest action up to ``until_us``, None where there is none; several of one moment go together."""
    document = store.document_of(scenario)
    happened = [entry.at_us for entry in document.timeline if entry.at_us <= min(until_us, reached_us)]
    if not happened:
        return None
    at_us = happened[-1]
    actions = [str(entry.action) for entry in document.timeline if entry.at_us == at_us]
    later = documents.later_than(document, at_us + 1)
    branch = store.Branch(documents.branched(document, at_us, ""), at_us, "", later)
    parent = scenario.parent
    leads_back = parent is not None and not parent.is_deleted and scenario.source == Source.FORK
    if parent is None or not leads_back or scenario.cut_us != at_us or _has_more(later, parent):
        return Step(at_us, actions, branch, None)
    return Step(at_us, actions, branch, parent)


def undo(scenario: Scenario, step: Step, left: store.Left, *, by: Maker) -> Undone:
    """Take the step; ``left``: the later actions that can no longer be done. Raises what ``store.undone`` raises."""
    if step.parent is not None:
        return Undone(step.parent, False, step.at_us, step.actions, None)
    branch = store.undone(scenario, step.branch, left, by=by)
    return Undone(branch, True, step.at_us, step.actions, branch.later)


def _has_more(later: list[TimelineEntry], parent: Scenario) -> bool:
    """Whether some of the later actions of a branch are not in the run that it left."""
    there = [(entry.at_us, str(entry.action)) for entry in store.document_of(parent).timeline]
    return any((entry.at_us, str(entry.action)) not in there for entry in later)
