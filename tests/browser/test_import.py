"""Pasting a cluster in a real browser: read it, and correct what is read."""

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, Route, expect

from tests.browser.pages import PHONE, WAIT_MS
from tests.browser.test_failover import PLANS_MS, SHORT
from tests.importers import samples
from tests.importers.test_mirrored_pairs import EAST, PAIR, WEST
from tests.rooms.site import Site


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


def zone_of(page: Page, node: str) -> str:
    """The name of the AZ in which a chip stands: `b1` is broker 1, `c100` is controller 100."""
    box = page.locator(f'[data-node="{node}"]').locator("xpath=ancestor::*[@data-zone]")
    return str(box.get_attribute("data-testid")).removeprefix("zone-")


def in_zone(page: Page, node: str, zone: str) -> Locator:
    """The chip of a node if it stands in this AZ."""
    return page.get_by_test_id(f"zone-{zone}").locator(f'[data-node="{node}"]')


def chip(page: Page, node: str) -> Locator:
    return page.locator(f'[data-node="{node}"]')


def test_chips_are_one_tab_stop_and_move_by_keys(page: Page) -> None:
    assert page.locator('.az-chips [tabindex="0"]').count() == 1
    chip(page, "b1").focus()
    page.keyboard.press("ArrowLeft")  # nothing is picked up: the arrow keys walk
    expect(chip(page, "c101")).to_be_focused()
    page.keyboard.press("ArrowLeft")
    expect(chip(page, "b3")).to_be_focused()
    assert [zone_of(page, node) for node in ("b1", "c101", "b3")] == ["az-b", "az-b", "az-a"]
    page.keyboard.press("Space")
    expect(chip(page, "b3")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("ArrowRight")
    expect(chip(page, "b3")).to_be_focused()
    assert zone_of(page, "b3") == "az-b"
    expect(page.get_by_test_id("az-undo")).to_contain_text("Broker 3 moved from az-a to az-b.")
    page.keyboard.press("Escape")
    expect(chip(page, "b3")).to_have_attribute("aria-pressed", "false")
    page.get_by_role("button", name="Undo").click()
    expect(in_zone(page, "b3", "az-a")).to_be_visible()


def test_several_chips_move_by_drag(page: Page) -> None:
    chip(page, "b1").click()
    chip(page, "b2").click(modifiers=["Control"])
    page.drag_and_drop('[data-node="b2"]', '[data-testid="zone-az-a"] .az-name span')
    for node in ("b1", "b2", "b3"):
        expect(in_zone(page, node, "az-a")).to_be_visible()
    expect(page.locator('.az-chips [aria-pressed="true"]')).to_have_count(0)
    page.get_by_test_id("place-brokers").select_option("turn")
    for node, zone in (("b1", "az-a"), ("b2", "az-b"), ("b3", "az-c")):
        expect(in_zone(page, node, zone)).to_be_visible()


def test_a_finger_taps_a_chip_and_then_its_az(browser: Browser, site: Site) -> None:
    page = browser.new_context(viewport=PHONE, base_url=site.url, has_touch=True).new_page()
    page.goto("/import")
    page.get_by_test_id("import-text").fill(samples.MODERN)
    chip(page, "b1").tap()
    expect(chip(page, "b1")).to_have_attribute("aria-pressed", "true")
    page.get_by_test_id("zone-az-a").locator(".az-name span").tap()
    expect(in_zone(page, "b1", "az-a")).to_be_visible()
    page.context.close()


def test_an_az_is_added_named_and_removed_while_it_is_empty(page: Page) -> None:
    page.get_by_test_id("add-az").click()
    page.keyboard.type("eu-1d")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("zone-eu-1d")).to_be_visible()
    page.get_by_test_id("zone-az-a").get_by_role("textbox").fill("eu-1d")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("az-name-problem")).to_have_text("There is an AZ eu-1d already.")
    expect(page.get_by_test_id("zone-az-a").get_by_role("textbox")).to_have_value("az-a")
    page.get_by_test_id("remove-eu-1d").click()
    expect(page.get_by_test_id("zone-eu-1d")).to_have_count(0)
    expect(page.get_by_test_id("zone-az-a").get_by_role("button", name="Remove az-a")).to_have_count(0)


def test_a_broker_that_is_picked_up_can_be_said_to_run(page: Page) -> None:
    expect(chip(page, "b3")).to_have_accessible_name("Broker 3, az-a, down")
    chip(page, "b3").click()
    page.get_by_test_id("state-select").select_option("running")
    expect(chip(page, "b3")).to_have_accessible_name("Broker 3, az-a")


def test_the_paste_is_there_again_after_a_look_at_another_page(page: Page) -> None:
    page.get_by_test_id("assumed-records_per_s").locator("input").fill("250")
    chip(page, "b1").click()
    page.keyboard.press("ArrowRight")
    moved_to = zone_of(page, "b1")
    page.goto("/runs")
    page.goto("/import")
    expect(page.get_by_test_id("import-text")).to_have_value(samples.MODERN)
    expect(page.get_by_test_id("assumed-records_per_s").locator("input")).to_have_value("250")
    assert zone_of(page, "b1") == moved_to
    page.get_by_test_id("import-clear").click()
    page.reload()
    expect(page.get_by_test_id("import-text")).to_have_value("")


