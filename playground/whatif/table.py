"""The comparison and the rows as CSV, for spreadsheets."""

import csv
import io
from collections.abc import Iterator
from typing import Any, Final

import pyarrow as pa

Json = dict[str, Any]

INTERVALS: Final = (
    ("loses", "share of losing runs"),
    ("lost", "records lost, mean"),
    ("lost_median", "records lost, median of losing runs"),
    ("down", "writes down s, median"),
    ("down_p95", "writes down s, 95th percentile"),
    ("read_down", "reads down s, median"),
    ("latency_p50", "produce latency p50 ms, median"),
    ("latency_p99", "produce latency p99 ms, median"),
)
PAIRED: Final = (
    ("loses", "difference of share of losing runs"),
    ("lost", "difference of records lost, mean"),
    ("down", "difference of writes down s, mean"),
)


def comparison(summary: Json) -> str:
    """One line a configuration; intervals are 95 %, differences are to the baseline, paired by seed."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(_heads(summary["baseline"]))
    pairs = {pair["letter"]: pair for pair in summary["pairs"]}
    for figures in summary["variants"]:
        writer.writerow(_line(figures, pairs.get(figures["letter"])))
    return out.getvalue()


def _heads(baseline: str) -> list[str]:
    heads = ["configuration", "settings", "runs", "losing runs"]
    for _, words in INTERVALS:
        heads += [words, f"{words}, low", f"{words}, high"]
    for _, words in PAIRED:
        heads += [f"{words} to {baseline}", "low", "high"]
    return [*heads, "worst seed", "records lost in it"]


def _line(figures: Json, pair: Json | None) -> list[Any]:
    settings = ", ".join(filter(None, (figures["name"], figures["detail"])))
    line = [figures["letter"], settings, figures["runs"], figures["losing"]]
    for key, _ in INTERVALS:
        line += figures[key]
    for key, _ in PAIRED:
        line += pair[key] if pair else ["", "", ""]
    worst = figures["worst"] or {}
    return [*line, worst.get("seed", ""), worst.get("lost", "")]


def all_rows(rows: pa.Table) -> Iterator[str]:
    """Every run, a line each, without the nested columns but with the whole verdict as JSON."""
    names = [name for name in rows.column_names if name != "ending"]
    yield _csv_line(names)
    for batch in rows.select(names).to_batches(max_chunksize=500):
        for row in batch.to_pylist():
            yield _csv_line(["" if row[name] is None else row[name] for name in names])


def _csv_line(values: list[Any]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerow(values)
    return out.getvalue()
