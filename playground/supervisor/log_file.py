"""The log of one part: what the part writes, in two files of bounded size, with long lines cut.

The supervisor reads a part's output from a pipe and writes it here, so the bound holds while the part runs. Where the
file cannot be written (its disk is full), the lines go to the supervisor's own standard error.
"""

import fcntl
import os
import sys
from pathlib import Path
from typing import IO, Final

LOG_BYTES_MAX: Final = 4 * 1024 * 1024  # of one file; a part has two, so all three parts together 24 MiB
LINE_BYTES_MAX: Final = 2_000
CUT: Final = b" ... (cut)"
READ_BYTES: Final = 64 * 1024
PIPE_BYTES: Final = 1024 * 1024  # a part may be this far ahead before it waits for the supervisor


class LogFile:
    """Two files: `path`, and beside it the one before."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: IO[bytes] | None = None
        self._size = 0
        self._line = b""  # begun, not ended; at most LINE_BYTES_MAX + 1 are kept
        self._is_failing = False

    def begin(self) -> None:
        """Keep the log of the last start beside a new one."""
        self.close()
        if self.path.exists():
            self.path.replace(self.path.with_suffix(".previous.log"))

    def take(self, output: bytes) -> None:
        """Write the whole lines of a part's output; the rest waits for its end."""
        *lines, rest = (self._line + output).split(b"\n")
        self._line = rest[: LINE_BYTES_MAX + 1]
        if lines:
            self._write(b"".join(_cut(line) + b"\n" for line in lines))

    def end(self) -> None:
        """The part has ended: its last line may have no end."""
        if self._line:
            self.take(b"\n")

    def tail(self, lines: int) -> list[str]:
        """The last lines of the newest file; none where there is no file."""
        try:
            return self.path.read_text(errors="replace").splitlines()[-lines:]
        except OSError:
            return []

    def close(self) -> None:
        """Close the file; the next line opens it again."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _write(self, lines: bytes) -> None:
        try:
            self._write_file(lines)
            self._is_failing = False
        except OSError as problem:
            if not self._is_failing:
                self._is_failing = True
                _to_stderr(
                    f"The log {self.path} cannot be written ({problem.strerror}). Its lines follow here.\n".encode()
                )
            _to_stderr(lines)

    def _write_file(self, lines: bytes) -> None:
        if self._file is not None and self._size + len(lines) > LOG_BYTES_MAX:
            self.begin()
        if self._file is None:
            self._file = self.path.open("ab", buffering=0)
            self._size = self._file.tell()
        written = self._file.write(lines)
        self._size += written
        if written < len(lines):  # the disk took a part of it: the next call says why it took no more
            self._size += self._file.write(lines[written:])


def _cut(line: bytes) -> bytes:
    return line if len(line) <= LINE_BYTES_MAX else line[: LINE_BYTES_MAX - len(CUT)] + CUT


def _to_stderr(text: bytes) -> None:
    try:
        sys.stderr.buffer.write(text)
        sys.stderr.flush()
    except OSError:
        return  # nobody reads it; there is no other place


def read_now(pipe: IO[bytes]) -> bytes | None:
    """The bytes that a pipe holds now; None at its end. Never waits: the pipe was `prepare`d."""
    try:
        return os.read(pipe.fileno(), READ_BYTES) or None
    except BlockingIOError:
        return b""


def prepare(pipe: IO[bytes]) -> None:
    """Make reading from a part's output not wait, and its pipe large where the system can."""
    os.set_blocking(pipe.fileno(), False)
    if hasattr(fcntl, "F_SETPIPE_SZ"):
        fcntl.fcntl(pipe.fileno(), fcntl.F_SETPIPE_SZ, PIPE_BYTES)
