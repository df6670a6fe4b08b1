"""The page of settings in a real browser: find one, run two values side by side, come from a run."""

import re

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
    page.wait_for_url(re.compile(r"/compare/\w+\.\.\w+#t=1.000$"), timeout=READY_MS)
    expect(page.get_by_role("heading", level=1)).to_have_text("Compare: min.insync.replicas", timeout=WAIT_MS)
    expect(page.locator("#name-a, #name-b")).to_have_text(["1, the default", "3"])


def test_the_settings_of_a_run_lead_to_the_page(page: Page) -> None:
    opened(page)
    page.get_by_test_id("tab-settings").click()
    with page.context.expect_page() as waited:
        page.get_by_test_id("explain-producer").first.click()
    expect(waited.value.get_by_role("heading", name="Producers")).to_be_in_viewport(timeout=READY_MS)
    assert "/settings" not in page.url


def test_on_a_phone_a_chapter_is_opened_by_its_heading_a_search_or_an_address(page: Page) -> None:
    page.set_viewport_size(PHONE)
    page.goto("/settings")
    expect(page.locator(CARDS)).to_have_count(0)
    page.locator("#topic .fold").click()
    expect(page.get_by_test_id("setting-topic.min.insync.replicas")).to_be_visible()
    expect(page.get_by_test_id("setting-producer.linger.ms")).to_be_hidden()
    page.get_by_test_id("settings-search").fill("linger.ms")
    expect(page.get_by_test_id("setting-producer.linger.ms")).to_be_visible()
    page.goto("/rules#ISR-2")
    expect(page.locator("#ISR-2")).to_be_in_viewport()
    expect(page.locator(CARDS)).not_to_have_count(0)
