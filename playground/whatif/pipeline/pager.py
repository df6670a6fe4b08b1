"""The pager in a row: when the first record was lost, and when an alert told of it.

Alerts count up to the horizon, before the run is closed. A loss that only the closing decides counts at the horizon.
"""

from collections.abc import Collection

from playground.whatif.pipeline.plan import Json
from simengine.alerts.watch import NEVER
from simengine.facts.decisive import RecordsBack, RecordsLost
from simengine.world.world import World


class Pager:
    """The alerts of a run that has come to its horizon, or rests until then. Made before the run is closed."""

    def __init__(self, world: World, horizon_us: int) -> None:
        self._world = world
        self._horizon_us = horizon_us
        self._closing_us = world.now_us
        self._fired = [(span.firing_us, span.ended_us) for span in world.alerts.firings()]

    def figures(self, topics: Collection[str]) -> Json:
        """``lost_at_us`` of a closed run, of these topics, and ``alerted_us``; None for what did not come.

        ``alerted_us``: since when an alert fires at that moment, else the first one after it; without a loss the first.
        """
        lost_us = first_lost_us(self._world, topics)
        if lost_us is not None and lost_us > self._closing_us:
            lost_us = self._horizon_us
        return {"lost_at_us": lost_us, "alerted_us": self._alerted_us(lost_us)}

    def _alerted_us(self, lost_us: int | None) -> int | None:
        if lost_us is None:
            return min((firing for firing, _ in self._fired), default=None)
        firing = [since for since, ended in self._fired if since <= lost_us and (ended == NEVER or lost_us < ended)]
        return min(firing or [since for since, _ in self._fired if since > lost_us], default=None)


def first_lost_us(world: World, topics: Collection[str]) -> int | None:
    """The moment of the first loss of these topics whose records are lost now; None without a loss."""
    lost, first_us = 0, None
    for fact in world.trace.decisive:
        if isinstance(fact, RecordsLost | RecordsBack) and _topic_of(world, int(fact.p)) in topics:
            first_us = first_us if lost else int(fact.t)
            lost += int(fact.count) if isinstance(fact, RecordsLost) else -int(fact.count)
    return first_us if lost > 0 else None


def _topic_of(world: World, p: int) -> str:
    topic = world.catalog.topics[world.catalog.partition_names[p][0]]
    return str(topic.site.prefix + topic.title)
