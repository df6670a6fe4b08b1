"""One instance to a data folder, one listener to a port: both are claimed before anything starts, or refused."""

import errno
import fcntl
import os
import socket
import time
from pathlib import Path
from typing import IO, Final

CLAIM_SECONDS_MAX: Final = 2.0  # what a killed instance may need until the kernel has ended its parts
BACKLOG: Final = 512


class CannotStart(Exception):
    """An instance cannot start; the message gives the reason and the cure."""


class Claim:
    """The lock on one part of an instance's data; gone with the process that holds it, however that ends.

    Raises CannotStart where another instance has it, or where the folder cannot be written.
    """

    def __init__(self, data: Path, part: str, address: str) -> None:
        try:
            self._file = _lock(data / f"{part}.lock", data)
            self._file.truncate(0)
            self._file.write(f"{os.getpid()} {address}\n")
            self._file.flush()
        except OSError as problem:
            cure = "Make it writable and free some space, or name another folder: HIGHWATER_DATA=/another/folder"
            raise CannotStart(f"The data folder {data} cannot be written ({problem.strerror}). {cure}") from None

    def release(self) -> None:
        """Give the data back."""
        self._file.close()


def _lock(path: Path, data: Path) -> IO[str]:
    deadline = time.monotonic() + CLAIM_SECONDS_MAX
    file = path.open("a+")
    while True:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return file
        except BlockingIOError:
            if time.monotonic() > deadline:
                file.close()
                raise CannotStart(_occupied(path, data)) from None
            time.sleep(0.1)


def _occupied(path: Path, data: Path) -> str:
    pid, _, address = path.read_text().strip().partition(" ")
    where = f" at {address}" if address else ""
    return (
        f"Highwater already runs on this data ({data}){where}, as process {pid or '?'}. Use that one, or end it with "
        "Ctrl-C in its terminal, or give this one its own data: HIGHWATER_DATA=/another/folder make run PORT=8001"
    )


def listen(host: str, port: int) -> socket.socket:
    """A listening socket, held by the supervisor: while the web process restarts, visitors wait in its queue."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    deadline = time.monotonic() + CLAIM_SECONDS_MAX
    while True:
        listener = socket.socket(family, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, port))
            listener.listen(BACKLOG)
            return listener
        except OverflowError:
            listener.close()
            raise CannotStart(f"Port {port} cannot be: a port is a number from 1 to 65535 (0: any free one).") from None
        except OSError as problem:
            listener.close()
            if problem.errno != errno.EADDRINUSE or time.monotonic() > deadline:
                raise CannotStart(_refused(host, port, problem)) from None
            time.sleep(0.1)


def _refused(host: str, port: int, problem: OSError) -> str:
    cure = "End the program that has it, or choose another port: make run PORT=8001"
    if problem.errno == errno.EADDRINUSE:
        return f"Port {port} on {host} is in use by another program. {cure}"
    return f"Port {port} on {host} cannot be opened ({problem.strerror or problem}). {cure}"
