"""How many events one run may have, and what is said where it ends.

A room stops in the frame that passes the limit, so a replay of what it showed may need a little more.
"""

from playground.rooms.limits import RUN_EVENTS_MAX
from simengine import engine_form


def events_max() -> int:
    """Events of one run in this form of the engine."""
    return RUN_EVENTS_MAX[engine_form()]


def is_over(events: int) -> bool:
    """Whether a replay has gone beyond everything that a room can have shown: 1 % above the limit."""
    return events > events_max() * 101 // 100


def limit_words() -> str:
    """What a run at its limit says."""
    return f"This run has reached {events_max():,} events, the limit of one run. Carry on as a new run from this state."
