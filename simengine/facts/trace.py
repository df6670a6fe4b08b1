"""The trace: every fact of a run, in order, and one digest over all of them.

Decisive facts are kept for the whole run. Traffic is numbered and digested always, so that the digest is the same
whether somebody looks or not, and stored only while ``keep_traffic`` is on: packed, ten words a fact, until they are
taken over and somebody asks for their rows.
"""

from typing import Final, final

from librt.vecs import extend, vec
from mypy_extensions import i64, mypyc_attr

from simengine.facts.kinds import FIRST_TRAFFIC
from simengine.facts.schema import FACTS
from simengine.facts.text_key import text_key

WORDS: Final = 10  # of a packed fact: seq, t_us, kind, and up to seven values
GROWTH: Final = 64 * WORDS

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
for _fact in FACTS:
    _INTS[_fact.number] = len(_fact.ints)

Row = list[object]


@mypyc_attr(acyclic=True)
class Decisive:
    """A fact that is kept for the whole run; ``decisive.py`` has a class for each kind.

    It is numbered and dated when it is stated, and does not change afterwards.
    """

    __slots__ = ("cause", "kind", "seq", "t")

    def __init__(self, kind: i64, cause: i64) -> None:
        self.kind: i64 = kind
        self.cause: i64 = cause  # number of a decisive fact, or 0
        self.seq: i64 = 0
        self.t: i64 = 0  # us

    def place(self, seq: i64, t: i64) -> None:
        """Number and date it."""
        self.seq = seq
        self.t = t

    @property
    def values(self) -> list[int]:
        """Its integers in the order of the table, for the digest and the row."""
        return []

    @property
    def lists(self) -> list[list[int]]:
        """Its lists in the order of the table, for the digest and the row."""
        return []

    @property
    def words(self) -> str:
        """Its text, for the digest and the row."""
        return ""

    def row(self) -> Row:
        """[seq, t_us, kind, cause, field, field, ...], in the order of ``schema.FACTS``."""
        row: Row = [self.seq, self.t, self.kind, self.cause]
        row.extend(self.values)
        row.extend(self.lists)
        words = self.words
        if words:
            row.append(words)
        return row


@final
class Facts:
    """Facts of some time, taken over from a trace: decisive ones and packed traffic."""

    __slots__ = ("_decisive", "_words")

    def __init__(self, decisive: list[Decisive], words: vec[i64]) -> None:
        self._decisive = decisive
        self._words = words

    def __len__(self) -> int:
        return len(self._decisive) + len(self._words) // WORDS

    def rows(self) -> list[Row]:
        """One row a fact, in the order in which they were stated."""
        rows: list[Row] = []
        words = self._words
        end: i64 = len(words)
        at: i64 = 0
        for fact in self._decisive:
            while at < end and words[at] < fact.seq:
                rows.append(unpacked(words, at))
                at += WORDS
            rows.append(fact.row())
        while at < end:
            rows.append(unpacked(words, at))
            at += WORDS
        return rows


def unpacked(words: vec[i64], at: i64) -> Row:
    """The row of the packed fact whose first word stands at ``at``."""
    kind = words[at + 2]
    row: Row = [words[at], words[at + 1], kind, 0]
    count: i64 = _INTS[kind]
    for i in range(at + 3, at + 3 + count):
        row.append(words[i])
    return row


@final
class Trace:
    """Collects the facts of one run."""

    __slots__ = ("_end", "_h", "_kinds", "_taken", "_words", "decisive", "keep_traffic", "now", "seq")

    def __init__(self) -> None:
        self.decisive: list[Decisive] = []
        self.keep_traffic: bool = False
        self._kinds: i64 = -1  # bit k: traffic of kind FIRST_TRAFFIC + k is stored
        self.seq: i64 = 0
        self.now: i64 = 0
        self._h: i64 = 0x2545F491
        self._words: vec[i64] = vec[i64]()
        self._end: i64 = 0  # of the words that hold facts
        self._taken: i64 = 0  # decisive facts that were taken over, or stated while nobody looked

    def state(self, fact: Decisive) -> i64:
        """State a decisive fact; returns its number, for use as a cause."""
        self.seq += 1
        fact.place(self.seq, self.now)
        self.decisive.append(fact)
        if not self.keep_traffic:
            self._taken = len(self.decisive)
        h = self._step(self._h, (self.now & _M31) * _K1 ^ (self.now >> 31) * _K2 ^ fact.kind * _K3 ^ fact.cause * _K9)
        for value in fact.values:
            x: i64 = value
            h = self._step(h, (x & _M31) * _K4 ^ ((x >> 31) & _M31) * _K5)
        for part in fact.lists:
            h = self._step(h, len(part) * _K6)
            for value in part:
                h = self._step(h, (value & _M31) * _K7)
        words = fact.words
        if words:
            h = self._step(h, text_key(words))
        self._h = h
        return self.seq

    def traffic(self, kind: i64, a: i64, b: i64, c: i64 = 0, d: i64 = 0, e: i64 = 0, f: i64 = 0, g: i64 = 0) -> i64:
        """State a fact of traffic; returns its number."""
        seq = self.seq + 1
        self.seq = seq
        t = self.now
        h = self._h
        x = (t & _M31) * _K1 ^ (t >> 31) * _K2 ^ kind * _K3 ^ (a & _M31) * _K4 ^ (b & _M31) * _K5
        y = (c & _M31) * _K6 ^ (d & _M31) * _K7 ^ (e & _M31) * _K8 ^ (f & _M31) * _K9 ^ (g & _M31) * _K2
        self._h = ((h ^ (h >> 29)) & _M31) * _K0 ^ (h >> 31) ^ x ^ y ^ ((d >> 31) & _M31) * _K3
        if self.keep_traffic and (self._kinds >> (kind - FIRST_TRAFFIC)) & 1:
            at = self._end
            self._end = at + WORDS
            if at == len(self._words):
                self._grow()
            words = self._words
            words[at] = seq
            words[at + 1] = t
            words[at + 2] = kind
            words[at + 3] = a
            words[at + 4] = b
            words[at + 5] = c
            words[at + 6] = d
            words[at + 7] = e
            words[at + 8] = f
            words[at + 9] = g
        return seq

    def _grow(self) -> None:
        """Make room for twice as many facts."""
        words = self._words
        self._words = extend(words, words) if len(words) > 0 else vec[i64]([0] * GROWTH)

    def keep_kinds(self, kinds: list[int]) -> None:
        """Store only these kinds of traffic from now on."""
        self.keep_traffic = True
        self._kinds = 0
        for kind in kinds:
            if kind >= FIRST_TRAFFIC:
                self._kinds |= 1 << (kind - FIRST_TRAFFIC)

    def _step(self, h: i64, x: i64) -> i64:
        return ((h ^ (h >> 29)) & _M31) * _K0 ^ (h >> 31) ^ x

    def take(self) -> Facts:
        """The facts stated since the last call while ``keep_traffic`` was on."""
        facts = Facts(self.decisive[self._taken :], self._words[: self._end])
        self._taken = len(self.decisive)
        self._end = 0
        return facts

    def digest(self) -> str:
        """16 hex digits over every fact so far."""
        return f"{self._h ^ (self.seq << 40) & 0x7FFFFFFFFFFFFFFF:016x}"


def is_decisive(kind: int) -> bool:
    """True if facts of this kind are kept for the whole run."""
    return kind < FIRST_TRAFFIC
