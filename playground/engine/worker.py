"""A process that answers questions, one after another. The end of standard input is its end: it outlives no parent."""

import contextlib
import json
import os
import resource
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any, BinaryIO

import msgpack

from playground.engine.limits import ANSWER_BYTES_MAX, MEMORY_BYTES_MAX
from playground.engine.pipe import FAILED, LENGTH, OK, REFUSED
from playground.engine.works import WORKS

TOO_MUCH_MEMORY = "it needs too much memory"
TOO_LONG_AN_ANSWER = "the answer is too long"


def answer(name: str, argument: Any) -> tuple[str, Any]:
    """(status, result); REFUSED with what was too much, FAILED with an error of the work's own."""
    try:
        module, _, function = WORKS[name].partition(":")
        work: Callable[[Any], Any] = getattr(import_module(module), function)
        return OK, work(argument)
    except MemoryError:
        return REFUSED, TOO_MUCH_MEMORY
    except RecursionError:
        return REFUSED, "it is nested too deeply"
    except Exception as error:  # noqa: BLE001  # told to whoever asked; the next question is answered
        return FAILED, f"{type(error).__name__}: {error}"


def serve(requests: BinaryIO, answers: BinaryIO) -> None:
    """Answer [name, argument] with [status, result as JSON] until the requests end."""
    while len(head := requests.read(LENGTH.size)) == LENGTH.size:
        name, argument = msgpack.unpackb(requests.read(LENGTH.unpack(head)[0]), strict_map_key=False)
        body = _packed(*answer(name, argument))
        if len(body) > ANSWER_BYTES_MAX:
            body = _packed(REFUSED, TOO_LONG_AN_ANSWER)
        answers.write(LENGTH.pack(len(body)) + body)
        answers.flush()


def _packed(status: str, result: Any) -> bytes:
    try:
        text = json.dumps(result)
    except MemoryError:
        status, text = REFUSED, json.dumps(TOO_MUCH_MEMORY)
    packed: bytes = msgpack.packb([status, text])
    return packed


def _bound_memory() -> None:
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    limit = MEMORY_BYTES_MAX if most == resource.RLIM_INFINITY else min(MEMORY_BYTES_MAX, most)
    with contextlib.suppress(ValueError, OSError):  # not every system bounds its address space
        resource.setrlimit(resource.RLIMIT_AS, (limit, most))


def main() -> None:
    """Take the pipe away from ``print``, bound the memory, then serve."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    _bound_memory()
    for path in WORKS.values():
        import_module(path.partition(":")[0])
    serve(sys.stdin.buffer, answers)


if __name__ == "__main__":
    main()
