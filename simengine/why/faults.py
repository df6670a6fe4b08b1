"""Which actions of a run are faults: what broke something, and did."""

from typing import Final

from simengine.facts.decisive import ActionDone
from simengine.scenario.actions import DISKS
from simengine.why.past import Past

FAULTS: Final = ("kill", "kill-rack", "stop", "pause", "cut", "power-loss")


def verb(action: str) -> str:
    """The first word of an action."""
    return action.split(" ", 1)[0]


def is_emptied(action: str) -> bool:
    """Whether a broker starts with a disk that was replaced or wiped."""
    words = action.split(" ")
    return words[0] == "start" and len(words) > 2 and words[2] in DISKS


def is_fault(done: ActionDone) -> bool:
    """Whether an action may break something."""
    return done.verb in FAULTS or is_emptied(done.text)


def faults_of(past: Past) -> list[ActionDone]:
    """The actions that are one of ``FAULTS``, or a start with a disk that has nothing on it, and had an effect.

    A dead broker that is killed again is no fault: nothing follows from it.
    """
    done = past.of(ActionDone)
    return [fact for fact in done if is_fault(fact) and past.has_followed(fact)]
