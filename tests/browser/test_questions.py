"""The start page in a real browser: from a question to its two runs, with a guess before, and the progress kept."""

import re

from playwright.sync_api import Page, expect

from tests.browser.axe import found
from tests.browser.pages import PHONE, READY_MS
from tests.library.test_own_cluster import DESCRIBED

KEY = "acks-1-and-the-leader-dies"


def test_a_stranger_finds_the_loss_with_acks_1_from_the_start_page(page: Page) -> None:
    page.goto("/")
    link = page.get_by_test_id(f"question-{KEY}")
    link.focus()
    beside = page.locator(".ask-answer:visible")
    expect(beside).to_contain_text("First guess: How many acknowledged records are gone")
    expect(beside.locator(".told")).to_be_hidden()
    link.click()
    expect(page.get_by_test_id("answer")).to_be_hidden()
    expect(page.get_by_test_id("both-runs")).to_be_hidden()
    expect(page.get_by_test_id("cluster")).to_have_text(
        "3 brokers; t-0 on brokers 0 (leader), 1, 2, min.insync.replicas 2"
    )
    expect(page.get_by_test_id("happens").locator("li")).to_have_count(7)
    expect(page.get_by_test_id("happens")).to_contain_text("15.0 s Broker 0 is killed.")
    page.get_by_role("button", name="100", exact=True).click()
    expect(page.get_by_test_id("guess")).to_contain_text("Not quite: the run shows 5.")
    expect(page.get_by_test_id("answer-sentence")).to_contain_text("5 records here")
    runs = page.get_by_test_id("both-runs")
    runs.scroll_into_view_if_needed()
    shown = runs.content_frame
    expect(shown.locator("body[data-ready]")).to_be_visible(timeout=READY_MS)
    expect(shown.get_by_test_id("caption")).to_contain_text("Nobody can copy.", timeout=READY_MS)
    expect(shown.get_by_test_id("side-b")).to_be_visible()
    page.get_by_role("button", name="Watch A and change it").click()
    expect(page).to_have_url(re.compile("/s/"), timeout=READY_MS)
    page.goto(f"/questions/{KEY}")
    expect(page.get_by_test_id("ask-mine")).to_have_attribute("href", f"/import?question={KEY}")
    page.get_by_test_id("watch-both").click()
    a_second_before_the_first_cut = "t=9.000"
    expect(page).to_have_url(re.compile(rf"/compare/\w+\.\.\w+#{a_second_before_the_first_cut}"), timeout=READY_MS)
    expect(page.locator("body[data-ready]")).to_be_visible(timeout=READY_MS)
    expect(page.get_by_role("heading", level=1)).to_have_text("Compare: acks=1 and the leader dies: what did I lose?")
    expect(page.locator("#name-a")).to_have_text("acks=1")
    expect(page.locator("#name-b")).to_have_text("acks=all")
    page.goto("/")
    expect(page.locator("#ask-seen")).to_have_text("1 of 16 seen.")
    expect(page.get_by_test_id("ask-path")).to_have_text("go on with question 2")
    page.get_by_test_id(f"question-{KEY}").focus()
    expect(page.locator(".ask-answer:visible .told")).to_contain_text("5 records here")
    page.goto(f"/questions/{KEY}")
    expect(page.get_by_test_id("guess")).to_contain_text("The run shows 5.")
    expect(page.get_by_test_id("answer-sentence")).to_be_visible()


def test_the_answer_beside_the_list_is_shown_after_the_guess(page: Page) -> None:
    page.goto("/")
    beside = page.locator(f"#answer-{KEY}")
    page.get_by_test_id(f"question-{KEY}").focus()
    expect(beside.locator(".told")).to_be_hidden()
    beside.get_by_role("button", name="5", exact=True).click()
    expect(beside).to_contain_text("Right: the run shows 5.")
    expect(beside.locator(".told")).to_contain_text("5 records here")
    expect(page.locator("#ask-seen")).to_have_text("1 of 16 seen.")
    assert found(page) == []


def test_a_question_is_asked_of_a_pasted_cluster_or_the_page_says_why_not(page: Page) -> None:
    page.goto("/import?question=every-consumer-stopped")
    expect(page.get_by_test_id("asked-of-mine")).to_contain_text("is not asked of a paste. It depends on where")
    page.goto(f"/import?question={KEY}")
    expect(page.get_by_test_id("asked-of-mine")).to_contain_text("is asked of your cluster as soon as it is built")
    assert found(page) == []
    page.locator("textarea").first.fill(DESCRIBED)
    page.get_by_test_id("import-build").click()
    expect(page).to_have_url(re.compile(r"/compare/\w+\.\.\w+"), timeout=READY_MS)
    expect(page.get_by_test_id("caption")).to_contain_text(
        "The question is asked of orders-0. It cannot be asked of single:"
    )
    expect(page.get_by_test_id("parting")).to_contain_text(
        "A: orders-0: 2 acknowledged records are gone", timeout=READY_MS
    )


def test_keys_lead_from_the_search_over_the_titles_to_the_runs_of_the_chosen_question(page: Page) -> None:
    page.goto("/")
    page.keyboard.press("/")
    expect(page.get_by_test_id("ask-search")).to_be_focused()
    page.keyboard.type("split brain")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("gallery-told")).to_contain_text("“split brain”")
    page.goto("/")
    page.get_by_test_id(f"question-{KEY}").focus()
    page.keyboard.press("ArrowDown")
    expect(page.get_by_test_id("question-acks-all-with-a-minimum-of-1")).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(page.get_by_test_id(f"question-{KEY}")).to_be_focused()
    page.locator(f"#answer-{KEY}").get_by_test_id("answer-open").focus()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(f"/questions/{KEY}$"))
    page.go_back()
    expect(page.locator(".ask-answer:visible")).to_have_attribute("data-key", KEY)


def test_the_pages_of_questions_fit_a_phone_and_axe_finds_nothing(page: Page) -> None:
    page.set_viewport_size(PHONE)
    for path in ("/", f"/questions/{KEY}"):
        page.goto(path)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert found(page) == []
    page.get_by_role("button", name="Show the answer").click()
    assert found(page) == []
