"""An experiment in a real browser: built, run by Spark, read, and its runs replayed to the same verdict and digest."""

import csv
import io
import json
import random
import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from simengine.scenario import load
from simengine.world.world import World, build
from tests.browser import axe
from tests.browser.pages import DESK, made
from tests.whatif.lab import Lab
from tests.whatif.plans import DOCUMENT, SITES, verdict_of
from tests.whatif.test_pager import document as losing

READY_MS = 60_000
DONE_MS = 300_000
RANDOM_ROWS = 20
SHOWN_ROWS = 6  # a page for each takes a second or two
SEEDS = 24
SITE_SEEDS = 6
ALERT_SEEDS = 6
BROKERS = {"name": "Brokers", "metric": "ActiveBrokerCount", "comparison": "<", "figure": 2}
THEMES: tuple[Any, ...] = ("light", "dark")
SIZES = ((1440, 900), (1280, 800), (390, 844))


@pytest.fixture(scope="module")
def lab(redis_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    made = Lab(tmp_path_factory.mktemp("lab"))
    made.site.start()
    made.start_worker()
    yield made
    made.stop()


@pytest.fixture(scope="module")
def context(browser: Browser, lab: Lab) -> Iterator[BrowserContext]:
    person = browser.new_context(viewport=DESK, base_url=lab.site.url)
    person.set_default_navigation_timeout(READY_MS)  # the site starts while the worker does
    yield person
    person.close()


def _run(page: Page) -> str:
    """Run the experiment that is built on a page; its address."""
    page.get_by_test_id("whatif-run").click()
    page.wait_for_url(re.compile(r"/what-if/(?!new)\w+$"), timeout=READY_MS)
    expect(page.get_by_test_id("whatif-progress")).to_be_visible()
    expect(page.get_by_test_id("whatif-results")).to_have_attribute("data-state", "done", timeout=DONE_MS)
    address = page.url
    page.close()
    return address


@pytest.fixture(scope="module")
def done(context: BrowserContext) -> str:
    """The address of an experiment that was built by hand and has run."""
    page = context.new_page()
    page.goto(f"/what-if/new?doc={made(page, json.dumps(DOCUMENT)).rpartition('/')[2]}")
    page.get_by_test_id("whatif-seeds").fill(str(SEEDS))
    page.get_by_test_id("whatif-horizon").fill("8s")
    page.get_by_test_id("fault-rack_from").fill("2s")
    page.get_by_test_id("fault-rack_to").fill("5s")
    cost = page.get_by_test_id("whatif-estimate")
    expect(cost).to_have_attribute("data-runs", str(2 * SEEDS), timeout=READY_MS)
    expect(cost).to_contain_text("measured here")
    expect(page.get_by_test_id("removed-A")).to_contain_text(
        "2.000 s orders is now written with acks=1 · 3.000 s Broker 1 is killed · 5.000 s Broker 1 starts"
    )
    return _run(page)


@pytest.fixture(scope="module")
def sites_done(context: BrowserContext) -> str:
    """The address of an experiment on two clusters, built from the page of their run, that has run."""
    page = context.new_page()
    page.goto(made(page, json.dumps(SITES)))
    page.wait_for_selector("body[data-ready]", timeout=READY_MS)
    page.goto(page.locator("[data-testid=open-whatif]").first.get_attribute("href") or "")
    expect(page.get_by_test_id("axis-checkpoints_s")).to_have_value("5, 60")
    page.get_by_test_id("axis-checkpoints_s").fill("")
    page.get_by_test_id("axis-wan").fill("5ms, 500ms")
    page.get_by_test_id("fault-site_on").check()
    expect(page.get_by_test_id("fault-site")).to_have_value("east")
    expect(page.get_by_test_id("fault-site_to")).to_have_value("30s")
    page.get_by_test_id("whatif-seeds").fill(str(SITE_SEEDS))
    page.get_by_test_id("whatif-horizon").fill("60s")
    expect(page.get_by_test_id("configuration-B")).to_contain_text("WAN latency 500 ms")
    expect(page.get_by_test_id("whatif-estimate")).to_have_attribute("data-runs", str(2 * SITE_SEEDS), timeout=READY_MS)
    return _run(page)


@pytest.fixture(scope="module")
def alerts_done(context: BrowserContext) -> str:
    """The address of an experiment whose runs all lose records, a minute after an alert, that has run."""
    page = context.new_page()
    page.goto(f"/what-if/new?doc={made(page, json.dumps(losing(BROKERS))).rpartition('/')[2]}")
    page.get_by_test_id("whatif-seeds").fill(str(ALERT_SEEDS))
    page.get_by_test_id("whatif-horizon").fill("200s")
    expect(page.get_by_test_id("whatif-estimate")).to_have_attribute(
        "data-runs", str(2 * ALERT_SEEDS), timeout=READY_MS
    )
    return _run(page)


def rows_of(page: Page, address: str) -> dict[tuple[str, int], dict[str, str]]:
    """Every row, as the page's `All runs` gives them."""
    text = page.request.get(f"{address}/runs.csv").text()
    return {(row["variant"], int(row["seed"])): row for row in csv.DictReader(io.StringIO(text))}


def test_an_experiment_on_two_clusters_tells_rpo_rto_and_where_the_group_continues(page: Page, sites_done: str) -> None:
    page.goto(sites_done)
    expect(page.get_by_test_id("whatif-answer")).to_contain_text("RPO")
    table = page.get_by_test_id("whatif-sites")
    for head in ("Failover", "Flow east->west", "Group g, east->west", "Cluster east", "Cluster west"):
        expect(table.get_by_role("rowheader", name=head, exact=True)).to_be_visible()
    rows = rows_of(page, sites_done)
    assert {row["rto_us"] != "" for row in rows.values()} == {True}
    assert max(int(row["rpo_records"]) for row in rows.values()) > 0
    expect(page.get_by_test_id("rto-A")).to_have_text(re.compile(r"\d+\.\d s"))
    expect(page.get_by_test_id("chart-intervals")).to_contain_text("Groups read again")
    expect(page.get_by_test_id("chart-down")).to_have_count(0)
    button = page.get_by_test_id("replay-B")
    row = rows["B", int(button.get_attribute("data-seed") or 0)]
    assert int(row["rpo_records"]) == max(int(one["rpo_records"]) for (letter, _), one in rows.items() if letter == "B")
    button.click()
    page.wait_for_url(re.compile(r"/s/"), timeout=READY_MS)
    page.wait_for_selector("body[data-ready]", timeout=READY_MS)
    page.get_by_test_id("go-to-row").click()
    expect(page.get_by_test_id("failover-east-west")).to_be_visible(timeout=READY_MS)


def assert_fits(browser: Browser, size: tuple[int, int], theme: Any, pages: dict[str, str]) -> None:
    """No page is wider than a window of this size; ``pages``: addresses, and the part that each waits for."""
    context = browser.new_context(viewport={"width": size[0], "height": size[1]}, color_scheme=theme)
    page = context.new_page()
    for address, part in pages.items():
        page.goto(address)
        expect(page.get_by_test_id(part)).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    context.close()


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}")
def test_nothing_about_two_clusters_is_wider_than_the_window(
    browser: Browser, sites_done: str, size: tuple[int, int], theme: Any
) -> None:
    site, _, experiment = sites_done.partition("/what-if/")
    form = f"{site}/what-if/new?from={experiment}"
    assert_fits(browser, size, theme, {sites_done: "whatif-sites", form: "mirror-axes"})


