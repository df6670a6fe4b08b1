"""Keyed random streams: the only source of chance in a run.

A stream belongs to an entity and a purpose ("link 2>0", "isr-check 1"), and is derived from the seed: drawing from
one never moves another, so variants of a scenario are compared under the same luck. Counter based: the n-th draw is a
function of (key, n). All arithmetic stays in 32-bit lanes with multipliers below 2**31, so that interpreted Python and
compiled 64-bit code agree to the bit. No floats: logarithms come from an integer table.
"""

from typing import Final, final

from mypy_extensions import i64, mypyc_attr

from simengine.facts.text_key import MASK32, text_key

_MULTIPLIER: Final = 0x45D9F3B
_LN2_Q20: Final = 726817  # ln 2 in units of 2**-20


def mix32(x: i64) -> i64:
    """Scramble 32 bits (a bijection on 0 .. 2**32-1)."""
    x = (((x >> 16) ^ x) * _MULTIPLIER) & MASK32
    x = (((x >> 16) ^ x) * _MULTIPLIER) & MASK32
    return (x >> 16) ^ x


def _log2_table() -> list[int]:
    """log2(1 + i/256) in units of 2**-20, for i = 0 .. 256, by repeated squaring in integers."""
    table: list[int] = []
    for i in range(257):
        x = (256 + i) << 52
        one = 1 << 60
        log = 0
        for bit in range(20):
            x = (x * x) >> 60
            if x >= 2 * one:
                x >>= 1
                log |= 1 << (19 - bit)
        table.append(log if i < 256 else 1 << 20)
    return table


_LOG2: Final = _log2_table()


def minus_ln_q20(u: i64) -> i64:
    """-ln(u / 2**32) in units of 2**-20, for 1 <= u < 2**32."""
    bits: i64 = 0
    x: i64 = u
    while x < 0x80000000:
        x <<= 1
        bits += 1
    i: i64 = (x >> 23) & 0xFF
    low: i64 = _LOG2[i]
    high: i64 = _LOG2[i + 1]
    fraction = low + (((high - low) * (x & 0x7FFFFF)) >> 23)
    log2_q20: i64 = ((bits + 1) << 20) - fraction
    return (log2_q20 * _LN2_Q20) >> 20


@mypyc_attr(acyclic=True)
@final
class Stream:
    """An endless sequence of random numbers for one entity and one purpose."""

    __slots__ = ("_high", "_low", "_n")

    def __init__(self, seed: int, entity: str, purpose: str) -> None:
        low: i64 = seed & MASK32
        high: i64 = (seed >> 32) & MASK32
        key = mix32(low ^ text_key(entity))
        self._low: i64 = mix32(key ^ text_key(purpose))
        self._high: i64 = mix32(high ^ self._low ^ text_key(purpose + "/" + entity))
        self._n: i64 = 0

    def u32(self) -> i64:
        """The next 32 random bits."""
        self._n += 1
        return mix32((mix32((self._n ^ self._low) & MASK32) + self._high) & MASK32)

    def below(self, n: i64) -> i64:
        """A number in 0 .. n-1; n is at most 2**31 - 1 (0 and 1 give 0)."""
        return (self.u32() * n) >> 32

    def between(self, low: i64, high: i64) -> i64:
        """A number in low .. high, both included."""
        if high <= low:
            return low
        return low + self.below(high - low + 1)

    def exponential(self, mean: i64) -> i64:
        """An exponentially distributed number with this mean (at most about 22 times the mean); mean below 2**37."""
        u = self.u32()
        if u == 0:
            u = 1
        q = minus_ln_q20(u)
        return ((mean >> 20) * q) + (((mean & 0xFFFFF) * q) >> 20)

    def chance(self, per_million: i64) -> bool:
        """True in this many of a million draws."""
        return self.below(1000000) < per_million
