"""The past that a room keeps, within its limits."""

from typing import Any

import pytest

from playground.rooms import history as module
from playground.rooms.history import History
from playground.rooms.limits import KEYFRAME_EVERY_US
from playground.rooms.streams import pack_rows


def _view(t_us: int) -> dict[str, Any]:
    return {"t": t_us, "seq": t_us, "brokers": {"1": {"process": "running"}}}


def _long(seconds: int, bytes_max: int = 100_000) -> History:
    history = History(_view(0))
    for second in range(1, seconds + 1):
        t_us = second * 1_000_000
        history.add(pack_rows([[t_us, t_us, 67, 0, 1, 0, second]]), t_us)
        if history.is_keyframe_due(t_us):
            history.add_keyframe(_view(t_us), bytes_max)
    return history


def test_a_keyframe_is_due_every_five_seconds() -> None:
    assert KEYFRAME_EVERY_US == 5_000_000
    assert [segment.t_us for segment in _long(12).segments] == [0, 5_000_000, 10_000_000]


def test_the_keyframe_before_a_moment_is_found() -> None:
    history = _long(12)
    assert history.since(9_999_999)[0].load_view() == _view(5_000_000)
    assert history.since(10_000_000)[0].load_view() == _view(10_000_000)


def test_the_facts_after_a_keyframe_come_back_in_order() -> None:
    rows = _long(12).since(7_000_000)[0].rows()
    assert [row[1] for row in rows] == [6_000_000, 7_000_000, 8_000_000, 9_000_000, 10_000_000]


def test_a_run_of_hours_keeps_no_more_than_its_limit_of_bytes_and_the_oldest_go_first() -> None:
    after_an_hour, after_three = _long(3_600, 2_000), _long(3 * 3_600, 2_000)
    assert after_an_hour.bytes_kept() <= 2_000 + after_an_hour.segments[-1].bytes_kept()
    assert after_three.bytes_kept() <= 2_000 + after_three.segments[-1].bytes_kept()
    assert after_an_hour.since(0) == []
    assert after_an_hour.since(3_599_000_000)[0].has_view_at(3_599_000_000)


def test_more_facts_since_a_keyframe_than_the_limit_are_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "OPEN_SEGMENT_BYTES_MAX", 30)
    history = _long(4)
    assert not history.segments[-1].has_facts() and history.bytes_kept() == len(history.segments[-1].view)
    assert not history.since(3_000_000)[0].has_view_at(3_000_000)
