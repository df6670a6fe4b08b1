"""Steps and words: to the next event worth seeing, by single facts, and what the page calls things."""

import re

from playwright.sync_api import Page, expect

from tests.browser.pages import WAIT_MS, kill, moment, opened, pause, run_until, set_speed

LOOK_S = 60
FACTS_MAX = 60


def test_a_step_in_a_resting_cluster_says_that_no_event_comes_and_shift_steps_by_single_facts(page: Page) -> None:
    opened(page)
    run_until(page, 0.3)
    pause(page)
    before = moment(page)
    page.keyboard.press("Shift+Period")
    page.wait_for_function("t => window.highwater.model.t > t * 1e6", arg=before, timeout=WAIT_MS)
    assert moment(page) - before < 0.1, "one fact further"
    before = moment(page)
    page.get_by_test_id("step-next").click(modifiers=["Shift"])
    page.wait_for_function("t => window.highwater.model.t > t * 1e6", arg=before, timeout=WAIT_MS)
    assert moment(page) - before < 0.1
    before = moment(page)
    page.keyboard.press(".")
    said = re.compile(r"No event in [\d.]+ simulated seconds: the cluster is at rest. The run is now at [\d.]+ s")
    expect(page.get_by_test_id("toast")).to_contain_text(said, timeout=WAIT_MS)
    assert 1 < moment(page) - before <= LOOK_S + 0.01, "as far as it looked, or as its time allowed"


def test_single_facts_can_be_stepped_through_where_one_looks_back(page: Page) -> None:
    opened(page)
    run_until(page, 0.6)
    pause(page)
    page.evaluate("window.highwater.travel.seek(200000)")
    page.wait_for_function("() => window.highwater.model.t === 200000", timeout=WAIT_MS)
    for _ in range(3):
        before = moment(page)
        page.keyboard.press("Shift+Period")
        page.wait_for_function("t => window.highwater.model.t > t * 1e6", arg=before, timeout=WAIT_MS)
        assert moment(page) - before < 0.1
    expect(page.get_by_test_id("go-live")).to_be_visible()


def test_a_broker_killed_in_its_own_shutdown_is_drawn_dead_and_one_that_ends_it_stopped(page: Page) -> None:
    opened(page)
    run_until(page, 0.3)
    for action in ("stop 1", "stop 2", "kill 2"):
        page.evaluate("action => window.highwater.act(action)", action)
    expect(page.get_by_test_id("broker-2")).to_have_attribute("data-state", "dead")
    expect(page.get_by_test_id("event-log")).to_contain_text("Broker 2 is killed")
    set_speed(page, 1_000_000)
    expect(page.get_by_test_id("broker-1")).to_have_attribute("data-state", "stopped", timeout=WAIT_MS)


def test_a_message_in_hand_is_called_by_what_it_is(page: Page) -> None:
    opened(page)
    set_speed(page, 200_000)
    run_until(page, 1.2)
    pause(page)
    flight = "[...window.highwater.model.cursor.flights.all.values()].find(f => f.ended < 0 && f.msg === 3)"
    for _ in range(FACTS_MAX):  # at some moments none is under way
        if page.evaluate(f"{flight} !== undefined"):
            break
        page.keyboard.press("Shift+Period")
        page.wait_for_timeout(100)
    seq = int(page.evaluate(f"{flight}.seq"))
    page.evaluate("seq => window.highwater.act(`hold ${seq}`)", seq)
    called = re.compile(r"The fetch( of \S+)? from broker \d to broker \d is held")
    expect(page.get_by_test_id("toast")).to_contain_text(called)
    expect(page.get_by_test_id("event-log")).to_contain_text(called)
    expect(page.get_by_test_id("caption")).to_contain_text("The fetch is held.")
    assert str(seq) not in page.get_by_test_id("toast").inner_text()


def test_an_az_that_goes_dark_is_told_with_all_that_die_in_it(page: Page) -> None:
    opened(page)
    run_until(page, 0.3)
    page.evaluate("window.highwater.act('kill-rack az-a')")
    expect(page.get_by_test_id("caption")).to_contain_text("az-a is down. Broker 1 and controller 100 die at once")


def test_a_kill_is_followed_by_a_step_to_the_fencing_told_with_what_it_brings_about(page: Page) -> None:
    opened(page)
    run_until(page, 0.5)
    kill(page, 1)
    page.keyboard.press(".")
    page.wait_for_function("() => window.highwater.model.t > 5e6", timeout=WAIT_MS)
    expect(page.get_by_test_id("caption")).to_contain_text(re.compile(r"get new leaders|are gone"))


def test_a_step_to_an_event_without_a_caption_of_its_own_tells_it(page: Page) -> None:
    opened(page, "/play?new=1")
    set_speed(page, 1_000_000)
    run_until(page, 0.3)
    kill(page, 1)
    run_until(page, 1)
    page.evaluate("window.highwater.act('acks orders 0')")
    pause(page)
    page.keyboard.press("Home")
    page.wait_for_function("() => window.highwater.model.t === 0", timeout=WAIT_MS)
    caption = page.get_by_test_id("caption")
    page.keyboard.press(".")
    expect(caption).to_contain_text("Broker 1 dies.")
    page.keyboard.press(".")
    expect(caption).to_contain_text("orders is now written with acks=0.")
    page.keyboard.press(",")
    expect(caption).to_contain_text("Broker 1 dies.")
