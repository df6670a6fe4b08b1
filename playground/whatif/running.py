"""Runs the experiment whose turn it is, and those that follow it in its place."""

from playground.whatif import leases, memory, queue, states, worker
from playground.whatif.models import Experiment, State
from playground.whatif.pipeline.results import ResultsProblem
from playground.whatif.runner import Runner
from simengine.scenario import DocumentError


def run_next() -> None:
    """Run the experiment whose turn it is. If it gives its place to another one before its end, run that one too."""
    experiment = states.claim_next(worker.NAME)
    while experiment is not None:
        experiment = _run(experiment)


def _run(experiment: Experiment) -> Experiment | None:
    """Run a claimed experiment. The claimed one that follows it, if it gives its place away."""
    try:
        following = Runner(experiment, worker.spark_session).run()
        if following is not None:
            queue.send(experiment.pk)
        return following
    except DocumentError as damaged:
        words = f"The stored plan of this experiment cannot be read: {damaged.problems[0]}."
        states.finish(experiment.pk, experiment.lease_owner, State.FAILED, words)
    except ResultsProblem as away:
        states.finish(experiment.pk, experiment.lease_owner, State.FAILED, str(away))
    finally:
        leases.release(experiment.lease_owner)
        memory.give_back()
    return None
