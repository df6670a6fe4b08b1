"""The account of a partition and the figures of a topic: what goes into which of them (FATE-4, STOP-1, STOP-3)."""

import pytest

from simengine.kafka.log.log import Batch, Log
from simengine.kafka.shared.standing import BELOW_MIN_ISR, LEADERLESS, OPEN, STALLED
from simengine.verdict.account import PartitionCounters
from simengine.verdict.figures import TopicFigures
from simengine.verdict.no_response import NoResponse
from simengine.verdict.outage import NEVER, THETA_US, Closing
from simengine.verdict.silences import stopped_by
from simengine.verdict.so_far import Stops, figures_so_far
from simengine.world.world import World
from tests.engine.cluster import SECOND, copy_on, started, world


def account_of(run: World, p: int = 0) -> PartitionCounters:
    """The account of a partition."""
    return run.book.account(p)


def batch(base: int, count: int, epoch: int = 0) -> Batch:
    """Records of client 0."""
    return Batch(base, count, epoch, 0, base, -1, -1, -1, 0)


@pytest.mark.parametrize(("acks", "is_well", "followed"), [(-1, True, 0), (-1, False, 1), (1, True, 1), (1, False, 1)])
def test_records_are_followed_from_their_acknowledgement_unless_all_of_a_healthy_isr_has_them(
    acks: int, is_well: bool, followed: int
) -> None:
    """PROD-6: acks=all is acknowledged once the ISR has the records; some of the ISR may be down."""
    account = account_of(started())
    leader = account.leader()
    assert leader is not None
    account.is_well, account.exposure._live = is_well, []
    leader.hw = 0
    before = len(account.exposure._open), len(account.hidden._marks)
    account.acknowledged(1000, 3, 0, acks, 0)
    assert len(account.exposure._open) - before[0] == followed
    assert len(account.hidden._marks) - before[1] == followed


def test_producers_see_an_outage_from_one_success_to_the_next() -> None:
    """A failed call ends it only if no other call waits."""
    silence = NoResponse(-1, Closing(NEVER))
    silence.called(3, 0)
    silence.ended(1, True, 4 * SECOND)
    assert (silence.out.since, silence.out.total_us) == (4 * SECOND, 4 * SECOND)
    silence.ended(1, False, 6 * SECOND)
    assert silence.out.since == 4 * SECOND
    silence.ended(1, False, 9 * SECOND)
    assert [silence.us(t * SECOND) for t in (9, 20)] == [9 * SECOND, 9 * SECOND]


def test_a_call_that_waits_through_two_outages_is_held_back_once() -> None:
    """A success ends the first; the other call goes on waiting in the next."""
    silence = NoResponse(-1, Closing(NEVER))
    silence.called(2, 0)
    silence.ended(1, True, 4 * SECOND)
    silence.called(1, 5 * SECOND)
    assert silence.held(9 * SECOND) == 3


