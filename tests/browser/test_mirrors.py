"""Two clusters with MirrorMaker between them on the page: its process, its copies, and where a group continues."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.pages import PHONE, made, moment, opened, pause, play, run_until, set_speed, snapshot_at, watch

FAST = 20_000_000
DOCUMENT = """
format: 1
title: MirrorMaker from east to west
seed: 3
until: 3m
clusters:
  east:
    cluster: {brokers: [1, 2, 3], controllers: [101]}
    topics: [{name: orders, assignment: [[1, 2, 3]], config: {min.insync.replicas: 2}}]
    producers: [{id: checkout, topic: orders, rate: 20}]
    consumers: [{id: billing, topics: [orders], group: billing-group}]
  west:
    cluster: {brokers: [1, 2, 3], controllers: [101]}
network: {latency: 20ms}
mirrors:
  - source: east
    target: west
    config:
      sync.group.offsets.enabled: true
      sync.group.offsets.interval.seconds: 10
      emit.checkpoints.interval.seconds: 10
"""
PROCESS = "process-mirror-maker"


def play_until(page: Page, seconds: float) -> None:
    """Let time pass until a moment."""
    play(page)
    run_until(page, seconds)
    pause(page)


@pytest.fixture
def run(page: Page) -> Page:
    """The document's run, drawn."""
    opened(page, made(page, DOCUMENT))
    expect(page.get_by_test_id(PROCESS)).to_have_attribute("data-state", "running")
    return page


def test_mirrormaker_s_metrics_stand_beside_its_process_with_what_to_alert_on(run: Page) -> None:
    set_speed(run, FAST)
    play_until(run, 20)
    run.get_by_test_id("tab-metrics").click()
    panel = run.get_by_test_id("metrics")
    row = panel.get_by_role("row").filter(has_text="record-count").filter(has_text="topic=east.orders")
    expect(row).to_contain_text("mirror-maker")
    expect(row.locator("td.num")).to_have_text(re.compile(r"^[1-9]\d\d$"))
    expect(panel.get_by_test_id("mirror-alerts")).to_contain_text("record-age-ms")


def test_the_verdict_tells_what_is_mirrored_and_where_a_group_continues(run: Page) -> None:
    told = watch(run)
    set_speed(run, FAST)
    play_until(run, 45)
    row = run.get_by_test_id("mirror-east->west")
    row.locator("summary").click()
    expect(run.get_by_test_id("mirrored-orders")).to_contain_text("records are mirrored")
    card = run.get_by_test_id("group-billing-group-east.orders-0")
    expect(card).to_contain_text(re.compile(r"continues at [\d,]+ \(true position [\d,]+\)"))
    expect(card.get_by_role("img")).to_have_attribute("aria-label", re.compile("reads [0-9,]+ again"))
    expect(run.get_by_test_id("topic-west/east.orders")).to_contain_text("copies by mirror-maker")
    expect(run.get_by_test_id("topic-west/heartbeats")).to_have_count(0)
    assert told == []


