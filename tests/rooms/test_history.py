"""What a room keeps of its past, within its limits."""

from typing import Any

import pytest

from playground.rooms import history as module
from playground.rooms.history import History
from playground.rooms.limits import KEYFRAME_EVERY_US, KEYFRAMES_MAX
from playground.rooms.streams import pack_rows


def _view(t_us: int) -> dict[str, Any]:
    return {"t": t_us, "seq": t_us, "brokers": {"1": {"process": "running"}}}


def _long(seconds: int) -> History:
    history = History(_view(0))
    for second in range(1, seconds + 1):
        t_us = second * 1_000_000
        history.add(pack_rows([[t_us, t_us, 67, 0, 1, 0, second]]), t_us)
        if history.is_keyframe_due(t_us):
            history.add_keyframe(_view(t_us))
    return history


def test_a_keyframe_is_due_every_five_seconds() -> None:
    assert KEYFRAME_EVERY_US == 5_000_000
    assert [segment.t_us for segment in _long(12).segments] == [0, 5_000_000, 10_000_000]


def test_the_keyframe_before_a_moment_is_found() -> None:
    history = _long(12)
    assert history.at(9_999_999).load_view() == _view(5_000_000)
    assert history.at(10_000_000).load_view() == _view(10_000_000)


def test_the_facts_after_a_keyframe_come_back_in_order() -> None:
    rows = _long(12).at(7_000_000).rows()
    assert [row[1] for row in rows] == [6_000_000, 7_000_000, 8_000_000, 9_000_000, 10_000_000]


def test_keyframes_are_thinned_and_never_lost_altogether() -> None:
    history = _long(5 * (KEYFRAMES_MAX + 5))
    assert len(history.segments) <= KEYFRAMES_MAX
    assert history.segments[0].t_us == 0
    assert history.every_us == 2 * KEYFRAME_EVERY_US


def test_over_the_memory_limit_the_oldest_facts_go_and_keyframes_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "HISTORY_BYTES_MAX", 2_000)
    history = _long(200)
    assert not history.segments[0].has_facts()
    assert history.segments[-1].has_facts()
    assert len(history.segments) == 41


def test_a_run_that_goes_back_forgets_what_was_after() -> None:
    history = _long(12)
    history.cut_after(6_000_000)
    assert history.segments[-1].t_us == 5_000_000
    assert not history.segments[-1].has_facts()
