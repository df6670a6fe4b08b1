"""Finds later actions of a run that can no longer be done in a branch of it.

The branch is run, and each action is tried in its turn. An action on a message is about the one that it was made for: a
message that was sent after the branch began is another one there.
"""

import asyncio
from contextlib import suppress
from typing import Final

from playground.engine.engine import ActionRefused
from playground.engine.refusals import NotAnswered
from playground.engine.turns import Holder
from playground.rooms.host import Aside, RoomRunTooLong, host
from playground.rooms.run import RoomRun
from playground.scenarios.branches import Branch, Left
from simengine.scenario import parse

REFUSED_WITHIN_US: Final = 1_000_000  # a call that the controller refuses is refused by then
TRIED_WALL_S: Final = 10.0  # nobody waits longer for a branch: what was not tried by then stays
OTHER_MESSAGE: Final = "another message has this number here"


async def left_out(branch: Branch, asker: Holder) -> Left:
    """The later actions that would change nothing or are refused, by their places among them, and why.

    Where the branch is too long, what was not reached counts as possible. Raises as ``Host.aside`` does.
    """
    if not branch.later:
        return {}
    left: Left = {}
    async with host().aside(branch.stored, max(0, branch.at_us - 1), asker) as run:
        sent = int(await run.ask(RoomRun.seq))
        numbers = await _scheduled(run, branch, sent, left)
        with suppress(RoomRunTooLong, NotAnswered, TimeoutError):
            async with asyncio.timeout(TRIED_WALL_S):
                await run.reach(branch.later[-1][0] + REFUSED_WITHIN_US)
        for place, reason in await run.ask(RoomRun.without_effect):
            if place in numbers:
                left[numbers[place]] = reason
    return dict(sorted(left.items()))


async def _scheduled(run: Aside, branch: Branch, sent: int, left: Left) -> dict[int, int]:
    """Schedule what can be: place in the run's timeline -> place among the later actions. ``left`` takes the rest."""
    numbers: dict[int, int] = {}
    for number, (at_us, do) in enumerate(branch.later):
        if _is_of_another_message(do, sent):
            left[number] = OTHER_MESSAGE
            continue
        with suppress(ActionRefused):  # it names what is not there: it is not stored either, with the reason
            await run.ask(RoomRun.act, at_us, do)
            numbers[branch.actions + len(numbers)] = number
    return numbers


def _is_of_another_message(do: str, sent: int) -> bool:
    message = parse(do).named.get("message")
    return message is not None and int(message) > sent
