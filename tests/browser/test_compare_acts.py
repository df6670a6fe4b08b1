"""Actions in a comparison: from one side's menu to all sides or to one, refused by one, undone on all, in the past."""

import re
from typing import Any

from playwright.sync_api import BrowserContext, FloatRect, Locator, Page, expect

from tests.browser.pages import READY_MS, WAIT_MS, made
from tests.browser.test_compare import CALM, compared, wait_for_moment


def fresh(page: Page) -> list[str]:
    """Two runs of this browser, at their beginning: acks=1 and acks=all."""
    return [made(page, CALM.replace('"1"', acks)).split("/")[-1] for acks in ('"1"', "all")]


def broker(page: Page, side: str, number: int) -> Locator:
    return page.get_by_test_id(f"side-{side}").get_by_test_id(f"broker-{number}")


def choose(page: Page, side: str, number: int, item: str) -> None:
    """An item of the menu of a broker of one side."""
    broker(page, side, number).click(button="right")
    page.get_by_test_id(f"menu-item-{item}").click()


def runs(page: Page) -> list[str]:
    """The ids of the runs of the comparison."""
    found: list[str] = page.evaluate("compare.players.map(({ boot }) => boot.scenario)")
    return found


def actions(page: Page) -> list[list[str]]:
    """The actions of each run, as they are stored."""
    plain: list[dict[str, Any]] = [page.request.get(f"/s/{run}.json").json() for run in runs(page)]
    return [[one["do"] for one in document.get("timeline", [])] for document in plain]


def left_for_another(page: Page, before: str) -> None:
    run = before.partition("#")[0]
    page.wait_for_url(lambda url: "/compare/" in url and url.partition("#")[0] != run, timeout=WAIT_MS)
    page.wait_for_selector("body[data-ready]", timeout=READY_MS)


def test_an_action_goes_to_both_sides_or_to_one_and_undo_follows_it(context: BrowserContext) -> None:
    page = context.new_page()  # a refusal is an error on the console
    compared(page, f"/compare/{'..'.join(fresh(page))}#t=2.000")
    wait_for_moment(page, "t === 2e6")
    broker(page, "b", 3).click(button="right")
    expect(page.get_by_test_id("menu-where")).to_have_text("in B, and in A too")
    page.get_by_test_id("menu-item-kill").click()
    expect(page.get_by_test_id("toast")).to_contain_text("2.000 s, A and B: Broker 3 is killed.")
    for side in "ab":
        expect(broker(page, side, 3)).to_have_attribute("data-state", "dead")
    assert actions(page) == [["kill 3"], ["kill 3"]]

    page.keyboard.press("a")
    expect(page.get_by_test_id("to-all")).to_have_attribute("aria-pressed", "false")
    choose(page, "a", 2, "pause")
    expect(broker(page, "a", 2)).to_have_attribute("data-state", "paused")
    expect(broker(page, "b", 2)).to_have_attribute("data-state", "active")
    page.keyboard.press("a")
    broker(page, "b", 2).hover()
    page.keyboard.press("p")  # A's is paused already, and B's would be
    expect(page.get_by_test_id("toast")).to_contain_text(re.compile(r"Not done\. A: .*Nothing was done in any run\."))
    assert actions(page) == [["kill 3", "pause 2"], ["kill 3"]]

    before = page.url
    page.keyboard.press("]")
    page.keyboard.press("Control+z")
    left_for_another(page, before)
    expect(page.get_by_test_id("speed")).to_have_attribute("data-value", "2000000")
    expect(page.get_by_test_id("toast")).to_contain_text("Undone in A: Broker 2 is paused.")
    before = page.url
    page.keyboard.press("Control+z")
    left_for_another(page, before)
    expect(page.get_by_test_id("toast")).to_contain_text("Undone in A and B: Broker 3 is killed.")
    assert actions(page) == [[], []]

    before = page.url
    page.keyboard.press("Control+Shift+Z")
    left_for_another(page, before)
    expect(page.get_by_test_id("toast")).to_contain_text("Done again: Broker 3 is killed, in A and B.")
    assert actions(page) == [["kill 3"], ["kill 3"]]
    for side in "ab":
        expect(broker(page, side, 3)).to_have_attribute("data-state", "dead")


def test_an_action_while_both_play_is_painted_on_both_and_keeps_their_digests(page: Page) -> None:
    compared(page, f"/compare/{'..'.join(fresh(page))}")
    page.get_by_test_id("play").click()
    wait_for_moment(page, "t > 0.3e6")
    broker(page, "a", 1).locator("[data-power]").click()
    for side in "ab":
        expect(broker(page, side, 1)).to_have_attribute("data-state", "dead")
    page.get_by_test_id("play").click()
    assert actions(page) == [["kill 1"], ["kill 1"]]
    page.evaluate("compare.travel.seek(6e6)")
    wait_for_moment(page, "t === 6e6")
    for run in page.evaluate("compare.players.map(({ boot }) => boot.scenario)"):
        copy = made_copy(page, run)
        told = page.request.get(f"/compare/{run}..{copy}/figures?at_us=6000000").json()
        live = page.request.get(f"/rooms/{run}/verdict?at_us=6000000").json()["digest"]
        assert {side["digest"] for side in told["sides"]} == {live}


