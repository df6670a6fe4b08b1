"""Alert rules in a document: what they may say, every error in words, and the file for Prometheus."""

from typing import Any

import pytest
import yaml

from simengine.alerts.prometheus import rule_file
from simengine.commands import alerts as command
from simengine.scenario import load, to_plain
from simengine.scenario.alerts import default_alerts
from simengine.scenario.expect import failures, read_all
from simengine.scenario.expect.observed import Observation
from tests.documents.helpers import document, plain, problem, timeline


def rules(*entries: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "rules": [{"name": f"rule {i}", "metric": "UnderReplicatedPartitions", **one} for i, one in enumerate(entries)],
        **more,
    }


def test_a_document_without_alerts_has_the_default_rules() -> None:
    bare = document()
    assert "alerts" not in to_plain(bare)
    assert [rule.words for rule in bare.alerts.rules] == [
        "UnderReplicatedPartitions > 0 for 5m",
        "OfflinePartitionsCount > 0",
        "UnderMinIsrPartitionCount > 0",
        "ActiveControllerCount != 1",
        "IsrShrinksPerSec > 0 per second for 2m",
        "ConsumerGroupLag > 10000 for 1m",
    ]
    assert bare.alerts.scrape_us == 15_000_000
    assert document(alerts={"rules": []}).alerts.rules == []
    assert default_alerts(has_mirrors=True).rules[-1].words == "replication-latency-ms > 10000 for 1m"


def test_rules_are_written_as_they_were_read() -> None:
    written = rules(
        {"of": 2, "for": "90s"}, {"metric": "IsrShrinksPerSec", "comparison": ">=", "figure": 0.05}, scrape="30s"
    )
    doc = document(alerts=written)
    plain_rules = to_plain(doc)["alerts"]
    assert plain_rules["scrape"] == "30s"
    assert plain_rules["rules"][0] == {"name": "rule 0", "metric": "UnderReplicatedPartitions", "of": "2", "for": "90s"}
    assert plain_rules["rules"][1]["figure"] == 0.05
    assert load(to_plain(doc)) == doc


@pytest.mark.parametrize(
    ("alerts", "told"),
    [
        ({"scrape": "0"}, "scrape: not an interval of scrapes (got 0). Allowed: 1s to 10m."),
        (
            rules({"metric": "UnderReplicated"}),
            "rules[0].metric: no metric has this name (got UnderReplicated); did you mean UnderReplicatedPartitions?",
        ),
        (rules({"comparison": "=>"}), "rules[0].comparison: not a value of this key (got =>). Allowed: >, >=, <,"),
        (rules({"figure": -1}), "rules[0].figure: not a figure to compare with (got -1). Allowed: a number from 0 to"),
        (rules({"figure": 0.0001}), "rules[0].figure: finer than a thousandth"),
        (rules({"for": 5}), "rules[0].for: a duration needs a unit (got 5); did you mean 5s?"),
        (rules({"of": 9}), "rules[0].of: UnderReplicatedPartitions has no series of '9'. Allowed: 1, 2, 3."),
        (
            rules({"of": "orders"}),
            "rules[0].of: UnderReplicatedPartitions has no series of 'orders'. Allowed: 1, 2, 3.",
        ),
        (rules({"metric": "ConsumerGroupLag", "of": "h"}), "rules[0].of: ConsumerGroupLag has no series of 'h'"),
        (
            rules({"metric": "ActiveControllerCount", "of": 100}),
            "rules[0].of: ActiveControllerCount is added up over all processes (got 100). Allowed: no of.",
        ),
        (rules({}, {"name": "rule 0"}), "rules[1].name: named twice (got rule 0). Allowed: a name of its own."),
        (rules({"fro": "5m"}), "rules[0].fro: unknown key"),
    ],
)
def test_errors_name_place_value_and_what_is_allowed(alerts: dict[str, Any], told: str) -> None:
    assert str(problem(alerts=alerts)).startswith(f"alerts.{told}")


