"""The builder's request: read into a plan, or refused in words."""

import json
import re
from typing import Any

import pytest

from playground.whatif import limits, work
from playground.whatif.estimate import Estimate, mean_seconds, too_long
from playground.whatif.forms import read
from playground.whatif.pace import pace_of
from playground.whatif.pipeline.axes import also_words
from playground.whatif.pipeline.plan import AXES, ExperimentPlan, Variant
from tests.whatif.plans import SECOND, document, plan


def body(**more: Any) -> dict[str, Any]:
    return {"seeds": "20", "horizon": "15s", "axes": {"acks": ["1", "all"], "min_isr": [1, 2]}, **more}


def problem(**more: Any) -> str:
    draft = read(body(**more), document())
    assert draft.problems, draft
    return draft.problems[0]["message"]


def test_axes_become_the_grid_of_their_values() -> None:
    plan = read(body(), document()).plan
    assert plan is not None
    assert [variant.letter for variant in plan.variants] == ["A", "B", "C", "D"]
    assert plan.variants[2].settings == {"acks": "all", "min_isr": 1}
    assert (plan.runs, plan.horizon_us, plan.topics) == (80, 15 * SECOND, ("orders", "audit"))


def test_a_title_shows_what_cannot_be_seen() -> None:
    assert read(body(title="Friday\u202e 13"), document()).title == "Friday\ufffd 13"


def test_a_configuration_can_be_left_out() -> None:
    plan = read(body(left_out=[{"acks": "1", "min_isr": 2}]), document()).plan
    assert plan is not None
    assert [variant.settings["acks"] for variant in plan.variants] == ["1", "all", "all"]


def baseline(chosen: Any, **axes: list[Any]) -> tuple[str, str]:
    draft = read(body(axes=axes, baseline=chosen), document())
    return draft.baseline, draft.note


def test_the_baseline_is_a_configuration_and_keeps_its_values_when_axes_change() -> None:
    chosen = {"acks": "all"}
    assert baseline(chosen, acks=["1", "all"]) == ("B", "")
    assert baseline(chosen, acks=["0", "1", "all"]) == ("C", "")
    assert baseline(chosen, acks=["1", "all"], min_isr=[1, 2]) == ("C", "")
    assert baseline({"acks": "all", "min_isr": 2}, acks=["1", "all"], min_isr=[1, 2]) == ("D", "")
    assert baseline(None, acks=["1", "all"]) == ("A", "")


def test_a_baseline_that_is_gone_is_said_to_be_and_the_nearest_takes_its_place() -> None:
    gone = "The baseline that was chosen is no longer among the configurations: it is now"
    assert baseline({"acks": "all"}, acks=["0", "1"]) == ("A", f"{gone} A, acks=0.")
    chosen = {"acks": "all", "min_isr": 2}
    assert baseline(chosen, acks=["1", "all"], min_isr=[1, 3]) == ("C", f"{gone} C, acks=all, min ISR 1.")


def test_the_moment_of_a_fault_that_all_share_makes_no_other_baseline() -> None:
    fault = {"kind": "rack", "rack": "az-b", "from": "2s", "to": "4s"}
    earlier = {"kind": "rack", "rack": "az-a", "from_us": 1, "to_us": 2, "back_us": None}
    assert baseline({"acks": "all", "fault": earlier}, acks=["1", "all"], fault=[fault]) == ("B", "")


def test_nothing_chosen_is_the_run_as_it_is() -> None:
    plan = read(body(axes={}), document()).plan
    assert plan is not None
    assert [variant.settings for variant in plan.variants] == [{}]


def variants(sent: dict[str, Any], of: dict[str, Any] | None = None) -> list[Variant]:
    plan = read(body(axes=sent), of or document()).plan
    assert plan is not None
    return list(plan.variants)


def still(**cluster: Any) -> dict[str, Any]:
    """The document without actions, so that an axis takes none away; `audit` has no producer."""
    plain = document()
    plain["timeline"] = []
    plain["producers"] = [one for one in plain["producers"] if one["topic"] == "orders"]
    plain["cluster"] |= cluster
    return plain


