"""docs/rules/settings.md, line by line: what Kafka 4.2 goes by where nothing is set, and how its versions differ."""

import pytest

from simengine.scenario.config_keys import BROKER, CONSUMER, INT_MAX, LONG_MAX, PRODUCER, SIMULATED, TOPIC
from simengine.scenario.profiles import PROFILES

WEEK_MS = 7 * 24 * 3600 * 1000
GIB = 2**30
DEFAULTS: dict[str, dict[str, int | bool | str]] = {
    BROKER: {
        "min.insync.replicas": 1,
        "unclean.leader.election.enable": False,
        "log.flush.interval.messages": LONG_MAX,
        "broker.heartbeat.interval.ms": 2_000,
        "broker.session.timeout.ms": 9_000,
        "initial.broker.registration.timeout.ms": 60_000,
        "replica.lag.time.max.ms": 30_000,
        "replica.fetch.wait.max.ms": 500,
        "replica.fetch.backoff.ms": 1_000,
        "num.replica.fetchers": 1,
        "replica.socket.timeout.ms": 30_000,
        "replica.high.watermark.checkpoint.interval.ms": 5_000,
        "unclean.leader.election.interval.ms": 300_000,
        "auto.leader.rebalance.enable": True,
        "leader.imbalance.check.interval.seconds": 300,
        "controlled.shutdown.enable": True,
        "replica.selector.class": "",
        "controller.quorum.fetch.timeout.ms": 2_000,
        "controller.quorum.append.linger.ms": 25,
        "controller.socket.timeout.ms": 30_000,
        "request.timeout.ms": 30_000,
        "offsets.topic.replication.factor": 3,
        "group.initial.rebalance.delay.ms": 3_000,
        "offsets.retention.minutes": 10_080,
        "offsets.retention.check.interval.ms": 600_000,
        "log.retention.ms": WEEK_MS,  # unset in Kafka, as the minutes are: the hours count then
        "log.retention.minutes": WEEK_MS // 60_000,
        "log.retention.hours": 168,
        "log.retention.bytes": -1,
        "log.segment.bytes": GIB,
        "log.roll.ms": WEEK_MS,
        "log.roll.hours": 168,
        "log.retention.check.interval.ms": 300_000,
        "log.initial.task.delay.ms": 30_000,
        "log.cleanup.policy": "delete",
    },
    TOPIC: {
        "min.insync.replicas": 1,
        "unclean.leader.election.enable": False,
        "flush.messages": LONG_MAX,
        "retention.ms": WEEK_MS,
        "retention.bytes": -1,
        "segment.ms": WEEK_MS,
        "segment.bytes": GIB,
        "cleanup.policy": "delete",
    },
    PRODUCER: {
        "acks": "all",
        "enable.idempotence": True,
        "linger.ms": 5,
        "batch.size": 16_384,
        "max.in.flight.requests.per.connection": 5,
        "retries": INT_MAX,
        "retry.backoff.ms": 100,
        "retry.backoff.max.ms": 1_000,
        "request.timeout.ms": 30_000,
        "delivery.timeout.ms": 120_000,
        "metadata.max.age.ms": 300_000,
        "max.block.ms": 60_000,
    },
    CONSUMER: {
        "auto.offset.reset": "latest",
        "isolation.level": "read_uncommitted",
        "enable.auto.commit": True,
        "auto.commit.interval.ms": 5_000,
        "fetch.max.wait.ms": 500,
        "session.timeout.ms": 45_000,
        "heartbeat.interval.ms": 3_000,
        "max.poll.interval.ms": 300_000,
        "request.timeout.ms": 30_000,
        "retry.backoff.ms": 100,
        "retry.backoff.max.ms": 1_000,
        "metadata.max.age.ms": 300_000,
    },
}


@pytest.mark.parametrize("scope", sorted(DEFAULTS))
def test_every_simulated_key_has_kafkas_default(scope: str) -> None:
    assert {name: key.default for name, key in SIMULATED[scope].items()} == DEFAULTS[scope]


@pytest.mark.parametrize(
    ("switch", "since"),
    [
        ("elr_possible", "4.0"),  # ELR-1
        ("elr_default", "4.1"),
        ("metadata_on_commit", "4.1"),  # QUO-5
        ("last_known_must_be_active", "4.1"),  # ELR-6
        ("fetch_epoch_filter", "4.1"),  # LOG-9
        ("isr_sorted", "4.2"),  # ISR-9
        ("kept_may_be_out", "4.3"),  # REA-3
        ("offline_has_rack", "4.4"),  # CON-12
        ("periodic_unclean", "4.0"),  # UNC-2
        ("fencing_by_ticks", "4.0"),  # LIVE-3
        ("heartbeat_fixed_retry", "4.1"),  # LIVE-1, REG-2
    ],
)
def test_a_rule_that_is_not_that_of_all_versions_holds_since(switch: str, since: str) -> None:
    versions = ["3.7", "4.0", "4.1", "4.2", "4.3", "4.4"]
    held = [name for name in versions if getattr(PROFILES[name], switch)]
    assert held == versions[versions.index(since) :]
    assert getattr(PROFILES["legacy"], switch) is (not switch.startswith("elr") and getattr(PROFILES["4.2"], switch))


def test_only_producers_before_4_0_had_another_default() -> None:
    """PC-1."""
    assert {name: dict(profile.defaults) for name, profile in PROFILES.items() if profile.defaults} == {
        "3.7": {"linger.ms": 0}
    }
