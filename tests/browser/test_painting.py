"""What the page paints while time runs: the strips in sight and no others, and what scrolls into sight at once."""

import json

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.bench.engine import document
from tests.browser.pages import DESK, PHONE, WAIT_MS, made, opened, pause, run_until

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


@pytest.mark.parametrize("size", [DESK, {"width": 1280, "height": 800}, PHONE, {"width": 844, "height": 390}])
def test_a_toast_covers_no_row_of_the_stage_nor_of_the_panel(page: Page, size: ViewportSize) -> None:
    page.set_viewport_size(size)
    opened(page)
    cell = page.locator("[data-broker='1']").last
    cell.click()
    page.keyboard.press("k")
    toast = page.get_by_test_id("toast").bounding_box()
    assert toast is not None
    covered = [
        page.locator(".upper"),
        page.locator("[data-testid^=replica-]").last,
        page.locator("[data-testid^=replica-]").first,
    ]
    for part in (one.bounding_box() for one in covered):
        assert part is not None
        is_beside = toast["x"] >= part["x"] + part["width"] or part["x"] >= toast["x"] + toast["width"]
        is_above = toast["y"] >= part["y"] + part["height"] or part["y"] >= toast["y"] + toast["height"]
        assert is_beside or is_above, (toast, part)


def test_a_phone_on_its_side_shows_rows_and_the_tabs_of_the_panel(page: Page) -> None:
    page.set_viewport_size({"width": 844, "height": 390})
    opened(page)
    stage, rows = page.locator(".scroller").bounding_box(), page.locator("[data-testid^=replica-orders-]")
    assert stage is not None and stage["height"] >= 190
    box = rows.last.bounding_box()
    assert box is not None and box["y"] + box["height"] <= stage["y"] + stage["height"]
    page.get_by_role("tab", name="Events").click()
    expect(page.get_by_test_id("event-log")).to_be_visible()
    timeline = page.get_by_test_id("scrubber").bounding_box()
    assert timeline is not None and timeline["y"] + timeline["height"] <= 390
    assert page.evaluate("document.documentElement.scrollHeight") <= 390
