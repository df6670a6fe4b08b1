"""Somebody who looks at the run of another browser: what an action of theirs does is said before they do it."""

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.browser.pages import DESK, PHONE, another_run, opened, run_until
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
    viewer = browser.new_context(viewport=size, base_url=site.url)
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
