"""Carries out the actions of a timeline on a cluster.

An action is always possible: where it has no effect at its time (a dead broker is killed again) nothing follows its
``ActionDone``; where Kafka would answer an error, ``RequestRefused`` says so.
"""

from typing import TYPE_CHECKING

from simengine.facts.decisive import ActionDone
from simengine.scenario.actions import Action
from simengine.world.actions.admin import AdminActions
from simengine.world.actions.behaviour import Behaviour
from simengine.world.actions.brokers import BrokerActions
from simengine.world.actions.clients import ClientActions
from simengine.world.actions.links import LinkActions
from simengine.world.actions.processes import ProcessActions
from simengine.world.client_moves import ClientMoves
from simengine.world.configs import Configs

if TYPE_CHECKING:
    from simengine.world.assembly import ClusterBuild


class Executor:
    """Carries out actions on one assembled cluster."""

    def __init__(self, parts: "ClusterBuild", moves: ClientMoves) -> None:
        self.sim = parts.sim
        self._ground = parts.ground
        self.configs = Configs(parts.doc, parts.cluster.quorum, parts.cluster.own_topics())
        self.action_index_by_fact: dict[int, int] = {}  # ActionDone of an action of the timeline -> its place there
        self.no_effect_reasons: dict[int, str] = {}  # place in the timeline of an action that changed nothing -> why
        self.admin = AdminActions(parts, self.configs)
        self._verbs: dict[str, Behaviour] = {
            **ProcessActions(parts).verbs,
            **LinkActions(parts).verbs,
            **BrokerActions(parts).verbs,
            **ClientActions(parts, moves).verbs,
            **self.admin.verbs,
        }

    def do(self, action: Action, told: Action | None = None) -> int:
        """Carry out one action now; returns its ActionDone fact. ``told``: as the timeline has it, else as it is."""
        verb, args = told or action
        fact = ActionDone(0, index=self._ground.actions, verb=verb, args=list(args))
        cause = int(self.sim.trace.state(fact))
        self._ground.actions += 1
        process = self._ground.process_of(action)
        if self.admin.missing_topic(action):
            self.admin.refuse_unknown(action, cause)
        elif process is not None:
            process.do(action.verb, action.args, cause)
        else:
            self._verbs[action.verb].do(action.args, cause)
        return cause

    def do_of_timeline(self, action: Action, number: int, told: Action) -> int:
        """Carry out an action of the timeline, and take note of it where it changes nothing; its fact."""
        reason = self._why_idle(action)
        if reason:
            self.no_effect_reasons[number] = reason
        cause = self.do(action, told)
        self.action_index_by_fact[cause] = number
        return cause

    def do_as_well(self, action: Action, cause: int) -> None:
        """Do here what another cluster's executor has stated as the fact ``cause``: the action is of both."""
        self._verbs[action.verb].do(action.args, cause)

    def _why_idle(self, action: Action) -> str:
        """The reason why the action would change nothing now, as a clause about its subject; "" where it would."""
        missing = self.admin.missing_topic(action)
        if missing:
            return f"there is no topic {missing}"
        process = self._ground.process_of(action)
        return self._verbs[action.verb].why_idle(action.args) if process is None else process.why_idle(action.verb)
