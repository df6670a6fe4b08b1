"""One shard as one Spark job: each task computes a block of runs and sends its rows to the driver.

A task turns its run numbers into documents and runs them. It ends early when it takes far longer than was expected, and
sends what it has: the rest of its block becomes tasks of the next job. So no task holds a core for long.
"""

import time
from typing import Final

from pyspark import Accumulator, Broadcast, SparkContext

from playground.whatif.pipeline.arrivals import Arrivals, Sent
from playground.whatif.pipeline.blocks import Block, Shard, cut
from playground.whatif.pipeline.engine import must_be, own_engine
from playground.whatif.pipeline.plan import Plan
from playground.whatif.pipeline.results import encoded
from playground.whatif.pipeline.run_one import plan_row

TASK_SECONDS_MAX: Final = 8.0
"""A task begins no further run after this."""


class RowsMissing(Exception):
    """A job ended well without all its rows; the message says how many."""


class Task:
    """What each task does with its block. It raises OtherEngine where the engine is not the driver's."""

    def __init__(self, plan_text: Broadcast[str], rows: Accumulator[Sent]) -> None:
        self._plan_text = plan_text
        self._rows = rows
        self._engine = own_engine()

    def __call__(self, place: tuple[int, int]) -> None:
        must_be(self._engine)
        plan, block = Plan.from_json(self._plan_text.value), Block(*place)
        began, rows = time.monotonic(), []
        for index in range(block.first, block.last):
            rows.append(plan_row(plan, index))
            if time.monotonic() - began > TASK_SECONDS_MAX:
                break
        done = Block(block.first, block.first + len(rows))
        self._rows.add([(done, encoded(rows))])


def run_shard(context: SparkContext, task: Task, shard: Shard, runs_each: int, arrivals: Arrivals) -> None:
    """Compute what is missing of a shard, in tasks of so many runs.

    Raises RowsMissing where a job brought none of them, and ResultsProblem or OSError where they could not be kept;
    Spark's own exceptions pass (a cancelled job raises one).
    """
    left = arrivals.settle(shard.block)
    while left:
        blocks = [(block.first, block.last) for block in cut(left, runs_each)]
        context.parallelize(blocks, len(blocks)).foreach(task)
        runs = sum(block.runs for block in left)
        left = arrivals.settle(shard.block)
        if sum(block.runs for block in left) == runs:
            raise RowsMissing(
                f"none of the {runs} rows of block {shard.number} came back, though Spark reported no error"
            )
