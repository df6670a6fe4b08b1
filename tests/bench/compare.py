"""Measures two reference clusters on one clock: a click, from the pointer event until both sides are painted; frames.

A real Chromium presses the power button of one side's broker, which goes to both runs, while both play at the page's
normal speed with FEW viewers each. The same is measured on the page of one run, and the ratio of the medians is told.
"""

import json
import statistics
import tempfile
import threading
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Browser as Chrome
from playwright.sync_api import Page, sync_playwright

from tests import chromium
from tests.bench.clicks import AFTER_PAINT, PAUSE_MS, WAIT_MS, read_on
from tests.bench.engine import document
from tests.rooms.site import Browser, Site

CLICKS: Final = 100
FEW: Final = 10
SECONDS: Final = 5.0
BROKER: Final = 1

WATCH: Final = """
(heads) => {
  window.clicks = [];
  let began = null;
  const changed = new Set();
  document.addEventListener("pointerdown", (event) => { began = event.timeStamp; changed.clear(); }, true);
  const painted = () => window.afterPaint(() => {
    if (began !== null) { window.clicks.push(performance.now() - began); began = null; }
  });
  for (const head of heads)
    new MutationObserver(() => {
      changed.add(head);
      if (changed.size === heads.length) painted();
    }).observe(head, { attributes: true, attributeFilter: ["data-state"] });
}
"""
# frames a second in which a canvas is drawn
FRAMES: Final = """
(seconds) => new Promise((done) => {
  const drawn = new Set();
  const { prototype } = CanvasRenderingContext2D;
  const { clearRect } = prototype;
  prototype.clearRect = function (...area) {
    drawn.add(document.timeline.currentTime);
    return clearRect.apply(this, area);
  };
  setTimeout(() => { prototype.clearRect = clearRect; done(drawn.size / seconds); }, seconds * 1000);
})
"""


def measure() -> dict[str, float]:
    """The figures of the page of two runs, and their ratios to those of the page of one run."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        site = Site(Path(folder))
        site.start()
        chrome = playwright.chromium.launch(**chromium.launch_arguments())
        try:
            person = Browser(site).ready()
            one, two = (_measured(chrome, person, number) for number in (1, 2))
        finally:
            chrome.close()
            site.stop()
    return {
        "compare_click_ms_p50": round(two["p50"], 1),
        "compare_click_ms_p99": round(two["p99"], 1),
        "compare_click_ratio": round(two["p50"] / one["p50"], 2),
        "compare_frames_a_second": round(two["frames"], 1),
        "compare_frames_ratio": round(two["frames"] / one["frames"], 2),
    }


def _measured(chrome: Chrome, person: Browser, number: int) -> dict[str, float]:
    calm = document()
    del calm["faults"]  # on a busy machine a broker that fails by itself takes a click away
    runs = [person.make(json.dumps(calm | {"seed": seed}).encode()) for seed in range(1, number + 1)]
    viewers = [person.room(run) for run in runs for _ in range(FEW - 1)]
    readers = [threading.Thread(target=read_on, args=(viewer,), daemon=True) for viewer in viewers]
    for reader in readers:
        reader.start()
    found, frames = _pressed(chrome, person, runs)
    for viewer in viewers:
        viewer.connection.close()
    for reader in readers:
        reader.join()
    found.sort()
    p50, p99 = statistics.median(found), found[int(len(found) * 0.99)]
    print(
        f"{len(found)} clicks on {number} of {number} runs, {FEW} viewers each: p50 {p50:.1f} ms, p99 {p99:.1f} ms, "
        f"{frames:.1f} frames/s"
    )
    return {"p50": p50, "p99": p99, "frames": frames}


def _pressed(chrome: Chrome, person: Browser, runs: list[str]) -> tuple[list[float], float]:
    """The time of each click (ms), and frames a second while the runs play."""
    url = person.site.url
    context = chrome.new_context(viewport={"width": 1440, "height": 900})
    context.add_cookies([{"name": c.name, "value": c.value or "", "url": url} for c in person.jar])
    page = context.new_page()
    page.goto(f"{url}/s/{runs[0]}" if len(runs) == 1 else f"{url}/compare/{'..'.join(runs)}")
    page.wait_for_selector("body[data-ready]", timeout=WAIT_MS)
    page.get_by_test_id("play").click()
    frames = float(page.evaluate(FRAMES, SECONDS))
    found = _clicks(page)
    context.close()
    return found, frames


def _clicks(page: Page) -> list[float]:
    heads = page.get_by_test_id(f"broker-{BROKER}")
    all_heads: Any = heads.element_handles()
    page.evaluate(AFTER_PAINT)
    page.evaluate(WATCH, all_heads)
    power = heads.first.locator("[data-power]")
    for number in range(CLICKS):
        power.click()
        page.wait_for_function("count => window.clicks.length >= count", arg=number + 1, timeout=WAIT_MS)
        page.wait_for_timeout(PAUSE_MS)
    found: list[float] = page.evaluate("window.clicks")
    return found
