"""A document with mirrors opens as a run: what the page folds of MirrorMaker is what the engine says."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.pages import WAIT_MS, made, opened, set_speed, snapshot_at, view_of

SCENARIOS = Path(__file__).parents[1] / "scenarios" / "mirrors"
SECOND = 1_000_000


@pytest.mark.parametrize("name", ["s42-failover", "s43-active-active"])
def test_a_document_with_mirrors_opens_and_is_folded(page: Page, name: str) -> None:
    address = made(page, (SCENARIOS / f"{name}.yaml").read_text(encoding="utf-8"))
    opened(page, f"{address}#t=8.000")
    page.wait_for_function("() => window.highwater.model.t >= 8e6", timeout=WAIT_MS)
    expect(page.get_by_test_id("play")).to_have_attribute("data-state", "paused")
    told = snapshot_at(page, int(page.evaluate("window.highwater.model.t")))
    drawn = view_of(page)
    assert drawn["mirrors"]["processes"] == told["mirrors"]["processes"]
    assert drawn["mirrors"]["flows"] == told["mirrors"]["flows"]
    assert any(one["count"] for one in told["mirrors"]["flows"][0]["partitions"].values())


def test_the_process_is_killed_from_the_page(page: Page) -> None:
    text = (SCENARIOS / "s43-active-active.yaml").read_text(encoding="utf-8")
    opened(page, made(page, text))
    set_speed(page, SECOND)
    page.evaluate("window.highwater.act('kill mirror-maker')")
    page.wait_for_function("() => window.highwater.model.view.mirrors.processes[0] === 'down'", timeout=WAIT_MS)
