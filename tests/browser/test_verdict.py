"""The verdict in a real browser: what decided it, checked; why each record was lost; every figure; what was assumed."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.pages import WAIT_MS, copied, made, moment, opened, pause, play, run_until, set_speed

SCENARIOS = Path(__file__).parent.parent / "scenarios"
SANDBOX = Path(__file__).parent.parent.parent / "simengine/scenario/builtin/sandbox.yaml"


def opened_at(page: Page, document: str, seconds: float) -> None:
    """A document of its own in the playground, paused at a moment."""
    opened(page, f"{made(page, document)}#t={seconds:.3f}")
    page.wait_for_function("s => window.highwater.model.t >= s * 1e6", arg=seconds, timeout=WAIT_MS)
    expect(page.get_by_test_id("play")).to_have_attribute("data-state", "paused")


def row_of(page: Page, topic: str) -> Locator:
    """A topic's row, opened."""
    row = page.get_by_test_id(f"verdict-{topic}")
    row.locator("summary").first.press("Enter")
    expect(row.locator(".ex")).to_be_visible()
    return row


def scenario(name: str) -> str:
    return (SCENARIOS / f"{name}.yaml").read_text(encoding="utf-8")


def test_the_action_that_decided_a_loss_is_checked_by_itself_once_time_stands(page: Page) -> None:
    opened_at(page, scenario("s30-unclean-request-elr-off"), 100)
    decided = page.get_by_test_id("deciding-event")
    expect(decided).to_have_attribute("data-checked", "yes", timeout=WAIT_MS)
    expect(decided).to_contain_text(
        re.compile(
            "An unclean election is requested for t-0. *"
            "Without it the same run loses none of this topic’s records \\(checked\\)."
        )
    )
    decided.click()
    page.wait_for_function("() => window.highwater.model.t === 75_000_000")


def test_the_check_mark_comes_when_what_was_done_has_had_its_effect(page: Page) -> None:
    opened(page)
    pause(page)
    verdict = page.get_by_test_id("verdict")
    page.evaluate("window.highwater.act('stop 2')")
    expect(page.get_by_test_id("verdict-sub")).to_contain_text("So far.")
    expect(page.get_by_test_id("verdict-sentence")).to_have_text("Nothing was lost and nothing stopped.")
    expect(verdict).to_have_attribute("data-severity", "none")
    set_speed(page, 20_000_000)
    play(page)
    run_until(page, 45)
    expect(verdict).to_have_attribute("data-severity", "ok")
    expect(page.get_by_test_id("verdict-sub")).not_to_contain_text("So far.")


def test_while_nobody_has_checked_the_card_says_so(page: Page) -> None:
    page.route("**/why?*", lambda route: None)  # the answer never comes
    opened_at(page, scenario("s10-unreplicated-data"), 60)
    expect(page.get_by_test_id("deciding-event")).to_have_attribute("data-checked", "no")
    expect(page.get_by_test_id("unchecked")).to_contain_text("Checking which action decided it", timeout=WAIT_MS)
    assert "Not checked which action decided it." in copied(page, "copy-verdict")
    page.get_by_test_id("play").click()
    expect(page.get_by_test_id("play")).not_to_have_attribute("data-state", "paused")


def test_a_link_of_the_chain_moves_the_playhead_to_its_moment(page: Page) -> None:
    opened_at(page, scenario("s14-unclean-on"), 120)
    page.get_by_test_id("why-t").locator("summary").click()
    chain = page.get_by_test_id("why-t").locator("ol.chain")
    expect(chain).to_contain_text("broker 2 left the ISR of t-0 after replica.lag.time.max.ms", timeout=WAIT_MS)
    expect(chain).to_contain_text("UNC-1")
    expect(chain.locator(".decides")).to_contain_text("broker 0 died")
    link = chain.locator("[data-role=election]").first
    at = float(link.locator(".num").inner_text())
    link.click()
    page.wait_for_function("t => Math.abs(window.highwater.model.t / 1e6 - t) < 0.001", arg=at)
    assert abs(moment(page) - at) < 0.001


def test_the_copied_verdict_has_decision_chain_units_and_theta(page: Page) -> None:
    opened_at(page, scenario("s30-unclean-request-elr-off"), 100)
    expect(page.get_by_test_id("deciding-event")).to_have_attribute("data-checked", "yes", timeout=WAIT_MS)
    text = copied(page, "copy-verdict")
    for part in (
        "decided by: 75.000 s An unclean election is requested for t-0. "
        "Without it the same run loses none of this topic’s records (checked).",
        "10 of 13 acknowledged, about",
        "of this topic’s traffic",
        "(acks=all)",
        "(acks=1)",
        "longer than θ\u00a0=\u00a01\u00a0s",
        "why, t-0: 10 records, acknowledged with acks=all:",
        "it was alone in its ISR, and min.insync.replicas is 1 [PROD-6, HW-1]",
    ):
        assert part in text, f"{part!r} in {text}"


