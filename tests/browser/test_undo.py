"""Undo by hand: action by action, after a reload too, and every sentence true; a branch goes on at the speed chosen."""

import re

from playwright.sync_api import Browser, Page, expect

from tests.browser.pages import READY_MS, WAIT_MS, another_run, kill, opened, pause, run_until, set_speed
from tests.rooms.site import Site

SECOND = 1_000_000


def timeline(page: Page) -> list[str]:
    run_id = page.evaluate("window.highwater.boot.scenario")
    return [entry["do"] for entry in page.request.get(f"/s/{run_id}.json").json().get("timeline", [])]


def undone(page: Page, words: str) -> None:
    """Press Ctrl Z; the page that comes says what has not happened in it."""
    with another_run(page):
        page.keyboard.press("Control+z")
    expect(page.get_by_test_id("toast")).to_contain_text(words)


def branched(page: Page) -> None:
    """Set acks to all at a moment of the past: the page of the branch comes."""
    with another_run(page):
        page.get_by_test_id("acks-orders").get_by_text("all", exact=True).click()


def test_two_undos_undo_two_actions_also_after_a_reload(page: Page) -> None:
    opened(page, "/play?new=1")
    set_speed(page, SECOND)
    kill(page, 1)
    kill(page, 2)
    pause(page)
    page.reload()
    page.wait_for_selector("body[data-ready]", timeout=READY_MS)
    run = page.url
    undone(page, "without: Broker 2 is killed.")
    assert timeline(page) == ["kill 1"]
    expect(page.get_by_test_id("broker-2")).to_have_attribute("data-state", "active")
    expect(page.get_by_test_id("broker-1")).to_have_attribute("data-state", "dead")
    undone(page, "without: Broker 1 is killed.")
    assert timeline(page) == []
    expect(page.get_by_test_id("broker-1")).to_have_attribute("data-state", "active")
    page.keyboard.press("Control+z")
    expect(page.get_by_test_id("toast")).to_contain_text(
        "Nothing to undo: no action of this run's timeline has happened yet."
    )
    page.goto(run)
    page.wait_for_selector("body[data-ready]", timeout=READY_MS)
    assert timeline(page) == ["kill 1", "kill 2"]


