"""Painting while time runs: the strips in sight and no others, and a strip that scrolls into sight at once."""

import json

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.bench.engine import document
from tests.browser.pages import DESK, PHONE, WAIT_MS, made, opened, pause, run_until

SIX = """
format: 1
title: Six brokers
cluster:
  brokers:
    - {id: 1, rack: az-a}
    - {id: 2, rack: az-b}
    - {id: 3, rack: az-c}
    - {id: 4, rack: az-a}
    - {id: 5, rack: az-b}
    - {id: 6, rack: az-c}
  controllers: [100]
topics: [{name: orders, assignment: [[1, 2, 3], [4, 5, 6], [2, 3, 4]]}]
producers: [{id: P, topic: orders, rate: 10, acks: all}]
"""
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


def test_the_heads_of_six_brokers_can_be_read_at_1280(page: Page) -> None:
    """Level Logs serves 3 to 6 brokers (ui.md 6): name, AZ and state stand whole below ring and buttons."""
    page.set_viewport_size({"width": 1280, "height": 800})
    opened(page, made(page, SIX))
    expect(page.get_by_test_id("replica-orders-0-3")).to_be_visible()
    page.locator("[data-power='3']").click()
    head = page.get_by_test_id("broker-3")
    expect(head).to_have_attribute("data-state", "dead")
    for part in (head.locator(".n"), head.locator(".s").first, page.get_by_test_id("broker-2").locator(".s").first):
        assert part.evaluate("node => node.scrollWidth <= node.clientWidth"), part.inner_text()
    cut = head.evaluate(
        "node => node.getBoundingClientRect().bottom > document.querySelector('.rep').getBoundingClientRect().top"
    )
    assert not cut


def test_a_panel_too_low_for_all_of_a_topic_has_a_way_to_the_rest(page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    topics = "topics:\n  - {name: audit, assignment: [[1]]}\n  - {name: orders"
    document = SIX.replace("topics: [{name: orders", topics).replace("[2, 3, 4]]}]", "[2, 3, 4]]}")
    opened(page, made(page, document))
    audit = page.get_by_test_id("topic-audit")
    expect(audit.get_by_test_id("unclean-audit")).to_be_hidden()
    audit.get_by_label("All settings of audit").click()
    expect(page.get_by_role("tab", name="Settings")).to_have_attribute("aria-selected", "true")
    expect(page.get_by_role("tabpanel").first).to_contain_text("unclean")


LONG = "a-topic-with-a-name-as-long-as-kafka-allows-" * 5


def test_names_of_others_neither_widen_a_phone_nor_turn_the_text_beside_them(page: Page) -> None:
    page.set_viewport_size(PHONE)
    address = made(page, SIX.replace("orders", LONG).replace("title: Six brokers", 'title: "six \u202e turned"'))
    page.goto(f"/what-if/new?doc={address.rpartition('/')[2]}")
    expect(page.locator("select").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    page.set_viewport_size(DESK)
    beside = """() => { const link = document.querySelector('.lead a'), range = document.createRange();
        range.selectNodeContents(link.nextSibling);
        return [link.getBoundingClientRect().right, range.getClientRects()[0].left]; }"""
    right, left = page.evaluate(beside)
    assert left >= right - 1, "what follows the title stands behind it"
