"""The recovery of writes after each incident, by a recount of a run's calls and logs (STOP-6)."""

from itertools import pairwise
from typing import Any

from simengine.facts.errors import ERR_NONE
from simengine.facts.reading import read
from simengine.facts.traffic import CallsSettled
from simengine.world.world import World
from tests.recount.copies import Call
from tests.recount.fates import KINDS, Recount

MODES = {-1: "all", 0: "0", 1: "1"}

Key = tuple[int, int, str]  # partition, producer, mode of acks
Name = tuple[int, int, int]  # partition, producer, number of a call


class RecoveryRecount:
    """Plays a world to its end. Notes the first call of each producer, mode and partition from each fault on (us).

    Notes besides the successes (us, in order) of such calls whose records were there, and were there still when the
    next fault came.
    """

    def __init__(self, world: World, faults: list[int]) -> None:
        self._recount = Recount(world)
        self._lost_at: list[set[Name]] = []  # at each fault: successes whose records were gone
        self._found: list[tuple[Name, Call]] = []  # successes whose records were there, in order
        self._undecided: dict[Name, int] = {}  # those that a former leader acknowledged, by the epoch that followed
        world.trace.keep_kinds(list(KINDS))
        for _, until in pairwise([-1, *faults, world.doc.until_us + 1]):
            world.run(min(until - 1, world.doc.until_us))
            self._feed([read(row) for row in world.trace.take().rows()])
            self._lost_at.append({name for name, call in self._found if not self._is_there(name, call)})
        self._found = [(name, call) for name, call in self._found if not self._is_decided(name)]
        self.after = [self._after(fault, i) for i, fault in enumerate(faults)]

    def _feed(self, facts: list[Any]) -> None:
        for fact in facts:
            self._recount.feed([fact])
            if isinstance(fact, CallsSettled) and fact.error == ERR_NONE and fact.offset >= 0:
                for n in range(fact.n, fact.n + fact.count):
                    self._settled((fact.p, fact.client, n), self._recount.calls[fact.client, fact.p][n])

    def _settled(self, name: Name, call: Call) -> None:
        """A success; of a former leader it counts as long as nobody has led since (``_is_decided``)."""
        p, client, n = name
        if self._is_there(name, call):
            self._found.append((name, call))
            led = self._recount.led.get(p, -1)
            is_former = call.epoch < led and p not in self._recount.deleted and self._recount.leader(p) < 0
            if is_former and (call.epoch, client, n) not in self._recount.last_log[p][1]:
                self._undecided[name] = led

    def _is_there(self, name: Name, call: Call) -> bool:
        """True if a record stands in the leader's log, or stood there until retention; without a leader, in any log."""
        p, client, n = name
        if p in self._recount.deleted:
            return True
        if self._recount.leader(p) < 0:
            return not self._recount.is_nowhere(p, client, n, call)
        return (call.epoch, client, n) in self._recount.at(p, call.offset)

    def _is_decided(self, name: Name) -> bool:
        """True if a former leader acknowledged a record while nobody led, and somebody has led since."""
        led = self._recount.led.get(name[0], -1)
        return name in self._undecided and (led, self._recount.leader(name[0])) != (self._undecided[name], -1)

    def _after(self, fault: int, i: int) -> dict[Key, tuple[int, list[int]]]:
        found: dict[Key, tuple[int, list[int]]] = {}
        for (client, p), calls in self._recount.calls.items():
            for call in calls.values():
                key = p, client, MODES[call.acks]
                if call.made_us >= fault:
                    found[key] = min(call.made_us, found.get(key, (call.made_us,))[0]), []
        for name, call in self._found:
            if call.made_us >= fault and name not in self._lost_at[i + 1]:
                found[name[0], name[1], MODES[call.acks]][1].append(call.settled_us)
        return found
