"""The trace: every fact of a run, in order, and one digest over all of them.

Decisive facts are kept for the whole run. Traffic is numbered and digested always, so that the digest is the same
whether somebody looks or not, and stored only while ``keep_traffic`` is on.
"""

from typing import Final, final

from mypy_extensions import i64

from simengine.kernel.facts import FIRST_TRAFFIC, KINDS
from simengine.kernel.random import text_key

_M31: Final = 0x7FFFFFFF
_K0: Final = 1540483477
_K1: Final = 1103515245
_K2: Final = 1664525
_K3: Final = 69069
_K4: Final = 1812433253
_K5: Final = 1566083941
_K6: Final = 1220703125
_K7: Final = 1284865837
_K8: Final = 1181783497
_K9: Final = 1597334677

_INTS: Final[list[int]] = [0] * 128
for _kind in KINDS:
    _INTS[_kind.number] = len(_kind.ints)

Row = list[object]


class Fact:
    """One fact; ``row`` gives it in the form of ``facts.KINDS``."""

    __slots__ = ("cause", "kind", "seq", "t")

    def __init__(self, seq: i64, t: i64, kind: i64, cause: i64) -> None:
        self.seq: i64 = seq
        self.t: i64 = t
        self.kind: i64 = kind
        self.cause: i64 = cause

    def row(self) -> Row:
        """[seq, t_us, kind, cause, values...]"""
        raise AssertionError("a fact without values")


@final
class Decisive(Fact):
    """A fact that is kept for the whole run."""

    __slots__ = ("lists", "text", "values")

    def __init__(
        self, seq: i64, t: i64, kind: i64, cause: i64, values: list[int], lists: list[list[int]], text: str
    ) -> None:
        super().__init__(seq, t, kind, cause)
        self.values = values
        self.lists = lists
        self.text = text

    def row(self) -> Row:
        row: Row = [self.seq, self.t, self.kind, self.cause]
        row.extend(self.values)
        row.extend(self.lists)
        if self.text:
            row.append(self.text)
        return row


@final
class Traffic(Fact):
    """A flight, an append, a move of a mark: what the screen shows and nobody keeps."""

    __slots__ = ("a", "b", "c", "d", "e", "f", "g")

    def __init__(self, seq: i64, t: i64, kind: i64, a: i64, b: i64, c: i64, d: i64, e: i64, f: i64, g: i64) -> None:
        super().__init__(seq, t, kind, 0)
        self.a: i64 = a
        self.b: i64 = b
        self.c: i64 = c
        self.d: i64 = d
        self.e: i64 = e
        self.f: i64 = f
        self.g: i64 = g

    def row(self) -> Row:
        values: Row = [self.a, self.b, self.c, self.d, self.e, self.f, self.g]
        head: Row = [self.seq, self.t, self.kind, self.cause]
        return head + values[: _INTS[self.kind]]


@final
class Trace:
    """Collects the facts of one run."""

    __slots__ = ("_buffer", "_h", "_kinds", "decisive", "keep_traffic", "now", "seq")

    def __init__(self) -> None:
        self.decisive: list[Fact] = []
        self.keep_traffic: bool = False
        self._kinds: list[bool] = [True] * 128
        self.seq: i64 = 0
        self.now: i64 = 0
        self._h: i64 = 0x2545F491
        self._buffer: list[Fact] = []

    def decide(self, kind: i64, cause: i64, values: list[int], lists: list[list[int]], text: str = "") -> i64:
        """State a decisive fact; returns its number, for use as a cause."""
        self.seq += 1
        fact = Decisive(self.seq, self.now, kind, cause, values, lists, text)
        self.decisive.append(fact)
        if self.keep_traffic:
            self._buffer.append(fact)
        h = self._step(self._h, (self.now & _M31) * _K1 ^ (self.now >> 31) * _K2 ^ kind * _K3 ^ cause * _K9)
        for value in values:
            x: i64 = value
            h = self._step(h, (x & _M31) * _K4 ^ ((x >> 31) & _M31) * _K5)
        for part in lists:
            h = self._step(h, len(part) * _K6)
            for value in part:
                h = self._step(h, (value & _M31) * _K7)
        if text:
            h = self._step(h, text_key(text))
        self._h = h
        return self.seq

    def traffic(self, kind: i64, a: i64, b: i64, c: i64 = 0, d: i64 = 0, e: i64 = 0, f: i64 = 0, g: i64 = 0) -> i64:
        """State a fact of traffic; returns its number."""
        self.seq += 1
        t = self.now
        h = self._h
        x = (t & _M31) * _K1 ^ (t >> 31) * _K2 ^ kind * _K3 ^ (a & _M31) * _K4 ^ (b & _M31) * _K5
        y = (c & _M31) * _K6 ^ (d & _M31) * _K7 ^ (e & _M31) * _K8 ^ (f & _M31) * _K9 ^ (g & _M31) * _K2
        self._h = ((h ^ (h >> 29)) & _M31) * _K0 ^ (h >> 31) ^ x ^ y ^ ((d >> 31) & _M31) * _K3
        if self.keep_traffic and self._kinds[kind]:
            self._buffer.append(Traffic(self.seq, t, kind, a, b, c, d, e, f, g))
        return self.seq

    def keep_kinds(self, kinds: list[int]) -> None:
        """Store only these kinds of traffic from now on."""
        self.keep_traffic = True
        self._kinds = [kind in kinds for kind in range(128)]

    def _step(self, h: i64, x: i64) -> i64:
        return ((h ^ (h >> 29)) & _M31) * _K0 ^ (h >> 31) ^ x

    def take(self) -> list[Fact]:
        """The facts since the last call, decisive ones and (while ``keep_traffic``) traffic."""
        taken = self._buffer
        self._buffer = []
        return taken

    def digest(self) -> str:
        """16 hex digits over every fact so far."""
        return f"{self._h ^ (self.seq << 40) & 0x7FFFFFFFFFFFFFFF:016x}"


def is_decisive(kind: int) -> bool:
    """Whether facts of this kind are kept for the whole run."""
    return kind < FIRST_TRAFFIC
