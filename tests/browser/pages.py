"""Steps of browser tests on a page of the playground."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, expect

from tests.rooms.site import Site

DESK: Final[ViewportSize] = {"width": 1440, "height": 900}
PHONE: Final[ViewportSize] = {"width": 390, "height": 844}
READY_MS: Final = 30_000
WAIT_MS: Final = 30_000
ON_THE_WAY_US: Final = 500_000  # below the speed at which an action goes back to the time that was shown
CLICKS_MAX: Final = 3  # of Play or Pause, until it is done

# Without a graphics card a run that plays takes half a core at 60 frames a second, and a quarter at 20.
SLOW_SCREEN: Final = """(() => {
  const ask = window.requestAnimationFrame.bind(window), cancelled = new Set();
  window.requestAnimationFrame = draw => {
    const id = setTimeout(() => ask(now => cancelled.delete(id) || draw(now)), 35);
    return id;
  };
  window.cancelAnimationFrame = id => { clearTimeout(id); cancelled.add(id); };
})()"""

IS_SLOW: Final = """(({ page, control, model }) =>
  !window.speedOfTest && page.speed.value === "auto" && control.value && model.following.value)(window.highwater)"""
WRITTEN: Final = """async (most) => {
  const end = performance.now() + most;
  for (;;) {
    const text = await navigator.clipboard.readText();
    if (text || performance.now() > end) return text;
    await new Promise((done) => setTimeout(done, 20));
  }
}"""  # a promise alone is true for wait_for_function
ROOM_SPEED: Final = "value => window.highwater.live.command('speed', { value })"  # until it is acknowledged


def watch(page: Page) -> list[str]:
    """Collects what the page complains about: errors, warnings, refusals of the security policy."""
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda said: complaints.append(said.text) if said.type in ("error", "warning") else None)
    return complaints


def person_of(browser: Browser, site: Site, **wishes: Any) -> BrowserContext:
    """A person who has not been here yet, at a screen of 20 frames a second."""
    made = browser.new_context(**{"viewport": DESK, "base_url": site.url, **wishes})
    made.add_init_script(SLOW_SCREEN)
    return made


def opened(page: Page, address: str = "/play") -> Page:
    """The page of a run, once its first view is drawn."""
    page.goto(address)
    page.wait_for_selector("body[data-ready]", timeout=READY_MS)
    return page


def made(page: Page, document: str) -> str:
    """The address of a document that this browser stores."""
    page.goto("/runs")
    answer = page.request.post("/api/documents", data=document, headers=token(page))
    assert answer.status == 201, answer.text()
    return str(answer.json()["url"])


def token(page: Page) -> dict[str, str]:
    """The header with which this browser may post."""
    return {"X-CSRFToken": next(one["value"] for one in page.context.cookies() if one["name"] == "csrftoken")}


@contextmanager
def another_run(page: Page) -> Iterator[None]:
    """Wait until the block has led to the page of another run: another moment behind the address is not enough."""
    run = page.evaluate("window.highwater.boot.scenario")
    yield
    page.wait_for_function("run => window.highwater?.boot.scenario !== run", arg=run, timeout=WAIT_MS)
    page.wait_for_selector("body[data-ready]", timeout=READY_MS)


def copied(page: Page, button: str) -> str:
    """The clipboard after a click on a button that copies: the page may write it some time after the click."""
    page.evaluate("navigator.clipboard.writeText('')")
    page.get_by_test_id(button).click()
    return str(page.evaluate(WRITTEN, WAIT_MS))


def moment(page: Page) -> float:
    """The drawn moment in seconds."""
    return float(page.evaluate("window.highwater.model.t")) / 1e6


def run_until(page: Page, seconds: float) -> None:
    """Wait until a moment is drawn. At automatic speed (100 ms of the run a second) the way there goes faster."""
    is_slow = page.evaluate(IS_SLOW)
    if is_slow:
        page.evaluate(ROOM_SPEED, ON_THE_WAY_US)
    page.wait_for_function("s => window.highwater.model.t > s * 1e6", arg=seconds, timeout=WAIT_MS)
    if is_slow:
        page.evaluate(ROOM_SPEED, "auto")


def view_of(page: Page) -> Any:
    return page.evaluate("JSON.parse(JSON.stringify(window.highwater.model.view))")


def snapshot_at(page: Page, at_us: int) -> Any:
    """The engine's own view of the run at a moment."""
    room = page.evaluate("window.highwater.boot.room")
    return page.request.get(f"/rooms/{room}/snapshot?at_us={at_us}&as=json").json()


def set_speed(page: Page, speed_us: int) -> None:
    """Choose a speed, and mark the page for `run_until`: an older clock of the room may show another for a while."""
    page.evaluate("speed => { window.speedOfTest = speed; window.highwater.travel.setSpeed(speed) }", speed_us)


def play(page: Page) -> None:
    """Let time go on."""
    _click_until(page, "playing")


def pause(page: Page) -> None:
    """Stop time and wait until the picture has caught up with it."""
    _click_until(page, "paused")
    page.wait_for_function("() => window.highwater.model.t === window.highwater.model.trace.end", timeout=WAIT_MS)


def _click_until(page: Page, state: str) -> None:
    """Click on Play until it is in this state; a click that was refused in words is done again."""
    button = page.get_by_test_id("play")
    expect(page.get_by_test_id("connection")).to_have_attribute("data-state", "open", timeout=WAIT_MS)
    refusals: list[str] = []
    while button.get_attribute("data-state") != state:
        assert len(refusals) < CLICKS_MAX, refusals
        button.click()
        try:
            expect(button).to_have_attribute("data-state", state, timeout=WAIT_MS / CLICKS_MAX)
        except AssertionError:
            now = page.evaluate("[window.highwater.model.connection.value, window.highwater.model.roomClock]")
            refusals.append(f"{page.get_by_test_id('toast').all_inner_texts()} {now}")


def kill(page: Page, broker: int) -> None:
    page.get_by_test_id(f"broker-{broker}").locator("[data-power]").click()
    expect(page.get_by_test_id(f"broker-{broker}")).to_have_attribute("data-state", "dead")
