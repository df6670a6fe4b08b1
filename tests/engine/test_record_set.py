"""Spans of acknowledged records against a plain set of (epoch, offset)."""

import pytest

from simengine.kernel.random import Stream
from simengine.verdict.record_set import RecordSet


def test_records_acknowledged_side_by_side_are_one_span() -> None:
    kept = RecordSet()
    for base in (0, 2, 6, 4, 8):  # answers overtake each other
        kept.add(base, base + 2, 3)
    assert len(kept._spans) == 1
    assert kept.newest(100) == (10, 3)


@pytest.mark.parametrize("seed", range(20))
def test_spans_hold_what_a_set_holds(seed: int) -> None:
    stream = Stream(seed, "kept", "test")
    kept = RecordSet()
    held: set[tuple[int, int]] = set()
    for _ in range(200):
        epoch, base = int(stream.below(3)), int(stream.below(40))
        end = base + 1 + int(stream.below(8))
        records = {(epoch, offset) for offset in range(base, end)}
        if stream.below(3):
            kept.add(base, end, epoch)
            held |= records
        else:
            kept.drop(base, end, epoch)
            held -= records
        assert all(kept.has(o, e) == ((e, o) in held) for e in range(3) for o in range(50))
        below = int(stream.below(50))
        epoch, offset = max(((e, o) for e, o in held if o < below), default=(-1, -1))
        assert kept.newest(below) == (offset + 1, epoch)
        parts = [(o, end) for start, end in kept.parts(5, below, 1) for o in range(start, end)]
        assert [o for o, _ in parts] == sorted(o for e, o in held if e == 1 and 5 <= o < below)
        inside = [o for _, o in held if 10 <= o < below]
        assert kept.within(10, below) == (len(inside), max(inside, default=-1) + 1)
