"""The rows of an experiment as files: one table of runs, one of topics, and one Parquet file that holds both.

A run has its settings as columns before its figures, so that a row says by itself what it is of.
docs/experiment-rows.md describes the columns.
"""

from collections.abc import Iterable, Iterator
from typing import IO, Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from playground.whatif.pipeline.axes import value_words
from playground.whatif.pipeline.plan import ExperimentPlan
from playground.whatif.pipeline.schema import NAMES, ROW, TOPIC
from playground.whatif.table import csv_line

Json = dict[str, Any]

KEYS: Final = ("variant", "seed")
NESTED: Final = ("ending", "parts", "topics")
FLAT: Final = tuple(name for name in NAMES if name not in (*KEYS, *NESTED, "sentence"))
"""The figures of a run that a sheet holds."""

GROUP_ROWS: Final = 1_000
"""Least rows of a row group of Parquet, but for the last one."""

TOPIC_NAMES: Final = tuple(name for name, _ in TOPIC)


def settings_of(plan: ExperimentPlan) -> dict[str, Json]:
    """By letter the settings of each configuration as text: the values of the axes, the failure in words."""
    return {
        variant.letter: {
            axis: value_words(axis, value) if axis == "fault" else _text(value)
            for axis, value in variant.settings.items()
        }
        for variant in plan.variants
    }


def _text(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def run_lines(plan: ExperimentPlan, tables: Iterable[pa.Table]) -> Iterator[str]:
    """CSV of the runs, by seed and configuration."""
    settings, axes = settings_of(plan), list(plan.variants[0].settings)
    yield csv_line([*KEYS, *axes, *FLAT])
    for row in _rows(tables, (*KEYS, *FLAT)):
        chosen = settings[row["variant"]]
        yield csv_line([row["variant"], row["seed"], *(chosen[axis] for axis in axes), *_values(row, FLAT)])


def topic_lines(tables: Iterable[pa.Table]) -> Iterator[str]:
    """CSV of the topics of the runs: `variant` and `seed` say of which run."""
    yield csv_line([*KEYS, *TOPIC_NAMES])
    for row in _rows(tables, (*KEYS, "topics")):
        for topic in row["topics"] or ():
            yield csv_line([*_values(row, KEYS), *_values(topic, TOPIC_NAMES)])


def _rows(tables: Iterable[pa.Table], columns: Iterable[str]) -> Iterator[Json]:
    for table in tables:
        yield from table.select(list(columns)).to_pylist()


def _values(row: Json, names: Iterable[str]) -> list[Any]:
    return ["" if row[name] is None else row[name] for name in names]


def write_parquet(plan: ExperimentPlan, tables: Iterable[pa.Table], file: IO[bytes]) -> None:
    """Write the runs as one Parquet file: a column for each setting, then those of a row."""
    settings, axes = settings_of(plan), list(plan.variants[0].settings)
    fields = [pa.field(axis, pa.string()) for axis in axes]
    schema = pa.schema([*(ROW.field(name) for name in KEYS), *fields, *(f for f in ROW if f.name not in KEYS)])
    with pq.ParquetWriter(file, schema) as writer:
        for table in _together(tables):
            chosen = [settings[letter] for letter in table["variant"].to_pylist()]
            columns = {name: table[name] for name in NAMES}
            columns |= {axis: pa.array([one[axis] for one in chosen], pa.string()) for axis in axes}
            writer.write_table(pa.table([columns[name] for name in schema.names], schema))


def _together(tables: Iterable[pa.Table]) -> Iterator[pa.Table]:
    """The same rows in fewer tables: each becomes a row group, and small ones take much space."""
    some: list[pa.Table] = []
    for table in tables:
        some.append(table)
        if sum(one.num_rows for one in some) >= GROUP_ROWS:
            yield pa.concat_tables(some)
            some = []
    if some:
        yield pa.concat_tables(some)
