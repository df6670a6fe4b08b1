"""The random fault model of a document: every broker fails and is repaired at times of its own stream.

Failures are actions like those of the timeline, at times that depend on the seed and the broker alone: the variants of an
experiment fail at the same moments.
"""

from simengine.execution import Executor
from simengine.kafka.broker import Broker
from simengine.kernel.calendar import Event
from simengine.scenario.actions import Action
from simengine.scenario.model import Faults

UNDO = {"kill": "start", "stop": "start", "pause": "resume"}


class BrokerFaults(Event):
    """The next failure or repair of one broker."""

    def __init__(self, executor: Executor, broker: Broker, faults: Faults) -> None:
        super().__init__()
        self._executor = executor
        self._broker = broker
        self._faults = faults
        self._stream = executor.sim.stream(broker.name, "failures")
        self._is_down = False
        self._wait(faults.broker_mttf_us)

    def _wait(self, mean_us: int) -> None:
        calendar = self._executor.sim.calendar
        calendar.push_action(self, self._executor.sim.now + 1 + self._stream.exponential(mean_us))

    def fire(self) -> None:
        name = str(int(self._broker.id))
        if self._is_down:
            self._executor.do(Action(UNDO[self._faults.kind], (name,)))
            self._wait(self._faults.broker_mttf_us)
        else:
            self._executor.do(Action(self._faults.kind, (name,)))
            self._wait(self._faults.broker_mttr_us)
        self._is_down = not self._is_down
