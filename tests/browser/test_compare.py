"""Two runs on one clock: from a run to its comparison, one transport for both, where they part, and its link."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser import axe
from tests.browser.axe import found
from tests.browser.pages import PHONE, READY_MS, WAIT_MS, copied, made, opened, person_of, run_until, token
from tests.rooms.site import Site

# Broker 1 leads orders-0, is cut off and dies: with acks=1 its newest records are lost.
DOCUMENT = """
format: 1
title: The leader dies
seed: 5
until: 40s
cluster: {brokers: [{id: 1, rack: a}, {id: 2, rack: b}, {id: 3, rack: c}], controllers: [100, 101, 102]}
topics:
  - {name: orders, assignment: [[1, 2, 3], [2, 3, 1]], config: {min.insync.replicas: 2}}
producers:
  - {id: writer, topic: orders, rate: 20, acks: "1"}
timeline: [{at: 3.9s, do: "cut 1|2,3"}, {at: 4s, do: kill 1}]
"""
PARTED = re.compile(r"They part at \d+\.\d{3} s\. A: orders-0: \d+ acknowledged records? (is|are) gone")
CALM = DOCUMENT.replace("timeline:", "#")


def compared(page: Page, address: str) -> Page:
    """The page of a comparison, once every run is drawn and the engine has compared them."""
    page.goto(address)
    page.wait_for_selector("body[data-ready]", timeout=READY_MS)
    page.wait_for_function("() => compare.found.value !== null", timeout=WAIT_MS)
    return page


def pair(page: Page) -> str:
    """The address of the run with acks=1 beside the same with acks=all."""
    ids = [made(page, DOCUMENT.replace('"1"', acks)).split("/")[-1] for acks in ('"1"', "all")]
    return f"/compare/{ids[0]}..{ids[1]}"


def times(page: Page) -> list[int]:
    """The drawn moment of each run, us."""
    found: list[int] = page.evaluate("compare.players.map(({ model }) => Math.round(model.t))")
    return found


def wait_for_moment(page: Page, test: str) -> None:
    """Wait until all runs are drawn at one moment that fulfils a condition on ``t``, us."""
    condition = f"t => {test}"
    page.wait_for_function(
        f"() => {{ const all = compare.players.map(one => one.model.t);"
        f" return all.every(t => t === all[0]) && ({condition})(all[0]); }}",
        timeout=WAIT_MS,
    )


def test_from_a_run_to_the_same_with_acks_all(page: Page) -> None:
    opened(page, made(page, DOCUMENT))
    page.get_by_test_id("compare").first.click()
    page.get_by_test_id("compare-acks-all-orders").click()
    page.wait_for_url("**/compare/**", timeout=WAIT_MS)
    page.wait_for_selector("body[data-ready]", timeout=READY_MS)
    expect(page.locator("#name-a")).to_have_text("writer acks=1", timeout=WAIT_MS)
    expect(page.locator("#name-b")).to_have_text("writer acks=all")
    expect(page.get_by_test_id("parting")).to_have_text(PARTED)
    page.get_by_test_id("go-to-parting").click()
    wait_for_moment(page, "t > 8e6")
    expect(page.get_by_test_id("side-a").get_by_test_id("side-sentence")).to_contain_text("gone")
    expect(page.get_by_test_id("side-b").get_by_test_id("side-sentence")).not_to_contain_text("gone")
    lost = page.get_by_test_id("side-a").locator("dl .differs", has_text="Lost")
    expect(lost).to_be_visible()
    page.evaluate("compare.travel.seek(30_000_000)")
    expect(page.get_by_test_id("alert-pending")).to_have_count(2, timeout=WAIT_MS)  # a lane for each run


def test_the_sandbox_and_the_same_with_another_version_play_together(page: Page) -> None:
    opened(page)
    run_until(page, 1.2)
    page.get_by_test_id("compare").first.click()
    page.get_by_test_id("compare-version-4.0").click()
    page.wait_for_url("**/compare/**", timeout=WAIT_MS)
    page.wait_for_selector("body[data-ready]", timeout=READY_MS)
    expect(page.locator("#name-b")).to_have_text("Kafka 4.0", timeout=WAIT_MS)
    wait_for_moment(page, "t > 1e6")
    expect(page.get_by_test_id("play")).to_have_attribute("data-state", "paused")
    page.keyboard.press("Space")
    wait_for_moment(page, "t > 1.5e6")
    page.keyboard.press("Space")
    page.wait_for_function("() => compare.players.every(({ model }) => !model.roomClock.playing)", timeout=WAIT_MS)


def test_from_a_run_to_the_same_with_any_setting_or_seed(page: Page) -> None:
    address = made(page, DOCUMENT)
    opened(page, address)
    page.get_by_test_id("compare").first.click()
    expect(page.get_by_test_id("compare-elr")).to_have_text("ELR off")
    expect(page.get_by_test_id("compare-unclean-orders")).to_have_text(
        "orders with unclean.leader.election.enable=true"
    )
    page.get_by_test_id("compare-setting").fill("retention.ms")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("compare-problem")).to_contain_text("“retention.ms” is no setting")
    page.get_by_test_id("compare-setting").fill("retention.ms=60000")
    page.keyboard.press("Enter")
    page.wait_for_url("**/compare/**", timeout=WAIT_MS)
    expect(page.locator("#name-b")).to_contain_text("60000", timeout=WAIT_MS)
    opened(page, address)
    page.get_by_test_id("compare").first.click()
    page.get_by_test_id("compare-seed").fill("77")
    page.get_by_test_id("compare-seed-button").click()
    page.wait_for_url("**/compare/**", timeout=WAIT_MS)
    expect(page.locator("#name-b")).to_contain_text("77", timeout=WAIT_MS)


def test_one_transport_moves_both_runs(page: Page) -> None:
    compared(page, f"{pair(page)}#t=1.000")
    wait_for_moment(page, "t === 1e6")
    page.get_by_test_id("play").click()
    wait_for_moment(page, "t > 1.2e6")
    page.keyboard.press("Space")
    expect(page.get_by_test_id("play")).to_have_attribute("data-state", "paused")
    page.keyboard.press(".")
    wait_for_moment(page, "t === 3.9e6")
    page.keyboard.press(".")
    wait_for_moment(page, "t === 4e6")
    page.keyboard.press(",")
    wait_for_moment(page, "t === 3.9e6")
    page.keyboard.press("]")
    assert page.evaluate("compare.players.map(({ page }) => page.speed.value)") == [2_000_000, 2_000_000]
    page.keyboard.press("d")
    wait_for_moment(page, "t > 8e6")
    page.keyboard.press("Home")
    wait_for_moment(page, "t === 0")


def test_both_runs_keep_the_digests_that_they_have_alone(page: Page) -> None:
    address = pair(page)
    compared(page, f"{address}#t=6.000")
    wait_for_moment(page, "t === 6e6")
    alone = []
    for run in page.evaluate("compare.players.map(({ boot }) => boot.room)"):
        answer = page.request.get(f"/rooms/{run}/verdict?at_us=6000000")
        alone.append(answer.json()["digest"])
    told = page.request.get(f"{address}/figures?at_us=6000000").json()
    assert [side["digest"] for side in told["sides"]] == alone


def test_the_link_never_changes_and_opens_at_the_same_moment_in_a_fresh_browser(
    page: Page, browser: Browser, site: Site
) -> None:
    compared(page, pair(page))
    page.evaluate("compare.travel.seek(4500000)")
    wait_for_moment(page, "t === 4.5e6")
    page.get_by_test_id("side-a").get_by_role("button", name="Chips").click()
    expect(page).to_have_url(re.compile("#t=4.500&level=chips$"))
    link = copied(page, "share-pair")
    page.get_by_test_id("side-a").get_by_role("button", name="Logs").click()
    names = [page.locator(f"#name-{side}").inner_text() for side in "ab"]
    page.get_by_test_id("side-b").get_by_test_id("broker-2").locator("[data-power]").click()  # after the copies
    expect(page.get_by_test_id("side-a").get_by_test_id("broker-2")).to_have_attribute("data-state", "dead")
    person = person_of(browser, site)
    person.grant_permissions(["clipboard-read", "clipboard-write"])
    other = person.new_page()
    compared(other, link)
    wait_for_moment(other, "t === 4.5e6")
    expect(other.get_by_test_id("side-b").get_by_role("button", name="Chips")).to_have_attribute("aria-pressed", "true")
    expect(other.get_by_test_id("side-a").get_by_test_id("broker-2")).to_have_attribute("data-state", "active")
    assert [other.locator(f"#name-{side}").inner_text() for side in "ab"] == names
    other.get_by_test_id("play").click()  # each browser has a clock of its own there
    wait_for_moment(other, "t > 4.6e6")
    assert copied(other, "share-pair").partition("#")[0] == link.partition("#")[0]
    with other.expect_download() as yaml:
        other.get_by_test_id("side-a").get_by_test_id("yaml-side").click()
    assert yaml.value.suggested_filename.endswith(".yaml")
    assert 'acks: "1"' in yaml.value.path().read_text()
    other.get_by_test_id("side-a").get_by_test_id("lineage-side").click()
    expect(other.get_by_test_id("lineage")).to_contain_text("The leader dies")
    other.go_back()
    other.wait_for_selector("body[data-ready]", timeout=READY_MS)
    wait_for_moment(other, "t > 4.6e6")


def test_a_live_pair_of_somebody_else_is_watched_or_copied(page: Page, browser: Browser, site: Site) -> None:
    compared(page, f"{pair(page)}#t=4.500")
    wait_for_moment(page, "t === 4.5e6")
    page.reload()
    page.wait_for_selector("body[data-ready]", timeout=READY_MS)
    wait_for_moment(page, "t === 4.5e6")
    link = page.url
    other = person_of(browser, site).new_page()
    compared(other, link.replace("4.500", "20.000"))
    wait_for_moment(other, "t === 4.5e6")
    expect(other.get_by_test_id("side-a").get_by_test_id("side-state")).to_have_text("Not your run")
    known = "Not your runs: known up to 4.5 s; the owner {}. An action makes branches of your own."
    guest = other.get_by_test_id("guest")
    expect(guest).to_have_text(f"20.0 s is not known yet. {known.format('is here and can play on')}")
    expect(other).to_have_url(re.compile("#t=20.000$"))  # a reload asks for it again
    other.evaluate("location.hash = '#t=4.500'")
    expect(guest).to_have_text(known.format("is here and can play on"))
    page.goto("/runs")
    expect(guest).to_have_text(known.format("is away"))
    other.get_by_test_id("play").click()
    told = other.get_by_test_id("toast")
    expect(told).to_contain_text("Nothing more is known, and only the owner plays on.")
    expect(other.get_by_test_id("play")).to_have_attribute("data-state", "paused")
    third = person_of(browser, site).new_page()
    compared(third, link)
    third.get_by_test_id("go-to-parting").click()  # beyond what the owner has played: copies of one's own go there
    third.wait_for_url(lambda url: not link.startswith(url.split("#")[0]), timeout=WAIT_MS)
    wait_for_moment(third, "t > 8e6")
    told.get_by_role("button", name="Make copies and play").click()
    other.wait_for_url(lambda url: not link.startswith(url.split("#")[0]), timeout=WAIT_MS)
    other.wait_for_selector("body[data-ready]", timeout=READY_MS)
    wait_for_moment(other, "t > 4.7e6")
    assert other.evaluate("compare.players.every(({ control }) => control.value)")


def test_partitions_that_differ_are_marked(page: Page) -> None:
    compared(page, f"{pair(page)}#t=20.000")
    wait_for_moment(page, "t === 20e6")
    expect(page.get_by_test_id("partition-marks")).to_contain_text(re.compile(r"orders-0: .*lost records A \d+, B 0"))
    assert page.locator(".side[data-side=a] .pt.differs").count() >= 1


def test_where_time_stands_the_figures_below_a_run_are_those_of_the_table_at_that_moment(page: Page) -> None:
    compared(page, f"{pair(page)}#t=8.470")
    wait_for_moment(page, "t === 8470000")
    expect(page.get_by_test_id("side-moment")).to_have_count(0, timeout=WAIT_MS)
    page.keyboard.press("f")
    expect(page.locator("#figures-title")).to_have_text("All figures at 8.470 s", timeout=WAIT_MS)
    rows = page.get_by_test_id("figures-table").locator("tbody").first.locator("tr:has(td)")
    table = {row.locator("th").inner_text(): row.locator("td").all_inner_texts() for row in rows.all()}
    assert table["Writes stood still"][1] != table["Writes stood still"][0]
    for side in range(2):
        below = page.get_by_test_id("side-figures").nth(side)
        for shown in below.locator("div").all():
            label, text = shown.locator("dt").inner_text(), shown.locator("dd").inner_text()
            assert text == table[label][side], label


def test_all_figures_are_a_table_and_can_be_copied(page: Page) -> None:
    compared(page, f"{pair(page)}#t=20.000")
    wait_for_moment(page, "t === 20e6")
    page.keyboard.press("f")
    table = page.get_by_test_id("figures-table")
    expect(table.locator("tr.differs", has_text="Lost").first).to_be_visible(timeout=WAIT_MS)
    assert "They part at" in copied(page, "copy-text")
    csv = copied(page, "copy-csv").splitlines()
    assert csv[0] == '"topic","figure","unit","A writer acks=1","B writer acks=all"'
    lost = next(line for line in csv if line.startswith('"","lost"')).split(",")
    assert int(lost[3]) > 0
    assert lost[4] == "0"


def test_a_branch_is_compared_with_its_parent(page: Page) -> None:
    address = made(page, CALM)
    opened(page, address)
    page.evaluate("window.highwater.live.command('reach', { t: 2000000 })")
    answer = page.request.post(
        f"{address}/fork", data=json.dumps({"at_us": 1_000_000, "do": "kill 1"}), headers=token(page)
    )
    branch: dict[str, Any] = answer.json()
    opened(page, branch["url"])
    page.get_by_test_id("compare").first.click()
    page.get_by_test_id(f"compare-with-{address.split('/')[-1]}").click()
    page.wait_for_url("**/compare/**", timeout=WAIT_MS)
    expect(page.get_by_test_id("parting")).to_contain_text("Broker 1 is killed.", timeout=WAIT_MS)
    page.goto(f"{branch['url']}/about")
    page.get_by_test_id(f"compare-{address.split('/')[-1]}").click()
    page.wait_for_url("**/compare/**", timeout=WAIT_MS)


def test_a_phone_shows_one_run_at_a_time(browser: Browser, site: Site) -> None:
    person = person_of(browser, site, viewport=PHONE)
    page = person.new_page()
    compared(page, f"{pair(page)}#t=4.500")
    expect(page.get_by_test_id("side-a")).to_be_visible()
    expect(page.get_by_test_id("side-b")).to_be_hidden()
    page.keyboard.press("x")
    expect(page.get_by_test_id("side-b")).to_be_visible()
    page.get_by_test_id("tab-diff").click()
    expect(page.get_by_test_id("difference").first).to_have_text(re.compile(r"^\d+\.\d{3} s A orders-0: 1 "))
    page.get_by_test_id("difference").first.get_by_role("button").click()
    wait_for_moment(page, "t > 8e6")
    expect(page.get_by_test_id("side-a")).to_be_visible()  # the run that lost records, and the row of orders-0
    expect(page.get_by_test_id("side-a").get_by_test_id("replica-orders-0-1")).to_be_in_viewport(ratio=1)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_axe_finds_nothing(browser: Browser, site: Site) -> None:
    axe.install()
    page = person_of(browser, site, reduced_motion="reduce").new_page()
    compared(page, f"{pair(page)}#t=4.500")
    wait_for_moment(page, "t === 4.5e6")
    assert found(page) == []
    page.keyboard.press("f")
    expect(page.get_by_test_id("figures-table")).to_be_visible(timeout=WAIT_MS)
    assert found(page) == []


@pytest.mark.parametrize("size", [(1280, 800), (390, 844)])
def test_a_verdict_is_read_whole(page: Page, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    compared(page, f"{pair(page)}#t=30.000")
    wait_for_moment(page, "t === 30e6")
    if size[0] < 1100:
        page.get_by_test_id("tab-b").click()
    sentence = page.get_by_test_id("side-b").get_by_test_id("side-sentence")
    expect(sentence).to_contain_text("Writes stood still for")
    assert sentence.evaluate("one => one.scrollHeight - one.clientHeight") == 0
    page.wait_for_function("() => compare.players.every(({ told }) => told.value)", timeout=WAIT_MS)
    page.evaluate("""() => {
        const { told } = compare.players[1], sentence = 'A topic lost nothing. '.repeat(150);
        told.value = { ...told.value, topics: told.value.topics.map((one) => ({ ...one, sentence })) };
    }""")
    expect(sentence).to_contain_text("A topic lost nothing.")
    sentence.evaluate("one => one.scrollTo(0, one.scrollHeight)")
    assert sentence.evaluate("one => one.scrollTop") > 0
    expect(page.get_by_test_id("side-b").get_by_test_id("broker-2")).to_be_in_viewport()


def test_wrong_copies_of_a_mirror_are_a_warning_and_where_runs_part(page: Page) -> None:
    text = (Path(__file__).parents[1] / "scenarios" / "mirrors" / "s56-mirror-killed.yaml").read_text()
    often = text.replace("emit.heartbeats", "offset.flush.interval.ms: 5000, emit.heartbeats")
    ids = [made(page, one).split("/")[-1] for one in (text, often)]
    compared(page, f"/compare/{'..'.join(ids)}#t=100.000")
    expect(page.get_by_test_id("parting")).to_contain_text(
        re.compile(r"^They part at 5\d\.\d{3} s\. A: .*extra copies")
    )
    for side, extra in (("a", 499), ("b", 124)):
        verdict = page.locator(f"#verdict-{side}")
        expect(verdict.get_by_test_id("side-sentence")).to_contain_text(f"{extra} extra copies stand in east.orders.")
        expect(verdict.locator(".sign")).to_have_class("sign warn")
