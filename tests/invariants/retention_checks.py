"""retention_removes_old_only: what retention removes is committed, and too old, or more than the log may hold (LOG-7).

Told by the batches of the log, not by the segments that the broker counts.
"""

from typing import TYPE_CHECKING

from simengine.kafka.replica.replica import Partition
from tests.invariants.violation import demand

if TYPE_CHECKING:
    from simengine.kafka.log.segments import Segments


def retention_removes_old_only(replica: Partition, segments: "Segments", where: str) -> None:
    """The log begins at a later offset now: all below it is below the high watermark, and one limit lets it go."""
    log = replica.log
    demand(log.start <= replica.hw, "retention_removes_old_only", where, f"to {int(log.start)}, HW {int(replica.hw)}")
    i = log.index_of(log.start) - 1
    if i < 0 or log.batches[i].end > log.start:
        return  # the newest of what went is part of a run, or of nothing that the run has seen
    newest = log.batches[i].until
    is_old = 0 <= segments.retention_us < replica.broker.sim.now - newest
    is_much = 0 <= segments.retention_records <= log.leo - log.start
    story = f"to {int(log.start)}, newest of {int(newest)} us, {int(log.leo - log.start)} left"
    demand(is_old or is_much, "retention_removes_old_only", where, story)
