"""The runs that an engine process holds for live rooms, asked by the function to call on a run."""

import gc
import traceback
from collections.abc import Callable
from typing import Any, Protocol, TypeVarTuple

from playground.engine.pipe import FAILED, NO_MEMORY, OK, REFUSED, UNREADABLE
from playground.engine.problems import problems_of
from simengine.scenario import DocumentError
from simengine.world.world import Refused

Operation = Callable[..., Any]  # the first argument is the run
A = TypeVarTuple("A")


class HeldRun(Protocol):
    """The run of a live room, of which an operation is a method."""

    def opened(self) -> dict[str, Any]:
        """The facts that the room needs to begin."""


class Runs:
    """Answers requests about runs; a refusal or failure of one run touches no other."""

    def __init__(self) -> None:
        self.runs: dict[str, HeldRun] = {}

    def answer(self, room: str, operation: Operation, arguments: tuple[Any, ...]) -> tuple[str, Any]:
        """(status, result)."""
        try:
            return OK, self._do(room, operation, arguments)
        except Refused as refusal:
            return REFUSED, str(refusal)
        except DocumentError as error:
            return UNREADABLE, problems_of(error)
        except MemoryError:
            pass
        except Exception as error:  # noqa: BLE001  # a broken invariant: the room is told and decides
            return FAILED, {"error": f"{type(error).__name__}: {error}", "trace": traceback.format_exc()}
        self.close(room)  # outside ``except``: the error holds on to the run
        return NO_MEMORY, None

    def _do(self, room: str, operation: Operation, arguments: tuple[Any, ...]) -> Any:
        if operation in (Runs.open, Runs.close):
            return operation(self, room, *arguments)
        if room not in self.runs:
            raise MemoryError  # it was closed for that
        return operation(self.runs[room], *arguments)

    def open(self, room: str, build: Callable[[*A], HeldRun], *arguments: *A) -> dict[str, Any]:
        """Build the run of a room."""
        self.runs.pop(room, None)  # one that begins anew is not kept beside the new one
        run = self.runs[room] = build(*arguments)
        gc.collect()
        gc.freeze()  # the world stays: later collections look at young objects only
        return run.opened()

    def close(self, room: str) -> None:
        """Forget the run of a room."""
        self.runs.pop(room, None)
        gc.unfreeze()
        gc.collect()
        gc.freeze()
