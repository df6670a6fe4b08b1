"""The process of a stranger: it does one attack, is ended after its time, and says what it got."""

import multiprocessing
import os
import resource
import threading
from collections.abc import Callable
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Event
from typing import Final

from tests.faults.strangers.attacks import ATTACKS
from tests.faults.strangers.stranger import Stranger, Target

TELL_S: Final = 5.0  # a stranger that says nothing by then is killed
READY_S: Final = 30.0
FILES_MAX: Final = 4_096


def attacked(name: str, target: Target, until: Callable[[Event], object]) -> dict[str, int]:
    """Attack until `until` returns, which is given the event of the attack's own end. Returns what the stranger got."""
    context = multiprocessing.get_context("spawn")
    is_over, (here, there) = context.Event(), context.Pipe(duplex=False)
    stranger = context.Process(target=_be_one, args=(name, target, is_over, there), daemon=True)
    stranger.start()
    try:
        if here.poll(READY_S):  # imports take seconds on a busy machine
            here.recv()
        until(is_over)
        is_over.set()
        return here.recv() if here.poll(TELL_S) else {"nothing told": 1}
    except EOFError:
        return {"nothing told": 1}
    finally:
        stranger.kill()
        stranger.join()


def _be_one(name: str, target: Target, is_over: Event, told: Connection) -> None:
    """The whole life of the process; what is open ends with it."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, FILES_MAX) if hard > 0 else FILES_MAX, hard))
    stranger = Stranger(target, is_over)
    attack = next(row.attack for row in ATTACKS if row.name == name)

    def work() -> None:
        stranger.tried(lambda: attack(stranger))
        is_over.set()

    told.send({})
    threading.Thread(target=work, daemon=True).start()
    is_over.wait()
    for last in stranger.at_the_end:
        stranger.tried(last)
    if number := stranger.unanswered():
        stranger.got["no answer"] += number
    told.send(dict(stranger.got))
    os._exit(0)
