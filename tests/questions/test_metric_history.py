"""A metric over a run is what the alert rules read, in each series, and its thresholds are those of the rules."""

from typing import Any

from simengine.questions.metric_history import SAMPLES, SERIES_MAX, metric_history
from simengine.scenario import load

S = 1_000_000
DOCUMENT: dict[str, Any] = {
    "format": 1,
    "title": "A broker is down from 10 s on",
    "seed": 1,
    "cluster": {"brokers": [1, 2, 3], "controllers": [100]},
    "topics": [{"name": "t", "assignment": [[1, 2, 3]]}],
    "producers": [{"id": "P", "topic": "t", "rate": 20}],
    "consumers": [{"id": "C", "group": "g", "topics": ["t"]}],
    "timeline": [{"at": "10s", "do": "kill 3"}],
    "alerts": {"scrape": "5s", "rules": [{"name": "Missing", "metric": "UnderReplicatedPartitions", "figure": 2}]},
}


def history(metric: str, of: str = "", document: dict[str, Any] = DOCUMENT) -> dict[str, Any]:
    return metric_history(load(document), metric, of, 60 * S)


def values(found: dict[str, Any]) -> dict[str, list[float | None]]:
    return {series["name"]: series["values"] for series in found["series"]}


def test_a_gauge_of_each_broker_and_the_rules_that_read_it() -> None:
    found = history("UnderReplicatedPartitions")
    assert len(found["t_us"]) == SAMPLES
    assert found["t_us"][-1] == 60 * S
    told = values(found)
    assert [told["broker 1"][0], told["broker 1"][-1]] == [0, 2]  # t-0, and the offsets of the group
    assert told["broker 3"][-1] is None
    rises = next(at for at, value in zip(found["t_us"], told["broker 1"], strict=True) if value)
    assert 15 * S < rises < 25 * S  # fenced 9 s after its last heartbeat, and some
    assert found["rules"] == [{"name": "Missing", "words": "UnderReplicatedPartitions > 2", "figure": 2}]
    assert not found["is_rate"]


def test_a_partition_a_group_and_a_metric_that_is_added_up() -> None:
    assert set(values(history("LogEndOffset", "t-0"))) == {f"broker {broker}, t-0" for broker in (1, 2, 3)}
    assert set(values(history("ConsumerGroupLag", "g"))) == {"group g, t-0"}
    assert set(values(history("ActiveControllerCount"))) == {"all together"}
    assert history("UnderReplicatedPartitions", "nobody")["series"] == []


def test_a_counter_is_a_rate_and_only_the_lines_that_vary_most_are_told() -> None:
    found = history("IsrShrinksPerSec")
    assert found["is_rate"]
    assert max(value or 0 for line in values(found).values() for value in line) <= 1
    topics = [{"name": "t", "assignment": [[1, 2, 3]] * 5}]
    many = history("LogEndOffset", document=DOCUMENT | {"topics": topics})
    assert (len(many["series"]), many["left_out"]) == (SERIES_MAX, 18 - SERIES_MAX)  # 15 copies of t, 3 of the offsets


def test_a_counter_of_a_long_run_has_a_rate_between_samples_that_are_far_apart() -> None:
    document = DOCUMENT | {
        "alerts": {"scrape": "1s"},
        "timeline": [{"at": "400s", "do": "kill 3"}, {"at": "500s", "do": "start 3"}],
    }
    found = metric_history(load(document), "IsrExpandsPerSec", "", 2_400 * S)
    assert any(value for line in values(found).values() for value in line)


def test_a_run_at_its_start_has_no_values() -> None:
    found = metric_history(load(DOCUMENT), "LogEndOffset", "", 0)
    assert (found["t_us"], found["series"]) == ([], [])
