"""A run that is not opened: one notice with what, why, the figures and the cure, and no control that cannot work."""

import pytest
from playwright.sync_api import BrowserContext, Page, ViewportSize, expect

from tests.browser.pages import DESK, PHONE, made
from tests.rooms.heavy import TOO_LARGE

NOTICE_SHARE_MAX = 0.5  # of a phone's height
SMALL_DESK = ViewportSize(width=1280, height=800)
GONE = ("play", "step-back", "step-next", "speed", "speed-auto", "share", "open-whatif", "stage", "scrubber")


@pytest.fixture(scope="module")
def refused(browser, site) -> str:  # type: ignore[no-untyped-def]
    """The address of a run that is too large."""
    context = browser.new_context(viewport=DESK, base_url=site.url)
    address = made(context.new_page(), TOO_LARGE.decode())
    context.close()
    return address


@pytest.mark.parametrize("window", [PHONE, SMALL_DESK], ids=["phone", "desk"])
def test_a_run_that_is_too_large_shows_one_notice_and_nothing_to_press(
    context: BrowserContext, refused: str, window: ViewportSize
) -> None:
    page = context.new_page()
    page.set_viewport_size(window)
    page.goto(refused)
    notice = page.get_by_test_id("ended")
    expect(notice.get_by_role("heading")).to_have_text("This run is not opened")
    for words in ("too large", "the limits are 10 s and 512 MiB", "10,000 partitions", "Make a smaller document"):
        expect(notice).to_contain_text(words)
    for control in GONE:
        for one in page.get_by_test_id(control).all():
            expect(one).to_be_hidden()
    assert _visible_notices(page) == 1
    page.keyboard.press("Space")
    page.keyboard.press("k")
    expect(page.locator(".toast")).to_have_count(0)
    box = notice.bounding_box()
    assert box is not None and box["y"] + box["height"] < window["height"]
    assert page.evaluate("document.documentElement.scrollWidth") <= window["width"]
    if window is PHONE:
        assert box["height"] < window["height"] * NOTICE_SHARE_MAX
    page.close()


def test_its_document_can_be_had(context: BrowserContext, refused: str) -> None:
    page = context.new_page()
    page.goto(refused)
    page.get_by_role("link", name="About this run").click()
    expect(page.get_by_role("link", name="Document as YAML")).to_be_visible()
    page.close()


def _visible_notices(page: Page) -> int:
    return sum(one.is_visible() for one in page.locator(".notice, .unopened, .toast").all())
