"""The measures of a still: as wide as eight records a copy need, or drawn for a narrower place.

A narrow picture has fewer records a copy, and the name of a partition above its row, so that its words keep their size
where the picture stands: it is not scaled down.
"""

from dataclasses import dataclass
from typing import Final

SLOTS: Final = 8
SLOTS_MIN: Final = 4
PITCH: Final = 24
CELL_HEIGHT: Final = 78
HEAD_HEIGHT: Final = 46
NAME_WIDTH: Final = 118
LINE_HEIGHT: Final = 18  # of the words that a narrow picture has above its columns and above each row
NAME_LETTERS: Final = 15  # of a partition, beside its row
STATE_LETTERS: Final = 14  # of its state
LETTER_WIDTH: Final = 7  # of the words in a copy, at most


@dataclass(frozen=True, slots=True)
class Layout:
    """The measures of one picture, in px. `slots`: records of a copy that are drawn."""

    slots: int = SLOTS
    is_narrow: bool = False

    @property
    def pad(self) -> int:
        """Left and right of the records of a copy."""
        return 4 if self.is_narrow else 8

    @property
    def gap(self) -> int:
        """Between columns, and between rows."""
        return 4 if self.is_narrow else 8

    @property
    def cell_width(self) -> int:
        """The width of a copy."""
        return self.slots * PITCH + 2 * self.pad

    @property
    def lifted(self) -> int:
        """The height of the words above the columns, and above each row."""
        return LINE_HEIGHT if self.is_narrow else 0

    def x_of(self, column: int) -> int:
        """The left side of a column."""
        return (0 if self.is_narrow else NAME_WIDTH) + column * (self.cell_width + self.gap)

    def y_of(self, row: int) -> int:
        """The upper side of a row, where its name stands in a narrow picture."""
        return self.lifted + HEAD_HEIGHT + row * (self.lifted + CELL_HEIGHT + self.gap)

    def letters(self, columns: int) -> int:
        """The letters that the name of a partition may have."""
        return max(NAME_LETTERS, self.x_of(columns) // 8 - STATE_LETTERS) if self.is_narrow else NAME_LETTERS

    def fits(self, *words: str) -> bool:
        """True if words have room beside each other in the width of a copy."""
        return sum(map(len, words)) * LETTER_WIDTH <= self.cell_width - 2 * self.pad


WIDE: Final = Layout()


def layout_for(width: int | None, columns: int) -> Layout:
    """The layout of a picture of so many columns for a place of this width; None: any width will do."""
    if width is None or WIDE.x_of(columns) <= width:
        return WIDE
    narrow = Layout(SLOTS_MIN, is_narrow=True)
    slots = (width // max(1, columns) - narrow.gap - 2 * narrow.pad) // PITCH
    return Layout(max(SLOTS_MIN, min(SLOTS, slots)), is_narrow=True)


def columns_for(width: int | None, most: int) -> int:
    """The most columns of a picture: `most`, or as many of the narrowest as fit."""
    narrowest = Layout(SLOTS_MIN, is_narrow=True)
    return most if width is None else max(1, min(most, width // (narrowest.cell_width + narrowest.gap)))