def test_the_row_of_a_flow_counts_copies_while_time_passes(run: Page) -> None:
    set_speed(run, FAST // 20)
    run.get_by_test_id("play").click()
    run_until(run, 3)
    copies = run.get_by_test_id("mirror-east->west").locator("summary .f").first
    expect(copies).not_to_have_text("0")


def test_a_phone_shows_which_cluster_a_controller_is_of(run: Page) -> None:
    run.set_viewport_size(PHONE)
    strip = run.get_by_test_id("controller")
    expect(strip.get_by_text("east", exact=True)).to_be_visible()
    expect(strip.get_by_text("west", exact=True)).to_be_visible()
    assert run.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_a_site_is_lost_and_the_group_still_has_its_place_on_the_other(run: Page) -> None:
    set_speed(run, FAST)
    play_until(run, 40)
    run.get_by_test_id("site-east").click()
    run.get_by_test_id("menu-item-kill-site").click()
    play_until(run, moment(run) + 20)
    row = run.get_by_test_id("mirror-east->west")
    row.locator("summary").click()
    expect(run.get_by_test_id("group-billing-group-east.orders-0")).to_contain_text("continues at")
    expect(run.get_by_test_id("unchecked").first).to_contain_text("a run of several clusters is not repeated")


def test_a_process_that_is_cut_from_a_cluster_is_healed_from_its_menu(run: Page) -> None:
    link = "Link broker west/3 → west/mirror-maker east->west worker"
    run.get_by_test_id(PROCESS).click()
    run.get_by_test_id("menu-item-cut-west").click()
    expect(run.locator(".evs")).to_contain_text(f"{link} is cut")
    run.get_by_test_id(PROCESS).click()
    expect(run.get_by_test_id("menu-item-cut-west")).to_have_count(0)
    expect(run.get_by_test_id("menu-item-cut-east")).to_have_text("Cut from east")
    run.get_by_test_id("menu-item-heal-west").click()
    expect(run.locator(".evs")).to_contain_text(f"{link} is healthy")
    run.get_by_test_id(PROCESS).click()
    expect(run.get_by_test_id("menu-item-cut-west")).to_be_visible()


def test_the_process_is_killed_and_started_from_its_menu(run: Page) -> None:
    set_speed(run, FAST)
    play_until(run, 10)
    run.get_by_test_id(PROCESS).click()
    run.get_by_test_id("menu-item-kill").click()
    expect(run.get_by_test_id(PROCESS)).to_have_attribute("data-state", "down")
    expect(run.locator(".evs")).to_contain_text("mirror-maker is down")
    run.get_by_test_id(PROCESS).click()
    expect(run.get_by_test_id("menu-item-kill")).to_contain_text("It is down")
    run.get_by_test_id("menu-item-start").click()
    play_until(run, moment(run) + 15)
    expect(run.get_by_test_id(PROCESS)).to_have_attribute("data-state", "running")
    flows = snapshot_at(run, int(moment(run) * 1e6))["mirrors"]["flows"]
    assert flows[0]["partitions"]
    run.get_by_test_id(PROCESS).click()
    run.get_by_test_id("menu-item-stop").click()
    play_until(run, moment(run) + 15)
    expect(run.get_by_test_id(PROCESS)).to_have_attribute("data-state", "down")


def test_the_headline_of_a_lost_cluster_tells_what_clients_lose_and_stays_short(run: Page) -> None:
    set_speed(run, FAST)
    run.evaluate("window.highwater.act('kill-site east')")
    play_until(run, 20)
    headline = run.get_by_test_id("verdict-sentence").get_by_role("heading")
    expect(headline).to_have_text(re.compile(r"^east is down\. .*(in west|mirror).*Writes to orders have waited"))
    expect(run.get_by_test_id("mirror-east->west")).to_be_in_viewport()


def test_on_a_phone_the_rows_of_a_pair_can_be_told_apart(run: Page) -> None:
    """The columns tell the cluster, and the end of a name its partition."""
    run.set_viewport_size(PHONE)
    run.reload()
    run.wait_for_selector("body[data-ready]")
    run.evaluate("window.highwater.page.levelChoice.value = 'chips'")
    row = run.get_by_test_id("partition-east/orders-0")
    expect(row.locator("b")).to_have_text("orders-0")
    expect(row.locator("b")).to_have_attribute("title", "east/orders-0")


def test_stored_offsets_are_deleted_from_the_menu_of_the_process_with_their_price(run: Page) -> None:
    """Copies from before stand twice once a new process has begun at the earliest record (MM-11)."""
    set_speed(run, FAST)
    play_until(run, 20)
    delete = "menu-item-delete-offsets-west/mm2-offsets.east.internal"
    run.get_by_test_id(PROCESS).click()
    price = re.compile(r"goes on from memory; its next process copies [\d,]+ records again")
    expect(run.get_by_test_id(delete)).to_contain_text(price)
    run.get_by_test_id("menu-item-stop").click()
    play_until(run, 30)
    run.get_by_test_id(PROCESS).click()
    told = run.get_by_test_id(delete).inner_text()
    again = re.search(r"Its next process copies ([\d,]+) records again", told)
    assert again
    run.get_by_test_id(delete).click()
    play_until(run, 32)
    run.get_by_test_id(PROCESS).click()
    expect(run.get_by_test_id(delete)).to_contain_text("They are deleted")
    expect(run.get_by_test_id("menu-item-start")).to_contain_text(f"copies {again[1]} records again")
    run.get_by_test_id("menu-item-start").click()
    play_until(run, 60)
    expect(run.locator(".evs")).to_contain_text("has no stored offset of 1 partition")
    run.get_by_test_id("mirror-east->west").locator("summary").click()
    row = run.get_by_test_id("mirrored-orders").locator("dl div", has_text="Twice on the target")
    expect(row.locator("dd")).to_have_text(again[1])
