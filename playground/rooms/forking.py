"""Makes branches of runs: each is prepared by the engine service and the rooms, and then stored with its clock."""

import logging
from collections.abc import Sequence
from typing import NamedTuple

from asgiref.sync import sync_to_async
from django.db import DatabaseError, transaction

from playground.engine.turns import Holder
from playground.rooms.asking import Wish
from playground.rooms.branching import left_out
from playground.rooms.host import host
from playground.rooms.names import RoomName
from playground.rooms.run import RoomRun
from playground.rooms.storage import StoredClock
from playground.scenarios import outside, store
from playground.scenarios import undo as undoing
from playground.scenarios.branches import Branch, StoredBranch
from playground.scenarios.later import DROP
from playground.scenarios.models import Scenario
from playground.scenarios.owner import Maker

log = logging.getLogger(__name__)


class Fork(NamedTuple):
    """A branch of a run, ready to be stored."""

    run: Scenario
    branch: Branch
    grown: StoredBranch


class Step(NamedTuple):
    """An undo in a run, ready to be stored. ``grown``: its branch, None where it leads back to the parent."""

    run: Scenario
    step: undoing.UndoStep
    grown: StoredBranch | None


async def prepared_fork(run: Scenario, wish: Wish, asker: Holder, reached_us: int | None = None) -> Fork:
    """The branch that somebody wishes for, before ``reached_us``; None: as far as any room has come.

    Raises DocumentError, ValueError and what a question raises.
    """
    if reached_us is None:
        reached_us = await host().reached_us(run) + wish.is_shown
    branch = await outside.branch_of(run, wish.at_us, wish.do, reached_us, asker)
    left = None if wish.later == DROP else await left_out(branch, asker)
    return Fork(run, branch, await outside.grown(branch, left, asker))


async def undo_step(run: Scenario, until_us: int, asker: Holder) -> undoing.UndoStep | None:
    """The undo of the newest action up to ``until_us``; None without one."""
    return await undoing.step_back(run, min(until_us, await host().reached_us(run)), asker)


async def grown_undo(run: Scenario, step: undoing.UndoStep, asker: Holder) -> Step:
    """The step with the branch that it makes, if it does not lead back."""
    if step.parent is not None:
        return Step(run, step, None)
    return Step(run, step, await outside.grown(step.branch, await left_out(step.branch, asker), asker))


async def without_effect(branch: Branch, asker: Holder) -> str:
    """The reason for which the action that begins a branch changes nothing there; "" where it does."""
    async with host().aside(branch.stored, branch.at_us, asker) as run:
        reason: str = await run.ask(RoomRun.nothing_done)
    return reason


async def stored_forks(forks: Sequence[Fork], speed_us: int | None, by: Maker) -> list[Scenario]:
    """Store branches, all or none, and let their clocks stand where they begin. Raises StoreFull."""
    made: list[Scenario] = await sync_to_async(_store_forks)(forks, by)
    for run in made:
        await store_first_clock(run, speed_us)
    return made


async def stored_undos(steps: Sequence[Step], speed_us: int | None, by: Maker) -> list[undoing.Undone]:
    """Take steps back, all or none. Raises StoreFull."""
    made: list[undoing.Undone] = await sync_to_async(_store_undos)(steps, by)
    for undone in made:
        if undone.is_new:
            await store_first_clock(undone.run, speed_us)
    return made


@transaction.atomic
def _store_forks(forks: Sequence[Fork], by: Maker) -> list[Scenario]:
    return [store.fork(*fork, by=by) for fork in forks]


@transaction.atomic
def _store_undos(steps: Sequence[Step], by: Maker) -> list[undoing.Undone]:
    return [undoing.undo(*step, by=by) for step in steps]


async def store_first_clock(run: Scenario, speed_us: int | None) -> None:
    """Store the first clock of a new run: at its moment, with the speed of the run that it comes from.

    The run is stored already: where its clock cannot be, it has the speed of any new run.
    """
    if speed_us is not None:
        room = str(RoomName(run.id))
        clock = StoredClock(room, run.id, is_playing=False, speed_us=speed_us, t_us=run.moment_us)
        try:
            await host().storage.keep_clocks([clock])
        except DatabaseError:
            log.warning("run %s: its first clock is not stored", run.id, exc_info=True)
