"""The playground in a real browser, on the site as it is served: watch, break, scrub, fork, share, reopen."""

import json
import re
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, expect

from simengine.facts.kinds import FLIGHT, FLIGHT_ENDED
from simengine.facts.traffic import Flight, FlightEnded
from tests.browser.pages import (
    PHONE,
    READY_MS,
    WAIT_MS,
    copied,
    kill,
    made,
    moment,
    opened,
    pause,
    play,
    run_until,
    set_speed,
    snapshot_at,
    view_of,
    watch,
)
from tests.rooms.site import Site

LOSS_SPEED = 4_000_000
SCRIPTED = """
format: 1
until: 60s  # at 100 ms/s ten minutes
cluster: {brokers: [1, 2, 3], controllers: [100]}
topics: [{name: orders, assignment: [[1, 2, 3]]}]
producers: [{id: writer, topic: orders, rate: 5}]
timeline: [{at: 1s, do: config orders min.insync.replicas 1}]
"""


def test_the_sandbox_runs_by_itself(page: Page) -> None:
    opened(page)
    expect(page.get_by_test_id("broker-1")).to_have_attribute("data-state", "active")
    expect(page.get_by_test_id("replica-orders-0-1")).to_have_attribute("data-role", "leader")
    before = moment(page)
    page.wait_for_function("t => window.highwater.model.t > t * 1e6 + 100000", arg=before, timeout=WAIT_MS)
    expect(page.get_by_test_id("verdict-orders")).to_have_attribute("data-lost", "0")


def test_killing_the_leader_leads_to_an_election_and_a_verdict(page: Page) -> None:
    opened(page)
    run_until(page, 0.6)
    kill(page, 1)
    set_speed(page, LOSS_SPEED)
    replica = page.get_by_test_id("replica-orders-0-2")
    expect(replica).to_have_attribute("data-role", "leader", timeout=WAIT_MS)
    expect(replica).to_have_attribute("data-epoch", "1")
    expect(page.get_by_test_id("replica-orders-0-1")).to_have_attribute("data-isr", "out")
    expect(page.get_by_test_id("event-log")).to_contain_text("orders-0: broker 2 elected, epoch 0 → 1")
    expect(page.get_by_test_id("verdict-payments")).to_have_attribute("data-lost", "0")
    downtime = int(page.get_by_test_id("verdict-orders").get_attribute("data-write-down-ms") or 0)
    assert 8_000 < downtime < 12_000
    expect(page.get_by_test_id("deciding-event").first).to_be_visible()


def test_behind_the_last_action_of_a_document_automatic_speed_hurries_to_its_end(page: Page) -> None:
    opened(page, made(page, SCRIPTED))
    play(page)
    page.wait_for_function("() => window.highwater.model.t > 59.9e6", timeout=2 * WAIT_MS)
    page.wait_for_function("() => window.highwater.model.roomClock.now_speed === 100_000", timeout=WAIT_MS)
    assert moment(page) < 62


def test_acks_can_be_switched_and_the_producer_follows(page: Page) -> None:
    opened(page)
    page.get_by_test_id("acks-orders").get_by_role("button", name="all").click()
    expect(page.get_by_test_id("acks-orders")).to_have_attribute("data-value", "all")
    expect(page.get_by_test_id("event-log")).to_contain_text("acks=all")
    expect(page.get_by_test_id("toast")).to_contain_text("orders is now written with acks=all")


def test_a_refused_action_says_why(page: Page) -> None:
    opened(page)
    page.evaluate("window.highwater.act('kill 99')")
    expect(page.get_by_test_id("toast")).to_contain_text("Not done:")


def test_scrubbing_shows_exactly_what_the_engine_had(page: Page) -> None:
    opened(page)
    set_speed(page, LOSS_SPEED)
    run_until(page, 1)
    kill(page, 1)
    run_until(page, 14)
    pause(page)
    end = moment(page)
    for share in (0.9, 0.1, 0.77, 0.5, 0.03, 0.66, 0.99, 0.0):
        at_us = int(end * share * 1e6)
        page.evaluate("t => window.highwater.travel.seek(t)", at_us)
        page.wait_for_function("t => window.highwater.model.t === t", arg=at_us, timeout=WAIT_MS)
        shown, wanted = view_of(page), snapshot_at(page, at_us)
        shown["seq"] = wanted["seq"]
        shown["t"] = wanted["t"]
        assert shown == wanted, f"at {at_us} us"


