"""The verdict on a kill that lost nothing by luck offers a moment at which it would have, and a run that shows it."""

import re

from playwright.sync_api import Page, expect

from simengine.explain.decide import lost_in
from simengine.scenario import load
from tests.browser.pages import WAIT_MS, another_run, made, opened
from tests.engine.cluster import SECOND

END_S = 20
LUCKY = """
format: 1
seed: 7
cluster: {brokers: [1, 2, 3], controllers: [100]}
network: {latency: 25ms}
topics: [{name: t, assignment: [[1, 2, 3]], config: {min.insync.replicas: 2}}]
producers: [{id: P, topic: t, rate: 50, acks: 1}]
timeline: [{at: %dus, do: kill 1}]
"""


def lucky_moment() -> int:
    """A moment between two records: each has been fetched when the leader is killed."""
    killed = (load((LUCKY % at).encode()) for at in range(5_000_000, 6_000_000, 20_000))
    return next(doc.timeline[0].at_us for doc in killed if not lost_in(doc, END_S * SECOND))


def stands_at(page: Page, seconds: float) -> None:
    page.wait_for_function("s => window.highwater.model.t >= s * 1e6", arg=seconds, timeout=WAIT_MS)
    expect(page.get_by_test_id("play")).to_have_attribute("data-state", "paused")


def test_a_kill_that_lost_nothing_by_luck_offers_a_run_that_loses_records(page: Page) -> None:
    opened(page, f"{made(page, LUCKY % lucky_moment())}#t={END_S}.000")
    stands_at(page, END_S)
    expect(page.get_by_test_id("verdict-sentence")).to_contain_text("Nothing acknowledged was lost")
    offer = page.get_by_test_id("by-luck")
    expect(offer).to_contain_text(re.compile(r"By luck nothing was lost: if broker 1 is killed at [\d.]+ s instead of"))
    expect(offer).to_contain_text(re.compile(r"\d+ records? of t (is|are) lost \(checked\)"))
    at_us = int(offer.get_attribute("data-at-us") or 0)
    with another_run(page):
        offer.click()
    address = page.url.partition("#")[0]
    page.goto("about:blank")
    opened(page, f"{address}#t={END_S}.000")
    stands_at(page, END_S)
    expect(page.get_by_test_id("verdict-sentence")).to_have_text(re.compile(r"\d+ acknowledged records? (is|are) gone"))
    cause = page.get_by_test_id("deciding-event")
    expect(cause).to_contain_text("Broker 1 is killed.")
    assert abs(int(cause.get_attribute("data-at-us") or 0) - at_us) <= 1
