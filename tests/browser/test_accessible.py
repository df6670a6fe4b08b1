"""The page for a person who wants no motion, a dark page, or hears the page read out; and the effect of Back."""

import re
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.pages import DESK, PHONE, READY_MS, WAIT_MS, kill, opened, pause, run_until, set_speed

SLOW_SPEED = 2_000
TEXT_CONTRAST = 4.5
OUTLINE_CONTRAST = 3.0
TEXTS = ("ink", "ink-2", "ink-3", "accent", "danger", "ok", "warn")
GROUNDS = ("surface", "bg", "sunk")

PLACES_OF_PARTICLES = """ms => new Promise(done => {
  const g = document.querySelector('[data-testid=particles]').getContext('2d');
  const places = new Set(), lanes = new Set(), draw = g.translate;
  g.translate = function (x, y) {
    places.add(`${x.toFixed(1)} ${y.toFixed(1)}`);
    return draw.call(this, x, y);
  };
  const timer = setInterval(() => {
    for (const one of window.highwater.model.cursor.flights.all.values()) {
      lanes.add(`${one.src} ${one.dst} ${one.p} ${one.msg}`);
    }
  }, 10);
  setTimeout(() => {
    clearInterval(timer);
    delete g.translate;
    done([places.size, lanes.size]);
  }, ms);
})"""
COLOURS = """names => {
  const probe = document.createElement('i');
  document.body.append(probe);
  const hex = text => '#' + text.match(/\\d+/g).slice(0, 3).map(n => Number(n).toString(16).padStart(2, '0')).join('');
  return Object.fromEntries(names.map(name => {
    probe.style.color = `var(--${name})`;
    return [name, hex(getComputedStyle(probe).color)];
  }));
}"""


def places_and_lanes(page: Page) -> tuple[int, int]:
    """In how many places particles were drawn for a while, and how many kinds of flights there were."""
    opened(page)
    run_until(page, 0.6)
    set_speed(page, SLOW_SPEED)
    page.wait_for_function("() => window.highwater.page.speedOf(window.highwater.model) === 2000", timeout=WAIT_MS)
    places, lanes = page.evaluate(PLACES_OF_PARTICLES, 2_500)
    return int(places), int(lanes)


def test_nothing_travels_where_motion_is_reduced(page: Page) -> None:
    page.emulate_media(reduced_motion="reduce")
    places, lanes = places_and_lanes(page)
    assert 0 < places <= lanes
    set_speed(page, 8_000_000)
    kill(page, 1)
    expect(page.get_by_test_id("replica-orders-0-2")).to_have_attribute("data-role", "leader", timeout=WAIT_MS)
    assert page.evaluate("document.getAnimations().length") == 0


def test_particles_travel_otherwise(page: Page) -> None:
    page.emulate_media(reduced_motion="no-preference")
    places, lanes = places_and_lanes(page)
    assert places > 3 * lanes


def test_the_event_log_speaks_only_when_one_can_follow_it(page: Page) -> None:
    opened(page)
    log = page.get_by_role("log")
    expect(log).to_have_attribute("data-testid", "event-log")
    set_speed(page, 2_000_000)
    page.wait_for_function("() => window.highwater.page.speedOf(window.highwater.model) === 2000000", timeout=WAIT_MS)
    expect(log).to_have_attribute("aria-live", "off")
    set_speed(page, 50_000)
    expect(log).to_have_attribute("aria-live", "polite")
    kill(page, 2)
    pause(page)
    expect(log).to_have_attribute("aria-live", "polite")
    expect(log.get_by_role("button", name=re.compile(r"Broker 2 is killed"))).to_be_visible()
    page.get_by_test_id("step-next").click()
    expect(page.get_by_test_id("caption").locator("[aria-live=polite]")).not_to_be_empty()
    expect(page.get_by_test_id("verdict").locator("[aria-live=polite]")).not_to_be_empty()
    expect(page.get_by_test_id("connection")).to_have_attribute("aria-live", "assertive")
    assert page.get_by_test_id("particles").get_attribute("aria-hidden") == "true"


