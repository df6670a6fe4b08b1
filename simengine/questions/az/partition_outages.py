"""One partition of a cell: how it stood, what the loss leaves of it, and what its run measured."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from simengine.facts.kinds import PROCESS_DOWN
from simengine.questions.az.causes import AzFate
from simengine.questions.az.partition_states import PartitionState
from simengine.verdict.outage import THETA_US, Outage
from simengine.world.world import World

OFFSETS: Final = "__consumer_offsets"
UNTIL_BACK: Final = -1

NONE_LEFT: Final = "none"  # no replica runs
NO_ISR: Final = "isr"  # replicas run, none that may lead
UNCLEAN: Final = "unclean"  # likewise, and one of them leads all the same (UNC-1)
QUORUM: Final = "quorum"  # it waits for an election or a smaller ISR that nobody can commit
BELOW_MIN: Final = "min"
MOVES: Final = "move"
SHRINKS: Final = "shrink"
UNTOUCHED: Final = ""
WHOLE: Final = "whole"  # of a log whose copies are all gone with the disks
GOES_ON: Final = (MOVES, SHRINKS, UNTOUCHED)  # an election or a smaller ISR ends every stop
IS_LED: Final = (*GOES_ON, BELOW_MIN)  # a member of the ISR leads: reads and writes of acks=1 go on
WORST_FIRST: Final = (NONE_LEFT, NO_ISR, QUORUM, BELOW_MIN, UNCLEAN, MOVES, SHRINKS, UNTOUCHED)

Place = tuple[str, int]


@dataclass(frozen=True, slots=True)
class PartitionOutage:
    """One partition. Times in microseconds since the loss: 0 for none, UNTIL_BACK for to the end of the run."""

    topic: str
    number: int
    replicas: tuple[int, ...]
    leader: int  # at the loss; -1: nobody
    dead: tuple[int, ...]  # replicas that do not run after the loss
    in_sync: int  # replicas of the ISR at the loss that run after it
    wanted: int  # min.insync.replicas
    why: str
    was_out: bool  # not writable before the loss: no figure counts it ...
    was_unread: bool  # ... and not readable
    write_us: int  # the application's time ...
    write_servers_us: int  # ... and the servers'
    write_open: bool  # the application's stop had not ended with the run: it is at least that long
    read_us: int
    read_servers_us: int
    read_open: bool
    hidden: int  # acknowledged records that nobody could read at the end of the run
    hides: bool  # by rule: acks=1 goes on, and nobody can read its new records until it is back (HW-1, HW-2)
    may_hide: bool  # by rule: the newest records of acks=all may be unreadable until it is back (HW-10)
    lost: int
    lost_before: int  # records from before the run that are gone
    duplicated: int
    risk: int  # records that another moment of the loss could take
    risk_us: int  # the time before the loss in which such records were written
    by_luck: bool  # records of acks=all could be lost at another moment
    log: str  # with disks gone: "whole", "tail" or ""
    waits_for: tuple[int, ...] = ()  # members of its ELR that were away before: they must be back too (ELR-5)

    @property
    def place(self) -> Place:
        """Topic and number."""
        return self.topic, self.number

    @property
    def is_internal(self) -> bool:
        """True if only brokers write to it."""
        return self.topic.startswith("__")

    @property
    def is_coordinator(self) -> bool:
        """True if it is a partition of ``__consumer_offsets``, which coordinates groups."""
        return self.topic == OFFSETS

    @property
    def stops_us(self) -> int:
        """For how long the loss keeps it from being written (0: not at all)."""
        return 0 if self.was_out else self.write_us

    @property
    def unread_us(self) -> int:
        """For how long the loss keeps it from being read, or its groups from joining and committing."""
        return 0 if self.was_unread else self.read_us

    @property
    def is_lost_by_chance(self) -> bool:
        """True if its lost records are of acks=1 and were at risk: the moment of the loss decides how many."""
        return self.lost > 0 and self.risk > 0 and not self.log and self.why != UNCLEAN

    @property
    def left(self) -> int:
        """Replicas that run."""
        return len(self.replicas) - len(self.dead)


@dataclass(frozen=True, slots=True)
class MeasuredOutage:
    """The figures that the run has counted for one partition so far; times in us, and whether they go on.

    Of clients only the waits that began with the loss or after it.
    """

    servers_write: tuple[int, bool]
    servers_read: tuple[int, bool]
    client_write: tuple[int, bool]
    client_read: tuple[int, bool]
    figures: dict[str, Any]


def measured(world: World, acks: str, loss_us: int) -> dict[Place, MeasuredOutage]:
    """Every partition's figures at this moment of a run; ``loss_us``: the moment of the loss."""
    now = world.now_us
    names = world.cluster.partition_names
    verdict: Any = world.verdict()
    told = {
        (topic["topic"], int(names[one["partition"]][1])): one
        for topic in verdict["topics"]
        for one in topic["partitions"]
    }
    found: dict[Place, MeasuredOutage] = {}
    for p, (topic, number) in enumerate(names):
        account = world.book.account(p)
        place = (str(world.cluster.topics[topic].name), int(number))
        reads = account.reading
        calls = [mode.spans(now) for calls in account.calls for mode in calls.modes]
        without = [reads.starved(reader, now) for reader in reads.readers]
        without += [want.all_spans(now) for want in reads.unread.wants]
        found[place] = MeasuredOutage(
            _time(account.out_all if acks == "all" or place[0].startswith("__") else account.out_1, now),
            _time(reads.out, now),
            _waited(calls, loss_us, now),
            _waited(without, loss_us, now),
            told.get(place, {}),
        )
    return found


