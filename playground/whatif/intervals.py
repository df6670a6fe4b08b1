"""Estimates with 95 % intervals. Each holds for every law of the figures: nothing is assumed about their shape.

Shares have Wilson's interval; a share of none or of all has the exact one-sided bound. Differences of paired shares
have Newcombe's interval, quantiles one between two order statistics. A mean has none here: where a few runs carry the
sum, no interval from the same runs covers it.

scipy takes longer to load than everything else of a process together: each function that needs it loads it, so that a
process that computes nothing starts without it.
"""

import math
from functools import cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.float64]

Triple = list[float | None]
"""An estimate and the ends of its interval; the ends are None where too few runs carry one."""

CONFIDENCE: Final = 0.95
NONE: Final[Triple] = [None, None, None]


def load_scipy() -> None:
    """Load what the figures need ahead of the first one."""
    from scipy import stats  # noqa: F401


def share(hits: int, of: int) -> Triple:
    """Share of `hits` among `of` observations with Wilson's interval; of none, or of all, the exact one-sided bound."""
    if of and hits == 0:
        return [0.0, 0.0, none_bound(of)]
    if of and hits == of:
        return [1.0, tidy(1 - none_bound(of)), 1.0]
    return wilson(hits, of)


def wilson(hits: int, of: int) -> Triple:
    """Share of `hits` among `of` observations with Wilson's interval, two-sided whatever the share is."""
    if of == 0:
        return [None, None, None]
    from scipy import stats

    interval = stats.binomtest(hits, of).proportion_ci(CONFIDENCE, method="wilson")
    return [hits / of, tidy(float(interval.low)), tidy(float(interval.high))]


def none_bound(of: int) -> float:
    """Below which share a thing lies that happened in none of `of` runs: exact and one-sided."""
    return tidy(1 - (1 - CONFIDENCE) ** (1 / of)) if of else 1.0


def quantile(values: Numbers, q: float) -> Triple:
    """The quantile `q` (0 to 1); its interval lies between two of the values, by the binomial law of their ranks.

    Both ends exist from 6 values on for the median, from 72 on for the 95th percentile.
    """
    n = len(values)
    if n == 0:
        return [None, None, None]
    ordered = np.sort(values)
    low, high = _ranks(n, q)
    centre = tidy(float(np.quantile(ordered, q)))
    if low < 1 or high > n:
        return [centre, None, None]
    return [centre, tidy(float(ordered[low - 1])), tidy(float(ordered[high - 1]))]


@cache
def _ranks(n: int, q: float) -> tuple[int, int]:
    """The ranks (from 1) of the two of `n` sorted values that hold the quantile `q` between them; 0 or n + 1: none."""
    from scipy import stats

    tail = (1 - CONFIDENCE) / 2
    return int(stats.binom.ppf(tail, n, q)), int(stats.binom.ppf(1 - tail, n, q)) + 1


def paired_share(both: int, first: int, second: int, neither: int) -> Triple:
    """Difference of two paired shares (first - second), interval by Newcombe (1998), method 10, from Wilson's.

    The arguments count seeds: lost in both, only in the first, only in the second, in neither.
    """
    n = both + first + second + neither
    if n == 0:
        return [None, None, None]
    p, p_low, p_high = (float(x or 0) for x in wilson(both + first, n))
    q, q_low, q_high = (float(x or 0) for x in wilson(both + second, n))
    margins = (both + first) * (second + neither) * (both + second) * (first + neither)
    lean = both * neither - first * second
    phi = lean / math.sqrt(margins) if margins else 0.0
    if lean > 0:
        phi = max(lean - n / 2, 0) / math.sqrt(margins) if margins else 0.0
    down = (p - p_low) ** 2 - 2 * phi * (p - p_low) * (q_high - q) + (q_high - q) ** 2
    up = (p_high - p) ** 2 - 2 * phi * (p_high - p) * (q - q_low) + (q - q_low) ** 2
    return [p - q, tidy(p - q - math.sqrt(max(down, 0.0))), tidy(p - q + math.sqrt(max(up, 0.0)))]


def sign_test(more: int, fewer: int) -> float:
    """The p of the exact sign test: are the two kinds of disagreement equally likely? 1 without disagreement."""
    if more + fewer == 0:
        return 1.0
    from scipy import stats

    return tidy(float(stats.binomtest(more, more + fewer).pvalue))


def holm(p_values: list[float]) -> list[float]:
    """The p-values of several tests, each adjusted by Holm (1979), in the given order."""
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    adjusted = [0.0] * len(p_values)
    least = 0.0
    for rank, i in enumerate(order):
        least = max(least, min(1.0, (len(p_values) - rank) * p_values[i]))
        adjusted[i] = tidy(least)
    return adjusted


def tidy(value: float) -> float:
    """Nine significant digits: enough for a page, few enough for every C library to agree."""
    return float(f"{value:.9g}")


def figures_of(rows: Any, name: str, unit: float = 1.0) -> Numbers:
    """A column of a table of rows without its nulls, divided by `unit`."""
    return np.asarray(rows[name].drop_null().to_numpy(), dtype=np.float64) / unit
