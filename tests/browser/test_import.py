"""Pasting a cluster in a real browser: read it, correct it, build it, and see what each AZ's loss does."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests import chromium
from tests.importers import samples
from tests.rooms.site import Site

TABLE_MS = 120_000


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    served = Site(tmp_path_factory.mktemp("site"))
    served.start()
    yield served
    served.stop()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(**chromium.launch_arguments())
        yield launched
        launched.close()


@pytest.fixture
def page(browser: Browser, site: Site) -> Iterator[Page]:
    """The import page with a paste in it; it must say nothing on its console."""
    context = browser.new_context(viewport={"width": 1280, "height": 800}, base_url=site.url)
    opened = context.new_page()
    complaints: list[str] = []
    opened.on("pageerror", lambda error: complaints.append(str(error)))
    opened.on("console", lambda said: complaints.append(said.text) if said.type in ("error", "warning") else None)
    opened.goto("/import")
    opened.get_by_test_id("import-text").fill(samples.MODERN)
    expect(opened.get_by_test_id("import-status")).to_have_attribute("data-status", "accept")
    yield opened
    assert complaints == []
    context.close()


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