def worst_of(page: Page) -> list[tuple[str, int]]:
    """Configuration and seed behind each replay button."""
    found = []
    for button in page.locator("[data-testid^=replay-]").all():
        name, seed = button.get_attribute("data-testid") or "", button.get_attribute("data-seed") or ""
        found.append((name[-1], int(seed)))
    return found


def test_the_result_page_answers_compares_and_shows_every_run(page: Page, done: str) -> None:
    page.goto(done)
    expect(page.get_by_test_id("whatif-answer")).not_to_be_empty()
    expect(page.get_by_test_id("whatif-finished")).to_have_text(f"{2 * SEEDS} of {2 * SEEDS}")
    assert int(page.get_by_test_id("config-A").get_attribute("data-losing") or 0) > 0
    assert page.get_by_test_id("config-B").get_attribute("data-losing") == "0"
    for chart in ("chart-lost", "chart-down", "chart-intervals"):
        figure = page.get_by_test_id(chart)
        expect(figure.locator("svg path").first).to_be_attached()
        figure.get_by_role("button", name="Show as table").click()
        expect(figure.locator("tbody tr")).to_have_count(2)
    expect(page.get_by_test_id("pair-B")).to_contain_text("pp")
    expect(page.locator("main")).not_to_contain_text("[object Object]")
    assert len(rows_of(page, done)) == 2 * SEEDS


