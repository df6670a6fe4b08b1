"""``slow``: a change of the pace takes effect on the answer that is being taken in, by what of it is still to come."""

from typing import Any

import pytest

from simengine.kafka.replica.replica import Partition
from simengine.world.world import World
from tests.engine.cluster import SECOND, broker_of, copy_on, fetcher_of, world

ALONE: dict[str, Any] = {"cluster": {"brokers": [0, 1], "controllers": [100]}}


def taking_in() -> tuple[World, Partition, int, int]:
    """Broker 1 has begun to take in 100 records at 10 a second: its copy, when it began, and the log end until then."""
    run = world(
        **ALONE,
        topics=[{"name": "t", "assignment": [[0, 1]]}],
        producers=[{"id": "P", "topic": "t", "acks": 1}],
        timeline=[{"at": "5s", "do": "slow 1 10"}, {"at": "6s", "do": "send P t-0 100"}],
    )
    run.run(6 * SECOND - 1)
    copy = copy_on(run, 1)
    while (fetcher := fetcher_of(copy)) is None or fetcher._intake is None:
        run.run(run.now_us + 100)
        assert run.now_us < 7 * SECOND
    intake = fetcher._intake
    assert int(intake.answer.count) == 100
    return run, copy, int(intake.due) - 10 * SECOND, int(copy.log.leo)


def grows_by(run: World, copy: Partition, at_us: int) -> tuple[int, int]:
    """The log end just before a time, and at it."""
    run.run(at_us - 1)
    before = int(copy.log.leo)
    run.run(at_us)
    return before, int(copy.log.leo)


@pytest.mark.parametrize(
    ("changes", "taken_ms"),
    [
        ([], 10_000),
        ([(4_000, "off")], 4_000),
        ([(4_000, "60")], 5_000),  # 60 records are left
        ([(4_000, "5")], 16_000),
        ([(4_000, "10")], 10_000),
        ([(4_000, "60"), (4_500, "10"), (5_500, "40")], 6_000),  # 60, 30, 20 left
        ([(4_000, "5"), (6_000, "off")], 6_000),
        ([(10_000, "off")], 10_000),
    ],
)
def test_what_is_left_of_an_answer_is_taken_in_at_the_new_pace(changes: list[tuple[int, str]], taken_ms: int) -> None:
    run, copy, began, end = taking_in()
    for ms, pace in changes:
        run.act(began + ms * 1000, f"slow 1 {pace}")
    assert grows_by(run, copy, began + taken_ms * 1000) == (end, end + 100)
    run.run(began + 20 * SECOND)
    assert copy.log.leo == end + 100, "once"


@pytest.mark.parametrize(
    ("paused_ms", "pace", "resumed_ms", "taken_ms"),
    [
        (2_000, "off", 6_000, 6_000),
        (2_000, "60", 4_500, 5_000),  # it came in all the while
        (2_000, "60", 8_000, 8_000),
    ],
)
def test_a_paused_broker_does_nothing_with_what_has_come_in(
    paused_ms: int, pace: str, resumed_ms: int, taken_ms: int
) -> None:
    run, copy, began, end = taking_in()
    run.act(began + paused_ms * 1000, "pause 1")
    run.act(began + 4 * SECOND, f"slow 1 {pace}")
    run.act(began + resumed_ms * 1000, "resume 1")
    assert grows_by(run, copy, began + taken_ms * 1000) == (end, end + 100)


def test_a_change_while_what_has_come_in_waits_for_a_paused_broker_makes_nothing_of_it_twice() -> None:
    run, copy, began, end = taking_in()
    run.act(began + 2 * SECOND, "pause 1")
    run.act(began + 10 * SECOND + 500_000, "slow 1 1")
    run.act(began + 11 * SECOND, "resume 1")
    assert grows_by(run, copy, began + 11 * SECOND) == (end, end + 100)
    run.run(began + 20 * SECOND)
    assert copy.log.leo == end + 100


def test_an_answer_whose_fetch_was_given_up_is_taken_in_at_no_pace() -> None:
    """The process dies over it: the next one fetches anew."""
    run, copy, began, end = taking_in()
    run.act(began + 2 * SECOND, "kill 1")
    run.act(began + 3 * SECOND, "slow 1 off")
    run.act(began + 4 * SECOND, "start 1 after 1s")
    run.run(began + 4 * SECOND)
    assert copy.log.leo == end
    run.run(began + 30 * SECOND)
    assert copy.log.leo == end + 100


def test_an_answer_for_a_partition_that_is_followed_no_more_is_put_aside() -> None:
    """FET-11."""
    run, copy, began, end = taking_in()
    broker_of(copy).fetchers.stop(copy)
    run.act(began + 2 * SECOND, "slow 1 off")
    run.run(began + 3 * SECOND)
    assert copy.log.leo == end
