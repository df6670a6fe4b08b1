"""The runs that an engine process holds for live rooms, asked by name of the operation."""

import gc
import traceback
from collections.abc import Callable
from typing import Any

from playground.engine.once import work_at
from playground.engine.pipe import FAILED, NO_MEMORY, OK, REFUSED, UNREADABLE
from playground.engine.problems import problems_of
from playground.engine.works import RUN
from simengine.scenario import DocumentError
from simengine.scenario.not_simulated import not_simulated
from simengine.world.world import Refused

Operation = Callable[..., Any]


class Runs:
    """Answers requests about runs; a refusal or failure of one run touches no other."""

    def __init__(self) -> None:
        self.runs: dict[str, Any] = {}

    def answer(self, room: str, operation: str, arguments: list[Any]) -> tuple[str, Any]:
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
        self._close(room)  # outside ``except``: the error holds on to the run
        return NO_MEMORY, None

    def _do(self, room: str, operation: str, arguments: list[Any]) -> Any:
        if operation == "open":
            self.runs.pop(room, None)  # one that begins anew is not kept beside the new one
            run = self.runs[room] = work_at(RUN)(*arguments)
            gc.collect()
            gc.freeze()  # the world stays: later collections look at young objects only
            return {
                "names": run.world.names(),
                "drawn": run.drawn,
                "not_simulated": not_simulated(run.world.doc),
                "fails_by_itself": run.fails_by_itself,
            }
        if operation == "close":
            return self._close(room)
        if operation not in OPERATIONS:
            raise ValueError(f"a run has no operation {operation!r}")
        if room not in self.runs:
            raise MemoryError  # it was closed for that
        handler: Operation = getattr(self.runs[room], operation)
        return handler(*arguments)

    def _close(self, room: str) -> None:
        self.runs.pop(room, None)
        gc.unfreeze()
        gc.collect()
        gc.freeze()


OPERATIONS = frozenset(
    (
        "advance",
        "advance_to_seq",
        "step",
        "replay",
        "act",
        "view",
        "document",
        "described",
        "still",
        "carried_on",
        "digest",
        "seq",
        "without_effect",
        "nothing_done",
        "sentence",
        "verdict",
        "verdict_told",
        "decisive",
        "view_at",
        "verdict_at",
        "metrics_at",
        "alerts",
        "rows_between",
        "is_due",
    )
)
