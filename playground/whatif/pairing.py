"""Configurations compared with each other, seed by seed: the same seed draws the same failures for each.

One rule decides whether a difference is clear, in the title of the answer, on the badge and in bold: the exact sign
test over the seeds that differ (for losing runs this is McNemar's test), below 0.05 after Holm's correction for all
pairs of configurations of the experiment. Before the experiment has ended no difference is clear.
"""

from itertools import combinations
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from playground.whatif.intervals import CONFIDENCE, NONE, Numbers, figures_of, holm, paired_share, quantile, sign_test
from playground.whatif.site_columns import SITE_FIGURES, RunFigure

Json = dict[str, Any]

COLUMNS: Final = ("loses", "lost", "down")
"""The compared columns: whether a run lost an acknowledged record, how many, and how long its application waited."""

LATENCIES: Final = {
    "latency_p50": RunFigure("latency_p50_us", 1e3, "produce latency p50 ms, median of whole runs"),
    "latency_p99": RunFigure("latency_p99_us", 1e3, "produce latency p99 ms, median of whole runs"),
}
"""Latencies of acknowledged records, compared over the seeds that run to the horizon."""

SOME: Final = {**LATENCIES, **SITE_FIGURES}
"""The compared figures that not every run has."""


def promised(rows: pa.Table) -> bool:
    """True if any record was acknowledged: with acks=0 none is, and a loss of none says nothing (PROD-4)."""
    return bool(figures_of(rows, "acked").any())


def comparisons(tables: dict[str, pa.Table], is_final: bool) -> list[Json]:
    """Every pair of configurations, the first minus the second. `tables`: rows with figures, by letter."""
    pairs = [_pair(tables[a], tables[b]) | {"letter": a, "other": b} for a, b in combinations(tables, 2)]
    for column in (*COLUMNS, *SOME):
        having = [pair for pair in pairs if column in pair]
        for pair, adjusted in zip(having, holm([pair[column]["p"] for pair in having]), strict=True):
            pair[column]["p"] = adjusted
            pair[column]["is_clear"] = is_final and adjusted < 1 - CONFIDENCE
    return pairs


def to_baseline(pairs: list[Json], baseline: str) -> list[Json]:
    """The comparisons with the baseline, each as a configuration minus the baseline."""
    return [
        pair if pair["other"] == baseline else turned(pair)
        for pair in pairs
        if baseline in (pair["letter"], pair["other"])
    ]


def between(pairs: list[Json], first: str, second: str) -> Json | None:
    """The comparison of two configurations as the first minus the second; None where there is none."""
    for pair in pairs:
        if (pair["letter"], pair["other"]) == (first, second):
            return pair
        if (pair["letter"], pair["other"]) == (second, first):
            return turned(pair)
    return None


def turned(pair: Json) -> Json:
    """The same comparison seen from the other side."""
    found: Json = {**pair, "letter": pair["other"], "other": pair["letter"]}
    for column in (*COLUMNS, *(name for name in SOME if name in pair)):
        one = pair[column]
        found[column] = {**one, "more": one["fewer"], "fewer": one["more"], "difference": _negated(one["difference"])}
    return found


def _negated(triple: list[float | None]) -> list[float | None]:
    """A difference and its interval with the sides changed."""
    centre, low, high = (None if value is None else -value + 0.0 for value in triple)
    return [centre, high, low]


def _pair(rows: pa.Table, base: pa.Table) -> Json:
    """Two configurations over the seeds that both have."""
    seeds, mine, other = np.intersect1d(
        rows["seed"].to_numpy(), base["seed"].to_numpy(), assume_unique=True, return_indices=True
    )
    lost, lost_base = figures_of(rows, "lost")[mine], figures_of(base, "lost")[other]
    down = figures_of(rows, "write_down_client_us", 1e6)[mine] - figures_of(base, "write_down_client_us", 1e6)[other]
    columns = [figure.column for figure in SOME.values()]
    some = _of_some(rows.select(columns).take(mine), base.select(columns).take(other))
    if not promised(rows) or not promised(base):
        unknown: Json = {"more": 0, "fewer": 0, "p": 1.0, "difference": NONE}
        told = {"comparable": False, "loses": unknown, "lost": {**unknown}, "down": _signs(down)}
        return {"seeds": len(seeds), **told, **some}
    loses, loses_base = lost > 0, lost_base > 0
    only, only_base = int((loses & ~loses_base).sum()), int((~loses & loses_base).sum())
    both, neither = int((loses & loses_base).sum()), int((~loses & ~loses_base).sum())
    return {
        "seeds": len(seeds),
        "comparable": True,
        "loses": {
            "more": only,
            "fewer": only_base,
            "p": sign_test(only, only_base),
            "difference": paired_share(both, only, only_base, neither),
        },
        "lost": _signs(lost - lost_base),
        "down": _signs(down),
        **some,
    }


def _of_some(rows: pa.Table, base: pa.Table) -> Json:
    """The differences of figures that not every run has, over the seeds in which both runs have the figure."""
    found: Json = {}
    for name, figure in SOME.items():
        differences = pc.subtract(rows[figure.column], base[figure.column])
        if differences.null_count < len(differences):
            found[name] = _signs(differences.drop_null().to_numpy().astype(np.float64) / figure.unit)
    return found


def _signs(differences: Numbers) -> Json:
    """In how many seeds there is more, in how many less, and the median of the difference."""
    more, fewer = int((differences > 0).sum()), int((differences < 0).sum())
    return {"more": more, "fewer": fewer, "p": sign_test(more, fewer), "difference": quantile(differences, 0.5)}
