"""The process from which Spark forks its Python workers: it has loaded what they need, so each begins at once.

A Python worker ends with its task when an experiment is cancelled or leaves its place. To load the engine and Arrow
anew takes some 3 s of a core. What cannot be loaded is told by the task that needs it.
"""

from contextlib import suppress

from pyspark.daemon import manager


def load() -> None:
    """Load what a task needs. It starts no thread that a forked process would miss."""
    import pyspark.worker  # noqa: F401

    import playground.whatif.pipeline.job  # noqa: F401
    from playground.whatif.pipeline.results import encoded

    encoded([])  # Arrow imports its slow parts when it makes its first table


if __name__ == "__main__":
    with suppress(Exception):
        load()
    manager()
