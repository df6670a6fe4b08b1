"""Token buckets: a burst at once, then a steady rate, each key for itself."""

import time
from collections import OrderedDict

import pytest
from django.test import RequestFactory

from playground.engine.turns import Holder
from playground.scenarios import rates, replies
from playground.scenarios.limits import CREATES_A_MINUTE, CREATES_AN_ADDRESS_A_MINUTE, SANDBOXES_A_MINUTE
from playground.scenarios.rates import NEWCOMER_S, Buckets, Rate, TokenBucket, VisitorRates, counted


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


def test_a_browser_makes_a_limited_number_of_runs_a_minute(wall: list[float]) -> None:
    request = RequestFactory().post("/", REMOTE_ADDR="192.0.2.1")
    counted(Holder("192.0.2.1", "somebody"))
    wall[0] += NEWCOMER_S
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
    most = CREATES_AN_ADDRESS_A_MINUTE // 2  # newcomers leave the rest to those who are known
    assert sum(made) in range(most, most + 3)


ADDRESS = Rate(per_second=1, burst=8)


def known(*browsers: str, address: str = "a") -> list[Holder]:
    """Visitors whom this process has seen for a while."""
    visitors = [Holder(address, browser) for browser in browsers]
    for visitor in visitors:
        rates._first_seen[visitor.browser] = time.monotonic() - NEWCOMER_S
    return visitors


def test_a_cookie_made_a_moment_ago_has_no_burst_of_its_own(wall: list[float]) -> None:
    limit = VisitorRates(Rate(per_second=1, burst=3), ADDRESS)
    assert [limit.take(Holder("a", f"thrown away {number}")) for number in range(6)] == [True] * 4 + [False] * 2
    assert not limit.take(Holder("a", "")), "nor has who keeps no cookie"
    assert limit.take(Holder("b", "thrown away 0")), "another address has its own"


def test_newcomers_leave_half_of_an_address_to_those_who_are_known(wall: list[float]) -> None:
    limit = VisitorRates(Rate(per_second=1, burst=3), ADDRESS)
    (one,) = known("one of long")
    assert not all(limit.take(Holder("a", f"new {number}")) for number in range(20))
    assert [limit.take(one) for _ in range(4)] == [True, True, True, False]


def test_a_browser_at_its_own_limit_takes_nothing_from_its_address(wall: list[float]) -> None:
    limit = VisitorRates(Rate(per_second=1, burst=3), ADDRESS)
    greedy, other = known("greedy", "other of it")
    for _ in range(100):
        limit.take(greedy)
    assert [limit.take(other) for _ in range(3)] == [True] * 3


def test_all_browsers_of_an_address_have_a_limit_together(wall: list[float]) -> None:
    limit = VisitorRates(Rate(per_second=1, burst=3), ADDRESS)
    assert sum(limit.take(one) for one in known(*map(str, range(20)))) == ADDRESS.burst


def test_a_browser_is_no_newcomer_some_seconds_after_it_was_first_seen(wall: list[float]) -> None:
    visitor = Holder("a", "first seen now")
    assert counted(visitor) == Holder("a", "")
    wall[0] += NEWCOMER_S
    assert counted(visitor) == visitor


def test_browsers_that_were_seen_are_forgotten_when_there_are_too_many(
    wall: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rates, "KEYS_MAX", 2)
    monkeypatch.setattr(rates, "_first_seen", OrderedDict())
    for browser in "abc":
        counted(Holder("x", browser))
    assert list(rates._first_seen) == ["b", "c"]
