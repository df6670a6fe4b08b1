"""User actions besides breaking brokers: messages, branches, controllers, two fingers; and what stays drawn."""

import re
from typing import Any

from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.pages import READY_MS, WAIT_MS, moment, opened, pause, run_until, set_speed

FETCH = 3  # kind of message
STEPS_MAX = 200


def under_way(page: Page, seq: int) -> Any:
    """A message as the page draws it, None where it draws none."""
    return page.evaluate("seq => window.highwater.model.cursor.flights.all.get(seq) ?? null", seq)


def standing(page: Page, seconds: float) -> Page:
    """A fresh sandbox that stands still a little after a moment, slow enough for messages to be under way."""
    opened(page)
    set_speed(page, 200_000)
    run_until(page, seconds)
    pause(page)
    return page


def under_way_of(page: Page, kind: str) -> list[int]:
    """The messages under way of a kind (a condition on ``f.msg``); the run steps on until there are some."""
    found = (
        f"[...window.highwater.model.cursor.flights.all.values()].filter(f => f.ended < 0 && {kind}).map(f => f.seq)"
    )
    for _ in range(STEPS_MAX):
        if messages := page.evaluate(found):
            return [int(message) for message in messages]
        seq = page.evaluate("window.highwater.model.view.seq")
        page.evaluate("window.highwater.travel.stepFact()")
        page.wait_for_function("seq => window.highwater.model.view.seq > seq", arg=seq, timeout=WAIT_MS)
    raise AssertionError(f"no message with {kind} is sent within {STEPS_MAX} facts")


def a_fetch(page: Page) -> int:
    """A fetch that is under way."""
    return under_way_of(page, f"f.msg === {FETCH}")[0]


def test_a_held_message_is_drawn_after_a_reload(page: Page) -> None:
    standing(page, 1.5)
    seq = a_fetch(page)
    page.evaluate("seq => window.highwater.act(`hold ${seq}`)", seq)
    page.wait_for_function(
        "seq => (window.highwater.model.cursor.flights.all.get(seq)?.held ?? -1) >= 0", arg=seq, timeout=WAIT_MS
    )
    held = under_way(page, seq)["held"]
    set_speed(page, 1_000_000)
    page.keyboard.press("Space")
    run_until(page, 3.5)
    pause(page)
    page.reload()
    page.wait_for_selector("body[data-ready]", timeout=READY_MS)
    page.wait_for_function("seq => window.highwater.model.cursor.flights.all.has(seq)", arg=seq, timeout=WAIT_MS)
    assert under_way(page, seq)["held"] == held


def test_enter_opens_the_menu_of_the_message_that_m_chose_though_play_was_clicked_before(page: Page) -> None:
    standing(page, 1.2)
    assert page.evaluate("document.activeElement.dataset.testid") == "play"
    a_fetch(page)
    before = moment(page)
    page.keyboard.press("m")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("flight-menu")).to_be_visible()
    expect(page.get_by_test_id("menu-item-deliver")).not_to_have_attribute("aria-disabled", "true")
    expect(page.get_by_test_id("play")).to_have_attribute("data-state", "paused")
    assert moment(page) == before
    page.keyboard.press("Escape")
    chosen = page.evaluate("window.highwater.page.selection.value.id")
    page.keyboard.press("m")
    assert page.evaluate("window.highwater.page.selection.value.id") != chosen


def test_a_message_shows_its_cause_and_one_without_says_why(page: Page) -> None:
    standing(page, 2.0)
    seq = a_fetch(page)
    page.evaluate("seq => window.highwater.openMenuFor({kind: 'flight', id: seq}, document.body)", seq)
    expect(page.get_by_test_id("menu-item-cause")).to_contain_text("Show its cause")
    page.keyboard.press("Escape")
    answers = under_way_of(page, "f.msg % 2 === 0")
    before = moment(page)
    item = page.get_by_test_id("menu-item-cause")
    for answer in answers:  # one whose request the page still has
        page.evaluate("seq => window.highwater.openMenuFor({kind: 'flight', id: seq}, document.body)", answer)
        if item.get_attribute("aria-disabled") != "true":
            break
        page.keyboard.press("Escape")
    item.click()
    page.wait_for_function("t => window.highwater.model.t < t * 1e6", arg=before, timeout=WAIT_MS)


def test_controllers_say_why_they_cannot_be_moved_to(page: Page) -> None:
    opened(page)
    for controller in ("100", "101", "102"):
        page.get_by_test_id(f"controller-{controller}").click()
        item = page.get_by_test_id("menu-item-move")
        expect(item).to_have_attribute("aria-disabled", "true")
        expect(item).to_contain_text(re.compile("active controller|Kafka has no command"))
        expect(page.get_by_test_id("menu-item-stop")).to_be_visible()
        page.keyboard.press("Escape")


def test_the_menu_of_slow_fetches_writes_its_rates_with_separators(page: Page) -> None:
    opened(page)
    page.evaluate("window.highwater.openMenuFor({kind: 'broker', id: 2}, document.body)")
    page.get_by_test_id("menu-item-slow").click()
    expect(page.get_by_test_id("menu-item-slow-1000")).to_contain_text("At most 1,000 records/s")


def test_branches_have_lanes_on_the_timeline_that_lead_there(page: Page) -> None:
    standing(page, 1.5)
    run = str(page.evaluate("window.highwater.boot.scenario"))
    page.evaluate("window.highwater.travel.seek(1000000)")
    page.evaluate("window.highwater.act('kill 1')")
    page.wait_for_function("id => window.highwater?.boot.scenario !== id", arg=run, timeout=WAIT_MS)
    page.wait_for_selector("body[data-ready]", timeout=READY_MS)
    branch = str(page.evaluate("window.highwater.boot.scenario"))
    expect(page.get_by_test_id(f"lane-{run}")).to_contain_text("parent run")
    opened(page, f"/s/{run}")
    lane = page.get_by_test_id(f"lane-{branch}")
    expect(lane).to_contain_text("Broker 1 is killed")
    page.get_by_test_id("branches").click()
    expect(page.get_by_test_id(f"menu-item-branch-{branch}")).to_contain_text("Broker 1 is killed")
    page.keyboard.press("Escape")
    lane.locator("text").click()
    page.wait_for_url(re.compile(rf"/s/{branch}"))


def test_two_fingers_apart_or_together_change_the_detail(context: BrowserContext, page: Page) -> None:
    opened(page)
    expect(page.locator("#stage")).to_have_attribute("data-level", "logs")
    hand = context.new_cdp_session(page)

    def pinch(first: int, last: int) -> None:
        for kind, gap in (("touchStart", first), ("touchMove", (first + last) // 2), ("touchMove", last)):
            points = [{"x": 600 - gap, "y": 420, "id": 1}, {"x": 600 + gap, "y": 420, "id": 2}]
            hand.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        hand.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    pinch(160, 90)
    expect(page.locator("#stage")).to_have_attribute("data-level", "chips")
    pinch(90, 160)
    expect(page.locator("#stage")).to_have_attribute("data-level", "logs")


def test_a_dead_broker_answers_no_metrics_and_the_tab_says_why(page: Page) -> None:
    opened(page)
    page.get_by_test_id("broker-2").locator("[data-power]").click()
    page.get_by_test_id("tab-metrics").click()
    expect(page.get_by_test_id("metrics")).to_contain_text("Broker 2 is dead, so it says nothing over JMX")
