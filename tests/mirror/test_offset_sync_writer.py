"""The copied records that get an offset sync, and the time when it may be sent (MM-4)."""

from simengine.mirror.offset_sync_writer import OUTSTANDING_MAX, OffsetSyncWriter


def sent(writer: OffsetSyncWriter) -> list[tuple[int, int]]:
    """The (upstream, downstream) pairs that may be sent now."""
    pairs = []
    while (sync := writer.take_due()) is not None:
        pairs.append((int(sync.upstream), int(sync.downstream)))
    return pairs


def copied(writer: OffsetSyncWriter, upstream: range, shift: int = 0, p: int = 0) -> list[tuple[int, int]]:
    """The pairs that may be sent, if each sync is acknowledged before the next record."""
    pairs = []
    for offset in upstream:
        writer.record_copied(p, offset, offset + shift)
        now = sent(writer)
        pairs += now
        for _ in now:
            writer.done()
    return pairs


def test_a_sync_is_due_for_the_first_record_and_every_101_after_it() -> None:
    assert [up for up, _ in copied(OffsetSyncWriter(100), range(1000))] == [*range(0, 1000, 101)]


def test_the_step_is_offset_lag_max_plus_one() -> None:
    assert [up for up, _ in copied(OffsetSyncWriter(30), range(100))] == [0, 31, 62, 93]
    assert [up for up, _ in copied(OffsetSyncWriter(0), range(3))] == [0, 1, 2]


def test_a_gap_in_the_source_is_due_at_once() -> None:
    """Compaction, a transaction's marker, or retention that overtook the mirror."""
    writer = OffsetSyncWriter(100)
    copied(writer, range(600))
    assert copied(writer, range(2019, 2021), shift=600 - 2019) == [(2019, 600)]


def test_a_remote_log_that_went_back_is_due_at_once() -> None:
    writer = OffsetSyncWriter(100)
    copied(writer, range(50))
    assert copied(writer, range(50, 52), shift=-20) == [(50, 30)]


def test_the_commit_sends_the_newest_copy_and_does_not_shift_the_steps() -> None:
    writer = OffsetSyncWriter(100)
    copied(writer, range(150))
    writer.promote_delayed()
    assert sent(writer) == [(149, 149)]
    writer.done()
    assert copied(writer, range(150, 210)) == [(202, 202)]


def test_a_commit_after_a_due_record_sends_nothing_twice() -> None:
    writer = OffsetSyncWriter(100)
    assert copied(writer, range(1)) == [(0, 0)]
    writer.promote_delayed()
    assert sent(writer) == []


def test_ten_syncs_are_under_way_and_of_the_waiting_ones_the_newest_is_kept() -> None:
    """A mirror that catches up leaves syncs out, and the spacing counts those that were replaced."""
    writer = OffsetSyncWriter(100)
    for offset in range(101 * 14):
        writer.record_copied(0, offset, offset)
        assert (writer.take_due() is None) == (offset % 101 != 0 or offset >= 101 * OUTSTANDING_MAX)
    writer.done()
    assert sent(writer) == [(101 * 13, 101 * 13)]


def test_each_partition_has_its_own_steps_and_waits_in_order() -> None:
    writer = OffsetSyncWriter(100)
    for p in (5, 2):
        writer.record_copied(p, 0, p)
    assert sent(writer) == [(0, 5), (0, 2)]
