"""Stops of writes that an incident begins only after they came through again: its RTO ends before them (section 5).

As where a follower that was cut off is fenced many seconds later. The chain of causes ties such a stop to the incident,
and a run without the incident holds it: there, less than half of the same time is a stop.
"""

from bisect import bisect_left
from typing import NamedTuple

from simengine.decide import without_entry, written_out
from simengine.facts.trace import Decisive
from simengine.scenario.model import Document
from simengine.verdict.account import Account
from simengine.why.outs import stop_of, stretches
from simengine.why.past import Past
from simengine.world import World, build


class LaterStop(NamedTuple):
    """When writes to a partition stopped, and for how long, in us.

    ``is_open``: they are stopped still; ``is_again``: they had stopped at the incident too.
    """

    partition: str
    from_us: int
    us: int
    is_open: bool
    is_again: bool


class LaterStops:
    """Looks for later stops of one run's incidents; a run without an incident is made once, and only if asked for."""

    def __init__(self, world: World, past: Past) -> None:
        self._world = world
        self._past = past
        self._without: dict[int, World] = {}

    def of(self, at_us: int, p: int, name: str, mode: str, back_us: int) -> list[LaterStop]:
        """The stops in a mode that a partition owes to what was done at ``at_us``, from ``back_us`` on."""
        now, account = self._world.now_us, self._world.book.account(p)
        is_again = stop_of(account, self._past, mode, at_us, now) is not None
        found: list[LaterStop] = []
        for start, end in stretches(account, mode, now):
            if start >= back_us and self._is_of(at_us, account, start) and self._is_held(at_us, p, mode, start, end):
                found.append(LaterStop(name, start, min(end, now) - start, end > now, is_again))
        return found

    def _is_of(self, at_us: int, account: Account, start: int) -> bool:
        """Whether what began the stop, or a fact on the partition at its moment, goes back to what was done before."""
        began = [self._past.fact(cause) for since, _, cause in account.states if since == start]
        beside = [fact for fact in self._past.at(start) if touches(fact, int(account.p))]
        done = [self._past.action(fact) for fact in (*began, *beside)]
        return any(one is not None and one.t == at_us for one in done)

    def _is_held(self, at_us: int, p: int, mode: str, start: int, end: int) -> bool:
        """Whether without the incident less than half of the time is a stop."""
        if at_us not in self._without:
            self._without[at_us] = run_without(self._world.doc, at_us, self._world.now_us)
        without = self._without[at_us]
        out = stretches(without.book.account(p), mode, without.now_us)
        return 2 * sum(max(0, min(end, until) - max(start, since)) for since, until in out) < end - start


def touches(fact: Decisive, p: int) -> bool:
    """Whether a fact is of a partition."""
    return getattr(fact, "p", None) == p


def run_without(doc: Document, at_us: int, until_us: int) -> World:
    """The same run without what was done at a moment."""
    whole = written_out(doc, until_us)
    times = [entry.at_us for entry in whole.timeline]
    for index in range(len(times) - 1, bisect_left(times, at_us) - 1, -1):
        if times[index] == at_us:
            whole = without_entry(whole, index)
    world = build(whole)
    world.run(until_us)
    return world
