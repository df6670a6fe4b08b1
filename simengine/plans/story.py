"""The facts of a run from which the price of a plan follows: calls, acknowledgements, appends and deliveries.

A record in a log is found by its partition, its offset and the leader epoch in which it was appended: no leader appends
twice at an offset. So an offset that is used again, by a log that begins anew on an empty disk, is another record.
"""

from collections import defaultdict
from typing import Final

from simengine.facts.errors import ERR_NONE
from simengine.facts.reading import key_of, read
from simengine.facts.traffic import Appended, CallsMade, CallsSettled, Delivered
from simengine.kafka.log.log import BEFORE_RUN
from simengine.plans.spans import Spans
from simengine.world.world import World

SLICE_US: Final = 1_000_000
APPENDED: Final = key_of("Appended", "p", "epoch", "base", "count", "client", "n")
KINDS: Final = frozenset({Appended.KIND, CallsMade.KIND, CallsSettled.KIND, Delivered.KIND})


Call = tuple[int, int, int]  # send(): the partition, the producer's index, its number among the calls of these two


class PlanStory:
    """Folds facts; ``follow`` runs a world and takes them. Times in us."""

    def __init__(self) -> None:
        self.deliveries: list[Delivered] = []
        self.acked: list[CallsSettled] = []
        self.made: list[CallsMade] = []
        self._made: defaultdict[tuple[int, int], Spans[int]] = defaultdict(Spans)  # partition, client -> times
        self._stored: defaultdict[tuple[int, int], Spans[tuple[int, int]]] = defaultdict(Spans)

    def follow(self, world: World, until_us: int) -> None:
        """Run a world to a time, and read its facts."""
        world.trace.keep_kinds(sorted(KINDS))
        while world.now_us < until_us:
            world.run(min(until_us, world.now_us + SLICE_US))
            for row in world.trace.take().rows():
                if row[2] == Appended.KIND:  # of each replica: most facts of a run
                    p, epoch, base, count, client, n = APPENDED(row)
                    self._stored[p, epoch].add(base, count, (client, n))
                elif row[2] in KINDS:
                    self._take(read(row))

    def _take(self, fact: object) -> None:
        if isinstance(fact, Delivered):
            self.deliveries.append(fact)
        elif isinstance(fact, CallsMade):
            self.made.append(fact)
            self._made[fact.p, fact.client].add(fact.n, fact.count, fact.t)
        elif isinstance(fact, CallsSettled) and fact.error == ERR_NONE and fact.offset >= 0:
            self.acked.append(fact)

    def stored(self, p: int, offset: int, count: int, epoch: int) -> list[tuple[Call, int]]:
        """The calls that appended these records, in parts; one from before the run is call ``offset`` of BEFORE_RUN."""
        found: list[tuple[Call, int]] = []
        end = offset + count
        while offset < end:
            place, alike, known = self._stored[p, epoch].find(offset)
            alike = min(alike, end - offset)
            call = (p, BEFORE_RUN, offset) if known is None else (p, known[0], known[1] + place)
            found.append((call, alike))
            offset += alike
        return found

    def made_us(self, call: Call) -> int:
        """The time of a call; -1 for a record that was there at the start."""
        made_us = self._made[call[:2]].find(call[2])[2]
        return -1 if made_us is None else made_us
