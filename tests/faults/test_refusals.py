"""Requests that no view can answer are refused in words."""

import json
from typing import Any

import pytest
from django.test import Client

from playground.scenarios.models import Scenario

pytestmark = pytest.mark.django_db
FORM: dict[str, Any] = {"seeds": 2, "horizon": "2s", "axes": {"acks": ["1", "all"]}, "quick": True}
DOCUMENT = '{"format": 1, "cluster": {"brokers": [1, 2, 3], "controllers": [100]}}'
HOSTILE: list[dict[str, Any]] = [
    {"left_out": 5},
    {"left_out": {"a": 1}},
    {"left_out": "x"},
    {"axes": [1]},
    {"axes": "acks"},
    {"axes": 5},
    {"title": "\ud800"},
    {"title": "a\x00b"},
    {"doc": "\ud800"},
    {"from": "\ud800"},
]


@pytest.mark.parametrize("hostile", HOSTILE, ids=str)
def test_a_what_if_form_with_a_hostile_field_is_told_its_problem(hostile: dict[str, Any]) -> None:
    answer = Client().post("/what-if/preview", json.dumps({**FORM, **hostile}), content_type="application/json")
    assert answer.status_code == 200
    assert answer.json()["problems"][0]["message"]


def test_a_form_at_an_address_that_takes_json_is_refused_in_words() -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.get("/gallery")
    word = browser.cookies["csrftoken"].value
    told = browser.post(
        "/api/documents", {"a": "b", "csrfmiddlewaretoken": word}, headers={"accept": "application/json"}
    )
    assert told.status_code == 415
    assert "not a form" in told.json()["error"]


def test_what_django_refuses_by_itself_is_said_in_words() -> None:
    for accept in ("text/html", "application/json"):
        answer = Client(headers={"host": "evil.example", "accept": accept}).get("/runs")
        assert answer.status_code == 400
        assert "host name" in answer.content.decode()


BODIES = [
    "[" * 10_000,
    "",
    "[]",
    '{"format": 99}',
    "\x01",
    '{"format": 1, "cluster": {"brokers": [1]}, "timeline": [{"at": "1s", "do": "x"}]}',
]


@pytest.mark.parametrize("body", BODIES)
def test_a_stored_document_that_cannot_be_read_is_said_in_words(body: str) -> None:
    browser = Client()
    run = browser.post("/api/documents", DOCUMENT, content_type="application/json").json()["id"]
    Scenario.objects.filter(pk=run).update(body=body)
    for path in (f"/s/{run}/about", f"/s/{run}.yaml", f"/s/{run}.json", f"/s/{run}/az", f"/what-if/new?doc={run}"):
        page = browser.get(path, headers={"accept": "text/html"})
        assert (page.status_code, "cannot be read" in page.content.decode()) == (409, True), path


@pytest.mark.parametrize("path", ["/ws/room/../..", "/ws/room/a/b", "/ws", "/ws/room/"])
async def test_a_socket_at_an_address_that_is_none_is_refused(path: str) -> None:
    from playground.asgi import application

    headers = [(b"host", b"localhost"), (b"origin", b"http://localhost")]
    scope = {"type": "websocket", "scheme": "ws", "path": path, "query_string": b"", "headers": headers}
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return {"type": "websocket.connect"}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    await application(scope, receive, send)
    assert sent == [{"type": "websocket.close", "code": 1008}]
