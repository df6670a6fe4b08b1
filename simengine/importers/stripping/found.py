"""The result of a stripper."""

from dataclasses import dataclass, field

from simengine.importers.text import Line, RemovedLine


@dataclass(slots=True)
class StrippedLines:
    """The lines without one kind of decoration.

    ``left``: lines that were taken out; ``note``: a sentence to tell; ``has_escapes``: a program had quoted them.
    """

    lines: list[Line]
    left: list[RemovedLine] = field(default_factory=list)
    note: str = ""
    has_escapes: bool = False


def renumbered(parts: list[list[Line]]) -> list[Line]:
    """The pieces of lines as lines. If one line holds many, all are counted anew: the later one counts as later."""
    lines = [line for group in parts for line in group]
    return lines if len(lines) == len(parts) else [Line(number, line.text) for number, line in enumerate(lines, 1)]
