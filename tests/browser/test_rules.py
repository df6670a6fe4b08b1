"""The rule book in a real browser: its filter, its anchors, and the way there from a page and from a run."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.pages import PHONE, READY_MS, WAIT_MS, kill, opened, pause, run_until

RULES = "article.rule:visible"


def test_the_filter_counts_what_it_keeps_and_escape_brings_all_rules_back(page: Page) -> None:
    page.goto("/rules")
    told = page.get_by_test_id("rules-told")
    total = re.sub(r"\D", "", told.text_content() or "")
    page.keyboard.press("/")
    page.keyboard.type("isr-2")
    expect(page.locator(RULES)).to_have_count(1)
    expect(told).to_have_text(f"1 of {total} rules")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("rule-ISR-2")).to_be_focused()
    page.get_by_test_id("rules-search").fill("fetch session-less capacitor")
    expect(page.locator(RULES)).to_have_count(0)
    expect(page.get_by_test_id("rules-none")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("rules-search")).to_have_value("")
    expect(page.locator(RULES)).to_have_count(int(total))
    expect(page.get_by_test_id("rules-none")).to_be_hidden()


def test_an_address_shows_its_rule_even_where_the_filter_hides_it(page: Page) -> None:
    page.goto("/rules?q=MirrorMaker#ISR-2")
    expect(page.get_by_test_id("rule-ISR-2")).to_be_in_viewport()
    page.get_by_test_id("rules-search").fill("hw-9")
    expect(page.get_by_test_id("rule-ISR-2")).to_be_hidden()
    page.evaluate("location.hash = 'TRUNC-3'")
    expect(page.get_by_test_id("rule-TRUNC-3")).to_be_in_viewport()


def test_a_card_of_the_gallery_leads_to_a_rule_and_the_rule_to_a_card(page: Page) -> None:
    page.goto("/gallery#s22-idle-partition")
    card = page.get_by_test_id("gallery-s22-idle-partition")
    card.get_by_text("Rules", exact=True).click()
    card.get_by_role("link", name="ISR-2").click()
    rule = page.get_by_test_id("rule-ISR-2")
    expect(rule).to_be_in_viewport()
    rule.get_by_role("link", name="An idle partition does not shrink").click()
    expect(page.get_by_test_id("gallery-s22-idle-partition")).to_be_in_viewport()


def test_a_rule_of_an_event_opens_beside_the_run(page: Page) -> None:
    opened(page)
    kill(page, 1)
    pause(page)  # a run that plays puts new events before the first
    log = page.get_by_test_id("event-log")
    link = log.get_by_role("link").first
    rule = link.text_content() or ""
    with page.context.expect_page() as waited:
        link.click()
    book = waited.value
    expect(book.get_by_test_id(f"rule-{rule}")).to_be_in_viewport(timeout=READY_MS)
    expect(page.get_by_test_id("event-log")).to_be_visible()
    assert "/rules" not in page.url


def test_each_step_of_a_chain_links_to_its_rules(page: Page) -> None:
    page.goto("/gallery#s10-unreplicated-data")
    page.get_by_test_id("gallery-s10-unreplicated-data").get_by_role("button").first.click()
    page.wait_for_selector("body[data-ready]", timeout=READY_MS)
    page.evaluate("window.highwater.travel.setSpeed(8_000_000)")
    page.get_by_test_id("play").click()
    run_until(page, 60)
    page.get_by_test_id("play").click()
    page.get_by_test_id("why-t").locator("summary").click()
    expect(page.locator(".chain .rule-link").first).to_be_visible(timeout=WAIT_MS)
    found = page.locator(".chain .rule-link").evaluate_all("all => all.map(one => one.getAttribute('href'))")
    assert all(re.fullmatch(r"/rules#[A-Z]+-\d+", one) for one in found)
    assert "/rules#PROD-4" in found


CHIPS_HEIGHT_MAX = 60  # one row of chapters


def test_on_a_phone_the_chapters_take_one_row_and_the_hint_of_the_search_fits(page: Page) -> None:
    page.set_viewport_size(PHONE)
    page.goto("/rules")
    chapters = page.locator("#rules-chapters").bounding_box()
    assert chapters is not None and chapters["height"] < CHIPS_HEIGHT_MAX
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    hint, width = page.get_by_test_id("rules-search").evaluate(
        """input => {
            const style = getComputedStyle(input);
            const pen = document.createElement("canvas").getContext("2d");
            pen.font = style.font;
            const sides = parseFloat(style.paddingLeft) + parseFloat(style.paddingRight);
            return [pen.measureText(input.placeholder).width, input.clientWidth - sides];
        }"""
    )
    assert hint <= width


@pytest.mark.parametrize("path", ["/rules", "/gallery", "/truth", "/runs", "/import", "/what-if"])
def test_the_current_page_is_marked_in_the_header_and_in_the_menu(page: Page, path: str) -> None:
    page.goto(path)
    marked = page.locator("[aria-current=page]")
    assert [one.get_attribute("href") for one in marked.all()] == [path] * 2
