"""A browser, a site and pages for the browser tests."""

from collections.abc import Iterator
from typing import Final

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests import chromium
from tests.browser.pages import DESK, SLOW_SCREEN, WAIT_MS, watch
from tests.rooms.site import Site

STATE: Final = """() => {
  const { model, story, page, live } = window.highwater ?? {};
  const { t, loose, following, playing, trace, roomClock, waiting } = model ?? {};
  return JSON.stringify({ t, loose, following, playing, end: trace?.end, roomClock, waiting,
    starts: trace?.stretches?.map((one) => one.start),
    speed: page?.speed, fetching: live?.fetching, wanted: live?.wanted,
    events: story?.events().slice(-8).map((one) => [one.t, one.text]) });
}"""
expect.set_options(timeout=WAIT_MS)  # a busy machine takes its time; what is there is not waited for


@pytest.fixture(scope="session")
def profile(served: Site, tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrowserContext]:
    """The browser with its own context. It keeps the page's modules, which a context of a test would load anew."""
    with sync_playwright() as playwright:
        folder = tmp_path_factory.mktemp("profile")
        launched = playwright.chromium.launch_persistent_context(
            folder, viewport=DESK, base_url=served.url, **chromium.launch_arguments()
        )
        launched.add_init_script(SLOW_SCREEN)
        launched.grant_permissions(["clipboard-read", "clipboard-write"])
        yield launched
        launched.close()


@pytest.fixture(scope="session")
def browser(profile: BrowserContext) -> Browser:
    assert profile.browser
    return profile.browser


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The site as it is served: one web process for all tests, each of which is a person of its own."""
    made = Site(tmp_path_factory.mktemp("site"))
    made.start()
    yield made
    made.stop()


@pytest.fixture(scope="session")
def site(served: Site) -> Site:
    """The site of a test; a module may have another."""
    return served


@pytest.fixture(autouse=True)
def _close_others(browser: Browser) -> Iterator[None]:
    """Close the contexts that a test leaves open: a run that plays on in one of them takes half a core."""
    before = browser.contexts
    yield
    for other in browser.contexts:
        if other not in before:
            other.close()


@pytest.fixture
def context(profile: BrowserContext, served: Site) -> Iterator[BrowserContext]:
    """A person who has not been here yet: the browser's own context without cookies, stored words and routes."""
    yield profile
    first, *others = profile.pages
    for other in others:
        other.close()
    profile.unroute_all()
    profile.clear_cookies()
    stored = profile.new_cdp_session(first)
    stored.send("Storage.clearDataForOrigin", {"origin": served.url, "storageTypes": "local_storage"})
    stored.detach()


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    """A page that must say nothing on its console and throw nothing."""
    opened = context.new_page()
    complaints = watch(opened)
    yield opened
    if not opened.is_closed():
        print(opened.evaluate(STATE))  # shown where the test fails
    opened.close()
    assert complaints == []
