"""Intervals, paired differences and the answer in words."""

import csv
import io
import json
import re
from typing import Any

import pyarrow as pa
import pytest

from playground.whatif.answer import answer, best, compared
from playground.whatif.circumstances import Circumstances, basis, latency
from playground.whatif.experiment_title import title_of
from playground.whatif.pipeline.plan import ExperimentPlan
from playground.whatif.pipeline.schema import COUNTS, LATENCIES, NAMES, ROW, TIMES
from playground.whatif.statistics import summary
from playground.whatif.table import comparison
from playground.whatif.why_none import lossless, why_none_lost
from simengine.scenario import load
from tests.whatif.plans import plan, rack_death


def row(
    variant: str,
    seed: int,
    lost: int = 0,
    down_us: int = 1_000_000,
    p50: int | None = 2_000,
    p99: int = 9_000,
    acked: int = 500,
) -> dict[str, Any]:
    values: dict[str, Any] = dict.fromkeys(NAMES)
    values |= dict.fromkeys((*COUNTS, *TIMES, *LATENCIES), 0)
    values |= {"variant": variant, "seed": seed, "lost": lost, "latency_p50_us": p50, "latency_p99_us": p99}
    values |= {"write_down_us": down_us // 2, "write_down_client_us": down_us}
    values["acked"] = acked
    return values | {"events": 10, "end_us": 5, "ending": [], "digest": "0"}


def table(rows: list[dict[str, Any]]) -> pa.Table:
    return pa.Table.from_pylist(rows, schema=ROW)


def lost_of(variant: str, values: list[int], **more: Any) -> list[dict[str, Any]]:
    return [row(variant, seed, lost, **more) for seed, lost in enumerate(values, 1)]


def test_differences_are_taken_seed_by_seed() -> None:
    rows = lost_of("A", [5, 0, 7, 0]) + lost_of("B", [0, 0, 3, 0])
    pair = summary(plan(), "A", table(rows))["pairs"][0]
    assert (pair["letter"], pair["seeds"]) == ("B", 4)
    assert (pair["loses"]["more"], pair["loses"]["fewer"]) == (0, 1)
    assert (pair["lost"]["more"], pair["lost"]["fewer"], pair["lost"]["difference"][0]) == (0, 2, -2.0)


def test_a_comparison_is_the_same_from_both_sides() -> None:
    rows = lost_of("A", [5, 0, 7, 0] * 5) + lost_of("B", [0, 0, 3, 0] * 5, down_us=3_000_000)
    by_a = summary(plan(), "A", table(rows))["pairs"][0]
    by_b = summary(plan(), "B", table(rows))["pairs"][0]
    assert (by_b["letter"], by_b["other"]) == ("A", "B")
    for column in ("loses", "lost", "down"):
        assert by_a[column]["more"] == by_b[column]["fewer"]
        assert by_a[column]["p"] == by_b[column]["p"]
        centre, low, high = by_a[column]["difference"]
        assert by_b[column]["difference"] == [-centre, -high, -low]


def test_latencies_are_those_of_the_runs_that_tell_one() -> None:
    """Rows beyond the seeds that run to the horizon have no latency; a run that acknowledged nothing has none."""
    rows = [row("A", seed, p50=4_000 + seed if seed <= 20 else None) for seed in range(1, 101)]
    found = summary(plan(), "A", table(rows))["variants"][0]
    assert (found["whole_runs"], found["latency_p50"][0]) == (20, pytest.approx(4.0105))
    assert summary(plan(), "A", table([row("A", 1, p50=None, acked=0)]))["variants"][0]["whole_runs"] == 0


def test_a_seed_that_failed_on_one_side_is_left_out_of_the_pair() -> None:
    rows = lost_of("A", [5, 1]) + lost_of("B", [0, 0])
    rows[1]["error"] = "ExperimentRunTooLong: too long"
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


def clear(pair: dict[str, Any]) -> list[str]:
    return [column for column in ("loses", "lost", "down") if pair[column]["is_clear"]]


def test_the_best_is_named_only_where_it_clearly_loses_less_often() -> None:
    clear_cut = summary(plan(), "A", table(lost_of("A", [5] * 60) + lost_of("B", [0] * 60)))
    assert best(clear_cut) == "B"
    assert answer(clear_cut, Circumstances("when az-a died"))["title"] == "Only acks=all lost nothing when az-a died."
    close = summary(plan(), "A", table(lost_of("A", [5] + [0] * 9) + lost_of("B", [1, 1] + [0] * 8)))
    assert best(close) is None
    assert answer(close)["title"] == "acks=1 and acks=all cannot be told apart with 10 seeds."


def test_title_badge_and_bold_follow_the_paired_test_where_the_intervals_overlap() -> None:
    """100 and 84 of 200 runs lost, 16 seeds against none: Wilson's intervals overlap, the pairs are clear."""
    found = summary(plan(), "A", table(lost_of("A", [1] * 100 + [0] * 100) + lost_of("B", [1] * 84 + [0] * 116)))
    assert best(found) == "B"
    assert clear(found["pairs"][0]) == ["loses", "lost"]
    assert answer(found)["title"].startswith("acks=all loses acknowledged records least often: in 42.0")


def test_four_of_four_against_none_of_four_is_no_answer_yet() -> None:
    found = summary(plan(), "A", table(lost_of("A", [5] * 4) + lost_of("B", [0] * 4)))
    assert (best(found), clear(found["pairs"][0])) == (None, [])
    assert answer(found)["title"] == (
        "acks=all lost acknowledged records in none of 4 runs and acks=1 in 4 of 4; more seeds may make that "
        "difference clear."
    )


def test_all_configurations_that_cannot_be_told_apart_are_named() -> None:
    three = plan(acks=["1", "all"], min_isr=[1, 2])
    rows = [
        row(letter, seed, int(seed <= lost))
        for letter, lost in zip("ABCD", (60, 61, 62, 190), strict=True)
        for seed in range(1, 201)
    ]
    title = answer(summary(three, "A", table(rows)))["title"]
    assert title == (
        "A (acks=1, min ISR 1), B (acks=1, min ISR 2) and C (acks=all, min ISR 1) lose acknowledged records least "
        "often. They cannot be told apart with 200 seeds."
    )


def test_before_the_last_run_nothing_is_compared() -> None:
    rows = table(lost_of("A", [5] * 60) + lost_of("B", [0] * 60))
    found = compared(plan(), "A", rows, is_final=False)
    assert (found["best"], clear(found["pairs"][0])) == (None, [])
    assert found["answer"]["title"] == (
        "Runs that lost acknowledged records: 0 of 60 with acks=all; 60 of 60 with acks=1."
    )
    assert found["answer"]["text"] == "Configurations are compared when all runs are finished."


def test_names_that_hold_commas_stand_behind_their_letters() -> None:
    found = summary(plan(), "A", table(lost_of("A", [5] + [0] * 9) + lost_of("B", [1, 1] + [0] * 8)))
    for variant in found["variants"]:
        variant["detail"] = "az-a dies at 5 s, back after 10 s"
    assert answer(found)["title"] == (
        "A (acks=1, az-a dies at 5 s, back after 10 s) and B (acks=all, az-a dies at 5 s, back after 10 s) cannot be "
        "told apart with 10 seeds."
    )


def test_configurations_that_cannot_be_told_apart_are_each_named_with_their_share() -> None:
    close = summary(plan(), "A", table(lost_of("A", [5] + [0] * 9) + lost_of("B", [1, 1] + [0] * 8)))
    text = answer(close)["text"]
    assert text.startswith("acks=1 lost acknowledged records in 1 of 10 runs: between ")
    assert "acks=all lost acknowledged records in 2 of 10 runs: between " in text
    assert text.count("of all such runs lose some") == 2
    assert text.count("the share is no rate a year") == 1
    assert "It " not in text
    assert text.endswith("The application got no response for 1.0 s in the middle run with each.")


def test_several_that_lost_nothing_are_compared_by_time_and_none_is_an_it() -> None:
    rows = lost_of("A", [5] * 9) + lost_of("B", [0] * 9, down_us=9_000_000) + lost_of("C", [0] * 9)
    three = plan(acks=["1", "all"], min_isr=[1, 2])
    text = answer(summary(three, "A", table(rows)))["text"]
    assert "B lost" not in text
    assert (
        "for 1.0 s (1.0 s to 1.0 s) with C and 9.0 s (9.0 s to 9.0 s) with B in the middle run; less with C in 9 s"
        in text
    )
    assert "It " not in text


def test_of_many_configurations_the_times_are_told_from_the_shortest_to_the_longest() -> None:
    """None is left out without a word."""
    rows = [
        row(letter, seed, down_us=us + 1_000_000 * (seed % 2))
        for letter, us in zip("ABCD", (2_000_000, 1_000_000, 3_000_000, 4_000_000), strict=True)
        for seed in (1, 2)
    ]
    four = plan(acks=["1", "all"], min_isr=[1, 2])
    text = answer(summary(four, "A", table(rows)))["text"]
    assert re.search(r"no response for 1\.\d s with B to 4\.\d s with D in the middle run; that", text), text


def test_the_quicker_of_two_is_named_only_where_that_is_clear() -> None:
    """Equal laws of the time: in some seeds one is quicker, in as many the other."""
    times = [1_000_000, 3_000_000] * 10
    rows = [row("A", seed, down_us=us) for seed, us in enumerate(times, 1)]
    rows += [row("B", seed, down_us=us + 400_000) for seed, us in enumerate(reversed(times), 1)]
    text = answer(summary(plan(), "A", table(rows)))["text"]
    assert "waited" not in text
    assert "in the middle run; that difference may be chance" in text


def test_no_choice_is_said_to_cost_nothing() -> None:
    """Medians of 8 s and 2 s with equal 95th percentiles: the price is told by the pairs."""
    slow = [8_000_000] * 54 + [10_000_000] * 6
    quick = [2_000_000] * 54 + [10_000_000] * 6
    rows = [row("A", seed, 5, us) for seed, us in enumerate(quick, 1)]
    rows += [row("B", seed, 0, us) for seed, us in enumerate(slow, 1)]
    text = answer(summary(plan(), "A", table(rows)))["text"]
    assert "costs no time" not in text
    assert "the application got no response for 8.0 s in the middle run, against 2.0 s with acks=1" in text


def test_two_seeds_that_differ_are_no_clear_difference() -> None:
    pair = summary(plan(), "A", table(lost_of("A", [5, 5]) + lost_of("B", [0, 0], down_us=8_000_000)))["pairs"][0]
    assert (pair["loses"]["difference"][0], pair["loses"]["p"]) == (-1.0, 0.5)
    assert clear(pair) == []


def test_a_difference_in_many_seeds_is_clear() -> None:
    pair = summary(plan(), "A", table(lost_of("A", [5] * 20) + lost_of("B", [0] * 20)))["pairs"][0]
    assert clear(pair) == ["loses", "lost"]


def test_a_few_heavy_runs_are_named_and_their_mean_has_no_interval() -> None:
    found = summary(plan(), "A", table(lost_of("A", [1] * 40 + [400, 500]) + lost_of("B", [0] * 42)))
    figures = found["variants"][0]
    assert figures["heaviest"] == {"runs": 1, "share": pytest.approx(500 / 940)}
    assert [step["runs"] for step in figures["loses_least"]] == [2, 2]
    assert figures["lost_mean"] == pytest.approx(940 / 42)
    assert found["variants"][1]["heaviest"] is None


def test_the_answer_says_when_nobody_lost_anything_and_why_nobody_could() -> None:
    result = summary(plan(), "A", table(lost_of("A", [0] * 9) + lost_of("B", [0] * 9, down_us=9_000_000)))
    told = answer(result, Circumstances(why_none="No run could."))
    assert told["title"] == (
        "No configuration lost an acknowledged record; the application waited less with acks=1 than with acks=all: "
        "1.0 s in the middle run, against 9.0 s."
    )
    assert "No run could." in told["text"]


def test_why_no_run_could_lose_is_read_off_the_documents() -> None:
    safe = plan(acks=["all"], min_isr=[1, 2])
    assert why_none_lost(safe, lossless(safe)).startswith("No run of these could lose one: with acks=all")
    either = plan(acks=["1", "all"])
    assert why_none_lost(either, lossless(either)).startswith("B could not lose one: ")
    assert why_none_lost(either, lossless(either)).endswith("Other moments or more seeds may show a loss with A.")
    assert why_none_lost(either, lossless(either), ["A"]).endswith("every broker keeps its disk.")
    assert lossless(plan(acks=["all"], unclean=[True])) == lossless(plan(acks=["1"])) == ()
    assert why_none_lost(plan(acks=["1"]), ()) == ""


def test_the_answer_names_the_price_and_the_network_it_rests_on() -> None:
    rows = lost_of("A", [5] * 60) + lost_of("B", [0] * 60, down_us=9_500_000, p50=4_100)
    text = compared(plan(), "A", table(rows))["answer"]["text"]
    assert text.startswith("acks=1 lost acknowledged records in 60 of 60 runs: between ")
    assert "acks=all lost no" not in text, "no estimate stands beside a rule"
    assert "the application got no response for 9.5 s in the middle run, against 1.0 s with acks=1" in text
    assert (
        "acknowledged after 4.1 ms, against 2.0 ms with acks=1 (median in the slowest topic, of 60 whole runs each"
        in text
    )


def test_a_configuration_that_acknowledges_nothing_is_never_called_lossless() -> None:
    """PROD-4: with acks=0 no record is acknowledged, so that none is lost says nothing about its records."""
    silent = lost_of("A", [0] * 20, acked=0, p50=None)
    found = summary(plan(acks=["0", "all"]), "A", table(silent + lost_of("B", [0] * 19 + [5])))
    told = answer(found)
    assert found["variants"][0]["loses"] == [None, None, None]
    pair = found["pairs"][0]
    assert (pair["comparable"], pair["loses"]["difference"], clear(pair)) == (False, [None, None, None], [])
    assert best(found) is None
    assert "lost nothing" not in told["title"]
    assert "acks=0 acknowledged no record" in told["text"]
    assert answer(summary(plan(acks=["0"]), "A", table(silent)))["title"] == "No record was acknowledged."


def test_the_answer_of_no_run_claims_nothing() -> None:
    assert answer(summary(plan(), "A", ROW.empty_table()))["title"] == "No run has finished."


def test_the_csv_has_a_line_for_each_configuration_and_the_interval_beside_each_figure() -> None:
    lines = comparison(summary(plan(), "A", table(lost_of("A", [5, 0]) + lost_of("B", [0, 0])))).splitlines()
    assert len(lines) == 3
    assert lines[0].startswith(
        "configuration,settings,runs,runs that lost acknowledged records,runs that lost 10 or more,"
    )
    assert lines[2].startswith("B,acks=all,2,0,0,0,0.0,0,0.0,")


def test_a_name_that_begins_as_a_formula_does_stays_a_text_in_a_sheet() -> None:
    found = summary(plan(), "A", table(lost_of("A", [5, 0]) + lost_of("B", [0, 0])))
    found["variants"][1] |= {"name": "=1+1", "detail": ""}
    assert comparison(found).splitlines()[2].startswith("B,'=1+1,2,0,")


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
    assert (a["handed_over"], a["vanished_in_all"]) == (2000, 10)
    assert (b["handed_over"], b["vanished_in_all"]) == (0, 0)
    lines = list(csv.DictReader(io.StringIO(comparison(found))))
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


def test_where_the_shares_tie_the_number_lost_decides_and_each_claim_has_its_interval() -> None:
    """Every run loses with both: 15 records against 2,506."""
    rows = lost_of("A", [2_500 + seed for seed in range(40)]) + lost_of("B", [15 + seed % 3 for seed in range(40)])
    found = summary(plan(), "A", table(rows))
    told = answer(found, Circumstances("when az-a died"))
    assert best(found) is None
    assert told["title"] == (
        "When az-a died, fewer acknowledged records were lost with acks=all than with acks=1: 16 in the middle losing "
        "run, against 2,520."
    )
    text = "The middle losing run lost 16 (15 to 16) with B and 2,520 (2,513 to 2,526) with A; less with B in 40 seeds"
    assert text in told["text"]


def test_where_losses_tie_the_wait_decides_and_then_the_latency() -> None:
    waits = lost_of("A", [5] * 20) + lost_of("B", [5] * 20, down_us=9_000_000)
    title = answer(summary(plan(), "A", table(waits)))["title"]
    assert title.startswith("The application waited less with acks=1 than with acks=all: 1.0 s in the middle run, ")
    later = lost_of("A", [0] * 20) + lost_of("B", [0] * 20, p50=309_000)
    title = answer(summary(plan(), "A", table(later)))["title"]
    assert title == (
        "No configuration lost an acknowledged record; records were acknowledged sooner with acks=1 than with "
        "acks=all: 2.0 ms (median in the slowest topic), against 309.0 ms."
    )


def test_a_loss_that_is_not_clear_yet_stands_before_the_latency() -> None:
    """The price is no title while one configuration lost records and another none."""
    rows = lost_of("A", [0] * 10) + lost_of("B", [5] * 4 + [0] * 6, p50=1_000)
    title = answer(summary(plan(), "A", table(rows)))["title"]
    assert title.startswith("acks=1 lost acknowledged records in none of 10 runs and acks=all in 4 of 10")
    assert "; records were acknowledged sooner with acks=all than with acks=1: " in title


def test_all_that_wait_shortest_are_named_and_not_only_the_first() -> None:
    """A and B are equal in every seed; D lies so near to C that no test tells them apart."""
    four = plan(acks=["1", "all"], min_isr=[1, 2])
    waits = {"A": 1_000_000, "B": 1_000_000, "C": 8_000_000, "D": 9_000_000}
    rows = [one for letter, us in waits.items() for one in lost_of(letter, [0] * 20, down_us=us)]
    told = answer(summary(four, "A", table(rows)))
    assert "shortest with A (acks=1, min ISR 1) and B (acks=1, min ISR 2): 1.0 s" in told["title"]
    assert told["title"].endswith("against 8.0 s to 9.0 s with C and D.")


def test_a_configuration_that_can_be_told_apart_from_neither_is_not_counted_to_a_side() -> None:
    """B differs from A in few seeds and from D in few seeds; A and D differ in all."""
    three = plan(acks=["0", "1", "all"])
    rows = lost_of("A", [0] * 20) + lost_of("B", [1] * 5 + [0] * 15) + lost_of("C", [1] * 10 + [0] * 10)
    title = answer(summary(three, "A", table(rows)))["title"]
    assert title == "acks=0 loses acknowledged records less often than acks=all: in 0\N{NO-BREAK SPACE}% of runs."


def test_no_sentence_begins_with_a_name_that_reads_as_a_sentence() -> None:
    fault = {"kind": "rates", "mttf_us": 15_000_000, "mttr_us": 10_000_000}
    two = plan(fault=[fault, {**fault, "mttf_us": 30_000_000}])
    told = answer(summary(two, "A", table(lost_of("A", [5] * 40) + lost_of("B", [3] * 39 + [0]))))
    for sentence in f"{told['title']} {told['text']}".split(". "):
        assert not sentence.startswith("brokers"), told
    assert "A (brokers fail every 15 s, back after 10 s) lost" in told["text"]


def test_where_only_some_topics_wait_the_text_says_which_and_the_table_has_them_apart() -> None:
    """The wait of a run is that of its worst topic."""
    few, many = "RF 2, min ISR 2", "RF 3, min ISR 2"
    rows = lost_of("A", [0] * 20, down_us=13_900_000)
    for one in rows:
        one["parts"] = [
            {"kind": "topics", "of": label, "figure": figure, "value": value}
            for label, figure, value in (
                (few, "lost", 3),
                (few, "write_down_client_us", 13_900_000),
                (many, "lost", 0),
                (many, "write_down_client_us", 0),
                (many, "latency_p50_us", 4_000),
            )
        ]
    found = summary(plan(acks=["all"], min_isr=[1, 2]), "A", table([*rows, *lost_of("B", [0] * 20)]))
    two, three = found["variants"][0]["topics"]
    assert (two["of"], two["losing"], two["lost_median"][0], two["down"][0]) == (few, 20, 3.0, 13.9)
    assert (three["losing"], three["down"], three["latency_p50"][0]) == (0, [0.0, 0.0, 0.0], 4.0)
    assert found["variants"][0]["parts"] == []
    told = answer(found)["text"]
    assert f"The wait is not that of all topics, in the middle run: A 13.9 s ({few}), against 0.0 s ({many})." in told


def test_an_answer_about_one_moment_says_so() -> None:
    """A failure as in the run, or at one moment, measures no other moment."""
    rows = table(lost_of("A", [5] * 20) + lost_of("B", [0] * 20))
    one = "The failure comes at the same moment in every seed, so the intervals hold for that moment only"
    for fault, is_one in ((rack_death(), False), (rack_death(end=2_000_000), True), ({"kind": "as-is"}, True)):
        told = compared(plan(acks=["1", "all"], fault=[fault]), "A", rows)["answer"]["text"]
        assert (one in told) == is_one, fault


def test_sizes_of_a_paste_stand_with_the_answer() -> None:
    plain = {"format": 1, "cluster": {"brokers": [1]}, "topics": [{"name": "t", "assignment": [[1]]}]}
    sized = load({**plain, "basis": {"log_mb": 200_000, "copy_mb_per_s": 80}})
    told = "200 GB each, copied at 80 MB/s a broker"
    assert dict(basis(sized, plan(acks=["1", "all"])))["Logs at the start"] == told
    assert "Logs at the start" not in dict(basis(load(plain), plan(acks=["1", "all"])))
    site = {"cluster": {"brokers": [1]}, "topics": plain["topics"], "basis": {"log_mb": 200_000, "copy_mb_per_s": 80}}
    two = load({"format": 1, "clusters": {"east": site, "west": site}})
    assert dict(basis(two, plan(acks=["1", "all"])))["Logs at the start"] == told


def test_the_basis_stands_with_the_answer() -> None:
    rows = table(lost_of("A", [5] * 20) + lost_of("B", [0] * 20))
    found = compared(plan(acks=["1", "all"], load=[50], fault=[rack_death()]), "A", rows)
    told = dict(found["basis"])
    assert told["Load"] == "305 records/s: 300 to orders, 5 to audit, times 50"
    assert told["Between nodes, one way"] == "8 ms and up to 200 us more"
    assert told["Topics"] == ("RF 3, min ISR 2, in 3 racks (orders); RF 3, min ISR 1, in 3 racks (audit)")
    assert "this load (305 records/s: 300 to orders, 5 to audit, times 50)" in found["answer"]["text"]
    assert found["answer"]["title"] == (
        "acks=all loses none by rule; acks=1 lost acknowledged records in 20 of 20 runs when az-a died."
    )


def test_links_with_a_latency_of_their_own_stand_with_the_answer() -> None:
    """The latency of the sandbox is 25 ms between nodes, and 50 ms between two of its zones."""
    plain: Any = {"format": 1, "cluster": {"brokers": [{"id": 1, "rack": "a"}, {"id": 2, "rack": "b"}]}}
    plain["network"] = {"latency": "25ms", "jitter": "0ms", "links": [{"between": ["a", "b"], "latency": "50ms"}]}
    document = load(plain)
    told = dict(basis(document, plan(acks=["1", "all"])))
    assert told["Between nodes, one way"] == "25 ms; 50 ms between a and b"
    assert latency(document) == ", with 25 ms to 50 ms one way between nodes"


def test_what_happens_to_another_configuration_tells_no_price() -> None:
    """A and C lose a rack; B and D, whose brokers fail at random, wait longer and are acknowledged later."""
    rates = {"kind": "rates", "mttf_us": 20_000_000, "mttr_us": 10_000_000}
    four = plan(acks=["1", "all"], fault=[rack_death(), rates])
    rows = lost_of("A", [5] * 20, down_us=2_000_000) + lost_of("B", [5] * 20, down_us=0, p50=1_000)
    rows += lost_of("C", [0] * 20, down_us=3_000_000, p50=300_000) + lost_of("D", [0] * 20, down_us=9_000_000)
    told = compared(four, "A", table(rows))["answer"]["text"]
    assert "got no response for 3.0 s in the middle run, against 2.0 s with A, and" in told
    assert "acknowledged after 300.0 ms, against 2.0 ms with A" in told
    assert "Such runs have these faults, " in told
    assert "C and D could not lose one: " in told
    three = plan(acks=["1", "all"], fault=[rack_death(), rates, {**rates, "mttf_us": 30_000_000}])
    assert title_of(three).endswith("acks=1 or acks=all, one of 3 failures")


def test_a_slowest_wait_that_is_printed_alike_is_not_told() -> None:
    rows = lost_of("A", [5] * 100, down_us=0) + lost_of("B", [0] * 100, down_us=26_000_000)
    told = answer(summary(plan(), "A", table(rows)))["text"]
    assert "no response for 26.0 s in the middle run, against 0.0 s with acks=1." in told


def test_of_several_that_lost_nothing_the_price_against_those_that_lost_is_told() -> None:
    four = plan(acks=["1", "all"], min_isr=[1, 2])
    rows = lost_of("A", [5] * 20) + lost_of("B", [5] * 20)
    rows += lost_of("C", [0] * 20, down_us=3_000_000, p50=300_000) + lost_of("D", [0] * 20, down_us=9_000_000)
    told = answer(summary(four, "A", table(rows)))
    assert told["title"] == (
        "C (acks=all, min ISR 1) and D (acks=all, min ISR 2) lost nothing; of them the application waited less with C "
        "than with D: 3.0 s in the middle run, against 9.0 s."
    )
    price = told["text"].split("The price with C is time: ")[1]
    assert price.startswith("the application got no response for 3.0 s in the middle run, against 1.0 s with A, and ")
    assert "records were acknowledged after 300.0 ms, against 2.0 ms with A" in price
    assert told["text"].rindex("got no response") < told["text"].index("cknowledged after"), "each wait, then latencies"


def unclean_or_not() -> ExperimentPlan:
    """A plan of which only B may lose an acknowledged record."""
    fault = {"kind": "rates", "mttf_us": 20_000_000, "mttr_us": 10_000_000}
    return plan(acks=["all"], unclean=[False, True], fault=[fault])


@pytest.mark.parametrize("down_us", [1_000_000, 9_000_000])
def test_one_losing_run_is_enough_against_a_rule_that_excludes_the_loss(down_us: int) -> None:
    """The sign test over 5 seeds that differ is not clear (0.0625), and whether the waits differ is told later."""
    rows = lost_of("A", [0] * 20, down_us=down_us) + lost_of("B", [7] * 5 + [0] * 15, p50=1_000)
    found = compared(unclean_or_not(), "A", table(rows))
    told = found["answer"]
    assert "loses none by rule; B (" in told["title"]
    assert ") lost acknowledged records in 5 of 20 runs" in told["title"]
    assert "told apart" not in told["title"]
    assert "no response" not in told["title"]
    assert found["best"] == "A"
    assert ") lost acknowledged records in 5 of 20 runs: between " in told["text"]
    wait = told["text"].index(f"got no response for {down_us / 1_000_000} s")
    assert wait < told["text"].index("records were acknowledged after 2.0 ms")


def test_before_the_last_run_no_rule_gives_a_badge() -> None:
    rows = lost_of("A", [0] * 20) + lost_of("B", [7] * 5 + [0] * 15)
    assert compared(unclean_or_not(), "A", table(rows), is_final=False)["best"] is None


def test_several_that_lose_none_by_rule_are_told_before_their_wait() -> None:
    """D lost nothing by luck: no rule names it and it is on no side."""
    rows = lost_of("A", [0] * 20, down_us=9_000_000) + lost_of("B", [0] * 20) + lost_of("C", [1] * 3 + [0] * 17)
    four = plan(acks=["1", "all"], min_isr=[1, 2])
    found = summary(four, "A", table([*rows, *lost_of("D", [0] * 20)]))
    told = answer(found, Circumstances(lossless=("A", "B")))
    assert told["title"] == (
        "A (acks=1, min ISR 1) and B (acks=1, min ISR 2) lose none by rule; C (acks=all, min ISR 1) lost acknowledged "
        "records in 3 of 20 runs; of A and B the application waited less with B than with A: 1.0 s in the middle run, "
        "against 9.0 s."
    )
    assert best(found, Circumstances(lossless=("A",))) is None


@pytest.mark.parametrize(("lost", "is_apart"), [(4, False), (5, True)])
def test_shares_whose_interval_excludes_0_are_not_called_equal(lost: int, is_apart: bool) -> None:
    found = summary(plan(), "A", table(lost_of("A", [0] * 20) + lost_of("B", [7] * lost + [0] * (20 - lost))))
    assert (found["pairs"][0]["loses"]["difference"][1] > 0) == is_apart
    assert ("cannot be told apart" not in answer(found)["title"]) == is_apart