def test_axe_finds_nothing_in_a_result_as_charts_and_as_tables_and_in_the_list(page: Page, done: str) -> None:
    axe.install()
    page.goto(done)
    expect(page.get_by_test_id("chart-down").locator("svg path").first).to_be_attached()
    assert axe.found(page) == []
    for chart in ("chart-lost", "chart-down", "chart-intervals"):
        page.get_by_test_id(chart).get_by_role("button", name="Show as table").click()
    assert axe.found(page) == []
    page.goto("/what-if")
    expect(page.get_by_test_id("whatif-list")).to_be_visible()
    assert axe.found(page) == []


def test_the_chart_of_alerts_tells_the_warning_before_the_loss_and_so_does_the_answer(
    page: Page, alerts_done: str
) -> None:
    axe.install()
    page.goto(alerts_done)
    expect(page.get_by_test_id("whatif-results").locator(".lead")).to_contain_text(
        re.compile(r"An alert came before the loss in 6 of 6 losing runs with acks=1 \(median warning 1 min \d+ s\)")
    )
    chart = page.get_by_test_id("chart-pager")
    titles = [re.compile(r"^A: 16\.7 % 6\d\.\d s before the loss$"), re.compile("^B: ")]
    expect(chart.locator("title")).to_have_text(titles)
    assert axe.found(page) == []
    chart.get_by_role("button", name="Show as table").click()
    expect(chart.get_by_role("row", name="A 6 100 %")).to_contain_text(re.compile(r"68\.\d s"))
    assert axe.found(page) == []


def test_every_worst_run_and_20_random_ones_replay_to_the_digest_and_losses_of_their_row(page: Page, done: str) -> None:
    page.goto(done)
    rows = rows_of(page, done)
    worst = worst_of(page)
    assert len(worst) == 2
    for letter, seed in [*worst, *random.Random(7).sample(sorted(rows), RANDOM_ROWS)]:
        row = rows[letter, seed]
        answer = page.request.get(f"{done}/replay?variant={letter}&seed={seed}", max_redirects=0)
        world = end_of(page, answer.headers["location"], row)
        assert world.digest() == row["digest"]
        assert sum(topic["lost"] for topic in verdict_of(world)["topics"]) == int(row["lost"])


def test_a_result_leads_to_two_runs_on_one_clock(page: Page, done: str) -> None:
    page.goto(done)
    seeds = dict(worst_of(page))
    page.get_by_test_id("beside-A").click()
    side_by_side(page)
    expect(page.locator("#name-a")).to_contain_text(f"seed {seeds['A']}")
    expect(page.locator("#name-b")).to_contain_text(f"seed {seeds['A']}")
    page.goto(done)
    page.get_by_test_id("compare-worst").click()
    side_by_side(page)
    expect(page.locator("#name-b")).to_contain_text(f"seed {seeds['B']}")


def side_by_side(page: Page) -> None:
    page.wait_for_url(re.compile(r"/compare/\w+\.\.\w+#t="), timeout=READY_MS)
    page.wait_for_selector("body[data-ready]", timeout=READY_MS)


