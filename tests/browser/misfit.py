"""Computes an experiment where a cluster does not fit, as a worker does: `python -m tests.browser.misfit ID KIND`."""

import sys
from collections.abc import Callable
from typing import Final

import django
from pyspark.sql import SparkSession

django.setup()

from playground.whatif import states, worker  # noqa: E402
from playground.whatif.pipeline import session  # noqa: E402
from playground.whatif.runner import Runner  # noqa: E402

LOST: Final = "Job aborted due to stage failure: Lost task 0.0 in stage 0.0 (TID 0) (10.0.0.7 executor 0): "
SAID_BY_SPARK: Final = {
    "other Python": "[PYTHON_VERSION_MISMATCH] Python in worker has different version: 3.12 than that in driver: 3.11, "
    "PySpark cannot run with different minor versions.",
    "other engine": "playground.whatif.pipeline.engine.OtherEngine: The executor on node7 has the engine compiled "
    "0123456789abcdef (Python 3.11, cpython-311), Highwater has compiled fedcba9876543210",
}


def start(kind: str) -> Callable[[], SparkSession]:
    """The start of Spark: the real one, or one that fails with Spark's words about executors that do not fit."""
    if kind not in SAID_BY_SPARK:
        return worker.spark_session

    def fail() -> SparkSession:
        raise RuntimeError(f"{LOST}org.apache.spark.api.python.PythonException: {SAID_BY_SPARK[kind]}\n\tat org.apache")

    return fail


def main(pk: str, kind: str) -> None:
    """Claim it and run it to its end."""
    experiment = states.claim(pk, "misfit")
    assert experiment is not None
    Runner(experiment, start(kind)).run()


if __name__ == "__main__":
    main(*sys.argv[1:])
    session.stop()
