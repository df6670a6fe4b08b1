"""The comparison and the rows as CSV, for spreadsheets."""

import csv
import io
from collections.abc import Iterator
from typing import Any, Final

import pyarrow as pa

from playground.whatif.statistics import NONE

Json = dict[str, Any]

INTERVALS: Final = (
    ("loses", "share of runs that lost acknowledged records"),
    ("lost", "records lost, mean"),
    ("lost_median", "records lost, median of losing runs"),
    ("vanished", "records vanished of those handed over with acks=0, mean"),
    ("down", "writes down s, median"),
    ("down_p95", "writes down s, 95th percentile"),
    ("read_down", "reads down s, median"),
    ("latency_p50", "produce latency p50 ms, median"),
    ("latency_p99", "produce latency p99 ms, median"),
)
PAIRED: Final = (
    ("loses", "difference of share of runs that lost acknowledged records"),
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
    heads = ["configuration", "settings", "runs", "runs that lost acknowledged records"]
    for _, words in INTERVALS:
        heads += [words, f"{words}, low", f"{words}, high"]
    for _, words in PAIRED:
        heads += [f"{words} to {baseline}", "low", "high"]
    heads += ["records handed over with acks=0 in all runs", "of them vanished"]
    return [*heads, "worst seed", "records lost in it", "vanished in it"]


def _line(figures: Json, pair: Json | None) -> list[Any]:
    settings = ", ".join(filter(None, (figures["name"], figures["detail"])))
    line = [figures["letter"], settings, figures["runs"], figures["losing"]]
    for key, _ in INTERVALS:
        line += figures.get(key, NONE)  # results of an earlier version have fewer
    for key, _ in PAIRED:
        line += pair[key] if pair else ["", "", ""]
    worst = figures["worst"] or {}
    line += [figures.get("handed_over", ""), figures.get("vanished_in_all", "")]
    return [*line, *(worst.get(key, "") for key in ("seed", "lost", "vanished"))]


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
