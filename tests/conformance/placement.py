"""Topics whose replicas the cluster placed itself: whether Kafka's placer can have drawn those lists (PLACE-1..5).

What a placer draws is its own chance: two runs hardly ever draw the same, and no two implementations the same from one
seed (PLACE-8). So the lists of a topic are held against all draws at once: for some start of each ring, some rack to
begin with and some order after each shuffle the placer must come to just these lists. It is written apart from the
simulated placer, which is held against it.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import permutations
from typing import Final, NamedTuple

from simengine.recordings.model import REGISTERED, BrokerRecord, PartitionRecord, RecordedAction, Recording

RACKS_MAX: Final = 7  # 5,040 orders of racks after each shuffle; of more racks nothing is said

Lists = list[list[int]]


class Placement(NamedTuple):
    """The replica lists of one topic, asked for at a moment (s), and whether some draw of the placer leads to them."""

    at: float
    lists: tuple[tuple[int, ...], ...]
    can_be_drawn: bool

    def shape(self) -> list[int]:
        """The number of different replicas of each partition."""
        return [len(dict.fromkeys(replicas)) for replicas in self.lists]


def placements(recording: Recording) -> dict[str, Placement]:
    """The placement of each topic that the cluster was to place at random during the run; a refused one has no list."""
    asked = [action for action in recording.actions if action.verb == "create-auto"]
    return {topic: _placement(recording, topic, action.start) for action in asked for topic in [_topic(action)]}


def _topic(action: RecordedAction) -> str:
    return str(action.details.get("topic"))


def _placement(recording: Recording, topic: str, at: float) -> Placement:
    created = list(_created(recording.metadata, topic))
    if not created:
        return Placement(at, (), can_be_drawn=True)
    active, fenced = _usable(recording.registrations, created[0].t)
    lists = [[int(str(broker)) for broker in _list(record.changes["replicas"])] for record in created]
    return Placement(at, tuple(map(tuple, lists)), can_be_drawn(recording.brokers, active, fenced, lists))


def _created(records: Iterable[PartitionRecord], topic: str) -> Iterator[PartitionRecord]:
    """The first record of each partition of a topic, by number."""
    first: dict[int, PartitionRecord] = {}
    for record in records:
        name, _, number = record.partition.rpartition("-")
        if name == topic:
            first.setdefault(int(number), record)
    return (first[number] for number in sorted(first))


def _usable(registrations: Iterable[BrokerRecord], t: float) -> tuple[list[int], list[int]]:
    """The active and the fenced brokers at a moment; those in controlled shutdown get no replica (PLACE-1)."""
    is_fenced: dict[int, bool | None] = {}
    for record in registrations:
        if record.t > t:
            continue
        if record.shutting_down:
            is_fenced[record.broker] = None
        elif record.fenced or record.kind == REGISTERED:
            is_fenced[record.broker] = record.fenced >= 0
    known = sorted(is_fenced)
    return [b for b in known if is_fenced[b] is False], [b for b in known if is_fenced[b]]


def can_be_drawn(racks: dict[int, str | None], active: list[int], fenced: list[int], lists: Lists) -> bool:
    """True if the placer may put the partitions of a topic on these brokers, in this order (PLACE-2..5)."""
    names = sorted({racks.get(broker) or "" for broker in [*active, *fenced]})
    if len(names) > RACKS_MAX:
        return True
    if not active:
        return False
    drawn = _Drawn(
        {name: _Ring([b for b in active if (racks.get(b) or "") == name]) for name in names},
        {name: _Ring([b for b in fenced if (racks.get(b) or "") == name]) for name in names},
    )
    return any(_can_go_on(drawn, [tuple(names)], start, len(active), lists) for start in range(len(names)))


def _can_go_on(drawn: "_Drawn", orders: Iterable[tuple[str, ...]], start: int, block: int, lists: Lists) -> bool:
    """True if the lists follow from what is known of the rings, in one of these orders of the racks."""
    if not lists:
        return True
    until = block if block > 1 else len(lists)
    for order in orders:
        trial = drawn.copy()
        if all(trial.gives(order, start + k, k, replicas) for k, replicas in enumerate(lists[:until])):
            trial.shuffle()
            if _can_go_on(trial, permutations(order), start + until, block, lists[until:]):
                return True
    return False


@dataclass
class _Ring:
    """The known part of a ring: ``bound`` names the brokers of those places that have given one."""

    brokers: list[int]  # ascending
    bound: dict[int, int] = field(default_factory=dict)
    is_in_order: bool = True  # until the first shuffle only its start is chance
    start: int = 0
    given: int = 0
    number: int = 0  # of the partition that it was last asked for, since the last shuffle

    def gives(self, number: int, replica: int) -> bool | None:
        """True if it can give this broker to a partition; None: it has nothing left for it."""
        size = len(self.brokers)
        if size and self.number != number:
            self.number, self.given, self.start = number, 0, (self.start + 1) % size
        if self.given >= size:
            return None
        place = (self.start + self.given) % size
        self.given += 1
        return self._binds(place, replica)

    def _binds(self, place: int, replica: int) -> bool:
        if place in self.bound:
            return self.bound[place] == replica
        if replica not in self.brokers or replica in self.bound.values():
            return False
        if self.is_in_order:
            turn = self.brokers.index(replica) - place
            self.bound = {at: self.brokers[(at + turn) % len(self.brokers)] for at in range(len(self.brokers))}
        self.bound[place] = replica
        return True


@dataclass
class _Drawn:
    """The rings of all racks."""

    active: dict[str, _Ring]
    fenced: dict[str, _Ring]

    def copy(self) -> "_Drawn":
        """The same, to go on with by trial."""
        return _Drawn(_copies(self.active), _copies(self.fenced))

    def shuffle(self) -> None:
        """PLACE-5: of the order in a ring nothing is known any more."""
        for ring in (*self.active.values(), *self.fenced.values()):
            ring.bound, ring.is_in_order = {}, False

    def gives(self, order: tuple[str, ...], start: int, number: int, replicas: list[int]) -> bool:
        """PLACE-3: whether one partition can get these replicas, with the racks in this order."""
        first = self._leads(order, start, number, replicas[0])
        turn, is_skipped, misses = start, False, 0
        for replica in replicas[1:] if first is not None else ():
            given = None
            while given is None:
                rack = order[turn % len(order)]
                if turn % len(order) == first and not is_skipped:
                    is_skipped = True
                elif (given := self.active[rack].gives(number, replica)) is None:
                    given = self.fenced[rack].gives(number, replica)
                    misses = misses + 1 if given is None else 0
                turn += 1
                if misses > len(order):
                    return False
            if not given:
                return False
        return first is not None

    def _leads(self, order: tuple[str, ...], start: int, number: int, leader: int) -> int | None:
        """The place of the rack that gives the first replica, an active broker; None: it gives another one."""
        for turn in range(start, start + len(order)):
            given = self.active[order[turn % len(order)]].gives(number, leader)
            if given is not None:
                return turn % len(order) if given else None
        return None


def _copies(rings: dict[str, _Ring]) -> dict[str, _Ring]:
    return {name: replace(ring, bound=dict(ring.bound)) for name, ring in rings.items()}


def _list(value: object) -> list[object]:
    assert isinstance(value, list), "the reader lets only lists of brokers through"
    return value
