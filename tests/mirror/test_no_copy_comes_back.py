"""MM-3: a topic that came from the target is not copied back to it, also where the filter admits it (mutant M70)."""

from simengine.scenario import load
from simengine.world.world import build
from tests.mirror.documents import QUIET, mirrored
from tests.swarm.mirror_watch import MirrorWatch

SECOND = 1_000_000


def test_a_copy_is_not_copied_back_where_the_filter_admits_it() -> None:
    document = mirrored()
    there, back = {"topics": "orders"}, {"topics": r"east\.orders"}
    document["mirrors"] = [
        {"source": "east", "target": "west", "config": {**QUIET, **there}},
        {"source": "west", "target": "east", "config": {**QUIET, **back}},
    ]
    world = build(load(document))
    world.run(10 * SECOND)
    MirrorWatch(world).check_provenance()
    first, second = world.mirrors.flows()
    assert [pair.acknowledged > 0 for pair in first.flow.partitions] == [True]
    assert not second.flow.partitions
