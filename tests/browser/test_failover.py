"""A site is lost on the page: fail over from its menu, read the verdict, go back, and compare the plans."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.pages import WAIT_MS, made, moment, opened, set_speed, snapshot_at, view_of
from tests.browser.test_mirrors import DOCUMENT, FAST, PROCESS, play_until

PLANS_MS = 300_000
SHORT = {"lost": 20, "detect": 5, "decide": 5, "switch": 5, "repair": 20, "copy_back": 30, "drain": 5}


def choose(page: Page, place: str, *items: str) -> None:
    """Choose from the menu of a place, and from the menus that this opens."""
    page.get_by_test_id(place).click()
    for item in items:
        page.get_by_test_id(f"menu-item-{item}").click()


def has_moved(page: Page, client: str) -> None:
    """Wait until a client is open."""
    state = f"() => window.highwater.model.view.clients.some((one) => one.id === '{client}' && one.state === 'open')"
    page.wait_for_function(state, timeout=WAIT_MS)


@pytest.fixture
def run(page: Page) -> Page:
    opened(page, made(page, DOCUMENT))
    expect(page.get_by_test_id(PROCESS)).to_have_attribute("data-state", "running")
    set_speed(page, FAST)
    return page


def test_a_site_is_lost_and_its_clients_move_from_the_menu(run: Page) -> None:
    play_until(run, 30)
    choose(run, "site-east", "fail-over-west", "fail-lose")
    play_until(run, moment(run) + 10)
    choose(run, PROCESS, "fail-over-east-west", "fail-stop-mirror-maker")
    choose(run, "site-east", "fail-over-west")
    expect(run.get_by_test_id("menu-item-move-east/checkout")).to_contain_text("Create the topics first")
    run.get_by_test_id("menu-item-fail-create-west/orders").click()
    play_until(run, moment(run) + 2)
    choose(run, "site-east", "fail-over-west", "move-east/checkout")
    has_moved(run, "west/checkout")
    choose(run, "site-east", "fail-over-west", "move-east/billing-group")
    has_moved(run, "west/billing")
    play_until(run, moment(run) + 15)
    assert view_of(run)["clients"] == snapshot_at(run, int(moment(run) * 1e6))["clients"]
    expect(run.locator(".evs")).to_contain_text("west/billing starts as a consumer of orders and east.orders")
    row = run.get_by_test_id("failover-east-west")
    row.locator("summary").click()
    expect(row).to_contain_text("Detect and decide")
    expect(row.locator("summary .f").first).to_have_text(re.compile(r"\d s$"))
    choose(run, "site-west", "fail-over-east", "move-west/checkout")
    has_moved(run, "east/checkout")


def test_the_plans_are_run_and_compared(run: Page) -> None:
    run.get_by_test_id("open-plans").click()
    expect(run.get_by_test_id("plans")).to_be_visible()
    for name, value in SHORT.items():
        run.locator(f"input[name={name}]").fill(str(value))
    run.get_by_test_id("run-plans").click()
    expect(run.get_by_test_id("plans")).to_have_attribute("data-done", "true", timeout=PLANS_MS)
    doubled = {
        plan: int(run.get_by_test_id(f"plan-{plan}").locator("[data-label=Doubled]").get_attribute("data-value") or -1)
        for plan in ("swap", "identity", "rebuild", "dual-run")
    }
    assert doubled["swap"] > doubled["rebuild"]
    expect(run.get_by_test_id("rto")).to_have_text(re.compile(r"\d+\.\d s"))
    run.get_by_test_id("compare").select_option("setups")
    expect(run.locator("input[name=repair]")).to_have_count(0)
    run.get_by_test_id("run-plans").click()
    expect(run.get_by_test_id("plans")).to_have_attribute("data-done", "true", timeout=PLANS_MS)
    unread = run.get_by_test_id("plan-stretched").locator("[data-label='Not read']")
    expect(unread).to_have_attribute("data-value", "0")
    run.get_by_test_id("compare").select_option("ways-back")
    run.get_by_test_id("run-plans").click()
    expect(run.get_by_test_id("plans")).to_have_attribute("data-done", "true", timeout=PLANS_MS)
    run.get_by_test_id("open-rebuild").click()
    run.wait_for_selector("body[data-ready]", timeout=WAIT_MS)
    expect(run.get_by_role("banner")).to_contain_text("Rebuild the old home empty")


def test_the_loss_of_each_cluster_is_told_by_rule_and_in_a_run(run: Page) -> None:
    run.get_by_test_id("open-az").click()
    expect(run.get_by_test_id("site-rows")).to_have_attribute("data-done", "true", timeout=PLANS_MS)
    east = run.get_by_test_id("site-east")
    expect(east).to_contain_text("copies orders after the writes: records of the last moments can be missing")
    expect(east.locator("dd[data-value]").first).to_have_attribute("data-value", re.compile(r"^\d+$"))
    expect(east.get_by_test_id("figure-rereads")).to_contain_text(re.compile(r"\d+ to \d+ in the minute before"))
    expect(run.get_by_test_id("site-west")).to_contain_text("stops: records of east are not mirrored")
    run.get_by_test_id("site-run-east").click()
    run.wait_for_selector("body[data-ready]", timeout=WAIT_MS)
    expect(run.get_by_test_id(PROCESS)).to_have_attribute("data-state", "running")
    assert moment(run) == pytest.approx(149.999)
    play_until(run, 151)
    assert {one["process"] for number, one in view_of(run)["brokers"].items() if int(number) < 1000} == {"down"}
