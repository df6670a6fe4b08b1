"""The figures of verdicts that a run has stated, taken out of its facts and kept compressed.

They are most of the decisive facts, a second apart and nearly equal, and nothing goes back to one of them: a run keeps
them only for who looks at its past. As facts they take 1 KB each, compressed together some ten bytes.
"""

import zlib
from dataclasses import dataclass
from typing import Final

from playground.rooms.streams import Row, pack_rows, unpack_rows
from simengine.facts.kinds import VERDICT_CHANGED
from simengine.facts.trace import Trace

TOGETHER: Final = 64  # facts that are compressed together


@dataclass(frozen=True)
class _Block:
    from_us: int
    until_us: int
    data: bytes


class StatedVerdicts:
    """The stated verdicts of one run that are no longer among the facts of its trace."""

    def __init__(self) -> None:
        self._blocks: list[_Block] = []
        self._looked_at = 0  # so many facts of the trace hold none

    def take_from(self, trace: Trace) -> None:
        """Take the stated verdicts out of a trace of which all facts have been taken over, where they are enough."""
        newer = trace.decisive[self._looked_at :]
        rows = [fact.row() for fact in newer if fact.kind == VERDICT_CHANGED]
        if len(rows) < TOGETHER:
            return
        assert not len(trace.take()), "a fact that has not been taken over would be lost"
        trace.decisive[self._looked_at :] = [fact for fact in newer if fact.kind != VERDICT_CHANGED]
        trace.take()  # the trace has less facts than were taken over: it begins anew at their end
        self._looked_at = len(trace.decisive)
        self._blocks.append(_Block(_time_of(rows[0]), _time_of(rows[-1]), zlib.compress(pack_rows(rows))))

    def between(self, from_us: int, to_us: int) -> list[Row]:
        """The rows with from_us <= t <= to_us, in order."""
        blocks = (one for one in self._blocks if one.until_us >= from_us and one.from_us <= to_us)
        rows = (row for one in blocks for row in unpack_rows(zlib.decompress(one.data)))
        return [row for row in rows if from_us <= _time_of(row) <= to_us]


def _time_of(row: Row) -> int:
    t_us = row[1]
    assert isinstance(t_us, int)
    return t_us
