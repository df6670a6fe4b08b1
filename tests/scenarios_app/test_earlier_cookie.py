"""Cookies: each instance has a name of its own, and a browser of an earlier version keeps its runs."""

from typing import Any

import pytest
from django.conf import settings
from django.contrib.sessions.backends.signed_cookies import SessionStore
from django.test import Client

from playground.scenarios import owner
from playground.scenarios.models import Scenario, Source
from playground.scenarios.store import create

pytestmark = pytest.mark.django_db
DOCUMENT = "format: 1\ncluster: {brokers: [1], controllers: [100]}\ntopics: [{name: t, assignment: [[1]]}]\n"


def _run_of_an_earlier_browser(client: Client) -> Scenario:
    session = SessionStore()
    key = owner.browser(session)
    session.save()
    client.cookies[owner.EARLIER_COOKIE] = str(session.session_key)
    return create(DOCUMENT, by=owner.Maker(key), origin=Source.UPLOAD)


def test_the_name_is_of_this_instance() -> None:
    assert settings.SESSION_COOKIE_NAME.startswith("highwater-") and settings.SECRET_KEY not in owner.EARLIER_COOKIE


def test_a_browser_of_an_earlier_version_keeps_its_runs(client: Client) -> None:
    run = _run_of_an_earlier_browser(client)
    assert f"run-{run.id}" in client.get("/runs").text
    assert owner.browser_of_cookies({name: one.value for name, one in client.cookies.items()}) == run.owner  # a socket
    del client.cookies[owner.EARLIER_COOKIE]
    assert f"run-{run.id}" in client.get("/runs").text  # by the new cookie


def test_the_cookie_of_another_instance_is_nobody_s_here(client: Client, settings: Any) -> None:
    run = _run_of_an_earlier_browser(client)
    settings.SECRET_KEY = "another instance's"
    assert f"run-{run.id}" not in client.get("/runs").text
