"""The actions of a run that are faults: they may break something, and changed something."""

from typing import Final

from simengine.explain.fact_index import FactIndex
from simengine.facts.decisive import ActionDone
from simengine.scenario.actions import is_emptied
from simengine.scenario.verb import FAULT
from simengine.scenario.verbs import with_trait

FAULTS: Final = with_trait(FAULT)


def is_fault(done: ActionDone) -> bool:
    """True if an action may break something."""
    return done.verb in FAULTS or is_emptied(done.verb, done.args)


def faults_of(past: FactIndex) -> list[ActionDone]:
    """The actions that are one of ``FAULTS``, or a start with a disk that has nothing on it, and had an effect.

    A dead broker that is killed again is no fault: nothing follows from it.
    """
    done = past.of(ActionDone)
    return [fact for fact in done if is_fault(fact) and past.has_followed(fact)]
