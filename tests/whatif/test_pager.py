"""The alert that told of a loss, and since when: in the row of a run, and over the runs of an experiment."""

import csv
import io
from typing import Any

import pyarrow as pa
import pytest

from playground.whatif.alert_answer import alert_sentence
from playground.whatif.answer import answer
from playground.whatif.pipeline.plan import ExperimentPlan
from playground.whatif.pipeline.run_one import run_row
from playground.whatif.pipeline.schema import ROW
from playground.whatif.statistics import summary
from playground.whatif.table import PAGER, comparison
from simengine.scenario.metric_names import GROUP_LAG, TRAFFIC
from tests.whatif.plans import plan
from tests.whatif.test_statistics import lost_of

MINUTE = 60_000_000
UNREPLICATED = {"name": "Copies missing", "metric": "UnderReplicatedPartitions"}


def document(*rules: dict[str, Any], until: str = "600s", scrape: str = "15s", **more: Any) -> dict[str, Any]:
    """Broker 2 dies at 30 s; at 100 s broker 1, the leader, dies too, and 2 comes back with a shorter log."""
    return {
        "format": 1,
        "seed": 5,
        "until": until,
        "cluster": {"brokers": [1, 2], "controllers": [100]},
        "topics": [
            {
                "name": "orders",
                "assignment": [[1, 2]],
                "config": {"min.insync.replicas": 1, "unclean.leader.election.enable": True},
            }
        ],
        "producers": [{"id": "writer", "topic": "orders", "rate": 10, "acks": "1"}],
        "timeline": [
            {"at": "30s", "do": "kill 2"},
            {"at": "100s", "do": "kill 1"},
            {"at": "110s", "do": "start 2"},
            {"at": "150s", "do": "start 1"},
        ],
        "alerts": {"scrape": scrape, "rules": list(rules)},
        **more,
    }


def test_an_alert_that_fires_when_the_first_record_is_lost_is_a_warning_from_its_first_moment() -> None:
    row = run_row(document({"name": "Brokers", "metric": "ActiveBrokerCount", "comparison": "<", "figure": 2}))
    assert row["lost"] == 700 and 112_000_000 < row["lost_at_us"] < 114_000_000, "broker 2 is elected again"
    assert row["alerted_us"] == 45_000_000, "broker 2 is fenced at 39 s, and the next scrape is at 45 s"


def test_an_alert_that_had_ended_before_the_loss_is_no_warning() -> None:
    row = run_row(document(UNREPLICATED))
    assert row["alerted_us"] == 120_000_000, "it fires from 45 s, and ends when broker 1, which reports it, dies"
    assert run_row(document({**UNREPLICATED, "for": "10m"}))["alerted_us"] is None


@pytest.mark.parametrize("hold", ["1m", "5m", "450s"])
def test_what_is_pending_at_rest_fires_as_in_the_whole_run(hold: str) -> None:
    quiet = document({**UNREPLICATED, "for": hold}, timeline=[{"at": "30s", "do": "kill 2"}])
    row, whole = run_row(quiet), run_row(quiet, is_whole=True)
    assert row["rest_us"] is not None and whole["rest_us"] is None
    assert row["alerted_us"] == whole["alerted_us"]
    seconds = {"1m": 60, "5m": 300, "450s": 450}[hold]
    assert row["alerted_us"] == (45 + seconds) * 1_000_000
    assert (row["lost_at_us"], row["digest"] != whole["digest"]) == (None, True)


def test_what_would_fire_after_the_horizon_does_not_count() -> None:
    timeline = [{"at": "30s", "do": "kill 2"}]
    rule = {**UNREPLICATED, "for": "5m"}
    for until, fires in (("344s", None), ("345s", 345_000_000)):
        row = run_row(document(rule, until=until, timeline=timeline))
        assert row["rest_us"] is not None and row["alerted_us"] == fires, until


