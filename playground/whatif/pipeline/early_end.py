"""The early end of a row: a run at rest is closed before its horizon, and what would have come is added (``unrest``).

The counts are exact: every call at a producer's rate up to the horizon is acknowledged and kept. Latencies are those of
the run, and those of its last seconds at rest as often as fit up to the horizon.
"""

from typing import Final

from playground.whatif.pipeline.plan import Json
from simengine.questions.rest import CallsSince, calls_to_come, unrest
from simengine.verdict.latency import Histogram, middle_of
from simengine.world import World

LOOK_US: Final = 1_000_000
REST_US: Final = 5_000_000
REST_US_MAX: Final = 30_000_000
SAMPLE: Final = 200
"""A run at rest goes on for `REST_US` and until each producer has had a call acknowledged; then until `SAMPLE` records
of each topic that is written were acknowledged, or for `REST_US_MAX`. Their latencies stand for those to come."""


class EarlyEnd:
    """Looks once a simulated second whether a run is at rest; ``is_over`` when it has been for long enough."""

    def __init__(self, world: World, horizon_us: int) -> None:
        self._world = world
        self._horizon_us = horizon_us
        self._since_us = -1
        self._before: list[list[int]] = []  # latencies by topic when it came to rest ...
        self._calls = CallsSince(world) if len(world.runs) == 1 else None  # ... and how calls have ended since

    def is_over(self) -> bool:
        """Look; whether the run can be closed now."""
        now = self._world.now_us
        if self._horizon_us - now <= REST_US:
            return False
        if self._calls is None or unrest(self._world, self._horizon_us):
            self._since_us = -1
            return False
        if self._since_us < 0 or self._calls.have_failed():
            self._since_us, self._before, self._calls = now, self._latencies(), CallsSince(self._world)
            return False
        rested_us = now - self._since_us
        if rested_us < REST_US or not self._calls.are_acknowledged_everywhere():
            return False
        return rested_us >= REST_US_MAX or self._has_sample()

    def _has_sample(self) -> bool:
        seen = (sum(after) - sum(before) for before, after in zip(self._before, self._latencies(), strict=True))
        return not any(0 < count < SAMPLE for count in seen)

    def _latencies(self) -> list[list[int]]:
        return [list(topic.latency.counts) for topic in self._world.only.book.topics]

    def close(self) -> "ToCome":
        """Close the run now: no time counts after it. What comes from now to the horizon."""
        world = self._world
        run = world.only
        run.book.closing.us = world.now_us
        found = ToCome(world.now_us)
        for producer in run.parts.producers:
            for p, count in calls_to_come(producer, self._horizon_us).items():
                topic = int(run.cluster.partition_names[p][0])
                found.add(run.cluster.topics[topic].title, count)
        times = (self._horizon_us - world.now_us) / (world.now_us - self._since_us)
        pairs = zip(run.cluster.topics, run.book.topics, self._before, self._latencies(), strict=True)
        for topic_of, books, before, after in pairs:
            found.latencies[topic_of.title] = _projected(books.latency, before, after, times)
        return found


class ToCome:
    """The calls from a moment on, by topic, and the latencies of whole topics."""

    def __init__(self, from_us: int) -> None:
        self.from_us = from_us
        self.counts: dict[str, int] = {}  # calls that will be acknowledged and kept
        self.latencies: dict[str, tuple[int, int]] = {}  # p50 and p99 up to the horizon, us; -1: no record

    def add(self, topic: str, count: int) -> None:
        """Calls of one producer."""
        self.counts[topic] = self.counts.get(topic, 0) + count

    def added_to(self, topic: Json) -> Json:
        """A topic's figures of the verdict, with what comes."""
        found = dict(topic)
        for name in ("calls", "acked", "kept"):
            found[name] += self.counts.get(topic["topic"], 0)
        found["latency_p50_us"], found["latency_p99_us"] = self.latencies[topic["topic"]]
        return found


def _projected(whole: Histogram, before: list[int], after: list[int], times: float) -> tuple[int, int]:
    """The median and the 99th percentile of a topic, whose latencies since ``before`` come ``times`` more."""
    found = Histogram()
    for bucket, count in enumerate(whole.counts):
        at_rest = after[bucket] - (before[bucket] if bucket < len(before) else 0)
        more = count + round(at_rest * times)
        if more:
            found.add(int(middle_of(bucket)), more)
    return int(found.percentile(500)), int(found.percentile(990))
