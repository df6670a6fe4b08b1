"""Gets a core for an experiment that has none, where runs of others hold all of them for long.

Spark gives each free core to the pool that has the fewest tasks, and takes none away. Tasks last some seconds, but one
run may last a minute. Then the youngest task of the experiments that began before is ended; Spark begins it again
later. The oldest ones go on, so no experiment stands still. Of pools with as many tasks Spark takes the first by name:
names put the newest experiment first.
"""

from typing import Any, Final

from pyspark import SparkContext

LONG_SECONDS: Final = 5.0
"""A task that has run for so long is ended. Shorter ones are waited for."""

LOOKS: Final = 2
"""Looks in a row at which an experiment has no core."""

TASKS_MAX: Final = 2**31 - 1
LAST_TURN: Final = 10**12


def pool_of(turn: int) -> str:
    """The name of an experiment's pool: the later it began, the smaller."""
    return f"{LAST_TURN - turn:012d}"


class Cores:
    """The cores of one experiment's pool in a session."""

    def __init__(self, pool: str) -> None:
        self.pool = pool
        self._looks = 0  # in a row, without a core

    def look(self, context: SparkContext) -> None:
        """Get a core if there has been none for some looks. To be called once a second."""
        spark = context._jsc.sc()
        stages = _all(spark.statusStore().activeStages())
        mine = [stage for stage in stages if stage.schedulingPool() == self.pool]
        is_without = bool(mine) and not any(stage.numActiveTasks() for stage in mine)
        self._looks = self._looks + 1 if is_without else 0
        if self._looks >= LOOKS:
            self._end_one(spark, [stage for stage in stages if stage.schedulingPool() > self.pool])

    def _end_one(self, spark: Any, stages: list[Any]) -> None:
        """End the youngest task of some stages, if it is long already."""
        seconds, number = min((task for stage in stages for task in _running(spark, stage)), default=(0.0, 0))
        if seconds >= LONG_SECONDS:
            spark.killTaskAttempt(number, True, "another experiment has no core")


def _running(spark: Any, stage: Any) -> list[tuple[float, int]]:
    """The tasks of a stage that run: for how many seconds, and their numbers."""
    tasks = _all(spark.statusStore().taskList(stage.stageId(), stage.attemptId(), TASKS_MAX))
    return [(task.duration().get() / 1000, task.taskId()) for task in tasks if task.status() == "RUNNING"]


def _all(scala: Any) -> list[Any]:
    """A sequence of Scala's as a list."""
    return [scala.apply(at) for at in range(scala.size())]
