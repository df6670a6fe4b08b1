"""Pasting a cluster in a real browser: read it, correct it, build it, and see what each AZ's loss does."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.importers import samples

TABLE_MS = 120_000


@pytest.fixture
def page(page: Page) -> Page:
    """The import page with a paste in it."""
    page.goto("/import")
    page.get_by_test_id("import-text").fill(samples.MODERN)
    expect(page.get_by_test_id("import-status")).to_have_attribute("data-status", "accept")
    return page


def test_counts_dead_brokers_and_noise_are_shown_while_pasting(page: Page) -> None:
    expect(page.get_by_test_id("count-partitions")).to_have_text("5")
    expect(page.get_by_test_id("count-leaderless")).to_have_text("1")
    expect(page.get_by_test_id("assumed-states.3").locator("select")).to_have_value("down")
    expect(page.get_by_test_id("import-unread")).to_contain_text("1 line of prompts")


def test_a_broker_changes_its_az_by_arrow_key_by_menu_and_by_drag(page: Page) -> None:
    page.locator('[data-broker="1"]').focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_test_id("zone-az-c")).to_contain_text("1")
    page.get_by_test_id("rack-select").select_option("az-a")
    expect(page.get_by_test_id("zone-az-a")).to_contain_text("1")
    page.get_by_test_id("add-az").click()
    page.drag_and_drop('[data-broker="2"]', '[data-testid="zone-az-b"]')
    expect(page.get_by_test_id("zone-az-b")).to_contain_text("2")
    page.get_by_test_id("guess-racks").click()
    expect(page.get_by_test_id("zone-az-b")).to_contain_text("1")


def test_the_table_stands_right_after_the_build_and_a_cell_opens_its_run(page: Page) -> None:
    page.get_by_test_id("import-build").click()
    page.wait_for_url(re.compile(r"/s/\w+/az$"))
    expect(page.get_by_test_id("az-table")).to_have_attribute("data-done", "true", timeout=TABLE_MS)
    expect(page.get_by_test_id("az-sentence")).to_contain_text("goes dark")
    cell = page.get_by_test_id("az-cell-az-b-all")
    expect(cell).to_have_attribute("data-lost", "0")
    cell.get_by_role("button").click()
    page.wait_for_url(re.compile(r"/s/\w+#t=2\.999$"))
    page.wait_for_selector("body[data-ready]")
    assert 2.99 <= float(page.evaluate("window.highwater.model.t")) / 1e6 <= 3.0
    expect(page.get_by_test_id("caption")).to_contain_text("Press Play (Space). At 3.000 s: az-b is taken down.")
    expect(page.get_by_test_id("coming-outcome")).to_contain_text("Nothing is lost")
    expect(page.locator("[data-testid^=verdict-] .gl.ok")).to_have_count(0)
    expect(page.get_by_test_id("verdict-stops").locator(".gl")).to_have_class("gl wait")  # out since the paste
    expect(page.get_by_test_id("verdict-parcels").locator(".gl")).to_have_class("gl none")