def test_every_cell_of_the_stage_says_what_it_is(page: Page) -> None:
    opened(page)
    pause(page)
    cell = page.get_by_role("gridcell", name=re.compile(r"^orders-0 on broker 1: Leader e0 in ISR, epoch 0, high"))
    expect(cell).to_be_visible()
    expect(page.get_by_role("slider", name="Time")).to_have_attribute("aria-valuetext", re.compile(r"seconds"))
    for landmark in ("banner", "main", "complementary", "contentinfo"):
        expect(page.get_by_role(landmark).first).to_be_visible()


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_text_can_be_read_in_both_themes(page: Page, theme: Any) -> None:
    page.emulate_media(color_scheme=theme)
    opened(page)
    assert page.evaluate("document.documentElement.dataset.theme") == theme
    shown = page.evaluate(COLOURS, [*TEXTS, *GROUNDS, "edge"])
    dark = luminance(shown["bg"]) < 0.1
    assert dark == (theme == "dark")
    for ground in GROUNDS:
        for text in TEXTS:
            assert contrast(shown[text], shown[ground]) >= TEXT_CONTRAST, f"{text} on {ground} in {theme}"
        assert contrast(shown["edge"], shown[ground]) >= OUTLINE_CONTRAST, f"edge on {ground} in {theme}"


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_text_can_be_read_on_every_step_of_the_severity_scale(page: Page, theme: Any) -> None:
    page.emulate_media(color_scheme=theme)
    page.goto("/import")
    plain: tuple[str, ...] = ("ink", "ink-2")
    texts = {"lv1": plain, "lv2": plain, "lv3": plain, "lv4": ("ink", "lv4-2"), "lv5": ("lv5-2",)}
    shown = page.evaluate(COLOURS, ["ink", "ink-2", "lv4-2", "lv5-2", *texts])
    for step, used in texts.items():
        for text in used:
            assert contrast(shown[text], shown[step]) >= TEXT_CONTRAST, f"{text} on {step} in {theme}"
    assert len(set(shown.values())) == len(shown)


def test_back_brings_moment_selection_and_speed_back(page: Page) -> None:
    opened(page)
    run_until(page, 0.8)
    pause(page)
    page.get_by_test_id("replica-orders-0-2").click()
    page.evaluate("window.highwater.travel.seek(500_000)")
    set_speed(page, 20_000)
    page.wait_for_function("() => location.hash === '#t=0.500'")
    page.goto("/runs")
    page.go_back()
    page.wait_for_selector("body[data-ready]", timeout=READY_MS)
    page.wait_for_function("() => window.highwater.model.t === 500000", timeout=WAIT_MS)
    assert page.evaluate("window.highwater.page.speed.value") == 20_000
    selection = page.evaluate("window.highwater.page.selection.value")
    assert (selection["kind"], selection["id"]) == ("replica", 2)
    expect(page.get_by_test_id("replica-orders-0-2")).to_have_class(re.compile(r"\bselected\b"))


@pytest.mark.parametrize("part", ["main.js", "stage.css"])
def test_a_part_that_cannot_be_loaded_is_said(context: BrowserContext, part: str) -> None:
    page = context.new_page()  # its console tells of the missing part
    page.route(f"**/{part}", lambda route: route.abort())
    page.goto("/play")
    said = page.get_by_test_id("load-failed")
    expect(said).to_contain_text(f"could not be loaded ({part}")
    page.unroute(f"**/{part}")
    said.get_by_role("button", name="Load the page again").click()
    page.wait_for_selector("body[data-ready]", timeout=READY_MS)
    expect(said).to_have_count(0)


REGION = """() => {
  const at = document.activeElement;
  const found = at?.closest("header.top, #stage, #panel, footer.dock");
  return at === document.body || !found ? "" : found.id || found.tagName.toLowerCase();
}"""
NAME = """() => {
  const at = document.activeElement;
  return (at.ariaLabel || at.textContent || at.title || at.labels?.[0]?.textContent || '').trim();
}"""


def test_the_tab_key_goes_through_header_stage_panel_and_dock_and_every_stop_has_a_name(page: Page) -> None:
    opened(page)
    pause(page)
    page.reload()
    page.wait_for_selector("body[data-ready]", timeout=READY_MS)
    regions: list[str] = []
    nameless: list[str] = []
    for _ in range(120):
        page.keyboard.press("Tab")
        region = str(page.evaluate(REGION))
        if region and (not regions or regions[-1] != region):
            regions.append(region)
        if region and not page.evaluate(NAME):
            nameless.append(str(page.evaluate("document.activeElement.outerHTML.slice(0, 120)")))
        if len(regions) >= 4 and region == "footer" and page.evaluate("document.activeElement.id") == "timeline":
            break
    assert regions == ["header", "stage", "panel", "footer"]
    assert nameless == []


