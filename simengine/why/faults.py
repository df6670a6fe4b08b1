"""Which actions of a run are faults: what broke something, and did."""

from typing import Final

from simengine.facts.kinds import ACTION_DONE, LINK_CHANGED
from simengine.facts.trace import Decisive
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


def faults_of(past: Past) -> list[Decisive]:
    """The actions that are one of ``FAULTS``, or a start with a disk that has nothing on it, and had an effect.

    A dead broker that is killed again is no fault: nothing follows from it.
    """
    done = past.of(ACTION_DONE)
    return [fact for fact in done if (verb(fact.text) in FAULTS or is_emptied(fact.text)) and past.has_followed(fact)]


def clients_cut(past: Past, at_us: int) -> dict[tuple[int, int], bool]:
    """The clients and the brokers between which a fault of that moment cut the connection, in a direction or both."""
    cuts = [fact.values for fact in past.at(at_us) if fact.kind == LINK_CHANGED and fact.values[2]]
    return {(-1 - min(ends), max(ends)): True for *ends, _, _ in cuts if min(ends) < 0}
