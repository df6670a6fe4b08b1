"""Whose experiment is next: addresses take turns, and in each address its browsers.

A browser is a cookie, which can be thrown away: fifty experiments of fifty cookies behind one address belong to one.
Next is the address that has the fewest running, then the one that started none for longest; in it the browser by the
same rule; of a browser's experiments the oldest.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from django.db.models import Max

from playground.whatif.models import Experiment, State


class Waiting(NamedTuple):
    """An experiment that waits, and whose it is."""

    pk: str
    address: str
    owner: str


class Load:
    """What the holders of one kind (addresses, or browsers) have running, and when each was served last."""

    def __init__(self, running: dict[str, int], served: dict[str, int]) -> None:
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


def turns(waiting: Sequence[Waiting], addresses: Load, owners: Load) -> list[str]:
    """The ids of what waits (given oldest first) in the order in which it is taken."""
    left, order = list(waiting), []
    while left:
        chosen = min(left, key=lambda one: (addresses.rank(one.address), owners.rank(one.owner)))
        left.remove(chosen)
        addresses.serve(chosen.address)
        owners.serve(chosen.owner)
        order.append(chosen.pk)
    return order


def in_turn() -> list[str]:
    """The ids of all experiments that wait, the next one first."""
    queued = Experiment.objects.filter(state=State.QUEUED).order_by("created", "pk")
    waiting = [Waiting(*row) for row in queued.values_list("pk", "address", "owner")]
    if len(waiting) < 2:
        return [one.pk for one in waiting]
    return turns(waiting, _load("address", {w.address for w in waiting}), _load("owner", {w.owner for w in waiting}))


def _load(field: str, holders: set[str]) -> Load:
    theirs = Experiment.objects.filter(**{f"{field}__in": holders}).order_by()
    running = theirs.filter(state__in=(State.RUNNING, State.CANCELLING))
    served = theirs.filter(turn__gt=0).values(field).annotate(last=Max("turn"))
    return Load(
        dict(Counter(running.values_list(field, flat=True))),
        dict(served.values_list(field, "last")),
    )
