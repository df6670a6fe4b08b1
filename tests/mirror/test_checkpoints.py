"""The checkpoints that are written, and the positions that the group gets on the target (MM-6, MM-7)."""

from simengine.mirror.checkpoint_store import Checkpoint, CheckpointStore
from simengine.mirror.group_offsets import offsets_to_sync

P = 1


def store() -> CheckpointStore:
    """Group g was at 500 at the source, translated to 405."""
    found = CheckpointStore()
    found.update(Checkpoint("g", P, 500, 405))
    return found


def test_the_first_checkpoint_of_a_group_and_of_a_partition_is_written() -> None:
    assert store().is_news(Checkpoint("h", P, 1, 1))
    assert store().is_news(Checkpoint("g", P + 1, 1, 1))


def test_a_checkpoint_is_written_if_its_translation_advanced() -> None:
    assert store().is_news(Checkpoint("g", P, 500, 406))
    assert not store().is_news(Checkpoint("g", P, 600, 405))


def test_a_translation_that_went_back_is_kept_back_until_it_passes() -> None:
    """After a restart that doubled records, or when the syncs near the group have been dropped."""
    assert not store().is_news(Checkpoint("g", P, 600, 203))


def test_a_group_that_went_back_at_the_source_goes_back_on_the_target() -> None:
    assert store().is_news(Checkpoint("g", P, 499, 1))


def test_the_newest_checkpoint_of_each_partition_is_where_the_group_continues() -> None:
    found = store()
    found.update(Checkpoint("g", P, 700, 607))
    found.update(Checkpoint("g", P + 1, 9, 9))
    assert found.groups() == ["g"]
    assert found.translated("g") == {P: 607, P + 1: 9}
    assert found.translated("h") == {}


def test_a_group_unknown_on_the_target_gets_all_positions() -> None:
    assert offsets_to_sync({1: 405, 2: 9}, {}) == {1: 405, 2: 9}


def test_a_known_group_moves_forwards_only() -> None:
    assert offsets_to_sync({1: 405, 2: 9, 3: 0, 4: 7}, {1: 300, 2: 9, 4: 8}) == {1: 405, 3: 0}
