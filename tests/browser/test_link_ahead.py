"""A link to a moment that the run has not reached: what a person does meanwhile is worth more than the link."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.pages import WAIT_MS, opened, pause

AHEAD_US = 60_000_000
MEANWHILE = {
    "play": ("highwater.travel.togglePlay()", True, "playing"),
    "step": ("highwater.travel.stepRoom({})", True, "paused"),
    "act": ("highwater.act('kill 3')", True, "paused"),
    "look back": ("highwater.travel.seek(200000)", False, "paused"),
}


@pytest.mark.parametrize("does", MEANWHILE)
def test_what_is_done_while_the_room_is_on_its_way_is_not_undone_by_its_arrival(page: Page, does: str) -> None:
    opened(page)
    pause(page)
    script, follows, state = MEANWHILE[does]
    page.evaluate(f"us => {{ window.arrived = highwater.live.open(us); {script}; return window.arrived; }}", AHEAD_US)
    page.wait_for_function("() => highwater.live.reaching === 0", timeout=WAIT_MS)
    assert page.evaluate("highwater.model.following.value") is follows
    expect(page.get_by_test_id("play")).to_have_attribute("data-state", state)
    expect(page.locator(".waiting")).to_have_text("")
    if not follows:
        assert page.evaluate("highwater.model.loose.t") == 200_000


def test_play_pressed_on_the_way_plays_from_the_moment_of_the_link(page: Page) -> None:
    opened(page)
    pause(page)
    note = "if (is) window.began ??= highwater.model.trace.end;"
    page.evaluate(f"() => {{ highwater.model.playing.subscribe(is => {{ {note} }}); }}")
    page.evaluate("us => { highwater.live.open(us); highwater.travel.togglePlay(); }", AHEAD_US)
    page.wait_for_function("us => highwater.model.t > us", arg=AHEAD_US, timeout=WAIT_MS)
    expect(page.get_by_test_id("play")).to_have_attribute("data-state", "playing")
    assert page.evaluate("highwater.model.following.value") is True
    assert page.evaluate("window.began") >= AHEAD_US


def test_play_pressed_twice_on_the_way_stands_at_the_moment_of_the_link(page: Page) -> None:
    opened(page)
    pause(page)
    page.evaluate(
        "us => { highwater.live.open(us); highwater.travel.togglePlay(); highwater.travel.togglePlay(); }", AHEAD_US
    )
    page.wait_for_function("us => highwater.model.t === us", arg=AHEAD_US, timeout=WAIT_MS)
    expect(page.get_by_test_id("play")).to_have_attribute("data-state", "paused")


def test_who_does_nothing_meanwhile_stands_at_the_moment_of_the_link(page: Page) -> None:
    opened(page)
    pause(page)
    page.evaluate("us => highwater.live.open(us)", AHEAD_US)
    page.wait_for_function("us => highwater.model.t === us", arg=AHEAD_US, timeout=WAIT_MS)
    assert page.evaluate("highwater.model.following.value") is False


def test_of_two_links_the_newest_counts(page: Page) -> None:
    opened(page)
    pause(page)
    page.evaluate("us => Promise.all([highwater.live.open(us), highwater.live.open(us / 2)])", AHEAD_US)
    page.wait_for_function("us => highwater.model.t === us", arg=AHEAD_US // 2, timeout=WAIT_MS)
