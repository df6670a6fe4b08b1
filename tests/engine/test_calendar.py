"""The calendar against a sorted list that does the same without cleverness."""

import random

import pytest

from simengine.kernel.calendar import Calendar, Event


@pytest.mark.parametrize("seed", range(20))
def test_events_come_out_by_time_then_actions_first_then_in_the_order_pushed(seed: int) -> None:
    chance = random.Random(seed)
    calendar = Calendar()
    twin: list[tuple[int, int, int, Event]] = []
    pushed = 0
    for _ in range(400):
        if twin and chance.random() < 0.45:
            first = min(twin, key=lambda entry: entry[:3])
            assert calendar.next_at() == first[0]
            assert [entry[3] for entry in sorted(twin, key=lambda entry: entry[:3])] == calendar.waiting()
            assert calendar.pop() is first[3]
            twin.remove(first)
            continue
        event, time, is_action = Event(), chance.randrange(30), chance.random() < 0.2
        pushed += 1
        twin.append((time, 0 if is_action else 1, pushed, event))
        if is_action:
            calendar.push_action(event, time)
        else:
            calendar.push(event, time)
        assert event.time == time


def test_an_empty_calendar_has_no_next_time() -> None:
    calendar = Calendar()
    assert calendar.next_at() == -1
    calendar.push(Event(), 5)
    calendar.pop()
    assert calendar.next_at() == -1
