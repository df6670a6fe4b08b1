"""Statistics of an experiment: intervals by variant, and differences to the baseline paired by seed.

Shares have Wilson's interval, means and percentiles a bootstrap's (scipy). All resampling starts from one fixed seed
and rows come sorted, so the same rows give the same summary to the last digit, whatever computed them. 95 % throughout.

scipy takes longer to load than everything else of a process together: each function that needs it loads it, so that a
process that computes nothing starts without it.
"""

import math
from collections.abc import Callable
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from playground.whatif.pipeline.axes import common, words
from playground.whatif.pipeline.plan import Plan, Variant

Json = dict[str, Any]
Numbers = npt.NDArray[np.float64]

CONFIDENCE: Final = 0.95
RESAMPLES: Final = 2_000
BATCH_CELLS: Final = 2_000_000
"""Numbers held at once while resampling (16 MB)."""

DISAGREEMENTS_MIN: Final = 6
"""Fewest seeds that must differ before a difference is called clear: five of five one way is chance once in 16."""

RESAMPLING_SEED: Final = 20_260_101
CURVE_POINTS: Final = 60
MARKS_MAX: Final = 600
"""Losing runs drawn as marks for each variant; beyond, the most and evenly spread others."""

WORST_FIRST: Final = [
    ("lost", "descending"),
    ("vanished", "descending"),
    ("write_down_us", "descending"),
    ("seed", "ascending"),
]
"""Which run is worse: the one that lost more, of equal ones where more vanished that was handed over with acks=0, then
where writes were down longer, then the first seed."""

Triple = list[float | None]
"""An estimate and the ends of its interval; the ends are None when two observations are not there."""

NONE: Final[Triple] = [None, None, None]


def load_scipy() -> None:
    """Load what the figures need ahead of the first one."""
    from scipy import stats  # noqa: F401


def share(hits: int, of: int) -> Triple:
    """Share of `hits` among `of` observations with Wilson's interval."""
    if of == 0:
        return [None, None, None]
    from scipy import stats

    interval = stats.binomtest(hits, of).proportion_ci(CONFIDENCE, method="wilson")
    return [hits / of, _tidy(float(interval.low)), _tidy(float(interval.high))]


