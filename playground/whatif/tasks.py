"""The Celery task: a message says that an experiment waits; the rows say which one is next."""

from typing import Any

from celery.signals import worker_ready, worker_shutdown

from playground.celery import app


@app.task(name="whatif.run")
def run_experiment(experiment_id: str) -> None:
    """Run the experiment whose turn it is: the one of the message or, if another owner comes before, that one's."""
    # these load Spark's client: the web process only sends messages
    from playground.whatif import leases, memory, states, worker
    from playground.whatif.models import State
    from playground.whatif.pipeline.results import ResultsProblem
    from playground.whatif.runner import Runner
    from simengine.scenario import DocumentError

    experiment = states.claim_next(worker.NAME)
    if experiment is None:
        return
    try:
        Runner(experiment, worker.spark_session).run()
    except DocumentError as damaged:
        words = f"The stored plan of this experiment cannot be read: {damaged.problems[0]}."
        states.finish(experiment.pk, experiment.lease_owner, State.FAILED, words)
    except ResultsProblem as away:
        states.finish(experiment.pk, experiment.lease_owner, State.FAILED, str(away))
    finally:
        leases.release(experiment.lease_owner)
        memory.give_back()


@worker_ready.connect
def _start_sweeping(**_: Any) -> None:
    from playground.whatif import worker

    worker.start()


@worker_shutdown.connect
def _stop_spark(**_: Any) -> None:
    from playground.whatif.pipeline import session

    session.stop()