def end_of(page: Page, address: str, row: dict[str, str]) -> World:
    """The run that a page shows, computed here up to the end of its row."""
    world = build(load(page.request.get(f"{address.partition('#')[0]}.json").json()))
    world.run(int(row["end_us"]))
    return world


def shown_verdict(page: Page) -> dict[str, Any]:
    """Every figure that the page shows, in the form of a verdict."""
    fields = page.evaluate(
        "[...document.querySelectorAll('[data-testid=all-figures] [data-field]')]"
        ".map(node => [node.dataset.topic, node.dataset.field, JSON.parse(node.dataset.value)])"
    )
    verdict: dict[str, Any] = {"digest": page.get_by_test_id("digest").inner_text(), "topics": []}
    for topic, name, value in fields:
        if topic and not (verdict["topics"] and verdict["topics"][-1]["topic"] == topic):
            verdict["topics"].append({"topic": topic})
        (verdict["topics"][-1] if topic else verdict)[name] = value
    return verdict


def assert_shows(page: Page, row: dict[str, str]) -> None:
    """The page stands at the end of the row's run and shows its digest and every field of its verdict."""
    verdict = verdict_of(end_of(page, page.url, row))
    for topic in verdict["topics"]:
        card = page.get_by_test_id(f"verdict-{topic['topic']}")
        for name in ("lost", "duplicated", "hidden", "acked", "refused", "unknown"):
            expect(card).to_have_attribute(f"data-{name}", str(topic[name]), timeout=READY_MS)
    page.get_by_test_id("all-figures").locator("summary").click()
    expect(page.get_by_test_id("all-figures")).to_have_attribute("data-at-us", row["end_us"], timeout=READY_MS)
    shown = shown_verdict(page)
    assert shown["digest"] == row["digest"]
    assert shown == verdict


def test_the_worst_run_of_each_variant_opens_before_it_was_decided_and_ends_with_its_row(page: Page, done: str) -> None:
    page.goto(done)
    rows = rows_of(page, done)
    for letter, seed in worst_of(page):
        row = rows[letter, seed]
        page.goto(done)
        page.get_by_test_id(f"replay-{letter}").click()
        page.wait_for_url(re.compile(r"/s/"), timeout=READY_MS)
        moment = page.url.partition("#t=")[2]
        assert float(moment) * 1e6 < int(row["deciding_us"] or row["horizon_us"])
        for topic in verdict_of(end_of(page, page.url, row))["topics"]:
            card = page.get_by_test_id(f"verdict-{topic['topic']}")
            expect(card).to_have_attribute("data-duplicated", "0", timeout=READY_MS)  # nothing is decided yet
        page.get_by_test_id("go-to-row").click()
        assert_shows(page, row)


def test_a_link_to_the_end_of_any_run_shows_every_figure_and_the_digest_of_its_row(page: Page, done: str) -> None:
    rows = rows_of(page, done)
    for letter, seed in random.Random(8).sample(sorted(rows), SHOWN_ROWS):
        row = rows[letter, seed]
        answer = page.request.get(f"{done}/replay?variant={letter}&seed={seed}", max_redirects=0)
        opened = answer.headers["location"].partition("#")[0]
        page.goto("about:blank")
        page.goto(f"{opened}#t={int(row['end_us']) / 1e6:.6f}")
        page.wait_for_selector("body[data-ready]", timeout=READY_MS)
        assert_shows(page, row)


def test_the_list_names_the_experiments_of_this_browser_with_their_state(
    page: Page, browser: Browser, done: str
) -> None:
    page.goto("/what-if")
    experiment = done.rpartition("/")[2]
    expect(page.get_by_test_id(f"experiment-{experiment}")).to_have_attribute("data-state", "done")
    stranger = browser.new_context(base_url=page.url.partition("/what-if")[0]).new_page()
    stranger.goto("/what-if")
    expect(stranger.get_by_text("No experiments yet.")).to_be_visible()
    stranger.goto(done)
    expect(stranger.get_by_test_id("whatif-answer")).not_to_be_empty()
    stranger.context.close()


