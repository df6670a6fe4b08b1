"""How the web process and an engine process talk: a 4-byte length, then a msgpack list.

A request is [number, room, operation, arguments]. With a room it is a ``live`` one, about the run of that room; without
one (``ONCE``) it is a question that is answered once and leaves nothing behind. An answer is [number, status, result];
that of a question comes in parts: PART or KNOWN any number of times, then one of the others.
"""

import struct
from typing import Final

LENGTH: Final = struct.Struct(">I")
QUESTIONS: Final = "questions"  # a process that answers questions
LIVE: Final = "live"  # a process that holds runs of rooms
ONCE: Final = ""
OK: Final = "ok"
REFUSED: Final = "refused"
FAILED: Final = "failed"
PART: Final = "part"  # one more part of an answer, as JSON
KNOWN: Final = "known"  # [key, JSON]: the answer to another question, found on the way
