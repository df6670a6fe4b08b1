"""Keeps the parts up: starts them, notices a death, starts again, and ends all of them together.

Beside them may run a job, which ends by itself and is not started again.

A part that was up and dies is started again at once; one that dies before it was up waits twice as long each time, and
after FAILED_STARTS_MAX such starts the whole instance ends with a sentence. A part that was up and does not answer for
SILENT_SECONDS_MAX hangs: it is ended, and started again at once.
"""

import os
import select
import signal
import subprocess
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import IO, Any, Final

from playground.supervisor import lifeline, log_file
from playground.supervisor.asking import ASK_SECONDS, SILENT_SECONDS_MAX, PolledProcess
from playground.supervisor.instance import CannotStart
from playground.supervisor.log_file import LogFile
from playground.supervisor.service_processes import ServiceProcess, environment_of

TICK_SECONDS: Final = 0.05  # between two looks at a part that starts
UP_SECONDS_MAX: Final = 90.0  # from start to being up; a cold machine imports Spark's Python side in 20 s
FIRST_WAIT_SECONDS: Final = 0.5
FAILED_STARTS_MAX: Final = 5
STOP_SECONDS: Final = 5.0
LOG_LINES_SHOWN: Final = 12
READS_A_LOOK: Final = 32  # a part that writes without end does not keep the others waiting

Say = Callable[[str, str], None]


class RunningProcess:
    """A part and its process, through all restarts."""

    def __init__(self, part: ServiceProcess, log: LogFile | None) -> None:
        self.part = part
        self.log = log
        self.asked = PolledProcess(part.question) if part.question is not None else None
        self.process: subprocess.Popen[bytes] | None = None
        self.output: IO[bytes] | None = None  # what the part writes, where it has a log
        self.started = 0.0
        self.is_up = False
        self.failed_starts = 0
        self.start_at = 0.0  # not before this, on the monotonic clock
        self.is_restarting = False
        self.is_ended = False  # by the supervisor

    def start(self) -> None:
        """Start the process; it dies with this one."""
        self.process = self._spawn()
        if (output := self.process.stdout) is not None:
            log_file.prepare(output)
            self.output = output
        if self.process.stdin is not None:
            self.process.stdin.write(self.part.stdin)
            self.process.stdin.close()
        self.started = time.monotonic()
        self.is_up = self.is_restarting = self.is_ended = False
        if self.asked is not None:
            self.asked.ask_in(0.0)

    def _spawn(self) -> subprocess.Popen[bytes]:
        handed_down = self.part.handed_down
        return subprocess.Popen(
            self.part.command,
            stdin=subprocess.PIPE if self.part.stdin else subprocess.DEVNULL,
            stdout=subprocess.PIPE if self.log is not None else None,
            stderr=subprocess.STDOUT if self.log is not None else None,
            env=environment_of(self.part),
            pass_fds=() if handed_down is None else (handed_down.fileno(),),
            start_new_session=True,  # Ctrl-C reaches the supervisor alone, which ends the parts in order
            preexec_fn=lifeline.die_with_parent(os.getpid()),  # noqa: PLW1509  # the supervisor has no threads
        )

    def read(self) -> None:
        """Write to the log what the part has written since the last look."""
        for _ in range(READS_A_LOOK):
            if self.output is None or self.log is None or (text := log_file.read_now(self.output)) == b"":
                return
            if text is None:
                self.close_output()
            else:
                self.log.take(text)

    def close_output(self) -> None:
        """The part writes no more."""
        if self.output is not None and self.log is not None:
            self.output.close()
            self.output = None
            self.log.end()

    def close(self) -> None:
        """The process has ended: it writes and answers no more."""
        self.close_output()
        if self.asked is not None:
            self.asked.close()

    def is_dead(self) -> bool:
        """True if the process has ended."""
        return self.process is not None and self.process.poll() is not None

    def tail(self) -> str:
        """The last lines of the log, to print under a sentence."""
        return "\n".join(f"    {line}" for line in self.log.tail(LOG_LINES_SHOWN)) if self.log is not None else ""


