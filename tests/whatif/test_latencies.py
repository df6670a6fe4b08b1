"""Percentiles projected from a sample at rest: told where they are good to 3 %, and between what they lie."""

from random import Random

from playground.whatif.pipeline.latencies import PER_THOUSAND, Projected, projected, worst
from simengine.verdict.latency import Histogram

P50, P99 = PER_THOUSAND


def histogram(values: list[int]) -> list[int]:
    """Counts by bucket."""
    made = Histogram()
    for us in values:
        made.add(us, 1)
    made.add(20_000_000, 0)  # of one length
    return list(made.counts)


def drawn(seed: int, records: int) -> list[int]:
    """Latencies around 50 ms, a tenth of them slower."""
    rng = Random(seed)
    return [
        round(rng.uniform(48_000, 52_000) * (1 if rng.random() < 0.9 else rng.uniform(1, 4))) for _ in range(records)
    ]


def of(values: list[int], to_come: int, has_queue: bool = False) -> dict[str, Projected]:
    return projected(histogram(values), histogram(values), to_come, has_queue)


def test_what_has_come_counts_as_it_is_and_the_sample_for_what_comes() -> None:
    so_far, at_rest = histogram([100] * 50 + [120] * 40), histogram([120] * 40)
    assert projected(so_far, at_rest, 8, has_queue=False)[P50].us == 100
    assert projected(so_far, at_rest, 80, has_queue=False)[P50].us == 120


def test_a_percentile_in_a_dense_part_is_told_from_few_records_and_one_in_a_tail_from_many() -> None:
    few, many = of(drawn(1, 200), 20_000), of(drawn(1, 40_000), 40_000)
    assert worst([few[P50]]) is not None
    assert worst([few[P99]]) is None
    assert worst([many[P99]]) is not None


def test_those_told_are_good_to_3_percent_in_99_of_100() -> None:
    told, off = 0, 0
    for seed in range(300):
        sample, rest = drawn(seed, 4_000), drawn(seed + 1_000, 8_000)
        found = of(sample, len(rest))
        true = projected(histogram(sample + rest), histogram([]), 0, has_queue=False)
        for name in PER_THOUSAND:
            us = worst([found[name]])
            told += us is not None
            off += us is not None and abs(us / true[name].us - 1) > 0.03
    assert told >= 300
    assert off <= told // 100


def test_the_sample_of_a_queue_tells_no_percentile_that_lies_in_it() -> None:
    values = drawn(1, 40_000)
    assert worst([of(values, 1_000, has_queue=True)[P50]]) is not None  # few come
    assert worst([of(values, 400_000, has_queue=True)[P50]]) is None


def test_a_percentile_above_all_of_the_sample_is_that_of_the_records_before() -> None:
    outage = [5_000_000 + 10_000 * n for n in range(100)]
    found = projected(histogram(outage + drawn(1, 200)), histogram(drawn(1, 200)), 4_700, has_queue=True)
    assert found[P99].low == found[P99].us == found[P99].high
    assert abs(found[P99].us / 5_500_000 - 1) < 0.02


def test_nothing_is_told_without_records_and_of_topics_the_slowest_decides() -> None:
    assert of([], 0) == {}
    assert worst([]) is None
    assert worst([Projected(1, 50, 99), Projected(1_000, 1_010, 1_020)]) == 1_010
    assert worst([Projected(1, 50, 1_500), Projected(1_000, 1_010, 1_020)]) is None
