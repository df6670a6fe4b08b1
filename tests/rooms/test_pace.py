"""Automatic speed: what is a wait, and when it is skipped."""

from types import SimpleNamespace
from typing import Any, cast

import pytest

from playground.rooms.limits import SPEED_NORMAL_US
from playground.rooms.live_run import LiveRun
from playground.rooms.pace import HOLD_US, LOOK_US, SKIP_SPEED_US, Restlessness, RoomPace, is_event, is_worth_a_stop
from simengine.facts import kinds
from simengine.facts.errors import ERR_NETWORK_EXCEPTION, ERR_NOT_ENOUGH_REPLICAS


def test_a_cluster_at_rest_plays_at_normal_speed_for_ever() -> None:
    assert RoomPace().speed_us(500_000_000, False, -1) == SPEED_NORMAL_US


def test_a_wait_is_skipped_once_the_event_has_been_seen() -> None:
    pace = RoomPace()
    pace.note_event(1_000_000)
    assert pace.speed_us(1_000_000 + HOLD_US - 1, True, -1) == SPEED_NORMAL_US
    assert pace.speed_us(1_000_000 + HOLD_US, True, -1) == SKIP_SPEED_US


def test_a_wait_without_an_event_is_skipped_for_a_while_only() -> None:
    pace = RoomPace()
    pace.note_event(0)
    assert pace.speed_us(LOOK_US, True, -1) == SPEED_NORMAL_US


def test_the_way_to_the_next_action_of_the_timeline_is_skipped() -> None:
    assert RoomPace().speed_us(1_000_000, False, 60_000_000) == SKIP_SPEED_US
    assert RoomPace().speed_us(59_999_000, False, 60_000_000) == SPEED_NORMAL_US


def test_a_killed_broker_that_is_not_fenced_yet_is_due() -> None:
    rest = Restlessness(process={1: kinds.PROCESS_RUNNING}, registration={1: kinds.REG_ACTIVE})
    assert not rest.is_due()
    rest.note([1, 0, kinds.PROCESS_CHANGED, 0, 1, kinds.PROCESS_DOWN, 0])
    assert rest.is_due()
    rest.note([2, 0, kinds.BROKER_REGISTRATION, 0, 1, 7, kinds.REG_FENCED])
    assert not rest.is_due()


def test_an_active_replica_outside_the_isr_is_due() -> None:
    rest = Restlessness(registration={1: kinds.REG_ACTIVE, 2: kinds.REG_ACTIVE}, partitions={0: (1, [1, 2], [1, 2])})
    assert not rest.is_due()
    row: list[object] = [3, 0, kinds.PARTITION_CHANGED, 0, 0, 1, 5, 6, 3, 0, [1, 2], [1], [], [], [], []]
    rest.note(row)
    assert rest.is_due()


def test_a_partition_whose_replicas_are_all_dead_waits_for_nothing() -> None:
    rest = Restlessness(process={1: 0}, registration={1: kinds.REG_FENCED}, partitions={0: (-1, [1], [1])})
    assert not rest.is_due()


def test_a_cut_link_is_due_until_it_is_healed() -> None:
    rest = Restlessness()
    rest.note([1, 0, kinds.LINK_CHANGED, 0, 1, 2, 1, 0])
    assert rest.is_due()
    rest.note([2, 0, kinds.LINK_CHANGED, 0, 1, 2, 0, 0])
    assert not rest.is_due()


def test_a_step_stops_at_events_and_not_at_what_merely_accompanies_them() -> None:
    """An election is worth seeing; that a broker follows the new leader is told with it."""
    for kind in (kinds.PROCESS_CHANGED, kinds.PARTITION_CHANGED, kinds.RECORDS_LOST, kinds.ACTION_DONE):
        assert is_worth_a_stop([1, 5, kind, 0])
    for kind in (kinds.LEADER_ACTIVATED, kinds.ISR_PROPOSED, kinds.VERDICT_CHANGED, kinds.FLIGHT):
        assert not is_worth_a_stop([1, 5, kind, 0])


def test_a_step_stops_at_a_refused_write_and_not_where_a_connection_broke() -> None:
    """PROD-2 and PC-3: the servers refuse, or the application is told; a retry after a reset is neither."""
    for error, ended, stops in (
        (ERR_NOT_ENOUGH_REPLICAS, 0, True),
        (ERR_NETWORK_EXCEPTION, 0, False),
        (ERR_NETWORK_EXCEPTION, 1, True),
    ):
        assert is_worth_a_stop([1, 5, kinds.WRITE_FAILED, 0, 0, 0, error, ended]) == stops


def test_a_step_stops_where_a_consumer_jumps_and_not_where_it_begins() -> None:
    assert is_worth_a_stop([1, 5, kinds.CONSUMER_RESET, 0, 0, 0, 40, 12, 3])
    assert not is_worth_a_stop([1, 5, kinds.CONSUMER_RESET, 0, 0, 0, -1, 0, 1])


def test_figures_of_the_verdict_are_no_event() -> None:
    assert not is_event(kinds.VERDICT_CHANGED)
    assert not is_event(kinds.FLIGHT)
    assert is_event(kinds.PARTITION_CHANGED)


@pytest.mark.parametrize(
    ("next_us", "by_hand_us", "opened_us", "coming_us"),
    [
        (20, 0, 0, 20),  # the next action
        (-1, 0, 0, 60),  # behind the last one the end
        (-1, 40, 0, -1),  # somebody acts after it
        (-1, 0, 29, -1),  # the last action made this branch
        (-1, 0, 10, 60),  # the branch goes on with later actions
    ],
)
def test_behind_the_last_action_of_a_script_automatic_speed_hurries_to_the_end(
    next_us: int, by_hand_us: int, opened_us: int, coming_us: int
) -> None:
    stored = SimpleNamespace(last_action_us=by_hand_us, moment_us=opened_us)
    run = LiveRun("room", cast(Any, stored), *cast(Any, [None] * 5))
    run.script, run.next_action_us, run.t_us = (30, 60), next_us, 50 if next_us < 0 else 10
    assert run.coming_us == coming_us
    run.t_us = 60
    assert run.coming_us == max(-1, next_us)


def test_a_document_without_actions_is_not_hurried() -> None:
    run = LiveRun("room", cast(Any, SimpleNamespace(last_action_us=0, moment_us=0)), *cast(Any, [None] * 5))
    run.script = (-1, 60)
    assert run.coming_us == -1