def test_the_configuration_that_changes_nothing_is_named_as_the_run_itself() -> None:
    found = variants({"acks": ["1", "all"], "lag_ms": [10_000, 30_000]}, still())
    assert [variant.is_as_in_run for variant in found] == [False, False, False, True]
    assert [variant.is_as_in_run for variant in variants({"unclean": [False, True]}, still())] == [True, False]
    assert not any(variant.is_as_in_run for variant in variants({"acks": ["1", "all"]}))  # it takes an action away


def test_configurations_that_come_to_the_same_run_are_one_and_it_says_so() -> None:
    sent = {"topics": ["audit"], "axes": {"acks": ["0", "1", "all"], "min_isr": [1, 2]}}
    plan = read(body(**sent), still()).plan
    assert plan is not None
    assert [(variant.letter, variant.settings) for variant in plan.variants] == [
        ("A", {"acks": "0", "min_isr": 1}),
        ("B", {"acks": "0", "min_isr": 2}),
    ]
    assert [also_words(variant) for variant in plan.variants] == [["acks=1", "acks=all"]] * 2
    assert ExperimentPlan.from_json(plan.to_json()) == plan


def test_a_configuration_that_differs_in_a_rule_of_its_version_alone_is_one_of_its_own() -> None:
    assert len(variants({"kafka": ["4.0", "4.1", "4.2"]}, still())) == 3


def test_a_rack_death_has_its_moments_and_its_return() -> None:
    fault = {"kind": "rack", "rack": "az-b", "from": "2s", "to": "4s", "back": "3s"}
    plan = read(body(axes={"fault": [fault]}), document()).plan
    assert plan is not None
    expected = {"kind": "rack", "rack": "az-b", "from_us": 2 * SECOND, "to_us": 4 * SECOND, "back_us": 3 * SECOND}
    assert plan.variants[0].settings["fault"] == expected


@pytest.mark.parametrize(
    ("sent", "sentence"),
    [
        ({"seeds": None}, "seeds is missing; a whole number from 2 to 10,000 is needed."),
        ({"seeds": "2,0"}, "seeds is '2,0'; a whole number from 2 to 10,000 is needed."),
        ({"horizon": None}, "horizon is missing; write a number and a unit, such as 500ms, 12s or 5m."),
        ({"baseline": "B"}, "baseline is 'B'; allowed are the settings of a configuration."),
        ({"seeds": "1"}, f"seeds is 1; allowed is {limits.SEEDS_MIN} to {limits.SEEDS_MAX:,}."),
        ({"seeds": limits.SEEDS_MAX + 1}, f"seeds is 10,001; allowed is {limits.SEEDS_MIN} to {limits.SEEDS_MAX:,}."),
        (
            {"seeds": "many"},
            f"seeds is 'many'; a whole number from {limits.SEEDS_MIN} to {limits.SEEDS_MAX:,} is needed.",
        ),
        ({"horizon": "12"}, "horizon is '12'; write a number and a unit, such as 500ms, 12s or 5m."),
        ({"horizon": "31m"}, "horizon is 31 min; allowed is 1 s to 30 min."),
        ({"horizon": "100ms"}, "horizon is 100 ms; allowed is 1 s to 30 min."),
        ({"axes": {"acks": ["2"]}}, "acks is '2'; allowed is 0, 1, all."),
        ({"axes": {"rf": [4]}}, "replication factor is 4; allowed is 1 to 3."),
        ({"axes": {"isr": [1]}}, f"There is no axis 'isr'. Axes: {', '.join(AXES)}."),
        ({"axes": {"acks": ["1"] * 9}}, "acks takes a list of at most 8 values."),
        (
            {"axes": {"lag_ms": ["soon"]}},
            "replica.lag.time.max.ms is 'soon'; a whole number from 1 to 600,000 is needed.",
        ),
        (
            {"axes": {"fault": [{"kind": "rack", "rack": "az-x", "from": "1s"}]}},
            "rack is 'az-x'; allowed is az-a, az-b, az-c, any.",
        ),
        (
            {"axes": {"fault": [{"kind": "flood"}]}},
            "fault is 'flood'; allowed is as-is, rates, rack, broker, roll, site.",
        ),
        ({"topics": ["nope"]}, "topic is 'nope'; allowed is orders, audit."),
        (
            {"axes": {"acks": ["0", "1", "all"], "min_isr": [1, 2, 3]}},
            "9 configurations; at most 8 can be compared. Take values away.",
        ),
    ],
)
def test_what_cannot_be_used_is_refused_in_words(sent: dict[str, Any], sentence: str) -> None:
    assert problem(**sent) == sentence


