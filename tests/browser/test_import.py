"""Pasting a cluster in a real browser: read it, correct it, build it, and see what each AZ's loss does."""

import re

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from tests.importers import samples

TABLE_MS = 120_000


@pytest.fixture
def page(page: Page) -> Page:
    """The import page with a paste in it."""
    page.goto("/import")
    page.get_by_test_id("import-text").fill(samples.MODERN)
    expect(page.get_by_test_id("import-status")).to_have_attribute("data-status", "accept")
    return page


def test_counts_dead_brokers_and_noise_are_shown_while_pasting(page: Page) -> None:
    expect(page.get_by_test_id("count-partitions")).to_have_text("5")
    expect(page.get_by_test_id("count-leaderless")).to_have_text("1")
    expect(page.get_by_test_id("assumed-states.3").locator("select")).to_have_value("down")
    expect(page.get_by_test_id("import-unread")).to_contain_text("1 line of prompts")


def test_a_broker_changes_its_az_by_arrow_key_by_menu_and_by_drag(page: Page) -> None:
    page.locator('[data-broker="1"]').focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_test_id("zone-az-c")).to_contain_text("1")
    page.get_by_test_id("rack-select").select_option("az-a")
    expect(page.get_by_test_id("zone-az-a")).to_contain_text("1")
    page.get_by_test_id("add-az").click()
    page.drag_and_drop('[data-broker="2"]', '[data-testid="zone-az-b"]')
    expect(page.get_by_test_id("zone-az-b")).to_contain_text("2")
    page.get_by_test_id("guess-racks").click()
    expect(page.get_by_test_id("zone-az-b")).to_contain_text("1")


def test_a_finger_drags_a_broker_to_another_az(page: Page) -> None:
    def middle(selector: str) -> dict[str, float]:
        box = page.locator(selector).bounding_box()
        assert box is not None
        return {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}

    page.locator('[data-broker="1"]').scroll_into_view_if_needed()
    home = page.locator('[data-broker="1"]').locator("xpath=ancestor::*[@data-zone]").get_attribute("data-zone")
    other = "az-a" if home != "az-a" else "az-b"
    finger = page.context.new_cdp_session(page)
    start, end = middle('[data-broker="1"]'), middle(f'[data-zone="{other}"]')
    for kind, points in (("touchStart", [start]), ("touchMove", [start | {"y": start["y"] + 9}]), ("touchMove", [end])):
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    expect(page.locator(f'[data-zone="{other}"]')).to_have_class("p-zone over")
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(page.locator(f'[data-zone="{other}"] [data-broker="1"]')).to_be_visible()
    expect(page.locator(".p-zone.over")).to_have_count(0)
    expect(page.get_by_test_id("rack-select")).to_have_count(0)  # a drag chooses nothing


MARK_OF_THE_ASSUMED = "getComputedStyle(document.querySelector('[data-testid=az-assumed] summary'), '::before').content"


def test_the_table_stands_right_after_the_build_and_a_cell_opens_its_run(page: Page) -> None:
    page.get_by_test_id("import-build").click()
    page.wait_for_url(re.compile(r"/s/\w+/az$"))
    assumed = page.get_by_test_id("az-assumed")
    assert assumed.get_by_role("listitem").count() == 0, "closed"
    assert "▸" in page.evaluate(MARK_OF_THE_ASSUMED)
    assumed.locator("summary").click()
    expect(assumed.get_by_role("listitem").first).to_be_visible()
    assert "▾" in page.evaluate(MARK_OF_THE_ASSUMED)
    expect(page.get_by_test_id("az-table")).to_have_attribute("data-done", "true", timeout=TABLE_MS)
    expect(page.get_by_test_id("az-sentence")).to_contain_text("goes dark")
    cell = page.get_by_test_id("az-cell-az-b-all")
    expect(cell).to_have_attribute("data-lost", "0")
    expect(cell).to_have_attribute("data-hidden", "1")  # broker 2 alone is left, so its high watermark stands (HW-2)
    said = cell.get_by_test_id("az-outcome").inner_text()
    assert said.startswith("parcels: 1 acknowledged record cannot be read.")
    cell.get_by_role("button").click()
    page.wait_for_url(re.compile(r"/s/\w+#t=2\.999$"))
    page.wait_for_selector("body[data-ready]")
    assert 2.99 <= float(page.evaluate("window.highwater.model.t")) / 1e6 <= 3.0
    expect(page.get_by_test_id("caption")).to_contain_text("Press Play (Space). At 3.000 s: az-b is taken down.")
    expect(page.get_by_test_id("coming-outcome")).to_contain_text(f"By 21.0 s it comes to: {said}")
    expect(page.get_by_test_id("verdict")).to_have_attribute("data-severity", "warn")  # stops is out since the paste


@pytest.mark.parametrize("delay_ms", [30, 120, 400])
@pytest.mark.parametrize(("key", "typed"), [("records_per_s", "250"), ("backlog", "250")])
def test_a_typed_assumption_is_what_was_typed_however_fast(page: Page, key: str, typed: str, delay_ms: int) -> None:
    """Answers to the first digits arrive while the rest is typed: they change nothing in the field."""
    field = page.get_by_test_id(f"assumed-{key}").locator("input")
    field.select_text()
    with page.expect_response(lambda answer: f'"{key}":"{typed}"' in (answer.request.post_data or "")):
        field.press_sequentially(typed, delay=delay_ms)
    expect(field).to_have_value(typed)
    field.blur()
    expect(field).to_have_value(typed)


def test_a_refused_assumption_stays_in_its_field_and_an_emptied_one_goes_back_to_the_default(
    context: BrowserContext,
) -> None:
    page = context.new_page()  # without the watch on complaints: a browser counts a refusal as one
    page.goto("/import")
    page.get_by_test_id("import-text").fill(samples.MODERN)
    field = page.get_by_test_id("assumed-records_per_s").locator("input")
    default = field.input_value()
    field.select_text()
    field.press_sequentially("-5", delay=60)
    expect(page.get_by_test_id("import-error")).to_contain_text("-5")
    expect(field).to_have_value("-5")
    expect(page.get_by_test_id("refused-records_per_s")).to_have_text(
        "records/s is -5: allowed is a number from 0 to 10,000."
    )
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(page.get_by_test_id("import-build")).to_be_disabled()
    page.get_by_test_id("assumed-states.3").locator("select").select_option("running")
    expect(page.get_by_test_id("count-partitions")).to_have_text("5")
    expect(page.locator(".p-grid .head.down")).to_have_count(0)  # what is in order is taken, beside what is refused
    expect(field).to_have_value("-5")
    field.select_text()
    with page.expect_response("**/import/preview"):
        field.press("Delete")
    expect(page.get_by_test_id("import-error")).to_have_count(0)
    expect(page.get_by_test_id("refused-records_per_s")).to_have_count(0)
    expect(page.get_by_test_id("import-build")).to_be_enabled()
    expect(field).to_have_value("")
    field.blur()
    expect(field).to_have_value(default)
    page.close()


def test_a_chosen_value_stands_before_the_server_has_answered(page: Page) -> None:
    held: list[Route] = []
    page.route("**/import/preview", lambda route: held.append(route))  # noqa: PLW0108
    acks = page.get_by_test_id("assumed-acks").locator("select")
    acks.select_option("0")
    with page.expect_request("**/import/preview"):
        page.get_by_test_id("assumed-states.3").locator("select").select_option("running")
    expect(acks).to_have_value("0")
    expect(page.get_by_test_id("assumed-states.3").locator("select")).to_have_value("running")
    page.unroute_all(behavior="ignoreErrors")
    assert held
