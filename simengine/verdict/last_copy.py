"""Which records stand in no log any more: neither in a running broker's nor on the disk of one that is down."""

from typing import TYPE_CHECKING

from mypy_extensions import i64

from simengine.verdict.presence import Spans, cut_out, present_range

if TYPE_CHECKING:
    from simengine.kafka.cluster import Cluster


def held_by_nobody(cluster: "Cluster", p: i64, spans: Spans, epoch: i64) -> Spans:
    """The parts of records of one partition and epoch, given by their offsets, that no broker's log has."""
    left = spans
    for broker in cluster.brokers:
        if not left:
            return left
        copy = broker.replica(p)
        if copy is not None:
            start, end = present_range(copy.log, epoch)
            left = cut_out(left, int(start), int(end))
    return left
