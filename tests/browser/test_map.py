"""The map can be acted on: bars and names of AZs are buttons, K means the focused column, Enter opens partitions."""

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.pages import DESK, PHONE, WAIT_MS, made, opened

BROKERS = 60
LAPTOP: Any = {"width": 1280, "height": 800}


def sixty(**fields: Any) -> str:
    topics = [
        {
            "name": f"topic-{t}",
            "assignment": [[1 + (t * 7 + n + k * 20) % BROKERS for k in range(3)] for n in range(10)],
            "config": {"min.insync.replicas": 2},
        }
        for t in range(6)
    ]
    brokers = [{"id": i, "rack": f"az-{'abc'[(i - 1) // 20]}"} for i in range(1, BROKERS + 1)]
    document = {
        "format": 1,
        "cluster": {"brokers": brokers, "controllers": [{"id": 100, "rack": "az-b"}]},
        "topics": topics,
        "producers": [{"id": "P", "topic": "topic-0", "rate": 20, "acks": "all"}],
    }
    return json.dumps({**document, **fields})


def shown(page: Page, **fields: Any) -> None:
    opened(page, f"{made(page, sixty(**fields))}#t=0.000")
    expect(page.get_by_test_id("map")).to_be_visible()


def test_a_bar_is_a_button_with_the_brokers_menu(page: Page) -> None:
    shown(page)
    page.get_by_test_id("broker-24").click()
    menu = page.get_by_test_id("broker-menu")
    expect(menu).to_contain_text("Broker 24 · az-b")
    menu.get_by_test_id("menu-item-kill").click()
    expect(page.get_by_test_id("broker-24")).to_have_attribute("data-state", "dead", timeout=WAIT_MS)


def test_the_name_of_an_az_is_a_button_with_its_menu(page: Page) -> None:
    shown(page)
    page.get_by_test_id("az-az-c").click()
    page.get_by_test_id("menu-item-kill-rack").click()
    for broker in (41, 60):
        expect(page.get_by_test_id(f"broker-{broker}")).to_have_attribute("data-state", "dead", timeout=WAIT_MS)


def test_k_means_the_focused_column_and_the_arrows_lead_to_its_bar_and_its_az(page: Page) -> None:
    shown(page)
    page.get_by_test_id("map").focus()
    for key in ("ArrowDown", "ArrowRight", "ArrowRight", "k"):
        page.keyboard.press(key)
    expect(page.get_by_test_id("broker-3")).to_have_attribute("data-state", "dead", timeout=WAIT_MS)
    expect(page.get_by_test_id("toast")).to_contain_text("Broker 3 is killed")
    page.keyboard.press("ArrowUp")
    expect(page.get_by_test_id("broker-3")).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(page.get_by_test_id("az-az-a")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("az-menu")).to_contain_text("Take all of az-a down")


def test_enter_opens_the_partitions_of_a_cell_and_a_figure_those_that_it_counts(page: Page) -> None:
    shown(page, timeline=[{"at": "1ms", "do": "kill-rack az-a"}])
    page.get_by_test_id("map").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    listed = page.get_by_test_id("partition-list")
    expect(listed).to_contain_text("topic-0 on broker 1")
    assert int(listed.get_attribute("data-total") or 0) > 0
    page.locator(".sum [data-state=healthy]").click()
    expect(listed).to_have_attribute("data-total", "60")
    expect(listed).to_contain_text("3 of 3 in sync")
    page.get_by_test_id("close-list").click()
    expect(listed).to_have_count(0)


def test_a_figure_of_the_table_opens_the_partitions_that_it_counts(page: Page) -> None:
    shown(page, timeline=[{"at": "1ms", "do": "kill-rack az-a"}])
    page.get_by_test_id("map-table").click()
    row = page.get_by_test_id("stage").get_by_role("row").filter(has_text="topic-3")
    listed = page.get_by_test_id("partition-list")
    row.get_by_role("rowheader").get_by_role("button").click()
    expect(listed).to_contain_text("topic-3")
    expect(listed).to_have_attribute("data-total", "10")
    row.get_by_role("cell").last.get_by_role("button").click()
    expect(listed).to_contain_text("topic-3: healthy")
    expect(listed).to_contain_text("3 of 3 in sync")
    expect(row.get_by_role("cell").nth(1).get_by_role("button")).to_be_disabled()


def test_a_cell_opens_by_a_click_as_its_hint_promises(page: Page) -> None:
    shown(page)
    box = page.get_by_test_id("map").bounding_box()
    cell = page.get_by_test_id("broker-41").bounding_box()
    assert box is not None and cell is not None
    page.mouse.move(cell["x"] + cell["width"] / 2, cell["y"] + cell["height"] + 20)
    expect(page.locator(".tooltip")).to_contain_text("K: kill broker 41")
    page.mouse.down()
    page.mouse.up()
    expect(page.get_by_test_id("partition-list")).to_contain_text("topic-0 on broker 41")


@pytest.mark.parametrize("size", [DESK, LAPTOP, PHONE], ids=lambda size: str(size["width"]))
def test_no_column_of_sixty_brokers_is_cut_off(page: Page, size: Any) -> None:
    page.set_viewport_size(size)
    shown(page)
    stage = page.locator("#stage").bounding_box()
    last = page.get_by_test_id("broker-60").bounding_box()
    assert stage is not None and last is not None
    assert last["x"] + last["width"] <= stage["x"] + stage["width"]
    if size is PHONE:
        return
    page.keyboard.press("z")
    expect(page.locator("#stage")).to_have_attribute("data-level", "chips")
    head = page.get_by_test_id("broker-60")
    last = head.bounding_box()
    assert last is not None and last["x"] + last["width"] <= stage["x"] + stage["width"] + 1
    assert re.sub(r"\s", "", head.locator(".n").inner_text()) == "60"
    head.click()
    expect(page.get_by_test_id("broker-menu")).to_contain_text("Broker 60")
