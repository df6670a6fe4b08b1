"""JMX metrics of a source task for one partition: records copied, their age when read, their replication latency.

Kafka's class is ``MirrorSourceMetrics``. A new task starts with new metrics. Left out: rates, and the minimum, maximum
and mean of the last minute. Times count from the append at the source.
"""

from typing import Final, final

from mypy_extensions import i64

from simengine.kafka.log.log import Batch

NOTHING_YET: Final = -1


@final
class PolledRecords:
    """The ``send()`` calls from the previous entry's ``end`` up to this ``end`` copy records of ``batch``."""

    __slots__ = ("batch", "end")

    def __init__(self, batch: Batch, end: i64) -> None:
        self.batch = batch
        self.end: i64 = end


@final
class CopyMetrics:
    """``record-count``, and the newest ``record-age-ms`` and ``replication-latency-ms`` in us."""

    __slots__ = ("_under_way", "age_us", "latency_us", "record_count")

    def __init__(self) -> None:
        self.start()

    def start(self) -> None:
        """A new task."""
        self._under_way: list[PolledRecords] = []
        self.record_count: i64 = 0
        self.age_us: i64 = NOTHING_YET
        self.latency_us: i64 = NOTHING_YET

    def polled(self, batch: Batch, end: i64, now: i64) -> None:
        """Records up to the end of a batch were read; the ``send()`` calls that copy them end below ``end``."""
        self._under_way.append(PolledRecords(batch, end))
        self.age_us = now - batch.time_of(batch.end - 1)

    def acknowledged(self, end: i64, count: i64, upstream: i64, now: i64) -> None:
        """The target has acknowledged ``count`` copies; the last one, call ``end - 1``, is of offset ``upstream``."""
        self.record_count += count
        while len(self._under_way) > 1 and self._under_way[0].end < end:
            self._under_way.pop(0)
        if self._under_way:
            self.latency_us = now - self._under_way[0].batch.time_of(upstream)
