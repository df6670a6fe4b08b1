"""A row of the table of facts: one kind."""

from typing import NamedTuple

from simengine.facts.kinds import FIRST_TRAFFIC


class Fact(NamedTuple):
    """One kind of fact: its number and name, what it says, and its fields with the unit or meaning of each."""

    number: int
    name: str
    meaning: str
    fields: dict[str, str]  # integers
    id_lists: dict[str, str] = {}  # lists of integers
    texts: dict[str, str] = {}  # at most one
    is_action: bool = False  # its text is an action: readers have its verb and its arguments by name

    @property
    def ints(self) -> tuple[str, ...]:
        """Names of its integers, in the order of a row."""
        return tuple(self.fields)

    @property
    def lists(self) -> tuple[str, ...]:
        """Names of its lists, in the order of a row."""
        return tuple(self.id_lists)

    @property
    def text(self) -> str:
        """Name of its text; "" where it has none."""
        return next(iter(self.texts), "")

    @property
    def is_decisive(self) -> bool:
        """True if it is kept for the whole run."""
        return self.number < FIRST_TRAFFIC
