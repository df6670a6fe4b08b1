"""A run that was opened and stands still: it says what is coming, how to start it, and gives no early verdict."""

from playwright.sync_api import Browser, BrowserContext, Dialog, Page, expect

from tests.browser.pages import PHONE, WAIT_MS, opened, pause, run_until, set_speed
from tests.rooms.site import Site


def from_gallery(page: Page, name: str) -> Page:
    """A scenario of the gallery, opened as a person opens it."""
    page.goto(f"/gallery#{name}")
    page.locator(f'button[formaction="/gallery/{name}/open"]').click()
    page.wait_for_selector("body[data-ready]")
    return page


def test_a_gallery_scenario_says_what_is_coming_and_how_to_start_it(page: Page) -> None:
    from_gallery(page, "s08-leader-dies")
    expect(page.get_by_test_id("caption")).to_contain_text("Press Play")
    expect(page.get_by_test_id("coming")).to_contain_text("10.000 s Broker 0 is killed.")
    expect(page.get_by_test_id("coming-about")).to_contain_text("The leader of a partition dies")
    expect(page.get_by_test_id("coming-outcome")).to_have_text("It comes to: No acknowledged record is lost.")
    verdict = page.get_by_test_id("verdict")
    expect(verdict).to_contain_text("Nothing has gone wrong yet.")
    expect(verdict.locator(".gl")).to_have_class("gl none")
    page.keyboard.press("Space")
    expect(page.get_by_test_id("play")).to_have_attribute("data-state", "playing")
    expect(page.get_by_test_id("coming")).to_have_count(0)
    expect(page.get_by_test_id("caption")).not_to_contain_text("Press Play")
    set_speed(page, 20_000_000)
    expect(verdict.locator(".gl")).to_have_class("gl warn", timeout=WAIT_MS)  # nothing lost, but writes waited
    expect(verdict).to_contain_text("Nothing acknowledged was lost.")


def test_the_hint_fits_a_phone_and_its_button_starts_the_run(page: Page) -> None:
    page.set_viewport_size(PHONE)
    from_gallery(page, "s24-brokers-only-partition")
    play = page.get_by_test_id("coming-play")
    play.scroll_into_view_if_needed()
    play.click()
    expect(page.get_by_test_id("play")).to_have_attribute("data-state", "playing")


def test_looking_elsewhere_in_time_hides_the_hint_and_the_way_back_shows_it(page: Page) -> None:
    from_gallery(page, "s08-leader-dies")
    page.evaluate("window.highwater.live.open(12000000)")
    expect(page.get_by_test_id("coming")).to_have_count(0, timeout=WAIT_MS)
    expect(page.get_by_test_id("caption")).to_contain_text("The leader dies.")
    page.evaluate("window.highwater.travel.seek(0)")
    expect(page.get_by_test_id("coming")).to_be_visible()


def test_a_cut_link_without_any_death_is_said_to_stop_writes(page: Page) -> None:
    """The sentence is the engine's: it knows that the followers cannot be reached (FLT-4, PROD-5)."""
    from_gallery(page, "s24-brokers-only-partition")
    page.evaluate("window.highwater.live.open(11800000)")
    words = "Nothing lost yet. Writes wait."
    expect(page.get_by_test_id("verdict")).to_contain_text(words, timeout=WAIT_MS)
    expect(page.get_by_test_id("stop-bar")).to_contain_text("Not cut into parts.", timeout=WAIT_MS)


def test_a_topic_of_two_producers_shows_both(page: Page) -> None:
    from_gallery(page, "s24-brokers-only-partition")
    panel = page.get_by_test_id("topic-t")
    expect(panel).to_contain_text("P, acks=all")
    expect(panel).to_contain_text("Q, acks=1")
    pressed = panel.get_by_test_id("acks-t").locator("[aria-pressed=true]")
    expect(pressed).to_have_text(["1", "all"])


def test_the_sandbox_plays_and_has_no_hint(page: Page) -> None:
    opened(page)
    expect(page.get_by_test_id("coming")).to_have_count(0)
    expect(page.get_by_test_id("verdict")).to_contain_text("Nothing has gone wrong yet.")


def test_the_header_leads_to_the_page_of_truth(page: Page) -> None:
    opened(page)
    expect(page.get_by_test_id("open-truth")).to_have_attribute("href", "/truth")


def test_a_run_is_deleted_once_it_was_asked_for_twice(page: Page) -> None:
    from_gallery(page, "s08-leader-dies")
    page.goto("/runs")
    page.once("dialog", lambda dialog: dialog.dismiss())
    page.get_by_title("Delete").click()
    expect(page.get_by_test_id("runs")).to_be_visible()
    told: list[str] = []

    def agree(dialog: Dialog) -> None:
        told.append(dialog.message)
        dialog.accept()

    page.once("dialog", agree)
    page.get_by_title("Delete").click()
    expect(page.get_by_test_id("no-runs")).to_be_visible()
    assert "Its link stops working for everybody. This cannot be undone." in told[0]


def test_on_a_phone_what_the_page_waits_for_pushes_nothing_out_of_it(page: Page) -> None:
    page.set_viewport_size(PHONE)
    opened(page)
    pause(page)
    for text in ("Simulating up to 12.9 s: 71 %", "Simulating the first 45 seconds: 71 %"):
        page.evaluate("text => { window.highwater.model.waiting.value = text; }", text)
        expect(page.get_by_role("status").filter(has_text=text)).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], text
        button = page.get_by_test_id("play").bounding_box()
        assert button and button["width"] >= 40, text


def test_my_runs_tells_runs_apart_also_on_a_phone(page: Page) -> None:
    page.set_viewport_size(PHONE)
    from_gallery(page, "s08-leader-dies")
    play = page.get_by_test_id("coming-play")
    play.scroll_into_view_if_needed()
    play.click()
    run_until(page, 0.0)
    page.goto("/runs")
    expect(page.get_by_test_id("done")).to_contain_text("10.000 s Broker 0 is killed.")
    page.goto("/runs")  # the clock is stored once a second
    expect(page.get_by_test_id("verdict")).to_be_visible()
    expect(page.locator("td.num")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]


def test_without_scripts_a_link_shows_a_picture_the_verdict_and_the_events(
    browser: Browser, site: Site, page: Page
) -> None:
    from_gallery(page, "s08-leader-dies")
    link = page.evaluate("window.highwater.boot.link")
    without = browser.new_context(base_url=site.url, java_script_enabled=False)
    plain = without.new_page()
    plain.goto(link)
    expect(plain.get_by_test_id("still")).to_be_visible()
    expect(plain.locator("header .note")).to_be_visible()
    plain.get_by_test_id("still-ahead").get_by_role("link").last.click()
    expect(plain.get_by_test_id("still-events")).to_contain_text("10.000 s Broker 0 is killed.")
    expect(plain.get_by_test_id("still-verdict")).to_contain_text("Writes stood still for")
    plain.goto("/play")
    expect(plain.get_by_test_id("still")).to_be_visible()
    without.close()


def test_who_looks_at_a_run_is_told_when_it_is_deleted(context: BrowserContext, page: Page) -> None:
    from_gallery(page, "s08-leader-dies")
    other = context.new_page()
    other.goto(page.evaluate("window.highwater.boot.link") + "/about")
    other.once("dialog", lambda dialog: dialog.accept())
    other.get_by_test_id("delete").click()
    expect(page.get_by_test_id("ended")).to_contain_text("Whoever made this run has deleted it.")
    expect(page.get_by_test_id("ended")).to_have_attribute("data-kind", "deleted")
