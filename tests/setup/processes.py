"""The processes that the tests of the supervisor look at: whole trees of them, and how long they live."""

import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import psutil

from simengine.form import CHOICE, engine_form

ROOT: Final = Path(__file__).resolve().parents[2]
UP_SECONDS_MAX: Final = 120.0
GONE_SECONDS_MAX: Final = 15.0


class Instance:
    """A process that supervises others, started as a person starts it, and everything below it."""

    def __init__(self, arguments: list[str], data: Path, root: Path = ROOT) -> None:
        environment = {**os.environ, "HIGHWATER_DATA": str(data), "PYTHONPATH": str(root)}
        if root == ROOT:  # the form of the engine is set, so that the process does not compile it
            environment.setdefault(CHOICE, engine_form())
        environment.pop("HIGHWATER_REDIS_URL", None)
        environment.pop("DJANGO_SETTINGS_MODULE", None)
        self.process = subprocess.Popen(
            [sys.executable, *arguments],
            cwd=root,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.lines: list[str] = []
        self._unread: queue.Queue[str] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._unread.put(line)

    def line_with(self, words: str, seconds: float = UP_SECONDS_MAX) -> str:
        """The next line of output that holds these words; fails with all lines when none comes."""
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0:
            try:
                line = self._unread.get(timeout=min(left, 1.0))
            except queue.Empty:
                continue
            self.lines.append(line)
            if words in line:
                return line
        raise AssertionError(f"no line with {words!r} in {seconds} s; there were:\n{''.join(self.lines)}")

    def below(self) -> list[psutil.Process]:
        """All descendants, now."""
        return psutil.Process(self.process.pid).children(recursive=True)

    def part(self, word: str) -> psutil.Process:
        """The child whose command line holds this word."""
        return named(psutil.Process(self.process.pid).children(), word)[0]

    def end(self) -> int:
        """Ctrl-C, and the exit status."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        try:
            return self.process.wait(30)
        finally:
            if self.process.poll() is None:
                self.process.kill()


def words_of(process: psutil.Process) -> str:
    """The command line of a process; empty for one that has ended."""
    try:
        return " ".join(process.cmdline())
    except psutil.Error:
        return ""


def named(processes: list[psutil.Process], word: str) -> list[psutil.Process]:
    """Those whose command line holds this word."""
    return [one for one in processes if word in words_of(one)]


def eventually(holds: Callable[[], bool], seconds: float) -> bool:
    """True if ``holds`` becomes true within so many seconds."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if holds():
            return True
        time.sleep(0.05)
    return holds()


def all_gone(processes: list[psutil.Process], seconds: float = GONE_SECONDS_MAX) -> list[str]:
    """Command lines of those that are still there after this time (psutil tells a reused id from the old process)."""
    _, alive = psutil.wait_procs(processes, timeout=seconds)
    return [words for one in alive if (words := words_of(one))]
