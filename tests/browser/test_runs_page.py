"""A run that is left and found again, changes while time stands still, and My runs."""

from playwright.sync_api import Page, expect

from tests.browser.pages import READY_MS, WAIT_MS, moment, opened, pause, run_until, set_speed

MINUTE = 60_000_000


def test_a_page_that_is_left_at_high_speed_is_found_where_it_was_left_and_greets(page: Page) -> None:
    opened(page, "/play?new=1")
    set_speed(page, MINUTE)
    run_until(page, 70)
    left = moment(page)
    page.goto("/runs")
    page.wait_for_timeout(3000)
    page.goto("/play")
    page.wait_for_selector("body[data-ready]", timeout=READY_MS)
    assert moment(page) < left + 100
    expect(page.get_by_test_id("toast")).to_contain_text("Your sandbox as you left it")
    expect(page.get_by_test_id("caption")).not_to_contain_text("Kill broker 1 by its button")
    expect(page.get_by_test_id("new-sandbox")).to_be_visible()


def test_changes_asked_for_while_time_stands_still_are_told(page: Page) -> None:
    opened(page, "/play?new=1")
    run_until(page, 0.2)
    pause(page)
    page.get_by_test_id("tab-changes").click()
    page.get_by_test_id("unclean-payments").get_by_text("on", exact=True).click()
    expect(page.get_by_test_id("asked")).to_contain_text("unclean.leader.election.enable = true", timeout=WAIT_MS)
    expect(page.get_by_test_id("changes")).not_to_contain_text("Nothing has changed yet.")


def test_runs_of_one_name_are_told_apart_and_renamed(page: Page) -> None:
    for _ in range(2):
        opened(page, "/play?new=1")
    page.goto("/runs")
    expect(page.get_by_test_id("nth")).to_have_text(["no. 2", "no. 1"])
    page.get_by_test_id("rename").first.click()
    page.get_by_label("Name", exact=True).first.fill("Friday's outage")
    page.get_by_role("button", name="Rename", exact=True).first.click()
    expect(page.get_by_test_id("runs")).to_contain_text("Friday's outage")
    expect(page.get_by_test_id("nth")).to_have_count(0)