def resampled(values: Numbers, statistic: Callable[..., Any]) -> Triple:
    """A statistic (it must take `axis`) with its bootstrap interval by percentiles."""
    if len(values) == 0:
        return [None, None, None]
    centre = float(statistic(values, axis=-1))
    if len(values) < 2:
        return [centre, None, None]
    if float(values.min()) == float(values.max()):
        return [centre, centre, centre]
    from scipy import stats

    found = stats.bootstrap(
        (values,),
        statistic,
        n_resamples=RESAMPLES,
        batch=max(1, BATCH_CELLS // len(values)),
        vectorized=True,
        confidence_level=CONFIDENCE,
        method="percentile",
        rng=np.random.default_rng(RESAMPLING_SEED),
    ).confidence_interval
    return [_tidy(centre), _tidy(float(found.low)), _tidy(float(found.high))]


def percentile(q: float) -> Callable[..., Any]:
    """The q-th percentile as a statistic."""

    def statistic(values: Numbers, axis: int = -1) -> Any:
        return np.percentile(values, q, axis=axis)

    return statistic


def paired_share(both: int, first: int, second: int, neither: int) -> Triple:
    """Difference of two paired shares (first - second), interval by Newcombe (1998), method 10, from Wilson's.

    The arguments count seeds: lost in both, only in the first, only in the second, in neither.
    """
    n = both + first + second + neither
    if n == 0:
        return [None, None, None]
    p, p_low, p_high = (float(x or 0) for x in share(both + first, n))
    q, q_low, q_high = (float(x or 0) for x in share(both + second, n))
    margins = (both + first) * (second + neither) * (both + second) * (first + neither)
    lean = both * neither - first * second
    phi = lean / math.sqrt(margins) if margins else 0.0
    if lean > 0:
        phi = max(lean - n / 2, 0) / math.sqrt(margins) if margins else 0.0
    down = (p - p_low) ** 2 - 2 * phi * (p - p_low) * (q_high - q) + (q_high - q) ** 2
    up = (p_high - p) ** 2 - 2 * phi * (p_high - p) * (q - q_low) + (q - q_low) ** 2
    return [p - q, _tidy(p - q - math.sqrt(max(down, 0.0))), _tidy(p - q + math.sqrt(max(up, 0.0)))]


def summary(plan: Plan, baseline: str, table: pa.Table) -> Json:
    """All that the page shows of the rows that are there."""
    figures = [_figures(plan, variant, _of(table, variant.letter)) for variant in plan.variants]
    base = plan.variant(baseline)
    pairs = [_pair(_of(table, v.letter), _of(table, base.letter)) | {"letter": v.letter} for v in plan.variants]
    errors = table.filter(pc.is_valid(table["error"])).select(["variant", "seed", "error"])
    return {
        "variants": figures,
        "common": common(plan),
        "baseline": baseline,
        "pairs": [pair for pair in pairs if pair["letter"] != baseline],
        "failed": errors.slice(0, 20).to_pylist(),
        "failed_runs": errors.num_rows,
        "rows": table.num_rows,
        "seeds": plan.seeds,
        "first_seed": plan.first_seed,
        "horizon_us": plan.horizon_us,
        "simulated_us": int(pc.sum(table["end_us"]).as_py() or 0),
        "events": int(pc.sum(table["events"]).as_py() or 0),
    }


def _of(table: pa.Table, letter: str) -> pa.Table:
    """The rows of one variant that have figures."""
    return table.filter(pc.and_(pc.equal(table["variant"], letter), pc.is_null(table["error"])))


def _column(rows: pa.Table, name: str, unit: float = 1.0) -> Numbers:
    """A column without its nulls, divided by `unit`."""
    return np.asarray(rows[name].drop_null().to_numpy(), dtype=np.float64) / unit


def _figures(plan: Plan, variant: Variant, rows: pa.Table) -> Json:
    """Everything about one variant."""
    name, detail = words(plan, variant)
    lost = _column(rows, "lost")
    down = _column(rows, "write_down_us", 1e6)
    losing = lost[lost > 0]
    figures: Json = {"letter": variant.letter, "name": name, "detail": detail, "runs": rows.num_rows}
    figures |= {"losing": len(losing), "loses": NONE, "lost": NONE}
    if _promised(rows):
        figures |= {"loses": share(len(losing), rows.num_rows), "lost": resampled(lost, np.mean)}
    handed_over, vanished = _column(rows, "handed_over"), _column(rows, "vanished")
    figures["vanished"] = resampled(vanished, np.mean) if handed_over.any() else NONE
    figures |= {"handed_over": int(handed_over.sum()), "vanished_in_all": int(vanished.sum())}
    figures["lost_median"] = resampled(losing, np.median)
    figures["down"] = resampled(down, np.median)
    figures["down_p95"] = resampled(down, percentile(95))
    figures["read_down"] = resampled(_column(rows, "read_down_us", 1e6), np.median)
    figures["latency_p50"] = resampled(_column(rows, "latency_p50_us", 1e3), np.median)
    figures["latency_p99"] = resampled(_column(rows, "latency_p99_us", 1e3), np.median)
    for count in ("acked", "duplicated", "hidden", "refused", "unknown"):
        figures[count] = int(_column(rows, count).sum())
    figures["worst"] = _worst(rows)
    figures["marks"] = _marks(rows)
    figures["curve"] = _curve(down)
    return figures


def _promised(rows: pa.Table) -> bool:
    """Whether any record was acknowledged: with acks=0 none is, and a loss of none says nothing (PROD-4)."""
    return bool(_column(rows, "acked").any())


def _worst(rows: pa.Table) -> Json | None:
    """The worst run, as `WORST_FIRST` has it."""
    if rows.num_rows == 0:
        return None
    first = rows.sort_by(WORST_FIRST).slice(0, 1).to_pylist()[0]
    told = {name: first[name] for name in ("seed", "lost", "vanished")}
    return told | {"down": first["write_down_us"] / 1e6}


def _marks(rows: pa.Table) -> list[list[int]]:
    """[seed, records lost] of the losing runs, thinned evenly to `MARKS_MAX`; the last one is the worst."""
    losing = rows.filter(pc.greater(rows["lost"], 0)).sort_by(WORST_FIRST)
    marks = [[seed, lost] for seed, lost in zip(losing["seed"].to_pylist(), losing["lost"].to_pylist(), strict=True)]
    marks.reverse()
    if len(marks) <= MARKS_MAX:
        return marks
    picks = np.linspace(0, len(marks) - 1, MARKS_MAX).round().astype(int)
    return [marks[i] for i in sorted(dict.fromkeys(picks.tolist()))]


def _curve(down: Numbers) -> list[Triple]:
    """[seconds, share of runs whose writes were down no longer, low, high] at the steps that matter."""
    if len(down) == 0:
        return []
    steps = np.unique(np.percentile(down, np.linspace(0, 100, CURVE_POINTS), method="inverted_cdf"))
    return [[float(x), *share(int((down <= x).sum()), len(down))] for x in steps]


def _pair(rows: pa.Table, base: pa.Table) -> Json:
    """A variant minus the baseline over the seeds that both have."""
    seeds, mine, other = np.intersect1d(
        rows["seed"].to_numpy(), base["seed"].to_numpy(), assume_unique=True, return_indices=True
    )
    lost, lost_base = _column(rows, "lost")[mine], _column(base, "lost")[other]
    down = _column(rows, "write_down_us", 1e6)[mine] - _column(base, "write_down_us", 1e6)[other]
    loses, loses_base = lost > 0, lost_base > 0
    only, only_base = int((loses & ~loses_base).sum()), int((~loses & loses_base).sum())
    both, neither = int((loses & loses_base).sum()), int((~loses & ~loses_base).sum())
    comparable = _promised(rows) and _promised(base)
    pair: Json = {
        "seeds": len(seeds),
        "loses": paired_share(both, only, only_base, neither) if comparable else NONE,
        "only": only,
        "only_baseline": only_base,
        "lost": resampled(lost - lost_base, np.mean) if comparable else NONE,
        "down": resampled(down, np.mean),
        "mcnemar": _mcnemar(only, only_base),
    }
    differing = {"lost": int((lost != lost_base).sum()), "down": int((down != 0).sum())}
    pair["clear"] = [name for name, seeds_of in differing.items() if _is_clear(pair[name], seeds_of)]
    pair["mcnemar"] = pair["mcnemar"] if comparable else None
    if _is_clear(pair["loses"], only + only_base) and pair["mcnemar"] < 1 - CONFIDENCE:
        pair["clear"].append("loses")
    return pair


def _is_clear(difference: Triple, differing: int) -> bool:
    """Whether the interval leaves zero out and enough seeds differ for an interval to be trusted."""
    _, low, high = difference
    return differing >= DISAGREEMENTS_MIN and low is not None and high is not None and (low > 0 or high < 0)


def _mcnemar(only: int, only_base: int) -> float | None:
    """The p of McNemar's exact test: are the two kinds of disagreement equally likely? None without disagreement."""
    if only + only_base == 0:
        return None
    from scipy import stats

    return _tidy(float(stats.binomtest(only, only + only_base).pvalue))


def _tidy(value: float) -> float:
    """Nine significant digits: enough for a page, few enough for every C library to agree."""
    return float(f"{value:.9g}")
