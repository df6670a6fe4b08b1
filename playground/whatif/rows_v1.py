"""Rows as earlier versions kept them (a folder a shard, written by Spark), brought into blocks once, by a migration."""

import shutil
from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from playground.whatif.pipeline.blocks import Block
from playground.whatif.pipeline.results import Results, encoded
from playground.whatif.pipeline.schema import ROW


def convert(results: Results, first_seed: int, letters: Sequence[str]) -> None:
    """Bring the rows of one experiment, whose variants have these letters, into blocks; its old folders go.

    Folders of shards that were not finished hold nothing that was kept, except those named ``-kept``.
    """
    folder = results.local_folder
    assert folder is not None, "earlier versions kept rows in folders"
    for shard in sorted(folder.glob("shard-*")):
        if (shard / "_SUCCESS").exists() or shard.name.endswith("-kept"):
            for block, table in _blocks(shard, first_seed, letters):
                results.put(block, encoded(table.to_pylist()))
        shutil.rmtree(shard)


def _blocks(shard: Path, first_seed: int, letters: Sequence[str]) -> list[tuple[Block, pa.Table]]:
    """The rows of a folder, as tables of consecutive runs."""
    files = sorted(shard.glob("*.parquet"))
    if not files:
        return []
    table = pa.concat_tables(pq.read_table(str(file), schema=ROW, partitioning=None) for file in files)
    runs = zip(table["variant"].to_pylist(), table["seed"].to_pylist(), strict=True)
    numbered = sorted(
        ((seed - first_seed) * len(letters) + letters.index(letter), at) for at, (letter, seed) in enumerate(runs)
    )
    found: list[list[tuple[int, int]]] = []
    for index, at in numbered:
        if found and found[-1][-1][0] == index - 1:
            found[-1].append((index, at))
        else:
            found.append([(index, at)])
    return [(Block(run[0][0], run[-1][0] + 1), table.take([at for _, at in run])) for run in found]
