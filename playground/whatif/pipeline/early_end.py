"""The early end of a row: a run at rest is closed before its horizon, and what would have come is added (``unrest``).

The counts are exact: every call at a producer's rate up to the horizon is acknowledged and kept. Latencies of the calls
to come are not known, so such a row has none: the seeds that tell latencies run to the horizon (`plan.WHOLE_SEEDS`).
An alert that is pending fires when its time is over, as no metric of a run at rest changes but those of traffic. A run
whose rules read these goes to its horizon, unless they only wait for a lag of groups that is not reached.
"""

from typing import Final

from playground.whatif.pipeline.plan import Json
from simengine.questions.rest import CallsSince, calls_to_come, unrest
from simengine.questions.rest_lag import greatest_lag
from simengine.world.scraping import scraped
from simengine.world.world import World

LOOK_US: Final = 1_000_000
REST_US: Final = 5_000_000
"""A run at rest goes on for `REST_US` and until each producer has had a call acknowledged."""


class EarlyEnd:
    """Looks once a simulated second whether a run is at rest; ``is_over`` when it has been for long enough."""

    def __init__(self, world: World, horizon_us: int) -> None:
        self._world = world
        self._horizon_us = horizon_us
        self._since_us = -1
        may_rest = len(world.cluster_runs) == 1
        self._calls = CallsSince(world) if may_rest else None  # how calls have ended since then

    def is_over(self) -> bool:
        """Look; whether the run can be closed now."""
        now = self._world.now_us
        if self._horizon_us - now <= REST_US:
            return False
        if self._calls is None or unrest(self._world, self._horizon_us):
            self._since_us = -1
            return False
        if self._since_us < 0 or self._calls.have_failed():
            self._since_us, self._calls = now, CallsSince(self._world)
            return False
        is_at_rest = now - self._since_us >= REST_US and self._calls.are_acknowledged_everywhere()
        return is_at_rest and self._world.alerts.stays_quiet(greatest_lag(self._world, self._horizon_us))

    def close(self) -> "ToCome":
        """Close the run now: no time counts after it, but alerts fire. What comes from now to the horizon."""
        world = self._world
        world.alerts.rest_until(self._horizon_us, scraped(world.cluster_runs, world.mirrors, world.alerts))
        run = world.only
        run.book.closing.us = world.now_us
        found = ToCome(world.now_us)
        for producer in run.parts.producers:
            for p, count in calls_to_come(producer, self._horizon_us).items():
                found.add(self._topic_of(p), count)
        return found

    def _topic_of(self, p: int) -> str:
        """The name of a partition's topic."""
        cluster = self._world.only.cluster
        return str(cluster.topics[int(cluster.partition_names[p][0])].title)


class ToCome:
    """The calls from a moment on, by topic."""

    def __init__(self, from_us: int) -> None:
        self.from_us = from_us
        self.counts: dict[str, int] = {}  # calls that will be acknowledged and kept

    def add(self, topic: str, count: int) -> None:
        """Calls of one producer."""
        self.counts[topic] = self.counts.get(topic, 0) + count

    def added_to(self, topic: Json) -> Json:
        """A topic's figures of the verdict, with what comes."""
        found = dict(topic)
        for name in ("calls", "acked", "kept"):
            found[name] += self.counts.get(topic["topic"], 0)
        return found
