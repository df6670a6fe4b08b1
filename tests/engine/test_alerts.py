"""Alert rules fire as in Prometheus, and the account says how the pager stood to the loss."""

from typing import Any

import pytest

from simengine.alerts.account import account_of, alert_lines, sentence_of, time_words
from simengine.alerts.incidents import ClusterIncident, IncidentLog
from simengine.alerts.readings import SeriesReading
from simengine.alerts.watch import NEVER, AlertSpan, AlertWatch
from simengine.scenario.alerts import Alerts
from simengine.world.world import World
from tests.engine.cluster import SECOND, world


def watch_of(*rules: dict[str, Any], scrape: str = "10s") -> AlertWatch:
    alerts = Alerts.model_validate({"scrape": scrape, "rules": [{"name": "A", **rule} for rule in rules]})
    return AlertWatch(alerts, ["partition" if rule.of else "" for rule in alerts.rules])


def scraped(watch: AlertWatch, values: list[int | None], metric: str) -> list[tuple[int, int, int]]:
    """The alerts of one broker's values, a value a scrape (None: it does not answer), in seconds."""
    for value in values:
        watch.scrape([] if value is None else [SeriesReading(metric, value, "1")])
    return [
        (span.pending_us // SECOND, max(-1, span.firing_us // SECOND), max(-1, span.ended_us // SECOND))
        for span in watch.spans
    ]


UNDER = "UnderReplicatedPartitions"


@pytest.mark.parametrize(
    ("hold", "values", "alerts"),
    [
        ("0", [0, 1, 1, 0, 0], [(20, 20, 40)]),
        ("20s", [1, 1, 1, 1, 0], [(10, 30, 50)]),
        ("20s", [1, 1, 0, 1, 1], [(10, -1, 30), (40, -1, -1)]),
        ("15s", [1, 1, 1], [(10, 30, -1)]),
        ("0", [1, None, 1], [(10, 10, 20), (30, 30, -1)]),
    ],
    ids=["at once", "held", "false in between", "for is no multiple of the scrape", "a dead broker has no series"],
)
def test_pending_firing_and_over(hold: str, values: list[int | None], alerts: list[tuple[int, int, int]]) -> None:
    assert scraped(watch_of({"metric": UNDER, "for": hold}), values, UNDER) == alerts


def test_a_counter_is_compared_by_its_rate_over_four_scrapes() -> None:
    """5 shrinks between 20 and 30 s: over 30 s of samples that is 0.166 a second, over 20 s 0.25, over 10 s 0.5."""
    values: list[int | None] = [0, 0, 5, 5, 5, 5, 5]
    rule = {"metric": "IsrShrinksPerSec", "comparison": ">="}
    assert scraped(watch_of({**rule, "figure": 0.166}), values, "IsrShrinksPerSec") == [(30, 30, 60)]
    assert scraped(watch_of({**rule, "figure": 0.25}), values, "IsrShrinksPerSec") == [(30, 30, 40)]
    assert scraped(watch_of({**rule, "figure": 0.251}), values, "IsrShrinksPerSec") == []


def test_a_counter_begins_anew_with_its_process() -> None:
    rule = {"metric": "IsrShrinksPerSec", "comparison": ">=", "figure": 0.2}
    assert scraped(watch_of(rule), [9, 9, 2], "IsrShrinksPerSec") == []  # 2 in 20 s
    assert scraped(watch_of(rule), [9, 9, 4], "IsrShrinksPerSec") == [(30, 30, -1)]


def test_active_controllers_are_added_up_and_absent_where_none_answers() -> None:
    watch = watch_of({"metric": "ActiveControllerCount", "comparison": "!=", "figure": 1})
    for counts in ([0, 1, 0], [1, 1, 0], [0, 0], []):
        watch.scrape([SeriesReading("ActiveControllerCount", count, str(i)) for i, count in enumerate(counts)])
    assert [(span.firing_us, span.ended_us) for span in watch.spans] == [(20 * SECOND, 40 * SECOND)]


def test_alerts_that_only_waited_take_no_place_of_those_that_fire(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("simengine.alerts.watch.ALERT_SPANS_MAX", 2)
    watch = watch_of({"metric": UNDER, "for": "1h"}, {"name": "B", "metric": "OfflinePartitionsCount"})
    readings = [SeriesReading(UNDER, 1, str(broker)) for broker in range(5)]
    watch.scrape(readings)
    watch.scrape([*readings, SeriesReading("OfflinePartitionsCount", 1, "9")])
    account = account_of(watch, IncidentLog(set(), []))
    assert account["sentence"] == "Your pager rang first at 20.0 s, though no record was lost so far: B."
    assert [rule["state"] for rule in account["rules"]] == ["pending", "firing"]
    assert [span["rule"] for span in account["spans"]] == [1, 0, 0]  # who fired comes first
    assert account["untold"] == 3
    assert "  and 3 more alerts" in alert_lines(account)


def test_of_picks_the_series() -> None:
    watch = watch_of({"metric": "ConsumerLag", "of": "t-1", "figure": 3})
    lags = [("1", "t-0", 9), ("1", "t-1", 4), ("2", "t-1", 3)]
    watch.scrape([SeriesReading("ConsumerLag", lag, node, "broker", "t", one) for node, one, lag in lags])
    assert [span.series for span in watch.spans] == ["broker 1, t-1"]


def sentence(lost_s: int | None, *fired: tuple[int, int]) -> str:
    """The sentence of a run that lost a record at that second, with alerts that fired from one second to another."""
    watch = watch_of({"metric": UNDER})
    watch.spans = [AlertSpan(0, "", a * SECOND, a * SECOND, b if b < 0 else b * SECOND) for a, b in fired]
    log = IncidentLog(set(), [])
    if lost_s is not None:
        log.lost, log.first_lost_us = 1, lost_s * SECOND
    return sentence_of(watch, log)


def test_an_alert_that_rang_later_is_told_as_later() -> None:
    watch = watch_of({"name": "A", "metric": UNDER}, {"name": "B", "metric": UNDER})
    watch.spans = [AlertSpan(rule, "", at * SECOND, at * SECOND, NEVER) for rule, at in ((0, 30), (1, 60))]
    said = sentence_of(watch, IncidentLog(set(), []))
    assert said == "Your pager rang first at 30.0 s, though no record was lost so far: A; later B."


def test_the_sentence_says_how_the_pager_stood_to_the_loss() -> None:
    assert sentence(None) == "Your pager did not ring."
    assert sentence(None, (30, 40)) == "Your pager rang first at 30.0 s, though no record was lost so far: A."
    assert sentence(50) == "Records were lost and your pager did not ring."
    assert sentence(50, (8, NEVER)) == "Your pager rang 42.0 s before the first record was lost: A."
    ended = "Your pager rang 8.0 s before the first record was lost: A; earlier alerts had ended by then."
    assert sentence(50, (8, 20), (42, NEVER)) == ended
    assert sentence(50, (50, NEVER)) == "Your pager rang at the moment when the first record was lost: A."
    late = "Your pager rang 5 min 12 s after the first record was lost: A; "
    assert sentence(8, (320, NEVER)) == late + "nothing told you earlier."
    assert sentence(8, (2, 5), (320, NEVER)) == late + "earlier alerts had ended by then."
    assert sentence(50, (10, 20)) == "Records were lost and your pager did not ring; earlier alerts had ended by then."


def test_lengths_of_time() -> None:
    assert [time_words(s * SECOND) for s in (9, 59, 60, 312, 3900)] == [
        "9.0 s",
        "59.0 s",
        "1 min",
        "5 min 12 s",
        "1 h 5 min",
    ]


def test_without_rules_the_account_says_so() -> None:
    watch = AlertWatch(Alerts(rules=[]), [])
    assert account_of(watch, IncidentLog(set(), []))["sentence"] == "This run has no alert rules."
    assert watch.next_us == NEVER


PRODUCER = [{"id": "P", "topic": "t", "rate": 20, "acks": 1}]


def with_alerts(*rules: dict[str, Any], **document: Any) -> World:
    return world(alerts={"scrape": "5s", "rules": [{"name": "A", **rule} for rule in rules]}, **document)


def test_an_incident_lasts_from_the_fault_until_the_cluster_is_whole() -> None:
    run = world(timeline=[{"at": "10s", "do": "kill 1"}, {"at": "20s", "do": "start 1"}], producers=PRODUCER)
    run.run(120 * SECOND)
    found: Any = run.alerts_account()
    assert [(one["from_us"], one["text"]) for one in found["unseen"]] == [(10 * SECOND, "kill 1")]
    assert 20 * SECOND < found["unseen"][0]["to_us"] < 60 * SECOND
    assert found["sentence"] == "Your pager did not ring."


def test_an_alert_that_saw_the_incident_and_one_with_nothing_behind_it() -> None:
    timeline = [{"at": "12s", "do": "kill 1"}, {"at": "60s", "do": "start 1"}]
    run = with_alerts(
        {"metric": UNDER}, {"name": "B", "metric": "PartitionCount"}, timeline=timeline, producers=PRODUCER
    )
    run.run(120 * SECOND)
    found: Any = run.alerts_account()
    assert found["unseen"] == []
    assert {span["rule"] for span in found["idle"]} == {1}
    assert {span["firing_us"] for span in found["idle"]} == {5 * SECOND}
    states = run.alerts.states(0, run.now_us)
    assert [state for _, state in states] == ["inactive", "firing", "inactive"]
    assert states[1][0] % (5 * SECOND) == 0
    assert 20 * SECOND <= states[1][0] <= 30 * SECOND  # broker 1 is fenced 9 s after its last heartbeat, and some


def test_a_group_lags_while_nobody_consumes() -> None:
    """MET-13: 20 records a second from 20 s on. A rule of a name that a group and its topic share means the group."""
    consumers = [
        {"id": name, "group": group, "topics": ["t"], "config": {"auto.commit.interval.ms": 1000}}
        for name, group in (("C", "t"), ("D", "other"))
    ]
    timeline = [{"at": "20s", "do": "close C"}, {"at": "20s", "do": "close D"}]
    run = with_alerts(
        {"metric": "ConsumerGroupLag", "of": "t", "figure": 100},
        consumers=consumers,
        producers=PRODUCER,
        timeline=timeline,
    )
    run.run(60 * SECOND)
    (span,) = run.alerts.spans
    assert (span.series, span.firing_us, span.ended_us) == ("group t, t-0", 30 * SECOND, NEVER)
    found: Any = run.alerts_account()
    assert found["idle"] == []


def test_the_default_rules_ring_for_a_group_that_falls_far_behind() -> None:
    """MET-13: 400 records a second, which nobody reads from 20 s on, are 10,000 after 25 s."""
    consumers = [{"id": "C", "group": "g", "topics": ["t"]}]
    producers = [{"id": "P", "topic": "t", "rate": 400}]
    timeline = [{"at": "20s", "do": "close C"}]
    run = world(consumers=consumers, producers=producers, timeline=timeline)
    run.run(130 * SECOND)
    (span,) = run.alerts.firings()
    assert run.alerts.rules[span.rule].name == "Consumer group lag"
    assert 105 * SECOND <= span.firing_us <= 120 * SECOND
    read = world(consumers=consumers, producers=producers)
    read.run(130 * SECOND)
    assert read.alerts.firings() == []


@pytest.mark.parametrize("pieces", [1, 7, 100])
def test_alerts_do_not_depend_on_how_a_run_is_cut_nor_a_run_on_its_alerts(pieces: int) -> None:
    timeline = [{"at": "12s", "do": "kill 1"}, {"at": "14s", "do": "kill 2"}, {"at": "60s", "do": "start 1"}]
    rules: list[dict[str, Any]] = [
        {"metric": UNDER},
        {"name": "B", "metric": "ActiveControllerCount", "comparison": "!=", "figure": 1},
    ]
    one, other = with_alerts(*rules, timeline=timeline), world(alerts={"rules": []}, timeline=timeline)
    for i in range(1, pieces + 1):
        end = 90 * SECOND * i // pieces
        while one.run(end, 50) < end:
            pass
    whole = with_alerts(*rules, timeline=timeline)
    whole.run(90 * SECOND)
    other.run(90 * SECOND)
    assert one.digest() == whole.digest() == other.digest()
    assert one.events == whole.events == other.events
    assert one.alerts.spans == whole.alerts.spans != []


def test_a_run_stops_for_its_budget_at_a_scrape_too() -> None:
    run = with_alerts({"metric": UNDER}, producers=PRODUCER)
    while run.run(30 * SECOND, 1) < 30 * SECOND:
        before = run.events
        run.run(30 * SECOND, 1)
        assert run.events - before <= 1


def test_incidents_that_touch_are_told_apart_from_firing_times() -> None:
    assert ClusterIncident(10, 20).overlaps(20, NEVER)
    assert not ClusterIncident(10, 20).overlaps(21, 30)
    assert not ClusterIncident(10, NEVER).overlaps(0, 9)
