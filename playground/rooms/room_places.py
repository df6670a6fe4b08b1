"""Places in a room: an address has a share of them, and the owner always has a few."""

from collections.abc import Collection

from playground.rooms.evict_rooms import RoomFull
from playground.rooms.hub import Viewer
from playground.rooms.limits import OWNER_PAGES_KEPT, ROOM_VIEWERS_AN_ADDRESS_MAX, ROOM_VIEWERS_MAX


def must_fit(newcomer: Viewer, viewers: Collection[Viewer]) -> None:
    """Raise RoomFull if a room with these viewers, and those on their way in, has no place for one more."""
    if newcomer.may_act and sum(viewer.browser == newcomer.browser for viewer in viewers) < OWNER_PAGES_KEPT:
        return
    if len(viewers) >= ROOM_VIEWERS_MAX:
        raise RoomFull(f"This room is full ({ROOM_VIEWERS_MAX}). Try again when somebody has left.")
    of_address = sum(viewer.address == newcomer.address for viewer in viewers)
    if newcomer.address and of_address >= ROOM_VIEWERS_AN_ADDRESS_MAX:
        raise RoomFull(
            f"{ROOM_VIEWERS_AN_ADDRESS_MAX} pages from your address show this run, which is the limit. "
            "Close some, or try again later."
        )
