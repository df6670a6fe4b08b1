"""The legacy teaching mode: truncation by high watermark, as in Kafka before 0.11 and KIP-101 (LEG-1..4).

On becoming follower a replica cuts its log back to its own high watermark and fetches from there; records carry no
epochs, so nobody can ask where two logs part (LEG-1). A restarted replica is taken for the one that went away: it keeps
its place in the ISR (LEG-2). A fetch beyond the leader's log end falls back to FET-13 (LEG-3). So acknowledged records
are lost, and logs differ for ever (LEG-4), where leader epochs keep them.

Only that is legacy: elections, ISR changes and clients are today's, so that a run differs from one of today by these
rules alone. For teaching: no invariant about logs holds here, and no recording is compared with it.
"""

from typing import TYPE_CHECKING

from simengine.kafka.log.log import Batch

if TYPE_CHECKING:
    from simengine.kafka.replica.replica import Partition


def cut_to_hw(replica: "Partition", cause: int) -> None:
    """LEG-1: whatever lies above the replica's own high watermark goes, committed or not."""
    if replica.leader >= 0 and replica.log.leo > replica.hw:
        replica.truncate(replica.hw, cause)


def from_offset(batches: list[Batch], offset: int) -> list[Batch]:
    """Batches to send from ``offset`` on: after a fork it may lie inside the first of them."""
    if not batches or batches[0].base >= offset:
        return batches
    first = batches[0]
    return [first.part(offset, first.end - offset), *batches[1:]]
