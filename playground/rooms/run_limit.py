"""The limit of events for one run, and the words where a run ends at it, by the form of the engine that runs it.

A room stops in the frame that passes the limit, so a replay of what it showed may need a little more.
"""

from playground.rooms.limits import RUN_EVENTS_MAX


def events_max(form: str) -> int:
    """Events of one run in a form of the engine."""
    return RUN_EVENTS_MAX[form]


def is_over(events: int, form: str) -> bool:
    """True if a replay has gone beyond everything that a room can have shown: 1 % above the limit."""
    return events > events_max(form) * 101 // 100


def limit_words(form: str) -> str:
    """The notice of a run at its limit."""
    return (
        f"This run has reached {events_max(form):,} events, the limit of one run. "
        "Carry on as a new run from this state."
    )
