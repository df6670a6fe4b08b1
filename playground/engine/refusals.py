"""Refusals of the engine service, in words."""

from playground.engine.limits import START_SECONDS_MAX, Budget

ENDED = "The process that works on this has ended. Try again."
BUSY = "This server is busy with what others sent. Try again in a minute."
STARTS_SLOWLY = (
    f"The process that would work on this has not started within {START_SECONDS_MAX:.0f} s: this machine is busy. "
    "Nothing was stored. Try again in a minute."
)
TOO_MANY_OF_ADDRESS = "Too many questions from your address wait already. Try again in a minute."


class NotAnswered(Exception):
    """A question refused, or over its budget. The message says why and what to do; ``status`` is HTTP's."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status


class OverBudget(NotAnswered):
    """A question took more than its time."""


class WorkFailed(Exception):
    """The work ended with an error of its own, which is a defect."""


def too_many(number: int) -> NotAnswered:
    """The refusal of a question of somebody who has so many already."""
    return NotAnswered(f"{number} questions of yours are still being worked on. Wait until one is done.", 429)


def too_long(budget: Budget) -> OverBudget:
    """The refusal of a question that took more than its time."""
    return OverBudget(
        f"This took more than {budget.seconds_max:.0f} s, which is the limit. Send less: fewer topics, shorter texts, "
        "a shorter run.",
        413,
    )
