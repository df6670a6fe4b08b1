"""The offset at which a group continues on the target, by the syncs that were read (MM-5, MM-8)."""

from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from simengine.mirror.offset_sync import OffsetSync
from simengine.mirror.offset_sync_store import NO_SYNC, TOO_OLD, OffsetSyncStore
from simengine.mirror.sync_array import SLOTS, filled_with, updated

P = 3


def store_of(*pairs: tuple[int, int], has_checkpoints: bool = True, read_to_end: bool = True) -> OffsetSyncStore:
    """A store that read these (upstream, downstream) pairs of partition P."""
    store = OffsetSyncStore(has_checkpoints)
    for upstream, downstream in pairs:
        store.handle_record(OffsetSync(P, upstream, downstream))
    if read_to_end:
        store.read_to_end()
    return store


def spaced(lag_max: int, records: int, commit: bool = True) -> OffsetSyncStore:
    """The syncs of a steady stream of records: one each ``lag_max`` + 1 records, and the newest at the commit."""
    offsets = [*range(0, records, lag_max + 1), *([records - 1] if commit else [])]
    return store_of(*((offset, offset) for offset in offsets))


def translations(store: OffsetSyncStore, *upstream: int) -> list[int]:
    return [int(store.translate_downstream(P, offset)) for offset in upstream]


def test_the_translation_vector_of_a_thousand_records_holds() -> None:
    store = spaced(100, 1000)
    assert [int(sync.upstream) for sync in store.kept(P)] == [999, 909, 808, 404, 0]
    assert translations(store, 1000, 999, 998, 950, 910, 909, 908) == [1000, 999, 910, 910, 910, 909, 809]
    assert translations(store, 700, 500, 250, 101, 50, 1, 0) == [405, 405, 1, 1, 1, 1, 0]


def test_before_the_commit_the_newest_records_are_not_translated_exactly() -> None:
    assert translations(spaced(100, 1000, commit=False), 1000, 999, 950, 700) == [910, 910, 910, 607]


def test_a_group_that_is_older_than_every_sync_is_not_translated() -> None:
    assert translations(store_of((500, 20), (700, 220)), 499, 500) == [TOO_OLD, 20]


def test_an_unknown_partition_is_not_translated() -> None:
    assert store_of((0, 0)).translate_downstream(P + 1, 0) == NO_SYNC


def test_nothing_is_translated_before_the_topic_was_read_to_its_end() -> None:
    assert translations(store_of((0, 0), read_to_end=False), 0) == [NO_SYNC]


def test_without_earlier_checkpoints_only_the_newest_old_sync_counts() -> None:
    """MM-8: a group could go back otherwise."""
    store = store_of((0, 0), (101, 101), (202, 202), has_checkpoints=False)
    assert translations(store, 150, 202) == [TOO_OLD, 202]
    store.handle_record(OffsetSync(P, 303, 303))
    assert translations(store, 250, 303) == [203, 303]


def test_a_sync_that_goes_back_upstream_makes_the_others_invalid() -> None:
    """A topic that was deleted and created again, or a mirror that copies again from the start."""
    assert translations(store_of((0, 0), (101, 101), (0, 300), (101, 401)), 50, 101, 500) == [301, 401, 402]


@settings(max_examples=20)
@given(st.lists(st.integers(min_value=1, max_value=2**40), min_size=1, max_size=60))
def test_the_slots_stay_dense_near_the_newest_sync_and_reach_back_to_the_first(steps: list[int]) -> None:
    """Kafka's four invariants, over any growing offsets."""
    first = OffsetSync(P, 7, 7)
    syncs, upstream = filled_with(first), 7
    for step in steps:
        upstream += step
        newest = OffsetSync(P, upstream, upstream)
        syncs = updated(syncs, newest)
        assert syncs[0] is newest
        assert syncs[-1] is first
    for i, j in combinations(range(SLOTS), 2):
        if syncs[i] is not syncs[j]:
            assert syncs[i].upstream <= syncs[j].upstream + 2**j - 2**i
            assert syncs[i].upstream >= syncs[j].upstream + 2 ** max(i - 2, 0)
