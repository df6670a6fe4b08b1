"""The page of the AZ answer: what a change does to it, and how a figure leads to its partitions and its run."""

import re
import time
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Request, Route, expect

from tests.browser import az_lines
from tests.browser.pages import PHONE, WAIT_MS, copied
from tests.importers import samples
from tests.rooms.site import Site

LINES = re.compile(r"/import/az/\w+$")
LIST = re.compile(r"/import/az/\w+/list$")
CHANGED_MS = 2_600
TABLE_MS = 240_000
FACTS_MAX = 8
HEADS_PX_MAX = 140  # three lines of buttons, as high as a finger needs
SICK = """\
Topic: pay\tPartitionCount: 2\tReplicationFactor: 3\tConfigs: min.insync.replicas=1
\tTopic: pay\tPartition: 0\tLeader: 1\tReplicas: 1,2,3\tIsr: 1
\tTopic: pay\tPartition: 1\tLeader: 2\tReplicas: 2,3,1\tIsr: 1,2,3
"""
LINES_OF_FIGURES = """() => [...document.querySelectorAll('.az-figure')].map(cell => {
  const texts = cell.querySelectorAll('b, span:not(.vh, .head-of)');
  const lines = [...texts].map(text => {
    const range = document.createRange();
    range.selectNodeContents(text);
    return new Set([...range.getClientRects()].map(one => Math.round(one.bottom))).size;
  });
  return [cell.textContent, lines.reduce((sum, one) => sum + one, 0)];
})"""


def built(page: Page) -> None:
    """The page of the answer to a small paste."""
    page.goto("/import")
    page.get_by_test_id("import-text").fill(samples.MODERN)
    page.get_by_test_id("import-build").click()
    page.wait_for_url(re.compile(r"/s/\w+/az$"))


class Told:
    """A server whose lines the test holds back as it likes."""

    def __init__(self, page: Page) -> None:
        self.edits: list[dict[str, Any]] = []
        self.held: list[Route] = []
        self.holds = False
        self.refused: dict[str, str] = {}
        self.wide = False  # whether the figures are as long as they come
        page.route(LINES, self.answer)
        page.route(LIST, lambda route, request: route.fulfill(json=az_lines.partitions(request.post_data_json)))

    def answer(self, route: Route, request: Request) -> None:
        edits = request.post_data_json or {}
        self.edits.append(edits)
        refused = {key: text for key, text in self.refused.items() if key in edits.get("assumed", {})}
        if refused:
            route.fulfill(status=400, json={"error": "It is out of range.", "refused": refused})
        elif self.holds:
            self.held.append(route)
        else:
            self.send(route, edits)

    def send(self, route: Route, edits: dict[str, Any]) -> None:
        sent = az_lines.lines(edits)
        route.fulfill(
            body=az_lines.body(az_lines.widened(sent) if self.wide else sent), content_type="application/x-ndjson"
        )

    def until_asked(self, page: Page, edits: dict[str, Any]) -> None:
        """Waits until the page has asked for these edits: it does so some time after the last key."""
        deadline = time.monotonic() + WAIT_MS / 1_000
        while self.edits[-1] != edits:
            assert time.monotonic() < deadline, self.edits
            page.wait_for_timeout(50)

    def go_on(self) -> None:
        """Sends what was asked last."""
        self.holds = False
        self.send(self.held.pop(), self.edits[-1])


@pytest.fixture
def told(page: Page) -> Iterator[Told]:
    server = Told(page)
    built(page)
    expect(page.get_by_test_id("az-answer")).to_have_attribute("data-done", "true")
    yield server
    page.unroute_all(behavior="ignoreErrors")


