"""The decisive facts of a run, to be asked backwards: what was true of a process, a link or a partition at a moment.

Moments are numbers of facts, since several facts share a microsecond.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from typing import Final

from simengine.facts.kinds import (
    ACTION_DONE,
    ELECTION_NONE,
    ISR_ADOPTED,
    LEADER_ACTIVATED,
    LINK_CHANGED,
    PARTITION_CHANGED,
    PROCESS_CHANGED,
    PROCESS_DOWN,
    PROCESS_PAUSED,
    PROCESS_RUNNING,
)
from simengine.facts.trace import Decisive

SILENT: Final = (PROCESS_DOWN, PROCESS_PAUSED)


class Past:
    """Facts by kind and by number."""

    def __init__(self, facts: Sequence[Decisive]) -> None:
        self.facts = list(facts)
        self._by_kind: dict[int, list[Decisive]] = {}
        self._causes = {fact.cause: True for fact in self.facts}
        for fact in self.facts:
            self._by_kind.setdefault(fact.kind, []).append(fact)

    def of(self, kind: int) -> list[Decisive]:
        """All facts of a kind, oldest first."""
        return self._by_kind.get(kind, [])

    def fact(self, seq: int) -> Decisive | None:
        """The fact with a number."""
        index = bisect_left(self.facts, seq, key=_seq)
        return self.facts[index] if seq > 0 and index < len(self.facts) and self.facts[index].seq == seq else None

    def at(self, at_us: int) -> list[Decisive]:
        """All facts of a moment."""
        return self.facts[bisect_left(self.facts, at_us, key=_moment) : bisect_right(self.facts, at_us, key=_moment)]

    def after(self, at_us: int) -> int:
        """A number below which are all facts up to a moment, and no later ones."""
        index = bisect_right(self.facts, at_us, key=_moment)
        return self.facts[index].seq if index < len(self.facts) else self.facts[-1].seq + 1 if self.facts else 0

    def newest(self, kind: int, before: int, holds: Callable[[Decisive], bool]) -> Decisive | None:
        """The newest fact of a kind with a lower number than ``before`` of which something holds."""
        found = self.of(kind)
        for index in range(bisect_left(found, before, key=_seq) - 1, -1, -1):
            if holds(found[index]):
                return found[index]
        return None

    def next_of(
        self, kinds: tuple[int, ...], after: int, holds: Callable[[Decisive], bool], before: int = 1 << 62
    ) -> Decisive | None:
        """The oldest fact of some kinds from one number on, and below another, of which something holds."""
        found = (next((f for f in self.of(kind) if after <= f.seq < before and holds(f)), None) for kind in kinds)
        return min((fact for fact in found if fact is not None), key=_seq, default=None)

    def action(self, fact: Decisive | None) -> Decisive | None:
        """The action that a fact goes back to; None if nobody did anything (chance, or the state at the start)."""
        while fact is not None and fact.kind != ACTION_DONE:
            fact = self.fact(fact.cause)
        return fact

    def since(self, seq: int) -> Sequence[Decisive]:
        """All facts from a number on."""
        return self.facts[bisect_left(self.facts, seq, key=_seq) :]

    def has_followed(self, fact: Decisive) -> bool:
        """Whether anything came of a fact."""
        return fact.seq in self._causes

    # -- states

    def process(self, node: int, before: int) -> tuple[int, Decisive | None]:
        """The state of a node's process, and the fact that says so."""
        fact = self.newest(PROCESS_CHANGED, before, lambda f: f.values[0] == node)
        return (PROCESS_RUNNING, None) if fact is None else (fact.values[1], fact)

    def link(self, a: int, b: int, before: int) -> Decisive | None:
        """The fact that made the connection of two nodes bad in one direction or both; None while it is good."""
        for src, dst in ((a, b), (b, a)):
            fact = self.newest(LINK_CHANGED, before, lambda f, ends=(src, dst): (f.values[0], f.values[1]) == ends)  # type: ignore[misc]
            if fact is not None and (fact.values[2] or fact.values[3]):
                return fact
        return None

    def are_apart(self, a: int, b: int, before: int) -> bool:
        """Whether nothing gets through between two nodes, in a direction or both."""
        return self._is_cut([a, b], before) or self._is_cut([b, a], before)

    def _is_cut(self, ends: list[int], before: int) -> bool:
        fact = self.newest(LINK_CHANGED, before, lambda f: f.values[:2] == ends)
        return fact is not None and bool(fact.values[2])

    def fell_silent(self, node: int, before: int) -> Decisive | None:
        """When a node's process died or was paused last."""
        return self.newest(PROCESS_CHANGED, before, lambda f: f.values[0] == node and f.values[1] in SILENT)

    def registration(self, p: int, before: int) -> Decisive | None:
        """What the controller had committed of a partition."""
        return self.newest(PARTITION_CHANGED, before, lambda f: f.values[0] == p)

    def election(self, p: int, before: int) -> Decisive | None:
        """The commit by which a partition got the leader that it has, or lost it; None: its first one still leads."""
        return self.newest(PARTITION_CHANGED, before, lambda f: f.values[0] == p and f.values[5] != ELECTION_NONE)

    def leader(self, p: int, before: int) -> int:
        """The committed leader of a partition, -1 without one; before any commit, its first one."""
        fact = self.registration(p, before)
        if fact is not None:
            return fact.values[1]
        began = self.newest(LEADER_ACTIVATED, before, lambda f: f.values[1] == p)
        return -1 if began is None else began.values[0]

    def leader_before(self, election: Decisive) -> int:
        """The last broker that a commit before an election made the leader; before any commit, the first leader."""
        p = election.values[0]
        known = self.newest(PARTITION_CHANGED, election.seq, lambda f: f.values[0] == p and f.values[1] >= 0)
        if known is not None:
            return known.values[1]
        began = self.next_of((LEADER_ACTIVATED,), 0, lambda f: bool(f.values[1] == p))
        return -1 if began is None else began.values[0]

    def isr(self, p: int, before: int) -> list[int]:
        """The committed ISR of a partition; before any commit, the one that its first leader went by."""
        fact = self.registration(p, before)
        if fact is not None:
            return fact.lists[1]
        began = self.newest(LEADER_ACTIVATED, before, lambda f: f.values[1] == p)
        return [] if began is None else began.lists[0]

    def isr_of_leader(self, broker: int, p: int, before: int) -> list[int]:
        """The ISR that a broker goes by which leads a partition; none if it never led it."""
        adopted = self.newest(ISR_ADOPTED, before, lambda f: f.values[0] == broker and f.values[1] == p)
        began = self.newest(LEADER_ACTIVATED, before, lambda f: f.values[0] == broker and f.values[1] == p)
        known = [fact for fact in (adopted, began) if fact is not None]
        return max(known, key=_seq).lists[0] if known else []

    def isr_changes(self, p: int, after: int, before: int) -> list[Decisive]:
        """The commits between two moments that changed a partition's ISR."""
        isr = self.isr(p, after)
        found: list[Decisive] = []
        for fact in self.of(PARTITION_CHANGED):
            if after <= fact.seq < before and fact.values[0] == p:
                if fact.lists[1] != isr:
                    found.append(fact)
                isr = fact.lists[1]
        return found

    def elr_losses(self, p: int, before: int) -> list[tuple[Decisive, list[int]]]:
        """The commits by which a partition's ELR last fell to what it is at a moment, each with who left it then."""
        found: list[tuple[Decisive, list[int]]] = []
        elr: list[int] = []
        for fact in self.of(PARTITION_CHANGED):
            if fact.seq < before and fact.values[0] == p:
                gone = sorted(set(elr).difference(fact.lists[2]))
                if set(fact.lists[2]).difference(elr):
                    found = []
                elif gone:
                    found.append((fact, gone))
                elr = fact.lists[2]
        return found

    def added(self, p: int, broker: int, before: int) -> Decisive | None:
        """The commit that made a broker a replica of a partition, as it is at a moment; None for a first replica."""
        found: Decisive | None = None
        was_in: bool | None = None  # nobody knows before the first commit but by what that one adds
        for fact in self.of(PARTITION_CHANGED):
            if fact.seq < before and fact.values[0] == p:
                is_in = broker in fact.lists[0]
                if is_in and not (broker not in fact.lists[4] if was_in is None else was_in):
                    found = fact
                found, was_in = found if is_in else None, is_in
        return found

    def activation(self, p: int, epoch: int, before: int) -> Decisive | None:
        """The fact that a broker led a partition in an epoch."""
        return self.newest(LEADER_ACTIVATED, before, lambda f: f.values[1] == p and f.values[2] == epoch)

    def leader_changes(self, p: int, epoch: int, to: Decisive) -> list[Decisive]:
        """The commits by which the partition went from an epoch to that of ``to``, each with a new epoch."""
        found: list[Decisive] = []
        for fact in self.of(PARTITION_CHANGED):
            if fact.seq > to.seq:
                break
            if fact.values[0] == p and fact.values[2] > epoch:
                epoch = fact.values[2]
                found.append(fact)
        return found


def _seq(fact: Decisive) -> int:
    return int(fact.seq)


def _moment(fact: Decisive) -> int:
    return int(fact.t)