def test_the_address_names_the_run_and_a_phone_undoes_from_the_menu(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    opened(page, "/play?new=1")
    assert page.url.endswith(f"/s/{page.evaluate('window.highwater.boot.scenario')}")
    kill(page, 1)
    pause(page)
    page.get_by_role("button", name="More", exact=True).click()
    with another_run(page):
        page.get_by_test_id("undo").click()
    assert timeline(page) == []


def test_an_action_in_the_past_is_undone_by_going_back_to_the_run(page: Page) -> None:
    opened(page, "/play?new=1")
    set_speed(page, SECOND)
    run_until(page, 1.5)
    kill(page, 3)
    pause(page)
    run = page.evaluate("window.highwater.boot.scenario")
    page.evaluate("window.highwater.travel.seek(1_000_000)")
    page.wait_for_function("() => window.highwater.model.t === 1_000_000", timeout=WAIT_MS)
    branched(page)
    undone(page, "Back in the run that this branch left at 1.000 s, without: orders is now written with acks=all.")
    assert page.evaluate("window.highwater.boot.scenario") == run
    page.wait_for_function("() => window.highwater.model.t === 1_000_001", timeout=WAIT_MS)


def test_a_branch_goes_on_at_the_speed_that_was_chosen(page: Page) -> None:
    opened(page, "/play?new=1")
    set_speed(page, SECOND)
    run_until(page, 1.5)
    pause(page)
    page.evaluate("window.highwater.travel.seek(1_000_000)")
    page.wait_for_function("() => window.highwater.model.t === 1_000_000", timeout=WAIT_MS)
    branched(page)
    expect(page.get_by_test_id("speed")).to_have_attribute("aria-valuetext", re.compile("^1 second per second"))
    assert page.evaluate("window.highwater.page.speed.value") == SECOND


def test_acting_at_the_very_moment_of_an_event_keeps_what_the_picture_shows(page: Page) -> None:
    opened(page, "/play?new=1")
    set_speed(page, SECOND)
    kill(page, 1)
    run_until(page, 3)
    pause(page)
    killed = page.evaluate("window.highwater.model.trace.decisive.find(row => row.includes('kill 1'))[1]")
    page.evaluate("at => window.highwater.travel.seek(at)", killed)
    page.wait_for_function("at => window.highwater.model.t === at", arg=killed, timeout=WAIT_MS)
    branched(page)
    expect(page.get_by_test_id("broker-1")).to_have_attribute("data-state", "dead")
    assert timeline(page) == ["kill 1", "acks orders all"]


def test_two_who_press_the_same_power_button_at_once_kill_once_and_one_undo_brings_the_broker_back(
    browser: Browser, site: Site, page: Page
) -> None:
    opened(page, "/play?new=1")
    set_speed(page, SECOND)
    run = page.evaluate("window.highwater.boot.scenario")
    edit = re.search(rf"/s/{run}/edit/[^<\"]+", page.request.get(f"/s/{run}/about").text())
    assert edit is not None
    other = browser.new_context(base_url=site.url).new_page()
    other.goto(edit[0])
    other.get_by_role("button", name="Act on this run").click()
    other.wait_for_url(re.compile(rf"/s/{run}(#|$)"))
    opened(other, f"/s/{run}")
    both = (page, other)
    press = "at => void setTimeout(() => document.querySelector('[data-power=\"2\"]').click(), at - Date.now())"
    at = page.evaluate("Date.now() + 1000")
    for one in both:
        one.evaluate(press, at)
    for one in both:
        expect(one.get_by_test_id("toast")).to_contain_text(re.compile("is killed|the same was done"), timeout=WAIT_MS)
    assert timeline(page) == ["kill 2"]
    (killer,) = [one for one in both if one.get_by_test_id("toast").get_by_text("Undo").count()]
    with killer.expect_navigation():
        killer.get_by_test_id("toast").get_by_text("Undo").click()
    expect(killer.get_by_test_id("broker-2")).to_have_attribute("data-state", "active", timeout=READY_MS)
    other.context.close()


def redone(page: Page, key: str, words: str) -> None:
    """Press the keys of redo; the page that comes says what happened in it."""
    with another_run(page):
        page.keyboard.press(key)
    expect(page.get_by_test_id("toast")).to_contain_text(words)


def test_redo_goes_back_step_by_step_until_something_else_is_done(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    opened(page, "/play?new=1")
    kill(page, 1)
    kill(page, 2)
    pause(page)
    run = page.evaluate("window.highwater.boot.scenario")
    undone(page, "without: Broker 2 is killed.")
    undone(page, "without: Broker 1 is killed.")
    page.reload()
    page.wait_for_selector("body[data-ready]", timeout=READY_MS)
    page.get_by_role("button", name="More", exact=True).click()
    with another_run(page):
        page.get_by_test_id("redo").click()
    expect(page.get_by_test_id("toast")).to_contain_text("Done again: Broker 1 is killed.")
    assert timeline(page) == ["kill 1"]
    redone(page, "Control+y", "Done again: Broker 2 is killed.")
    assert page.evaluate("window.highwater.boot.scenario") == run
    expect(page.get_by_test_id("broker-2")).to_have_attribute("data-state", "dead")
    page.keyboard.press("Control+Shift+Z")
    expect(page.get_by_test_id("toast")).to_contain_text("Nothing to redo: no undo led to this page.")
    undone(page, "without: Broker 2 is killed.")
    kill(page, 3)
    page.keyboard.press("Control+Shift+Z")
    expect(page.get_by_test_id("toast").last).to_contain_text(
        "Nothing to redo: something was done here after the undo."
    )
    assert timeline(page) == ["kill 1", "kill 3"]
