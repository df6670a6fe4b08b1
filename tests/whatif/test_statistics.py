"""Intervals, paired differences and the answer in words."""

import csv
import io
import json
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from playground.whatif.answer import answer, best, compared
from playground.whatif.pipeline.schema import COUNTS, LATENCIES, NAMES, ROW, TIMES
from playground.whatif.statistics import paired_share, percentile, resampled, share, summary
from playground.whatif.table import comparison
from tests.whatif.plans import plan


def row(
    variant: str, seed: int, lost: int = 0, down_us: int = 1_000_000, p50: int | None = 2_000, acked: int = 500
) -> dict[str, Any]:
    values: dict[str, Any] = dict.fromkeys(NAMES)
    values |= dict.fromkeys((*COUNTS, *TIMES, *LATENCIES), 0)
    values |= {"variant": variant, "seed": seed, "lost": lost, "write_down_us": down_us, "latency_p50_us": p50}
    values["acked"] = acked
    return values | {"events": 10, "end_us": 5, "ending": [], "digest": "0", "verdict": "{}"}


def table(rows: list[dict[str, Any]]) -> pa.Table:
    return pa.Table.from_pylist(rows, schema=ROW)


def lost_of(variant: str, values: list[int], **more: Any) -> list[dict[str, Any]]:
    return [row(variant, seed, lost, **more) for seed, lost in enumerate(values, 1)]


def test_the_interval_of_a_share_is_wilsons() -> None:
    assert share(32, 500) == pytest.approx([0.064, 0.0457, 0.0890], abs=5e-5)
    assert share(0, 500) == pytest.approx([0.0, 0.0, 0.00762], abs=5e-5)
    assert share(0, 0) == [None, None, None]


def test_the_difference_of_paired_shares_has_newcombes_interval() -> None:
    # the first example of that paper, method 10
    assert paired_share(36, 12, 2, 0) == pytest.approx([0.2, 0.0569, 0.3404], abs=1e-4)


def test_paired_shares_without_any_loss_still_have_an_interval() -> None:
    centre, low, high = paired_share(0, 0, 0, 100)
    assert centre == 0
    assert low is not None
    assert high is not None
    assert low < 0 < high


def test_equal_values_have_no_spread() -> None:
    assert resampled(np.full(9, 3.0), np.mean) == [3.0, 3.0, 3.0]


def test_one_value_has_no_interval_and_none_has_no_estimate() -> None:
    assert resampled(np.array([4.0]), np.median) == [4.0, None, None]
    assert resampled(np.array([]), np.median) == [None, None, None]


def test_a_bootstrap_interval_holds_the_estimate_and_is_the_same_each_time() -> None:
    values = np.arange(100.0)
    first, second = resampled(values, percentile(95)), resampled(values, percentile(95))
    assert first == second
    low, high = first[1], first[2]
    assert low is not None
    assert high is not None
    assert low <= 94.05 <= high


def test_differences_are_taken_seed_by_seed() -> None:
    rows = lost_of("A", [5, 0, 7, 0]) + lost_of("B", [0, 0, 3, 0])
    pair = summary(plan(), "A", table(rows))["pairs"][0]
    assert (pair["letter"], pair["seeds"], pair["only"], pair["only_baseline"]) == ("B", 4, 0, 1)
    assert pair["lost"][0] == -2.25


def test_a_seed_that_failed_on_one_side_is_left_out_of_the_pair() -> None:
    rows = lost_of("A", [5, 1]) + lost_of("B", [0, 0])
    rows[1]["error"] = "RunTooLong: too long"
    result = summary(plan(), "A", table(rows))
    assert result["pairs"][0]["seeds"] == 1
    assert (result["failed_runs"], result["failed"][0]["seed"]) == (1, 2)
    assert result["variants"][0]["runs"] == 1


def test_the_summary_does_not_depend_on_the_order_in_which_rows_were_written() -> None:
    rows = lost_of("A", list(range(40))) + lost_of("B", [3] * 40)
    turned = table(rows[::-1]).sort_by([("variant", "ascending"), ("seed", "ascending")])
    assert json.dumps(compared(plan(), "A", table(rows))) == json.dumps(compared(plan(), "A", turned))


