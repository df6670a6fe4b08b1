"""The replication throttle on the page (FET-19): beside the other settings, of a cluster whose sizes are told."""

from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.pages import made, opened, play, run_until

RATE = "follower.replication.throttled.rate"
LIST = "follower.replication.throttled.replicas"
SIZED = """{
"format": 1, "until": "300s", "cluster": {"brokers": [1, 2, 3, 4]}, "basis": {"log_mb": 1000, "copy_mb_per_s": 100},
"topics": [
  {"name": "orders", "assignment": [[1, 2, 3]], "initial": {"0": {"leader": 1, "isr": [1, 2, 3], "leo": 1000}}}
],
"timeline": [{"at": "1s", "do": "kill 3"}]
}"""


def timeline(page: Page) -> list[str]:
    told: Any = page.request.get(f"/s/{page.evaluate('window.highwater.boot.scenario')}.json").json()
    return [entry["do"] for entry in told["timeline"]]


def test_a_copy_of_a_new_disk_is_throttled_and_its_price_says_so(page: Page) -> None:
    opened(page, made(page, SIZED))
    play(page)
    run_until(page, 2)
    page.get_by_test_id("tab-settings").click()
    rate, listed = page.get_by_test_id("throttle-follower"), page.get_by_test_id("throttled-follower-orders")
    expect(rate.get_by_role("button", name="none")).to_have_attribute("aria-pressed", "true")
    settings = page.get_by_test_id("settings")
    assert settings.evaluate("(panel) => panel.parentElement.scrollWidth === panel.parentElement.clientWidth")
    rate.get_by_role("button", name="10", exact=True).click()
    listed.get_by_role("button", name="all").click()
    expect(rate.get_by_role("button", name="10", exact=True)).to_have_attribute("aria-pressed", "true")
    expect(listed.get_by_role("button", name="all")).to_have_attribute("aria-pressed", "true")
    run_until(page, 3)
    assert timeline(page)[1:] == [f"config cluster {RATE} 10000000", f"config orders {LIST} *"]
    page.get_by_test_id("broker-3").locator("[data-more]").click()
    expect(page.get_by_test_id("menu-item-start-empty")).to_contain_text("1.0 GB take at least 100 s at 10 MB/s")
    page.keyboard.press("Escape")
    page.evaluate("window.highwater.openMenuFor({kind: 'replica', id: 1, p: 0}, document.body)")
    page.get_by_test_id("menu-item-reassign").click()
    for item in ("move-4", "add"):
        expect(page.get_by_test_id(f"menu-item-{item}")).to_contain_text("1.0 GB take at least 100 s at 10 MB/s")


def test_without_sizes_there_is_no_throttle_to_set(page: Page) -> None:
    opened(page)
    page.get_by_test_id("tab-settings").click()
    expect(page.get_by_test_id("settings")).to_contain_text("replica.lag.time.max.ms")
    expect(page.get_by_test_id("throttle-follower")).to_have_count(0)
