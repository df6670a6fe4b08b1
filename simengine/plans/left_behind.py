"""Records that only the lost cluster has when clients go on elsewhere: gone until it is back, or for good.

In one cluster over two sites it is what no leader has at the end.
"""

from collections.abc import Callable
from typing import Final

from simengine.kafka.cluster.cluster import Cluster
from simengine.kafka.replica.replica import Partition
from simengine.plans.applications import ApplicationNames
from simengine.plans.call_spans import CallSpans
from simengine.plans.origins import Origins
from simengine.plans.story import PlanStory
from simengine.scenario.own_topics import is_own_topic
from simengine.scenario.verbs import KILL_RACK, KILL_SITE, START_SITE
from simengine.verdict.write_path import leader_of
from simengine.world.mirrors.counted import counted_copy
from simengine.world.world import World

LOSSES: Final = (KILL_SITE, KILL_RACK)
GOES_ON: Final = ("move", "start", START_SITE)

CopyOf = Callable[[Cluster, int], Partition | None]  # the copy of a partition that counts


def left_behind(world: World, story: PlanStory, until_us: int) -> int:
    """Follow a run to the moment at which clients go on, and count."""
    loss = next(((at, action) for at, action in world.timeline if action.verb in LOSSES), None)
    if loss is None:
        return 0
    lost_us, (_, (place,)) = loss
    runs = world.cluster_runs
    lost = [run for run in runs if run.parts.cluster.site.name == place] or runs
    others = [run for run in runs if run not in lost] or runs
    story.follow(world, lost_us - 1)
    held = CallSpans()
    for run in lost:
        held.update(_committed(world, run.parts.cluster, story))
    story.follow(world, min((at for at, action in world.timeline if action.verb in GOES_ON), default=until_us))
    there = CallSpans()
    for run in others:
        for calls in _standing(world, run.parts.cluster, leader_of):
            there.update(calls)
    return held.count() - held.common(there).count()


def _committed(world: World, cluster: Cluster, story: PlanStory) -> CallSpans:
    """The calls behind the records of a cluster that count: those below the high watermark, and acknowledged ones."""
    acked = CallSpans()
    for one in story.acked:
        acked.add(((one.p, one.client, one.n), one.count))
    below, above = _standing(world, cluster, counted_copy)
    below.update(above.common(acked))
    return below


def _standing(world: World, cluster: Cluster, copy_of: CopyOf) -> tuple[CallSpans, CallSpans]:
    """The calls of applications behind the records of a copy of each partition: below its high watermark, and above."""
    origins, apps = Origins(world), ApplicationNames(world)
    below, above = CallSpans(), CallSpans()
    for p in _partitions(cluster, apps):
        copy = copy_of(cluster, p)
        if copy is not None:
            log, hw = copy.log, int(copy.hw)
            for calls, low, high in ((below, int(log.start), hw), (above, hw, int(log.leo))):
                for part in origins.in_log(p, log, low, high):
                    if apps.is_theirs(part[0]):
                        calls.add(part)
    return below, above


def _partitions(cluster: Cluster, apps: ApplicationNames) -> list[int]:
    own = [topic for topic in cluster.own_topics() if topic.exists and not topic.is_made]
    return [int(p) for topic in own for p in topic.partitions if not is_own_topic(apps.place(int(p))[0])]
