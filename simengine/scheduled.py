"""What the executor does at a later time: actions of the timeline, and what takes a controller a while."""

from typing import TYPE_CHECKING

from simengine.kafka.quorum import Controller
from simengine.kernel.calendar import Event
from simengine.scenario.actions import Action

if TYPE_CHECKING:
    from simengine.execution import Executor


class ActionEvent(Event):
    """An action of the timeline."""

    def __init__(self, executor: "Executor", action: Action) -> None:
        super().__init__()
        self._executor = executor
        self._action = action

    def fire(self) -> None:
        self._executor.do(self._action)


class ControllerStops(Event):
    """A controller's clean stop is complete."""

    def __init__(self, executor: "Executor", node: Controller, cause: int) -> None:
        super().__init__()
        self._executor = executor
        self._node = node
        self._cause = cause

    def fire(self) -> None:
        self._executor.controller_stops(self._node, self._cause)


class ControllerStarts(Event):
    """A controller's process is up."""

    def __init__(self, executor: "Executor", node: Controller, cause: int) -> None:
        super().__init__()
        self._executor = executor
        self._node = node
        self._cause = cause

    def fire(self) -> None:
        self._executor.controller_starts(self._node, self._cause)
