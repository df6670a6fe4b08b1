"""The Celery task: a message says that an experiment waits; the rows say which one is next."""

from typing import Any

from celery.signals import worker_ready, worker_shutdown

from playground.celery import app


@app.task(name="whatif.run")
def run_experiment(experiment_id: str) -> None:
    """Run the experiment whose turn it is: the one of the message or, if another owner comes before, that one's."""
    from playground.whatif import running  # loads Spark's client: the web process only sends messages

    running.run_next()


@worker_ready.connect
def _start_sweeping(**_: Any) -> None:
    from playground.whatif import worker

    worker.start()


@worker_shutdown.connect
def _stop_spark(**_: Any) -> None:
    from playground.whatif.pipeline import session

    session.stop()
