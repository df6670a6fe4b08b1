"""A flow that copies a topic while its process is killed, paused, or cut off (MM-1, MM-4)."""

from tests.mirror.flow_world import FIRST_FLUSH_S, SOURCE, MirrorWorld


def doubled(copies: list[int]) -> int:
    return len(copies) - len(set(copies))


def test_records_are_copied_once_and_in_order_with_a_sync_every_101() -> None:
    mirror = MirrorWorld().until(10)
    copies = mirror.copies()
    assert copies == [*range(len(copies))]
    assert 450 < len(copies) <= len(mirror.log(SOURCE)) < len(copies) + 10
    assert mirror.syncs() == [(offset, offset) for offset in (0, 101, 202, 303, 404)]


def test_the_first_tick_stores_positions_and_syncs_the_newest_copy_without_shifting_the_steps() -> None:
    mirror = MirrorWorld()
    mirror.until(FIRST_FLUSH_S - 0.1)
    assert mirror.stored() == -1
    mirror.until(FIRST_FLUSH_S + 4)
    newest = mirror.stored()
    assert abs(newest - FIRST_FLUSH_S * 50) < 20
    extra = [upstream for upstream, _ in mirror.syncs() if upstream % 101 != 0]
    assert len(extra) == 1
    assert newest <= extra[0] < newest + 20


def test_killed_before_the_first_tick_the_mirror_copies_everything_again() -> None:
    """As mm06: the positions of this life were never stored."""
    mirror = MirrorWorld().until(8)
    before = mirror.copies()
    mirror.flow.kill()
    mirror.until(10)
    mirror.flow.start()
    copies = mirror.until(26).copies()
    assert copies[: len(before)] == before
    assert copies[len(before) :] == [*range(len(copies) - len(before))]
    assert (0, len(before)) in mirror.syncs(), "a new life begins with a sync at its first record"


def test_killed_after_a_tick_the_mirror_copies_again_what_came_after_it() -> None:
    """As mm15."""
    mirror = MirrorWorld().until(FIRST_FLUSH_S + 4)
    stored, before = mirror.stored(), mirror.copies()
    mirror.flow.kill()
    mirror.until(FIRST_FLUSH_S + 6)
    mirror.flow.start()
    copies = mirror.until(FIRST_FLUSH_S + 20).copies()
    assert copies[len(before)] == stored + 1
    assert doubled(copies) == len(before) - (stored + 1)
    assert sorted({*copies}) == [*range(max(copies) + 1)], "nothing is missing"


def test_a_pause_of_forty_seconds_doubles_at_most_what_was_under_way() -> None:
    """As mm09, where 2 were doubled: the request timeout has passed, and the producer is not idempotent."""
    mirror = MirrorWorld().until(5)
    mirror.flow.pause()
    before = len(mirror.until(45).copies())
    mirror.flow.resume()
    copies = mirror.until(48).copies()
    assert before < 260
    assert [*dict.fromkeys(copies)] == [*range(max(copies) + 1)]
    assert doubled(copies) <= 2
    assert len(mirror.log(SOURCE)) - len(copies) < 20


def test_a_cut_from_the_source_doubles_nothing() -> None:
    """As mm08."""
    mirror = MirrorWorld().until(5)
    mirror.cut(mirror.flow.source.all())
    held = len(mirror.until(25).copies())
    mirror.heal(mirror.flow.source.all())
    copies = mirror.until(40).copies()
    assert held < 260
    assert copies == [*range(len(copies))]
    assert len(mirror.log(SOURCE)) - len(copies) < 20


def test_copies_wait_for_the_election_of_a_new_leader_and_none_is_missing() -> None:
    mirror = MirrorWorld().until(3)
    mirror.act("kill west/0")
    copies = mirror.until(20).copies(1)
    assert [*dict.fromkeys(copies)] == [*range(max(copies) + 1)]
    assert doubled(copies) <= 2
    assert len(copies) > 900


def test_a_cut_from_the_target_holds_copies_back_and_loses_none() -> None:
    mirror = MirrorWorld().until(3)
    mirror.cut(mirror.flow.target.all())
    held = len(mirror.until(13).copies())
    mirror.heal(mirror.flow.target.all())
    copies = mirror.until(50).copies()
    assert held < 160
    assert [*dict.fromkeys(copies)] == [*range(max(copies) + 1)]
    assert len(mirror.log(SOURCE)) - len({*copies}) < 20
