"""Somebody who looks at the run of another browser: what an action of theirs does is said before they do it."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.browser.pages import DESK, PHONE, another_run, made, opened, person_of, run_until
from tests.rooms.site import Site


def timeline_of(page: Page, run: str) -> list[str]:
    """The actions of a run."""
    return [entry["do"] for entry in page.request.get(f"/s/{run}.json").json().get("timeline", [])]


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_k_in_the_run_of_another_browser_kills_in_a_copy_and_that_is_said_before(
    browser: Browser, site: Site, page: Page, size: ViewportSize
) -> None:
    opened(page)
    run_until(page, 0.6)
    run = page.evaluate("window.highwater.boot.scenario")
    viewer = person_of(browser, site, viewport=size)
    there = opened(viewer.new_page(), f"/s/{run}")
    hint = there.get_by_test_id("forking")
    expect(hint).to_contain_text("An action makes a copy of your own from here")
    expect(hint).to_be_in_viewport()
    assert there.evaluate("window.highwater.model.owner.value") is False
    with another_run(there):
        there.keyboard.press("k")
    copy = there.evaluate("window.highwater.boot.scenario")
    assert there.evaluate("window.highwater.boot.owner") is True
    assert (timeline_of(there, copy), timeline_of(page, run)) == (["kill 1"], [])
    viewer.close()


UNPLAYED = (Path(__file__).parent.parent / "scenarios" / "s08-leader-dies.yaml").read_text(encoding="utf-8")


def visitor_of(browser: Browser, site: Site, run: str, size: ViewportSize = DESK) -> Page:
    """The page of a run in the browser of somebody who did not make it."""
    return opened(person_of(browser, site, viewport=size).new_page(), run)


@pytest.mark.parametrize("offer", ["toast", "coming-play", "copy-and-play"])
def test_who_visits_a_run_that_its_owner_has_not_played_is_offered_a_copy_that_plays(
    browser: Browser, site: Site, page: Page, offer: str
) -> None:
    run = made(page, UNPLAYED)
    there = visitor_of(browser, site, run)
    expect(there.get_by_test_id("coming-whose")).to_be_visible()
    expect(there.get_by_test_id("caption")).not_to_contain_text("Press Play")
    there.get_by_test_id("play").click()
    told = there.get_by_test_id("toast")
    expect(told).to_contain_text("Only its owner moves this run’s clock.")
    expect(told).not_to_contain_text("Not done")
    with another_run(there):
        (told.get_by_role("button") if offer == "toast" else there.get_by_test_id(offer)).click()
    expect(there.get_by_test_id("play")).to_have_attribute("data-state", "playing")
    run_until(there, 0.3)
    copy = there.evaluate("window.highwater.boot.scenario")
    assert there.evaluate("window.highwater.boot.owner") is True
    assert timeline_of(there, copy) == timeline_of(page, run.removeprefix("/s/")) == ["kill 0", "start 0"]
    there.reload()
    there.wait_for_selector("body[data-ready]")
    assert opened(page, run).evaluate("window.highwater.model.trace.end") == 0, "nobody has played the owner's run"
    there.context.close()


def test_a_step_of_a_visitor_offers_a_copy_that_begins_where_the_run_stands(
    browser: Browser, site: Site, page: Page
) -> None:
    run = made(page, UNPLAYED)
    opened(page, f"{run}#t=12.000")
    page.wait_for_function("() => window.highwater.model.t === 12_000_000")
    there = visitor_of(browser, site, run, PHONE)
    there.get_by_test_id("step-next").click()
    with another_run(there):
        there.get_by_test_id("toast").get_by_role("button", name="Make a copy and play").click()
    run_until(there, 12.0)
    expect(there.get_by_test_id("play")).to_have_attribute("data-state", "playing")
    there.context.close()


def test_the_owner_of_a_run_is_offered_no_copy(page: Page) -> None:
    opened(page, made(page, UNPLAYED))
    expect(page.get_by_test_id("coming-play")).to_have_text("Play")
    expect(page.get_by_test_id("copy-and-play")).to_have_count(0)
    page.get_by_test_id("play").click()
    run_until(page, 0.3)
    expect(page.get_by_test_id("toast")).to_have_count(0)