def test_records_per_log_and_rates_by_topic_are_asked_again_as_they_are_typed(page: Page, told: Told) -> None:
    expect(page.locator("#basis-rates")).to_have_attribute("placeholder", "metrics 100")
    page.locator("#basis-log_end").fill("5000")
    page.locator("#basis-rates").fill("metrics 50\norders 5")
    expect(page.get_by_test_id("basis-rates")).to_have_attribute("data-from", "yours")
    told.until_asked(page, {"assumed": {"log_end": "5000", "rates": "metrics 50\norders 5"}})
    expect(page.get_by_test_id("az-answer")).to_have_attribute("data-done", "true")
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]  # type: ignore[index]


def test_guessed_azs_are_told_with_the_cure_and_words_of_the_table_are_explained(page: Page, told: Told) -> None:
    guessed = page.get_by_test_id("az-guessed")
    expect(guessed).to_contain_text("The AZs are guessed, by broker id in turn")
    expect(guessed).to_contain_text("broker.rack")
    expect(page.get_by_role("heading", name="When az-b goes dark")).to_be_visible()
    notes = page.locator(".az-note").first
    expect(notes).to_contain_text("“Any two AZs” stand for")
    expect(notes).to_contain_text("Times near 30 s are request.timeout.ms (Kafka's default)")
    expect(notes).to_contain_text("A longer time is that of a client that asked two dark brokers in turn")
    page.get_by_test_id("place-brokers").select_option("one")
    expect(guessed).to_have_count(0)


def test_old_figures_stay_until_the_new_ones_come_and_those_are_framed(page: Page, told: Told) -> None:
    cell = page.get_by_test_id("az-write-az-b-all")
    expect(cell).to_contain_text("others 31.0 s")
    told.holds = True
    page.locator("#basis-latency_ms").fill("25")
    expect(page.get_by_test_id("az-progress")).to_contain_text("Computing")
    expect(cell).to_contain_text("others 31.0 s")
    expect(page.get_by_test_id("az-headline")).to_contain_text("1 ms.")
    expect(page.get_by_test_id("basis-latency_ms")).to_have_attribute("data-from", "yours")
    told.until_asked(page, {"assumed": {"latency_ms": "25"}})
    told.go_on()
    expect(cell).to_contain_text("others 55.0 s")
    expect(page.get_by_test_id("az-headline")).to_contain_text("25 ms.")
    expect(cell).to_have_class(re.compile(r"\bchanged\b"))
    expect(page.get_by_test_id("az-lost-az-b-all")).not_to_have_class(re.compile(r"\bchanged\b"))
    expect(cell).not_to_have_class(re.compile(r"\bchanged\b"), timeout=CHANGED_MS + 2_000)
    expect(page.get_by_test_id("az-progress")).to_have_count(0)


def rows_of(page: Page) -> list[str]:
    """The rows of the table from the top."""
    rows = page.locator("[data-testid^=az-row-]").all()
    return [str(one.get_attribute("data-testid")).removeprefix("az-row-") for one in rows]


@pytest.mark.parametrize("az", ["az-a", "az-c"])
def test_the_worst_az_is_the_first_row_and_a_row_that_moves_keeps_the_focus(page: Page, told: Told, az: str) -> None:
    assert rows_of(page) == ["az-b", "az-a", "az-c", "any-broker"]
    told.holds = True
    page.locator("#basis-latency_ms").fill("90")
    button = page.get_by_test_id(f"az-row-{az}").get_by_role("button").first
    button.press("Enter")
    expect(page.get_by_test_id("az-open")).to_be_visible()
    told.until_asked(page, {"assumed": {"latency_ms": "90"}})
    assert rows_of(page) == ["az-b", "az-a", "az-c", "any-broker"]
    told.go_on()
    expect(page.get_by_test_id("az-answer")).to_have_attribute("data-done", "true")
    assert rows_of(page) == ["az-b", "az-c", "az-a", "any-broker"]
    expect(button).to_be_focused()
    expect(button).to_have_attribute("aria-expanded", "true")
    expect(page.locator(f'[data-testid="az-row-{az}"] + [data-detail="{az}"]')).to_be_visible()


