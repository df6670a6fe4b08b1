from typing import Any

import pytest

from simengine.scenario import load, resolve, to_plain
from simengine.scenario.config_keys import SCOPES, SIMULATED
from simengine.scenario.config_known import KNOWN
from simengine.scenario.profiles import PROFILES, VERSIONS
from simengine.scenario.settings import ResolvedConsumerSettings, ResolvedProducerSettings, ignored_keys
from tests.documents.helpers import document, problem


def _producer(acks: str = "all", profile: str = "4.2", **config: Any) -> ResolvedProducerSettings:
    config = {key.replace("_", "."): value for key, value in config.items()}
    producers = [{"id": "P", "topic": "orders", "acks": acks, "config": config}]
    return resolve(document(profile=profile, producers=producers)).producers[0]


def test_defaults_are_those_of_kafka_4_2() -> None:
    settings = resolve(document())
    assert settings.elr
    broker = settings.brokers[0]
    assert (broker.heartbeat_interval_us, broker.session_timeout_us) == (2_000_000, 9_000_000)
    assert (broker.replica_lag_time_max_us, broker.fetch_wait_max_us) == (30_000_000, 500_000)
    assert settings.cluster.fencing_check_us == 1_125_000
    assert settings.cluster.rebalance_interval_us == 300_000_000
    producer = settings.producers[0]
    assert (producer.acks, producer.idempotence, producer.linger_us, producer.max_in_flight) == (-1, True, 5_000, 5)
    assert (producer.request_timeout_us, producer.delivery_timeout_us) == (30_000_000, 120_000_000)


def test_a_brokers_own_property_wins_over_the_clusters() -> None:
    brokers: list[Any] = [{"id": 1, "config": {"replica.lag.time.max.ms": 5000}}, 2, 3]
    settings = resolve(document(cluster={"brokers": brokers, "config": {"replica.lag.time.max.ms": 10_000}}))
    assert [broker.replica_lag_time_max_us for broker in settings.brokers] == [5_000_000, 10_000_000, 10_000_000]


def test_texts_of_numbers_and_booleans_are_read_as_such() -> None:
    cluster = {
        "brokers": [1, 2, 3],
        "config": {"replica.lag.time.max.ms": "5000", "auto.leader.rebalance.enable": "False"},
    }
    settings = resolve(document(cluster=cluster))
    assert settings.brokers[0].replica_lag_time_max_us == 5_000_000
    assert settings.cluster.auto_rebalance is False


def test_idempotence_is_on_by_default() -> None:
    assert _producer().idempotence


def test_acks_other_than_all_turn_idempotence_off_silently() -> None:
    assert not _producer("1").idempotence
    assert not _producer("0").idempotence


def test_no_retries_turn_idempotence_off_silently() -> None:
    assert not _producer(retries=0).idempotence


@pytest.mark.parametrize(
    ("acks", "config", "path"),
    [
        ("1", {"enable.idempotence": True}, "producers[0].acks"),
        ("all", {"enable.idempotence": True, "retries": 0}, "producers[0].config.retries"),
        (
            "all",
            {"max.in.flight.requests.per.connection": 6},
            "producers[0].config.max.in.flight.requests.per.connection",
        ),
        ("all", {"delivery.timeout.ms": 30_000}, "producers[0].config.delivery.timeout.ms"),
    ],
)
def test_what_the_producer_client_refuses_is_refused(acks: str, config: dict[str, Any], path: str) -> None:
    assert problem(producers=[{"id": "P", "topic": "orders", "acks": acks, "config": config}]).path == path


def test_without_idempotence_more_may_be_in_flight() -> None:
    config = {"max.in.flight.requests.per.connection": 6, "enable.idempotence": False}
    producers = [{"id": "P", "topic": "orders", "config": config}]
    assert resolve(document(producers=producers)).producers[0].max_in_flight == 6


def test_a_long_request_timeout_lengthens_a_default_delivery_timeout() -> None:
    config = {"request.timeout.ms": 200_000}
    producers = [{"id": "P", "topic": "orders", "config": config}]
    assert resolve(document(producers=producers)).producers[0].delivery_timeout_us == 200_005_000


def test_a_batch_holds_as_many_records_as_fit() -> None:
    producers = [{"id": "P", "topic": "orders", "record-bytes": 1000, "config": {"batch.size": 16384}}]
    assert resolve(document(producers=producers)).producers[0].batch_records == 16


def test_a_consumer_resets_to_latest_by_default() -> None:
    consumer: ResolvedConsumerSettings = resolve(document()).consumers[0]
    assert (consumer.reset, consumer.auto_commit, consumer.auto_commit_interval_us) == ("latest", True, 5_000_000)


def test_before_4_0_producers_do_not_linger() -> None:
    assert _producer(profile="3.7").linger_us == 0
    assert _producer(profile="4.0").linger_us == 5_000


def test_elr_is_on_by_default_since_4_1_and_the_document_may_say_otherwise() -> None:
    assert [document(profile=name).elr for name in VERSIONS] == [False, False, True, True, True, True]
    assert document(profile="4.0", elr=True).elr
    assert not document(profile="4.2", elr=False).elr


def test_3_7_says_that_it_was_not_checked() -> None:
    assert PROFILES["3.7"].label == "3.7 (not checked against a cluster)"
    assert PROFILES["4.4"].label == "4.4"


def test_the_legacy_profile_is_labelled_and_differs_from_4_2_by_truncation_alone() -> None:
    from dataclasses import replace

    legacy = PROFILES["legacy"]
    assert "teaching only" in legacy.label
    assert not legacy.checked
    today = replace(PROFILES["4.2"], name="legacy", checked=False, elr_possible=False, elr_default=False)
    assert replace(legacy, legacy=False) == today


def test_no_imported_cluster_is_taken_for_a_legacy_one() -> None:
    assert VERSIONS == ("3.7", "4.0", "4.1", "4.2", "4.3", "4.4")


def test_4_1_and_4_2_differ_in_the_order_of_the_isr_alone() -> None:
    """ISR-9: 4.1.1 appended who joined, 4.2 stores the ISR in ascending order."""
    from dataclasses import replace

    assert replace(PROFILES["4.1"], name="4.2", isr_sorted=True) == PROFILES["4.2"]


def test_4_3_and_4_4_differ_from_the_version_before_by_one_rule_each() -> None:
    """REA-3: a move waits for the added replicas. CON-12: a broker that is down keeps its rack."""
    from dataclasses import replace

    assert replace(PROFILES["4.2"], name="4.3", kept_may_be_out=True) == PROFILES["4.3"]
    assert replace(PROFILES["4.3"], name="4.4", offline_has_rack=True) == PROFILES["4.4"]


def test_a_document_without_a_version_runs_as_the_one_that_it_meant_when_it_was_written() -> None:
    plain = to_plain(document())
    del plain["profile"]
    assert load(plain).profile == "4.2"


def test_known_keys_without_effect_are_kept_and_listed() -> None:
    topics = [{"name": "orders", "assignment": [[1, 2, 3], [2, 3, 1]], "config": {"file.delete.delay.ms": 1000}}]
    found = document(topics=topics)
    assert found.topics[0].config == {"file.delete.delay.ms": 1000}
    assert ignored_keys(found) == [("topics[0].config", "file.delete.delay.ms")]


def test_a_key_is_either_simulated_or_ignored() -> None:
    for scope in SCOPES:
        assert not [name for name in KNOWN[scope] if name in SIMULATED[scope]]
        assert all(key.read(key.default) == key.default for key in SIMULATED[scope].values())
