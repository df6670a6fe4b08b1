"""An action in the past: the later kill still happens, and whoever wants can start afresh; both are said beforehand."""

import re

from playwright.sync_api import Page, expect

from tests.browser.pages import WAIT_MS, another_run, kill, opened, pause, run_until, set_speed
from tests.browser.test_undo import timeline

SECOND = 1_000_000


def killed_then_back(page: Page) -> None:
    """Broker 1 is killed at about 1.5 s and was away for a second; the picture stands at 1 s."""
    opened(page, "/play?new=1")
    set_speed(page, SECOND)
    run_until(page, 1.5)
    kill(page, 1)
    run_until(page, 3)
    pause(page)
    page.evaluate("window.highwater.travel.seek(1_000_000)")
    page.wait_for_function("() => window.highwater.model.t === 1_000_000", timeout=WAIT_MS)


def change_setting(page: Page) -> None:
    with another_run(page):
        page.get_by_test_id("unclean-orders").get_by_text("on", exact=True).click()


def test_the_later_kill_still_happens_after_a_change_in_the_past(page: Page) -> None:
    killed_then_back(page)
    expect(page.get_by_test_id("forking")).to_contain_text("An action here makes a new run")
    expect(page.get_by_test_id("later-keep")).to_have_text("with what came after: 1 kill")
    expect(page.get_by_test_id("later-keep")).to_have_attribute("aria-pressed", "true")
    change_setting(page)
    expect(page.get_by_test_id("later")).to_contain_text("This branch goes on with what came after: 1 kill")
    assert timeline(page) == ["config orders unclean.leader.election.enable true", "kill 1"]
    page.keyboard.press("Space")
    expect(page.get_by_test_id("broker-1")).to_have_attribute("data-state", "dead", timeout=WAIT_MS)
    set_speed(page, 2 * SECOND)
    run_until(page, 8)
    expect(page.get_by_test_id("verdict-sentence")).not_to_contain_text("Nothing was lost and nothing stopped")


def test_the_other_choice_is_reached_by_keys_and_says_what_it_leaves_out(page: Page) -> None:
    killed_then_back(page)
    page.get_by_test_id("later-keep").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("later-left")).to_contain_text(
        re.compile(r"leaves out 1 later action: kill broker 1 at [\d.]+ s")
    )
    change_setting(page)
    assert timeline(page) == ["config orders unclean.leader.election.enable true"]
    expect(page.get_by_test_id("later")).to_contain_text("This branch starts afresh: leaves out 1 later action")
    with another_run(page):
        page.get_by_test_id("later-other").press("Enter")
    expect(page.get_by_test_id("later")).to_contain_text("with what came after: 1 kill")
    assert timeline(page) == ["config orders unclean.leader.election.enable true", "kill 1"]
    page.get_by_test_id("lineage").click()
    expect(page.get_by_test_id("lineage-later")).to_have_count(2)
