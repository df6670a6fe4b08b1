"""One link of a chain, and what its role in it may be."""

from typing import Final, NamedTuple

ACKED: Final = "acked"
MISSING: Final = "missing"
SETTING: Final = "setting"
ISR: Final = "isr"
FAULT: Final = "fault"
ELECTION: Final = "election"
LOST: Final = "lost"
CUT: Final = "truncated"


class Link(NamedTuple):
    """One sentence of a chain."""

    seq: int
    t: int
    role: str
    text: str
    rules: tuple[str, ...]
    action: str  # what somebody did that this goes back to, "" for nothing
    action_t: int
