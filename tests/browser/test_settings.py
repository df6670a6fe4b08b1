"""The page of settings and the report in a real browser: find one, see what it decides, run two values, keep a report."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.pages import PHONE, READY_MS, WAIT_MS, opened

CARDS = "article.rule:visible"


def test_a_setting_is_found_by_name_by_word_and_by_address(page: Page) -> None:
    page.goto("/settings")
    told = page.get_by_test_id("settings-told")
    total = re.sub(r"\D", "", told.text_content() or "")
    page.keyboard.press("/")
    page.keyboard.type("linger.ms")
    expect(page.locator(CARDS)).to_have_count(1)
    expect(told).to_have_text(f"1 of {total} entries")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("setting-producer.linger.ms")).to_be_focused()
    page.get_by_test_id("settings-search").fill("ssl.keystore.location")
    expect(page.locator(CARDS)).to_have_count(1)
    expect(page.locator(CARDS)).to_contain_text("everybody is let in")
    page.get_by_test_id("settings-search").fill("unheard-of")
    expect(page.get_by_test_id("settings-none")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(CARDS)).to_have_count(int(total))
    page.goto("/settings?q=linger#min.insync.replicas")
    expect(page.get_by_test_id("setting-topic.min.insync.replicas")).to_be_in_viewport()


def test_two_values_are_run_side_by_side(page: Page) -> None:
    page.goto("/settings#min.insync.replicas")
    page.get_by_test_id("try-topic.min.insync.replicas").click()
    page.wait_for_url(re.compile(r"/compare/\w+\.\.\w+$"), timeout=READY_MS)
    expect(page.get_by_role("heading", level=1)).to_contain_text("min.insync.replicas: 3", timeout=WAIT_MS)


def test_the_settings_of_a_run_lead_to_the_page(page: Page) -> None:
    opened(page)
    page.get_by_test_id("tab-settings").click()
    with page.context.expect_page() as waited:
        page.get_by_test_id("explain-producer").first.click()
    expect(waited.value.get_by_role("heading", name="Producers")).to_be_in_viewport(timeout=READY_MS)
    assert "/settings" not in page.url


@pytest.mark.parametrize("size", [None, PHONE])
def test_a_report_is_styled_and_runs_nothing(page: Page, size: dict[str, int] | None) -> None:
    if size is not None:
        page.set_viewport_size({"width": size["width"], "height": size["height"]})
    opened(page)
    run = page.evaluate("window.highwater.boot.scenario")
    page.goto(f"/s/{run}/report?at_us=3000000")
    expect(page.get_by_role("heading", level=1)).to_have_text("Sandbox")
    expect(page.get_by_role("heading", name="Verdict at 3.000 s")).to_be_visible()
    assert page.evaluate("getComputedStyle(document.querySelector('main')).maxWidth") == "860px"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
