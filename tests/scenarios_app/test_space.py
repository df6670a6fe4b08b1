"""How much may be stored: by one browser, by all, and what a full server gives up first."""

from datetime import timedelta

import pytest
from django.utils import timezone

from playground.rooms.sandbox import new_sandbox
from playground.scenarios import limits, space, store
from playground.scenarios.models import Accepted, Scenario, Source
from simengine.scenario import load
from tests.rooms.site import QUIET

pytestmark = pytest.mark.django_db


def upload(owner: str) -> Scenario:
    return store.create(load(QUIET), owner=owner, origin=Source.UPLOAD)


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


def test_runs_of_experiments_that_anybody_opens_do_not_count_for_their_owner(monkeypatch: pytest.MonkeyPatch) -> None:
    replay = store.create(load(QUIET), owner="asker", origin=Source.WHAT_IF)
    monkeypatch.setattr(limits, "BYTES_A_BROWSER_MAX", replay.bytes)
    monkeypatch.setattr(limits, "SCENARIOS_A_BROWSER_MAX", 1)
    upload("asker")


def test_a_full_server_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "BYTES_MAX", upload("one").bytes)
    with pytest.raises(store.StoreFull, match=r"this server is full.*delete some of yours on My runs"):
        upload("two")


def test_a_full_server_first_gives_up_old_sandboxes_in_which_nobody_acted(monkeypatch: pytest.MonkeyPatch) -> None:
    idle, acted = new_sandbox("idle"), new_sandbox("acted")
    new_sandbox("fresh")
    Accepted.objects.create(scenario=acted, number=0, at_us=1, do="kill 1")
    old = timezone.now() - timedelta(days=limits.SANDBOX_KEPT_DAYS + 1)
    Scenario.objects.filter(pk__in=[idle.pk, acted.pk]).update(touched=old)
    upload("one")
    monkeypatch.setattr(limits, "BYTES_MAX", space._bytes_of(Scenario.objects.all()))
    new_sandbox("newcomer")
    left = set(Scenario.objects.values_list("owner", flat=True))
    assert left == {"acted", "fresh", "one", "newcomer"}
