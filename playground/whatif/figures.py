"""Stores the figures of an experiment: the statistics of its rows, as its page draws them."""

import logging

from django.db import DatabaseError

from playground.whatif.answer import compared
from playground.whatif.models import Experiment
from playground.whatif.pipeline.arrivals import Arrivals
from playground.whatif.pipeline.blocks import whole_seeds
from playground.whatif.pipeline.plan import ExperimentPlan
from playground.whatif.pipeline.results import ResultsProblem
from simengine.scenario import DocumentError

log = logging.getLogger(__name__)


def save(experiment: Experiment, plan: ExperimentPlan, arrivals: Arrivals, is_final: bool) -> int:
    """Store the statistics of what is kept, for who holds the experiment; the number of runs in them.

    `is_final`: no more rows will come.
    """
    kept = arrivals.figures(whole_seeds(arrivals.kept(), len(plan.variants)))
    mine = Experiment.objects.filter(pk=experiment.pk, lease_owner=experiment.lease_owner)
    mine.update(result=compared(plan, experiment.baseline, kept, is_final))
    return int(kept.num_rows)


def save_last(experiment: Experiment) -> None:
    """Store the statistics of all rows of an experiment that is being cancelled and that nobody computes."""
    try:
        arrivals = Arrivals(experiment.results)
        try:
            arrivals.find()
            rows = save(experiment, experiment.plan, arrivals, is_final=True)
        finally:
            arrivals.close()
        Experiment.objects.filter(pk=experiment.pk, lease_owner=experiment.lease_owner).update(runs_done=rows)
    except (DatabaseError, DocumentError, OSError, ResultsProblem):
        log.warning("experiment %s ends with the figures that it has", experiment.pk, exc_info=True)
