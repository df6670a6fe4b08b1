"""Alerts on the page of a run: the lane, the verdict, the dialog that edits the rules, the rule file."""

import json
from typing import Any

from playwright.sync_api import Browser, Page, expect

from tests.browser.axe import found
from tests.browser.pages import WAIT_MS, another_run, copied, person_of, set_speed
from tests.browser.test_verdict import opened_at
from tests.rooms.site import Site

DOCUMENT: dict[str, Any] = {
    "format": 1,
    "title": "Two brokers and an alert",
    "seed": 1,
    "until": "40s",
    "elr": False,
    "cluster": {"brokers": [1, 2], "controllers": [100]},
    "topics": [{"name": "t", "assignment": [[1, 2]], "config": {"unclean.leader.election.enable": True}}],
    "producers": [{"id": "P", "topic": "t", "acks": 1}],
    "timeline": [
        {"at": "2s", "do": "cut 1|2"},
        {"at": "3s", "do": "send P t-0 5"},
        {"at": "5s", "do": "kill 1"},
        {"at": "5s", "do": "heal"},
    ],
    "alerts": {
        "scrape": "5s",
        "rules": [{"name": "Missing replicas", "metric": "UnderReplicatedPartitions", "for": "10s"}],
    },
}


def test_the_rules_are_looked_at_changed_copied_and_set_back(page: Page) -> None:
    opened_at(page, json.dumps(DOCUMENT), 40)
    pager = page.get_by_test_id("pager")
    expect(pager).to_contain_text("after the first record was lost: Missing replicas; nothing told you earlier.")
    bar = page.get_by_test_id("alert-firing")
    expect(bar).to_have_count(1)
    fired = int(bar.get_attribute("data-t") or 0)

    page.get_by_role("tab", name="Metrics").click()
    page.get_by_label("Words that a metric").fill("UnderReplicated")
    page.get_by_test_id("plot-metric-UnderReplicatedPartitions").click()
    lines = page.get_by_test_id("plot-lines")
    expect(lines).to_have_attribute("aria-label", "broker 1: 0 throughout; broker 2: 0 to 1", timeout=WAIT_MS)
    expect(page.get_by_test_id("plot-rule")).to_have_text("Missing replicas: UnderReplicatedPartitions > 0 for 10s")
    page.locator("#plot-metric").select_option("LogEndOffset")
    expect(lines).to_have_attribute("aria-label", "broker 1, t-0: 0 to 5; broker 2, t-0: 0 throughout", timeout=WAIT_MS)
    assert found(page) == []
    page.get_by_role("button", name="Close the plot").click()
    expect(lines).to_have_count(0)
    page.get_by_role("tab", name="Verdict").click()

    page.get_by_test_id("alerts").locator("summary").press("Enter")
    rule = page.get_by_test_id("alert-rule")
    expect(rule).to_have_attribute("data-state", "firing")
    expect(rule).to_contain_text("UnderReplicatedPartitions > 0 for 10s")
    assert "kafka_server_replicamanager_underreplicatedpartitions > 0" in copied(page, "copy-rules")

    page.get_by_test_id("edit-alerts").click()
    dialog = page.locator("#alerts-dialog")
    expect(page.get_by_test_id("edit-rule")).to_have_count(1)
    dialog.get_by_label("For", exact=True).fill("0")
    page.get_by_test_id("add-alert").click()
    dialog.get_by_label("Metric").nth(1).select_option("OfflinePartitionsCount")
    set_speed(page, 500_000)
    with another_run(page):
        page.get_by_test_id("save-alerts").click()
    page.wait_for_function("() => window.highwater.model.roomClock.speed === 500_000", timeout=WAIT_MS)
    page.wait_for_function("() => window.highwater.model.t === 40_000_000", timeout=WAIT_MS)
    page.get_by_test_id("alerts").locator("summary").press("Enter")
    expect(page.get_by_test_id("alert-rule")).to_have_count(2, timeout=WAIT_MS)
    expect(page.get_by_test_id("alert-rule").first).to_contain_text("UnderReplicatedPartitions > 0")
    expect(page.get_by_test_id("alert-firing").first).to_have_attribute("data-t", str(fired - 10_000_000))

    page.get_by_test_id("edit-alerts").click()
    with another_run(page):
        page.get_by_test_id("reset-alerts").click()
    page.get_by_test_id("alerts").locator("summary").press("Enter")
    expect(page.get_by_test_id("alert-rule")).to_have_count(5, timeout=WAIT_MS)
    expect(page.get_by_test_id("alert-firing")).to_have_count(0)


def test_a_rule_that_no_document_may_have_is_refused_in_the_dialog(browser: Browser, site: Site) -> None:
    page = person_of(browser, site).new_page()  # its console tells of the refusal
    opened_at(page, json.dumps(DOCUMENT), 40)
    page.get_by_test_id("alerts").locator("summary").press("Enter")
    page.get_by_test_id("edit-alerts").click()
    dialog = page.locator("#alerts-dialog")
    dialog.get_by_label("For", exact=True).fill("soon")
    page.get_by_test_id("save-alerts").click()
    expect(dialog.get_by_role("alert")).to_contain_text("alerts.rules[0].for: not a duration")
    page.context.close()


def test_an_alert_that_fires_moves_nothing(page: Page) -> None:
    heights = []
    for moment, bars in ((1, 0), (40, 1)):
        opened_at(page, json.dumps(DOCUMENT), moment)
        expect(page.get_by_test_id("alert-firing")).to_have_count(bars, timeout=WAIT_MS)
        heights.append(page.evaluate("document.getElementById('timeline').getBoundingClientRect().height"))
    assert heights[0] == heights[1]
