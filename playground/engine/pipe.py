"""How the web process and an engine process talk: a 4-byte length, then a msgpack list.

A request is [number, room, operation, arguments], its answer [number, status, result].
"""

import struct
from typing import Final

LENGTH: Final = struct.Struct(">I")
OK: Final = "ok"
REFUSED: Final = "refused"
FAILED: Final = "failed"
