"""The ``send()`` call of an application behind each record, over any number of flows of MirrorMaker.

A flow knows of each of its own calls which call it copies. It made that copy later, so the way back has an end.
"""

from simengine.kafka.log.log import BEFORE_RUN, Log
from simengine.mirror.mirrored_partition import MirroredPartition
from simengine.plans.story import Call
from simengine.world.world import World


class Origins:
    """Finds the calls of applications in a run that has ended."""

    def __init__(self, world: World) -> None:
        self._copies: dict[tuple[int, int], MirroredPartition] = {}  # by remote partition and producer of the flow
        self._before: dict[int, MirroredPartition] = {}  # by remote partition: one that has copies from before the run
        for running in world.mirrors.flows():
            for pair in running.flow.partitions:
                for producer in running.flow.target.producers:
                    self._copies[int(pair.p), int(producer.number)] = pair
                if pair.copied.before is not None and not self._leads_back(pair):
                    self._before[int(pair.p)] = pair

    def _leads_back(self, pair: MirroredPartition) -> bool:
        """True if the source's records from before the run count as copies of the remote partition's."""
        p = int(pair.source_p)
        while p != pair.p and p in self._before:
            p = int(self._before[p].source_p)
        return p == int(pair.p)

    def of(self, call: Call) -> Call:
        """The call of which the record of this call is a copy; the call itself, if an application made it."""
        origin = self._copied_from(call)
        while origin is not None:
            call = origin
            origin = self._copied_from(call)
        return call

    def _copied_from(self, call: Call) -> Call | None:
        p, client, n = call
        pair = self._before.get(p) if client == BEFORE_RUN else self._copies.get((p, client))
        run = None if pair is None else pair.copied.before if client == BEFORE_RUN else pair.copied.run_of(n)
        if pair is None or run is None or not run.n <= n < run.n + run.count:
            return None
        return int(pair.source_p), int(run.origin), int(run.origin_n) + n - int(run.n)

    def in_log(self, p: int, log: Log) -> list[Call]:
        """The call behind each record of a log, in its order."""
        return [
            self.of((p, int(batch.client), int(batch.n) + offset - int(batch.base)))
            for batch in log.batches
            for offset in range(max(int(batch.base), int(log.start)), int(batch.end))
        ]
