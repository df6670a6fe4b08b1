"""Timed tasks of the executor: the actions of the timeline."""

from typing import TYPE_CHECKING

from simengine.kernel.calendar import Event
from simengine.scenario.actions import Action

if TYPE_CHECKING:
    from simengine.world.execution import Executor


class ActionEvent(Event):
    """An action of the timeline: ``number`` is its place there, ``told`` what stands there.

    ``others``: the executors of further clusters that are asked for the same.
    """

    def __init__(
        self, executor: "Executor", action: Action, number: int, told: Action, others: list["Executor"]
    ) -> None:
        super().__init__()
        self._told = told
        self._executor = executor
        self._action = action
        self._number = number
        self._others = others

    def fire(self) -> None:
        cause = self._executor.do_of_timeline(self._action, self._number, self._told)
        for executor in self._others:
            executor.do_as_well(self._action, cause)
