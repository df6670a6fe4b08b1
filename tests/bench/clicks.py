"""Measures a click, from the pointer event to the painted state; the timeline's entry is stored in between.

The reference cluster plays at the page's normal speed with FEW viewers; a real Chromium presses acks=1 and acks=all in
turn. The clock starts at the browser's own time stamp of the pointer event and stops when the button is painted
as the server's facts say.
"""

import json
import statistics
import tempfile
import threading
from contextlib import suppress
from pathlib import Path
from typing import Final

from playwright.sync_api import Page, sync_playwright
from websockets.exceptions import ConnectionClosed

from tests import chromium
from tests.bench.engine import document
from tests.rooms.site import Browser, Site, Socket

CLICKS: Final = 200
CLICKS_FAST: Final = 50
FAST_US: Final = 1_000_000  # from this speed on a click goes back to what was shown where that is cheap
LONG_US: Final = 60_000_000  # and here it is not: the run has been going for a minute
FEW: Final = 10
WAIT_MS: Final = 10_000
PAUSE_MS: Final = 60

# window.afterPaint(done): call done once what has just changed is painted. What changes within a frame is painted by
# that frame, and a message that is posted in a frame comes after its painting.
AFTER_PAINT: Final = """
() => {
  const ask = window.requestAnimationFrame.bind(window);
  let isInFrame = false;
  window.requestAnimationFrame = (draw) => ask((now) => {
    isInFrame = true;
    try { draw(now); } finally { queueMicrotask(() => { isInFrame = false; }); }
  });
  window.afterPaint = (done) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = done;
    const post = () => port2.postMessage(0);
    if (isInFrame) post(); else ask(post);
  };
}
"""
WATCH: Final = """
(group) => {
  window.clicks = [];
  let began = null;
  group.addEventListener("pointerdown", (event) => { began = event.timeStamp; }, true);
  const painted = () => window.afterPaint(() => {
    if (began !== null) { window.clicks.push(performance.now() - began); began = null; }
  });
  new MutationObserver((changes) => {
    if (changes.some((change) => change.target.getAttribute("aria-pressed") === "true")) painted();
  }).observe(group, { subtree: true, attributes: true, attributeFilter: ["aria-pressed"] });
}
"""


def measure() -> dict[str, float]:
    """click_ms_p50 and click_ms_p99, and the same as click_fast_ms at FAST_US, where the picture is long past."""
    return _measured("click_ms", "auto", 0, CLICKS) | _measured("click_fast_ms", FAST_US, LONG_US, CLICKS_FAST)


def _measured(name: str, speed: int | str, from_us: int, number: int) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        site = Site(Path(folder))
        site.start()
        try:
            person = Browser(site).ready()
            run_id = person.make(json.dumps(document()).encode())
            with person.room(run_id) as presenter:
                presenter.do("reach", t=from_us)
                presenter.do("speed", value=speed)
            found = sorted(_clicks(site, person, run_id, number))
        finally:
            site.stop()
    p50, p99 = statistics.median(found), found[int(len(found) * 0.99)]
    print(
        f"{len(found)} clicks at {speed}, {FEW} viewers: p50 {p50:.1f} ms, p99 {p99:.1f} ms, longest {found[-1]:.1f} ms"
    )
    return {f"{name}_p50": round(p50, 1), f"{name}_p99": round(p99, 1)}


def _clicks(site: Site, person: Browser, run_id: str, number: int) -> list[float]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**chromium.launch_arguments())
        context = browser.new_context(viewport={"width": 1366, "height": 768})
        context.add_cookies([{"name": c.name, "value": c.value or "", "url": site.url} for c in person.jar])
        page = context.new_page()
        page.goto(f"{site.url}/s/{run_id}")
        viewers = [person.room(run_id) for _ in range(FEW - 1)]
        viewers[0].do("play")
        readers = [threading.Thread(target=read_on, args=(viewer,), daemon=True) for viewer in viewers]
        for reader in readers:
            reader.start()
        found = _press(page, str(document()["topics"][0]["name"]), number)
        for viewer in viewers:
            viewer.connection.close()
        for reader in readers:
            reader.join()
        browser.close()
    return found


def read_on(viewer: Socket) -> None:
    """Take what comes, as a page does, until the socket closes."""
    with suppress(ConnectionClosed, TimeoutError):
        while True:
            viewer.connection.recv()


def _press(page: Page, topic: str, clicks: int) -> list[float]:
    group = page.get_by_test_id(f"acks-{topic}")
    group.wait_for(timeout=WAIT_MS)
    page.wait_for_timeout(1_000)
    page.evaluate(AFTER_PAINT)
    group.evaluate(WATCH)
    for number in range(clicks):
        group.get_by_role("button", name="all" if number % 2 else "1", exact=True).click()
        page.wait_for_function("count => window.clicks.length >= count", arg=number + 1, timeout=WAIT_MS)
        page.wait_for_timeout(PAUSE_MS)
    found: list[float] = page.evaluate("window.clicks")
    return found
