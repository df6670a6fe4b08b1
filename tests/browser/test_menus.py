"""An open menu follows the run."""

from playwright.sync_api import Page, expect

from tests.browser.pages import opened, pause


def do(page: Page, action: str) -> None:
    page.evaluate("action => window.highwater.act(action)", action)


def test_the_open_menu_of_a_broker_follows_its_death_and_its_return(page: Page) -> None:
    opened(page)
    pause(page)
    page.get_by_test_id("broker-2").locator("[data-more]").click()
    menu = page.get_by_test_id("broker-menu")
    expect(menu.get_by_test_id("menu-item-kill")).to_be_focused()
    do(page, "kill 2")
    expect(menu.get_by_test_id("menu-item-kill")).to_have_count(0)
    expect(menu.get_by_test_id("menu-item-start")).to_be_focused()
    do(page, "start 2")
    expect(menu.get_by_test_id("menu-item-stop")).to_contain_text("Broker 2 is starting")
    expect(menu.get_by_test_id("menu-item-start")).to_have_count(0)


def test_the_focus_stays_on_its_item_and_the_item_does_what_it_says_now(page: Page) -> None:
    opened(page)
    pause(page)
    page.get_by_test_id("broker-2").locator("[data-more]").click()
    menu = page.get_by_test_id("broker-menu")
    menu.get_by_test_id("menu-item-cut").focus()
    do(page, "pause 2")
    expect(menu.get_by_test_id("menu-item-resume")).to_be_visible()
    expect(menu.get_by_test_id("menu-item-cut")).to_be_focused()
    menu.get_by_test_id("menu-item-resume").click()
    expect(menu).to_have_count(0)
    page.wait_for_function("() => window.highwater.model.view.brokers[2].process === 'running'")


def test_a_menu_that_another_one_opened_follows_too_and_stays_on_the_page(page: Page) -> None:
    opened(page)
    pause(page)
    page.get_by_test_id("broker-1").locator("[data-more]").click()
    page.get_by_test_id("menu-item-slow").click()
    slow = page.get_by_test_id("slow-menu")
    expect(slow.get_by_test_id("menu-item-slow-off")).to_contain_text("It is not slowed")
    do(page, "slow 1 20")
    expect(slow.get_by_test_id("menu-item-slow-off")).not_to_contain_text("It is not slowed")
    box = slow.bounding_box()
    assert box and box["y"] >= 0 and box["y"] + box["height"] <= 900
    page.keyboard.press("Escape")
    expect(slow).to_have_count(0)
    do(page, "slow 1 off")
    expect(slow).to_have_count(0)


def test_a_client_is_cut_from_a_broker_from_its_own_menu_and_healed_from_the_broker_s(page: Page) -> None:
    opened(page)
    pause(page)
    client = page.locator("[data-client]").last
    client.click()
    menu = page.get_by_test_id("client-menu")
    menu.get_by_text("Cut from broker 2").click()
    cut = "() => Object.values(window.highwater.model.view.links).filter((one) => one.cut).length === "
    page.wait_for_function(f"{cut} 2")
    client.click()
    expect(menu.get_by_text("Heal link to broker 2")).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_test_id("broker-2").locator("[data-more]").click()
    page.get_by_test_id("menu-item-cut").click()
    page.get_by_test_id("cut-menu").get_by_text("Heal link to").click()
    page.wait_for_function(f"{cut} 0")