def test_figures_stand_on_the_card_by_partition_and_by_client(page: Page) -> None:
    opened_at(page, scenario("s14-unclean-on"), 120)
    row_of(page, "t")
    expect(page.get_by_test_id("units-t")).to_contain_text("4 of 9 acknowledged")
    expect(page.get_by_test_id("theta")).to_contain_text(re.compile(r"θ\s=\s1\ss"))
    page.get_by_test_id("details-t").locator("summary").click()
    row = page.get_by_test_id("partition-figures-0")
    expect(row.locator("td")).to_have_text(
        [re.compile("t-0"), re.compile(r"[\d.]+ s"), re.compile(r"[\d.]+ s"), re.compile(r"[\d.]+ s"), "4", "0"]
    )
    expect(page.get_by_test_id("seen-t")).to_contain_text(re.compile(r"Exposed for [\d.]+ s"))
    lost = page.get_by_test_id("fate-t-lost").locator("td")
    expect(lost).to_have_text(["acknowledged, then lost", "4", "0", "4", ""])  # the topic, P, Q, group g
    expect(page.get_by_test_id("fate-t-phantoms").locator("td")).to_have_text(["read, then lost", "2", "", "", "2"])


def test_the_action_by_which_records_of_acks_0_vanished_stands_on_the_card(page: Page) -> None:
    """S05: a former leader refused one and told nobody (PROD-4)."""
    opened_at(page, scenario("s05-acks-0-to-a-former-leader"), 60)
    cause = page.get_by_test_id("deciding-event")
    expect(cause).to_contain_text("Without it no record sent with acks=0 vanishes (checked).", timeout=WAIT_MS)


TWO_TOPICS = """
format: 1
title: One acknowledges early
seed: 3
cluster: {brokers: [1, 2, 3], controllers: [100]}
topics:
  - {name: orders, assignment: [[1, 2, 3], [2, 3, 1]], config: {min.insync.replicas: 2}}
  - {name: payments, assignment: [[1, 3, 2], [3, 1, 2]], config: {min.insync.replicas: 2}}
producers:
  - {id: quick, topic: orders, rate: 200, acks: 1}
  - {id: careful, topic: payments, rate: 50, acks: all}
timeline:
  - {at: 2900ms, do: "slow-link 1|2,3 300ms"}
  - {at: 3s, do: kill 1}
"""


def test_sentence_bar_cause_and_rows_stand_below_each_other_without_scrolling(page: Page) -> None:
    opened_at(page, TWO_TOPICS, 20)
    expect(page.get_by_test_id("verdict-sentence")).to_contain_text("gone")
    expect(page.get_by_test_id("deciding-event")).to_have_count(1)
    expect(page.get_by_test_id("deciding-event")).to_have_attribute("data-checked", "yes", timeout=WAIT_MS)
    panel = page.locator(".upper").bounding_box()
    assert panel is not None
    tops = []
    for part in ("verdict-sentence", "stop-bar", "deciding-event", "verdict-orders", "verdict-payments"):
        box = page.get_by_test_id(part).bounding_box()
        assert box is not None and box["y"] + box["height"] <= panel["y"] + panel["height"], part
        tops.append(box["y"])
    assert tops == sorted(tops)
    assert page.locator(".lower").bounding_box()["height"] > 130  # type: ignore[index]  # the log keeps its place


def test_the_parts_of_the_longest_stop_add_up_and_select_their_span_on_the_timeline(page: Page) -> None:
    opened_at(page, TWO_TOPICS, 20)
    detect = page.get_by_test_id("stop-part-detect")
    expect(detect).to_contain_text("broker.session.timeout.ms", timeout=WAIT_MS)
    seconds = [float(text.split()[0]) for text in page.locator(".parts .num").all_inner_texts()]
    whole = float(page.locator(".bt .num").inner_text().split()[0])
    assert abs(sum(seconds) - whole) < 0.01
    detect.click()
    expect(detect).to_have_attribute("aria-pressed", "true")
    span = page.evaluate("window.highwater.page.span.value")
    assert span["from"] == 3_000_000 and span["to"] > 10_000_000
    expect(page.get_by_test_id("marked-span")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("marked-span")).to_have_count(0)
    assert moment(page) == 20  # the playhead stays


