"""The clock of a room, told the wall time."""

from playground.rooms.clock import Clock
from playground.rooms.limits import STALL_MAX_S


def _playing(speed_us: int) -> Clock:
    clock = Clock(speed_us=speed_us)
    clock.play(10.0)
    return clock


def test_a_paused_clock_stands_still() -> None:
    assert Clock(t_us=5).due(1000.0) == 5


def test_a_playing_clock_moves_at_its_speed() -> None:
    clock = _playing(1_000_000)
    assert clock.due(10.1) == 100_000


def test_at_one_millisecond_a_second_no_time_is_lost_to_rounding() -> None:
    clock = _playing(1_000)
    for frame in range(1, 301):
        due = clock.due(10.0 + frame / 30)
        clock.reached(due, due, 10.0 + frame / 30)
    assert abs(clock.t_us - 10_000) <= 1


def test_an_engine_that_falls_short_slows_the_clock() -> None:
    clock = _playing(1_000_000)
    clock.reached(20_000, clock.due(10.1), 10.1)
    assert clock.due(10.2) == 120_000


def test_a_late_tick_does_not_make_one_huge_frame() -> None:
    clock = _playing(1_000_000)
    assert clock.due(20.0) == int(STALL_MAX_S * 1_000_000)


def test_a_change_of_speed_does_not_make_time_jump() -> None:
    clock = _playing(1_000_000)
    clock.reached(100_000, clock.due(10.1), 10.1)
    clock.set_speed(2_000, 10.1)
    assert clock.due(10.2) == 100_200


def test_the_true_speed_says_what_the_engine_managed() -> None:
    clock = _playing(1_000_000)
    for frame in range(1, 40):
        wall = 10.0 + frame / 30
        due = clock.due(wall)
        clock.reached(clock.t_us + 10_000, due, wall)
    assert 290_000 <= clock.true_speed_us <= 310_000


def test_time_never_runs_backwards_by_itself() -> None:
    clock = _playing(1_000_000)
    clock.jump(500_000, 10.2)
    assert clock.due(10.2) >= 500_000
