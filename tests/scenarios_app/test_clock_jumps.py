"""The machine's clock is set forward or back by an hour: who somebody is, and how often he may do what, stays."""

import re
import time

import pytest
from django.test import Client

from playground.environment import ROOT
from playground.scenarios.rates import TokenBucket
from tests.scenarios_app.test_store import DOCUMENT

HOUR = 3_600.0
WALL_CLOCK = re.compile(r"\btime\.time\(|\bdatetime\.(now|utcnow|today)\(|\bdate\.today\(")


@pytest.fixture(params=[HOUR, -HOUR], ids=["forward", "back"])
def jump(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> "Jump":
    return Jump(request.param, monkeypatch)


class Jump:
    """Sets the wall clock; the monotonic one goes on."""

    def __init__(self, seconds: float, patched: pytest.MonkeyPatch) -> None:
        self._seconds, self._patched, self._wall = seconds, patched, time.time

    def now(self) -> None:
        self._patched.setattr(time, "time", lambda: self._wall() + self._seconds)


@pytest.mark.django_db
def test_a_browser_stays_who_it_is(client: Client, jump: Jump) -> None:
    client.get("/import")  # a browser is known from there on
    made = client.post("/api/documents", DOCUMENT, content_type="application/yaml")
    assert made.status_code == 201
    run = made.json()["id"]
    jump.now()
    assert run in client.get("/runs").content.decode()
    assert client.post(f"/s/{run}/delete").status_code < 400
    assert client.get(f"/s/{run}.json").status_code == 410


def test_a_limit_of_requests_neither_opens_nor_stays_shut(jump: Jump, monkeypatch: pytest.MonkeyPatch) -> None:
    monotonic = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: monotonic[0])
    bucket = TokenBucket(per_second=1, burst=2)
    assert [bucket.take() for _ in range(3)] == [True, True, False]
    jump.now()
    assert not bucket.take()
    monotonic[0] += 1.0
    assert bucket.take()


def test_no_time_that_passes_is_measured_by_the_wall_clock() -> None:
    """`timezone.now` is for what people read: when something was made, begun or ended."""
    used = [path for path in (ROOT / "playground").rglob("*.py") if WALL_CLOCK.search(path.read_text())]
    assert used == []
