"""Acts on the runs of a comparison: an action, a branch or an undo goes to some sides, to all of them or to none."""

import json
from contextlib import AsyncExitStack
from dataclasses import replace
from typing import Final, NamedTuple

from asgiref.sync import sync_to_async
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_POST

from playground.engine.turns import Holder
from playground.rooms.acting import Done, NotDone, act_together, must_go_on
from playground.rooms.asking import Wish, fork_words, in_words, known_browser, maker
from playground.rooms.compare_views import NotComparable, runs_of
from playground.rooms.forking import (
    Fork,
    grown_undo,
    prepared_fork,
    stored_forks,
    stored_undos,
    undo_step,
    without_effect,
)
from playground.rooms.host import host
from playground.rooms.limits import COMMAND_DO_MAX
from playground.rooms.names import RoomName
from playground.scenarios import owner, replies
from playground.scenarios import undo as undoing
from playground.scenarios.compare_address import compare_address
from playground.scenarios.models import Scenario
from simengine.compare.differences import LETTERS
from simengine.scenario import DocumentError

NOT_YOURS: Final = "this run belongs to another browser, or never changes: an action makes a branch of it"
NOTHING_DONE: Final = "Nothing was done in any run"


class SideRefuses(Exception):
    """A side refuses what was asked of several; nothing was done in any. The message says which side, and why."""

    def __init__(self, side: int, reason: str, number: int, status: int) -> None:
        self.status = status
        super().__init__(f"{LETTERS[side]}: {reason.rstrip('.')}.{f' {NOTHING_DONE}.' if number > 1 else ''}")


class Sides(NamedTuple):
    """The runs of a comparison, and the places of those that something goes to."""

    runs: list[Scenario]
    chosen: list[int]

    def refuse(self, place: int, reason: str, status: int = 409) -> SideRefuses:
        """The refusal of the chosen side at a place."""
        return SideRefuses(self.chosen[place], reason, len(self.chosen), status)


@require_POST
@in_words
async def act(request: HttpRequest, ids: str) -> HttpResponse:
    """POST {shown_us, do, sides} -> {at_us, said}: an action at the newest moment of the rooms of these sides."""
    browser = known_browser(request)
    wish = fork_words(request.body)
    if not 0 < len(wish.do) <= COMMAND_DO_MAX:
        raise ValueError(f"do has {len(wish.do)} characters; allowed are 1 to {COMMAND_DO_MAX}")
    try:
        sides = await sync_to_async(_own_sides)(request.body, ids, browser)
        done = await _act(sides, wish, replies.visitor(request))
    except (NotComparable, SideRefuses) as reason:
        return _refused(reason)
    return JsonResponse(done._asdict())


@require_POST
@in_words
async def fork(request: HttpRequest, ids: str) -> HttpResponse:
    """POST {shown_us, do, sides, later, speed} -> {url}: branches of these sides from a moment, beside the others."""
    made_by, asker = await maker(request), replies.asker(request)
    wish = fork_words(request.body)
    try:
        sides = await sync_to_async(_sides)(request.body, ids)
        forks = [await _forked(sides, place, wish, asker) for place in range(len(sides.chosen))]
    except (NotComparable, SideRefuses) as reason:
        return _refused(reason)
    made = await stored_forks(forks, wish.speed_us, made_by)
    return JsonResponse({"url": _address(sides, made)}, status=201)


@require_POST
@in_words
async def undo(request: HttpRequest, ids: str) -> HttpResponse:
    """POST {at_us, speed} -> {url, at_us, actions, sides}: the newest action is taken back in all runs that it went to.

    {} where no run has an action. It went to the runs in which actions happened at this moment.
    """
    made_by, asker = await maker(request), replies.asker(request)
    wish = fork_words(request.body)
    try:
        runs: list[Scenario] = await sync_to_async(runs_of)(ids)
    except NotComparable as reason:
        return _refused(reason)
    found = await _newest_steps(runs, wish.at_us, asker)
    if not found:
        return JsonResponse({})
    steps = [await grown_undo(runs[side], step, asker) for side, step in found.items()]
    undone = await stored_undos(steps, wish.speed_us, made_by)
    sides = Sides(runs, list(found))
    told = {"at_us": undone[0].at_us, "actions": undone[0].actions, "sides": sides.chosen}
    return JsonResponse({"url": _address(sides, [one.run for one in undone]), **told}, status=201)


