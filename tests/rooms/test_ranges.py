"""Ranges of facts: one that must hold too many is refused before it is computed, any other once it has too many."""

import random

import msgpack
import pytest

from playground.rooms.ranges import FactMarks, FactRange
from playground.rooms.rewind import Rewind
from playground.rooms.run import RoomRun
from playground.rooms.streams import FLIGHTS, STATE, state_rows
from simengine.scenario import load, to_plain
from tests.rooms.site import QUIET

END_US = 12_000_000
MANY = 1_000_000


def played(until_us: int = END_US) -> RoomRun:
    run = RoomRun(to_plain(load(QUIET)))
    while run.world.now_us < until_us:
        run.advance(min(until_us, run.world.now_us + 500_000), False, [], False)
    return run


def answered(
    run: RoomRun, from_us: int, to_us: int, stream: str = FLIGHTS, most: int = MANY
) -> tuple[int, list[list[object]]]:
    while (found := run.rows_between(False, from_us, to_us, stream, most)) is None:
        pass
    number, rows = found
    return number, msgpack.unpackb(rows) if rows else []


def test_the_lower_bound_of_a_range_is_never_above_its_number_of_facts() -> None:
    run, luck = played(), random.Random(7)
    bounds = []
    for _ in range(60):
        from_us, to_us = sorted(luck.sample(range(END_US), 2))
        bounds.append(run.marks.at_least(from_us, to_us))
        assert bounds[-1] <= answered(run, from_us, to_us)[0], (from_us, to_us)
    assert any(bounds)
    assert run.marks.at_least(0, END_US) > 0.8 * answered(run, 0, END_US)[0]


def test_marks_are_of_moments_some_time_apart() -> None:
    marks = FactMarks()
    for number in range(10_000):
        marks.note(number * 1_000, number)
    assert marks.at_least(0, 9_999_000) == 8_000
    assert marks.at_least(5_000_001, 5_999_999) == marks.at_least(8_000_000, 1_000_000) == 0


@pytest.mark.parametrize("stream", [FLIGHTS, STATE])
def test_a_range_that_must_hold_too_many_is_refused_before_it_is_computed(
    stream: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = played()
    monkeypatch.setattr(RoomRun, "_kept_facts", None)
    monkeypatch.setattr(Rewind, "collected", None)
    number, rows = answered(run, 0, END_US, stream, 100)
    assert number > 100 and not rows


def test_a_range_after_a_replay_is_refused_before_it_is_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    run = RoomRun(to_plain(load(QUIET)))
    for until_us in range(0, END_US + 1, 2_000_000):  # a replay that takes some slices
        while run.replay(until_us)["t"] < until_us:
            pass
    monkeypatch.setattr(Rewind, "collected", None)
    assert answered(run, 0, END_US, FLIGHTS, 100)[0] > 100


def test_a_replay_ends_as_soon_as_the_range_has_too_many() -> None:
    run = played()
    run.marks = FactMarks()
    run.history.segments[0].forget_facts()
    rewind = run.rewinds[False]
    assert rewind.collected(FactRange(0, 1_000, FLIGHTS, MANY)) is not None
    number, rows = answered(run, 2_000, END_US, FLIGHTS, 10)
    assert number > 10 and not rows and rewind._collected is None
    world = rewind._world
    assert world is not None and not world.trace.keep_traffic


@pytest.mark.parametrize("is_kept", [True, False])
def test_the_rows_of_a_stream_are_those_of_all_facts(is_kept: bool) -> None:
    run = played()
    if not is_kept:
        for segment in run.history.segments:
            segment.forget_facts()
    number, rows = answered(run, 1_000_000, 4_000_000)
    assert number == len(rows)
    assert answered(run, 1_000_000, 4_000_000, STATE) == (number, state_rows(rows))


def test_a_range_that_begins_after_its_end_is_empty_and_nothing_is_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    run = played(2_000_000)
    monkeypatch.setattr(Rewind, "collected", None)
    assert answered(run, 80_000_000_000, 1_000_000) == (0, [])
    assert answered(run, 80_000_000_000, 90_000_000_000) == (0, [])


def test_two_viewers_who_look_back_do_not_restart_each_others_replay() -> None:
    run = played()
    for segment in run.history.segments:
        segment.forget_facts()
    for steers, at_us in ((False, 9_000_000), (True, 1_000_000)):
        while run.rewinds[steers].view_at(at_us) is None:  # a busy machine needs several slices
            pass
    kept = run.rewinds[False]._world
    assert kept is not None and kept.now_us == 9_000_000
