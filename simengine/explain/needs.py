"""The needs of a partition that accepts no writes: the repairs, and the records that an unclean election would lose."""

from collections.abc import Iterable
from copy import copy
from math import comb
from typing import Final, NamedTuple

from simengine.explain.ways_back import (
    CALLS,
    LINKS,
    MAJORITY,
    NOTHING,
    REACH,
    RESUME,
    START,
    UNCLEAN,
    Repair,
    RepairedPartition,
    Repairs,
)
from simengine.verdict.presence import present_range
from simengine.verdict.words import brokers
from simengine.words.phrases import listed, plural
from simengine.world.world import World

NO_ELECTION: Final = -1
WAYS_MAX: Final = 3  # that have nothing in common, told one by one


class Needs(NamedTuple):
    """``needs``: "" where it comes back by itself; ``would_lose``: by an unclean election instead, if one would do."""

    needs: str = ""
    would_lose: int = NO_ELECTION


def needs_of(world: World, p: int, mode: str) -> Needs:
    """The repairs that bring a partition back in a mode of acks (ELEC-3, ELEC-7, ELR-4..6, PROD-2, QUO-6, DIR-3)."""
    registration = world.cluster.quorum.image.partition(p)
    if registration is None:
        return Needs()
    prospect = RepairedPartition(world, registration, mode)
    replaced = prospect.replaced()
    if replaced is not None:
        return Needs(on_a_replaced_disk(world, p, replaced))
    ways = prospect.ways()
    if not ways or NOTHING in ways:
        return Needs()
    asked = frozenset({Repair(UNCLEAN)})
    if all(asked <= way for way in ways):
        return Needs(f"{told(prospect, [way - asked for way in ways], ', and ')}{election(world, p, prospect, ways)}")
    loses = NO_ELECTION
    if prospect.is_writable_after(asked):
        others = [leader for way in ways if not asked <= way for leader in prospect.leaders(way)]
        loses = would_lose(world, p, prospect.leaders(asked)[0], others)
    return Needs(told(prospect, ways) + uncleanly(prospect, ways) + for_the_isr(prospect, ways), loses)


def on_a_replaced_disk(world: World, p: int, broker: int) -> str:
    """DIR-3: the broker may lead since its copy is assigned to the new disk, and waits for an election."""
    loses = would_lose(world, p, broker)
    lost = f", which would lose {plural(loses, 'record', 'records')}" if loses else ""
    return f"an election, on request or when any broker is unfenced (broker {broker}'s disk was replaced){lost}"


def election(world: World, p: int, prospect: RepairedPartition, ways: list[Repairs]) -> str:
    """An unclean election that is asked for, and what it would lose by whoever lives (UNC-3)."""
    [leader, *others] = {prospect.leaders(way)[0] for way in ways}
    loses = "" if others else f" (would lose {plural(would_lose(world, p, leader), 'record', 'records')})"
    return f"an unclean election{loses}"


def uncleanly(prospect: RepairedPartition, ways: list[Repairs]) -> str:
    """UNC-1: where not every way back leads to a clean election."""
    if not prospect.is_unclean:
        return ""
    other = copy(prospect)
    other.is_unclean = False
    clean = [way for way in ways if other.is_writable_after(way)]
    if len(clean) == len(ways):
        return ""
    return f" (without losses only {told(prospect, clean)})" if clean else " (elected uncleanly)"


def for_the_isr(prospect: RepairedPartition, ways: list[Repairs]) -> str:
    """PROD-2: where acks=all would need less if the leader were enough of an ISR."""
    other = copy(prospect)
    other.wanted = 1
    return "" if other.ways() == ways else f" (min.insync.replicas {prospect.least})"


# -- in words


def told(prospect: RepairedPartition, ways: list[Repairs], joint: str = "") -> str:
    """The words on the repairs that all ways have in common, and on the choice between the others."""
    common = frozenset.intersection(*ways)
    rests = [way - common for way in ways]
    parts = [one_way(prospect, common)] if common else []
    if any(rests):
        parts.append(choice(prospect, rests))
    return ", and ".join(parts) + (joint if parts else "")


def choice(prospect: RepairedPartition, rests: list[Repairs]) -> str:
    """``broker 1 or 2``, ``2 of brokers 1, 2 and 3``, ``broker 1 or the links between brokers 2 and 3``."""
    kinds = {repair.kind for rest in rests for repair in rest}
    if kinds == {START}:
        some = sorted({one for rest in rests for repair in rest for one in repair.brokers})
        size = len(rests[0])
        if size == 1:
            return brokers(some, "or")
        if len(rests) == comb(len(some), size):
            return f"{size} of {brokers(some)}"
    ways = [one_way(prospect, rest) for rest in rests[:WAYS_MAX]]
    return " or ".join(ways)


def one_way(prospect: RepairedPartition, way: Repairs) -> str:
    """All that one way back takes."""
    by_kind: dict[str, list[int]] = {}
    for repair in way:
        if repair.kind != LINKS:
            by_kind.setdefault(repair.kind, []).extend(repair.brokers)
    parts = ["a controller majority"] if MAJORITY in by_kind else []
    parts += [brokers(sorted(by_kind[START]))] if START in by_kind else []
    parts += [f"{brokers(sorted(by_kind[RESUME]))} to go on"] if RESUME in by_kind else []
    parts += [reach(prospect, one) for one in sorted(by_kind.get(REACH, []))]
    parts += [calls(prospect, one) for one in sorted(by_kind.get(CALLS, []))]
    parts += [f"the links between {brokers(list(one.brokers))}" for one in sorted(way) if one.kind == LINKS]
    return ", and ".join(parts) if len(parts) > 1 and " and " in " ".join(parts) else listed(parts)


def reach(prospect: RepairedPartition, one: int) -> str:
    """The links between a broker and the controllers that it is cut off from."""
    ids = [str(int(other.id)) for other in prospect.unheard(one)]
    return f"the links between broker {one} and controller{'s' if len(ids) > 1 else ''} {listed(ids)}"


def calls(prospect: RepairedPartition, one: int) -> str:
    """The links between a broker and the producers, all of which it is cut off from."""
    return f"the links between {listed([*prospect.callers(), f'broker {one}'])}"


# -- besides


def would_lose(world: World, p: int, broker: int, others: Iterable[int] = ()) -> int:
    """Acknowledged records that a broker's copy does not have, and that are not lost whoever leads.

    ``others`` may lead instead: what is lost so far and in their copies comes back with them.
    """
    lost = [int(world.book.account(p).losses.count), *(_lacks(world, p, other) for other in others)]
    return max(0, _lacks(world, p, broker) - min(lost))


def _lacks(world: World, p: int, broker: int) -> int:
    """Acknowledged records that a broker's copy does not have."""
    replica = world.cluster.by_id[broker].replica(p)
    lacks = 0
    for run in world.book.account(p).losses.acked:
        start, end = present_range(replica.log, run.epoch) if replica is not None else (0, 0)
        lacks += int(run.count) - max(0, int(min(end, run.base + run.count) - max(start, run.base)))
    return lacks
