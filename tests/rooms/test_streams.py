"""Three streams of one run: what the state and the summary may leave out without changing the view."""

from playground.rooms.streams import pack_rows, state_rows, summary_rows, unpack_rows
from simengine.facts import kinds


def _row(seq: int, kind: int, *values: object) -> list[object]:
    return [seq, seq * 10, kind, 0, *values]


def test_packed_rows_come_back() -> None:
    rows = [_row(1, kinds.HW_MOVED, 1, 0, 7), _row(2, kinds.ACTION_DONE, 0, "kill 2")]
    assert unpack_rows(pack_rows(rows)) == rows


def test_the_state_leaves_flights_out() -> None:
    rows = [_row(1, kinds.FLIGHT, 1, 1, 2, 30, 0, 1, 0), _row(2, kinds.HW_MOVED, 1, 0, 7)]
    assert state_rows(rows) == rows[1:]


def test_the_summary_keeps_the_last_value_of_a_field() -> None:
    rows = [_row(1, kinds.HW_MOVED, 1, 0, 7), _row(2, kinds.HW_MOVED, 2, 0, 7), _row(3, kinds.HW_MOVED, 1, 0, 9)]
    assert summary_rows(rows) == rows[1:]


def test_the_summary_joins_appends_that_follow_each_other() -> None:
    rows = [_row(1, kinds.APPENDED, 1, 0, 40, 2, 5, -1, 8), _row(2, kinds.APPENDED, 1, 0, 42, 3, 5, -1, 10)]
    assert summary_rows(rows) == [_row(2, kinds.APPENDED, 1, 0, 40, 5, 5, -1, 8)]


def test_appends_of_two_epochs_both_stay() -> None:
    rows = [_row(1, kinds.APPENDED, 1, 0, 40, 2, 5, -1, 8), _row(2, kinds.APPENDED, 1, 0, 42, 3, 6, -1, 10)]
    assert summary_rows(rows) == rows


def test_the_summary_joins_calls_that_ended_alike() -> None:
    ended = [_row(1, kinds.CALLS_SETTLED, -1, 0, 8, 2, 40, 5, 0), _row(2, kinds.CALLS_SETTLED, -1, 0, 10, 1, 42, 5, 0)]
    assert summary_rows(ended) == [_row(2, kinds.CALLS_SETTLED, -1, 0, 8, 3, 40, 5, 0)]


def test_calls_that_ended_differently_all_stay() -> None:
    ended = [
        _row(1, kinds.CALLS_SETTLED, -1, 0, 8, 2, 40, 5, 0),
        _row(2, kinds.CALLS_SETTLED, -1, 0, 10, 1, -1, -1, 6),
        _row(3, kinds.CALLS_SETTLED, -1, 0, 11, 1, 42, 5, 0),
    ]
    assert summary_rows(ended) == ended


def test_nothing_is_joined_over_a_decisive_fact() -> None:
    rows = [
        _row(1, kinds.APPENDED, 1, 0, 40, 2, 5, -1, 8),
        _row(2, kinds.TRUNCATED, 1, 0, 42, 41, 40),
        _row(3, kinds.APPENDED, 1, 0, 41, 1, 6, -1, 10),
    ]
    assert summary_rows(rows) == rows


def test_decisive_facts_all_stay_in_order() -> None:
    rows = [_row(n, kinds.VERDICT_CHANGED, 0, n, 0, 0, 0, 0, 0, 0, 0, 0, 0) for n in range(1, 6)]
    assert summary_rows(rows) == rows