def test_a_rate_that_is_over_after_the_run_has_come_to_rest_fires_as_in_the_whole_run() -> None:
    timeline = [{"at": "20s", "do": "cut 1|2"}, {"at": "70s", "do": "heal"}]
    for hold, fires in (("30s", True), ("45s", False)):
        rule = {"name": "Shrinks", "metric": "IsrShrinksPerSec", "for": hold}
        row, whole = (run_row(document(rule, timeline=timeline), is_whole=is_whole) for is_whole in (False, True))
        assert row["rest_us"] is not None and row["alerted_us"] == whole["alerted_us"]
        assert (row["alerted_us"] is not None) is fires, hold


@pytest.mark.parametrize("metric", sorted(TRAFFIC - {"record-count", "record-age-ms", GROUP_LAG}))
def test_a_run_whose_rules_read_traffic_goes_to_its_horizon(metric: str) -> None:
    rule = {"name": "Lag", "metric": metric, "figure": 10_000}
    assert run_row(document(rule, until="60s", timeline=[]))["rest_us"] is None


READER = {"id": "reader", "topics": ["orders"], "group": "g"}
SECOND_READER = {"id": "other", "topics": ["orders"], "group": "h", "config": {"enable.auto.commit": False}}


@pytest.mark.parametrize(
    ("figure", "comparison", "more", "rests"),
    [
        (10_000, ">", {"consumers": [READER]}, True),
        (10_000, ">=", {}, True),
        (10_000, "<", {"consumers": [READER]}, False),
        (40, ">", {"consumers": [READER]}, False),  # 50 records come in five seconds, between two commits
        (45, ">", {"consumers": [READER, SECOND_READER]}, False),  # who does not commit falls behind
        (10_000, ">", {"consumers": [READER, SECOND_READER]}, True),
    ],
)
def test_a_rule_on_the_lag_of_groups_lets_a_run_rest_if_no_lag_reaches_it(
    figure: int, comparison: str, more: dict[str, Any], rests: bool
) -> None:
    rule = {"name": "Lag", "metric": GROUP_LAG, "figure": figure, "comparison": comparison, "for": "1m"}
    sent = document(rule, timeline=[], **more)
    row, whole = (run_row(sent, is_whole=is_whole) for is_whole in (False, True))
    assert (row["rest_us"] is not None) is rests
    assert row["alerted_us"] == whole["alerted_us"]


def test_a_loss_is_that_of_the_chosen_topics() -> None:
    both = document(UNREPLICATED)
    both["topics"].append({"name": "audit", "assignment": [[2]]})
    assert run_row(both, ["audit"])["lost_at_us"] is None
    assert run_row(both, ["orders"])["lost_at_us"] == run_row(both)["lost_at_us"] > 0


def test_without_rules_no_alert_comes() -> None:
    row = run_row(document())
    assert row["lost_at_us"] > 0 and row["alerted_us"] is None


def told(alerts: list[int | None], lost_at_us: int = 10 * MINUTE, of: ExperimentPlan | None = None) -> dict[str, Any]:
    """The figures of configuration A whose losing runs had these alerts."""
    rows = lost_of("A", [5] * len(alerts)) + lost_of("B", [0] * len(alerts))
    for row, alert in zip(rows, alerts, strict=False):
        row |= {"lost_at_us": lost_at_us, "alerted_us": alert}
    found: dict[str, Any] = summary(of or plan(), "A", pa.Table.from_pylist(rows, schema=ROW))
    return found