def test_without_a_stop_the_bar_stays_with_the_limit_that_it_was_measured_by(page: Page) -> None:
    opened_at(page, TWO_TOPICS, 2)
    expect(page.get_by_test_id("stop-bar")).to_contain_text("No call waited longer than 1 s")
    expect(page.get_by_test_id("deciding-event")).to_have_count(0)


def test_a_row_opens_with_enter_to_figures_and_partitions(page: Page) -> None:
    opened_at(page, TWO_TOPICS, 20)
    row = row_of(page, "orders")
    expect(row).to_contain_text("Lost from before this run")
    expect(page.get_by_test_id("silent-orders")).to_contain_text("orders-0")
    row.locator("summary").first.press("Enter")
    expect(row.locator(".ex")).to_have_count(0)


def many_topics() -> str:
    """Five topics, one of which loses records and one of which is refused."""
    names = ["a", "b", "c", "d", "e", "f", "g"]
    return json.dumps(
        {
            "format": 1,
            "elr": False,
            "cluster": {"brokers": [0, 1, 2], "controllers": [100]},
            "topics": [
                {"name": name, "assignment": [[0, 1, 2]], "config": {"min.insync.replicas": 2}} for name in names
            ],
            "producers": [{"id": f"p-{name}", "topic": name, "acks": 1 if name == "a" else "all"} for name in names],
            "timeline": [
                {"at": "2s", "do": "cut 0|1,2"},
                {"at": "3s", "do": "send p-a a-0 3"},
                {"at": "5s", "do": "kill 0"},
            ],
        }
    )


def test_of_many_topics_the_worst_five_have_rows_and_the_others_a_line(page: Page) -> None:
    opened_at(page, many_topics(), 40)
    rows = page.locator(".tp-rows > details")
    expect(rows).to_have_count(5)
    expect(rows.first).to_have_attribute("data-lost", "3")
    expect(rows.first.locator(".f.bad")).to_have_text(re.compile("3$"))
    expect(page.locator(".tp-rows .f.bad")).to_have_count(1)  # danger only where something is lost
    others = page.get_by_test_id("other-topics")
    expect(others).to_have_text(re.compile(r"^2 others: nothing lost, "))
    expect(page.get_by_test_id("deciding-event")).to_contain_text("Broker 0 is killed.", timeout=WAIT_MS)
    expect(page.get_by_test_id("why-a")).to_contain_text("Why were these lost?")
    others.click()
    expect(rows).to_have_count(7)


def test_the_cause_of_a_lost_az_is_the_az_and_none_of_its_brokers(page: Page) -> None:
    document = json.loads(many_topics())
    document["cluster"]["brokers"] = [{"id": i, "rack": "az-a" if i < 2 else "az-b"} for i in range(3)]
    document["timeline"] = [{"at": "3s", "do": "kill-rack az-a"}]
    page.route("**/why?*", lambda route: None)  # the answer never comes
    opened_at(page, json.dumps(document), 30)
    expect(page.get_by_test_id("deciding-event")).to_contain_text("az-a is taken down.")


def test_a_consumer_that_joins_its_group_reads_nothing_yet(page: Page) -> None:
    opened(page, "/play?new=1")
    run_until(page, 0.3)
    pause(page)
    expect(page.get_by_test_id("partition-orders-0")).to_contain_text("joining group")
    expect(page.get_by_test_id("partition-orders-0")).not_to_contain_text("up to date")


def test_what_a_paste_did_not_say_stands_under_the_verdict_and_in_the_copy(page: Page) -> None:
    about = json.dumps("Pasted.\n\nAssumed:\nrecords/s: 10 (no paste tells)\n")
    opened_at(
        page, re.sub(r"about: \|\n(?:  .*\n)+", lambda _: f"about: {about}\n", scenario("s10-unreplicated-data")), 60
    )
    summary = page.get_by_test_id("verdict-assumed").locator("summary")
    expect(summary).to_have_text("Assumed, since the paste did not say: 1 value")
    summary.click()
    expect(page.get_by_test_id("verdict-assumed")).to_contain_text("records/s: 10")
    assert "Assumed, since the paste did not say:\n  records/s: 10" in copied(page, "copy-verdict")


def test_each_fault_has_its_rpo_and_rto_and_leads_to_its_moment(page: Page) -> None:
    opened_at(page, scenario("s26-zombie"), 100)
    page.get_by_test_id("recovery").locator("summary").click()
    part = page.get_by_test_id("recovery")
    expect(part).to_contain_text("RPO observed: 10 acknowledged records (acks=all: 0, acks=1: 10)", timeout=WAIT_MS)
    expect(part).to_contain_text("RTO acks=all: worst")
    page.get_by_test_id("incident-10000000").click()
    page.wait_for_function("() => window.highwater.model.t === 10_000_000")


