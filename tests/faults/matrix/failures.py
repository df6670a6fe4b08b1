"""The failures: a process killed, or stopped for a while or for good; a full disk; a locked database."""

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import Final

import psutil

from tests.faults.matrix.instance import Used
from tests.faults.matrix.small_disk import Disk

KILL: Final = "kill -9"
FREEZE: Final = "frozen for 20 s"
HANG: Final = "hangs"
FULL: Final = "disk full"
LOCKED: Final = "database locked"
OF_A_PROCESS: Final = (KILL, FREEZE, HANG)
OF_THE_DISK: Final = (FULL, LOCKED)
REPLACED: Final = ("web", "worker", "Valkey")  # by the supervisor, when they hang
FREEZE_SECONDS: Final = 20.0
REPLACED_SECONDS_MAX: Final = 60.0  # asked within 5 s and silent for 30 s; the rest is for a busy machine
FULL_SECONDS: Final = 12.0
LOCKED_SECONDS: Final = 23.0  # longer than any writer waits

ENOUGH_SECONDS_MAX: Final = 60.0

IsEnough = Callable[[], bool] | None


@contextmanager
def failing(failure: str, part: str, instance: Used, disk: Disk, is_enough: IsEnough = None) -> Iterator[None]:
    """The failure, for as long as it lasts; what it hit goes on afterwards, or is started again.

    `is_enough`: says when a full disk has lasted long enough, where it is not to last as long as in the table.
    """
    if failure in OF_A_PROCESS:
        _process(failure, instance.part(part))
        if failure == KILL and part == "supervisor":
            assert instance.process is not None
            instance.process.wait()
            instance.start()
        yield
    elif failure == FULL:
        disk.fill()
        try:
            _wait(is_enough)
        finally:
            disk.make_space()
        yield
    else:
        with closing(sqlite3.connect(instance.data / "highwater.sqlite3", timeout=60, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            time.sleep(LOCKED_SECONDS)
            other.execute("ROLLBACK")
        yield


def _wait(is_enough: IsEnough) -> None:
    if is_enough is None:
        time.sleep(FULL_SECONDS)
        return
    deadline = time.monotonic() + ENOUGH_SECONDS_MAX
    while not is_enough() and time.monotonic() < deadline:
        time.sleep(0.05)


def _process(failure: str, processes: list[psutil.Process]) -> None:
    assert processes, "the part does not run"
    if failure == KILL:
        _each(processes, psutil.Process.kill)
        return
    _each(processes, psutil.Process.suspend)
    if failure == HANG:
        psutil.wait_procs(processes, timeout=REPLACED_SECONDS_MAX)  # one that is not ended is missed afterwards
        return
    try:
        time.sleep(FREEZE_SECONDS)
    finally:
        _each(processes, psutil.Process.resume)


def _each(processes: list[psutil.Process], do: Callable[[psutil.Process], None]) -> None:
    for process in processes:
        try:
            do(process)
        except psutil.NoSuchProcess:
            continue  # it ended meanwhile, with the one that it belongs to