def test_a_fresh_browser_can_scrub_to_what_it_never_received(context: BrowserContext, page: Page) -> None:
    opened(page)
    set_speed(page, LOSS_SPEED)
    run_until(page, 9)
    pause(page)
    other = context.new_page()
    opened(other, page.evaluate("window.highwater.boot.link"))
    for at_us in (3_210_987, 0, 8_000_001):
        other.evaluate("t => window.highwater.travel.seek(t)", at_us)
        other.wait_for_function("t => window.highwater.model.t === t", arg=at_us, timeout=WAIT_MS)
        shown, wanted = view_of(other), snapshot_at(other, at_us)
        shown["seq"], shown["t"] = wanted["seq"], wanted["t"]
        assert shown == wanted


def test_steps_go_from_event_to_event_and_pause(page: Page) -> None:
    opened(page)
    run_until(page, 0.5)
    kill(page, 1)
    page.get_by_test_id("step-next").click()
    expect(page.get_by_test_id("play")).to_have_attribute("data-state", "paused")
    page.wait_for_function("() => window.highwater.model.t > 5e6", timeout=WAIT_MS)
    later = moment(page)
    page.get_by_test_id("step-back").click()
    page.wait_for_function("t => window.highwater.model.t < t * 1e6 - 1e6", arg=later)
    expect(page.get_by_test_id("broker-1")).to_have_attribute("data-state", "dead")


def test_a_link_to_a_moment_that_has_not_come_yet_goes_there_and_plays_on_at_the_speed_chosen(page: Page) -> None:
    opened(page)
    pause(page)
    link = page.evaluate("window.highwater.boot.link")
    page.goto("about:blank")
    opened(page, f"{link}#t=33.000250")
    page.wait_for_function("() => window.highwater.model.t === 33000250", timeout=WAIT_MS)
    expect(page.get_by_test_id("clock")).to_have_attribute("data-ms", "33000")
    expect(page.get_by_test_id("play")).to_have_attribute("data-state", "paused")
    set_speed(page, 30_000_000)
    play(page)
    run_until(page, 63)
    assert page.evaluate("window.highwater.model.roomClock.speed") == 30_000_000


def test_a_speed_chosen_before_the_moment_of_a_link_has_come_is_kept(page: Page) -> None:
    opened(page)
    pause(page)
    chosen = page.evaluate("""() => {
      const { travel, page } = window.highwater;
      travel.wantedSpeed = "auto";
      travel.setSpeed(30_000_000);
      travel.seek(0);
      travel.takeWantedSpeed();
      return page.speed.value;
    }""")
    assert chosen == 30_000_000


def test_whoever_does_not_move_the_clock_waits_for_a_moment_ahead(browser: Browser, site: Site, page: Page) -> None:
    opened(page)
    pause(page)
    ahead = int(moment(page) * 1e6) + 2_000_000
    stranger = browser.new_context(viewport={"width": 1440, "height": 900}, base_url=site.url)
    there = opened(stranger.new_page(), f"{page.evaluate('window.highwater.boot.link')}#t={ahead / 1e6:.6f}")
    expect(there.get_by_text(f"Waiting for {ahead / 1e6:.1f} s onward")).to_be_visible()
    set_speed(page, LOSS_SPEED)
    page.get_by_test_id("play").click()
    there.wait_for_function("t => window.highwater.model.t === t", arg=ahead, timeout=WAIT_MS)
    stranger.close()


def test_acting_in_the_past_makes_a_branch_and_leaves_the_run(page: Page) -> None:
    opened(page)
    set_speed(page, LOSS_SPEED)
    run_until(page, 2)
    kill(page, 1)
    run_until(page, 12)
    pause(page)
    first = page.evaluate("window.highwater.boot.scenario")
    page.evaluate("window.highwater.travel.seek(1_500_000)")
    page.get_by_test_id("acks-orders").get_by_role("button", name="all").click()
    page.wait_for_function("id => window.highwater?.boot.scenario !== id", arg=first, timeout=WAIT_MS)
    page.wait_for_selector("body[data-ready]", timeout=READY_MS)
    expect(page.get_by_test_id("toast")).to_contain_text(
        "New branch from 1.500 s: orders is now written with acks=all."
    )
    expect(page.get_by_test_id("branch-parent")).to_contain_text("orders is now written with acks=all")
    expect(page.get_by_test_id("broker-1")).to_have_attribute("data-state", "active")
    page.get_by_test_id("branch-parent").click()
    page.wait_for_function("id => window.highwater?.boot.scenario === id", arg=first, timeout=WAIT_MS)
    page.wait_for_selector("body[data-ready]", timeout=READY_MS)
    expect(page.get_by_test_id("event-log")).to_contain_text("Broker 1 is killed")