def test_a_figure_takes_two_lines_on_a_desk(page: Page, told: Told) -> None:
    told.wide = True
    page.locator("#basis-disks").select_option("gone")
    expect(page.get_by_test_id("az-lost-az-b-1")).to_contain_text("a partition, or more")
    for width in (1280, 1440):
        page.set_viewport_size({"width": width, "height": 900})
        lines = dict(page.evaluate(LINES_OF_FIGURES))
        assert len(lines) == 24
        assert {text: count for text, count in lines.items() if count > 2} == {}, width


def test_a_field_shows_what_is_asked_for(page: Page, told: Told) -> None:
    field = page.locator("#basis-latency_ms")
    field.select_text()
    field.press_sequentially("250", delay=120)
    expect(field).to_have_value("250")
    told.until_asked(page, {"assumed": {"latency_ms": "250"}})
    field.select_text()
    field.press("Delete")
    expect(field).to_have_value("")
    field.blur()
    expect(field).to_have_value("1")
    with page.expect_request(LINES):
        page.locator("#basis-disks").select_option("gone")
    expect(page.locator("#basis-disks")).to_have_value("gone")
    page.wait_for_function("() => document.querySelector('[data-testid=az-answer]').dataset.done === 'true'")
    assert told.edits[-1] == {"disks": "gone"}


def test_a_refused_value_stays_in_its_field_with_the_reason_and_the_rest_is_answered(
    browser: Browser, site: Site
) -> None:
    page = browser.new_context(
        base_url=site.url
    ).new_page()  # without the watch: a browser counts a refusal as an error
    told = Told(page)
    built(page)
    told.refused = {"latency_ms": "Latency is 900: allowed is a number from 0 to 500."}
    page.locator("#basis-latency_ms").fill("900")
    expect(page.get_by_test_id("refused-latency_ms")).to_have_text(told.refused["latency_ms"])
    expect(page.locator("#basis-latency_ms")).to_have_value("900")
    expect(page.locator("#basis-latency_ms")).to_have_attribute("aria-invalid", "true")
    expect(page.get_by_test_id("az-answer")).to_have_attribute("data-done", "true")
    assert told.edits[-1] == {}
    told.refused = {}
    page.locator("#basis-latency_ms").fill("9")
    expect(page.get_by_test_id("refused-latency_ms")).to_have_count(0)
    expect(page.get_by_test_id("az-headline")).to_contain_text("9 ms.")
    page.context.close()


def test_a_diamond_marks_what_can_change_the_headline(page: Page, told: Told) -> None:
    decides = page.locator("[data-testid^=basis-][data-decides=true]")
    expect(decides).to_have_count(1)
    expect(decides.get_by_role("img", name="Another value can change the headline")).to_be_visible()
    expect(page.get_by_test_id("basis-disks")).to_have_attribute("data-decides", "true")


def test_a_moved_controller_is_answered_at_once_and_undone(page: Page, told: Told) -> None:
    page.locator('[data-node="c102"]').click()
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_test_id("az-tie")).to_contain_text("The majority of controllers stands in az-b")
    told.until_asked(page, {"controllers": {"100": "az-a", "101": "az-b", "102": "az-b"}})
    expect(page.get_by_test_id("az-answer")).to_have_attribute("data-done", "true")
    page.get_by_test_id("az-tie-breaker").click()
    expect(page.get_by_test_id("az-tie")).to_have_count(0)
    asked = len(told.edits)
    page.get_by_test_id("add-az").click()
    page.wait_for_timeout(300)
    assert len(told.edits) <= asked + 1, "an empty AZ changes no answer"
    page.reload()
    expect(page.get_by_test_id("zone-az-a").locator('[data-node="c102"]')).to_have_count(0)


