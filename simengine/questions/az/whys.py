"""The causes of a row of the table: its partitions grouped by cause, counted, the worst first."""

from dataclasses import dataclass
from typing import Any, Final

from simengine.questions.az.cell import AzCell, AzLoss
from simengine.questions.az.figures import FOR_GOOD, NOTHING, SECONDS, WORDS, is_at_stake, step_of
from simengine.questions.az.partition_outages import (
    BELOW_MIN,
    MOVES,
    NO_ISR,
    NONE_LEFT,
    QUORUM,
    SHRINKS,
    UNCLEAN,
    UNTIL_BACK,
    WORST_FIRST,
    PartitionOutage,
    Place,
)
from simengine.questions.az.words import lasted, two_times
from simengine.verdict.outage import THETA_US
from simengine.verdict.words import brokers

TRANSACTIONS: Final = "__transaction_state"
ONLY_BY: Final = "only an unclean election, or the loss of a disk,"  # what can lose records that readers have seen
_OFF: Final = "neither writable nor readable"


@dataclass(frozen=True, slots=True)
class PartitionPair:
    """A partition in both cells of a row."""

    safe: PartitionOutage  # acks=all
    fast: PartitionOutage  # acks=1

    @property
    def us(self) -> int:
        """The longest of its times; UNTIL_BACK where one of them does not end."""
        times = [self.safe.stops_us, self.safe.unread_us, self.fast.stops_us, self.fast.unread_us]
        return UNTIL_BACK if UNTIL_BACK in times else max(times)

    @property
    def is_open(self) -> bool:
        """True if the longest of its times had not ended with the run."""
        parts = (self.safe, self.fast)
        times = [(part.stops_us, part.write_open) for part in parts] + [
            (part.unread_us, part.read_open) for part in parts
        ]
        return (self.us, True) in times

    @property
    def servers_us(self) -> int:
        """The longest of its times by the servers."""
        parts = (self.safe, self.fast)
        return max(0, *(us for part in parts for us in (part.write_servers_us, part.read_servers_us)))


@dataclass(frozen=True, slots=True)
class AzCause:
    """One cause with its partitions."""

    key: str
    title: str
    note: str
    parts: tuple[PartitionPair, ...]
    step: int
    is_internal: bool

    def plain(self) -> dict[str, Any]:
        """As JSON, without the partitions."""
        found = {"key": self.key, "count": len(self.parts), "step": self.step, "word": WORDS[self.step]}
        return {**found, "title": self.title, "note": self.note, "internal": self.is_internal}


def both(safe: AzCell, fast: AzCell) -> list[PartitionPair]:
    """The partitions of a row that stop, or whose records are at stake; the worst first."""
    quick: dict[Place, PartitionOutage] = {part.place: part for part in fast.parts}
    slow: dict[Place, PartitionOutage] = {part.place: part for part in safe.parts}
    places = [*slow, *(place for place in quick if place not in slow)]
    found = [PartitionPair(slow.get(place) or quick[place], quick.get(place) or slow[place]) for place in places]
    return [one for one in found if one.us or is_at_stake(one.safe) or is_at_stake(one.fast)]


def causes_of(loss: AzLoss, safe: AzCell, fast: AzCell) -> list[AzCause]:
    """The causes of a row."""
    grouped: dict[tuple[str, str, bool], list[PartitionPair]] = {}
    for one in both(safe, fast):
        title, note = _words(one, loss, safe)
        grouped.setdefault((title, note, one.safe.is_internal), []).append(one)
    causes = [_cause(key, tuple(found), safe) for key, found in grouped.items()]
    if not loss.has_quorum and not any(cause.title == voters(loss) for cause in causes):
        causes.append(AzCause("", voters(loss), "no leader can be elected, no ISR can shrink", (), SECONDS, False))
    causes.sort(key=_worst_first)
    return [
        AzCause(f"c{at}", cause.title, cause.note, cause.parts, cause.step, cause.is_internal)
        for at, cause in enumerate(causes)
    ]


