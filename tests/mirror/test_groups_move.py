"""The offsets at which a group continues on the target: checkpoints and commits of a running flow (MM-5 to MM-7)."""

from tests.mirror.flow_world import REMOTE, MirrorWorld

LIVE = {"consumers": [{"id": "D", "topics": [REMOTE], "group": "g", "config": {"enable.auto.commit": False}}]}


def test_a_group_gets_checkpoints_a_little_behind_it_and_its_position_on_the_target_follows() -> None:
    mirror = MirrorWorld().until(29)
    checkpoints = mirror.checkpoints()
    assert len(checkpoints) == 2
    for group, upstream, downstream in checkpoints:
        assert group == "g"
        assert 0 < upstream - downstream <= 2 * 101, "a sync stands every 101 records, and the group is near the end"
    assert mirror.position() == checkpoints[-1][2]


def test_a_group_that_is_live_on_the_target_is_synced_once_its_consumer_has_left() -> None:
    """As mm18."""
    mirror = MirrorWorld(on_target=LIVE).until(29)
    before = mirror.checkpoints()
    assert len(before) == 2
    assert mirror.position() == -1
    mirror.act("close west/D")
    mirror.until(50)
    assert mirror.position() == mirror.checkpoints()[-1][2] > before[-1][2]
