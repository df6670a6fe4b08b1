"""The lag of consumer groups in a run at rest: records come at a steady rate, and groups read and commit them."""

from collections import Counter
from typing import Final

from simengine.facts.kinds import CLIENT_OPEN
from simengine.questions.rest import calls_to_come
from simengine.verdict.metrics import group_lags
from simengine.world.cluster_run import ClusterRun
from simengine.world.world import World

READ_US: Final = 1_000_000
"""A record of a run at rest is read sooner than this after it was sent."""


def greatest_lag(world: World, until_us: int) -> int:
    """Records that no group's lag exceeds from now to ``until_us``, if the run is at rest until then.

    A group that commits by itself falls behind by what comes in one interval of its commits; any other one by all that
    comes.
    """
    lags = {reading.name: int(reading.value) for reading in group_lags(world.only.cluster)}
    interval_us = _commit_interval_us(world.only, {_group_of(name) for name in lags})
    end_us = until_us if interval_us is None else min(until_us, world.now_us + interval_us + READ_US)
    come: Counter[int] = Counter()
    for producer in world.only.parts.producers:
        come.update(calls_to_come(producer, end_us))
    return max(lags.values(), default=0) + max(come.values(), default=0)


def _commit_interval_us(run: ClusterRun, groups: set[str]) -> int | None:
    """The longest interval at which the open consumers commit; None where one of the groups does not commit so."""
    settings = [one.settings for one in run.parts.consumers if one.state == CLIENT_OPEN and one.settings.group]
    if any(one.auto_commit_us <= 0 for one in settings) or not groups <= {one.group for one in settings}:
        return None
    return max((int(one.auto_commit_us) for one in settings), default=0)


def _group_of(name: str) -> str:
    return name.partition(",group=")[2].partition(",topic=")[0]
