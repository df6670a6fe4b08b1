"""Statistics of an experiment: what each configuration came to, and every pair of them compared by seed.

Rows come sorted and nothing is resampled, so the same rows give the same summary to the last digit, whatever computed
them. Intervals are 95 % (`intervals`), differences are paired by seed (`pairing`).
"""

from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from playground.whatif.intervals import NONE, Numbers, Triple, figures_of, quantile, share
from playground.whatif.pairing import LATENCIES, comparisons, promised, to_baseline
from playground.whatif.pipeline.axes import common, words
from playground.whatif.pipeline.plan import ExperimentPlan, Variant
from playground.whatif.pipeline.topic_groups import TOPICS
from playground.whatif.site_columns import SITE_FIGURES

Json = dict[str, Any]

CURVE_POINTS: Final = 60
MARKS_MAX: Final = 600
"""Losing runs drawn as marks for each variant; beyond, the most and evenly spread others."""

LOST_STEPS: Final = (10, 100)
"""Records lost from which on the share of runs is told, beside that of runs which lost any."""

WORST_FIRST: Final = [
    ("lost", "descending"),
    ("vanished", "descending"),
    ("rpo_records", "descending"),
    ("not_mirrored", "descending"),
    ("write_down_client_us", "descending"),
    ("seed", "ascending"),
]
"""The order of runs, the worst first: by records lost, then by records handed over with acks=0 that vanished, then
by records not mirrored, then by the wait of the application, then by the seed."""


def summary(plan: ExperimentPlan, baseline: str, table: pa.Table, is_final: bool = True) -> Json:
    """All that the page shows of the rows that are there; `is_final`: no more rows will come."""
    tables = {variant.letter: _of(table, variant.letter) for variant in plan.variants}
    pairs = comparisons(tables, is_final)
    errors = table.filter(pc.is_valid(table["error"])).select(["variant", "seed", "error"])
    return {
        "variants": [_figures(plan, variant, tables[variant.letter]) for variant in plan.variants],
        "common": common(plan),
        "baseline": baseline,
        "comparisons": pairs,
        "pairs": to_baseline(pairs, baseline),
        "is_final": is_final,
        "failed": errors.slice(0, 20).to_pylist(),
        "failed_runs": errors.num_rows,
        "rows": table.num_rows,
        "seeds": plan.seeds,
        "first_seed": plan.first_seed,
        "horizon_us": plan.horizon_us,
        "simulated_us": int(pc.sum(table["end_us"]).as_py() or 0),
        "rested": table.num_rows - table["rest_us"].null_count,
        "events": int(pc.sum(table["events"]).as_py() or 0),
    }


def _of(table: pa.Table, letter: str) -> pa.Table:
    """The rows of one variant that have figures."""
    return table.filter(pc.and_(pc.equal(table["variant"], letter), pc.is_null(table["error"])))


def _figures(plan: ExperimentPlan, variant: Variant, rows: pa.Table) -> Json:
    """Everything about one variant."""
    name, detail = words(plan, variant)
    lost = figures_of(rows, "lost")
    down = figures_of(rows, "write_down_client_us", 1e6)
    losing = lost[lost > 0]
    is_promised = promised(rows)
    handed_over, vanished = figures_of(rows, "handed_over"), figures_of(rows, "vanished")
    return {
        "letter": variant.letter,
        "name": name,
        "detail": detail,
        "runs": rows.num_rows,
        "losing": len(losing),
        "loses": share(len(losing), rows.num_rows) if is_promised else NONE,
        "loses_least": [_at_least(lost, step, is_promised) for step in LOST_STEPS],
        "lost_mean": float(lost.mean()) if is_promised else None,
        "lost_median": quantile(losing, 0.5),
        "heaviest": _heaviest(losing),
        "handed_over": int(handed_over.sum()),
        "vanished_in_all": int(vanished.sum()),
        "down": quantile(down, 0.5),
        "down_p95": quantile(down, 0.95),
        "down_servers": quantile(figures_of(rows, "write_down_us", 1e6), 0.5),
        "read_down": quantile(figures_of(rows, "read_down_client_us", 1e6), 0.5),
        **{name: quantile(figures_of(rows, one.column, one.unit), 0.5) for name, one in LATENCIES.items()},
        "whole_runs": len(figures_of(rows, "latency_p50_us")),
        **{count: int(figures_of(rows, count).sum()) for count in COUNTED},
        "sites": _site_figures(rows),
        "parts": _parts(rows),
        "topics": _topics(rows),
        "worst": _worst(rows),
        "marks": _marks(rows),
        "curve": _curve(down, len(down)),
        "pager": _pager(rows) if _has_alerts(plan) else None,
    }


def _site_figures(rows: pa.Table) -> Json | None:
    """Medians of what MirrorMaker and a failover came to, of the runs that have them; None where none has any.

    `failovers`: runs in which clients moved; `over`: of them those whose failover was over at the horizon.
    """
    found = {
        name: quantile(values, 0.5)
        for name, figure in SITE_FIGURES.items()
        if len(values := figures_of(rows, figure.column, figure.unit))
    }
    if not found:
        return None
    moved = int((figures_of(rows, "failovers") > 0).sum())
    return {**found, "failovers": moved, "over": len(figures_of(rows, "rto_us"))}