def test_keys_do_what_their_sheet_says(page: Page) -> None:
    opened(page)
    pause(page)
    stage = page.locator("#stage")
    for key, level in (("Shift+Z", "chips"), ("Shift+Z", "map"), ("z", "chips"), ("z", "logs")):
        page.keyboard.press(key)
        expect(stage).to_have_attribute("data-level", level)
    for key, tab in (("i", "inspect"), ("v", "verdict"), ("g", "changes"), ("e", "events")):
        page.keyboard.press(key)
        expect(page.get_by_test_id(f"tab-{tab}")).to_have_attribute("aria-selected", "true")
    speed = page.get_by_test_id("speed")
    page.keyboard.press("]")
    expect(speed).not_to_have_attribute("data-value", "auto")  # drawn with the next frame
    faster = int(speed.get_attribute("data-value") or 0)
    page.keyboard.press("[")
    expect(speed).not_to_have_attribute("data-value", str(faster))
    assert int(speed.get_attribute("data-value") or 0) < faster
    page.keyboard.press("t")
    assert page.evaluate("Boolean(document.activeElement.closest('.tp'))")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("?")
    expect(page.get_by_test_id("help-sheet")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("Home")
    page.wait_for_function("() => window.highwater.model.t === 0", timeout=WAIT_MS)
    page.keyboard.press("Shift+ArrowRight")
    page.wait_for_function("() => window.highwater.model.t > 0", timeout=WAIT_MS)
    page.keyboard.press("End")
    page.wait_for_function("() => window.highwater.model.following.value")


def test_a_clock_that_was_sent_before_does_not_take_a_chosen_speed_back(page: Page) -> None:
    opened(page)
    pause(page)
    shown = page.evaluate(
        """() => {
            const { live, model, page, travel } = window.highwater;
            const before = { ...model.roomClock };
            travel.setSpeed(200_000);
            live.onClock(before);
            return page.speed.value;
        }"""
    )
    assert shown == 200_000
    page.wait_for_function("() => window.highwater.model.roomClock.speed === 200_000", timeout=WAIT_MS)
    expect(page.get_by_test_id("speed")).to_have_attribute("data-value", "200000")


def test_the_pages_are_as_wide_as_the_window(page: Page) -> None:
    for address in ("/runs", "/gallery", "/rules", "/settings", "/truth", "/what-if", "/import"):
        page.goto(address)
        for width in (320, 390, 722, 768, 844, 902, 1002, 1202):
            page.set_viewport_size({"width": width, "height": 844})
            assert page.evaluate("document.documentElement.scrollWidth") <= width, (address, width)
    opened(page)
    for width in (320, 390, 768, 390, 768, 844, 390, 768):  # from a phone on, its sheet stands for a frame or two
        page.set_viewport_size({"width": width, "height": 844})
        assert page.evaluate("document.documentElement.scrollWidth") <= width, width


def test_the_panel_of_a_phone_is_a_sheet_for_finger_button_and_keys(page: Page) -> None:
    page.set_viewport_size(PHONE)
    opened(page)
    sheet = page.get_by_test_id("sheet")
    top = sheet.evaluate_handle("grip => () => Math.round(grip.closest('.panel').getBoundingClientRect().top)")
    own = int(top.evaluate("top => top()"))
    page.mouse.move(100, own + 40)
    page.mouse.down()
    page.mouse.move(100, 20, steps=4)
    page.mouse.up()
    highest = int(top.evaluate("top => top()"))
    assert abs(highest - 0.2 * PHONE["height"]) <= 1
    expect(page.get_by_test_id("tab-verdict")).to_have_attribute("aria-selected", "true")
    sheet.click()
    assert top.evaluate("top => top()") == own
    expect(sheet).to_have_attribute("aria-expanded", "false")
    sheet.press("ArrowUp")
    assert own > int(top.evaluate("top => top()")) > highest
    page.get_by_test_id("tab-events").click()
    expect(page.get_by_test_id("tab-events")).to_have_attribute("aria-selected", "true")


def test_the_focus_stays_in_the_stage_when_the_level_of_detail_changes(page: Page) -> None:
    opened(page)
    page.get_by_test_id("acks-orders").locator("button").first.focus()
    page.keyboard.press("Shift+Z")
    expect(page.locator(".m-chips")).to_be_focused()


STRUCTURE = """() => {
  const outside = (parent, role) => [...document.querySelectorAll(`[role=${parent}]`)].flatMap(one =>
    [...one.querySelectorAll('[role], button, section')].filter(child => {
      const owner = child.parentElement.closest('[role]');
      return owner === one && !child.matches(role);
    })).map(child => child.outerHTML.slice(0, 80));
  const levels = [...document.querySelectorAll('h1, h2, h3, h4')].filter(one => one.checkVisibility())
    .map(one => Number(one.tagName[1]));
  const skip = document.querySelector('.skip');
  return {
    grid: outside('grid', '[role=row]'),
    rows: outside('row', '[role=gridcell], [role=rowheader], [role=columnheader]'),
    tabs: outside('tablist', '[role=tab]'),
    titles: levels.filter(level => level === 1).length,
    skipped: levels.filter((level, i) => i && level > levels[i - 1] + 1).length,
    valueless: document.querySelectorAll('[role=separator][tabindex]:not([aria-valuenow])').length,
    skip: Boolean(document.querySelector(skip.hash)),
    selected: document.querySelectorAll('button:not([role])[aria-selected]').length,
    unnamed: [...document.querySelectorAll('input[type=range]')].filter(one => !one.ariaLabel).length,
  };
}"""
SOUND = {"grid": [], "rows": [], "tabs": [], "titles": 1, "skipped": 0, "valueless": 0, "skip": True}


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_roles_headings_and_names_are_as_a_checker_asks(page: Page, size: Any) -> None:
    page.set_viewport_size(size)
    opened(page)
    pause(page)
    page.get_by_test_id("broker-1").click()
    for tab in ("verdict", "inspect", "settings"):
        page.get_by_test_id(f"tab-{tab}").click()
        assert page.evaluate(STRUCTURE) == {**SOUND, "selected": 0, "unnamed": 0}
    page.get_by_test_id("broker-1").locator("[data-more]").click()
    assert page.evaluate("Boolean(document.querySelector('.menu').closest('footer, main, aside, header'))")
