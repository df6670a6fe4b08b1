"""Finds the experiments that their workers have left, without a clock that somebody can set.

A worker renews its lease once a second: it counts `lease_beats` up in the row. A watching process notes, on its own
monotonic clock, when it saw a count first. A lease whose count has stood for `LEASE_SECONDS` is left: its worker is
gone or hangs. The claim of such an experiment names the count that was seen: it fails if the worker renewed meanwhile.
"""

import threading
import time
from typing import Final, NamedTuple

from playground.whatif.identity import is_dead_here
from playground.whatif.limits import LEASE_SECONDS
from playground.whatif.models import Experiment, State


class Lease(NamedTuple):
    """The holder of an experiment, and the number of times that it renewed its lease."""

    holder: str
    beats: int


_guard: Final = threading.Lock()
_kept: Final[set[str]] = set()  # holders whose work goes on in this process
_seen: Final[dict[str, tuple[Lease, float]]] = {}  # experiment -> its lease, and since when it is known (monotonic)


def worker_of(holder: str) -> str:
    """The name of the worker in `lease_owner`."""
    return holder.partition(" ")[0]


def keep(holder: str) -> None:
    """The work of this holder goes on in this process: it is not left, however late its next renewal comes."""
    with _guard:
        _kept.add(holder)


def release(holder: str) -> None:
    """The work of this holder has ended, or it got nothing to do."""
    with _guard:
        _kept.discard(holder)


def left(worker: str) -> dict[str, Lease]:
    """The leases that nobody renews any more, by experiment, oldest experiment first.

    At once those of this machine's dead processes and of work that ended in this process without a final state.
    """
    held = Experiment.objects.filter(state__in=(State.RUNNING, State.CANCELLING)).order_by("created")
    rows = held.values_list("pk", "lease_owner", "lease_beats")
    leases = {pk: Lease(holder, beats) for pk, holder, beats in rows}
    now = time.monotonic()
    with _guard:
        for pk in [pk for pk in _seen if pk not in leases]:
            del _seen[pk]
        for pk, lease in leases.items():
            if pk not in _seen or _seen[pk][0] != lease:
                _seen[pk] = lease, now
        return {pk: lease for pk, lease in leases.items() if _is_left(lease, now - _seen[pk][1], worker)}


def _is_left(lease: Lease, stood_seconds: float, worker: str) -> bool:
    if lease.holder in _kept:
        return False
    name = worker_of(lease.holder)
    return stood_seconds >= LEASE_SECONDS or name in ("", worker) or is_dead_here(name, worker)