def _worst_first(cause: AzCause) -> tuple[bool, bool, bool, int, int, int, int, str]:
    """The order of causes: lost for good, then those that last, then those that end by themselves.

    Of what lasts the groups come first, then partitions by what is left of them: without any replica before those that
    are below min.insync.replicas. Of what ends by itself the groups come last, and the longest time first.
    """
    lasts = cause.step > SECONDS
    left = [WORST_FIRST.index(one.safe.why) for one in cause.parts] if lasts else []
    us = 0 if lasts else max((one.us for one in cause.parts), default=0)
    order = (cause.step != FOR_GOOD, not lasts, cause.is_internal is not lasts, min(left, default=0))
    return *order, -cause.step, -us, -len(cause.parts), cause.title


def _cause(key: tuple[str, str, bool], parts: tuple[PartitionPair, ...], cell: AzCell) -> AzCause:
    """A cause under no key yet; its words say how many and how long."""
    title, note, is_internal = key
    lasting = sum(one.us == UNTIL_BACK for one in parts)
    total = cell.coordinators if is_internal else cell.users
    step = step_of(lasting, max(total, 1)) or SECONDS
    if any(one.safe.log or one.safe.lost or one.safe.duplicated for one in parts):
        step = FOR_GOOD
    us, servers, is_open = max((one.us, one.servers_us, one.is_open) for one in parts)
    times = two_times(us, servers, is_open) if us > 0 else ""
    spans = {"us": lasted(max(us, 0), is_open), "writes": _writes_words(parts)}
    told = note.format(times=times, **spans, n=f"{len(parts):,}", of=f"{total:,}")
    if times and not any(place in note for place in ("{times}", "{us}", "{writes}")):
        told = f"{told}; {times}"
    told += ", in this run" if times else ""
    named = title.format(n=f"{len(parts):,}", of=f"{total:,}", of_some=_of_some(len(parts), total))
    return AzCause("", named, told, parts, step if us or step == FOR_GOOD else max(step, NOTHING), is_internal)


def _of_some(some: int, total: int) -> str:
    """The coordinators that are meant, where these are not all."""
    return "" if some == total else f" of {some:,} of {total:,} coordinators"


def _writes_words(parts: tuple[PartitionPair, ...]) -> str:
    """The wait of acks=all for a smaller ISR, and that of a reader where it is longer by more than θ."""
    us, is_open = max((one.safe.stops_us, one.safe.write_open) for one in parts)
    told = f"acks=all waits {lasted(max(us, 0), is_open)} until it leaves the ISR"
    cells = [cell for one in parts for cell in (one.safe, one.fast)]
    reads_us, reads_open = max((cell.unread_us, cell.read_open) for cell in cells)
    is_longer = reads_us > us + THETA_US
    return f"{told}; a reader gets nothing for {lasted(reads_us, reads_open)}" if is_longer else told


def _words(one: PartitionPair, loss: AzLoss, cell: AzCell) -> tuple[str, str]:
    """Title and note of the cause that a partition bears, with places for counts and times."""
    if one.safe.is_internal:
        return _internal_words(one, loss)
    if one.safe.log:
        return _gone_words(one.safe, loss)
    return _stop_words(one, loss, cell.older)


def counted(part: PartitionOutage) -> str:
    """The replicas that are left of a partition, by number: ``1 of 3 replicas left, 2 wanted``."""
    total = len(part.replicas)
    many = "replica" if total == 1 else "replicas"
    if part.why == NONE_LEFT:
        return f"0 of {total} {many} left"
    if part.why in (NO_ISR, UNCLEAN):
        return f"{part.left} of {total} {many} left, none of them in sync"
    if part.in_sync < part.left:
        return f"{part.in_sync} of {total} {many} in sync, {part.wanted} wanted"
    return f"{part.left} of {total} {many} left, {part.wanted} wanted"