class Wake:
    """A pipe that can be read after a signal: the end of a child, or a wish to stop. So waiting needs no clock."""

    def __init__(self) -> None:
        read, self._write = os.pipe()
        self.pipe: IO[bytes] = os.fdopen(read, "rb", buffering=0)
        os.set_blocking(read, False)
        os.set_blocking(self._write, False)

    def listen(self) -> None:
        """Have Python write to the pipe at each signal that has a handler; SIGCHLD gets one that does nothing."""
        signal.set_wakeup_fd(self._write, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)

    def clear(self) -> None:
        """Empty the pipe."""
        while self.pipe.read(512):
            pass

    def close(self) -> None:
        """Give the pipe back."""
        signal.set_wakeup_fd(-1)
        self.pipe.close()
        os.close(self._write)


class Supervisor:
    """The parts of one instance. `run` returns when it was told to stop, and raises CannotStart when one stays down."""

    def __init__(
        self,
        parts: Iterable[ServiceProcess],
        logs: Path | None,
        say: Say,
        silent_seconds_max: float = SILENT_SECONDS_MAX,
    ) -> None:
        self._logs = logs
        self.running = [RunningProcess(part, self._log(part)) for part in parts]
        self.job: RunningProcess | None = None
        self._job_ended: Callable[[int, str], None] = lambda status, last_line: None
        self.say = say
        self._silent_seconds_max = silent_seconds_max
        self.stop_asked = 0
        self._wake = Wake()

    def _log(self, part: ServiceProcess) -> LogFile | None:
        return LogFile(self._logs / f"{part.name}.log") if self._logs is not None else None

    def ask_to_stop(self, *_: object) -> None:
        """Signal handler: once ends the parts in order, twice at once."""
        self.stop_asked += 1

    def start(self) -> None:
        """Start every part and wait until all are up; raises CannotStart when one does not come up."""
        lifeline.adopt_orphans()
        self._wake.listen()
        for name in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(name, self.ask_to_stop)
        for one in self.running:
            if one.log is not None:
                one.log.begin()
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

    def begin_job(self, part: ServiceProcess, ended: Callable[[int, str], None]) -> None:
        """Run a job once, beside the parts; `ended` is told its status and the last line that it wrote."""
        self.job, self._job_ended = RunningProcess(part, self._log(part)), ended
        if self.job.log is not None:
            self.job.log.begin()
        self.job.start()

    def restart(self, name: str) -> None:
        """End a part at once and start it anew; that is no death that counts."""
        for one in self.running:
            if one.part.name == name and one.process is not None:
                one.is_restarting = one.is_ended = True
                one.process.kill()

    def _tick(self) -> None:
        self._read_logs(min((_seconds_to_look(one) for one in self.running), default=None))
        if self.job is not None and self.job.is_dead():
            self._end_job(self.job)
        for one in self.running:
            if one.process is None:
                if time.monotonic() >= one.start_at:
                    one.start()
            elif one.is_dead():
                self._died(one)
            else:
                self._look(one)

    def _read_logs(self, seconds: float | None) -> None:
        """Wait until a part writes or answers, a child ends, a signal comes, or so many seconds have passed."""
        asked = [one.asked for one in self.running if one.asked is not None]
        readable: list[Any] = [self._wake.pipe, *(one.output for one in self._all() if one.output is not None)]
        readable += [connection for one in asked for connection in one.reads()]
        writable = [connection for one in asked for connection in one.writes()]
        ready, _, _ = select.select(readable, writable, [], seconds)
        if self._wake.pipe in ready:
            self._wake.clear()
            lifeline.reap(self._pids())
        for one in self._all():
            one.read()

    def _look(self, one: RunningProcess) -> None:
        if one.asked is None:
            return
        answer = one.asked.look()
        if answer is not None and (one.is_up or one.asked.question.is_up(answer)):
            one.asked.ask_in(ASK_SECONDS)
            if not one.is_up:
                one.is_up = True
                one.failed_starts = 0
                self.say(one.part.name, f"up after {time.monotonic() - one.started:.1f} s")
        elif one.asked.silent_seconds >= (self._silent_seconds_max if one.is_up else UP_SECONDS_MAX):
            self._end_silent(one, one.asked.silent_seconds)

    def _end_silent(self, one: RunningProcess, seconds: float) -> None:
        """End a part that does not answer, and say so once; the next look sees that it is dead."""
        assert one.process is not None
        if one.is_ended:
            return
        one.is_ended = True
        one.process.kill()
        if one.is_up:
            one.is_restarting = True
            self.say(one.part.name, f"no answer for {seconds:.0f} s: it hangs and is ended; another one starts")
        else:
            self.say(one.part.name, f"not up after {seconds:.0f} s, and is ended")

    def _died(self, one: RunningProcess) -> None:
        """Clear what the dead part left, and say when it starts again."""
        assert one.process is not None
        status, was_up = one.process.returncode, one.is_up
        lifeline.end_group(one.process.pid)
        one.process, one.is_up = None, False
        lifeline.end_strays(self._pids())
        one.read()
        one.close()
        one.failed_starts = 0 if was_up or one.is_restarting else one.failed_starts + 1
        if one.failed_starts >= FAILED_STARTS_MAX:
            raise CannotStart(self._stays_down(one, status))
        wait = FIRST_WAIT_SECONDS * 2 ** (one.failed_starts - 1) if one.failed_starts else 0.0
        one.start_at = time.monotonic() + wait
        if not one.is_restarting:
            self.say(one.part.name, f"{_ended(status)}; starting it again" + (f" in {wait:g} s" if wait else ""))

    def _stays_down(self, one: RunningProcess, status: int) -> str:
        sentence = (
            f"The {one.part.name} process does not come up ({_ended(status)}, {one.failed_starts} times in a row)."
        )
        if one.log is not None:
            sentence += f" Its log is {one.log.path}; it ends with:\n{one.tail()}"
        return sentence

    def _end_job(self, job: RunningProcess) -> None:
        assert job.process is not None
        lifeline.end_group(job.process.pid)
        job.read()
        job.close()
        self.job = None
        self._job_ended(job.process.returncode, "".join(job.log.tail(1)) if job.log is not None else "")

    def _all(self) -> list[RunningProcess]:
        return self.running if self.job is None else [*self.running, self.job]

    def _pids(self) -> list[int]:
        return [one.process.pid for one in self._all() if one.process is not None]

    def stop(self) -> None:
        """End every part, the last started first, and whatever they started."""
        for one in reversed(self._all()):
            if one.asked is not None:
                one.asked.close()  # its end would wake this process again and again
            if one.process is not None and one.process.poll() is None:
                one.process.terminate()
        deadline = time.monotonic() + STOP_SECONDS
        asked = self.stop_asked
        while time.monotonic() < deadline and self.stop_asked == asked:
            if all(one.process is None or one.is_dead() for one in self._all()):
                break
            self._read_logs(TICK_SECONDS)
        for one in self._all():
            if one.process is not None:
                lifeline.end_group(one.process.pid)
                one.process.wait()
            one.read()
            one.close()
        lifeline.end_strays(())
        self._wake.close()


def _seconds_to_look(one: RunningProcess) -> float:
    """Time until the next look at a part if nothing happens."""
    if not one.is_up or one.asked is None:
        return TICK_SECONDS
    return one.asked.seconds_to_look()


def _ended(status: int) -> str:
    if status < 0:
        return f"killed by {signal.Signals(-status).name}"
    return f"ended with status {status}"
