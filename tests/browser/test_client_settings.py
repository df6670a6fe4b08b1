"""Settings of clients on the page: reading from the closest replica (KIP-392), and any other."""

from typing import Any

from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.pages import another_run, opened, run_until

SELECTOR = "replica.selector.class"


def document(page: Page) -> Any:
    """The document of the run that the page shows."""
    return page.request.get(f"/s/{page.evaluate('window.highwater.boot.scenario')}.json").json()


def settings(page: Page, client: str) -> None:
    page.get_by_test_id("tab-settings").click()
    part = page.get_by_test_id(f"client-{client}")
    if part.get_attribute("open") is None:
        part.locator("summary").click()


def choose(page: Page, rack: str) -> None:
    settings(page, "shop-1")
    with another_run(page):
        page.get_by_test_id("shop-1-client.rack").select_option(rack)
    settings(page, "shop-1")
    expect(page.get_by_test_id("shop-1-client.rack")).to_have_value(rack)


def test_a_consumer_is_told_to_read_from_the_closest_replica(page: Page) -> None:
    """The settings are read at start: a new run has them, and what was done in this one."""
    opened(page)
    run_until(page, 0.6)
    page.get_by_test_id("acks-orders").get_by_role("button", name="all").click()
    expect(page.get_by_test_id("acks-orders")).to_have_attribute("data-value", "all")
    choose(page, "az-b")
    expect(page.get_by_test_id("toast")).to_contain_text("client.rack of shop-1 is az-b")
    made = document(page)
    assert made["cluster"]["config"][SELECTOR].endswith("RackAwareReplicaSelector")
    assert made["consumers"][0]["rack"] == "az-b"
    assert [entry["do"] for entry in made["timeline"]] == ["acks orders all"]
    assert made["title"] == "Sandbox, shop-1: client.rack az-b"
    choose(page, "")
    assert "rack" not in document(page)["consumers"][0]
    assert document(page)["title"] == "Sandbox"


def test_any_setting_of_a_client_makes_a_new_run_and_a_wrong_value_says_what_is_allowed(
    context: BrowserContext,
) -> None:
    page = context.new_page()  # its console names the refused request
    opened(page)
    settings(page, "shop-1")
    timeout = page.get_by_test_id("shop-1-session.timeout.ms")
    expect(timeout).to_have_attribute("placeholder", "45000")
    timeout.fill("soon")
    timeout.press("Enter")
    expect(page.get_by_test_id("toast")).to_contain_text("a whole number from 1")
    with another_run(page):
        timeout.fill("6000")
        timeout.press("Enter")
    assert document(page)["consumers"][0]["config"]["session.timeout.ms"] == 6000
    assert document(page)["title"] == "Sandbox, shop-1: session.timeout.ms 6000"