def voters(loss: AzLoss) -> str:
    """The controllers that are left, by number."""
    left, total = loss.voters
    return f"{left} of {total} controllers left, {total // 2 + 1} wanted"


def waits_words(part: PartitionOutage) -> str:
    """A clause on the members of the ELR that must be back with the loss; "" where there are none."""
    if not part.waits_for:
        return ""
    return f"; {brokers([*part.waits_for])} of its ELR must be back too"


def _where(part: PartitionOutage, loss: AzLoss) -> str:
    """The words on the place of the replicas of a partition that has none left."""
    if any(broker not in loss.brokers for broker in part.replicas):
        return "the others were down before"
    if len(part.replicas) == 1:
        places = {"broker": loss.place, "two": f"in {' or '.join(loss.azs)}"}
        return f"the only one is {places.get(loss.kind, f'in {loss.place}')}"
    return f"all of them are in {loss.place}"


def _stop_words(one: PartitionPair, loss: AzLoss, older: bool) -> tuple[str, str]:
    part = one.safe
    if part.why == NONE_LEFT:
        return counted(part), f"{_where(part, loss)}; {_OFF}{waits_words(part)}"
    if part.why == NO_ISR:
        off = "no leader can be elected" if part.by_luck else "none may lead, for unclean election is off"
        return counted(part), f"{off}; {_OFF}{waits_words(part)}"
    if part.why == UNCLEAN:
        return counted(part), "unclean election is on: an outdated one leads, and what it lacks is lost"
    if part.why == QUORUM:
        return voters(loss), _quorum_note(part)
    if part.why == BELOW_MIN:
        seen = f"readers see its new records, which {ONLY_BY} would lose"
        fast = seen if older else "its new records are unreadable"
        return counted(part), f"acks=all is refused; acks=1 goes on, {fast}"
    if part.why == MOVES:
        return "The leader moves", "{times}" if one.us else "acknowledged records of acks=1 are at risk"
    if part.why == SHRINKS:
        return "Only a follower is lost", "{writes}" if part.stops_us else "{times}"
    return "Waits with others of its clients", "{times}"


def _quorum_note(part: PartitionOutage) -> str:
    """The words on a partition's wait for an election or an ISR change, which only controllers can commit."""
    few = f"; and {counted(part)}" if part.left < part.wanted else ""
    if part.leader in part.dead:
        return f"no leader can be elected; {_OFF}{few}"
    return f"no ISR can shrink: acks=all waits; acks=1 goes on, its new records are unreadable{few}"


def _gone_words(part: PartitionOutage, loss: AzLoss) -> tuple[str, str]:
    total = len(part.replicas)
    if part.log == "whole":
        return (
            f"0 of {total} {'copy' if total == 1 else 'copies'} left",
            f"the disks of {loss.place} had all: lost for good",
        )
    return (
        f"{part.left} of {total} copies left, outdated",
        "what they lack is lost, and all of it once an empty broker leads",
    )


def _internal_words(one: PartitionPair, loss: AzLoss) -> tuple[str, str]:
    part = one.safe
    if part.is_coordinator:
        title = "No group{of_some} can join or commit"
    elif part.topic == TRANSACTIONS:
        title = "Transactions of {n} coordinators can neither begin nor commit"
    else:
        title = f"{part.topic}: " + "{n} partitions take no writes"
    if one.us != UNTIL_BACK:
        stops = "Coordinators of groups move" if part.is_coordinator else f"{part.topic} pauses"
        return stops, "{us} by the servers"
    if part.log:
        return title, f"{_gone_words(part, loss)[0]}: committed offsets are lost, auto.offset.reset decides"
    if part.why == QUORUM:
        return (
            title,
            f"{voters(loss)}: {'no leader can be elected' if part.leader in part.dead else 'no ISR can shrink'}",
        )
    return title, counted(part)
