"""Keys and fields act on what was asked for, though the picture does not show it yet."""

from typing import Any

from playwright.sync_api import Page, expect

from simengine.facts.decisive import ActionDone
from tests.browser.pages import PHONE, WAIT_MS, opened, pause, run_until, set_speed

DONE = "() => window.highwater.model.trace.decisive.filter(row => row[2] === 1)"


def done(page: Page) -> Any:
    return [ActionDone.read(row).text for row in page.evaluate(DONE)]


def test_a_stepper_shows_what_is_asked_for_while_time_stands(page: Page) -> None:
    opened(page)
    run_until(page, 1.2)
    pause(page)
    lower = page.get_by_role("button", name="Lower min.insync.replicas of payments")
    field = page.get_by_test_id("min-isr-payments").locator(".num")
    for _ in range(3):
        lower.click()
    expect(field).to_have_text("1")
    page.get_by_role("button", name="Raise min.insync.replicas of payments").click()
    expect(field).to_have_text("2")
    page.wait_for_function(f"() => ({DONE})().length >= 2", timeout=WAIT_MS)
    assert done(page) == ["config payments min.insync.replicas 1", "config payments min.insync.replicas 2"]


def test_arrows_that_follow_each_other_quickly_add_up(page: Page) -> None:
    opened(page)
    run_until(page, 1.5)
    set_speed(page, 100_000)
    pause(page)
    page.evaluate("window.highwater.travel.seek(1_300_000)")
    for _ in range(6):
        page.keyboard.press("ArrowLeft")
    assert page.evaluate("window.highwater.model.moment") == 1_300_000 - 6 * 10_000


def test_k_without_a_selection_means_the_broker_under_the_pointer_or_the_first_leader(page: Page) -> None:
    opened(page)
    page.keyboard.press("k")
    expect(page.get_by_test_id("broker-1")).to_have_attribute("data-state", "dead", timeout=WAIT_MS)
    page.get_by_test_id("broker-3").hover()
    page.keyboard.press("k")
    expect(page.get_by_test_id("broker-3")).to_have_attribute("data-state", "dead", timeout=WAIT_MS)


def test_the_kill_button_is_visible_on_a_phone(page: Page) -> None:
    page.set_viewport_size(PHONE)
    opened(page)
    button = page.get_by_role("button", name="Kill broker 2")
    expect(button).to_be_in_viewport()
    button.click()
    expect(page.get_by_test_id("broker-2")).to_have_attribute("data-state", "dead", timeout=WAIT_MS)


def test_the_first_verdict_after_a_death_comes_within_a_second(page: Page) -> None:
    opened(page)
    run_until(page, 1.1)
    set_speed(page, 100_000)
    page.get_by_test_id("broker-1").locator("[data-power]").click()
    sentence = page.get_by_test_id("verdict-sentence")
    expect(sentence).not_to_have_text("Nothing has gone wrong yet.", timeout=2_000)
    expect(sentence).not_to_have_text("Nothing is decided yet.", timeout=2_000)
