"""axe, the checker of roles, names and contrast, finds nothing on the pages, on a desk and a phone."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser import axe
from tests.browser.axe import found, keep_one_of_each_kind
from tests.browser.pages import READY_MS, WAIT_MS, kill, made, opened, pause, person_of, run_until
from tests.browser.test_alerts import DOCUMENT as ALERTS
from tests.browser.test_import import MM2
from tests.browser.test_mirrors import DOCUMENT
from tests.browser.test_verdict import opened_at
from tests.importers import samples
from tests.rooms.site import Site

TABLE_MS: Final = 240_000
SCENARIOS: Final = Path(__file__).parent.parent / "scenarios"


@pytest.fixture(scope="module", autouse=True)
def _axe() -> None:
    axe.install()


@pytest.fixture(scope="module")
def person(browser: Browser, site: Site) -> Iterator[BrowserContext]:
    """One person for all pages, so that My runs has something to list; colours change at once, without motion."""
    made = person_of(browser, site, reduced_motion="reduce")
    yield made
    made.close()


@pytest.fixture
def page(person: BrowserContext) -> Iterator[Page]:
    opened = person.new_page()
    yield opened
    opened.close()


def test_it_finds_what_is_wrong(page: Page) -> None:
    page.goto("/runs")
    page.evaluate("document.querySelector('main').append(document.createElement('button'))")
    rules = {one.split(": ")[1].split()[0] for one in found(page)}
    assert rules == {"button-name"}


@pytest.mark.parametrize(
    ("rule", "wrong"),
    [
        (
            "target-size",
            '<p><button style="width:20px;height:20px">a</button><button style="height:20px">b</button></p>',
        ),
        ("label-content-name-mismatch", '<button style="height:40px" aria-label="Stop">Go on</button>'),
    ],
)
def test_it_finds_small_targets_and_names_that_are_not_what_is_read(page: Page, rule: str, wrong: str) -> None:
    page.goto("/runs")
    page.evaluate("html => document.querySelector('main').insertAdjacentHTML('beforeend', html)", wrong)
    assert {one.split(": ")[1].split()[0] for one in found(page)} == {rule}


def test_of_a_run_with_a_dead_broker(page: Page) -> None:
    opened(page)
    run_until(page, 0.6)
    kill(page, 1)
    run_until(page, 2.0)
    pause(page)
    page.get_by_test_id("tab-verdict").click()
    assert found(page) == []


@pytest.mark.parametrize("level", ["chips", "map"])
def test_of_a_run_at_other_levels_of_detail(page: Page, level: str) -> None:
    opened(page)
    pause(page)
    page.locator(f"[data-level={level}]").click()
    assert found(page) == []


def test_of_a_run_of_two_clusters(page: Page) -> None:
    opened(page, made(page, DOCUMENT))
    assert found(page) == []


def test_of_a_run_that_somebody_visits_before_it_was_played(browser: Browser, site: Site, page: Page) -> None:
    run = made(page, (SCENARIOS / "s08-leader-dies.yaml").read_text(encoding="utf-8"))
    visitor = person_of(browser, site, reduced_motion="reduce")
    there = opened(visitor.new_page(), run)
    there.get_by_test_id("play").click()
    expect(there.get_by_test_id("toast")).to_be_visible()
    assert found(there) == []
    visitor.close()


def test_of_a_run_with_its_changes_and_settings(page: Page) -> None:
    opened(page)
    for tab in ("changes", "settings"):
        page.get_by_test_id(f"tab-{tab}").click()
    assert found(page) == []


def test_of_an_inspected_broker_and_its_metrics(page: Page) -> None:
    opened(page)
    page.get_by_test_id("broker-1").locator("[data-more]").click()
    expect(page.get_by_role("menu")).to_be_visible()
    assert found(page) == []
    page.keyboard.press("Escape")
    pause(page)
    for tab in ("inspect", "metrics"):
        page.get_by_test_id(f"tab-{tab}").click()
        assert found(page) == []


def test_of_the_alerts_and_their_dialog(page: Page) -> None:
    opened_at(page, json.dumps(ALERTS), 40)
    page.get_by_test_id("alerts").locator("summary").press("Enter")
    expect(page.get_by_test_id("alert-rule")).to_have_count(1)
    assert found(page) == []
    page.get_by_test_id("edit-alerts").click()
    expect(page.get_by_test_id("edit-rule")).to_have_count(1)
    assert found(page) == []


def test_of_the_help_sheet(page: Page) -> None:
    opened(page)
    page.get_by_test_id("help").click()
    expect(page.get_by_test_id("help-sheet")).to_be_visible()
    assert found(page) == []


def test_of_the_share_dialog_before_and_after_a_copy_is_made(page: Page) -> None:
    opened(page)
    page.get_by_test_id("share").first.click()
    expect(page.get_by_test_id("make-copy")).to_be_visible()
    assert found(page) == []
    page.get_by_test_id("make-copy").click()
    expect(page.get_by_test_id("copy-link")).to_be_visible(timeout=WAIT_MS)
    assert found(page) == []


def test_of_a_map_and_the_menu_of_a_broker(page: Page) -> None:
    opened(page)
    page.keyboard.press("Shift+Z")
    page.keyboard.press("Shift+Z")
    expect(page.locator(".colb").first).to_be_visible()
    assert found(page) == []
    page.locator(".colb").first.click()
    expect(page.get_by_role("menu")).to_be_visible()
    assert found(page) == []


def test_of_what_kafka_was_measured_to_do(page: Page) -> None:
    page.goto("/truth")
    keep_one_of_each_kind(page, "table.truth tbody tr")
    assert found(page) == []


def test_of_the_rule_book(page: Page) -> None:
    page.goto("/rules")
    keep_one_of_each_kind(page, "article.rule")
    page.locator("#rules-words summary").click()
    assert found(page) == []
    page.get_by_test_id("rules-search").fill("unheard-of partition")
    expect(page.get_by_test_id("rules-none")).to_be_visible()
    assert found(page) == []


def test_of_a_report(page: Page) -> None:
    run = made(page, (SCENARIOS / "s10-unreplicated-data.yaml").read_text())
    page.goto(f"{run}/report?at_us=75000000")
    expect(page.get_by_role("heading", name="Why records were lost")).to_be_visible()
    assert found(page) == []


def test_of_the_settings(page: Page) -> None:
    page.goto("/settings")
    keep_one_of_each_kind(page, "article.rule")
    page.locator("article.reason summary").first.click()
    assert found(page) == []
    page.get_by_test_id("settings-search").fill("unheard-of setting")
    expect(page.get_by_test_id("settings-none")).to_be_visible()
    assert found(page) == []


def test_of_the_api(page: Page) -> None:
    page.goto("/api")
    keep_one_of_each_kind(page, "article.api")
    assert found(page) == []


def test_of_the_gallery(page: Page) -> None:
    for address in ("/gallery", "/gallery#writes"):
        page.goto(address)
        keep_one_of_each_kind(page, ".gal li.card")
        assert found(page) == []
    page.get_by_test_id("gallery-search").fill("unheard-of partition")
    expect(page.get_by_test_id("gallery-hits").locator("li").first).to_be_visible()
    assert found(page) == []


def test_of_a_paste(page: Page) -> None:
    page.goto("/import")
    page.get_by_test_id("import-text").fill(f"{samples.MODERN}\nwords that no tool printed\n")
    expect(page.get_by_test_id("import-build")).to_be_enabled(timeout=WAIT_MS)
    expect(page.get_by_test_id("import-unread")).to_be_visible()
    assert found(page) == []


def test_of_an_az_answer(page: Page) -> None:
    page.goto("/import")
    page.get_by_test_id("import-text").fill(samples.MODERN)
    page.get_by_test_id("import-build").click()
    page.wait_for_url(re.compile(r"/s/\w+/az$"))
    expect(page.get_by_test_id("az-answer")).to_have_attribute("data-done", "true", timeout=TABLE_MS)
    page.get_by_test_id("az-table").locator("tbody .az-row").first.get_by_role("button").first.click()
    expect(page.get_by_test_id("partition-list").locator("[data-partition]").first).to_be_visible(timeout=WAIT_MS)
    assert found(page) == []


def test_of_two_pastes_with_mirrors_between_them(page: Page) -> None:
    page.goto("/import")
    page.get_by_test_id("import-text").fill(samples.MODERN)
    page.get_by_test_id("add-site").click()
    page.get_by_test_id("import-text").fill(samples.MODERN.replace("parcels", "letters"))
    page.get_by_test_id("mirrors").locator("summary").click()
    page.get_by_test_id("mirrors-text").fill(MM2)
    expect(page.get_by_test_id("mirrors-told").get_by_test_id("import-problem")).to_be_visible(timeout=WAIT_MS)
    assert found(page) == []
    page.get_by_test_id("mirrors-rename").click()
    expect(page.get_by_test_id("mirrors-state")).to_contain_text("1 flow", timeout=WAIT_MS)
    assert found(page) == []


def test_of_what_the_loss_of_each_cluster_does(page: Page) -> None:
    page.goto(f"{made(page, DOCUMENT)}/az")
    expect(page.get_by_test_id("site-rows")).to_have_attribute("data-done", "true", timeout=TABLE_MS)
    assert found(page) == []


def test_of_the_page_about_a_run(page: Page) -> None:
    opened(page)
    page.goto(f"/s/{page.evaluate('window.highwater.boot.scenario')}/about")
    assert found(page) == []


def test_of_the_builder_of_an_experiment(page: Page) -> None:
    page.goto("/what-if/new")
    expect(page.get_by_test_id("whatif-estimate")).to_have_attribute("data-runs", re.compile(r"\d"), timeout=READY_MS)
    assert found(page) == []


def test_of_a_still_picture_and_of_a_page_that_is_not_there(page: Page) -> None:
    opened(page)
    page.goto(f"/s/{page.evaluate('window.highwater.boot.scenario')}/still")
    assert found(page) == []
    page.goto("/s/nosuch")
    assert found(page) == []


def test_of_my_runs(page: Page) -> None:
    opened(page)
    page.goto("/runs")
    expect(page.locator("tbody tr").first).to_be_visible()
    assert found(page) == []
