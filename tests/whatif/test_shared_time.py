"""Seconds of work beside other work."""

import pytest

from playground.whatif.shared_time import SharedTime


def test_a_second_of_two_counts_half_for_each(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr("playground.whatif.shared_time.time.monotonic", lambda: now)
    time = SharedTime()
    now += 7
    with time.share() as first:
        now += 10
        with time.share() as second:
            now += 4
            assert (first(), second()) == (12, 2)
        now += 1
        assert first() == 13
