"""A recording's script in a real browser: what the real cluster did stands on the timeline below what the run does."""

import re

from playwright.sync_api import Page, expect

from tests.browser.pages import DESK, PHONE, WAIT_MS, opened


def test_a_script_opened_from_the_table_shows_the_real_steps_below_the_simulated_ones(page: Page) -> None:
    page.goto("/truth#s08")
    page.get_by_test_id("truth-s08").get_by_role("button").click()
    page.wait_for_url(re.compile("/s/"))
    opened(page, page.url)
    steps = page.get_by_test_id("real-step")
    expect(steps).to_have_count(3)
    told = (steps.nth(1).locator("title").text_content() or "").split("\n")
    assert told[:2] == ["The real cluster:", "27.41 s  broker 0: fenced"]
    assert told[2].startswith("27.41 s  t-0: leader 1, epoch +1, ISR {1, 2}")
    toggle = page.get_by_test_id("real-toggle")
    expect(toggle).to_have_attribute("aria-pressed", "true")
    toggle.click()
    expect(steps).to_have_count(0)
    page.reload()
    expect(page.get_by_test_id("real-toggle")).to_have_attribute("aria-pressed", "false")
    page.get_by_test_id("real-toggle").click()
    expect(steps).to_have_count(3)


def test_a_script_in_which_no_partition_changes_has_real_steps_too(page: Page) -> None:
    """Controller failovers, and what the clients met with."""
    page.goto("/truth#quo2")
    page.get_by_test_id("truth-quo2").get_by_role("button").click()
    page.wait_for_url(re.compile("/s/"))
    opened(page, page.url)
    for words in ("controller 101: active", "first acknowledgement"):
        expect(page.get_by_test_id("real-step").filter(has_text=words)).not_to_have_count(0)


def test_a_real_step_leads_to_its_moment(page: Page) -> None:
    page.goto("/truth#s08")
    page.get_by_test_id("truth-s08").get_by_role("button").click()
    page.wait_for_url(re.compile("/s/"))
    address = page.url
    page.goto("/truth")  # another document, so that the moment in the address is taken in
    opened(page, f"{address}#t=40.000")
    page.wait_for_function("() => window.highwater.model.t >= 40e6", timeout=WAIT_MS)
    page.get_by_test_id("real-step").nth(1).click()
    page.wait_for_function("() => Math.abs(window.highwater.model.t - 27.413e6) < 5e5", timeout=WAIT_MS)


def test_a_run_that_is_no_recording_has_no_such_lane(page: Page) -> None:
    opened(page)
    expect(page.get_by_test_id("real-toggle")).to_have_count(0)
    expect(page.get_by_test_id("real-step")).to_have_count(0)


def test_recordings_are_found_by_the_kind_of_fault_and_by_words(page: Page) -> None:
    page.goto("/truth")
    rows = page.locator("tr[data-kinds]:visible")
    page.get_by_test_id("kind-pauses").click()
    number = page.get_by_test_id("kind-pauses").locator("b").text_content() or ""
    expect(rows).to_have_count(int(number))
    page.get_by_test_id("kind-cuts").click()
    assert 0 < rows.count() < int(number)
    page.keyboard.press("/")
    page.keyboard.type("no such recording")
    expect(rows).to_have_count(0)
    expect(page.get_by_test_id("truth-told")).to_have_text(re.compile("^0 of "))
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("truth-told")).to_have_text("")
    page.get_by_test_id("truth-search").fill("s08")
    expect(page.get_by_test_id("truth-s08")).to_be_visible()


def test_the_page_is_short_until_something_is_asked_and_a_link_to_a_hidden_row_shows_it(page: Page) -> None:
    for size, most in ((DESK, 3_000), (PHONE, 6_000)):
        page.set_viewport_size(size)
        page.goto("/truth")
        assert page.evaluate("document.documentElement.scrollHeight") <= most
    rule = page.locator("[data-find]").first
    rule.locator("xpath=ancestor::details").locator("summary").click()
    number, name = rule.text_content() or "", rule.get_attribute("data-find") or ""
    rule.click()
    expect(page.get_by_test_id("truth-search")).to_have_value(name)
    expect(page.get_by_test_id("truth-told")).to_have_text(re.compile(f"^{number} of "))
    expect(page.locator("tr[data-kinds]:visible")).to_have_count(int(number))
    page.get_by_test_id("truth-search").fill("no such recording")
    page.evaluate("location.hash = 's08'")
    expect(page.get_by_test_id("truth-s08")).to_be_in_viewport()
