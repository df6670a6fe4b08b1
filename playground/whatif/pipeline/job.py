"""One shard as one Spark job: each task computes a block of runs and sends its rows to the driver.

Where a task reaches the place of the rows it writes them there, and sends their figures only.

A task turns its run numbers into documents and runs them. It ends early when it takes longer than was expected, and
sends what it has: the rest of its block becomes tasks of the next job. So no task holds a core for long. How many runs
a task has follows from what the runs took so far; before any has ended, from what was measured beforehand.
"""

import time
from typing import Final

from pyspark import Accumulator, Broadcast, SparkContext

from playground.whatif.pipeline.arrivals import Arrivals, Sent
from playground.whatif.pipeline.blocks import TASK_SECONDS, Block, Shard, cut, runs_a_task
from playground.whatif.pipeline.checked import CheckedDocuments
from playground.whatif.pipeline.engine import must_be, own_engine
from playground.whatif.pipeline.plan import ExperimentPlan
from playground.whatif.pipeline.results import SharedResults, encoded, figures_of
from playground.whatif.pipeline.run_one import plan_row

TASK_SECONDS_MAX: Final = 2 * TASK_SECONDS
"""A task begins no further run after this."""


class RowsMissing(Exception):
    """A job ended well without all its rows; the message says how many."""


class BlockTask:
    """The work of each task on its block. It raises OtherEngine where the engine is not the driver's."""

    def __init__(self, plan_text: Broadcast[str], rows: Accumulator[Sent], shared: SharedResults | None = None) -> None:
        self._plan_text = plan_text
        self._rows = rows
        self._shared = shared  # None: the driver keeps all rows
        self._engine = own_engine()

    def __call__(self, place: tuple[int, int]) -> None:
        must_be(self._engine)
        plan, block = ExperimentPlan.from_json(self._plan_text.value), Block(*place)
        documents = CheckedDocuments(plan)
        began, rows = time.monotonic(), []
        for index in range(block.first, block.last):
            rows.append(plan_row(plan, index, documents))
            if time.monotonic() - began > TASK_SECONDS_MAX:
                break
        done = Block(block.first, block.first + len(rows))
        data = encoded(rows)
        if self._shared is not None and self._shared.keep(done, data):
            data = figures_of(data)
        self._rows.add([(done, data, time.monotonic() - began)])


def run_shard(context: SparkContext, task: BlockTask, shard: Shard, seconds_per_run: float, arrivals: Arrivals) -> None:
    """Compute what is missing of a shard. ``seconds_per_run``: as measured beforehand, 0 where that is unknown.

    Raises RowsMissing where a job brought none of them, and ResultsProblem or OSError where they could not be kept;
    Spark's own exceptions pass (a cancelled job raises one).
    """
    left = arrivals.settle(shard.block)
    while left:
        runs = sum(block.runs for block in left)
        each = runs_a_task(runs, arrivals.seconds_per_run() or seconds_per_run, context.defaultParallelism)
        blocks = [(block.first, block.last) for block in cut(left, each)]
        context.parallelize(blocks, len(blocks)).foreach(task)
        left = arrivals.settle(shard.block)
        if sum(block.runs for block in left) == runs:
            raise RowsMissing(
                f"none of the {runs} rows of block {shard.number} came back, though Spark reported no error"
            )
