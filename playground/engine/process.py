"""The engine's own process: runs of several rooms behind one pipe.

Why a process: compiled code holds the interpreter's lock and an interpreted run competes for it, so a busy run in the
web process would stall every socket. Measured on two busy cores, 30 frames/s to 100 sockets, delay of the last one
(tests/rooms/bench_engine_place.py, compiled): no run p50 2 ms, p99 9 ms; own process 5 and 21; thread 19 and 107; the
interpreted form is alike (8 against 21 ms p50). Requests come on standard input,
answers leave on standard output (``pipe``); one request is one bounded piece of work, done in order. The end of
standard input is the end of the process: it cannot outlive its parent.
"""

import gc
import os
import sys
import traceback
from collections.abc import Callable
from typing import Any, BinaryIO

import msgpack

from playground.engine.pipe import FAILED, LENGTH, OK, REFUSED
from playground.rooms.run import Run
from simengine.world import Refused

Operation = Callable[..., Any]


class EngineProcess:
    """Answers requests about runs, by name of the operation."""

    def __init__(self) -> None:
        self.runs: dict[str, Run] = {}

    def answer(self, room: str, operation: str, arguments: list[Any]) -> tuple[str, Any]:
        """(status, result): a refusal or failure of one run touches no other."""
        try:
            return OK, self._do(room, operation, arguments)
        except Refused as refusal:
            return REFUSED, str(refusal)
        except Exception as error:  # noqa: BLE001  # a broken invariant, a bad document: the room is told and decides
            return FAILED, {"error": f"{type(error).__name__}: {error}", "trace": traceback.format_exc()}

    def _do(self, room: str, operation: str, arguments: list[Any]) -> Any:
        if operation == "open":
            self.runs[room] = Run(*arguments)
            gc.collect()
            gc.freeze()  # the world stays: later collections look at young objects only
            run = self.runs[room]
            return {"names": run.world.names(), "t": run.world.now_us, "drawn": run.drawn}
        if operation == "close":
            self.runs.pop(room, None)
            gc.unfreeze()
            gc.collect()
            gc.freeze()
            return None
        if operation not in OPERATIONS:
            raise ValueError(f"a run has no operation {operation!r}")
        handler: Operation = getattr(self.runs[room], operation)
        return handler(*arguments)


OPERATIONS = frozenset(
    (
        "advance",
        "advance_to_seq",
        "step",
        "replay",
        "act",
        "view",
        "digest",
        "seq",
        "without_effect",
        "nothing_done",
        "sentence",
        "told",
        "verdict",
        "decisive",
        "view_at",
        "verdict_at",
        "metrics_at",
        "rows_between",
        "is_due",
    )
)


def serve(requests: BinaryIO, answers: BinaryIO) -> None:
    """Answer until the requests end."""
    process = EngineProcess()
    while len(head := requests.read(LENGTH.size)) == LENGTH.size:
        number, room, operation, arguments = msgpack.unpackb(
            requests.read(LENGTH.unpack(head)[0]), strict_map_key=False
        )
        status, result = process.answer(room, operation, arguments)
        body = msgpack.packb([number, status, result], default=_plain)
        try:
            answers.write(LENGTH.pack(len(body)))
            answers.write(body)
            answers.flush()
        except BrokenPipeError:  # the web process has gone: so does this one
            os.dup2(os.open(os.devnull, os.O_WRONLY), answers.fileno())
            return


def _plain(value: object) -> object:
    if isinstance(value, tuple):
        return list(value)
    raise TypeError(f"{type(value).__name__} does not travel between processes")


def main() -> None:
    """Take the pipe away from ``print``, then serve."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    serve(sys.stdin.buffer, answers)


if __name__ == "__main__":
    main()