def test_a_cluster_without_racks_cannot_lose_one() -> None:
    bare = document()
    bare["cluster"]["brokers"] = [1, 2, 3]
    draft = read(body(axes={"fault": [{"kind": "rack", "rack": "az-a", "from": "1s"}]}), bare)
    assert draft.problems[0]["message"].startswith("No broker of this run names a rack")


def test_an_estimate_counts_the_start_of_spark_and_gives_a_figure_with_its_range() -> None:
    short = Estimate(100, 0.01, 2, 50)
    assert [round(seconds, 2) for seconds in short.seconds] == [3.55, 8.7, 46.25]


def test_the_start_is_learned_from_short_experiments_and_the_pace_from_long_ones() -> None:
    learned = pace_of([(1.0, 31.4), (2.0, 62.8), (200.0, 445.0)])
    assert [round(seconds) for seconds in learned.start_seconds] == [30, 45, 68]
    assert [round(factor, 2) for factor in learned.factors] == [1.5, 2.0, 3.0]
    assert [round(seconds) for seconds in Estimate(100, 0.01, 2, 50, learned).seconds] == [31, 46, 69]


def test_one_experiment_out_of_several_does_not_move_the_figure_but_widens_its_range() -> None:
    usual = [(20.0, 31.0)] * 4
    same, other = pace_of(usual), pace_of([*usual, (20.0, 401.0)])
    assert same.seconds(20.0).middle == other.seconds(20.0).middle == 31.0
    assert other.seconds(20.0).most > 400 > 60 > same.seconds(20.0).most


def test_a_start_is_no_longer_than_what_the_fastest_experiment_took_beside_its_runs() -> None:
    assert pace_of([(10.0, 11.0), (10.0, 22.0)]).start_seconds.middle == 1.0


def test_an_experiment_over_the_time_limit_is_refused_with_the_number_of_seeds_that_fit() -> None:
    assert too_long(Estimate(100, 1.0, 2, 50)) == ""
    told = too_long(Estimate(16_000, 1.0, 2, 2_000))
    assert "16,000 runs would take up to 334 min here; the limit is 60 min" in told
    assert "fewer seeds (about 355 fit)" in told
    busy = Estimate(4_000, 1.0, 2, 500)
    assert busy.seconds.middle < limits.SECONDS_MAX < busy.seconds.most
    assert "up to 84 min" in too_long(busy), "the limit binds the upper end of the range"


def test_what_is_measured_has_each_value_of_acks_and_each_load_once() -> None:
    sent = json.dumps(body(axes={"acks": ["0", "1", "all"], "min_isr": [1, 2]}))
    probe = ExperimentPlan.from_json(work.drafted(sent, (work.SANDBOX, None))["probe"])
    assert [variant.settings for variant in probe.variants] == [{"acks": "0"}, {"acks": "1"}, {"acks": "all"}]
    sent = json.dumps(body(axes={"acks": ["1", "all"], "load": [50, "as-is", 5, 500]}))
    loads = ExperimentPlan.from_json(work.drafted(sent, (work.SANDBOX, None))["probe"])
    assert [v.settings["load"] for v in loads.variants] == ["as-is", "as-is", 5, 50, 50, 500], "six of eight"
    plain = work.drafted(json.dumps(body(axes={"min_isr": [1, 2]})), (work.SANDBOX, None))["probe"]
    assert [variant.settings for variant in ExperimentPlan.from_json(plain).variants] == [{}]


def test_a_number_is_read_as_pages_print_it() -> None:
    plan = read(body(seeds="2,000"), document()).plan
    assert plan is not None and plan.seeds == 2_000


def test_the_load_is_an_axis_of_factors() -> None:
    assert [one.settings["load"] for one in variants({"load": ["1", "50", "\N{MULTIPLICATION SIGN}0.5"]})] == [
        1,
        50,
        0.5,
    ]
    assert problem(axes={"load": ["much"]}) == "load is 'much'; a number from 0.01 to 10,000 is needed, such as 10."
    assert problem(axes={"load": [0]}).startswith("load is 0; a number from 0.01")


