"""Answers kept for whoever asks the same, in the memory of the web process; those used longest ago go first."""

import zlib
from collections import OrderedDict

import msgpack

from playground.engine.limits import KEPT_BYTES_MAX


class AnswerCache:
    """Key (``ServiceQuestion.key``) -> the parts of an answer."""

    def __init__(self) -> None:
        self._answers: OrderedDict[str, bytes] = OrderedDict()
        self.bytes = 0  # of all answers, compressed

    def get(self, key: str) -> list[bytes] | None:
        """The parts of an answer, None where it is not kept."""
        packed = self._answers.get(key)
        if packed is None:
            return None
        self._answers.move_to_end(key)
        parts: list[bytes] = msgpack.unpackb(zlib.decompress(packed))
        return parts

    def put(self, key: str, parts: list[bytes]) -> None:
        """Keep an answer, unless it alone is too long."""
        packed = zlib.compress(msgpack.packb(parts), 1)
        if len(packed) > KEPT_BYTES_MAX:
            return
        self.bytes += len(packed) - len(self._answers.pop(key, b""))
        self._answers[key] = packed
        while self.bytes > KEPT_BYTES_MAX:
            _, oldest = self._answers.popitem(last=False)
            self.bytes -= len(oldest)

    def clear(self) -> None:
        """Forget all."""
        self._answers.clear()
        self.bytes = 0
