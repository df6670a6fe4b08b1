from typing import Any

import pytest

from simengine.scenario import limits, load
from tests.documents.helpers import plain, problems


def test_a_hundred_brokers_are_accepted_and_one_more_is_not() -> None:
    def cluster(count: int) -> dict[str, Any]:
        return {"cluster": {"brokers": list(range(count))}, "topics": [], "producers": [], "consumers": []}

    assert len(load(plain(**cluster(limits.BROKERS_MAX))).brokers) == limits.BROKERS_MAX
    assert "at most 100" in str(problems(plain(**cluster(limits.BROKERS_MAX + 1)))[0])


def test_ten_thousand_partitions_are_accepted_and_one_more_is_not() -> None:
    def topics(count: int) -> list[dict[str, Any]]:
        half = count // 2
        return [
            {"name": "orders", "assignment": [[1]] * half},
            {"name": "payments", "assignment": [[2]] * (count - half)},
        ]

    load(plain(topics=topics(limits.PARTITIONS_MAX)))
    assert "limit is 10000" in str(problems(plain(topics=topics(limits.PARTITIONS_MAX + 1)))[0])


def test_ten_thousand_actions_are_accepted_and_one_more_is_not() -> None:
    def timeline(count: int) -> list[dict[str, str]]:
        return [{"at": "1s", "do": "heal"}] * count

    load(plain(timeline=timeline(limits.TIMELINE_MAX)))
    assert "at most 10000" in str(problems(plain(timeline=timeline(limits.TIMELINE_MAX + 1)))[0])


def test_a_thousand_clients_are_accepted_and_one_more_is_not() -> None:
    def producers(count: int) -> list[dict[str, Any]]:
        return [{"id": f"P{i}", "topic": "orders"} for i in range(count)]

    load(plain(producers=producers(limits.CLIENTS_MAX), consumers=[]))
    assert problems(plain(producers=producers(limits.CLIENTS_MAX)))


@pytest.mark.parametrize(
    "changes",
    [
        {"title": "x" * (limits.TITLE_MAX + 1)},
        {"about": "x" * (limits.TEXT_MAX + 1)},
        {"seed": limits.SEED_MAX + 1},
        {"cluster": {"brokers": [1, 2, 3], "controllers": list(range(50, 51 + limits.CONTROLLERS_MAX))}},
        {"producers": [{"id": "x" * (limits.ID_MAX + 1), "topic": "orders"}]},
        {"producers": [{"id": "P", "topic": "orders", "rate": limits.RATE_MAX + 1}]},
        {"producers": [{"id": "P", "topic": "orders", "resend": limits.RESEND_MAX + 1}]},
        {"basis": {"from": {f"value-{i}": "read" for i in range(limits.BASIS_MAX + 1)}}},
        {"basis": {"log_mb": limits.LOG_MB_MAX + 1}},
        {"basis": {"copy_mb_per_s": limits.COPY_MB_PER_S_MAX + 1}},
        {"producers": [{"id": "P", "topic": "orders", "record-bytes": limits.RECORD_BYTES_MAX + 1}]},
        {"network": {"latency": "61s"}},
        {"cluster": {"brokers": [1, 2, 3], "config": {f"k{i}": i for i in range(limits.CONFIG_KEYS_MAX + 1)}}},
    ],
)
def test_what_is_above_a_limit_is_refused(changes: dict[str, Any]) -> None:
    assert problems(plain(**changes))


def test_a_short_text_whose_aliases_stand_for_a_huge_one_is_refused() -> None:
    text = "x" * limits.TEXT_MAX
    head = "format: 1\ncluster: {brokers: [1], controllers: [100]}\ntopics: [{name: t, assignment: [[1]]}]\n"
    for key, entry in (("captions", "{at: 1s, text: %s}"), ("timeline", "{at: 1s, do: %s}"), ("expect", "{lost: %s}")):
        lines = "".join(f"  - {entry % '*a'}\n" for _ in range(500))
        found = problems(f"{head}about: &a {text}\n{key}:\n{lines}")
        assert "with its aliases written out longer than 4,194,304 characters" in str(found[0]), key
    few = "".join("  - {at: 1s, text: *a}\n" for _ in range(3))
    assert len(load(f"{head}about: &a {text}\ncaptions:\n{few}").captions) == 3
