"""A stored plan that is damaged is told in words, on every page and by the worker; the other experiments go on."""

import html
import json
from typing import Any

import pytest
from django.test import Client

from playground.engine.refusals import BUSY, NotAnswered
from playground.scenarios import outside, owner
from playground.whatif import page_state, states
from playground.whatif.models import Experiment, State
from playground.whatif.pipeline.plan import ExperimentPlan
from playground.whatif.views import NO_RUN
from simengine.scenario import DocumentError
from tests.whatif.plans import plan, rack_death

WHOLE = json.loads(plan(acks=["1", "all"], fault=[rack_death()]).to_json())


def without(*path: Any) -> str:
    """A plan that lacks one place."""
    whole = json.loads(json.dumps(WHOLE))
    place = whole
    for key in path[:-1]:
        place = place[key]
    del place[path[-1]]
    return json.dumps(whole)


DAMAGED = {
    "plan: not JSON": "",
    "plan: Input": "[]",
    "plan.document: Field required": "{}",
    "plan.variants: Field required": without("variants"),
    "plan.document.profile: Field required": without("document", "profile"),
    "plan.document.cluster: Field required": without("document", "cluster"),
    "plan.document.topics.0.name: Field required": without("document", "topics", 0, "name"),
    "plan.variants.1.settings.fault.rack.rack: Field required": without("variants", 1, "settings", "fault", "rack"),
    "plan.variants: not the same settings": without("variants", 1, "settings", "acks"),
    "plan.document.profile: Value error, not a Kafka version": json.dumps(WHOLE).replace('"4.2"', '"9.9"'),
    "plan.document.profile: Value error, not a Kafka": json.dumps(WHOLE).replace('"4.2"', '{"a": []}'),
    "plan.variants.0.settings.acks": json.dumps(WHOLE).replace('"acks": "1"', '"acks": 7'),
    "plan.seeds": json.dumps({**WHOLE, "seeds": 0}),
}


@pytest.mark.parametrize(("told", "text"), DAMAGED.items(), ids=DAMAGED)
def test_a_damaged_plan_is_told_by_its_first_wrong_place(told: str, text: str) -> None:
    with pytest.raises(DocumentError) as wrong:
        ExperimentPlan.from_json(text)
    assert told in str(wrong.value)


def experiment(browser: Client, text: str, state: State = State.FAILED) -> Experiment:
    """A stored experiment of this browser."""
    browser.get("/import")  # a visitor is known from there on
    made_by = owner.known_browser(browser.session)
    return Experiment.objects.create(
        owner=made_by, title="Kept", plan_text=text, baseline="A", seeds_each=1, state=state
    )


@pytest.mark.django_db
@pytest.mark.parametrize("text", DAMAGED.values(), ids=DAMAGED)
def test_each_page_of_a_damaged_experiment_says_so(text: str) -> None:
    browser = Client(headers={"accept": "text/html"})
    damaged, whole = experiment(browser, text), experiment(browser, json.dumps(WHOLE))
    for path in ("", "/status", "/runs.csv"):
        page = browser.get(f"/what-if/{damaged.pk}{path}")
        assert (page.status_code, "cannot be read by this version" in page.content.decode()) == (409, True), path
    replayed = browser.get(f"/what-if/{damaged.pk}/replay?variant=A&seed=1")
    assert (replayed.status_code, replayed.json()["error"][:4]) == (400, "plan")
    page = browser.get(f"/what-if/new?from={damaged.pk}")
    assert page.status_code == 409
    listed = browser.get("/what-if").content.decode()
    assert "cannot be read by this version" in listed
    assert f"0 of {len(WHOLE['variants']) * WHOLE['seeds']}" in listed
    assert browser.get(f"/what-if/{whole.pk}/status").status_code == 200


@pytest.mark.django_db
def test_a_damaged_experiment_can_be_cancelled_and_is_asked_about_once(monkeypatch: pytest.MonkeyPatch) -> None:
    browser = Client()
    damaged = experiment(browser, "{}", State.QUEUED)
    answer = browser.post(f"/what-if/{damaged.pk}/cancel")
    assert (answer.status_code, answer.json()["state"]) == (200, "cancelled")
    assert "cannot be read by this version" in answer.json()["error"]
    damaged.refresh_from_db()
    assert damaged.state == State.CANCELLED
    monkeypatch.setattr(outside, "questions", None)  # nothing is asked again
    assert "plan.document: Field required" in browser.get("/what-if").content.decode()


@pytest.mark.django_db
def test_a_busy_service_costs_the_list_only_the_rows_that_it_has_to_read(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    async def busy(question: Any, asker: Any) -> Any:
        asked.append(question)
        raise NotAnswered(BUSY, 503)

    browser = Client(headers={"accept": "text/html"})
    known, *_ = [experiment(browser, json.dumps(WHOLE), State.QUEUED) for _ in range(3)]
    browser.get(f"/what-if/{known.pk}/status")
    monkeypatch.setattr(outside, "answer", busy)
    page = browser.get("/what-if")
    told = page.content.decode()
    assert (page.status_code, len(asked), told.count("it is not read yet")) == (200, 1, 2)
    assert f"0 of {len(WHOLE['variants']) * WHOLE['seeds']}" in told
    unread = Experiment.objects.filter(outline__isnull=True)[0]
    answer = browser.post(f"/what-if/{unread.pk}/cancel")
    assert (answer.status_code, answer.json()) == (200, {"state": "cancelled", "error": BUSY})


@pytest.mark.django_db
@pytest.mark.parametrize("result", [[], [1], "x", 5, {"format": 2}, {"format": 2, "variants": []}])
def test_a_damaged_result_is_not_drawn(result: Any) -> None:
    browser = Client()
    kept = experiment(browser, json.dumps(WHOLE), State.DONE)
    Experiment.objects.filter(pk=kept.pk).update(result=result)
    assert browser.get(f"/what-if/{kept.pk}/status").json()["result"] is None
    assert browser.get("/what-if").status_code == 200
    table = browser.get(f"/what-if/{kept.pk}/table.csv")
    assert table.status_code == 404
    assert (page_state.OTHER_FORMAT if result else NO_RUN) in html.unescape(table.content.decode())


@pytest.mark.django_db
def test_the_worker_fails_an_experiment_whose_plan_is_damaged_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    from playground.whatif.tasks import run_experiment

    damaged = experiment(Client(), "{}", State.QUEUED)
    monkeypatch.setattr(states, "claim_next", lambda name: states.claim(damaged.pk, name))
    run_experiment(damaged.pk)
    damaged.refresh_from_db()
    assert damaged.state == State.FAILED
    assert "The stored plan of this experiment cannot be read: plan.document: Field required" in damaged.error


@pytest.mark.django_db
def test_an_experiment_whose_outline_or_baseline_is_damaged_is_drawn_and_edited() -> None:
    browser = Client()
    kept = experiment(browser, json.dumps(WHOLE))
    outline = ExperimentPlan.from_json(json.dumps(WHOLE)).outline()
    no_version = {**outline, "document": {**outline["document"], "profile": {"a": []}}}
    damage: tuple[Any, ...] = (5, [], {}, {"seeds": 1}, no_version)
    for damaged in damage:
        Experiment.objects.filter(pk=kept.pk).update(outline=damaged, baseline="Z")
        assert browser.get(f"/what-if/{kept.pk}/status").json()["seeds"] == WHOLE["seeds"]
    assert browser.get(f"/what-if/new?from={kept.pk}").status_code == 200
