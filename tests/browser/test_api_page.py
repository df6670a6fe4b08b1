"""The page of the API in a real browser: found from the keys, it has every operation, and its lines run in a shell."""

import json
import subprocess
from typing import Any

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.browser.pages import DESK, PHONE, READY_MS

METHODS = ("get", "post")


@pytest.fixture
def description(page: Page) -> Any:
    """The description that the page links to."""
    page.goto("/api")
    return page.request.get(page.get_by_test_id("api-description").get_attribute("href") or "").json()


def test_the_help_sheet_leads_to_it(page: Page) -> None:
    page.goto("/runs")
    page.get_by_test_id("help").click()
    page.get_by_test_id("help-sheet").get_by_role("link", name="API").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Ask by program", timeout=READY_MS)


def test_each_operation_has_a_card_with_its_method_address_and_values(page: Page, description: Any) -> None:
    for path, item in description["paths"].items():
        for method in METHODS:
            if method in item:
                card = page.get_by_test_id(item[method]["operationId"])
                expect(card.get_by_role("heading")).to_have_text(f"{method.upper()} {path}")
                expect(card).to_contain_text(item[method]["summary"])
    fork = page.get_by_test_id("forkDocument")
    expect(fork.locator("dt").filter(has_text="at_us")).to_be_visible()


@pytest.mark.parametrize("size", [DESK, PHONE], ids=lambda size: f"{size['width']}")
def test_nothing_on_it_is_wider_than_the_window(page: Page, size: ViewportSize) -> None:
    page.set_viewport_size(size)
    page.goto("/api")
    expect(page.get_by_test_id("api-lines")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]


def test_its_lines_store_a_run_and_read_its_verdict(page: Page) -> None:
    page.goto("/api")
    store, read, experiment = page.get_by_test_id("api-lines").inner_text().splitlines()
    told = subprocess.run(["sh", "-c", f"{store}\n{read}"], capture_output=True, text=True, check=True).stdout
    assert json.loads(told)["verdict"]["topics"][0]["lost"] == 5
    assert experiment.startswith(f"curl -s {page.url.removesuffix('/api')}/api/experiments -d ")
