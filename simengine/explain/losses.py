"""The records that are lost at a moment, in groups that share their story; facts that one sentence is true of."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeVar

from simengine.explain.evidence import RecordEvent, RecordEvidence, Records
from simengine.explain.fact_index import FactIndex
from simengine.facts.decisive import RecordsBack, RecordsLost
from simengine.facts.trace import Decisive
from simengine.verdict.presence import cut_out, joined, within

F = TypeVar("F", bound=Decisive | RecordEvent)

MOMENT_US: Final = 1_000_000  # losses of one group that follow within it are one sentence


@dataclass(slots=True)
class Loss:
    """Acknowledged records of one partition, epoch and mode of acks that one fact took.

    ``taken_by`` is that fact: ``cause``, or what cut the log of a leader that leads on in its epoch (LOG-8, REG-5).
    """

    p: int
    epoch: int
    acks: int
    cause: int  # fact that gave the partition the leader without them, or by which the last copy went
    taken_by: int
    facts: list[RecordsLost] = field(default_factory=list)
    gaps: list[tuple[int, int]] = field(default_factory=list)  # offsets base .. end-1 still lost, in order and apart

    @property
    def count(self) -> int:
        """Records lost."""
        return sum(end - base for base, end in self.gaps)

    @property
    def records(self) -> list[Records]:
        """The lost records as ranges."""
        return [Records(self.p, base, end, self.epoch) for base, end in self.gaps]


def losses_of(past: FactIndex, taken_by: Mapping[int, int]) -> list[Loss]:
    """The losses that have not come back, the most records first.

    ``taken_by``: the fact that a loss goes back to, where that is not its cause. Records lost again at the same
    offsets and epoch were written there since (REG-5): that is a loss of its own.
    """
    found: dict[tuple[int, int, int, int, int], list[Loss]] = {}
    backs = past.of(RecordsBack)
    for fact in past.of(RecordsLost):
        p, base, count, epoch, acks = fact.p, fact.base, fact.count, fact.epoch, fact.acks
        gaps = [(base, base + count)]
        for back in backs:
            if back.seq > fact.seq and back.p == p and back.epoch == epoch:
                gaps = cut_out(gaps, back.base, back.base + back.count)
        if gaps:
            taker = taken_by.get(fact.seq, fact.cause)
            losses = found.setdefault((p, epoch, acks, fact.cause, taker), [])
            if not losses or any(within(losses[-1].gaps, *gap) for gap in gaps):
                losses.append(Loss(p, epoch, acks, fact.cause, taker))
            losses[-1].facts.append(fact)
            losses[-1].gaps = joined([*losses[-1].gaps, *gaps])
    every = [loss for losses in found.values() for loss in losses]
    return sorted(every, key=lambda loss: (-loss.count, loss.p, loss.epoch))


def acks_of(loss: Loss, evidence: RecordEvidence, past: FactIndex) -> list[RecordEvent]:
    """The acknowledgements of what is lost, in order.

    One that comes after the last of it was lost is of other records: a leader that comes back in the same epoch
    without the end of its log writes others in their place (REG-5, LOG-8). With acks=1 a leader answers as it appends,
    and its producer hears of that later, perhaps when it is dead: the append's moment counts (PROD-4). Not where the
    leader was replaced in between: a later one may have acknowledged a retry (IDEM-3).
    """
    acks = [ack for ack in evidence.acks_of(loss.records) if ack.t <= loss.facts[-1].t]
    if loss.acks < 0:
        return acks
    to = past.fact(loss.cause)
    replaced = [fact.seq for fact in past.leader_changes(loss.p, loss.epoch, to)[:1]] if to is not None else []
    own = evidence.led(loss.p, loss.epoch)
    found: list[RecordEvent] = []
    for ack in acks:
        append = own.get(ack.records.base)
        is_own = append is not None and not any(append.seq < seq < ack.seq for seq in replaced)
        found.append(append.of(ack.who) if append is not None and is_own else ack)
    return sorted(found, key=lambda ack: ack.seq)


def at_one_moment(facts: Sequence[F], most: int, what: Callable[[F], object] = lambda fact: None) -> list[list[F]]:
    """Facts in groups of which the same can be said, without a pause longer than MOMENT_US between them.

    From so many groups on a pause ends none any more; something else to say always does.
    """
    groups: list[list[F]] = []
    said: object = None
    for fact in facts:
        before, said = said, what(fact)
        if groups and said == before and (len(groups) >= most or fact.t - groups[-1][-1].t <= MOMENT_US):
            groups[-1].append(fact)
        else:
            groups.append([fact])
    return groups


def last_us(facts: Sequence[Decisive | RecordEvent]) -> int:
    """Until when they went on, in us, where that is long after the first; else -1."""
    return int(facts[-1].t) if facts[-1].t - facts[0].t > MOMENT_US else -1
