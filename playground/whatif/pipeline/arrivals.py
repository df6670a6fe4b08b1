"""The way of rows back from Spark: each task sends its own by an accumulator, and the driver keeps them on arrival.

Spark applies a task's update of an accumulator once, when the task has succeeded: a killed executor, a speculative copy
or a task that was tried again adds no row twice. It is the same on every master, and no executor needs a place to write
to. Rows that have arrived are kept even if the rest of the job fails. An executor that has kept its rows itself sends
their figures.
"""

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark import AccumulatorParam

from playground.whatif.pipeline.blocks import Block, joined, missing, pieces
from playground.whatif.pipeline.results import Results
from playground.whatif.pipeline.schema import FIGURES, FIGURES_SCHEMA

Sent = list[tuple[Block, bytes, float]]
"""Blocks, their rows (`results.encoded`) or the figures of these, and the seconds that they took their process."""

WRITERS: Final = 8  # a store across the network takes some 50 ms a file
REMEMBERED_MAX: Final = 4  # experiments that go on later, whose figures stay in memory: a file takes 4 ms to read
WAITING_MAX: Final = 64  # blocks in memory that are not written yet; the next one waits, and Spark with it


_remembered: Final[dict[str, dict[Block, pa.Table]]] = {}  # by the URL of the results, the oldest first


class _Sending(AccumulatorParam[Sent]):
    """An executor's end: collects what its task sends."""

    def zero(self, value: Sent) -> Sent:
        return []

    def addInPlace(self, value1: Sent, value2: Sent) -> Sent:  # noqa: N802  # Spark's name
        return value1 + value2


class Arrivals(AccumulatorParam[Sent]):
    """The driver's end: keeps what arrives in the results of an experiment, and its figures in memory."""

    def __init__(self, results: Results) -> None:
        self.results = results
        self._figures: dict[Block, pa.Table] = {}
        self._seconds = 0.0  # that the runs which have arrived took their processes ...
        self._runs = 0  # ... and how many these are
        self._problems: list[Exception] = []
        self._writing: set[Block] = set()
        self._guard = threading.Condition()
        self._writers = ThreadPoolExecutor(WRITERS, thread_name_prefix="rows")

    def __reduce__(self) -> tuple[Any, ...]:
        """As a task gets it."""
        return _Sending, ()

    def zero(self, value: Sent) -> Sent:
        return []

    def addInPlace(self, value1: Sent, value2: Sent) -> Sent:  # noqa: N802  # Spark's name
        """Called by Spark when a task has succeeded, before its job ends. Keeps no rows in the accumulator."""
        for place, data, seconds in value2:
            block = Block(*place)
            with self._guard:
                self._guard.wait_for(lambda: len(self._writing) < WAITING_MAX)
                self._writing.add(block)
                self._seconds += seconds
                self._runs += block.runs
            self._writers.submit(self._keep, block, data)
        return value1

    def _keep(self, block: Block, data: bytes) -> None:
        try:
            figures = pq.read_table(pa.BufferReader(data), columns=list(FIGURES))
            if figures.num_rows == block.runs and self._keep_rows(block, data):  # else they are missing, and said to be
                with self._guard:
                    self._figures[block] = figures
        except Exception as problem:  # noqa: BLE001  # raised in the thread that waits for the rows
            with self._guard:
                self._problems.append(problem)
        finally:
            with self._guard:
                self._writing.discard(block)
                self._guard.notify_all()

    def _keep_rows(self, block: Block, data: bytes) -> bool:
        """Write the rows; if only their figures came, see that the executor has written them."""
        if pq.read_schema(pa.BufferReader(data)).names == list(FIGURES):
            return self.results.whole(block)
        self.results.put(block, data)
        return True

    def find(self) -> None:
        """Take up what was kept before. Raises as `Results.blocks` does."""
        known = _remembered.pop(self.results.url, {})
        found = {block: known.get(block) for block in self.results.blocks()}
        for block in [block for block, figures in found.items() if figures is None]:
            found[block] = self.results.table(block, FIGURES) if self.results.whole(block) else None
        with self._guard:
            self._figures = {block: figures for block, figures in found.items() if figures is not None}

    def settle(self, wanted: Block) -> list[Block]:
        """Wait until what has arrived of a block is written; what is missing of it.

        Raises what kept rows from being written.
        """
        with self._guard:
            self._guard.wait_for(lambda: not any(wanted.first <= one.first < wanted.last for one in self._writing))
            problems, self._problems = self._problems, []
        if problems:
            raise problems[0]
        return missing(wanted, self.kept())

    def kept(self) -> list[Block]:
        """The blocks whose rows are kept."""
        with self._guard:
            return list(self._figures)

    def seconds_per_run(self) -> float:
        """Mean process seconds of the runs that have arrived; 0 without one."""
        with self._guard:
            return self._seconds / self._runs if self._runs else 0.0

    def runs(self) -> int:
        """The number of kept runs."""
        return sum(block.runs for block in joined(self.kept()))

    def figures(self, wanted: Sequence[Block]) -> pa.Table:
        """The figures of these runs as far as they are kept, in the order of variant and seed."""
        with self._guard:
            known = dict(self._figures)
        parts = [known[b].slice(part.first - b.first, part.runs) for b, part in pieces(known, wanted)]
        if not parts:
            return FIGURES_SCHEMA.empty_table()
        return pa.concat_tables(parts).sort_by([("variant", "ascending"), ("seed", "ascending")])

    def close(self, goes_on: bool = False) -> None:
        """Write what has arrived, and let go of it all; not of the figures if the experiment goes on later."""
        self._writers.shutdown()
        if goes_on:
            _remembered[self.results.url] = self._figures
            for url in list(_remembered)[:-REMEMBERED_MAX]:
                _remembered.pop(url, None)
        self._figures = {}
