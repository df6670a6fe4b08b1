"""Each method of the page covers the truth as often as it says, whatever law the figures follow."""

from collections.abc import Callable
from functools import cache

import numpy as np
import pytest

from playground.whatif import intervals
from playground.whatif.intervals import Numbers, Triple, holm, none_bound, quantile


@cache
def share(hits: int, of: int) -> Triple:
    return intervals.share(hits, of)


@cache
def paired_share(both: int, first: int, second: int, neither: int) -> Triple:
    return intervals.paired_share(both, first, second, neither)


@cache
def sign_test(more: int, fewer: int) -> float:
    return intervals.sign_test(more, fewer)


REPEATS = 400
LEAST = 0.925  # of 400 repeats, where 95 % cover: chance alone goes below it once in 60
Law = Callable[[np.random.Generator, int], Numbers]

LAWS: dict[str, tuple[Law, Callable[[float], float]]] = {}
"""A law of figures, and its quantiles: by a sample so large that its own error does not count."""


def law(name: str, draw: Law) -> None:
    big = np.sort(draw(np.random.default_rng(99), 1_000_000))
    LAWS[name] = (draw, lambda q: float(np.quantile(big, q)))


law("gamma", lambda rng, n: rng.gamma(0.7, 4.0, n))
law("lognormal", lambda rng, n: rng.lognormal(0.0, 2.0, n))
law("few runs lose much", lambda rng, n: np.where(rng.random(n) < 0.02, 1_000.0, rng.poisson(3.0, n).astype(float)))


def test_the_interval_of_a_share_is_wilsons() -> None:
    assert share(32, 500) == pytest.approx([0.064, 0.0457, 0.0890], abs=5e-5)
    assert intervals.wilson(0, 500) == pytest.approx([0.0, 0.0, 0.00762], abs=5e-5)
    assert share(0, 500) == pytest.approx([0.0, 0.0, 0.00597], abs=5e-5)
    assert share(500, 500) == pytest.approx([1.0, 1 - 0.00597, 1.0], abs=5e-5)
    assert share(0, 0) == [None, None, None]


@pytest.mark.parametrize("truth", [0.02, 0.1, 0.5, 0.84])
@pytest.mark.parametrize("n", [50, 200, 1_000])
def test_a_share_is_covered(truth: float, n: int) -> None:
    rng = np.random.default_rng(n)
    found = [share(int(rng.binomial(n, truth)), n) for _ in range(REPEATS)]
    assert np.mean([float(low or 0) <= truth <= float(high or 0) for _, low, high in found]) >= LEAST


@pytest.mark.parametrize("n", [2, 20, 500])
def test_the_bound_of_what_never_happened_is_exact(n: int) -> None:
    assert (1 - none_bound(n)) ** n == pytest.approx(0.05)
    assert none_bound(0) == 1.0


@pytest.mark.parametrize("name", LAWS)
@pytest.mark.parametrize(("q", "n"), [(0.5, 10), (0.5, 200), (0.95, 100), (0.95, 500)])
def test_a_quantile_is_covered_for_every_law(name: str, q: float, n: int) -> None:
    draw, truth = LAWS[name]
    rng = np.random.default_rng(n)
    covered = []
    for _ in range(REPEATS):
        _, low, high = quantile(draw(rng, n), q)
        assert low is not None
        assert high is not None
        covered.append(low <= truth(q) <= high)
    assert np.mean(covered) >= LEAST


def test_a_quantile_has_an_interval_only_from_the_runs_on_that_carry_one() -> None:
    assert quantile(np.arange(5.0), 0.5) == [2.0, None, None]
    assert quantile(np.arange(6.0), 0.5) == [2.5, 0.0, 5.0]
    assert quantile(np.arange(71.0), 0.95)[1:] == [None, None]
    assert None not in quantile(np.arange(72.0), 0.95)
    assert quantile(np.array([]), 0.5) == [None, None, None]


def test_the_difference_of_paired_shares_has_newcombes_interval() -> None:
    # the first example of that paper, method 10
    assert paired_share(36, 12, 2, 0) == pytest.approx([0.2, 0.0569, 0.3404], abs=1e-4)


def test_paired_shares_without_any_loss_still_have_an_interval() -> None:
    centre, low, high = paired_share(0, 0, 0, 100)
    assert centre == 0
    assert low is not None
    assert high is not None
    assert low < 0 < high


@pytest.mark.parametrize("chances", [(0.05, 0.1, 0.05, 0.8), (0.3, 0.2, 0.1, 0.4), (0.0, 0.04, 0.01, 0.95)])
@pytest.mark.parametrize("n", [50, 200])
def test_the_difference_of_paired_shares_is_covered(chances: tuple[float, ...], n: int) -> None:
    rng = np.random.default_rng(n)
    truth = chances[1] - chances[2]
    found = [paired_share(*(int(count) for count in rng.multinomial(n, chances))) for _ in range(REPEATS)]
    assert np.mean([float(low or 0) <= truth <= float(high or 0) for _, low, high in found]) >= LEAST


@pytest.mark.parametrize("name", LAWS)
@pytest.mark.parametrize("n", [20, 200])
def test_two_equal_laws_are_rarely_called_different(name: str, n: int) -> None:
    draw, _ = LAWS[name]
    rng = np.random.default_rng(n)
    bold = []
    for _ in range(REPEATS):
        differences = draw(rng, n) - draw(rng, n)
        bold.append(sign_test(int((differences > 0).sum()), int((differences < 0).sum())) < 0.05)
    assert np.mean(bold) <= 0.075


def test_one_of_many_comparisons_without_a_difference_is_rarely_called_clear() -> None:
    rng = np.random.default_rng(7)
    pages = []
    for _ in range(REPEATS):
        p_values = [sign_test(more := int(rng.binomial(60, 0.5)), 60 - more) for _ in range(21)]
        pages.append(min(holm(p_values)) < 0.05)
    assert np.mean(pages) <= 0.075


def test_holm_adjusts_each_p_and_keeps_their_order() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([]) == []


def test_disagreement_of_fewer_than_six_seeds_is_never_below_five_percent() -> None:
    assert sign_test(5, 0) == pytest.approx(0.0625)
    assert sign_test(6, 0) < 0.05
    assert sign_test(0, 0) == 1.0
