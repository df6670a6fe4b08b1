"""The ``send()`` call of an application behind each record, over any number of flows of MirrorMaker.

A flow knows of each of its own calls which call it copies. It made that copy later, so the way back has an end.
"""

from simengine.kafka.log.log import BEFORE_RUN, Log
from simengine.mirror.copies import CopiedRun
from simengine.mirror.mirrored_partition import MirroredPartition
from simengine.plans.story import Call
from simengine.world.unmirrored import NOTHING, earlier_copies
from simengine.world.world import World


class Origins:
    """Finds the calls of applications in a run that has ended."""

    def __init__(self, world: World) -> None:
        self._copies: dict[tuple[int, int], MirroredPartition] = {}  # by remote partition and producer of the flow
        self._before: dict[int, tuple[int, CopiedRun]] = {}  # by remote partition: its source, and copies made earlier
        parts = world.mirrors.clusters
        for running in world.mirrors.flows():
            for pair in running.flow.partitions:
                for producer in running.flow.target.producers:
                    self._copies[int(pair.p), int(producer.number)] = pair
                if pair.copied.before is not None:
                    self._note(int(pair.source_p), int(pair.p), pair.copied.before)
            for source_p, p, run in earlier_copies(parts[running.source.name], parts[running.target.name]):
                self._note(source_p, p, run)

    def _note(self, source_p: int, p: int, run: CopiedRun) -> None:
        """Take in copies from before the run, unless the source's records count as copies of them."""
        end = source_p
        while end != p and end in self._before:
            end = self._before[end][0]
        if end != p:
            self._before.setdefault(p, (source_p, run))

    def of(self, call: Call) -> Call:
        """The call of which the record of this call is a copy; the call itself, if an application made it."""
        origin = self._copied_from(call)
        while origin is not None:
            call = origin
            origin = self._copied_from(call)
        return call

    def _copied_from(self, call: Call) -> Call | None:
        p, client, n = call
        if client == BEFORE_RUN:
            source_p, run = self._before.get(p, (p, NOTHING))
        else:
            pair = self._copies.get((p, client))
            source_p, run = (p, NOTHING) if pair is None else (int(pair.source_p), pair.copied.run_of(n))
        is_copied = run.n <= n < run.n + run.count
        return (source_p, int(run.origin), int(run.origin_n) + n - int(run.n)) if is_copied else None

    def in_log(self, p: int, log: Log) -> list[Call]:
        """The call behind each record of a log, in its order."""
        return [
            self.of((p, int(batch.client), int(batch.n) + offset - int(batch.base)))
            for batch in log.batches
            for offset in range(max(int(batch.base), int(log.start)), int(batch.end))
        ]
