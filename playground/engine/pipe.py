"""The messages between the web process and an engine process: a 4-byte length, then the message.

A request is a pickled (number, room, asked, arguments): a function of the run of a room with its arguments, or a
`ServiceQuestion`, which is answered once and leaves nothing behind. The web process unpickles nothing: an answer is a
msgpack list [number, status, result]. That of a question comes in parts: PART or KNOWN any number of times, then one of
the others. Before all of them the process says once, under number 0, that it is READY.
"""

import struct
from typing import Any, Final

import msgpack

LENGTH: Final = struct.Struct(">I")
QUESTIONS: Final = "questions"  # a process that answers questions
SMALL: Final = "small"  # a process that holds small runs of rooms
LARGE: Final = "large"  # a process that holds large ones
READY: Final = "ready"  # the process has started: it begins a request as soon as it has it
READY_NUMBER: Final = 0
OK: Final = "ok"
REFUSED: Final = "refused"
FAILED: Final = "failed"
NO_MEMORY: Final = "no memory"  # a live request: the run needed too much and is not there any more
UNREADABLE: Final = "unreadable"  # a live request: the document of the run has problems (``problems``)
PART: Final = "part"  # one more part of an answer, as JSON
KNOWN: Final = "known"  # [key, JSON]: the answer to another question, found on the way


def packed(value: Any) -> bytes:
    """A value for the pipe; texts may hold half of a surrogate pair, as JSON that somebody sent may."""
    body: bytes = msgpack.packb(value, default=_plain, unicode_errors="surrogatepass")
    return body


def unpacked(body: bytes) -> Any:
    """The value that ``packed`` packed."""
    return msgpack.unpackb(body, strict_map_key=False, unicode_errors="surrogatepass")


def _plain(value: object) -> object:
    if isinstance(value, tuple):
        return list(value)
    raise TypeError(f"{type(value).__name__} does not travel between processes")
