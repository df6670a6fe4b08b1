"""The random fault model of a document: every broker fails and is repaired at times of its own stream.

Failures are actions like those of the timeline, at times that depend on the seed and the broker alone: variants of an
experiment fail at the same moments.
"""

from simengine.kafka.broker.broker import Broker
from simengine.kernel.calendar import Event
from simengine.scenario.actions import Action
from simengine.scenario.model import Faults
from simengine.scenario.verbs import VERBS
from simengine.world.execution import Executor

STREAM = "failures"
UNDO = {name: verb.undo for name, verb in VERBS.items() if verb.undo}


class BrokerFaults(Event):
    """The next failure or repair of one broker."""

    def __init__(self, executor: Executor, broker: Broker, faults: Faults) -> None:
        super().__init__()
        self._executor = executor
        self._broker = broker
        self._faults = faults
        self._stream = executor.sim.stream(broker.name, STREAM)
        self._is_down = False
        self._wait(faults.broker_mttf_us)

    def _wait(self, mean_us: int) -> None:
        at_us = int(self._executor.sim.now + 1 + self._stream.exponential(mean_us))
        last_us = self._faults.until_us
        if self._is_down or last_us is None or at_us <= last_us:
            self._executor.sim.calendar.push_action(self, at_us)

    def fire(self) -> None:
        """Fail, or come back."""
        name = str(int(self._broker.site.kafka_id(self._broker.id)))
        verb = UNDO[self._faults.kind] if self._is_down else self._faults.kind
        told = Action(verb, (f"{self._broker.site.prefix}{name}",))
        self._executor.do(Action(verb, (name,)), told)
        self._is_down = not self._is_down
        self._wait(self._faults.broker_mttr_us if self._is_down else self._faults.broker_mttf_us)
