"""The steps between an experiment's states, each one conditional update: of two that compete, one succeeds.

- queued -> running -> done or failed
- queued -> cancelled
- running -> cancelling -> cancelled
- running whose lease lapsed -> running, in another worker's hands; cancelling whose lease lapsed -> cancelled
"""

import secrets
from datetime import datetime, timedelta

from django.db.models import F, Q, QuerySet
from django.utils import timezone

from playground.whatif.limits import CLAIMS_MAX, LEASE_SECONDS
from playground.whatif.models import ACTIVE, Experiment, State
from playground.whatif.turns import in_turn


def lapse(now: datetime) -> datetime:
    """Until when a lease taken or renewed now is good."""
    return now + timedelta(seconds=LEASE_SECONDS)


def abandoned(now: datetime) -> QuerySet[Experiment]:
    """Experiments that a worker held and no longer holds."""
    held = Q(state__in=(State.RUNNING, State.CANCELLING))
    return Experiment.objects.filter(held & (Q(lease_until__lt=now) | Q(lease_until=None)))


def claim(experiment_id: str, worker: str) -> Experiment | None:
    """Take an experiment that waits or was abandoned; None if another holds it or it is over.

    One that was being cancelled when its worker went becomes cancelled here. The lease belongs to this claim: a worker
    that lost an experiment and claims it again does not pass for its own earlier self.
    """
    now = timezone.now()
    holder = f"{worker} {secrets.token_hex(4)}"
    free = Q(state=State.QUEUED) | (Q(state=State.RUNNING) & Q(lease_until__lt=now))
    mine = Experiment.objects.filter(free, pk=experiment_id)
    lease = {"lease_owner": holder, "lease_until": lapse(now)}
    if not mine.update(state=State.RUNNING, claims=F("claims") + 1, **lease):
        return None
    Experiment.objects.filter(pk=experiment_id, started=None).update(started=now)
    experiment = Experiment.objects.get(pk=experiment_id)
    if experiment.claims <= CLAIMS_MAX:
        return experiment
    words = f"The worker died {CLAIMS_MAX} times while it computed this experiment. See its log; take fewer partitions."
    finish(experiment_id, holder, State.FAILED, words)
    return None


def claim_next(worker: str) -> Experiment | None:
    """Take the experiment whose turn it is: first one that a dead worker left, then fairly by owner (`turns`)."""
    left = abandoned(timezone.now()).filter(state=State.RUNNING).order_by("created").values_list("pk", flat=True)
    for pk in [*left, *in_turn()]:
        if (experiment := claim(pk, worker)) is not None:
            return experiment
    return None


def worker_of(holder: str) -> str:
    """The name of the worker in `lease_owner`."""
    return holder.partition(" ")[0]


def renew(experiment_id: str, holder: str, runs_done: int) -> State | None:
    """Renew the lease and say how far the work is; the row's state, or None if the lease was lost."""
    now = timezone.now()
    mine = Experiment.objects.filter(pk=experiment_id, lease_owner=holder, state__in=ACTIVE)
    if not mine.update(lease_until=lapse(now), runs_done=runs_done):
        return None
    return State(Experiment.objects.values_list("state", flat=True).get(pk=experiment_id))


def cancel(experiment_id: str) -> None:
    """Ask for the end: a waiting experiment is cancelled at once, a running one by its worker."""
    now = timezone.now()
    waiting = Experiment.objects.filter(pk=experiment_id, state=State.QUEUED)
    if not waiting.update(state=State.CANCELLED, finished=now):
        Experiment.objects.filter(pk=experiment_id, state=State.RUNNING).update(state=State.CANCELLING)


def finish(experiment_id: str, holder: str, state: State, error: str = "", seconds: float = 0.0) -> bool:
    """The one final step of a worker that still holds the experiment; False if it does not.

    A cancel that came before wins over `done` and `failed`. `seconds`: what this worker spent on it.
    """
    over = {"finished": timezone.now(), "lease_owner": "", "lease_until": None}
    held = Experiment.objects.filter(pk=experiment_id, lease_owner=holder)
    spent = F("computed_seconds") + seconds
    if held.filter(state=State.CANCELLING).update(state=State.CANCELLED, computed_seconds=spent, **over):
        return True
    running = held.filter(state=State.RUNNING)
    return bool(running.update(state=state, error=error, computed_seconds=spent, **over))


def close_abandoned_cancels(now: datetime) -> None:
    """Experiments that were being cancelled when their worker went are cancelled."""
    gone = abandoned(now).filter(state=State.CANCELLING)
    gone.update(state=State.CANCELLED, finished=now, lease_owner="", lease_until=None)