def test_the_worst_run_lost_most_then_waited_longest_then_has_the_first_seed() -> None:
    rows = [row("A", 1, 9, 10), row("A", 2, 9, 30), row("A", 3, 9, 30), row("A", 4, 2, 99)]
    worst = summary(plan(), "A", table(rows))["variants"][0]["worst"]
    assert worst["seed"] == 2


def test_the_best_is_named_only_if_its_interval_lies_below_the_next() -> None:
    clear = summary(plan(), "A", table(lost_of("A", [5] * 60) + lost_of("B", [0] * 60)))
    assert best(clear["variants"]) == "B"
    assert answer(clear, "when az-a died")["title"] == "Only acks=all lost nothing when az-a died."
    close = summary(plan(), "A", table(lost_of("A", [5] + [0] * 9) + lost_of("B", [1, 1] + [0] * 8)))
    assert best(close["variants"]) is None
    assert answer(close)["title"] == "acks=1 and acks=all cannot be told apart with 10 seeds."


def test_configurations_whose_names_hold_commas_are_listed_by_their_letters() -> None:
    found = summary(plan(), "A", table(lost_of("A", [5] + [0] * 9) + lost_of("B", [1, 1] + [0] * 8)))
    for variant in found["variants"]:
        variant["detail"] = "az-a dies at 5 s, back after 10 s"
    assert answer(found)["title"] == "A and B cannot be told apart with 10 seeds."


def test_configurations_that_cannot_be_told_apart_are_each_named_with_their_rate() -> None:
    close = summary(plan(), "A", table(lost_of("A", [5] + [0] * 9) + lost_of("B", [1, 1] + [0] * 8)))
    text = answer(close)["text"]
    assert text.startswith("acks=1 lost acknowledged records in 1 of 10 runs: its true rate lies between ")
    assert "acks=all lost acknowledged records in 2 of 10 runs: its true rate lies between " in text
    assert "It " not in text
    assert text.endswith("Writes stopped for 1.0 s in the middle run of each.")


def test_several_that_lost_nothing_are_compared_by_time_and_none_is_an_it() -> None:
    rows = lost_of("A", [5] * 9) + lost_of("B", [0] * 9, down_us=9_000_000) + lost_of("C", [0] * 9)
    three = plan(acks=["1", "all"], min_isr=[1, 2])
    text = answer(summary(three, "A", table(rows)))["text"]
    assert text.startswith("Each lost no acknowledged record in 9 runs")
    assert "Of these, C stopped writes shortest: 1.0 s in the middle run, B 9.0 s." in text
    assert "It " not in text


def test_two_seeds_that_differ_are_no_clear_difference() -> None:
    pair = summary(plan(), "A", table(lost_of("A", [5, 5]) + lost_of("B", [0, 0], down_us=8_000_000)))["pairs"][0]
    assert (pair["loses"][0], pair["mcnemar"]) == (-1.0, 0.5)
    assert pair["clear"] == []


def test_a_difference_in_many_seeds_is_clear() -> None:
    pair = summary(plan(), "A", table(lost_of("A", [5] * 20) + lost_of("B", [0] * 20)))["pairs"][0]
    assert sorted(pair["clear"]) == ["loses", "lost"]


def test_the_answer_says_when_nobody_lost_anything() -> None:
    result = summary(plan(), "A", table(lost_of("A", [0] * 9) + lost_of("B", [0] * 9, down_us=9_000_000)))
    told = answer(result)
    assert told["title"] == "No configuration lost an acknowledged record."
    assert "Of these, A stopped writes shortest: 1.0 s in the middle run, B 9.0 s." in told["text"]


def test_the_answer_names_the_price() -> None:
    rows = lost_of("A", [5] * 60) + lost_of("B", [0] * 60, down_us=9_500_000, p50=4_100)
    text = answer(summary(plan(), "A", table(rows)))["text"]
    assert "below 6.0\N{NO-BREAK SPACE}% (95\N{NO-BREAK SPACE}% confidence)" in text
    assert "writes stopped for 9.5 s in the middle run" in text
    assert "records were acknowledged after 4.1 ms, against 2.0 ms with A (p50)" in text


