"""The decisive facts of a run, indexed: the state of a process, a link or a partition at a moment of the past.

Moments are numbers of facts, since several facts share a microsecond.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeVar

from simengine.facts.decisive import (
    ActionDone,
    IsrAdopted,
    LeaderActivated,
    LinkChanged,
    PartitionChanged,
    ProcessChanged,
    ServingChanged,
    SlowChanged,
)
from simengine.facts.kinds import PROCESS_DOWN, PROCESS_PAUSED, PROCESS_RUNNING
from simengine.facts.trace import Decisive

F = TypeVar("F", bound=Decisive)

SILENT: Final = (PROCESS_DOWN, PROCESS_PAUSED)


class FactIndex:
    """Facts by kind and by number."""

    def __init__(self, facts: Sequence[Decisive]) -> None:
        self.facts = list(facts)
        self._by_kind: dict[type[Decisive], list[Any]] = {}
        self._causes = {fact.cause: True for fact in self.facts}
        for fact in self.facts:
            self._by_kind.setdefault(type(fact), []).append(fact)

    def of(self, kind: type[F]) -> list[F]:
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

    def newest(self, kind: type[F], before: int, holds: Callable[[F], bool]) -> F | None:
        """The newest fact of a kind with a lower number than ``before`` of which something holds."""
        found = self.of(kind)
        for index in range(bisect_left(found, before, key=_seq) - 1, -1, -1):
            if holds(found[index]):
                return found[index]
        return None

    def next_of(self, kind: type[F], after: int, holds: Callable[[F], bool], before: int = 1 << 62) -> F | None:
        """The oldest fact of a kind from one number on, and below another, of which something holds."""
        return next((fact for fact in self.of(kind) if after <= fact.seq < before and holds(fact)), None)

    def action(self, fact: Decisive | None) -> ActionDone | None:
        """The action that a fact goes back to; None if nobody did anything (chance, or the state at the start)."""
        while fact is not None and not isinstance(fact, ActionDone):
            fact = self.fact(fact.cause)
        return fact

    def since(self, seq: int) -> Sequence[Decisive]:
        """All facts from a number on."""
        return self.facts[bisect_left(self.facts, seq, key=_seq) :]

    def has_followed(self, fact: Decisive) -> bool:
        """True if the fact caused another one."""
        return fact.seq in self._causes

    # -- states

    def process(self, node: int, before: int) -> tuple[int, ProcessChanged | None]:
        """The state of a node's process, and the fact that says so."""
        fact = self.newest(ProcessChanged, before, lambda f: f.node == node)
        return (PROCESS_RUNNING, None) if fact is None else (fact.state, fact)

    def link(self, a: int, b: int, before: int) -> LinkChanged | None:
        """The fact that made the connection of two nodes bad in one direction or both; None while it is good."""
        ways = self._directions(a, b, before)
        return next((fact for fact in ways if fact is not None and (fact.cut or fact.slow_us)), None)

    def are_apart(self, a: int, b: int, before: int) -> bool:
        """True if nothing gets through between two nodes, in a direction or both."""
        return any(fact is not None and fact.cut for fact in self._directions(a, b, before))

    def _directions(self, a: int, b: int, before: int) -> list[LinkChanged | None]:
        """The last change of each direction of a link."""
        there = self.newest(LinkChanged, before, lambda f: (f.src, f.dst) == (a, b))
        return [there, self.newest(LinkChanged, before, lambda f: (f.src, f.dst) == (b, a))]

    def slowed(self, broker: int, before: int) -> SlowChanged | None:
        """The fact by which a broker takes in slowly what it fetches; None while it does not."""
        fact = self.newest(SlowChanged, before, lambda f: f.broker == broker)
        return fact if fact is not None and fact.per_s >= 0 else None

    def serves_slowly(self, broker: int, before: int) -> ServingChanged | None:
        """The fact by which a broker serves fetches slowly; None while it does not."""
        fact = self.newest(ServingChanged, before, lambda f: f.broker == broker)
        return fact if fact is not None and fact.per_s >= 0 else None

    def fell_silent(self, node: int, before: int) -> ProcessChanged | None:
        """The last fact by which a node's process died or was paused."""
        return self.newest(ProcessChanged, before, lambda f: f.node == node and f.state in SILENT)

    def registration(self, p: int, before: int) -> PartitionChanged | None:
        """The newest committed registration of a partition."""
        return self.newest(PartitionChanged, before, lambda f: f.p == p)

    def leader(self, p: int, before: int) -> int:
        """The committed leader of a partition, -1 without one; before any commit, its first one."""
        fact = self.registration(p, before)
        if fact is not None:
            return fact.leader
        began = self.newest(LeaderActivated, before, lambda f: f.p == p)
        return -1 if began is None else began.broker

    def leader_before(self, election: PartitionChanged) -> int:
        """The last broker that a commit before an election made the leader; before any commit, the first leader."""
        p = election.p
        known = self.newest(PartitionChanged, election.seq, lambda f: f.p == p and f.leader >= 0)
        if known is not None:
            return known.leader
        began = self.next_of(LeaderActivated, 0, lambda f: f.p == p)
        return -1 if began is None else began.broker

    def isr(self, p: int, before: int) -> list[int]:
        """The committed ISR of a partition; before any commit, the one that its first leader went by."""
        fact = self.registration(p, before)
        if fact is not None:
            return fact.isr
        began = self.newest(LeaderActivated, before, lambda f: f.p == p)
        return [] if began is None else began.isr

    def isr_of_leader(self, broker: int, p: int, before: int) -> list[int]:
        """The ISR that a broker goes by which leads a partition; none if it never led it."""
        adopted = self.newest(IsrAdopted, before, lambda f: f.broker == broker and f.p == p)
        began = self.newest(LeaderActivated, before, lambda f: f.broker == broker and f.p == p)
        if adopted is None or began is None:
            known = adopted or began
            return [] if known is None else known.isr
        return adopted.isr if adopted.seq > began.seq else began.isr

    def isr_changes(self, p: int, after: int, before: int) -> list[PartitionChanged]:
        """The commits between two moments that changed a partition's ISR."""
        isr = self.isr(p, after)
        found: list[PartitionChanged] = []
        for fact in self.of(PartitionChanged):
            if after <= fact.seq < before and fact.p == p:
                if fact.isr != isr:
                    found.append(fact)
                isr = fact.isr
        return found

    def elr_losses(self, p: int, before: int) -> list[tuple[PartitionChanged, list[int]]]:
        """The commits by which a partition's ELR last fell to what it is at a moment, each with who left it then."""
        found: list[tuple[PartitionChanged, list[int]]] = []
        elr: list[int] = []
        for fact in self.of(PartitionChanged):
            if fact.seq < before and fact.p == p:
                gone = sorted(set(elr).difference(fact.elr))
                if set(fact.elr).difference(elr):
                    found = []
                elif gone:
                    found.append((fact, gone))
                elr = fact.elr
        return found

    def activation(self, p: int, epoch: int, before: int) -> LeaderActivated | None:
        """The fact that a broker led a partition in an epoch."""
        return self.newest(LeaderActivated, before, lambda f: f.p == p and f.epoch == epoch)

    def leader_changes(self, p: int, epoch: int, to: Decisive) -> list[PartitionChanged]:
        """The commits by which the partition went from an epoch to that of ``to``, each with a new epoch."""
        found: list[PartitionChanged] = []
        for fact in self.of(PartitionChanged):
            if fact.seq > to.seq:
                break
            if fact.p == p and fact.epoch > epoch:
                epoch = fact.epoch
                found.append(fact)
        return found


def _seq(fact: Decisive) -> int:
    return int(fact.seq)


def _moment(fact: Decisive) -> int:
    return int(fact.t)