async def _act(sides: Sides, wish: Wish, asker: Holder) -> Done:
    """Do the action in the rooms of the chosen sides, with all of them locked. Raises SideRefuses."""
    rooms = [await host().room(RoomName(sides.runs[side].id), asker) for side in sides.chosen]
    for room in rooms:
        room.ahead.stop()
    async with AsyncExitStack() as locks:
        for room in sorted(rooms, key=lambda one: one.name):  # in one order: two who act do not wait for each other
            await locks.enter_async_context(room.lock)
        try:
            for place, room in enumerate(rooms):
                must_go_on(room, place)
            return await act_together(rooms, wish.do, wish.at_us - wish.is_shown)
        except NotDone as refusal:
            raise sides.refuse(refusal.place, str(refusal)) from refusal


async def _forked(sides: Sides, place: int, wish: Wish, asker: Holder) -> Fork:
    """The branch of a chosen side. Raises SideRefuses where its action cannot be done or changes nothing."""
    try:
        found = await prepared_fork(sides.runs[sides.chosen[place]], wish, asker)
    except (DocumentError, ValueError) as refused:
        raise sides.refuse(place, str(refused)) from refused
    if wish.do and (reason := await without_effect(found.branch, asker)):
        raise sides.refuse(place, f"it changes nothing: {reason}")
    return found


async def _newest_steps(runs: list[Scenario], until_us: int, asker: Holder) -> dict[int, undoing.UndoStep]:
    """By side: the undo of the newest action of all runs, in each run that has one at that moment."""
    found = {side: await undo_step(run, until_us, asker) for side, run in enumerate(runs)}
    newest_us = max((step.branch.at_us for step in found.values() if step is not None), default=-1)
    steps, taken = {}, {run.id for run in runs}
    for side, step in found.items():
        if step is None or step.branch.at_us != newest_us:
            continue
        leads_to = step.parent.id if step.parent is not None else ""
        steps[side] = replace(step, parent=None) if leads_to in taken else step  # a run does not stand beside itself
        taken.add(leads_to)
    return steps


def _sides(body: bytes, ids: str) -> Sides:
    """The runs of an address, and those that a request is for. Raises NotComparable, or ValueError in words."""
    runs = runs_of(ids)
    chosen = json.loads(body or b"{}").get("sides")
    allowed = range(len(runs))
    is_list = isinstance(chosen, list) and all(type(side) is int and side in allowed for side in chosen)
    if not is_list or not chosen or len(set(chosen)) < len(chosen):
        raise ValueError(f"sides is {chosen!r}; allowed is a list of different numbers from 0 to {len(runs) - 1}")
    return Sides(runs, sorted(chosen))


def _own_sides(body: bytes, ids: str, browser: str) -> Sides:
    """The same, where this browser may act in the chosen runs. Raises SideRefuses too."""
    sides = _sides(body, ids)
    for place, side in enumerate(sides.chosen):
        if not owner.may_act(sides.runs[side], browser):
            raise sides.refuse(place, NOT_YOURS, 403)
    return sides


def _address(sides: Sides, made: list[Scenario]) -> str:
    """The address of the comparison with new runs in place of the chosen ones."""
    new = dict(zip(sides.chosen, made, strict=True))
    return compare_address(new.get(side, run).id for side, run in enumerate(sides.runs))


def _refused(reason: NotComparable | SideRefuses) -> HttpResponse:
    return replies.refusal(str(reason), reason.status)
