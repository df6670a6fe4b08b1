"""A copy of a partition: the producers that it remembers, its truncations, and its first offset after a start."""

import pytest

from simengine.facts import errors
from simengine.kafka.log.log import Batch, EpochCache, Log
from simengine.kafka.log.producer_state import ProducerStates
from simengine.kafka.replica.fetcher import Fetcher
from simengine.kafka.replica.replica import Partition
from simengine.kafka.wire.fetch_api import FetchPart
from tests.engine.cluster import copy_on, fetcher_of, started


def following() -> tuple[Partition, Fetcher]:
    """A follower with a log of some records, and its fetcher."""
    follower = copy_on(started(), 2)
    fetcher = fetcher_of(follower)
    assert fetcher is not None
    assert follower.log.leo > 10
    return follower, fetcher


# -- IDEM-3, IDEM-8


@pytest.mark.parametrize(
    ("pid", "epoch", "seq", "count", "is_known"),
    [(9, 1, 4, 2, True), (9, 1, 4, 1, False), (9, 1, 5, 1, False), (9, 0, 4, 2, False), (8, 1, 4, 2, False)],
)
def test_a_duplicate_has_the_same_epoch_and_exactly_the_same_sequences(
    pid: int, epoch: int, seq: int, count: int, is_known: bool
) -> None:
    """IDEM-3."""
    states = ProducerStates()
    states.update(Batch(0, 2, 0, 0, 0, 9, 1, 4, 0))
    assert (states.find_duplicate(pid, epoch, seq, count) is not None) is is_known


def test_after_a_cut_only_the_batches_of_the_newest_epoch_left_are_known() -> None:
    """IDEM-8: what is read back from the log is what would have been known then."""
    log, states = Log(), ProducerStates()
    for offset, (epoch, seq) in enumerate([(0, 0), (0, 1), (1, 0), (1, 1)]):
        batch = Batch(offset, 1, 0, 0, offset, 9, epoch, seq, 0)
        log.append(batch)
        states.update(batch)
    log.truncate(3)
    states.truncated(log)
    entry = states.entry(9)
    assert entry is not None
    assert (entry.epoch, [int(batch.base) for batch in entry.batches]) == (1, [2])
    assert states.find_duplicate(9, 1, 1, 1) is None
    log.truncate(2)
    states.truncated(log)
    entry = states.entry(9)
    assert entry is not None
    assert (entry.epoch, [int(batch.base) for batch in entry.batches]) == (0, [0, 1])
    log.truncate(0)
    states.truncated(log)
    assert states.entry(9) is None


# -- FET-9, FET-13, TRUNC-3, LOG-6


@pytest.mark.parametrize(
    ("leader_leo", "leader_start", "end", "is_dropped"),
    [
        (-2, -9, -2, False),  # the leader's log is shorter: cut to it
        (5, -1, 0, False),  # it begins no later: try again
        (5, 0, 0, False),  # exactly where this one ends: nothing is missing
        (5, 1, 1, True),  # it begins later: drop all
    ],
)
def test_a_follower_out_of_range_is_cut_or_starts_over_or_tries_again(
    leader_leo: int, leader_start: int, end: int, is_dropped: bool
) -> None:
    """FET-13: offsets relative to its own log end."""
    follower, fetcher = following()
    leo = int(follower.log.leo)
    fetcher._out_of_range(follower, leo + leader_leo, leo + leader_start)
    assert follower.log.leo == leo + end
    assert follower.log.start == (leo + end if is_dropped else 0)


@pytest.mark.parametrize(
    ("epoch", "end", "cut_to"),
    [
        (3, 14, 14),  # the same epoch: the shorter of the two
        (3, 99, 20),
        (1, 5, 5),
        (1, 15, 10),
        (2, 5, 10),  # an epoch unknown here: where the one before it ends here
        (2, 15, 10),
        (0, 4, 0),  # older than all of this log
        (5, 3, 3),  # newer than all of it: where the leader says
    ],
)
def test_a_diverging_log_is_cut_where_both_may_still_agree(epoch: int, end: int, cut_to: int) -> None:
    """TRUNC-3: epoch 1 from offset 0, epoch 3 from 10 on, end 20."""
    follower, fetcher = following()
    log = Log()
    for offset in range(20):
        log.append(Batch(offset, 1, 1 if offset < 10 else 3, 0, offset, -1, -1, -1, 0))
    follower.log = log
    follower.hw = 0
    fetcher._reconcile(follower, epoch, end)
    assert log.leo == cut_to


@pytest.mark.parametrize(("told", "then"), [(4, 4), (0, 2), (10_000, None)])
def test_a_follower_takes_the_high_watermark_of_each_answer_lower_ones_too(told: int, then: int | None) -> None:
    """FET-9: within its own log, of which the first two records are deleted."""
    follower, fetcher = following()
    leo = int(follower.log.leo)
    follower.hw = leo - 1
    follower.log.start = 2
    fetcher._take(follower, FetchPart(0, errors.ERR_NONE, follower.epoch, leo, told, 0, []))
    assert follower.hw == (leo if then is None else then)


@pytest.mark.parametrize(("saved", "then"), [(-5, 3), (4, 4), (10_000, None)])
def test_the_high_watermark_read_at_a_start_lies_within_the_log(saved: int, then: int | None) -> None:
    """LOG-6: the checkpoint may be older or newer than the log is."""
    follower, _ = following()
    follower.log.start = 3
    follower.hw_saved = saved
    follower.load(0)
    leo = int(follower.log.leo)
    assert (follower.hw, follower.hw_saved) == ((leo, leo) if then is None else (then, then))


def test_an_epoch_cache_keeps_what_is_below_a_cut() -> None:
    """LOG-5: entries at or above it go, also those in which nothing was written."""
    for end, left in ((20, [1, 3]), (11, [1, 3]), (10, [1]), (1, [1]), (0, [])):
        cache = EpochCache()
        cache.epochs, cache.starts = [1, 3], [0, 10]
        cache.truncate(end)
        assert cache.epochs == left


@pytest.mark.parametrize(("ahead", "lag"), [(7, 7), (0, 0), (-3, 0), (None, None)])
def test_a_copy_lags_by_what_its_leader_has_committed_and_it_has_not(ahead: int | None, lag: int | None) -> None:
    """MET-11: of its log end, not of its own high watermark; nothing is said before the first answer."""
    run = started()
    follower = copy_on(run, 2)
    leo = int(follower.log.leo)
    follower.hw = leo - 5
    follower.leader_hw = -1 if ahead is None else leo + ahead
    told = {str(row["name"]).split("name=")[1].split(",")[0]: row["value"] for row in run.metrics(2)}
    assert told.get("ConsumerLag") == lag
    assert told["MaxLag"] == (lag or 0)