def test_every_axis_can_stay_as_in_the_run() -> None:
    """Beside a value it is a configuration of its own, and it is named."""
    for name, value in {"acks": "0", "min_isr": 3, "rf": 2, "unclean": True, "lag_ms": 9, "load": 3}.items():
        found = variants({name: ["as-is", value]})
        assert [one.settings[name] for one in found] == ["as-is", value]
        assert found[0].is_as_in_run


def test_a_lag_is_read_in_milliseconds_or_as_a_duration() -> None:
    sent = {"lag_ms": ["10000", "30s", "1m", "500ms"]}
    assert [one.settings["lag_ms"] for one in variants(sent)] == [10_000, 30_000, 60_000, 500]


def warnings(sent: dict[str, Any]) -> list[list[str]]:
    """By configuration what the builder warns of."""
    figures = work.drafted(json.dumps(body(axes=sent, quick=True)), (work.PLAN, plan().to_json()))
    return [variant["warnings"] for variant in figures["variants"]]


def test_a_configuration_that_topics_cannot_hold_is_warned_of_before_it_runs() -> None:
    stop = "Writes with acks=all stop while one of the {} copies is away: orders."
    assert warnings({"acks": ["1"]}) == [[]]
    assert warnings({"min_isr": [2, 3]}) == [[], [stop.format(3)]]
    above = "min ISR 3 is above RF 2 and counts as 2: orders, audit."
    assert warnings({"min_isr": [3], "rf": [2]}) == [[above, stop.format(2)]]
    assert warnings({"rf": [1], "acks": ["all"]}) == [["min ISR 2 is above RF 1 and counts as 1: orders."]]


@pytest.mark.parametrize(
    ("fault", "sentence"),
    [
        ({"kind": "broker", "broker": "9", "from": "1s"}, "broker is '9'; allowed is 1, 2, 3, any."),
        ({"kind": "rack", "from": "1s"}, "rack is missing; allowed is az-a, az-b, az-c, any."),
        ({"kind": "rack", "rack": "any,az-a", "from": "1s"}, "rack is 'any,az-a'; name each once, or any alone."),
        ({"kind": "rack", "rack": "az-a", "how": "pause", "from": "1s"}, "how is 'pause'; allowed is kill, power"),
        ({"kind": "broker", "broker": "1", "how": "disk-lost", "from": "1s"}, "A broker that loses its disk needs a "),
        (
            {"kind": "roll", "from": "1s", "back": "5s"},
            "The last broker would be back at 36 s. Take a longer simulated",
        ),
    ],
)
def test_a_failure_that_cannot_be_is_refused_in_words(fault: dict[str, Any], sentence: str) -> None:
    assert problem(axes={"fault": [fault]}).startswith(sentence)


def test_a_failure_is_read_and_stored_as_it_was_asked_for() -> None:
    sent = {"kind": "broker", "broker": "any", "how": "disk-lost", "from": "1s", "to": "9s", "back": "2s"}
    made = read(body(axes={"fault": [sent]}), document()).plan
    assert made is not None
    assert made.variants[0].settings["fault"] == {
        "kind": "broker",
        "broker": "any",
        "how": "disk-lost",
        "from_us": SECOND,
        "to_us": 9 * SECOND,
        "back_us": 2 * SECOND,
    }
    assert ExperimentPlan.from_json(made.to_json()) == made


def test_the_seeds_that_fit_count_the_runs_that_go_to_the_horizon() -> None:
    """The first 20 seeds cost 40 times as much as the others here."""

    def of(seeds: int) -> Estimate:
        return Estimate(2 * seeds, mean_seconds(seeds, 1.0, 40.0), 2, seeds, seconds_per_whole_run=40.0)

    found = re.search(r"about ([\d,]+) fit", too_long(of(5_000)))
    assert found is not None
    fitting = int(found[1].replace(",", ""))
    assert too_long(of(fitting)) == ""
    assert too_long(of(fitting + fitting // 10)) != ""
    assert mean_seconds(10, 1.0, 40.0) == 40.0