def test_a_call_of_a_short_wait_is_held_back_by_the_outage_behind_it() -> None:
    silence = NoResponse(-1, Closing(NEVER))
    silence.called(2, 0)
    silence.ended(1, True, SECOND // 2)
    assert silence.held(4 * SECOND) == 1


def test_calls_that_fail_one_after_the_other_are_one_outage() -> None:
    """An application that is refused each call at once has no success either, though no call waits."""
    silence = NoResponse(-1, Closing(NEVER))
    for t in range(0, 9 * SECOND, SECOND // 2):
        silence.called(1, t)
        silence.ended(1, False, t + 1000)
    assert silence.us(60 * SECOND) == 8 * SECOND + SECOND // 2 + 1000
    silence.called(1, 60 * SECOND)
    silence.ended(1, True, 61 * SECOND)
    assert silence.us(90 * SECOND) == 8 * SECOND + SECOND // 2 + 1000


def test_an_isr_below_the_minimum_stops_acks_all_and_not_acks_1() -> None:
    """PROD-2, PROD-4."""
    run = started()
    account = account_of(run)
    copy_on(run, 0).isr = [0]
    account.restate(run.now_us)
    assert (account.state, account.out_all.since, account.out_1.since) == (BELOW_MIN_ISR, run.now_us, -1)
    copy_on(run, 0).broker.paused = True
    account.restate(run.now_us + SECOND)
    assert (account.state, account.out_all.since, account.out_1.since) == (LEADERLESS, run.now_us, run.now_us + SECOND)
    assert account.us_in(BELOW_MIN_ISR, run.now_us + 9 * SECOND) == SECOND


def test_a_stop_goes_back_to_the_first_of_its_states() -> None:
    """The ISR is below the minimum by one fact, then the leader is gone by another: acks=all stopped by the first."""
    account = account_of(started())
    account.states = [(0, BELOW_MIN_ISR, 7), (9, LEADERLESS, 8), (20, OPEN, 9), (30, LEADERLESS, 10)]
    assert [stopped_by(account, at, False) for at in (5, 15, 25, 35)] == [7, 7, 0, 10]
    assert [stopped_by(account, at, True) for at in (5, 15, 25, 35)] == [0, 8, 0, 10]


def test_no_state_lasts_beyond_the_end_of_the_run() -> None:
    run = started()
    account = account_of(run)
    account.closing.us = 5 * SECOND
    account.state, account.stated_at, account.state_us = STALLED, 3 * SECOND, [0] * 4
    assert account.us_in(STALLED, 4 * SECOND) == SECOND
    assert account.us_in(STALLED, 60 * SECOND) == 2 * SECOND
    account.stated_at = 6 * SECOND
    assert account.us_in(STALLED, 60 * SECOND) == 0


def test_calls_arrive_with_the_leader_that_counts() -> None:
    """acks=0: records in the log of a zombie have not arrived; the next leader's log decides anew."""
    run = started()
    account, leader = account_of(run), copy_on(run, 0)
    book = account.calls_of(0).handed_over
    book.add(0, 10, 0)
    account.losses.led = leader.epoch + 1
    account.appended(leader, batch(0, 4))
    assert book.arrived == 0
    account.losses.led = leader.epoch
    account.appended(leader, batch(0, 4))
    assert book.arrived == 4
    leader.log = Log()
    leader.log.append(batch(0, 7))
    account.leader_activated(leader)
    assert book.arrived == 7


@pytest.mark.parametrize(
    ("state", "stopped_all", "stopped_1"), [(OPEN, 0, 0), (STALLED, 1, 0), (BELOW_MIN_ISR, 1, 0), (LEADERLESS, 1, 1)]
)
def test_only_a_partition_without_leader_is_stopped_for_acks_1(state: int, stopped_all: int, stopped_1: int) -> None:
    account = account_of(world())
    account.state = state
    stops = Stops()
    stops.look(account, 0)
    assert (stops.stopped_all, stops.stopped_1) == (stopped_all, stopped_1)


@pytest.mark.parametrize("most", [0, 1])
def test_a_topic_names_the_outage_that_hides_most_records(most: int) -> None:
    """Two partitions with hidden records, each by an outage of its own."""
    run = world(topics=[{"name": "t", "assignment": [[0, 1, 2], [0, 1, 2]]}])
    run.run(SECOND)
    accounts = [account_of(run, p) for p in (0, 1)]
    for p, account in enumerate(accounts):
        leader = copy_on(run, 0, p)
        leader.log = Log()
        leader.log.append(batch(0, 9 if p == most else 4))
        leader.hw = 1
        account.losses.kept.add(0, int(leader.log.leo), 0)
        account.hidden.acknowledged(leader.log.leo, leader, 0)
        account.out_all.since, account.out_all.cause = 0, 70 + p
        account.drop_kept()
    figures = figures_so_far(0, TopicFigures(), accounts, 2 * THETA_US)
    assert (figures.hidden, figures.deciding) == (11, 70 + most)
