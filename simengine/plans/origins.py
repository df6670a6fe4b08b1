"""The ``send()`` call of an application behind each record, over any number of flows of MirrorMaker.

A flow knows of each of its own calls which call it copies. It made that copy later, so the way back has an end.
"""

from collections.abc import Iterator

from simengine.kafka.log.log import BEFORE_RUN, Log
from simengine.mirror.copies import CopiedRun
from simengine.mirror.mirrored_partition import MirroredPartition
from simengine.plans.call_spans import Part
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

    def parts(self, call: Call, count: int) -> list[Part]:
        """The calls of which the records of consecutive calls are copies, in order: those that applications made."""
        found: list[Part] = []
        left = [(call, count)]
        while left:
            call, count = left.pop()
            origin, alike = self._copied_from(call, count)
            if alike < count:
                p, client, n = call
                left.append(((p, client, n + alike), count - alike))
            if origin is None:
                found.append((call, alike))
            else:
                left.append((origin, alike))
        return found

    def _copied_from(self, call: Call, count: int) -> tuple[Call | None, int]:
        """The call of which a record is a copy, if it is one, and for how many of the calls that follow it is so."""
        p, client, n = call
        if client == BEFORE_RUN:
            source_p, run = self._before.get(p, (p, NOTHING))
            until = int(run.n) if n < run.n else n + count
        else:
            pair = self._copies.get((p, client))
            if pair is None:
                return None, count
            source_p, run, until = int(pair.source_p), pair.copied.run_of(n), n + 1
        end = int(run.n + run.count)
        if run.n <= n < end:
            return (source_p, int(run.origin), int(run.origin_n) + n - int(run.n)), min(end - n, count)
        return None, min(until - n, count)

    def in_log(self, p: int, log: Log, low: int, high: int) -> Iterator[Part]:
        """The calls behind the records of a log between two offsets, in its order."""
        for batch in log.batches:
            base, end = max(int(batch.base), low, int(log.start)), min(int(batch.end), high)
            if base < end:
                yield from self.parts((p, int(batch.client), int(batch.n) + base - int(batch.base)), end - base)