SAMPLES = """() => {
  window.wrong = [];
  const [{ model }] = compare.players;
  const next = () => {
    const done = model.trace.decisive.find((row) => row.includes("kill 1"))?.[1] ?? Infinity;
    const { state } = document.querySelector("[data-testid=broker-1]").dataset;
    if (model.t > done && state !== "dead") window.wrong.push([model.t, done, state]);
    requestAnimationFrame(next);
  };
  next();
}"""


def test_no_picture_goes_on_without_an_action_for_which_the_rooms_went_back(page: Page) -> None:
    compared(page, f"/compare/{'..'.join(fresh(page))}")
    page.evaluate("Promise.all(compare.players.map(({ live }) => live.command('reach', { t: 4e6 })))")
    page.get_by_test_id("play").click()
    wait_for_moment(page, "t > 1e6")
    page.evaluate(SAMPLES)
    returned = page.evaluate("compare.players[0].model.trace.returns")
    broker(page, "a", 1).locator("[data-power]").click()
    expect(broker(page, "b", 1)).to_have_attribute("data-state", "dead")
    killed = page.evaluate("compare.players[0].model.trace.decisive.find((row) => row.includes('kill 1'))[1]")
    wait_for_moment(page, f"t > {killed} + 1e6")
    assert page.evaluate("compare.players[0].model.trace.returns") > returned, "the rooms play ahead of the picture"
    assert page.evaluate("window.wrong") == []


def made_copy(page: Page, run: str) -> str:
    """The document of a run, stored as another run."""
    return made(page, page.request.get(f"/s/{run}.yaml").text()).split("/")[-1]


def test_an_action_in_the_past_makes_branches_of_both(page: Page) -> None:
    compared(page, f"/compare/{'..'.join(fresh(page))}#t=3.000")
    wait_for_moment(page, "t === 3e6")
    page.keyboard.press("Home")
    wait_for_moment(page, "t === 0")
    page.evaluate("compare.travel.seek(1e6)")
    wait_for_moment(page, "t === 1e6")
    before = page.url
    choose(page, "a", 1, "kill")
    left_for_another(page, before)
    expect(page.get_by_test_id("toast")).to_contain_text("New branches of A and B from 1.000 s: Broker 1 is killed.")
    wait_for_moment(page, "t > 1e6 && t < 1.001e6")
    assert actions(page) == [["kill 1"], ["kill 1"]]
    choose(page, "b", 2, "kill")  # they are one's own, at their newest moment
    for side in "ab":
        expect(broker(page, side, 2)).to_have_attribute("data-state", "dead")


def boxes(page: Page, *names: str) -> list[FloatRect]:
    found = [page.get_by_test_id(name).first.bounding_box() for name in names]
    assert all(found), names
    return [one for one in found if one]


def test_an_action_of_one_side_is_offered_to_the_other_and_covers_nothing(page: Page) -> None:
    compared(page, f"/compare/{'..'.join(fresh(page))}#t=2.000")
    wait_for_moment(page, "t === 2e6")
    expect(page.get_by_test_id("to-all")).to_have_attribute("aria-pressed", "true")
    page.get_by_test_id("to-one").click()
    choose(page, "a", 3, "kill")
    toast = page.get_by_test_id("toast").filter(has_text="Broker 3 is killed")
    expect(toast.get_by_role("button")).to_have_text(["Apply to B too", "Undo"])
    box, *places = boxes(page, "toast", "side-a", "side-b", "share-pair")
    assert not [place for place in places if over(box, place)]
    expect(page.get_by_test_id("apply-too")).to_contain_text("Apply to B too")

    page.get_by_test_id("play").click()
    wait_for_moment(page, "t > 3e6")
    page.get_by_test_id("play").click()
    before = page.url
    page.keyboard.press("Shift+A")  # also when time has gone on: it happens at the same moment
    left_for_another(page, before)
    expect(page.get_by_test_id("apply-too")).to_have_count(0)
    assert actions(page) == [["kill 3"], ["kill 3"]]
    moments = [page.request.get(f"/s/{run}.json").json()["timeline"][0]["at"] for run in runs(page)]
    assert moments[0] == moments[1]
    expect(page.locator("#name-a")).to_have_text("writer acks=1")

    before = page.url
    page.keyboard.press("Control+z")
    left_for_another(page, before)
    expect(page.get_by_test_id("toast")).to_contain_text("Undone in A and B: Broker 3 is killed.")
    assert actions(page) == [[], []]


def over(one: FloatRect, other: FloatRect) -> bool:
    """True if two boxes overlap."""
    is_beside = one["x"] + one["width"] <= other["x"] or other["x"] + other["width"] <= one["x"]
    return not is_beside and one["y"] < other["y"] + other["height"] and other["y"] < one["y"] + one["height"]
