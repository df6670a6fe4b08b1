"""The ``send()`` call of an application behind each record, over any number of flows of MirrorMaker.

A flow knows of each of its own calls which call it copies. It made that copy later, so the way back has an end.
"""

from simengine.kafka.log.log import Log
from simengine.mirror.mirrored_partition import MirroredPartition
from simengine.plans.story import Call
from simengine.world.world import World


class Origins:
    """Finds the calls of applications in a run that has ended."""

    def __init__(self, world: World) -> None:
        self._copies: dict[tuple[int, int], MirroredPartition] = {}  # by remote partition and producer of the flow
        for running in world.mirrors.flows():
            for producer in running.flow.target.producers:
                for pair in running.flow.partitions:
                    self._copies[int(pair.p), int(producer.number)] = pair

    def of(self, call: Call) -> Call:
        """The call of which the record of this call is a copy; the call itself, if an application made it."""
        pair = self._copies.get(call[:2])
        while pair is not None:
            n = call[2]
            run = pair.copied.run_of(n)
            call = int(pair.source_p), int(run.origin), int(run.origin_n) + n - int(run.n)
            pair = self._copies.get(call[:2])
        return call

    def in_log(self, p: int, log: Log) -> list[Call]:
        """The call behind each record of a log, in its order."""
        return [
            self.of((p, int(batch.client), int(batch.n) + offset - int(batch.base)))
            for batch in log.batches
            for offset in range(max(int(batch.base), int(log.start)), int(batch.end))
        ]
