"""Token buckets: a burst at once, then a steady rate, each key for itself."""

import pytest
from django.test import RequestFactory

from playground.scenarios import rates, replies
from playground.scenarios.limits import CREATES_A_MINUTE, CREATES_AN_ADDRESS_A_MINUTE, SANDBOXES_A_MINUTE
from playground.scenarios.rates import Buckets, TokenBucket


@pytest.fixture
def wall(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time that buckets see, in a list of one."""
    now = [100.0]
    monkeypatch.setattr("playground.scenarios.rates.time.monotonic", lambda: now[0])
    return now


def test_a_burst_passes_and_then_the_rate_holds(wall: list[float]) -> None:
    bucket = TokenBucket(per_second=2, burst=3)
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]
    wall[0] += 0.5
    assert [bucket.take() for _ in range(2)] == [True, False]


def test_rest_saves_no_more_than_the_burst(wall: list[float]) -> None:
    bucket = TokenBucket(per_second=2, burst=3)
    wall[0] += 1000
    assert sum(bucket.take() for _ in range(10)) == 3


def test_each_key_has_its_own_bucket(wall: list[float]) -> None:
    buckets = Buckets(per_second=1, burst=1)
    assert buckets.take("a") and buckets.take("b") and not buckets.take("a")


def test_keys_are_forgotten_when_there_are_too_many(wall: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rates, "KEYS_MAX", 2)
    buckets = Buckets(per_second=1, burst=1)
    for key in ("a", "b", "c"):
        buckets.take(key)
    assert buckets.take("a")


def test_a_browser_makes_a_limited_number_of_runs_a_minute() -> None:
    request = RequestFactory().post("/", REMOTE_ADDR="192.0.2.1")
    made = [replies.may_create(request, "somebody") for _ in range(CREATES_A_MINUTE + 5)]
    assert made[:CREATES_A_MINUTE] == [True] * CREATES_A_MINUTE and not made[-1]
    assert str(CREATES_A_MINUTE) in replies.TOO_OFTEN


def test_an_address_brings_a_limited_number_of_new_visitors_a_minute() -> None:
    made = [replies.may_start_sandbox("192.0.2.1") for _ in range(SANDBOXES_A_MINUTE + 10)]
    assert all(made[:SANDBOXES_A_MINUTE]) and not made[-1]
    assert str(SANDBOXES_A_MINUTE) in replies.TOO_MANY_VISITORS


def test_clients_without_a_cookie_are_limited_by_their_address() -> None:
    request = RequestFactory().post("/", REMOTE_ADDR="192.0.2.2")
    made = [replies.may_create(request, f"new {number}") for number in range(CREATES_AN_ADDRESS_A_MINUTE + 5)]
    assert sum(made) in range(CREATES_AN_ADDRESS_A_MINUTE, CREATES_AN_ADDRESS_A_MINUTE + 3)
