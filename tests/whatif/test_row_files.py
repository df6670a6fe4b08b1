"""The files of an experiment's rows: settings as columns, topics in a table of their own, one Parquet file."""

import csv
import io
import re
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from playground.environment import ROOT
from playground.whatif.pipeline.run_one import plan_row
from playground.whatif.pipeline.schema import NAMES, ROW
from playground.whatif.row_files import FLAT, run_lines, topic_lines, write_parquet
from tests.whatif.plans import plan, rack_death

PLAN = plan(seeds=2, acks=["as-is", "1"], fault=[rack_death()])
DOCS = (ROOT / "docs" / "experiment-rows.md").read_text()


@pytest.fixture(scope="module")
def rows() -> list[dict[str, Any]]:
    return [plan_row(PLAN, index) for index in range(PLAN.runs)]


def tables(rows: list[dict[str, Any]]) -> list[pa.Table]:
    """Two files, as two tasks left them."""
    return [pa.Table.from_pylist(some, schema=ROW) for some in (rows[:1], rows[1:])]


def read(lines: Any) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO("".join(lines))))


def test_a_line_of_a_run_has_its_settings_and_its_figures_and_no_long_text(rows: list[dict[str, Any]]) -> None:
    text = list(run_lines(PLAN, tables(rows)))
    lines = read(text)
    assert [(line["variant"], line["seed"]) for line in lines] == [("A", "1"), ("B", "1"), ("A", "2"), ("B", "2")]
    assert [line["acks"] for line in lines] == ["as-is", "1"] * 2
    assert lines[0]["fault"] == "az-a dies between 2 s and 6 s"
    assert [int(line["lost"]) for line in lines] == [row["lost"] for row in rows]
    assert max(map(len, text)) < 1_000
    assert len(lines[0]) == len(text[0].split(",")), "no two columns have one name"


def test_the_figures_of_topics_are_a_table_that_adds_up_to_the_runs(rows: list[dict[str, Any]]) -> None:
    lines = read(topic_lines(tables(rows)))
    assert [line["topic"] for line in lines] == ["orders", "audit"] * 4
    for row in rows:
        mine = [line for line in lines if (line["variant"], line["seed"]) == (row["variant"], str(row["seed"]))]
        for name in ("calls", "acked", "lost"):
            assert sum(int(line[name]) for line in mine) == row[name]
        assert max(int(line["write_down_client_us"]) for line in mine) == row["write_down_client_us"]


def test_the_lines_of_pandas_in_the_docs_read_the_one_parquet_file(
    rows: list[dict[str, Any]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with (tmp_path / "runs.parquet").open("wb") as file:
        write_parquet(PLAN, tables(rows), file)
    names = pq.read_schema(tmp_path / "runs.parquet").names
    assert pq.read_metadata(tmp_path / "runs.parquet").num_row_groups == 1
    assert names == ["variant", "seed", "acks", "fault", *NAMES[2:]]
    monkeypatch.chdir(tmp_path)
    found = re.search(r"```python\n(.*?)```", DOCS, re.DOTALL)
    assert found is not None
    exec(found[1], {})  # our own text
    assert re.search(r"A +audit", capsys.readouterr().out)


def test_the_docs_name_every_column() -> None:
    described = re.findall(r"`(\w+)`", "".join(line for line in DOCS.splitlines() if line.startswith("| `")))
    assert set(FLAT) <= set(described)
    assert {"topics", "parts", "ending", "sentence"} <= set(described)