def test_a_figure_and_a_cause_open_their_partitions(page: Page, told: Told) -> None:
    page.get_by_test_id("az-row-az-b").get_by_role("button", name="az-b worst AZ 1 broker").click()
    listed = page.get_by_test_id("partition-list")
    expect(page.get_by_test_id("az-cause-c0")).to_have_attribute("aria-pressed", "true")
    expect(listed).to_have_attribute("data-total", "300")
    page.get_by_test_id("az-cause-c1").click()
    expect(listed).to_have_attribute("data-total", "2")
    page.get_by_test_id("az-write-az-b-1").get_by_role("button").click()
    expect(listed.get_by_role("heading")).to_have_text("acks=1, not writable: 300 partitions")
    page.get_by_test_id("az-fact-until_back").get_by_role("button").click()
    expect(listed.get_by_role("heading")).to_have_text("acks=all, stops until it is back: 300 partitions")
    page.get_by_test_id("az-fact-disks").get_by_role("button").click()
    expect(listed.get_by_role("heading")).to_have_text("Copies on its disks: 300 partitions")
    page.get_by_test_id("az-write-az-b-all").get_by_role("button").click()
    expect(listed.get_by_role("heading")).to_have_text("acks=all, not writable: 300 partitions")


def test_a_long_list_draws_what_is_in_view_and_gives_all_of_it(page: Page, told: Told) -> None:
    page.get_by_test_id("az-write-az-b-all").get_by_role("button").click()
    rows = page.locator("[data-partition]")
    expect(rows.first).to_have_attribute("data-partition", "orders-299")
    assert rows.count() < 60
    page.get_by_test_id("list-sort-partition").click()
    expect(rows.first).to_have_attribute("data-partition", "orders-0")
    page.locator(".pl-view").evaluate("view => { view.scrollTop = view.scrollHeight; }")
    expect(rows.last).to_have_attribute("data-partition", "orders-299")
    with page.expect_download() as download:
        page.get_by_test_id("list-csv").click()
    text = download.value.path().read_text(encoding="utf-8").splitlines()
    assert (len(text), text[1]) == (301, 'orders,0,az-a: 1; az-b: 2; az-c: 3,1,2,until it is back,"1 left, min ISR 2"')
    assert len(copied(page, "list-copy").splitlines()) == 301


def test_on_a_phone_the_fields_are_folded_and_a_row_has_two_lines_of_three(browser: Browser, site: Site) -> None:
    page = browser.new_context(viewport=PHONE, base_url=site.url, has_touch=True).new_page()
    Told(page)
    built(page)
    expect(page.get_by_test_id("az-facts")).to_be_visible()
    expect(page.get_by_test_id("az-basis")).to_be_hidden()
    page.get_by_test_id("az-fold").tap()
    expect(page.get_by_test_id("az-basis")).to_be_visible()
    boxes = [one.bounding_box() for one in page.get_by_test_id("az-row-az-a").locator(".az-figure").all()]
    tops = [round(box["y"]) for box in boxes if box]
    assert tops[0] == tops[1] == tops[2] < tops[3] == tops[4] == tops[5]
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    page.context.close()


def test_long_names_of_azs_are_cut_with_an_ellipsis_and_cover_nothing(browser: Browser, site: Site) -> None:
    page = browser.new_context(viewport=PHONE, base_url=site.url, has_touch=True).new_page()
    Told(page)
    page.route(LIST, lambda route, request: route.fulfill(json=az_lines.long_names(request.post_data_json)))
    built(page)
    page.get_by_test_id("az-row-az-b").get_by_role("button").first.tap()
    page.get_by_test_id("az-cause-c1").tap()
    rows = page.get_by_test_id("partition-list").locator("[data-partition]")
    expect(rows).to_have_count(2)
    assert rows.evaluate_all("rows => rows.map(row => row.scrollHeight - row.clientHeight > 1)") == [False, False]
    heads = page.get_by_test_id("partition-list").locator("thead").bounding_box()
    assert heads and heads["height"] <= HEADS_PX_MAX
    copied, saved = (page.get_by_test_id(f"list-{one}").bounding_box() for one in ("copy", "csv"))
    assert copied and saved and copied["y"] == saved["y"], "Copy and CSV stand beside each other"
    page.context.close()


def answered(page: Page) -> None:
    """The answer has come whole."""
    expect(page.get_by_test_id("az-answer")).to_have_attribute("data-done", "true", timeout=TABLE_MS)


