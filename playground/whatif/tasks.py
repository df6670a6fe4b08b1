"""The Celery task: a message carries an experiment's id, everything else is in the row."""

from typing import Any

from celery.signals import worker_ready, worker_shutdown

from playground.celery import app


@app.task(name="whatif.run")
def run_experiment(experiment_id: str) -> None:
    """Run an experiment, unless another worker has it or it is over."""
    from playground.whatif import states, worker  # these load Spark's client: the web process only sends messages
    from playground.whatif.runner import Runner

    experiment = states.claim(experiment_id, worker.NAME)
    if experiment is not None:
        Runner(experiment, worker.spark_session).run()


@worker_ready.connect
def _start_sweeping(**_: Any) -> None:
    from playground.whatif import worker

    worker.start()


@worker_shutdown.connect
def _stop_spark(**_: Any) -> None:
    from playground.whatif.pipeline import session

    session.stop()
