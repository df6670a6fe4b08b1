"""The early end of a row: a run at rest is closed before its horizon, and what would have come is added (``unrest``).

The counts are exact: every call at a producer's rate up to the horizon is acknowledged and kept. Latencies are those of
the run, and those of its last seconds at rest as often as fit up to the horizon (`latencies`).
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from playground.whatif.pipeline.latencies import Projected, projected, worst
from playground.whatif.pipeline.plan import Json
from simengine.clients.producer import Producer
from simengine.questions.rest import CallsSince, calls_to_come, unrest
from simengine.world import World

LOOK_US: Final = 1_000_000
REST_US: Final = 5_000_000
REST_US_MAX: Final = 30_000_000
SAMPLE: Final = 200
"""A run at rest goes on for `REST_US` and until each producer has had a call acknowledged; then until `SAMPLE` records
of each topic that is written were acknowledged, or for `REST_US_MAX`. Their latencies stand for those to come."""

QUEUES_SHARE: Final = 0.1
"""A partition has a queue where records waited for an earlier request at this share of the looks at rest."""


class EarlyEnd:
    """Looks once a simulated second whether a run is at rest; ``is_over`` when it has been for long enough."""

    def __init__(self, world: World, horizon_us: int) -> None:
        self._world = world
        self._horizon_us = horizon_us
        self._since_us = -1
        self._before: list[list[int]] = []  # latencies by topic when it came to rest ...
        self._calls = CallsSince(world) if len(world.runs) == 1 else None  # ... and how calls have ended since
        self._looks = 0  # since then
        self._waiting: Counter[int] = Counter()  # by partition: looks at which records waited for an earlier request

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
            self._looks, self._waiting = 0, Counter()
            return False
        self._looks += 1
        self._waiting.update(p for producer in self._world.only.parts.producers for p in _waiting(producer))
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
        under_way: Counter[str] = Counter()
        for producer in run.parts.producers:
            for p, count in calls_to_come(producer, self._horizon_us).items():
                found.add(self._topic_of(p), count)
            for calls in producer.calls:
                under_way[self._topic_of(calls.p)] += int(calls.queued + calls.in_flight)
        queues = {self._topic_of(p) for p, looks in self._waiting.items() if looks >= QUEUES_SHARE * self._looks}
        pairs = zip((topic.title for topic in run.cluster.topics), self._before, self._latencies(), strict=True)
        for title, before, so_far in pairs:
            at_rest = [count - (before[bucket] if bucket < len(before) else 0) for bucket, count in enumerate(so_far)]
            more = found.counts.get(title, 0) + under_way[title]
            found.latencies[title] = projected(so_far, at_rest, more, title in queues)
        return found

    def _topic_of(self, p: int) -> str:
        """The name of a partition's topic."""
        cluster = self._world.only.cluster
        return str(cluster.topics[int(cluster.partition_names[p][0])].title)


class ToCome:
    """The calls from a moment on, by topic, and the latencies of whole topics."""

    def __init__(self, from_us: int) -> None:
        self.from_us = from_us
        self.counts: dict[str, int] = {}  # calls that will be acknowledged and kept
        self.latencies: dict[str, dict[str, Projected]] = {}  # by topic and column, of all records up to the horizon

    def add(self, topic: str, count: int) -> None:
        """Calls of one producer."""
        self.counts[topic] = self.counts.get(topic, 0) + count

    def added_to(self, topic: Json) -> Json:
        """A topic's figures of the verdict, with what comes."""
        found = dict(topic)
        for name in ("calls", "acked", "kept"):
            found[name] += self.counts.get(topic["topic"], 0)
        return found

    def latency(self, name: str, topics: Sequence[str]) -> int | None:
        """A percentile of the slowest of these topics up to the horizon; None where it is not known well enough."""
        return worst([self.latencies[topic][name] for topic in topics if self.latencies[topic]])


def _waiting(producer: Producer) -> Iterator[int]:
    """The partitions whose records wait because the producer has all the requests under way that it may have."""
    sender = producer.sender()
    if sender is None:
        return
    for queue in sender.queues:
        if queue.waiting and queue.connection is not None and not sender.can_take(queue.connection):
            yield int(queue.p)