RACKS = """
format: 1
until: 60s
cluster: {brokers: [{id: 1, rack: az-a}, {id: 2, rack: az-b}, {id: 3, rack: az-c}], controllers: [100]}
topics: [{name: t, assignment: [[1, 2, 3]], config: {min.insync.replicas: 2}}]
producers: [{id: P, topic: t, rate: 5, acks: 1}]
timeline: [{at: 2s, do: kill 1}]
"""


def test_what_an_az_costs_is_told_of_the_state_that_is_shown(page: Page) -> None:
    """With one of three brokers dead the loss of another leaves fewer than min.insync.replicas until it is back."""
    opened_at(page, RACKS, 20)
    page.wait_for_function("() => window.highwater.story.events().some(event => event.marker !== '')", timeout=WAIT_MS)
    page.get_by_test_id("open-az").click()
    page.wait_for_url("**/az", timeout=WAIT_MS)
    # fenced by then; a death not noticed yet stands at its start
    expect(page.get_by_test_id("az-before")).to_contain_text("Broker 1 is down.")
    expect(page.get_by_test_id("az-dark")).to_contain_text("az-a is dark already: broker 1 is down.", timeout=WAIT_MS)
    expect(page.get_by_test_id("az-write-az-b-all")).to_contain_text("until back", timeout=WAIT_MS)


def test_what_an_az_costs_is_told_of_the_run_itself_while_nothing_has_happened(page: Page) -> None:
    opened_at(page, RACKS, 1)
    page.get_by_test_id("open-az").click()
    page.wait_for_url("**/az", timeout=WAIT_MS)
    expect(page.get_by_test_id("az-answer")).to_be_visible()
    expect(page.get_by_test_id("az-before")).to_have_count(0)


def test_what_an_az_costs_is_asked_once_the_cluster_knows_of_its_dead(page: Page) -> None:
    opened_at(page, RACKS, 4)
    page.wait_for_load_state("networkidle")  # with the verdict of this moment the card is drawn anew, link and all
    page.get_by_test_id("open-az").click()
    expect(page.get_by_test_id("toast")).to_contain_text("play until it is fenced")
    assert not page.url.endswith("/az")


def test_what_an_az_costs_waits_until_the_page_knows_what_has_happened(page: Page) -> None:
    held: list[Route] = []
    page.route("**/facts?*", lambda route: held.append(route))  # noqa: PLW0108  # Playwright marks the handler
    opened_at(page, RACKS, 4)
    page.get_by_test_id("open-az").click()
    page.wait_for_timeout(500)
    assert not page.url.endswith("/az")
    for route in held:
        route.continue_()
    expect(page.get_by_test_id("toast")).to_contain_text("play until it is fenced", timeout=WAIT_MS)


def test_on_a_laptop_the_cause_needs_no_scrolling(page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    opened_at(page, f"{SANDBOX.read_text(encoding='utf-8')}\ntimeline: [{{at: 1.161s, do: kill 1}}]", 14)
    expect(page.get_by_test_id("verdict-sentence")).to_contain_text("acknowledged records are gone")
    cause = page.get_by_test_id("deciding-event")
    expect(cause).to_have_attribute("data-checked", "yes", timeout=WAIT_MS)
    box = cause.bounding_box()
    panel = page.locator("#panel .upper").bounding_box()
    assert box is not None and panel is not None
    assert box["y"] + box["height"] <= panel["y"] + panel["height"]


@pytest.mark.parametrize("size", [(1440, 900), (1280, 800), (390, 844)], ids=lambda size: f"{size[0]}")
def test_no_figure_of_a_long_run_is_cut_off(page: Page, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    timeline = "timeline: [{at: 2s, do: kill 1}, {at: 5s, do: kill 2}]"
    opened_at(page, f"{SANDBOX.read_text(encoding='utf-8')}\n{timeline}", 150)
    cut = (
        "[...document.querySelectorAll('.vm dt')].filter(dt => dt.scrollWidth > dt.clientWidth).map(dt => dt.innerText)"
    )
    hidden = page.get_by_test_id("verdict-orders")
    expect(hidden).not_to_have_attribute("data-hidden", "0")
    row_of(page, "orders")
    assert page.evaluate(cut) == []
    page.get_by_test_id("play").click()
    expect(hidden.locator("dt").filter(has_text="at 15").first).to_be_attached()
    assert page.evaluate(cut) == []
