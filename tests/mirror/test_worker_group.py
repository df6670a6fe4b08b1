"""The Connect worker's group on the target: which interruptions cost a flow its tasks, and for how long (MM-1)."""

from tests.mirror.flow_world import SOURCE, MirrorWorld


def doubled(copies: list[int]) -> int:
    return len(copies) - len(set(copies))


def has_tasks(mirror: MirrorWorld) -> bool:
    return bool(mirror.flow.herder.has_tasks)


def cut_from_target(seconds: float) -> MirrorWorld:
    mirror = MirrorWorld().until(12)
    mirror.cut(mirror.flow.target.all())
    mirror.until(12 + seconds)
    mirror.heal(mirror.flow.target.all())
    return mirror


def test_after_a_cut_longer_than_the_session_the_tasks_wait_five_minutes() -> None:
    """As mm07 and mm19: nothing for 306 s after the heal, and at most what was under way doubled."""
    mirror = cut_from_target(20)
    mirror.until(320)
    held = mirror.copies()
    assert held == [*range(len(held))]
    assert len(held) < 620
    assert mirror.stored() > 590
    assert not has_tasks(mirror)
    copies = mirror.until(345).copies()
    assert [*dict.fromkeys(copies)] == [*range(max(copies) + 1)]
    assert doubled(copies) <= 2
    assert len(mirror.log(SOURCE)) - len(copies) < 20


def test_a_cut_shorter_than_the_session_costs_no_task() -> None:
    mirror = cut_from_target(6)
    copies = mirror.until(40).copies()
    assert has_tasks(mirror)
    assert len(mirror.log(SOURCE)) - len(copies) < 20


def test_a_worker_that_finds_its_coordinator_within_three_seconds_keeps_its_tasks() -> None:
    """The session is over for worker and coordinator, but the search succeeds: it joins with its tasks."""
    mirror = MirrorWorld().until(12)
    mirror.flow.pause()
    mirror.until(40)
    mirror.flow.resume()
    copies = mirror.until(44).copies()
    assert has_tasks(mirror)
    assert len(mirror.log(SOURCE)) - len(copies) < 20


def test_a_restart_forgets_that_tasks_were_lost() -> None:
    mirror = cut_from_target(20)
    mirror.until(45)
    mirror.flow.kill()
    mirror.until(50)
    mirror.flow.start()
    copies = mirror.until(70).copies()
    assert len(mirror.log(SOURCE)) - len({*copies}) < 20


def test_a_restart_waits_for_the_dead_members_session_then_copies() -> None:
    """As mm06 and mm15: the first copy comes 5 to 9 s after the start."""
    mirror = MirrorWorld().until(15)
    mirror.flow.kill()
    before = len(mirror.until(18).copies())
    mirror.flow.start()
    assert len(mirror.until(21).copies()) == before
    assert len(mirror.until(30).copies()) > before


def test_the_death_of_the_coordinator_costs_no_task() -> None:
    """The next leader of the offsets partition takes the group up."""
    mirror = MirrorWorld().until(12)
    mirror.act("kill west/0")
    copies = mirror.until(60).copies(1)
    assert has_tasks(mirror)
    assert len(mirror.log(SOURCE)) - len({*copies}) < 30


def test_a_worker_that_is_still_the_same_member_goes_on_at_once() -> None:
    """As mm12: the whole target was down, its log holds the group, and no worker has departed from it."""
    mirror = MirrorWorld().until(12)
    for broker in (0, 1, 2):
        mirror.act(f"kill west/{broker}")
    mirror.until(22)
    assert not has_tasks(mirror)
    for broker in (0, 1, 2):
        mirror.act(f"start west/{broker}")
    copies = mirror.until(60).copies()
    assert has_tasks(mirror)
    assert len(mirror.log(SOURCE)) - len({*copies}) < 30
