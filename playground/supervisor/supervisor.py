"""Keeps the parts up: starts them, notices a death, starts again, and ends all of them together.

A part that was up and dies is started again at once; one that dies before it was up waits twice as long each time, and
after FAILED_STARTS_MAX such starts the whole instance ends with a sentence.
"""

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import IO, Final

from playground.supervisor import lifeline
from playground.supervisor.instance import CannotStart
from playground.supervisor.parts import Part, environment_of

TICK_SECONDS: Final = 0.05
UP_SECONDS_MAX: Final = 90.0  # from start to being up; a cold machine imports Spark's Python side in 20 s
FIRST_WAIT_SECONDS: Final = 0.5
FAILED_STARTS_MAX: Final = 5
STOP_SECONDS: Final = 5.0
LOG_LINES_SHOWN: Final = 12

Say = Callable[[str, str], None]


class Running:
    """A part and its process, through all restarts."""

    def __init__(self, part: Part, log: Path | None) -> None:
        self.part = part
        self.log = log
        self.process: subprocess.Popen[bytes] | None = None
        self.started = 0.0
        self.is_up = False
        self.failed_starts = 0
        self.start_at = 0.0  # not before this, on the monotonic clock

    def start(self) -> None:
        """Start the process; it dies with this one."""
        if self.part.ready_file is not None:
            self.part.ready_file.unlink(missing_ok=True)
        output = self.log.open("ab") if self.log is not None else None
        self.process = self._spawn(output)
        if output is not None:
            output.close()
        if self.process.stdin is not None:
            self.process.stdin.write(self.part.stdin)
            self.process.stdin.close()
        self.started = time.monotonic()
        self.is_up = False

    def _spawn(self, output: IO[bytes] | None) -> subprocess.Popen[bytes]:
        listener = self.part.listener
        return subprocess.Popen(
            self.part.command,
            stdin=subprocess.PIPE if self.part.stdin else subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT if output is not None else None,
            env=environment_of(self.part),
            pass_fds=() if listener is None else (listener.fileno(),),
            start_new_session=True,  # Ctrl-C reaches the supervisor alone, which ends the parts in order
            preexec_fn=lifeline.die_with_parent(os.getpid()),  # noqa: PLW1509  # the supervisor has no threads
        )

    def is_dead(self) -> bool:
        """Whether the process has ended."""
        return self.process is not None and self.process.poll() is not None

    def tail(self) -> str:
        """The last lines of the log, to print under a sentence."""
        if self.log is None or not self.log.exists():
            return ""
        lines = self.log.read_text(errors="replace").splitlines()[-LOG_LINES_SHOWN:]
        return "\n".join(f"    {line}" for line in lines)


class Supervisor:
    """The parts of one instance. `run` returns when it was told to stop, and raises CannotStart when one stays down."""

    def __init__(self, parts: Iterable[Part], logs: Path | None, say: Say) -> None:
        self.running = [Running(part, logs / f"{part.name}.log" if logs is not None else None) for part in parts]
        self.say = say
        self.stop_asked = 0

    def ask_to_stop(self, *_: object) -> None:
        """Signal handler: once ends the parts in order, twice at once."""
        self.stop_asked += 1

    def start(self) -> None:
        """Start every part and wait until all are up; raises CannotStart when one does not come up."""
        lifeline.adopt_orphans()
        for name in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(name, self.ask_to_stop)
        for one in self.running:
            _rotate(one.log)
            one.start()
        said = time.monotonic()
        while not self.stop_asked and not all(one.is_up for one in self.running):
            self._tick()
            if time.monotonic() - said > 5:
                said = time.monotonic()
                late = ", ".join(one.part.name for one in self.running if not one.is_up)
                self.say(late, "still starting")

    def run(self) -> None:
        """Keep the parts up until told to stop."""
        while not self.stop_asked:
            self._tick()

    def _tick(self) -> None:
        time.sleep(TICK_SECONDS)
        for one in self.running:
            if one.process is None:
                if time.monotonic() >= one.start_at:
                    one.start()
            elif one.is_dead():
                self._died(one)
            elif not one.is_up:
                self._look(one)
        lifeline.reap(self._pids())

    def _look(self, one: Running) -> None:
        if one.part.is_up():
            one.is_up = True
            one.failed_starts = 0
            self.say(one.part.name, f"up after {time.monotonic() - one.started:.1f} s")
        elif time.monotonic() - one.started > UP_SECONDS_MAX and one.process is not None:
            one.process.kill()

    def _died(self, one: Running) -> None:
        """Clear what the dead part left, and say when it starts again."""
        assert one.process is not None
        status = one.process.returncode
        lifeline.end_group(one.process.pid)
        one.process = None
        lifeline.end_strays(self._pids())
        one.failed_starts = 0 if one.is_up else one.failed_starts + 1
        if one.failed_starts >= FAILED_STARTS_MAX:
            raise CannotStart(self._stays_down(one, status))
        wait = FIRST_WAIT_SECONDS * 2 ** (one.failed_starts - 1) if one.failed_starts else 0.0
        one.start_at = time.monotonic() + wait
        self.say(one.part.name, f"{_ended(status)}; starting it again" + (f" in {wait:g} s" if wait else ""))

    def _stays_down(self, one: Running, status: int) -> str:
        sentence = (
            f"The {one.part.name} process does not come up ({_ended(status)}, {one.failed_starts} times in a row)."
        )
        if one.log is not None:
            sentence += f" Its log is {one.log}; it ends with:\n{one.tail()}"
        return sentence

    def _pids(self) -> list[int]:
        return [one.process.pid for one in self.running if one.process is not None]

    def stop(self) -> None:
        """End every part, the last started first, and whatever they started."""
        for one in reversed(self.running):
            if one.process is not None and one.process.poll() is None:
                one.process.terminate()
        deadline = time.monotonic() + STOP_SECONDS
        asked = self.stop_asked
        while time.monotonic() < deadline and self.stop_asked == asked:
            if all(one.process is None or one.is_dead() for one in self.running):
                break
            time.sleep(TICK_SECONDS)
        for one in self.running:
            if one.process is not None:
                lifeline.end_group(one.process.pid)
                one.process.wait()
        lifeline.end_strays(())


def _ended(status: int) -> str:
    if status < 0:
        return f"killed by {signal.Signals(-status).name}"
    return f"ended with status {status}"


def _rotate(log: Path | None) -> None:
    """Keep the log of the last start beside the new one: two starts' worth, never more."""
    if log is not None and log.exists():
        log.replace(log.with_suffix(".previous.log"))
