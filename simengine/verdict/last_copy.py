"""Finds records that are in no log any more: neither a running broker's, nor on the disk of one that is down."""

from typing import TYPE_CHECKING

from mypy_extensions import i64

from simengine.kafka.log.log import Log
from simengine.verdict.presence import Spans, cut_out, present_range

if TYPE_CHECKING:
    from simengine.kafka.cluster.cluster import Cluster


def logs_of(cluster: "Cluster", p: i64) -> list[Log]:
    """The logs of a partition on all brokers, those that are down included."""
    found: list[Log] = []
    for broker in cluster.brokers:
        copy = broker.replica(p)
        if copy is not None:
            found.append(copy.log)
    return found


def missing(logs: list[Log], spans: Spans, epoch: i64) -> Spans:
    """The parts of records of one epoch, given by their offsets, that none of these logs has."""
    left = spans
    for log in logs:
        start, end = present_range(log, epoch)
        left = cut_out(left, int(start), int(end))
    return left
