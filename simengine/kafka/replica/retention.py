"""Retention: each broker removes old segments of its logs, every ``log.retention.check.interval.ms`` (LOG-7).

A log is made of segments; the last one is written to. A segment ends when it is full (``segment.bytes``) or when a
record comes later than ``segment.ms`` after its first one. Whole segments go, oldest first: those whose newest record
is older than ``retention.ms``, then those beyond ``retention.bytes``. What is not below the high watermark stays.
Time can take the last segment as well: a new one is begun before (``UnifiedLog.deleteOldSegments``). Leaders and
followers look each for themselves; a follower takes over the start of its leader's log too. Bytes are counted as
records of the size that the topic's producers write. Left out: compaction (a topic that is only compacted keeps its
records), jitter, and
that a segment's index may be full.
"""

from typing import final

from mypy_extensions import i64

from simengine.facts.decisive import RecordsExpired
from simengine.facts.traffic import start_moved
from simengine.kafka.log.segments import Segments
from simengine.kafka.replica.replica import Partition
from simengine.kafka.replica.replica_host import ReplicaHost
from simengine.kafka.shared.config import UNSET, LogConfig, TopicSettings
from simengine.kernel.node import Task


@final
class RetentionCheck(Task):
    """Time to look for old segments; one pending event per process."""

    __slots__ = ("_broker",)

    def __init__(self, broker: ReplicaHost) -> None:
        super().__init__(broker)
        self._broker = broker

    def run(self) -> None:
        broker = self._broker
        for replica in list(broker.hosted):
            segments = replica.log.segments
            if segments is not None:
                remove_old(replica, segments)
        broker.sim.after(broker.config.logs.check_us, self)
        broker.flush()


def begin(broker: ReplicaHost) -> None:
    """The process has run for a while: the checks go on, at a moment that only chance knows."""
    phase = broker.sim.stream(broker.name, "retention check").between(1, broker.config.logs.check_us)
    broker.sim.after(phase, RetentionCheck(broker))


def start(broker: ReplicaHost) -> None:
    """The process begins: the first check comes after ``log.initial.task.delay.ms``."""
    broker.sim.after(broker.config.logs.first_check_us, RetentionCheck(broker))


def refresh(replica: Partition) -> None:
    """Go by the settings that the topic and the broker have now; a log without any is not cut into segments."""
    broker = replica.broker
    topic = replica.topic()
    if topic < 0:
        return
    own = broker.image.settings_of(topic)
    if not own.keeps_segments() and not broker.config.logs.is_set:
        return
    log = replica.log
    segments = log.segments
    if segments is None:
        segments = Segments(log.start)
        log.segments = segments
        for batch in log.batches:
            segments.appended(batch)
    set_limits(segments, own, broker.config.logs, broker.topics[topic].record_bytes)


def set_limits(segments: Segments, own: TopicSettings, config: LogConfig, record_bytes: i64) -> None:
    """A topic's own settings, else the broker's; bytes as numbers of records."""
    segments.retention_us = config.retention_us if own.retention_us == UNSET else own.retention_us
    kept = config.retention_bytes if own.retention_bytes == UNSET else own.retention_bytes
    segments.retention_records = -1 if kept < 0 else kept // record_bytes
    segments.roll_us = config.roll_us if own.roll_us == UNSET else own.roll_us
    size = config.segment_bytes if own.segment_bytes == UNSET else own.segment_bytes
    segments.roll_records = max(size // record_bytes, 1)
    segments.is_compacted = own.is_compacted if own.has_policy else config.is_compacted


def remove_old(replica: Partition, segments: Segments) -> None:
    """Remove what time or size lets go, up to the high watermark."""
    start = segments.first_kept(replica.log.leo, replica.hw, replica.broker.sim.now)
    if start > replica.log.start:
        move_start(replica, start)


def move_start(replica: Partition, start: i64) -> None:
    """The log begins later: its followers learn of it with their next fetch, readers when they ask for less."""
    broker = replica.broker
    old = replica.log.start
    replica.log.raise_start(start)
    start_moved(broker.sim.trace, broker=broker.id, p=replica.p, start=start)
    if replica.leader == broker.id:
        broker.sim.trace.state(RecordsExpired(0, broker=broker.id, p=replica.p, old=old, start=start))
        for remote in replica.remotes:
            session = remote.session
            if session is not None and remote.covered:
                remote.hw_sent = -1
                session.hw_moved(remote)
    broker.observer.expired(replica)