def test_an_experiment_can_be_edited_and_run_again(page: Page, done: str) -> None:
    page.goto(done)
    page.get_by_test_id("whatif-edit").click()
    expect(page.get_by_test_id("whatif-seeds")).to_have_value(str(SEEDS))
    expect(page.get_by_test_id("fault-rack_from")).to_have_value("2s")
    expect(page.get_by_test_id("axis-acks-all")).to_have_attribute("aria-pressed", "true")


def test_the_baseline_stays_the_configuration_that_was_chosen(page: Page) -> None:
    page.goto("/what-if/new")
    page.get_by_test_id("configuration-B").get_by_role("radio").check()
    expect(page.get_by_test_id("configuration-B").get_by_role("radio")).to_be_checked()
    page.get_by_test_id("axis-acks-0").click()
    chosen = page.get_by_test_id("configuration-C")
    expect(chosen).to_contain_text("acks=all", timeout=READY_MS)
    expect(chosen.get_by_role("radio")).to_be_checked()
    page.get_by_test_id("axis-acks-all").click()
    note = page.get_by_test_id("baseline-note")
    expect(note).to_contain_text("no longer among the configurations", timeout=READY_MS)


def test_a_configuration_with_other_failures_is_said_to_share_the_settings_of_the_run_alone(page: Page) -> None:
    one_topic = {**DOCUMENT, "timeline": [], "producers": DOCUMENT["producers"][:1]}
    page.goto(f"/what-if/new?doc={made(page, json.dumps(one_topic)).rpartition('/')[2]}")
    expect(page.get_by_test_id("fault-rack_from")).to_be_visible()
    expect(page.get_by_text("settings of the run", exact=True).first).to_be_visible()
    expect(page.get_by_text("as in the run", exact=True)).to_have_count(0)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}")
def test_nothing_on_the_result_page_is_wider_than_the_window(
    browser: Browser, done: str, alerts_done: str, size: tuple[int, int], theme: Any
) -> None:
    assert_fits(browser, size, theme, {done: "chart-lost", alerts_done: "chart-pager"})


def test_no_value_of_the_builder_is_cut_on_a_phone(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto("/what-if/new")
    buttons = page.locator(".w-choice .seg button")
    expect(page.get_by_test_id("axis-kafka-as is")).to_be_visible(timeout=READY_MS)
    cut = """all => all.filter(one => {
      const box = one.getBoundingClientRect(), group = one.parentElement.getBoundingClientRect();
      const lines = document.createRange();
      lines.selectNodeContents(one);
      return lines.getClientRects().length > 1 || box.right > group.right + 1 || box.bottom > group.bottom + 1;
    }).map(one => one.textContent)"""
    assert buttons.evaluate_all(cut) == []


def test_runs_at_rest_are_closed_early_and_their_replay_says_when_and_why(page: Page) -> None:
    page.goto("/what-if/new")
    page.get_by_test_id("whatif-seeds").fill("21")
    page.get_by_test_id("whatif-horizon").fill("60s")
    expect(page.get_by_test_id("whatif-estimate")).to_have_attribute("data-runs", "42", timeout=READY_MS)
    page.get_by_test_id("whatif-run").click()
    page.wait_for_url(re.compile(r"/what-if/(?!new)\w+$"), timeout=READY_MS)
    expect(page.get_by_test_id("whatif-results")).to_have_attribute("data-state", "done", timeout=DONE_MS)
    address = page.url
    expect(page.get_by_test_id("whatif-rested")).to_contain_text("2 of 42 runs were closed before the horizon")
    row = rows_of(page, address)["A", 21]
    assert int(row["rest_us"]) < int(row["horizon_us"]) == 60_000_000
    page.goto(f"{address}/replay?variant=A&seed=21")
    page.wait_for_selector("body[data-ready]", timeout=READY_MS)
    page.goto(f"{page.url.partition('#')[0]}/about")
    expect(page.locator("main")).to_contain_text("before the end of the simulated time (1 min)")
