"""A topic's menu: partitions added, the topic deleted and created again, each undone like any other action."""

from playwright.sync_api import Page, expect

from tests.browser.pages import WAIT_MS, another_run, made, opened, set_speed, snapshot_at

SECOND = 1_000_000


def topic_menu(page: Page, topic: int) -> None:
    page.evaluate("id => window.highwater.openMenuFor({kind: 'topic', id}, document.body)", topic)
    expect(page.get_by_test_id("topic-menu")).to_be_visible()


def choose(page: Page, topic: int, item: str) -> None:
    topic_menu(page, topic)
    page.get_by_test_id(f"menu-item-{item}").click()


def wait_for(page: Page, what: str) -> None:
    """Wait until something is so in the drawn view."""
    page.wait_for_function(f"() => {{ const view = window.highwater.model.view; return {what}; }}", timeout=WAIT_MS)


def test_a_topic_is_given_a_partition_deleted_and_created_again_from_its_menu(page: Page) -> None:
    opened(page, "/play?new=1")
    set_speed(page, SECOND)
    name = str(page.evaluate("window.highwater.model.topicName(0)"))
    had = int(page.evaluate("window.highwater.model.partitionsOf(0).length"))

    choose(page, 0, f"partitions-{had + 1}")
    wait_for(page, f"view.partitions.filter((one) => one.topic === 0 && one.leader >= 0).length === {had + 1}")
    expect(page.locator("body")).to_contain_text(f"{name}-{had}")

    choose(page, 0, "delete-topic")
    wait_for(
        page,
        "view.topics[0].deleted === true"
        " && view.partitions.every((one) => one.topic !== 0 || !Object.keys(one.copies).length)",
    )
    expect(page.locator("body")).to_contain_text(f"{name} (deleted)")

    choose(page, 0, "create-topic")
    wait_for(page, f"view.topics.some((one) => one.name === {name!r} && !one.deleted)")
    topic_menu(page, 0)
    expect(page.get_by_test_id("menu-item-create-topic")).to_contain_text("There is a topic of this name again")
    page.keyboard.press("Escape")

    page.get_by_test_id("play").click()
    page.wait_for_function("() => window.highwater.model.t === window.highwater.model.trace.end", timeout=WAIT_MS)
    at = int(page.evaluate("window.highwater.model.t"))
    drawn = page.evaluate("JSON.parse(JSON.stringify(window.highwater.model.view))")
    told = snapshot_at(page, at)
    assert [topic["name"] for topic in drawn["topics"]] == [topic["name"] for topic in told["topics"]]
    assert [p["topic"] for p in drawn["partitions"]] == [p["topic"] for p in told["partitions"]]

    with another_run(page):
        page.keyboard.press("Control+z")
    expect(page.get_by_test_id("toast")).to_contain_text(f"opic {name} is created")


def test_the_topic_of_the_groups_offsets_says_why_it_stays(page: Page) -> None:
    opened(page)
    topic = int(
        page.evaluate("window.highwater.model.view.topics.findIndex((one) => one.name === '__consumer_offsets')")
    )
    topic_menu(page, topic)
    for item in (page.get_by_test_id("menu-item-delete-topic"), page.get_by_test_id("menu-item-partitions-2")):
        expect(item).to_have_attribute("aria-disabled", "true")
        expect(item).to_contain_text("It holds the committed offsets of the groups")


LONG = """
format: 1
cluster: {brokers: [1, 2, 3]}
topics:
  - {name: events_ingestion_pipeline, assignment: [[1, 2, 3], [2, 3, 1]]}
  - {name: audit_of_everything, assignment: [[1, 2, 3]]}
producers: [{id: P, topic: events_ingestion_pipeline, rate: 10}]
consumers: [{id: C, group: g, topics: [events_ingestion_pipeline, audit_of_everything]}]
"""
BROKEN = """() => [...document.querySelectorAll(".con b, .tp h2, .tp-rows summary b")].flatMap((name) => {
  const parts = [...name.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
  const lines = parts.map((node) => {
    const range = document.createRange();
    range.selectNode(node);
    return range.getClientRects().length;
  });
  const isWhole = lines.every((count) => count === 1) && name.scrollHeight <= name.clientHeight + 1;
  return isWhole ? [] : [`${name.textContent}: ${lines}`];
})"""


def test_a_long_name_goes_on_between_its_words_and_shows_the_number_of_its_partition(page: Page) -> None:
    opened(page, made(page, LONG))
    page.keyboard.press(" ")
    page.wait_for_function("() => window.highwater.model.t > 2e5", timeout=WAIT_MS)
    expect(page.get_by_test_id("verdict-events_ingestion_pipeline")).to_be_visible()
    assert page.evaluate(BROKEN) == []
    names = page.locator(".con b").all_inner_texts()
    assert [name.replace("\n", "")[-10:] for name in names] == ["pipeline-0", "pipeline-1", "erything-0"]
