"""Ids of rooms. A run has one room, which everybody shares; a shared copy has a room for each browser that opens it,
since nobody owns its clock.
"""

from dataclasses import dataclass
from typing import Final

SEPARATOR: Final = "~"
BROWSER_SHOWN: Final = 12


@dataclass(frozen=True)
class RoomName:
    """``scenario`` or ``scenario~browser``."""

    scenario_id: str
    browser: str = ""

    def __str__(self) -> str:
        return f"{self.scenario_id}{SEPARATOR}{self.browser}" if self.browser else self.scenario_id

    @classmethod
    def read(cls, text: str) -> "RoomName":
        """The name in a link."""
        scenario_id, _, browser = text.partition(SEPARATOR)
        return cls(scenario_id, browser)

    @classmethod
    def of(cls, scenario_id: str, *, is_frozen: bool, browser_key: str) -> "RoomName":
        """The room in which this browser sees a document."""
        return cls(scenario_id, browser_key[:BROWSER_SHOWN] if is_frozen else "")

    @property
    def is_private(self) -> bool:
        """True if it belongs to one browser."""
        return bool(self.browser)

    def is_open_to(self, browser_key: str) -> bool:
        """True if this browser may enter."""
        return not self.browser or browser_key[:BROWSER_SHOWN] == self.browser