def test_a_configuration_that_acknowledges_nothing_is_never_called_lossless() -> None:
    """PROD-4: with acks=0 no record is acknowledged, so that none is lost says nothing about its records."""
    silent = lost_of("A", [0] * 20, acked=0, p50=None)
    found = summary(plan(acks=["0", "all"]), "A", table(silent + lost_of("B", [0] * 19 + [5])))
    told = answer(found)
    assert found["variants"][0]["loses"] == [None, None, None]
    assert found["pairs"][0]["loses"] == [None, None, None] and found["pairs"][0]["clear"] == []
    assert best(found["variants"]) is None
    assert "lost nothing" not in told["title"]
    assert "acks=0 acknowledged no record" in told["text"]
    assert answer(summary(plan(acks=["0"]), "A", table(silent)))["title"] == "No record was acknowledged."


def test_the_answer_of_no_run_claims_nothing() -> None:
    assert answer(summary(plan(), "A", ROW.empty_table()))["title"] == "No run has finished."


def test_the_csv_has_a_line_for_each_configuration_and_the_interval_beside_each_figure() -> None:
    lines = comparison(summary(plan(), "A", table(lost_of("A", [5, 0]) + lost_of("B", [0, 0])))).splitlines()
    assert len(lines) == 3
    assert lines[0].startswith(
        "configuration,settings,runs,runs that lost acknowledged records,share of runs that lost acknowledged records,"
    )
    assert lines[2].startswith("B,acks=all,2,0,0.0,")


def test_one_rule_names_the_worst_run_in_table_csv_and_chart() -> None:
    """Equal losses: where more vanished, then where writes were down longer, then the first seed."""
    equal = [row("A", 11, 7, down_us=9_000_000), row("A", 23, 7, down_us=1_000_000), row("A", 30, 7), row("A", 5, 6)]
    found = summary(plan(acks=["all"]), "A", table(equal))
    figures = found["variants"][0]
    assert figures["worst"] == {"seed": 11, "lost": 7, "vanished": 0, "down": 9.0}
    assert figures["marks"][-1] == [11, 7]
    assert comparison(found).splitlines()[1].endswith(",11,7,0")
    by_vanished = [row("A", 1, down_us=9_000_000), {**row("A", 2, acked=0), "handed_over": 90, "vanished": 4}]
    assert summary(plan(acks=["0"]), "A", table(by_vanished))["variants"][0]["worst"]["seed"] == 2


def test_records_that_vanish_with_acks_0_have_their_own_figures() -> None:
    """PROD-4: nobody is told of their loss, so the share of losing runs does not count them."""
    silent = [{**row("A", seed, acked=0, p50=None), "handed_over": 100, "vanished": seed % 2} for seed in range(1, 21)]
    found = summary(plan(acks=["0", "all"]), "A", table(silent + lost_of("B", [0] * 20)))
    a, b = found["variants"]
    assert (a["handed_over"], a["vanished_in_all"], a["vanished"][0]) == (2000, 10, 0.5)
    assert (b["handed_over"], b["vanished_in_all"], b["vanished"]) == (0, 0, [None, None, None])
    lines = list(csv.DictReader(io.StringIO(comparison(found))))
    assert lines[0]["records vanished of those handed over with acks=0, mean"] == "0.5"
    assert [line["of them vanished"] for line in lines] == ["10", "0"]
    text = answer(found)["text"]
    assert "counts no loss of its records: of 2,000 handed over with acks=0, 10 vanished." in text


def test_two_configurations_that_acknowledge_nothing_speak_of_their_records() -> None:
    silent = [{**row(letter, 1, acked=0, p50=None), "handed_over": 9} for letter in "AB"]
    text = answer(summary(plan(acks=["0"], min_isr=[1, 2]), "A", table(silent)))["text"]
    assert text == (
        "A and B acknowledged no record, so this counts no loss of their records: of 18 handed over with acks=0, none "
        "vanished."
    )
