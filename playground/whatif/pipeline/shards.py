"""Shards: an experiment cut into blocks of seeds, each kept as Parquet when it is finished.

A shard is a block of consecutive seeds times all variants. Spark writes it into a folder of the claim that computes it,
the marker `_SUCCESS` last; when all its rows are there the folder gets the shard's name. Meanwhile each task puts the
rows that it has into a folder beside it: of a cancelled experiment those seeds are kept as well that all variants have,
so what is kept is paired by seed.
"""

import math
import shutil
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pyarrow as pa
import pyarrow.parquet as pq

from playground.whatif.pipeline.plan import Json, Plan
from playground.whatif.pipeline.schema import ROW

SHARD_SECONDS: Final = 10.0
"""What a shard should take on this machine: what a killed worker loses at most."""

SHARDS_MIN: Final = 10
"""An experiment is cut into at least this many shards, where it has that many seeds."""

MARKER: Final = "_SUCCESS"


class RowsMissing(Exception):
    """A shard came back without all its rows; the message says how many, the likely cause and the cure."""


@dataclass(frozen=True)
class Shard:
    """Runs `first` .. `last`-1 of a plan."""

    number: int
    first: int
    last: int

    @property
    def runs(self) -> int:
        """How many rows it has when it is finished."""
        return self.last - self.first

    @property
    def name(self) -> str:
        """Folder of the shard's rows."""
        return f"shard-{self.number:05d}"


def seeds_per_shard(seeds: int, variants: int, seconds_per_run: float, processes: int) -> int:
    """How many seeds make a shard, from the measured time of one run on one process (seconds)."""
    seconds_per_seed = max(seconds_per_run, 1e-6) * variants / max(processes, 1)
    return max(1, min(math.ceil(seeds / SHARDS_MIN), math.ceil(SHARD_SECONDS / seconds_per_seed)))


def shards(plan: Plan, seeds_each: int) -> list[Shard]:
    """All shards of a plan."""
    step = seeds_each * len(plan.variants)
    starts = range(0, plan.runs, step)
    return [Shard(number, first, min(first + step, plan.runs)) for number, first in enumerate(starts)]


def is_finished(folder: Path, shard: Shard) -> bool:
    """Whether all rows of the shard are kept below `folder`."""
    return (folder / shard.name / MARKER).exists() and _rows_in(folder / shard.name) == shard.runs


def commit(folder: Path, shard: Shard, claim: str) -> None:
    """Make what `claim` wrote of a shard the shard, at once and whole. Raises RowsMissing.

    A job can end well whose rows lie elsewhere. If another worker, which took this one for dead, finished the shard
    first, its rows stay: they are the same.
    """
    begun = draft(folder, shard, claim)
    if (found := _rows_in(begun)) != shard.runs or not (begun / MARKER).exists():
        shutil.rmtree(begun, ignore_errors=True)
        raise RowsMissing(
            f"{found} of the {shard.runs} rows of block {shard.number} came back, though Spark reported no error: its "
            f"executors write where this worker cannot read. Give all machines one shared folder at {folder.parent}, "
            "or run without HIGHWATER_SPARK_MASTER, on the cores of this machine"
        )
    if not is_finished(folder, shard):
        shutil.rmtree(folder / shard.name, ignore_errors=True)
        try:
            begun.rename(folder / shard.name)
        except OSError:
            if not is_finished(folder, shard):  # another worker's may have come meanwhile
                raise
    forget_drafts(folder, shard)


def forget_drafts(folder: Path, shard: Shard) -> None:
    """Remove what any claim has begun of a shard."""
    for begun in folder.glob(f"{shard.name}-of-*"):
        shutil.rmtree(begun, ignore_errors=True)


def _rows_in(place: Path) -> int:
    return sum(pq.read_metadata(file).num_rows for file in place.glob("*.parquet"))


def draft(folder: Path, shard: Shard, claim: str) -> Path:
    """Where Spark writes a shard for a claim: two workers that hold an experiment in turn never share a place."""
    return folder / f"{shard.name}-of-{claim}"


def parts(folder: Path, shard: Shard, claim: str) -> Path:
    """Where the tasks of a shard that is not finished put the rows that they have."""
    return folder / f"{shard.name}-of-{claim}-parts"


def put(part: Path, found: list[Json]) -> None:
    """Write rows as one file of a folder of parts, whole or not at all."""
    part.parent.mkdir(parents=True, exist_ok=True)
    draft = part.with_suffix(".draft")
    pq.write_table(pa.Table.from_pylist(found, schema=ROW), draft)
    draft.replace(part)


def keep_parts(folder: Path, plan: Plan, shard: Shard) -> None:
    """Of a shard that will not be finished, keep the seeds that all variants have; its parts are gone then."""
    found = _read(sorted(folder.glob(f"{shard.name}-of-*-parts/*.parquet"))).to_pylist()
    runs = {
        (row["seed"], row["variant"]): row for row in found
    }  # once each: a task that was tried again put some twice
    variants = Counter(seed for seed, _ in runs)
    whole = [row for (seed, _), row in runs.items() if variants[seed] == len(plan.variants)]
    if whole:
        put(_kept(folder, shard) / "rows.parquet", whole)
    forget_drafts(folder, shard)


def _kept(folder: Path, shard: Shard) -> Path:
    return folder / f"{shard.name}-kept"


def rows(folder: Path, every: list[Shard]) -> pa.Table:
    """The rows that are kept of some shards, in the order of variant and seed whatever process wrote them."""
    files: list[Path] = []
    for shard in every:
        place = folder / shard.name if is_finished(folder, shard) else _kept(folder, shard)
        files += sorted(place.glob("*.parquet"))
    return _read(files)


def _read(files: list[Path]) -> pa.Table:
    if not files:
        return ROW.empty_table()
    tables = [pq.read_table(str(file), schema=ROW, partitioning=None) for file in files]
    return pa.concat_tables(tables).sort_by([("variant", "ascending"), ("seed", "ascending")])


def remove(folder: Path) -> None:
    """Forget the rows of an experiment."""
    shutil.rmtree(folder, ignore_errors=True)
