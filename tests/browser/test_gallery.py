"""The gallery: a search, and a scenario that is opened from it."""

import re

from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.pages import (
    READY_MS,
    WAIT_MS,
    run_until,
    set_speed,
)


def test_the_gallery_says_what_nobody_knows_and_escape_brings_everything_back(page: Page) -> None:
    page.goto("/gallery?q=split+brain+capacitor")
    expect(page.get_by_test_id("gallery-told")).to_have_text(
        "Nothing has all of “split brain capacitor”. These come nearest."
    )
    expect(page.get_by_test_id("gallery-terms")).to_contain_text("capacitor: no result")
    expect(page.locator("li.card:visible").first).to_contain_text("Found by “split brain”")
    page.get_by_test_id("gallery-search").fill("flux capacitor")
    expect(page.locator("li.card:visible")).to_have_count(0)
    expect(page.get_by_test_id("exit-sandbox")).to_be_visible()
    expect(page.get_by_test_id("exit-paste")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("gallery-search")).to_have_value("")
    expect(page.get_by_test_id("theme-writes")).to_be_visible()


def test_runs_that_a_search_finds_have_pictures_and_a_question_leads_to_its_page(page: Page) -> None:
    page.goto("/gallery?q=acks%3D1")
    runs = page.get_by_test_id("gallery-hits").locator("li", has=page.locator(".gal-picture"))
    expect(runs).not_to_have_count(0)
    expect(runs.filter(has_not=page.locator("svg.end"))).to_have_count(0)
    expect(page.get_by_test_id("gallery-s10-unreplicated-data").locator("svg.end")).to_have_count(1)
    page.get_by_test_id("gallery-search").fill("coordinator")
    expect(page.get_by_test_id("gallery-s46-the-groups-log-is-gone").locator("svg.end")).to_be_visible()
    first = page.get_by_test_id("gallery-question-every-consumer-stopped")
    expect(first).to_contain_text("Question")
    first.get_by_role("link").click()
    expect(page).to_have_url(re.compile("/questions/"))


def test_toggles_choose_runs_by_what_happens_and_stand_in_the_address(page: Page) -> None:
    page.goto("/gallery")
    page.get_by_test_id("kind-lost").click()
    page.get_by_test_id("kind-stops").click()
    cards = page.locator("li.card:visible")
    expect(cards.filter(has_not_text="lost")).to_have_count(0)
    expect(page.get_by_test_id("gallery-told")).to_have_text(
        re.compile(rf"^{cards.count()} runs: “records lost” and “writes or reads stop”$")
    )
    page.get_by_test_id("gallery-search").fill("unclean")
    expect(page.get_by_test_id("gallery-told")).to_have_text(
        re.compile(rf"^{cards.count()} results for “unclean”: “rec")
    )
    page.reload()
    expect(page.get_by_test_id("kind-lost")).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_test_id("gallery-search")).to_have_value("unclean")
    page.get_by_test_id("gallery-search").fill("")
    page.get_by_test_id("kind-well").click()
    expect(page.get_by_test_id("gallery-told")).to_contain_text("No run is all of these: “records lost”")
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("kind-lost")).to_have_attribute("aria-pressed", "false")
    expect(page.get_by_test_id("theme-writes")).to_be_visible()
    assert page.url.endswith("/gallery")


def test_pictures_that_did_not_come_are_asked_for_again(context: BrowserContext) -> None:
    page = context.new_page()  # its console tells of the request that failed
    page.route("**/gallery/pictures/*", lambda route: route.abort(), times=1)
    page.goto("/gallery#unclean")
    expect(page.get_by_test_id("gallery-s14-unclean-on").locator("svg.end")).to_be_visible()


def test_one_theme_is_shown_at_a_time_with_pictures_and_back_brings_the_themes(page: Page) -> None:
    page.goto("/gallery")
    expect(page.locator("section.gal:visible")).to_have_count(0)
    page.get_by_test_id("theme-unclean").click()
    expect(page.locator("section.gal:visible")).to_have_count(1)
    expect(page.get_by_test_id("gallery-s14-unclean-on").locator("svg.end")).to_be_visible()
    expect(page.get_by_test_id("theme-writes")).to_be_hidden()
    page.go_back()
    expect(page.get_by_test_id("theme-writes")).to_be_visible()
    page.goto("/gallery#s22-idle-partition")
    expect(page.get_by_test_id("gallery-s22-idle-partition")).to_be_in_viewport()


def test_a_scenario_of_the_gallery_is_found_opened_and_captioned(page: Page) -> None:
    page.goto("/gallery")
    page.get_by_test_id("gallery-search").fill("nobody lost a disk leg-3")
    card = page.locator("li.card:visible").first
    expect(card).to_have_attribute("data-name", "s18-legacy-loses-an-acknowledged-record")
    expect(card).to_contain_text("acknowledged records lost")
    card.get_by_role("button").click()
    page.wait_for_selector("body[data-ready]", timeout=READY_MS)
    set_speed(page, 8_000_000)
    page.evaluate("window.highwater.model.following.value || window.highwater.travel.goLive()")
    if page.get_by_test_id("play").get_attribute("data-state") == "paused":
        page.get_by_test_id("play").click()
    run_until(page, 15.5)
    page.evaluate("window.highwater.travel.seek(15_400_000)")
    expect(page.get_by_test_id("caption")).to_contain_text("cuts its log back to the high watermark", timeout=WAIT_MS)


def test_a_card_that_is_a_contrast_opens_two_runs_on_one_clock(page: Page) -> None:
    page.goto("/gallery#s10-unreplicated-data")
    page.get_by_test_id("contrast-s10-unreplicated-data").click()
    page.wait_for_url("**/compare/**")
    expect(page.locator("#name-a")).to_contain_text("acks=1")
    expect(page.locator("#name-b")).to_contain_text("acks=all")
