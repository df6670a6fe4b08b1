"""Limits of storage: of one browser, of all, and the documents that a full server gives up first."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from playground.rooms.sandbox import new_sandbox
from playground.scenarios import limits, space, store
from playground.scenarios.models import Accepted, Scenario, Source
from playground.scenarios.owner import Maker
from simengine.scenario import load
from tests.rooms.site import QUIET

pytestmark = pytest.mark.django_db


def upload(owner: str) -> Scenario:
    return store.create(load(QUIET), by=Maker(owner), origin=Source.UPLOAD)


def test_the_size_of_a_document_is_known_and_gone_when_it_is_deleted() -> None:
    run = upload("one")
    assert run.bytes == len(run.body.encode()) > 0
    store.delete(run)
    assert Scenario.objects.get(pk=run.pk).bytes == 0


def test_what_one_browser_may_not_store_another_may(monkeypatch: pytest.MonkeyPatch) -> None:
    first = upload("greedy")
    monkeypatch.setattr(limits, "BYTES_A_BROWSER_MAX", first.bytes)
    with pytest.raises(store.StoreFull, match=r"runs of this browser would have more than .* delete some on My runs"):
        upload("greedy")
    upload("honest")
    store.delete(first)
    upload("greedy")


def test_a_throw_away_cookie_does_not_get_round_the_limit_of_an_address(monkeypatch: pytest.MonkeyPatch) -> None:
    page = Client(REMOTE_ADDR="192.0.2.7").post("/api/documents", QUIET, content_type="application/yaml")
    assert page.status_code == 201
    first = Scenario.objects.get(pk=page.json()["id"])
    monkeypatch.setattr(limits, "BYTES_AN_ADDRESS_MAX", first.bytes)
    for kept_no_cookie in (Client(REMOTE_ADDR="192.0.2.7"), Client(REMOTE_ADDR="192.0.2.7")):
        full = kept_no_cookie.post("/api/documents", QUIET, content_type="application/yaml")
        assert full.status_code == 409
        assert re.search(r"from your address would have more than .* MiB, the limit; delete", full.json()["error"])
    elsewhere = Client(REMOTE_ADDR="192.0.2.8").post("/api/documents", QUIET, content_type="application/yaml")
    assert elsewhere.status_code == 201
    store.delete(first)
    again = Client(REMOTE_ADDR="192.0.2.7").post("/api/documents", QUIET, content_type="application/yaml")
    assert again.status_code == 201


def test_a_run_of_an_experiment_counts_for_the_address_that_opened_it(monkeypatch: pytest.MonkeyPatch) -> None:
    replay = store.create(load(QUIET), by=Maker("asker", "here"), origin=Source.WHAT_IF)
    monkeypatch.setattr(limits, "BYTES_AN_ADDRESS_MAX", replay.bytes)
    with pytest.raises(store.StoreFull, match="from your address"):
        store.create(load(QUIET), by=Maker("asker", "here"), origin=Source.WHAT_IF)
    store.create(load(QUIET), by=Maker("asker", "there"), origin=Source.WHAT_IF)


def test_runs_of_experiments_that_anybody_opens_do_not_count_for_their_owner(monkeypatch: pytest.MonkeyPatch) -> None:
    replay = store.create(load(QUIET), by=Maker("asker"), origin=Source.WHAT_IF)
    monkeypatch.setattr(limits, "BYTES_A_BROWSER_MAX", replay.bytes)
    monkeypatch.setattr(limits, "SCENARIOS_A_BROWSER_MAX", 1)
    upload("asker")


def test_a_full_server_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "BYTES_MAX", upload("one").bytes)
    with pytest.raises(store.StoreFull, match=r"this server is full.*delete some of yours on My runs"):
        upload("two")


def test_a_full_server_first_gives_up_old_sandboxes_in_which_nobody_acted(monkeypatch: pytest.MonkeyPatch) -> None:
    idle, acted = new_sandbox(Maker("idle")), new_sandbox(Maker("acted"))
    new_sandbox(Maker("fresh"))
    Accepted.objects.create(scenario=acted, number=0, at_us=1, do="kill 1")
    old = timezone.now() - timedelta(days=limits.SANDBOX_KEPT_DAYS + 1)
    Scenario.objects.filter(pk__in=[idle.pk, acted.pk]).update(touched=old)
    upload("one")
    monkeypatch.setattr(limits, "BYTES_MAX", space._bytes_of(Scenario.objects.all()))
    new_sandbox(Maker("newcomer"))
    left = set(Scenario.objects.values_list("owner", flat=True))
    assert left == {"acted", "fresh", "one", "newcomer"}
