"""A browser, a site and pages for the browser tests."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests import chromium
from tests.browser.pages import WAIT_MS, person_of, watch
from tests.rooms.site import Site

expect.set_options(timeout=WAIT_MS)  # a busy machine takes its time; what is there is not waited for


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(**chromium.launch_arguments())
        yield launched
        launched.close()


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The site as it is served: one web process for all tests, each of which is a person of its own."""
    served = Site(tmp_path_factory.mktemp("site"))
    served.start()
    yield served
    served.stop()


@pytest.fixture(autouse=True)
def _close_others(browser: Browser) -> Iterator[None]:
    """Close the contexts that a test leaves open: a run that plays on in one of them takes half a core."""
    before = browser.contexts
    yield
    for other in browser.contexts:
        if other not in before:
            other.close()


@pytest.fixture
def context(browser: Browser, site: Site) -> Iterator[BrowserContext]:
    """A person who has not been here yet."""
    made = person_of(browser, site)
    made.grant_permissions(["clipboard-read", "clipboard-write"])
    yield made
    made.close()


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    """A page that must say nothing on its console and throw nothing."""
    opened = context.new_page()
    complaints = watch(opened)
    yield opened
    opened.close()
    assert complaints == []
