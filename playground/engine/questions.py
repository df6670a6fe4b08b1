"""Questions to the engine service: work that grows with what somebody sends, done outside the web process.

A question has a budget of time, memory and output (``limits``). A process that goes over it ends, and another takes its
place. Each owner has one question answered at a time, so that one who sends many does not keep the others waiting.
"""

import atexit
import json
import os
import selectors
import subprocess
import sys
import threading
import time
from collections import Counter
from typing import Any

import msgpack

from playground.engine.limits import ASKS_OF_AN_OWNER_MAX, SECONDS_MAX, WAIT_SECONDS_MAX, WORKERS
from playground.engine.pipe import FAILED, LENGTH, OK
from playground.environment import ROOT

BUSY = "This server is busy with what others sent. Try again in a minute."
TOO_MANY = f"You sent {ASKS_OF_AN_OWNER_MAX} texts that are still being read. Wait until one is done."
TOO_LONG = (
    f"Reading this took more than {SECONDS_MAX} s, which is the limit. Send less of it: fewer topics, shorter texts."
)
READ_BYTES = 1 << 20


class NotAnswered(Exception):
    """A question refused, or over its budget. The message says why and what to do; ``status`` is HTTP's."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status


class WorkFailed(Exception):
    """The work ended with an error of its own, which is a defect."""


class _Worker:
    """One process; it answers one question at a time."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "playground.engine.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=ROOT,
            bufsize=0,
        )
        assert self._process.stdin is not None and self._process.stdout is not None
        self._stdin, self._stdout = self._process.stdin, self._process.stdout

    def ask(self, name: str, argument: Any) -> tuple[str, Any]:
        """(status, result). Raises TimeoutError, and ConnectionError where the process ends."""
        deadline = time.monotonic() + SECONDS_MAX
        body = msgpack.packb([name, argument])
        self._write(LENGTH.pack(len(body)) + body, deadline)
        length = LENGTH.unpack(self._read(LENGTH.size, deadline))[0]
        status, text = msgpack.unpackb(self._read(length, deadline))
        return status, json.loads(text)

    def _write(self, body: bytes, deadline: float) -> None:
        left = memoryview(body)
        os.set_blocking(self._stdin.fileno(), False)
        while left:
            self._wait(self._stdin.fileno(), selectors.EVENT_WRITE, deadline)
            left = left[os.write(self._stdin.fileno(), left[:READ_BYTES]) :]

    def _read(self, size: int, deadline: float) -> bytes:
        parts, missing = [], size
        while missing:
            self._wait(self._stdout.fileno(), selectors.EVENT_READ, deadline)
            part = os.read(self._stdout.fileno(), min(missing, READ_BYTES))
            if not part:
                raise ConnectionError("the process has ended")
            parts.append(part)
            missing -= len(part)
        return b"".join(parts)

    def _wait(self, descriptor: int, event: int, deadline: float) -> None:
        with selectors.DefaultSelector() as selector:
            selector.register(descriptor, event)
            if not selector.select(max(0.0, deadline - time.monotonic())):
                raise TimeoutError

    def end(self) -> None:
        """End the process, whatever it does."""
        self._process.kill()
        self._process.wait()
        self._stdin.close()
        self._stdout.close()


class Questions:
    """The processes of one web process, started when the first question comes."""

    def __init__(self) -> None:
        self._idle: list[_Worker] = []
        self._places = threading.Semaphore(WORKERS)
        self._guard = threading.Lock()
        self._asked: Counter[str] = Counter()
        self._turns: dict[str, threading.Lock] = {}

    def ask(self, name: str, argument: Any, owner: str) -> Any:
        """The result of a work (``works``) for an owner. Raises NotAnswered or WorkFailed."""
        turn = self._enter(owner)
        try:
            deadline = time.monotonic() + WAIT_SECONDS_MAX
            if not turn.acquire(timeout=WAIT_SECONDS_MAX):
                raise NotAnswered(TOO_MANY, 429)
            try:
                if not self._places.acquire(timeout=max(0.0, deadline - time.monotonic())):
                    raise NotAnswered(BUSY, 503)
                try:
                    return self._answer(name, argument)
                finally:
                    self._places.release()
            finally:
                turn.release()
        finally:
            self._leave(owner)

    def end(self) -> None:
        """End the processes that do nothing."""
        with self._guard:
            idle, self._idle = self._idle, []
        for worker in idle:
            worker.end()

    def _enter(self, owner: str) -> threading.Lock:
        with self._guard:
            if self._asked[owner] >= ASKS_OF_AN_OWNER_MAX:
                raise NotAnswered(TOO_MANY, 429)
            self._asked[owner] += 1
            return self._turns.setdefault(owner, threading.Lock())

    def _leave(self, owner: str) -> None:
        with self._guard:
            self._asked[owner] -= 1
            if not self._asked[owner]:
                del self._asked[owner], self._turns[owner]

    def _answer(self, name: str, argument: Any) -> Any:
        with self._guard:
            worker = self._idle.pop() if self._idle else None
        worker = worker or _Worker()
        try:
            status, result = worker.ask(name, argument)
        except TimeoutError:
            worker.end()
            raise NotAnswered(TOO_LONG, 413) from None
        except ConnectionError:
            worker.end()
            raise NotAnswered("The process that reads what you sent has ended. Try again.", 503) from None
        if status != OK:
            worker.end()  # after an error its memory is not to be trusted
        else:
            with self._guard:
                self._idle.append(worker)
        if status == FAILED:
            raise WorkFailed(result)
        if status != OK:
            raise NotAnswered(f"This could not be read: {result}. Send less of it.", 413)
        return result


questions = Questions()
atexit.register(questions.end)
