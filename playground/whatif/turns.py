"""The order of experiments: addresses take turns, and in each address its browsers.

A browser is a cookie, which can be thrown away: fifty experiments of fifty cookies behind one address belong to one.
Next is the address that has the fewest running, then the one that started none for longest; in it the browser by the
same rule; of a browser's experiments the oldest. A running experiment that ranks behind a waiting one by this rule
gives its place to it (`successor`).
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from django.db.models import Max

from playground.whatif.models import Experiment, State


class QueuedExperiment(NamedTuple):
    """An experiment that waits or runs, and whose it is."""

    pk: str
    address: str
    owner: str
    turn: int  # when it got or left its place, as a count; 0: has not begun
    is_running: bool


class Load:
    """The running experiments of holders of one kind (addresses, or browsers), and each one's last turn."""

    def __init__(self, running: Mapping[str, int], served: Mapping[str, int]) -> None:
        self._running = Counter(running)
        self._served = defaultdict(int, served)  # the turn of the newest one, 0 for who had none
        self._turn = max(served.values(), default=0)

    def rank(self, holder: str) -> tuple[int, int]:
        """The smallest is next."""
        return self._running[holder], self._served[holder]

    def serve(self, holder: str) -> None:
        """It has one more now."""
        self._turn += 1
        self._running[holder] += 1
        self._served[holder] = self._turn

    def without_one(self, holder: str) -> "Load":
        """The load if one of a holder's experiments stopped now: it was served until this moment."""
        served = {**self._served, holder: self._turn + 1}
        return Load({**self._running, holder: self._running[holder] - 1}, served)


class Loads(NamedTuple):
    """The loads of addresses and of browsers."""

    addresses: Load
    owners: Load

    def running(self, one: QueuedExperiment) -> tuple[int, int]:
        """The numbers of running experiments of its address and its browser."""
        return self.addresses.rank(one.address)[0], self.owners.rank(one.owner)[0]

    def rank(self, one: QueuedExperiment) -> tuple[tuple[int, int], tuple[int, int]]:
        """The smallest is next; of equal ones the oldest."""
        return self.addresses.rank(one.address), self.owners.rank(one.owner)

    def serve(self, one: QueuedExperiment) -> None:
        """It runs now."""
        self.addresses.serve(one.address)
        self.owners.serve(one.owner)

    def without(self, one: QueuedExperiment) -> "Loads":
        """The loads if a running experiment stopped now."""
        return Loads(self.addresses.without_one(one.address), self.owners.without_one(one.owner))


def turns(waiting: Sequence[QueuedExperiment], loads: Loads) -> list[str]:
    """The ids of what waits (given oldest first) in the order in which it is taken."""
    left, order = list(waiting), []
    while left:
        chosen = min(left, key=loads.rank)
        left.remove(chosen)
        loads.serve(chosen)
        order.append(chosen.pk)
    return order


def in_turn() -> list[str]:
    """The ids of all experiments that wait, the next one first."""
    waiting = _entries(State.QUEUED)
    return turns(waiting, _loads(waiting)) if len(waiting) > 1 else [one.pk for one in waiting]


def successor(pk: str) -> QueuedExperiment | None:
    """The waiting experiment that is to have the place of this running one; None if this one keeps its place."""
    if not Experiment.objects.filter(state=State.QUEUED).exists():
        return None
    active = _entries(State.QUEUED, State.RUNNING)
    leaves, follows = change(active, _loads(active))
    return follows if leaves is not None and leaves.pk == pk else None


def change(active: Sequence[QueuedExperiment], loads: Loads) -> tuple[QueuedExperiment | None, QueuedExperiment | None]:
    """The running experiment that leaves its place (given oldest first), and the waiting one that follows it.

    One at a time: of the address with the most running the one that has had its place for longest.
    """
    follows: dict[QueuedExperiment, QueuedExperiment] = {}
    for one in (one for one in active if one.is_running):
        rivals = [one, *(other for other in active if not other.is_running)]  # of equal ones it keeps its place
        first = min(rivals, key=loads.without(one).rank)
        if first != one:
            follows[one] = first
    leaves = max(follows, key=lambda one: (*loads.running(one), -one.turn), default=None)
    return leaves, follows[leaves] if leaves else None


def _entries(*states: State) -> list[QueuedExperiment]:
    """The experiments in these states, oldest first."""
    found = Experiment.objects.filter(state__in=states).order_by("created", "pk")
    rows = found.values_list("pk", "address", "owner", "turn", "state")
    return [
        QueuedExperiment(pk, address, owner, turn, state == State.RUNNING) for pk, address, owner, turn, state in rows
    ]


def _loads(entries: Sequence[QueuedExperiment]) -> Loads:
    return Loads(_load("address", {one.address for one in entries}), _load("owner", {one.owner for one in entries}))


def _load(field: str, holders: set[str]) -> Load:
    theirs = Experiment.objects.filter(**{f"{field}__in": holders}).order_by()
    running = theirs.filter(state__in=(State.RUNNING, State.CANCELLING))
    served = theirs.filter(turn__gt=0).values(field).annotate(last=Max("turn"))
    return Load(
        dict(Counter(running.values_list(field, flat=True))),
        dict(served.values_list(field, "last")),
    )