def test_a_shared_link_opens_the_same_moment_for_anybody(browser: Browser, site: Site, page: Page) -> None:
    opened(page)
    set_speed(page, LOSS_SPEED)
    run_until(page, 1)
    kill(page, 1)
    run_until(page, 13)
    pause(page)
    at = moment(page)
    lost = page.get_by_test_id("verdict-orders").get_attribute("data-lost")
    kept = page.evaluate("async () => (await (await fetch('/runs')).text()).split('data-testid=\"run-').length")
    page.get_by_test_id("share").first.click()
    expect(page.get_by_test_id("live-link")).to_have_value(re.compile(r"/s/\w+$"))
    expect(page.get_by_test_id("share-link")).to_have_value("")
    assert page.evaluate("async () => (await (await fetch('/runs')).text()).split('data-testid=\"run-').length") == kept
    page.get_by_test_id("make-copy").click()
    expect(page.get_by_test_id("share-link")).to_have_value(re.compile(r"/s/\w+$"), timeout=WAIT_MS)
    link = page.get_by_test_id("share-link").input_value()
    assert copied(page, "copy-link") == link
    stranger = browser.new_context(viewport={"width": 1440, "height": 900})
    there = opened(stranger.new_page(), link)
    assert abs(moment(there) - at) < 0.001
    expect(there.get_by_test_id("play")).to_have_attribute("data-state", "paused")
    expect(there.get_by_test_id("verdict-orders")).to_have_attribute("data-lost", lost or "0")
    stranger.close()


def test_reload_keeps_moment_selection_and_tab(page: Page) -> None:
    opened(page)
    run_until(page, 0.6)
    page.get_by_test_id("replica-orders-0-2").click()
    page.evaluate("window.highwater.travel.seek(400_000)")
    page.get_by_test_id("tab-inspect").click()
    page.wait_for_function("() => location.hash === '#t=0.400'")
    page.reload()
    page.wait_for_selector("body[data-ready]", timeout=READY_MS)
    page.wait_for_function("() => window.highwater.model.t === 400000", timeout=WAIT_MS)
    expect(page.get_by_test_id("inspector")).to_contain_text("orders-0 on broker 2")


def test_the_verdict_can_be_copied_as_text(page: Page) -> None:
    opened(page)
    text = copied(page, "copy-verdict")
    assert "orders (acks=1 · min ISR 2):" in text and "payments (acks=all · min ISR 2):" in text