def test_what_a_click_did_is_kept_before_the_browser_paints(page: Page) -> None:
    kept = page.get_by_test_id("import-clear").evaluate(
        """async (button) => {
          button.click();
          await null; // the page renders in a microtask: no frame and no timer comes before the next line
          await null;
          return JSON.parse(sessionStorage.getItem("paste")).sites[0].paste.text;
        }"""
    )
    assert kept == ""


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


def test_a_second_paste_becomes_a_second_site(page: Page) -> None:
    page.get_by_test_id("add-site").click()
    expect(page.get_by_test_id("import-text")).to_have_value("")
    expect(page.get_by_test_id("import-build")).to_be_disabled()
    page.get_by_test_id("import-text").fill(samples.MODERN.replace("parcels", "letters"))
    expect(page.get_by_test_id("site-west")).to_have_text("west 3 brokers")
    page.get_by_test_id("site-name").fill("east")
    expect(page.get_by_test_id("site-name-problem")).to_have_text("There is a cluster east already.")
    expect(page.get_by_test_id("import-build")).to_be_disabled()
    page.get_by_test_id("site-name").fill("dr")
    page.get_by_test_id("assumed-acks").locator("select").select_option("1")
    page.get_by_test_id("site-east").click()
    expect(page.get_by_test_id("import-text")).to_have_value(samples.MODERN)
    expect(page.get_by_test_id("assumed-acks").locator("select")).to_have_value("all")
    page.get_by_test_id("import-build").click()
    page.wait_for_url("**/s/*")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Pasted clusters: east and dr")


def test_a_site_is_taken_away_again(page: Page) -> None:
    page.get_by_test_id("add-site").click()
    page.get_by_test_id("remove-site").click()
    expect(page.get_by_test_id("sites")).to_have_count(0)
    expect(page.get_by_test_id("import-text")).to_have_value(samples.MODERN)
    expect(page.get_by_test_id("import-build")).to_have_text("Build this cluster")


MM2 = """clusters = primary, backup
primary.bootstrap.servers = p1:9092
primary->backup.enabled = true
primary->backup.topics = parcels
unheard.of = 1
"""


def test_mirrormakers_configuration_beside_two_clusters_puts_its_process_into_the_wan(page: Page) -> None:
    expect(page.get_by_test_id("mirrors")).to_have_count(0)
    page.get_by_test_id("add-site").click()
    page.get_by_test_id("mirrors").locator("summary").click()
    page.get_by_test_id("mirrors-text").fill(MM2)
    expect(page.get_by_test_id("mirrors-told")).to_contain_text("It is read once every cluster can be built.")
    page.get_by_test_id("import-text").fill(samples.MODERN.replace("parcels", "letters"))
    told = page.get_by_test_id("mirrors-told")
    expect(told).to_contain_text("primary->backup is left out")
    expect(told.get_by_test_id("import-problem")).to_contain_text("unheard.of = 1")
    page.get_by_test_id("mirrors-rename").click()
    expect(page.get_by_test_id("mirrors-state")).to_have_text("1 flow · 1 line not taken over")
    page.reload()
    expect(page.get_by_test_id("mirrors-text")).to_have_value(MM2)
    page.get_by_test_id("import-build").click()
    page.wait_for_url("**/s/*")
    expect(page.get_by_test_id("process-mirror-maker")).to_have_attribute("data-state", "running")


def test_a_pasted_pair_that_runs_mirrormaker_comes_to_a_table_of_plans(page: Page) -> None:
    page.get_by_test_id("import-text").fill(EAST)
    page.get_by_test_id("add-site").click()
    page.get_by_test_id("import-text").fill(WEST)
    page.get_by_test_id("mirrors").locator("summary").click()
    page.get_by_test_id("mirrors-text").fill(PAIR)
    expect(page.get_by_test_id("mirrors-told")).to_contain_text("east.orders on west holds its copies, all of them")
    page.get_by_test_id("import-build").click()
    page.wait_for_url("**/s/*")
    page.wait_for_selector("body[data-ready]", timeout=WAIT_MS)
    page.get_by_test_id("open-plans").click()
    for name, value in SHORT.items():
        page.locator(f"input[name={name}]").fill(str(value))
    page.get_by_test_id("run-plans").click()
    expect(page.get_by_test_id("plans")).to_have_attribute("data-done", "true", timeout=PLANS_MS)
    for plan in ("swap", "identity", "rebuild", "dual-run"):
        expect(page.get_by_test_id(f"plan-{plan}").locator("[data-label=Doubled]")).to_be_visible()


def test_the_page_says_at_once_that_a_text_is_no_configuration_of_mirrormaker(page: Page) -> None:
    page.get_by_test_id("add-site").click()
    page.get_by_test_id("import-text").fill(samples.MODERN)
    page.get_by_test_id("mirrors").locator("summary").click()
    page.get_by_test_id("mirrors-text").fill("hello")
    expect(page.get_by_test_id("mirrors-flows")).to_contain_text("This is no configuration of MirrorMaker 2.")
