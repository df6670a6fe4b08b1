"""Undo: back to before one action of a run's timeline, by default its newest. It undoes that one only: what came after
happens again, as far as it still can, and so does what the timeline has still to bring. The run that is left stays.

The timeline alone says what can be undone: neither a page's memory nor how a run came about does. A branch that began
with the action leads back to the run that it left, if nothing was done in it since; anything else becomes a new branch
from just before the action.
"""

from dataclasses import dataclass
from typing import Any

from asgiref.sync import sync_to_async

from playground.engine.turns import Holder
from playground.scenarios import outside, store
from playground.scenarios.branches import Branch, StoredBranch
from playground.scenarios.models import Scenario, Source
from playground.scenarios.owner import Maker
from simengine.scenario import DocumentError


@dataclass(frozen=True)
class UndoStep:
    """The actions that an undo takes back, and the run after it: ``branch``, which is not stored yet, or ``parent``."""

    actions: list[str]
    branch: Branch
    parent: Scenario | None


@dataclass(frozen=True)
class Undone:
    """The run to go on in, the moment (us), and the actions that have not happened there.

    ``later``: what became of the actions after it, in words (`later.LaterActions.plain`); None where none came.
    """

    run: Scenario
    is_new: bool
    at_us: int
    actions: list[str]
    later: dict[str, Any] | None


async def step_back(scenario: Scenario, until_us: int, asker: Holder) -> UndoStep | None:
    """The newest action up to ``until_us``, None where there is none; several of one moment go together.

    The parent's document is read only for an action that began the branch. Raises what a question raises (``outside``).
    """
    found = await outside.undone(scenario, until_us, None, asker)
    if not found:
        return None
    branch = Branch.from_plain(found["branch"])
    back = await _way_back(scenario, until_us, asker) if branch.at_us == scenario.cut_us else None
    return UndoStep(found["actions"], branch, back)


async def _way_back(scenario: Scenario, until_us: int, asker: Holder) -> Scenario | None:
    """The run that an undo leads back to, as nothing else was done since; none whose document is refused."""
    parent = await sync_to_async(_left)(scenario)
    if parent is None:
        return None
    try:
        found = await outside.undone(scenario, until_us, parent, asker)
    except DocumentError:
        return None
    return parent if found["leads_back"] else None


def _left(scenario: Scenario) -> Scenario | None:
    """The run that this one left, if it is there."""
    parent = scenario.parent
    return parent if parent is not None and not parent.is_deleted and scenario.source == Source.FORK else None


def undo(scenario: Scenario, step: UndoStep, grown: StoredBranch | None, *, by: Maker) -> Undone:
    """Take the step; ``grown``: its branch with what came later, None where it leads back. Raises StoreFull."""
    if grown is None:
        assert step.parent is not None, "a step leads to a branch or back"
        return Undone(step.parent, False, step.branch.at_us, step.actions, None)
    run = store.undone(scenario, step.branch, grown, by=by)
    return Undone(run, True, step.branch.at_us, step.actions, run.later)