def test_everything_can_be_done_with_the_keyboard(page: Page) -> None:
    opened(page)
    page.locator(".matrix").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("k")
    expect(page.get_by_test_id("broker-2")).to_have_attribute("data-state", "dead")
    page.keyboard.press("k")
    expect(page.get_by_test_id("broker-2")).not_to_have_attribute("data-state", "dead")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("broker-menu")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("broker-menu")).to_have_count(0)
    page.keyboard.press("?")
    expect(page.get_by_test_id("help-sheet")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press(" ")
    expect(page.get_by_test_id("play")).to_have_attribute("data-state", "paused")


def test_each_particle_is_a_flight_fact_under_way(page: Page) -> None:
    opened(page)
    run_until(page, 0.6)
    pause(page)
    flights = page.evaluate(
        "[...window.highwater.model.cursor.flights.all.values()].map(f => [f.seq, f.sent, f.arrive])"
    )
    rows = page.evaluate(  # a slow page takes a snapshot anew; what was sent before it stands apart
        "s => [...s.before, ...s.rows].filter(r => r[2] === 64)",
        page.evaluate_handle("window.highwater.model.cursor.stretch"),
    )
    known = {row[0]: row for row in rows}
    now = moment(page) * 1e6
    assert flights
    for seq, sent, arrive in flights:
        assert known[seq][1] == sent <= now and known[seq][7] == arrive > now


def test_a_phone_shows_four_partitions_and_the_verdict(browser: Browser, site: Site) -> None:
    phone = browser.new_context(viewport=PHONE, is_mobile=True, has_touch=True, base_url=site.url)
    page = phone.new_page()
    complaints = watch(page)
    opened(page)
    for partition in ("orders-0", "orders-1", "payments-0", "payments-1"):
        expect(page.get_by_test_id(f"replica-{partition}-1")).to_be_in_viewport()
    expect(page.get_by_test_id("verdict-sentence")).to_be_in_viewport()
    expect(page.get_by_test_id("caption")).to_contain_text("Kill broker 1 by its button or its menu, and see")
    expect(page.get_by_test_id("play")).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.get_by_role("tab", name="Settings").tap()
    page.get_by_role("button", name="Raise records per second to orders").tap()
    expect(page.get_by_test_id("settings-rate-orders")).to_contain_text("200")
    page.get_by_test_id("settings-speed-auto").tap()
    page.wait_for_function("() => window.highwater.page.speed.value === 100000", timeout=WAIT_MS)
    assert page.get_by_test_id("speed").bounding_box()["height"] >= 40  # type: ignore[index]
    assert complaints == []
    phone.close()


def big_cluster(brokers: int, partitions: int, topics: int) -> dict[str, Any]:
    """A document of many brokers in three racks; replicas of each partition in three racks."""
    racks = ["az-a", "az-b", "az-c"]
    width = brokers // 3
    listed = [{"id": i + 1, "rack": racks[i // width]} for i in range(width * 3)]
    assignment = [
        [1 + (i + k) % 3 * width + (i * 7 + k) % width for k in range(3)] for i in range(partitions // topics)
    ]
    return {
        "format": 1,
        "title": "Many brokers",
        "cluster": {"brokers": listed, "controllers": [100, 101, 102]},
        "topics": [
            {"name": f"topic.{t}", "assignment": assignment, "config": {"min.insync.replicas": 2}}
            for t in range(topics)
        ],
        "producers": [{"id": "P", "topic": "topic.0", "rate": 20, "acks": "all"}],
    }


def test_sixty_brokers_with_two_thousand_partitions_are_a_map_that_can_be_used(page: Page) -> None:
    opened(page, made(page, json.dumps(big_cluster(60, 2000, 20))))
    expect(page.get_by_test_id("map")).to_be_visible()
    expect(page.get_by_test_id("state-0")).to_contain_text("2,000")
    page.keyboard.press(" ")
    set_speed(page, LOSS_SPEED)
    page.evaluate("window.highwater.act('kill-rack az-a')")
    expect(page.get_by_test_id("state-1")).to_contain_text("2,000", timeout=2 * WAIT_MS)
    page.get_by_test_id("map-table").click()
    expect(page.get_by_test_id("stage").get_by_role("rowheader", name="topic.7", exact=True)).to_be_visible()


def test_a_message_is_held_delivered_and_dropped_by_hand(page: Page) -> None:
    opened(page)
    run_until(page, 0.6)
    pause(page)
    page.locator(".matrix").focus()
    page.keyboard.press("m")
    page.keyboard.press("Enter")
    page.get_by_test_id("flight-menu").get_by_test_id("menu-item-hold").click()
    picked = "window.highwater.model.cursor.flights.all.get(window.highwater.stage.particles.picked)"
    page.wait_for_function(f"() => {picked}?.held >= 0", timeout=WAIT_MS)
    page.get_by_test_id("play").click()
    run_until(page, moment(page) + 0.1)
    pause(page)
    expect(page.get_by_test_id("inspector")).to_contain_text("held by hand")
    page.locator(".matrix").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("menu-item-hold")).to_have_attribute("aria-disabled", "true")
    page.get_by_test_id("menu-item-deliver").click()
    page.wait_for_function(f"() => !{picked}", timeout=WAIT_MS)
    page.keyboard.press("m")
    page.keyboard.press("Enter")
    page.get_by_test_id("menu-item-drop").click()
    page.wait_for_function(f"() => !{picked} || {picked}.ended >= 0", timeout=WAIT_MS)
    expect(page.get_by_test_id("event-log")).to_contain_text("is lost with its connection")


def test_chips_count_the_messages_of_each_lane(page: Page) -> None:
    opened(page)
    page.get_by_test_id("detail-chips").click()
    set_speed(page, LOSS_SPEED)
    lane = page.get_by_test_id("partition-orders-0").locator(".st")
    expect(lane).to_have_text(re.compile(r"^\d+$"), timeout=WAIT_MS)
    expect(page.get_by_test_id("lane-common")).to_contain_text("messages in 250 ms")
    page.get_by_test_id("detail-logs").click()
    expect(page.get_by_test_id("lane-common")).to_be_hidden()


def test_a_copy_is_reassigned_from_its_menu(page: Page) -> None:
    opened(page)
    run_until(page, 0.5)
    page.get_by_test_id("replica-orders-0-3").click(button="right")
    page.get_by_test_id("replica-menu").get_by_test_id("menu-item-reassign").click()
    expect(page.get_by_test_id("reassign-menu")).to_contain_text("Every broker has one")
    page.get_by_test_id("menu-item-remove").click()
    expect(page.get_by_test_id("event-log")).to_contain_text("broker 3 deletes its copy", timeout=WAIT_MS)


def test_a_cut_ends_exactly_the_messages_on_its_link(page: Page) -> None:
    opened(page)
    run_until(page, 0.6)
    page.evaluate("window.highwater.act('cut 1|2')")
    expect(page.get_by_test_id("event-log")).to_contain_text("Link broker 1 → broker 2 is cut")
    pause(page)
    rows = page.evaluate("window.highwater.model.trace.live.rows")
    flights = {row[0]: Flight.read(row) for row in rows if row[2] == FLIGHT}
    ended = [FlightEnded.read(row).flight for row in rows if row[2] == FLIGHT_ENDED]
    on_link = [flights[flight] for flight in ended if flight in flights]
    held = [flight for flight in flights.values() if flight.arrive == -1]
    assert ended or held
    assert all({flight.src, flight.dst} == {1, 2} for flight in (*on_link, *held))


def test_the_theme_is_kept(page: Page) -> None:
    opened(page)
    page.get_by_test_id("theme-toggle").click()
    chosen = page.evaluate("document.documentElement.dataset.theme")
    page.get_by_test_id("theme-toggle").click()
    other = page.evaluate("document.documentElement.dataset.theme")
    assert {chosen, other} == {"light", "dark"}
    page.reload()
    assert page.evaluate("document.documentElement.dataset.theme") == other


def test_a_killed_server_comes_back_without_a_click(page: Page, site: Site) -> None:
    opened(page)
    run_until(page, 0.5)
    kill(page, 3)
    drawn = page.evaluate("window.highwater.model.view.seq")
    site.kill()
    expect(page.get_by_test_id("connection")).to_contain_text("Connection lost.")
    site.start()
    page.wait_for_function("() => window.highwater.model.connection.value.state === 'open'", timeout=WAIT_MS)
    page.wait_for_function("seq => window.highwater.model.view.seq >= seq", arg=drawn, timeout=WAIT_MS)
    expect(page.get_by_test_id("broker-3")).to_have_attribute("data-state", "dead")
    expect(page.get_by_test_id("toast")).to_contain_text("Connected again. Nothing was lost.")


def test_metrics_under_their_jmx_names_at_any_moment(page: Page) -> None:
    opened(page)
    kill(page, 1)
    set_speed(page, 8_000_000)
    run_until(page, 14)
    pause(page)
    page.evaluate("window.highwater.select(null)")
    page.get_by_test_id("tab-metrics").click()
    tab = page.get_by_test_id("metrics")
    tab.get_by_role("searchbox").fill("FencedBrokerCount")
    rows = tab.get_by_role("row")
    expect(rows).to_have_count(3)  # every controller publishes it (MET-7)
    expect(rows.first).to_contain_text("kafka.controller:type=KafkaController,name=FencedBrokerCount Value")
    expect(rows.locator("td.num")).to_have_text(["1", "1", "1"])
    page.evaluate("window.highwater.travel.seek(300_000)")
    expect(rows.locator("td.num")).to_have_text(["0", "0", "0"], timeout=WAIT_MS)
    page.evaluate("window.highwater.select({kind: 'broker', id: 2})")
    tab.get_by_role("searchbox").fill("LogEndOffset orders")
    expect(tab).to_contain_text("kafka.log:type=Log,name=LogEndOffset,topic=orders,partition=0")
    page.evaluate("window.highwater.select({kind: 'broker', id: 1})")
    page.evaluate("window.highwater.travel.goLive()")
    expect(tab).to_contain_text("Broker 1 is dead, so it says nothing over JMX", timeout=WAIT_MS)


def test_the_power_of_a_broker_can_be_cut(page: Page) -> None:
    opened(page)
    run_until(page, 0.6)
    page.locator(".matrix").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Shift+P")
    expect(page.get_by_test_id("broker-2")).to_have_attribute("data-state", "dead")
    expect(page.get_by_test_id("caption")).to_contain_text("power", timeout=WAIT_MS)
