"""Consumers are told on the page to read from the closest replica (KIP-392)."""

from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.pages import another_run, opened, run_until

SELECTOR = "replica.selector.class"


def document(page: Page) -> Any:
    """The document of the run that the page shows."""
    return page.request.get(f"/s/{page.evaluate('window.highwater.boot.scenario')}.json").json()


def choose(page: Page, rack: str) -> None:
    page.get_by_test_id("tab-settings").click()
    with another_run(page):
        page.get_by_test_id("client-rack-shop-1").select_option(rack)
    page.get_by_test_id("tab-settings").click()
    expect(page.get_by_test_id("client-rack-shop-1")).to_have_value(rack)


def test_a_consumer_is_told_to_read_from_the_closest_replica(page: Page) -> None:
    """The settings are read at start: a new run has them, and what was done in this one."""
    opened(page)
    run_until(page, 0.6)
    page.get_by_test_id("acks-orders").get_by_role("button", name="all").click()
    expect(page.get_by_test_id("acks-orders")).to_have_attribute("data-value", "all")
    choose(page, "az-b")
    expect(page.get_by_test_id("toast")).to_contain_text("shop-1 reads from an in-sync replica in az-b")
    made = document(page)
    assert made["cluster"]["config"][SELECTOR].endswith("RackAwareReplicaSelector")
    assert made["consumers"][0]["rack"] == "az-b"
    assert [entry["do"] for entry in made["timeline"]] == ["acks orders all"]
    assert made["title"] == "Sandbox, client.rack az-b"
    choose(page, "")
    assert "rack" not in document(page)["consumers"][0]
    assert document(page)["title"] == "Sandbox"
