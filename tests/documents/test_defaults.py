"""Defaults and version switches, held against Kafka's own."""

import csv
from pathlib import Path

import pytest

from simengine.scenario.config_keys import (
    BROKER,
    CONSUMER,
    PRODUCER,
    SCOPES,
    SIMULATED,
    TOPIC,
    ConfigKey,
    Value,
)
from simengine.scenario.config_known import DEFAULT, GONE, KNOWN
from simengine.scenario.profiles import PROFILES, VERSIONS

LIST = Path(__file__).parent / "kafka_defaults.tsv"
"""Kafka's own defaults, as its ConfigDef prints them: broker, topic, producer, consumer, and MirrorMaker with Connect.

3.7 is 3.7.2, 4.0 is 4.0.0, 4.1 is 4.1.1, 4.2 is 4.2.1 (its MirrorMaker 4.2.0). 4.3.1 and 4.4.0 changed none of them.
"""
SAME_AS = {"4.3": "4.2", "4.4": "4.2"}
ABSENT, UNSET = "(absent)", "(null)"


def kafkas() -> dict[tuple[str, str], dict[str, str]]:
    """The default by version of each scope and key."""
    with LIST.open(encoding="utf-8") as lines:
        rows = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
        return {(row.pop("scope"), row.pop("name")): row for row in rows}


def as_printed(key: ConfigKey, default: Value) -> str:
    """A default of ours as Kafka prints it."""
    if key.instead or default == "":
        return UNSET
    return str(default).lower() if isinstance(default, bool) else str(default).replace(", ", ",")


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("scope", SCOPES)
def test_every_simulated_key_has_kafkas_default(scope: str, version: str) -> None:
    theirs = {name: row[SAME_AS.get(version, version)] for (of, name), row in kafkas().items() if of == scope}
    defaults = PROFILES[version].defaults
    ours = {name: as_printed(key, defaults.get(name, key.default)) for name, key in SIMULATED[scope].items()}
    assert ours == {name: (theirs[name] or UNSET) if theirs[name] != ABSENT else ours[name] for name in ours}


@pytest.mark.parametrize("scope", [BROKER, TOPIC, PRODUCER, CONSUMER])
def test_every_key_of_kafka_is_simulated_or_known_with_a_reason(scope: str) -> None:
    names = {name for of, name in kafkas() if of == scope}
    assert names <= SIMULATED[scope].keys() | KNOWN[scope].keys()
    assert all(KNOWN[scope].values())


@pytest.mark.parametrize("scope", [BROKER, TOPIC, PRODUCER, CONSUMER])
def test_a_key_is_gone_if_and_only_if_kafka_4_2_has_it_no_more(scope: str) -> None:
    rows = kafkas()
    gone = {name for name, reason in KNOWN[scope].items() if reason == GONE}
    assert not {name for name in gone if rows.get((scope, name), {}).get("4.2", ABSENT) != ABSENT}
    defaulted = {name for name, reason in KNOWN[scope].items() if reason == DEFAULT}
    assert {name for name in defaulted if (scope, name) not in rows} <= {"listener.name"}


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


def test_only_3_7_has_other_defaults() -> None:
    assert [name for name, profile in PROFILES.items() if profile.defaults] == ["3.7"]
    assert PROFILES["3.7"].defaults.keys() == {"linger.ms", "topics.exclude"}  # PC-1, MM-3
