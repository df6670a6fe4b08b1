"""What the executor does at a later time: the actions of the timeline."""

from typing import TYPE_CHECKING

from simengine.kernel.calendar import Event
from simengine.scenario.actions import Action

if TYPE_CHECKING:
    from simengine.execution import Executor


class ActionEvent(Event):
    """An action of the timeline: ``number`` is its place there, ``text`` what stands there."""

    def __init__(self, executor: "Executor", action: Action, number: int, text: str) -> None:
        super().__init__()
        self._text = text
        self._executor = executor
        self._action = action
        self._number = number

    def fire(self) -> None:
        self._executor.do_of_timeline(self._action, self._number, self._text)
