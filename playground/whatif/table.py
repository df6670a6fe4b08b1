"""The comparison as CSV, for spreadsheets."""

import csv
import io
from typing import Any, Final

from playground.whatif.pairing import LATENCIES
from playground.whatif.site_columns import SITE_FIGURES
from playground.whatif.statistics import LOST_STEPS

Json = dict[str, Any]

INTERVALS: Final = (
    ("loses", "share of runs that lost acknowledged records"),
    ("lost_median", "records lost, median of losing runs"),
    ("down", "application without a response s, median"),
    ("down_p95", "application without a response s, 95th percentile"),
    ("down_servers", "not writable by the servers s, median"),
    ("read_down", "reader without records s, median"),
    *((name, figure.words) for name, figure in LATENCIES.items()),
)
PAGER: Final = (
    ("warned", "share of losing runs in which an alert fired before the loss"),
    ("warning", "minutes from this alert to the loss, median"),
)
PAIRED: Final = (  # column, what is more in a seed, what is told of all seeds
    ("loses", "losing runs", "difference of the shares"),
    ("lost", "records lost", "median difference"),
    ("down", "s without a response", "median difference"),
    ("latency_p50", "ms of produce latency p50", "median difference"),
)
FORMULA_BEGINS: Final = ("=", "+", "-", "@", "\t", "\r")


def comparison(summary: Json) -> str:
    """One line a configuration; intervals are 95 %, differences are to the baseline, paired by seed."""
    pairs = {pair["letter"]: pair for pair in summary["pairs"]}
    names = _site_figures(summary)
    lines = [_line(figures, pairs.get(figures["letter"]), names) for figures in summary["variants"]]
    return "".join(csv_line(line) for line in [_heads(summary), *lines])


def _site_figures(summary: Json) -> list[str]:
    """The figures of several clusters that any configuration has."""
    return [name for name in SITE_FIGURES if any((v.get("sites") or {}).get(name) for v in summary["variants"])]


def _heads(summary: Json) -> list[str]:
    heads = ["configuration", "settings", "runs", "runs that lost acknowledged records"]
    heads += [f"runs that lost {step:,} or more" for step in LOST_STEPS]
    heads += ["records lost, mean", "runs with at least half of all losses"]
    plain = [words for _, words in (*INTERVALS, *PAGER)]
    for words in [*plain, *(SITE_FIGURES[name].words for name in _site_figures(summary))]:
        heads += [words, f"{words}, low", f"{words}, high"]
    for _, words, difference in PAIRED:
        baseline = summary["baseline"]
        heads += [f"seeds with {word} {words} than {baseline}" for word in ("more", "less")]
        heads += [f"{words}: p (sign test, Holm)"]
        told = f"{words}, {difference} to {baseline}"
        heads += [told, f"{told}, low", f"{told}, high"]
    heads += ["records handed over with acks=0 in all runs", "of them vanished"]
    return [*heads, "worst seed", "records lost in it", "vanished in it"]


def _line(figures: Json, pair: Json | None, site_figures: list[str]) -> list[Any]:
    settings = ", ".join(filter(None, (figures["name"], figures["detail"])))
    line = [figures["letter"], settings, figures["runs"], figures["losing"]]
    line += [step["runs"] for step in figures["loses_least"]]
    heaviest = figures["heaviest"]
    line += [figures["lost_mean"], heaviest["runs"] if heaviest else 0]
    for key, _ in INTERVALS:
        line += figures[key]
    for key, _ in PAGER:
        line += (figures.get("pager") or {}).get(key) or [""] * 3
    for name in site_figures:
        line += (figures.get("sites") or {}).get(name) or [""] * 3
    for key, _, _ in PAIRED:
        one = pair.get(key) if pair else None
        line += [one["more"], one["fewer"], one["p"], *one["difference"]] if one else [""] * 6
    worst = figures["worst"] or {}
    line += [figures["handed_over"], figures["vanished_in_all"]]
    return [*line, *(worst.get(key, "") for key in ("seed", "lost", "vanished"))]


def csv_line(values: list[Any]) -> str:
    """Values as a line of CSV."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerow([_no_formula(value) for value in values])
    return out.getvalue()


def _no_formula(value: Any) -> Any:
    """A text as a sheet takes it for a text: names that people choose may begin as formulas do."""
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA_BEGINS) else value
