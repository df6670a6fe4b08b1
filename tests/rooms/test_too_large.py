"""A run that costs too much is refused before anything of it is begun, wherever it could be run, in the same words."""

import time

import pytest

from tests.rooms.heavy import TOO_LARGE
from tests.rooms.site import Answer, Browser, Site

AT_ONCE_S = 5.0  # it would end at a process's limit of memory after 12 s and more
JSON = {"Content-Type": "application/json", "Accept": "application/json"}
FORM = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "text/html"}

ROUTES: dict[str, tuple[str, bytes, dict[str, str]]] = {
    "the AZ answer": ("/s/{id}/az", b"", FORM),
    "its lines": ("/import/az/{id}", b"{}", JSON),
    "its list": ("/import/az/{id}/list", b"{}", JSON),
    "its run": ("/import/az/{id}/open", b"row=a&acks=all&edits={}", FORM),
    "its edits": ("/import/az/{id}/keep", b"{}", JSON),
    "its clusters": ("/import/az/{id}/sites", b"", JSON),
    "the run of a cluster": ("/import/az/{id}/sites/open", b"site=a", FORM),
    "the plans": ("/s/{id}/plans", b"", FORM),
    "their lines": ("/s/{id}/plans/lines", b"{}", JSON),
    "the builder": ("/what-if/new?doc={id}", b"", FORM),
    "the experiment": ("/what-if/run", b'{"doc": "{id}", "seeds": 10, "axes": {"acks": ["1", "all"]}}', JSON),
    "its preview": ("/what-if/preview", b'{"doc": "{id}", "seeds": 10, "axes": {"acks": ["1", "all"]}}', JSON),
    "the chains": ("/s/{id}/why?at_us=1000000", b"", JSON),
    "the description": ("/s/{id}/describe?at_us=1000000", b"", JSON),
    "the still": ("/s/{id}/still?at_us=1000000", b"", FORM),
    "a copy": ("/s/{id}/share", b'{"at_us": 1}', JSON),
    "another run": ("/s/{id}/carry-on", b'{"at_us": 1}', JSON),
}


@pytest.fixture(scope="module")
def refused(site: Site) -> tuple[Browser, str]:
    """A visitor, and the run that is too large."""
    browser = Browser(site).ready()
    run_id = browser.make(TOO_LARGE)
    browser.known()
    return browser, run_id


def asked(browser: Browser, route: tuple[str, bytes, dict[str, str]], run_id: str) -> Answer:
    path, body, headers = route
    sent = body.replace(b"{id}", run_id.encode()) or None
    token = {"X-CSRFToken": browser.cookie("csrftoken")}
    return browser.ask("POST" if sent else "GET", path.replace("{id}", run_id), sent, headers | token)


@pytest.mark.parametrize("name", ROUTES)
def test_it_is_refused_at_once_with_its_figures(name: str, refused: tuple[Browser, str]) -> None:
    browser, run_id = refused
    began = time.monotonic()
    answer = asked(browser, ROUTES[name], run_id)
    took = time.monotonic() - began
    assert answer.status == 413, answer.text[:500]
    is_page = ROUTES[name][2] is FORM
    told = answer.text if is_page else answer.json()["error"]
    assert "This run is too large" in told and "Make a smaller document" in told
    assert ("<h1>" in answer.text) is is_page
    assert took < AT_ONCE_S, f"{took:.1f} s"
