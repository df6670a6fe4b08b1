"""The steps between an experiment's states, each one conditional update: of two that compete, one succeeds.

- queued -> running -> done or failed
- running -> queued, where it gives its place to another experiment
- queued -> cancelled; -> cancelling, where some of it is computed already
- running -> cancelling -> cancelled
- running whose lease was left -> running, in another worker's hands; cancelling whose lease was left -> cancelled
"""

import secrets
from collections.abc import Mapping

from django.db import transaction
from django.db.models import F, Max, Q
from django.db.models.functions import Coalesce
from django.utils import timezone

from playground.whatif import leases
from playground.whatif.leases import Lease
from playground.whatif.limits import CLAIMS_MAX
from playground.whatif.models import ACTIVE, Experiment, Stage, State
from playground.whatif.turns import in_turn


def claim(experiment_id: str, worker: str, left: Lease | None = None) -> Experiment | None:
    """Take an experiment that waits, or whose lease was `left`; None if another holds it or it is over.

    The lease belongs to this claim: a worker that lost an experiment and claims it again does not pass for its own
    earlier self. Who claimed it releases the lease (`leases.release`) when the work has ended.
    """
    holder = f"{worker} {secrets.token_hex(4)}"
    leases.keep(holder)
    try:
        experiment = _taken(experiment_id, holder, left)
    except BaseException:
        leases.release(holder)
        raise
    if experiment is None:
        leases.release(holder)
    return experiment


def _taken(experiment_id: str, holder: str, left: Lease | None) -> Experiment | None:
    free = Q(state=State.QUEUED)
    if left is not None:
        free = Q(state=State.RUNNING, lease_owner=left.holder, lease_beats=left.beats)
    mine = Experiment.objects.filter(free, pk=experiment_id)
    now = timezone.now()
    begun = {"state": State.RUNNING, "stage": Stage.RESULTS, "started": Coalesce("started", now), "turn": _next_turn()}
    held = {"lease_owner": holder, "lease_renewed": now, "claims": F("claims") + 1}
    if not mine.update(error="", **begun, **held):  # what the worker before said is not so any more
        return None
    experiment = Experiment.objects.get(pk=experiment_id)
    if experiment.claims <= CLAIMS_MAX:
        return experiment
    words = (
        f"Highwater's worker process died {CLAIMS_MAX} times while it computed this experiment. See its log; "
        "take fewer partitions."
    )
    finish(experiment_id, holder, State.FAILED, words)
    return None


def _next_turn() -> int:
    return int(Experiment.objects.aggregate(turn=Max("turn"))["turn"] or 0) + 1


def claim_next(worker: str) -> Experiment | None:
    """Take the experiment whose turn it is: first one that a dead worker left, then fairly by owner (`turns`)."""
    for pk, lease in leases.left(worker).items():
        if (experiment := claim(pk, worker, lease)) is not None:
            return experiment
    for pk in in_turn():
        if (experiment := claim(pk, worker)) is not None:
            return experiment
    return None


def give_way(experiment: Experiment, worker: str, seconds: float) -> Experiment | None:
    """Queue a running experiment again and take the next one, in one step: no other change comes in between.

    `seconds`: what this worker spent on it. One that was cancelled meanwhile is left, and closed as such.
    """
    waits = {"state": State.QUEUED, "stage": "", "error": "", "lease_owner": "", "lease_renewed": None}
    spent = {"claims": F("claims") - 1, "computed_seconds": F("computed_seconds") + seconds, "turn": _next_turn()}
    held = Experiment.objects.filter(pk=experiment.pk, lease_owner=experiment.lease_owner, state=State.RUNNING)
    with transaction.atomic():
        held.update(**waits, **spent)
        return claim_next(worker)


def renew(experiment_id: str, holder: str, runs_done: int, stage: Stage) -> State | None:
    """Renew the lease and say what is done now and how far it is; the row's state, or None if the lease was lost."""
    mine = Experiment.objects.filter(pk=experiment_id, lease_owner=holder, state__in=ACTIVE)
    beat = {"lease_beats": F("lease_beats") + 1, "lease_renewed": timezone.now()}
    if not mine.update(runs_done=runs_done, stage=stage, **beat):
        return None
    return State(Experiment.objects.values_list("state", flat=True).get(pk=experiment_id))


def say(experiment_id: str, holder: str, words: str) -> None:
    """The reason why a running experiment does not go on, in words; empty: none."""
    Experiment.objects.filter(pk=experiment_id, lease_owner=holder, state=State.RUNNING).update(error=words)


def cancel(experiment_id: str) -> None:
    """Ask for the end: one that has not begun is cancelled at once, any other by a worker, which keeps its rows."""
    this = Experiment.objects.filter(pk=experiment_id)
    if not this.filter(state=State.QUEUED, turn=0).update(state=State.CANCELLED, finished=timezone.now()):
        this.filter(state__in=(State.QUEUED, State.RUNNING)).update(state=State.CANCELLING)


def finish(experiment_id: str, holder: str, state: State, error: str = "", seconds: float = 0.0) -> bool:
    """The one final step of a worker that still holds the experiment; False if it does not.

    A cancel that came before wins over `done` and `failed`. `seconds`: what this worker spent on it. Waits
    for a cluster without room do not count.
    """
    over = {"finished": timezone.now(), "lease_owner": "", "lease_renewed": None}
    held = Experiment.objects.filter(pk=experiment_id, lease_owner=holder)
    spent = F("computed_seconds") + seconds
    if held.filter(state=State.CANCELLING).update(state=State.CANCELLED, error="", computed_seconds=spent, **over):
        return True
    running = held.filter(state=State.RUNNING)
    return bool(running.update(state=state, error=error, computed_seconds=spent, **over))


def close_left_cancels(left: Mapping[str, Lease]) -> None:
    """Experiments that were being cancelled when their worker went are cancelled."""
    over = {"finished": timezone.now(), "lease_owner": "", "lease_renewed": None, "error": ""}
    for pk, lease in left.items():
        gone = Experiment.objects.filter(pk=pk, state=State.CANCELLING, lease_owner=lease.holder)
        gone.filter(lease_beats=lease.beats).update(state=State.CANCELLED, **over)