def test_a_rule_may_be_of_what_the_timeline_creates() -> None:
    doc = document(timeline=timeline("create later 2 3"), alerts=rules({"metric": "ConsumerLag", "of": "later-1"}))
    assert doc.alerts.rules[0].of == "later-1"


def test_the_rule_file_is_yaml_with_the_names_of_the_exporter() -> None:
    doc = document(
        alerts=rules(
            {"name": 'It\'s "bad"', "for": "90s", "of": 1},
            {"metric": "IsrShrinksPerSec", "figure": 0.1},
            {"metric": "ActiveControllerCount", "comparison": "!=", "figure": 1},
            {"metric": "ConsumerGroupLag", "of": "g", "figure": 500},
            {"metric": "ConsumerLag", "of": "orders-1"},
            {"metric": "ConsumerLag", "of": "orders"},
        )
    )
    (group,) = yaml.safe_load(rule_file(doc))["groups"]
    assert group["interval"] == "15s"
    assert group["rules"] == [
        {
            "alert": 'It\'s "bad"',
            "expr": 'kafka_server_replicamanager_underreplicatedpartitions{instance="INSTANCE_OF_1"} > 0',
            "for": "1m30s",
        },
        {"alert": "rule 1", "expr": "rate(kafka_server_replicamanager_isrshrinks_total[1m]) > 0.1"},
        {"alert": "rule 2", "expr": "sum(kafka_controller_kafkacontroller_activecontrollercount) != 1"},
        {"alert": "rule 3", "expr": 'kafka_consumergroup_lag{consumergroup="g"} > 500'},
        {"alert": "rule 4", "expr": 'kafka_server_fetcherlagmetrics_consumerlag{topic="orders",partition="1"} > 0'},
        {"alert": "rule 5", "expr": 'kafka_server_fetcherlagmetrics_consumerlag{topic="orders"} > 0'},
    ]
    assert yaml.safe_load(rule_file(document(alerts={"rules": []})))["groups"][0]["rules"] == []


def test_the_command_prints_alerts_and_rules(tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "document.yaml"
    killed = plain(timeline=[{"at": "5s", "do": "kill 1"}], until="40s", alerts=rules({"name": "Missing"}))
    path.write_text(yaml.safe_dump(killed))
    assert command.main([str(path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "alerts: Your pager rang first at 15.0 s, though no record was lost so far: Missing."
    assert "  Missing: broker 2 fires from 15.0 s" in lines
    assert command.main([str(path), "--prometheus"]) == 0
    assert yaml.safe_load(capsys.readouterr().out)["groups"][0]["rules"][0]["alert"] == "Missing"


def judged(states: list[tuple[int, str]], **entry: Any) -> list[str]:
    expectations, problems = read_all([{"alert": "A", **entry}])
    assert not problems
    observed = Observation({"topics": [], "partitions": [], "clients": []}, 100_000_000)
    observed.alerts = {"A": states}
    return failures(expectations, observed)


def test_an_expectation_says_when_an_alert_fires() -> None:
    states = [(0, "inactive"), (15_000_000, "pending"), (30_000_000, "firing"), (60_000_000, "inactive")]
    assert judged(states, state="firing", within=["10s", "40s"]) == []
    assert judged(states, state="firing", at="59s") == []
    assert judged(states, state="firing", never=["60s", "100s"]) == []
    (late,) = judged(states, state="firing", within=["10s", "20s"])
    assert late.endswith("it came at 30s")
    assert judged(states, state="firing", never=["0s", "100s"])


def test_an_expectation_of_an_alert_names_a_rule_and_a_state() -> None:
    told = problem(expect=[{"alert": "Ofline partitions", "state": "firing"}])
    assert (told.path, told.near) == ("expect[0]", "Offline partitions")
    told = problem(expect=[{"alert": "Offline partitions", "state": "rings"}])
    assert (told.path, told.allowed) == ("expect[0].state", "inactive, pending, firing")
    told = problem(expect=[{"alert": "Offline partitions", "state": "firing", "at": "2h"}])
    assert told.message == "later than the end of the run"