def test_the_share_of_losses_with_an_alert_before_them_has_an_interval_and_the_warning_a_median() -> None:
    alerts = [4 * MINUTE, 6 * MINUTE, 8 * MINUTE, 10 * MINUTE, 12 * MINUTE, None, None, None]
    result = told(alerts)
    pager = result["variants"][0]["pager"]
    assert (pager["losing"], pager["in_time"], pager["silent"]) == (8, 4, 3)
    assert pager["warned"][0] == 0.5 and 0 < pager["warned"][1] < 0.5 < pager["warned"][2] < 1
    assert pager["warning"][0] == 3.0, "of 6, 4, 2 and 0 minutes"
    assert [step[:2] for step in pager["curve"]] == [[-6, 1 / 8], [-4, 2 / 8], [-2, 3 / 8], [0, 4 / 8], [2, 5 / 8]]
    assert result["variants"][1]["pager"] is None, "a configuration that loses nothing"


def test_a_document_without_rules_has_no_pager_in_its_result() -> None:
    first = plan()
    silent = ExperimentPlan(
        {**first.document, "alerts": {"rules": []}},
        first.variants,
        first.topics,
        first.first_seed,
        first.seeds,
        first.horizon_us,
    )
    assert told([None] * 4, of=silent)["variants"][0]["pager"] is None


def test_the_table_has_the_share_and_the_warning_with_their_intervals() -> None:
    first, second = csv.DictReader(io.StringIO(comparison(told([4 * MINUTE] * 4))))
    share, warning = (words for _, words in PAGER)
    assert (first[share], first[warning], first[f"{warning}, low"]) == ("1.0", "6.0", "")
    assert float(first[f"{share}, low"]) < 0.6 and first[f"{share}, high"] == "1.0"
    assert second[share] == second[warning] == ""


def test_the_answer_tells_the_alerts_of_each_configuration_that_lost_records_behind_its_losses() -> None:
    result = told([4 * MINUTE, 6 * MINUTE, 8 * MINUTE, 10 * MINUTE, 12 * MINUTE, None, None, None])
    text = answer(result)["text"]
    said = "An alert came before the loss in 4 of 8 losing runs with acks=1 (median warning 3 min)."
    assert said == alert_sentence(result["variants"]) and f" {said} " in text
    assert text.index("of all such runs lose some") < text.index(said) < text.index("Such runs have")
    assert "An alert" not in answer({**result, "is_final": False})["text"], "configurations are compared at the end"


def figures(letter: str, losing: int, in_time: int, minutes: float | None) -> dict[str, Any]:
    """The part of a configuration's figures that the sentence reads."""
    pager = {"losing": losing, "in_time": in_time, "warned": [in_time / losing, 0, 1], "warning": [minutes, None, None]}
    return {"letter": letter, "name": f"configuration {letter}", "detail": "", "pager": pager}


@pytest.mark.parametrize(
    ("some", "said"),
    [
        ([figures("A", 20, 12, 3.1)], "12 of 20 losing runs (median warning 3 min 6 s)"),
        ([figures("A", 1, 1, 0.05)], "1 of 1 losing run (warning 3.0 s)"),
        ([figures("A", 17, 0, None)], "none of 17 losing runs"),
        (
            [figures("A", 20, 12, 3.1), figures("B", 7, 0, None)],
            "none of 7 losing runs with B and 12 of 20 losing runs with A (median warning 3 min 6 s)",
        ),
        (
            [figures(letter, 4, in_time, 1.0) for letter, in_time in zip("ABCD", (3, 2, 4, 1), strict=True)],
            "1 of 4 losing runs with D (warning 1 min) to 4 of 4 losing runs with C (median warning 1 min)",
        ),
    ],
)
def test_alerts_are_told_of_one_configuration_of_each_and_of_many(some: list[dict[str, Any]], said: str) -> None:
    assert alert_sentence(some) == f"An alert came before the loss in {said}."


def test_nothing_is_told_of_configurations_without_losses_or_rules() -> None:
    silent = {**figures("B", 1, 0, None), "pager": None}
    assert alert_sentence([silent]) == "" == alert_sentence([])
    of_a = "none of 5 losing runs with A"
    assert alert_sentence([figures("A", 5, 0, None), silent]) == f"An alert came before the loss in {of_a}."
