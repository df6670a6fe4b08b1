"""What the page paints while time runs: the strips in sight and no others, and what scrolls into sight at once."""

import json

from playwright.sync_api import Page, expect

from tests.bench.engine import document
from tests.browser.pages import WAIT_MS, made, opened, pause, run_until

PAINTED = "cell => cell.querySelector('canvas').toDataURL()"
STYLES = "cell => getComputedStyle(cell.querySelector('canvas')).visibility"


def test_only_strips_in_sight_are_painted_and_one_that_comes_into_sight_is_up_to_date(page: Page) -> None:
    opened(page, made(page, json.dumps(document())))
    near, far = page.get_by_test_id("replica-load-0-0"), page.get_by_test_id("replica-load-11-5")
    page.get_by_test_id("play").click()
    run_until(page, 0.3)
    assert (near.evaluate(STYLES), far.evaluate(STYLES)) == ("visible", "hidden")
    before = (near.evaluate(PAINTED), far.evaluate(PAINTED))
    run_until(page, 0.6)
    assert near.evaluate(PAINTED) != before[0]
    assert far.evaluate(PAINTED) == before[1]
    pause(page)
    far.scroll_into_view_if_needed()
    expect(far.locator("canvas")).to_be_visible(timeout=WAIT_MS)
    page.wait_for_function(f"([cell, old]) => ({PAINTED})(cell) !== old", arg=[far.element_handle(), before[1]])
