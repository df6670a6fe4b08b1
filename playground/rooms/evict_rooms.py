"""Chooses the room to drop when there are too many: one without a viewer first, then the biggest holder's oldest.

A room is held by the browser and the address of a viewer in it: of one that may steer, if there is one. Cookies can be
thrown away, so the address with the most rooms comes first, and in it the browser with the most. A room with a viewer
is only taken from a holder who has at least two more rooms than the newcomer: two equals take none from each
other.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from playground.engine.turns import Holder
from playground.rooms.limits import ROOMS_A_BROWSER_MAX, ROOMS_AN_ADDRESS_MAX, ROOMS_MAX

GAVE_WAY = (
    "This server holds as many running rooms as it can, and you have the most of them: this one, your oldest, gave way "
    "to a visitor with fewer. Nothing is lost: close other pages, then open it again."
)


class RoomFull(Exception):
    """No more rooms, or no more viewers in a room; the message gives the limit and what to do."""


@dataclass(frozen=True)
class HeldRoom:
    """A room in memory, or on its way there. ``empty_since``: since when (monotonic) nobody looks at it."""

    key: str
    holder: Holder
    empty_since: float | None = None
    is_opening: bool = False


def gives_way(held: Sequence[HeldRoom], newcomer: Holder) -> str | None:
    """The room (of ``held``, the oldest first) that is dropped before the newcomer's opens; None if there is space.

    Raises RoomFull where none can give way.
    """
    browsers = [room for room in held if newcomer.browser and room.holder.browser == newcomer.browser]
    if len(browsers) >= ROOMS_A_BROWSER_MAX:
        return _emptied(browsers) or _refuse(
            f"This browser has {ROOMS_A_BROWSER_MAX} running rooms open, which is its limit. Close a page of one first."
        )
    addresses = [room for room in held if room.holder.address == newcomer.address]
    if newcomer.address and len(addresses) >= ROOMS_AN_ADDRESS_MAX:
        return (
            _emptied(addresses)
            or _of_biggest_browser(addresses, newcomer)
            or _refuse(
                f"{ROOMS_AN_ADDRESS_MAX} running rooms are open from your address, which is its limit. "
                "Close a page of one first, or try again in a minute."
            )
        )
    if len(held) < ROOMS_MAX:
        return None
    return (
        _emptied(held)
        or _of_biggest_address(held, newcomer)
        or _of_biggest_browser(addresses, newcomer)
        or _refuse(f"This server holds {ROOMS_MAX} running rooms, which is its limit. Try again in a minute.")
    )


def _refuse(words: str) -> str:
    raise RoomFull(words)


def _emptied(rooms: Sequence[HeldRoom]) -> str | None:
    """The room that has been without a viewer for longest."""
    empty = [(room.empty_since, room.key) for room in rooms if room.empty_since is not None and not room.is_opening]
    return min(empty)[1] if empty else None


def _of_biggest_address(held: Sequence[HeldRoom], newcomer: Holder) -> str | None:
    """The oldest room of the biggest browser of the biggest address, if that is not the newcomer's."""
    counts = Counter(room.holder.address for room in held)
    address, most = counts.most_common(1)[0]
    if address == newcomer.address or most < counts[newcomer.address] + 2:
        return None
    return _oldest_of_biggest([room for room in held if room.holder.address == address])


def _of_biggest_browser(rooms: Sequence[HeldRoom], newcomer: Holder) -> str | None:
    """The oldest room of the biggest browser of one address, which is the newcomer's too."""
    counts = Counter(room.holder.browser for room in rooms)
    most = max(counts.values(), default=0)
    return _oldest_of_biggest(rooms) if most >= counts[newcomer.browser] + 2 else None


def _oldest_of_biggest(rooms: Sequence[HeldRoom]) -> str | None:
    browser, _ = Counter(room.holder.browser for room in rooms).most_common(1)[0]
    return next((room.key for room in rooms if room.holder.browser == browser and not room.is_opening), None)
