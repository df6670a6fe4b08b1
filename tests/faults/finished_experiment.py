"""Computes a queued experiment as its worker would, without Spark: `python -m tests.faults.finished_experiment ID`."""

import sys

import django

django.setup()

from playground.whatif.answer import compared  # noqa: E402
from playground.whatif.models import Experiment, State  # noqa: E402
from playground.whatif.pipeline.run_one import plan_row  # noqa: E402
from playground.whatif.pipeline.shards import MARKER, put, rows, shards  # noqa: E402


def finish(experiment: Experiment) -> None:
    """Keep all its rows and its result; it is done."""
    plan = experiment.plan
    every = shards(plan, experiment.seeds_each)
    for shard in every:
        found = [plan_row(plan, index) for index in range(shard.first, shard.last)]
        put(experiment.folder / shard.name / "rows.parquet", found)
        (experiment.folder / shard.name / MARKER).touch()
    experiment.result = compared(plan, experiment.baseline, rows(experiment.folder, every), True)
    experiment.runs_done, experiment.state = plan.runs, State.DONE
    experiment.save()


if __name__ == "__main__":
    finish(Experiment.objects.get(pk=sys.argv[1]))