def _parts(rows: pa.Table) -> list[Json]:
    """Medians of the figures of each flow, group and cluster."""
    values: dict[tuple[str, str, str], list[int]] = {}
    for parts in rows["parts"].to_pylist():
        for part in parts or ():
            if part["kind"] != TOPICS:
                values.setdefault((part["kind"], part["of"], part["figure"]), []).append(part["value"])
    return [
        {"kind": kind, "of": of, "figure": figure, "median": quantile(np.array(some) / _unit(figure), 0.5)}
        for (kind, of, figure), some in values.items()
    ]


def _topics(rows: pa.Table) -> list[Json]:
    """Losing runs, records lost and wait of each group of topics (`topic_groups`); empty where all are alike."""
    groups: dict[str, dict[str, list[int]]] = {}
    for parts in rows["parts"].to_pylist():
        for part in parts or ():
            if part["kind"] == TOPICS:
                groups.setdefault(part["of"], {}).setdefault(part["figure"], []).append(part["value"])
    is_promised = promised(rows)
    return [_topic_group(label, figures, is_promised) for label, figures in groups.items()]


def _topic_group(label: str, figures: dict[str, list[int]], is_promised: bool) -> Json:
    lost, down, latency = (
        np.array(figures.get(name, []), np.float64) for name in ("lost", "write_down_client_us", "latency_p50_us")
    )
    losing = lost[lost > 0]
    return {
        "of": label,
        "losing": len(losing),
        "loses": share(len(losing), len(lost)) if is_promised else NONE,
        "lost_median": quantile(losing, 0.5),
        "down": quantile(down / 1e6, 0.5),
        "latency_p50": quantile(latency / 1e3, 0.5),
    }


def _unit(figure: str) -> float:
    return 1e6 if figure.endswith("_us") else 1


COUNTED: Final = ("acked", "duplicated", "hidden", "refused", "unknown")


def _at_least(lost: Numbers, records: int, is_promised: bool) -> Json:
    """The number of runs that lost so many records or more, and their share."""
    runs = int((lost >= records).sum())
    return {"records": records, "runs": runs, "share": share(runs, len(lost)) if is_promised else NONE}


def _heaviest(losing: Numbers) -> Json | None:
    """The fewest runs that hold at least half of all lost records: [their number, their share]; None without loss."""
    if len(losing) == 0:
        return None
    sums = np.cumsum(np.sort(losing)[::-1])
    runs = int(np.searchsorted(sums, sums[-1] / 2)) + 1
    return {"runs": runs, "share": float(sums[runs - 1] / sums[-1])}


def _worst(rows: pa.Table) -> Json | None:
    """The worst run, as `WORST_FIRST` has it."""
    if rows.num_rows == 0:
        return None
    first = rows.sort_by(WORST_FIRST).slice(0, 1).to_pylist()[0]
    told = {name: first[name] for name in ("seed", "lost", "vanished")}
    waiting = first["not_mirrored"] if first["rpo_records"] is None else first["rpo_records"]
    if waiting is not None:
        told["not_mirrored"] = waiting
    return told | {"down": first["write_down_client_us"] / 1e6}


def _marks(rows: pa.Table) -> list[list[int]]:
    """[seed, records lost] of the losing runs, thinned evenly to `MARKS_MAX`; the last one is the worst."""
    losing = rows.filter(pc.greater(rows["lost"], 0)).sort_by(WORST_FIRST)
    marks = [[seed, lost] for seed, lost in zip(losing["seed"].to_pylist(), losing["lost"].to_pylist(), strict=True)]
    marks.reverse()
    if len(marks) <= MARKS_MAX:
        return marks
    picks = np.linspace(0, len(marks) - 1, MARKS_MAX).round().astype(int)
    return [marks[i] for i in sorted(dict.fromkeys(picks.tolist()))]


def _curve(values: Numbers, of: int) -> list[Triple]:
    """[value, share of `of` runs that have no larger one, low, high] at the steps that matter."""
    if len(values) == 0:
        return []
    steps = np.unique(np.percentile(values, np.linspace(0, 100, CURVE_POINTS), method="inverted_cdf"))
    return [[float(x), *share(int((values <= x).sum()), of)] for x in steps]


def _has_alerts(plan: ExperimentPlan) -> bool:
    """True if the document has alert rules: its own, or the default ones."""
    alerts = plan.document.get("alerts")
    return alerts is None or bool(alerts.get("rules"))


def _pager(rows: pa.Table) -> Json | None:
    """The alerts of the runs that lost an acknowledged record; None without such a run.

    ``warned``: the share in which an alert fired at the first loss. ``warning``: the median of its minutes until the
    loss. ``silent``: runs in which none fired up to the horizon. ``curve``: as of waits, of the minutes from the loss
    to the alert, negative where the alert came first.
    """
    losing = rows.filter(pc.is_valid(rows["lost_at_us"]))
    if losing.num_rows == 0:
        return None
    alerted = losing.filter(pc.is_valid(losing["alerted_us"]))
    late = (figures_of(alerted, "alerted_us") - figures_of(alerted, "lost_at_us")) / 60e6
    in_time = late[late <= 0]
    return {
        "losing": losing.num_rows,
        "in_time": len(in_time),
        "silent": losing.num_rows - alerted.num_rows,
        "warned": share(len(in_time), losing.num_rows),
        "warning": quantile(-in_time, 0.5),
        "curve": _curve(late, losing.num_rows),
    }
