"""Counts open sockets of each browser and of each address: one page has one.

Who may act in a run always gets some pages of it, whatever others at the same address have open.
"""

from collections import Counter

from playground.rooms.evict_rooms import RoomFull
from playground.rooms.hub import Viewer
from playground.rooms.limits import OWNER_PAGES_KEPT, SOCKETS_A_BROWSER_MAX, SOCKETS_AN_ADDRESS_MAX


class OpenSockets:
    """The sockets of one web process. A browser without a cookie counts for its address only."""

    def __init__(self) -> None:
        self._of_browser: Counter[str] = Counter()
        self._of_address: Counter[str] = Counter()

    def open(self, viewer: Viewer) -> None:
        """One more; ``close`` gives it back. Raises RoomFull, and counts nothing, at a limit."""
        if viewer.browser and self._of_browser[viewer.browser] >= SOCKETS_A_BROWSER_MAX:
            raise RoomFull(f"This browser has {SOCKETS_A_BROWSER_MAX} pages of runs open, the limit. Close some first.")
        is_kept = viewer.may_act and self._of_browser[viewer.browser] < OWNER_PAGES_KEPT
        if viewer.address and not is_kept and self._of_address[viewer.address] >= SOCKETS_AN_ADDRESS_MAX:
            most = SOCKETS_AN_ADDRESS_MAX
            raise RoomFull(f"{most} pages of runs are open from your address, the limit. Close some, or try later.")
        self._of_browser[viewer.browser] += 1
        self._of_address[viewer.address] += 1

    def close(self, viewer: Viewer) -> None:
        """One less."""
        for counter, key in ((self._of_browser, viewer.browser), (self._of_address, viewer.address)):
            counter[key] -= 1
            if not counter[key]:
                del counter[key]
