"""No process outlives its parent: the kernel kills a child when its parent dies, however the parent died.

On Linux a part asks for that itself before its program starts (`PR_SET_PDEATHSIG`), and the supervisor adopts what a
dead part leaves behind (`PR_SET_CHILD_SUBREAPER`), to end it. Elsewhere Ctrl-C ends everything, `kill -9` may not.
"""

import ctypes
import os
import signal
import sys
import time
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Final

PR_SET_PDEATHSIG: Final = 1  # linux/prctl.h
PR_SET_CHILD_SUBREAPER: Final = 36
STRAYS_SECONDS_MAX: Final = 3.0
PROC: Final = Path("/proc")

_libc = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


def die_with_parent(parent: int) -> Callable[[], None]:
    """The function that a child of process `parent` runs between fork and exec; it has only system calls in it."""

    def before_exec() -> None:
        if _libc is not None:
            _libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != parent:  # the parent died before the line above
            os._exit(1)

    return before_exec


def adopt_orphans() -> None:
    """Become the parent of descendants whose own parent dies, so that `end_strays` finds them."""
    if _libc is not None:
        _libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def children(parent: int) -> list[int]:
    """Process ids whose parent is `parent`, from /proc; empty where there is no /proc."""
    found = []
    for entry in PROC.iterdir() if PROC.exists() else ():  # a glob would fail on a process that ends meanwhile
        if not entry.name.isdigit():
            continue
        try:
            after_name = (entry / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it ended while we looked
        if int(after_name[1]) == parent:
            found.append(int(entry.name))
    return found


def end_strays(known: Collection[int]) -> None:
    """Kill every child of this process that is not in `known`: adopted orphans of a dead part, and then theirs."""
    deadline = time.monotonic() + STRAYS_SECONDS_MAX
    while strays := [pid for pid in children(os.getpid()) if pid not in known]:
        for pid in strays:
            _kill(pid)
        if time.monotonic() > deadline:
            return
        time.sleep(0.02)
        reap(known)


def end_group(leader: int) -> None:
    """Kill every process of the group that `leader` leads or led."""
    try:
        os.killpg(leader, signal.SIGKILL)
    except ProcessLookupError:
        return


def reap(known: Collection[int]) -> None:
    """Collect adopted children that have ended; those in `known` are left for their owner to collect."""
    for pid in children(os.getpid()):
        if pid not in known:
            try:
                os.waitpid(pid, os.WNOHANG)
            except ChildProcessError:
                continue


def _kill(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return
