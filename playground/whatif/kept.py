"""Experiments of an owner: begun within the quotas, kept as many as a browser may, and forgotten."""

import logging

from django.db import DatabaseError, transaction

from playground.scenarios.engine_version import engine_version
from playground.whatif import limits, queue
from playground.whatif.estimate import Estimate
from playground.whatif.models import ACTIVE, FINAL, Experiment, State
from playground.whatif.pipeline.blocks import seeds_per_shard
from playground.whatif.pipeline.plan import Json
from playground.whatif.pipeline.results import ResultsProblem

log = logging.getLogger(__name__)


def quota(made_by: str, address: str) -> str:
    """The sentence of the quota that is used up, or an empty text."""
    active = Experiment.objects.filter(owner=made_by, state__in=ACTIVE).count()
    if active >= limits.ACTIVE_MAX:
        return f"{active} experiments of yours wait or run; the limit is {limits.ACTIVE_MAX}. Cancel one or wait."
    waiting = Experiment.objects.filter(state=State.QUEUED)
    of_address = waiting.filter(address=address).count()
    if of_address >= limits.WAITING_AN_ADDRESS_MAX:
        most = limits.WAITING_AN_ADDRESS_MAX
        return f"{of_address} experiments from your address wait; the limit is {most}. Cancel one or try again later."
    if Experiment.objects.filter(address=address).count() >= limits.KEPT_AN_ADDRESS_MAX:
        return f"{limits.KEPT_AN_ADDRESS_MAX} experiments from your address are kept, which is the limit. Delete some."
    if (number := waiting.count()) >= limits.WAITING_MAX:
        return f"{number} experiments wait here; the limit is {limits.WAITING_MAX}. Try again later."
    return ""


def begin(draft: Json, cost: Estimate, made_by: str, address: str, doc_id: str) -> Experiment:
    """Store the experiment of a draft that has no problems, and queue it."""
    experiment = Experiment.objects.create(
        owner=made_by,
        address=address,
        document_id=doc_id,
        title=draft["title"],
        plan_text=draft["plan"],
        outline=draft["outline"],
        baseline=draft["baseline"],
        seeds_each=seeds_per_shard(draft["seeds"], len(draft["variants"]), cost.seconds_per_run, cost.processes),
        seconds_per_run=cost.seconds_per_run,
        ideal_seconds=cost.ideal_seconds,
        engine=engine_version(),
    )
    _forget_oldest(made_by)
    queue.send(experiment.pk)
    return experiment


def _forget_oldest(made_by: str) -> None:
    """Keep the newest `KEPT_MAX` experiments of a browser; rows and Parquet of older finished ones go.

    The new one is stored already: an older one that cannot be deleted now goes next time.
    """
    over = Experiment.objects.filter(owner=made_by, state__in=FINAL).order_by("-created")[limits.KEPT_MAX :]
    try:
        for experiment in over:
            forget(experiment)
    except (DatabaseError, OSError, ResultsProblem):
        log.warning("older experiments of a browser are not deleted", exc_info=True)


def forget(experiment: Experiment) -> None:
    """Delete a finished experiment and its rows, or neither. Raises ResultsProblem where its rows cannot go."""
    results = experiment.results
    with transaction.atomic():
        experiment.delete()
        results.remove()
