"""Computes a queued experiment as its worker would, without Spark: `python -m tests.faults.finished_experiment ID`."""

import sys

import django

django.setup()

from playground.whatif.answer import compared  # noqa: E402
from playground.whatif.models import Experiment, State  # noqa: E402
from playground.whatif.pipeline.arrivals import Arrivals  # noqa: E402
from playground.whatif.pipeline.blocks import Block  # noqa: E402
from playground.whatif.pipeline.results import encoded  # noqa: E402
from playground.whatif.pipeline.run_one import plan_row  # noqa: E402


def finish(experiment: Experiment) -> None:
    """Keep all its rows and its result; it is done."""
    plan, arrivals = experiment.plan, Arrivals(experiment.results)
    every = Block(0, plan.runs)
    experiment.results.prepare()
    arrivals.addInPlace([], [(every, encoded([plan_row(plan, index) for index in range(plan.runs)]), 1.0)])
    assert arrivals.settle(every) == []
    experiment.result = compared(plan, experiment.baseline, arrivals.figures([every]), True)
    arrivals.close()
    experiment.runs_done, experiment.state = plan.runs, State.DONE
    experiment.save()


if __name__ == "__main__":
    finish(Experiment.objects.get(pk=sys.argv[1]))
