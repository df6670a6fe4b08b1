"""An engine process: it answers questions, or requests about the runs of several rooms that it holds, behind one pipe.

Why a process: compiled code holds the interpreter's lock and an interpreted run competes for it, so a busy run in the
web process would stall every socket. Measured on two busy cores, 30 frames/s to 100 sockets, delay of the last one
(tests/rooms/bench_engine_place.py, compiled): no run p50 2 ms, p99 9 ms; own process 5 and 21; thread 19 and 107; the
interpreted form is alike (8 against 21 ms p50). Requests come on standard input,
answers leave on standard output (``pipe``); one request is done after another. The end of standard input is the end of
the process: it cannot outlive its parent.
"""

import contextlib
import os
import pickle
import resource
import sys
from importlib import import_module
from typing import Any, BinaryIO

from playground.engine import once
from playground.engine.limits import LIVE_MEMORY_BYTES_MAX, MEMORY_BYTES_MAX, NICENESS
from playground.engine.pipe import LARGE, LENGTH, QUESTIONS, READY, READY_NUMBER, packed
from playground.engine.runs import Runs
from playground.engine.works import ServiceQuestion


def serve(requests: BinaryIO, answers: BinaryIO) -> None:
    """Say that this process is ready, then answer until the requests end."""
    runs = Runs()
    _write(answers, [READY_NUMBER, READY, None])
    while len(head := requests.read(LENGTH.size)) == LENGTH.size:
        number, room, asked, arguments = pickle.loads(requests.read(LENGTH.unpack(head)[0]))
        found = once.answers(asked) if isinstance(asked, ServiceQuestion) else [runs.answer(room, asked, arguments)]
        try:
            for status, result in found:
                _write(answers, [number, status, result])
        except BrokenPipeError:  # the web process has gone: so does this one
            os.dup2(os.open(os.devnull, os.O_WRONLY), answers.fileno())
            return


def _write(answers: BinaryIO, answer: list[Any]) -> None:
    body = packed(answer)
    answers.write(LENGTH.pack(len(body)))
    answers.write(body)
    answers.flush()


def _bound_memory(most_bytes: int) -> None:
    """Bound the memory of a process that works on what strangers send."""
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    limit = most_bytes if most == resource.RLIM_INFINITY else min(most_bytes, most)
    with contextlib.suppress(ValueError, OSError):  # not every system bounds its address space
        resource.setrlimit(resource.RLIMIT_AS, (limit, most))


def _give_way() -> None:
    """Let the page and the small rooms go first: this process works long, and wakes up ahead of nobody."""
    if hasattr(os, "SCHED_BATCH"):  # Linux has it
        os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))
    os.nice(NICENESS)


def main(argv: list[str]) -> None:
    """Take the pipe away from ``print``, import the modules that are named behind the kind, then serve."""
    kind, *modules = argv
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    _bound_memory(MEMORY_BYTES_MAX if kind == QUESTIONS else LIVE_MEMORY_BYTES_MAX)
    if kind in (QUESTIONS, LARGE):
        _give_way()
    for module in modules:
        import_module(module)
    serve(sys.stdin.buffer, answers)


if __name__ == "__main__":
    main(sys.argv[1:])