def test_a_paste_is_answered_and_a_loss_opens_as_a_run_paused_before_it(page: Page) -> None:
    built(page)
    answered(page)
    expect(page.get_by_test_id("az-headline")).to_contain_text("az-")
    assert 1 <= page.locator("[data-testid^=az-fact-]").count() <= FACTS_MAX
    for row in ("az-b", "az-c", "any-broker"):
        expect(page.get_by_test_id(f"az-row-{row}").locator(".az-figure")).to_have_count(6)
    expect(page.get_by_test_id("az-lost-az-b-all")).to_have_attribute("data-step", "0")
    page.get_by_test_id("az-row-az-b").get_by_role("button").first.click()
    expect(page.get_by_test_id("az-cause-c0")).to_have_attribute("aria-pressed", "true")
    rows = page.get_by_test_id("partition-list").locator("[data-partition]")
    expect(rows.first).to_be_visible()
    expect(rows.first.locator(".pl-rep.lost").first).to_be_visible()
    page.get_by_test_id("az-run-all").click()
    page.wait_for_url(re.compile(r"/s/\w+#t="))
    page.wait_for_selector("body[data-ready]")
    before = float(page.url.split("#t=")[1])
    assert abs(float(page.evaluate("window.highwater.model.t")) / 1e6 - before) < 0.002
    expect(page.get_by_test_id("caption")).to_contain_text("az-b goes dark")
    page.go_back()
    answered(page)
    page.get_by_test_id("az-both-of-az-b").click()
    page.wait_for_url(re.compile(rf"/compare/\w+\.\.\w+#t={before}"))
    page.wait_for_selector("body[data-ready]")
    for side, acks in (("a", "1"), ("b", "all")):
        expect(page.locator(f"#name-{side}")).to_contain_text(f"acks={acks}")


def test_a_changed_assumption_is_kept_when_the_cluster_is_opened(page: Page) -> None:
    built(page)
    pasted = page.url
    answered(page)
    page.locator("#basis-latency_ms").fill("25")
    page.locator('[data-node="c100"]').click()
    page.keyboard.press("ArrowRight")
    answered(page)
    page.get_by_test_id("open-built").click()
    page.wait_for_url(re.compile(r"/s/\w+$"))
    opened = page.url
    page.goto(f"{opened}/az")
    expect(page.locator("#basis-latency_ms")).to_have_value("25")
    expect(page.get_by_test_id("basis-latency_ms")).to_have_attribute("data-from", "yours")
    expect(page.get_by_test_id("zone-az-b").locator('[data-node="c100"]')).to_be_visible()
    page.goto(pasted)
    expect(page.locator("#basis-latency_ms")).to_have_value("25")  # this tab remembers what was tried


def test_a_sick_cluster_has_two_tables_and_the_reader_may_say_that_followers_come_back(page: Page) -> None:
    page.goto("/import")
    page.get_by_test_id("import-text").fill(SICK)
    page.get_by_test_id("import-build").click()
    page.wait_for_url(re.compile(r"/s/\w+/az$"))
    answered(page)
    expect(page.get_by_test_id("az-headline")).to_have_text(re.compile("^(Now, as pasted|When all are in sync): "))
    expect(page.get_by_test_id("az-other")).to_have_text(re.compile("^(Now, as pasted|When all are in sync): "))
    expect(page.get_by_test_id("az-standing").first).to_contain_text("in-sync copies")
    first, second = (page.get_by_test_id(f"az-moment-{key}") for key in ("out", "back"))
    second.click()
    expect(second).to_have_attribute("aria-pressed", "true")
    first.click()
    expect(first).to_have_attribute("aria-pressed", "true")
    page.locator("#basis-outside").select_option("back")
    expect(page.get_by_test_id("az-moments")).to_have_count(0)
    expect(page.get_by_test_id("az-headline")).to_have_text(re.compile("^When all are in sync: "))
