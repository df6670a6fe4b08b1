"""A paste as its readers take it: clean lines, without what stands around them."""

from collections.abc import Callable
from typing import Final

from simengine.importers.stripping.borders import without_borders, without_right_sides
from simengine.importers.stripping.diffs import without_diff
from simengine.importers.stripping.found import StrippedLines
from simengine.importers.stripping.numbers import without_numbers
from simengine.importers.stripping.prefixes import without_prefixes, without_quotes
from simengine.importers.stripping.spelled import without_spelled
from simengine.importers.stripping.strings import without_strings
from simengine.importers.text import Line, Paste, clean

LAYERS_MAX: Final = 4  # such as a diff in a quoted mail, with line numbers
_STRIPPERS: Final[tuple[Callable[[list[Line]], StrippedLines | None], ...]] = (
    without_strings,
    without_borders,
    without_quotes,
    without_numbers,
    without_prefixes,
    without_right_sides,
    without_diff,
    without_spelled,
)


def undecorated(text: str) -> Paste:
    """The lines of a text without its decorations, layer by layer; what was taken out of it is kept."""
    paste = clean(text)
    for _ in range(LAYERS_MAX):
        changed = [_strip(stripper, paste) for stripper in _STRIPPERS]
        if not any(changed):
            break
    return paste


def _strip(stripper: Callable[[list[Line]], StrippedLines | None], paste: Paste) -> bool:
    stripped = stripper(paste.lines)
    if stripped is None:
        return False
    paste.lines = stripped.lines
    paste.left += stripped.left
    paste.had_escapes = paste.had_escapes or stripped.has_escapes
    if stripped.note and stripped.note not in paste.notes:
        paste.notes.append(stripped.note)
    return True
