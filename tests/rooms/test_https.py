"""Behind a proxy that speaks https: cookies are Secure, browsers are told to stay with https."""

import urllib.request
from collections.abc import Iterator
from email.message import Message
from pathlib import Path

import pytest
from django.test import Client

from tests.rooms.site import Browser, Site

HSTS = "Strict-Transport-Security"


@pytest.fixture
def behind_a_proxy(tmp_path: Path) -> Iterator[Site]:
    site = Site(tmp_path)
    site.environment |= {
        "HIGHWATER_ORIGINS": "https://flights.example",
        "HIGHWATER_HOSTS": "flights.example",
        "HIGHWATER_PROXIES": "127.0.0.1",
    }
    site.start()
    try:
        yield site
    finally:
        site.stop()


def headers(site: Site, **sent: str) -> Message:
    sent = {name.replace("_", "-"): value for name, value in sent.items()}
    with urllib.request.urlopen(urllib.request.Request(f"{site.url}/gallery", headers=sent)) as answer:
        found: Message = answer.headers
    return found


def test_behind_https_cookies_are_secure_and_browsers_stay_with_it(behind_a_proxy: Site) -> None:
    Browser(behind_a_proxy).ready()
    over_https = headers(behind_a_proxy, Host="flights.example", X_Forwarded_Proto="https")
    cookies = over_https.get_all("Set-Cookie") or []
    assert cookies and all("; Secure" in cookie and "SameSite=Lax" in cookie for cookie in cookies)
    assert over_https[HSTS] == "max-age=31536000"
    assert headers(behind_a_proxy, Host="flights.example")[HSTS] == "max-age=31536000"  # the proxy says nothing
    assert headers(behind_a_proxy, Host="localhost")[HSTS] is None


def test_over_plain_http_cookies_are_kept_and_nothing_is_said_of_https(site: Site) -> None:
    Browser(site).ready()
    told = headers(site, X_Forwarded_Proto="https")  # of a proxy that nobody named
    cookies = told.get_all("Set-Cookie") or []
    assert cookies and not any("Secure" in cookie for cookie in cookies)
    assert told[HSTS] is None


def test_https_alone_says_nothing_where_no_https_origin_is_named() -> None:
    assert HSTS not in Client().get("/alive", secure=True).headers
