"""Records that only the lost cluster has when clients go on elsewhere: gone until it is back, or for good.

In one cluster over two sites it is what no leader has at the end.
"""

from collections.abc import Callable
from typing import Final

from simengine.kafka.cluster.cluster import Cluster
from simengine.kafka.replica.replica import Partition
from simengine.plans.applications import ApplicationNames
from simengine.plans.origins import Origins
from simengine.plans.sample import OF_APPLICATIONS
from simengine.plans.story import Call, PlanStory
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
    held = {call for run in lost for call in _committed(world, run.parts.cluster, story)}
    story.follow(world, min((at for at, action in world.timeline if action.verb in GOES_ON), default=until_us))
    return len(held.difference(*(_standing(world, run.parts.cluster, leader_of).keys() for run in others)))


def _committed(world: World, cluster: Cluster, story: PlanStory) -> list[Call]:
    """The calls behind the records of a cluster that count: those below the high watermark, and acknowledged ones."""
    acked = {(one.p, one.client, one.n + i) for one in story.acked for i in range(one.count)}
    return [
        call for call, is_committed in _standing(world, cluster, counted_copy).items() if is_committed or call in acked
    ]


def _standing(world: World, cluster: Cluster, copy_of: CopyOf) -> dict[Call, bool]:
    """The calls behind the records of a copy of each partition, and whether the high watermark is above them."""
    origins, apps = Origins(world), ApplicationNames(world)
    found: dict[Call, bool] = {}
    for p in _partitions(cluster, apps):
        copy = copy_of(cluster, p)
        if copy is not None:
            calls = origins.in_log(p, copy.log)
            found.update((call, n < copy.hw) for n, call in enumerate(calls, int(copy.log.start)))
    return {call: is_committed for call, is_committed in found.items() if apps.is_theirs(call)}


def _partitions(cluster: Cluster, apps: ApplicationNames) -> list[int]:
    own = [topic for topic in cluster.own_topics() if topic.exists and not topic.is_made]
    return [int(p) for topic in own for p in topic.partitions if OF_APPLICATIONS.admits(apps.place(int(p))[0])]
