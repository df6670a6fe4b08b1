"""Shards: an experiment cut into blocks of seeds, each kept as Parquet when it is finished.

A shard is a block of consecutive seeds times all variants, so whatever is kept of a cancelled experiment is still
paired by seed. Spark writes the marker `_SUCCESS` last; a folder without it is not finished and is written again.
"""

import math
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pyarrow as pa
import pyarrow.parquet as pq

from playground.whatif.pipeline.plan import Plan
from playground.whatif.pipeline.schema import ROW

SHARD_SECONDS: Final = 10.0
"""What a shard should take on this machine: what a killed worker loses at most."""

SHARDS_MIN: Final = 10
"""An experiment is cut into at least this many shards, where it has that many seeds."""

MARKER: Final = "_SUCCESS"


@dataclass(frozen=True)
class Shard:
    """Runs `first` .. `last`-1 of a plan."""

    number: int
    first: int
    last: int

    @property
    def name(self) -> str:
        """Folder of the shard's rows."""
        return f"shard-{self.number:05d}"


def seeds_per_shard(plan: Plan, seconds_per_run: float, processes: int) -> int:
    """How many seeds make a shard, from the measured time of one run on one process (seconds)."""
    seconds_per_seed = max(seconds_per_run, 1e-6) * len(plan.variants) / max(processes, 1)
    return max(1, min(math.ceil(plan.seeds / SHARDS_MIN), math.ceil(SHARD_SECONDS / seconds_per_seed)))


def shards(plan: Plan, seeds_each: int) -> list[Shard]:
    """All shards of a plan."""
    step = seeds_each * len(plan.variants)
    starts = range(0, plan.runs, step)
    return [Shard(number, first, min(first + step, plan.runs)) for number, first in enumerate(starts)]


def is_finished(folder: Path, shard: Shard) -> bool:
    """Whether all rows of the shard are kept below `folder`."""
    return (folder / shard.name / MARKER).exists()


def rows(folder: Path, finished: list[Shard]) -> pa.Table:
    """The rows of finished shards, in the order of variant and seed whatever process wrote them."""
    files = [str(file) for shard in finished for file in sorted((folder / shard.name).glob("*.parquet"))]
    if not files:
        return ROW.empty_table()
    tables = [pq.read_table(file, schema=ROW, partitioning=None) for file in files]
    return pa.concat_tables(tables).sort_by([("variant", "ascending"), ("seed", "ascending")])


def remove(folder: Path) -> None:
    """Forget the rows of an experiment."""
    shutil.rmtree(folder, ignore_errors=True)
