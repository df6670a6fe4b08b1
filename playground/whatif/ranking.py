"""Ranks configurations by what clearly differs between them, by the one rule of `pairing`.

A rule of Kafka that excludes a loss needs no test: one losing run of another configuration is a clear difference.
"""

from collections.abc import Callable, Container
from itertools import combinations
from typing import Any, NamedTuple

from playground.whatif.pairing import between

Json = dict[str, Any]


class Ranking(NamedTuple):
    """Each of `least` clearly has less than each of `more`. Nothing is said of the `unclear` ones.

    `is_by_rule`: a rule of Kafka excludes the loss in each of `least`.
    """

    least: list[Json]
    more: list[Json]
    unclear: list[Json]
    is_by_rule: bool = False


def ranking(comparisons: list[Json], variants: list[Json], column: str, value: Callable[[Json], float]) -> Ranking:
    """The configurations by a compared column; `value`: the figure as it is printed.

    `more` is empty where no configuration clearly has less than another one.
    """

    def is_less(one: Json, other: Json) -> bool:
        return is_clearly_more(comparisons, other, one, column) and value(one) < value(other)

    def place(one: Json) -> tuple[int, float, str]:
        wins = sum(is_less(one, other) - is_less(other, one) for other in variants)
        return -wins, value(one), str(one["letter"])

    order = sorted(variants, key=place)
    for number in range(1, len(order)):
        least, more = order[:number], order[number:]
        if all(is_less(one, other) for one in least for other in more):
            return Ranking(least, more, [])
    more = [other for other in order if is_less(order[0], other)]
    return Ranking(order[:1], more, [v for v in order[1:] if v not in more]) if more else Ranking(order, [], [])


def by_rule(variants: list[Json], lossless: Container[str]) -> Ranking | None:
    """Those that lose nothing by rule (`lossless`: their letters) against those that lost; None without both."""
    safe = [v for v in variants if v["letter"] in lossless and not v["losing"]]
    losing = [v for v in variants if v["losing"]]
    rest = [v for v in variants if v not in safe and v not in losing]
    return Ranking(safe, losing, rest, is_by_rule=True) if safe and losing else None


def may_differ(comparisons: list[Json], variants: list[Json]) -> bool:
    """True if the interval of a difference of two shares of losing runs excludes 0, whatever the test says."""
    pairs = (between(comparisons, one["letter"], other["letter"]) for one, other in combinations(variants, 2))
    intervals = (pair["loses"]["difference"][1:] for pair in pairs if pair)
    return any(low is not None and (low > 0 or high < 0) for low, high in intervals)


def is_clearly_more(comparisons: list[Json], one: Json, other: Json, column: str) -> bool:
    """True if the first configuration clearly has more of a compared column than the second."""
    pair = between(comparisons, one["letter"], other["letter"])
    return bool(pair and column in pair and pair[column]["is_clear"] and pair[column]["more"] > pair[column]["fewer"])