def _time(outage: Outage, now: int) -> tuple[int, bool]:
    return int(outage.us(now)), bool(outage.open_us(now) > 0)


def _waited(clients: list[list[tuple[int, int]]], loss_us: int, now: int) -> tuple[int, bool]:
    """The longest time that one of the clients waited, given the spans of each, and whether one waits now.

    A wait that was longer than theta at the loss is of another cause.
    """
    of_loss = [[span for span in spans if span[0] > loss_us - THETA_US] for spans in clients]
    us = max((sum(end - start for start, end in spans) for spans in of_loss), default=0)
    return us, any(end == now for spans in of_loss for _, end in spans)


def since(before: tuple[int, bool], after: tuple[int, bool], goes_on: bool) -> tuple[int, bool]:
    """The time out between two moments, and whether it is out at the later though it goes on by rule.

    UNTIL_BACK if it is out at the later, unless it ``goes_on``: then a broker that the loss did not touch was fenced
    for a while, since its requests went to controllers that are dark (QUO-5, AP-1).
    """
    is_late = goes_on and after[1] and not before[1]
    if after[1] and not is_late:
        return UNTIL_BACK, False
    return after[0] - before[0], is_late


def felt(client: tuple[int, bool], servers: tuple[int, bool]) -> tuple[int, bool]:
    """The application's time since the loss, never less than the servers', and whether it goes on.

    UNTIL_BACK where the servers' does not end: then it cannot end either.
    """
    us, is_late = servers
    if us == UNTIL_BACK:
        return UNTIL_BACK, False
    return max(client[0], us), client[1] or is_late


def running(world: World) -> dict[int, bool]:
    """The brokers whose processes run."""
    return {int(one.id): True for one in world.cluster.brokers if one.process != PROCESS_DOWN}


def waits_too(at: PartitionState, why: str, back: list[int]) -> tuple[int, ...]:
    """The brokers that a partition without a leader waits for when those of the loss are back: of the ELR (ELR-5).

    They were away before the loss, or one of them would lead. A broker that died leaves the ELR as it returns. Once
    all have, the last-known leader is elected (ELR-6); before that nobody is, unless unclean elections are on.
    ``back``: the brokers that are back with the loss.
    """
    if at.unclean or why not in (NONE_LEFT, NO_ISR):
        return ()
    return tuple(broker for broker in at.elr if broker not in back)


def why_of(fate: AzFate, left: int, has_quorum: bool) -> str:
    """The effect of the loss on a partition by rule, in one word."""
    if fate.is_offline or fate.was_offline:
        if not left:
            return NONE_LEFT
        return UNCLEAN if fate.may_be_unclean and has_quorum else NO_ISR
    if not has_quorum and (fate.was_led_there or fate.is_touched):
        return QUORUM
    if fate.is_below_min:
        return BELOW_MIN
    if fate.takes_over:
        return MOVES
    return SHRINKS if fate.is_touched else UNTOUCHED


def worst_first(parts: list[PartitionOutage]) -> Iterator[PartitionOutage]:
    """The partitions in order of harm: logs lost, then leaders, then writes, then seconds."""
    order = {why: at for at, why in enumerate(WORST_FIRST)}
    yield from sorted(parts, key=lambda part: (order[part.why], part.topic, part.number))
