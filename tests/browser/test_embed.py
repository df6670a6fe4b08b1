"""A run and a comparison in frames of a page of another site: a picture until Play, then the run, without a cookie."""

import re
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import Browser, Frame, Page, expect

from tests.browser.axe import found
from tests.browser.pages import READY_MS, WAIT_MS, copied, made, opened, person_of
from tests.browser.test_compare import CALM, DOCUMENT
from tests.rooms.site import Site

LINE = re.compile(
    r'<iframe src="http://[^"]+/e/\w+" width="640" height="420" [^>]*loading="lazy" title="[^"]+"></iframe>'
)

FIRST = "document.querySelector('.first img')"
PLAYERS = "performance.getEntriesByType('resource').filter(({ name }) => name.includes('player')).length"


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[tuple[Path, str]]:
    """Another site: the folder that it serves, and its address. Cookies of ours are a third party's there."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(SimpleHTTPRequestHandler, directory=tmp_path))
    Thread(target=server.serve_forever, daemon=True).start()
    yield tmp_path, f"http://localhost:{server.server_port}"
    server.shutdown()
    server.server_close()


def frozen(page: Page, document: str) -> str:
    """The id of a copy that never changes, of a new run at 6 s."""
    run = made(page, document).split("/")[-1]
    token = page.evaluate("document.querySelector('meta[name=csrf-token]').content")
    headers = {"X-CSRFToken": token}
    answer = page.request.post(f"/s/{run}/share", data={"at_us": 6_000_000, "neutral": False}, headers=headers)
    return str(answer.json()["url"]).split("/")[-1]


def frame_of(page: Page, part: str) -> Frame:
    """The frame whose address holds a text."""
    element = page.locator(f'iframe[src*="{part}"]').element_handle()
    assert element is not None
    frame = element.content_frame()
    assert frame is not None
    frame.wait_for_selector("body.embed", timeout=WAIT_MS)
    return frame


def test_the_line_of_the_share_dialog_shows_the_run_on_another_site(
    page: Page, browser: Browser, site: Site, elsewhere: tuple[Path, str]
) -> None:
    folder, address = elsewhere
    opened(page, made(page, DOCUMENT))
    page.get_by_test_id("share").first.click()
    page.get_by_test_id("make-copy").click()
    line = copied(page, "copy-embed")
    assert LINE.fullmatch(line), line
    pair = "..".join(frozen(page, DOCUMENT.replace('"1"', acks)) for acks in ('"1"', "all"))
    (folder / "post.html").write_text(
        f"<!doctype html><title>A post</title>{line}<p style='height:3000px'></p>"
        f'<iframe src="{site.url}/e/{pair}?theme=dark&t=5.5&autoplay=1" width="960" height="420" loading="lazy">'
        "</iframe>"
    )
    with person_of(browser, site) as reader:
        post = reader.new_page()
        post.goto(f"{address}/post.html")
        shown = frame_of(post, line.split("/e/")[1].split('"')[0])
        expect(shown.locator(".first img")).to_be_visible(timeout=WAIT_MS)
        shown.wait_for_function("() => document.querySelector('.first img').naturalWidth > 0", timeout=WAIT_MS)
        assert shown.evaluate(PLAYERS) == 0, "what plays a run is not loaded yet"
        shown.get_by_test_id("start").click()
        shown.wait_for_selector("body[data-ready]", timeout=READY_MS)
        before = shown.evaluate("embedded.travel.t")
        shown.wait_for_function("t => embedded.travel.t > t + 10000", arg=before, timeout=WAIT_MS)
        shown.locator("body").press("Space")
        shown.wait_for_function("() => !embedded.travel.isPlaying")
        assert [cookie["name"] for cookie in reader.cookies(site.url)] == []
        assert len(post.frames) < 3 or "data-ready" not in post.frames[2].content(), "it waits until it is seen"
        post.locator(f'iframe[src*="{pair}"]').scroll_into_view_if_needed()
        both = frame_of(post, pair)
        both.wait_for_selector("body[data-ready]", timeout=READY_MS)
        both.wait_for_function("() => embedded.travel.t > 5510000", timeout=WAIT_MS)
        for side, name in (("a", "writer acks=1"), ("b", "writer acks=all")):
            expect(both.get_by_test_id(f"side-{side}")).to_be_visible()
            expect(both.get_by_test_id(f"side-{side}").get_by_role("heading")).to_have_text(f"{side.upper()}{name}")
        expect(both.get_by_test_id("tab-b")).to_be_hidden()
        post.locator(f'iframe[src*="{pair}"]').evaluate("one => { one.width = 400; }")
        expect(both.get_by_test_id("side-b")).to_be_hidden()
        both.get_by_test_id("tab-b").click()
        expect(both.get_by_test_id("side-b")).to_be_visible()
        expect(both.get_by_test_id("side-a")).to_be_hidden()
        drawn = both.evaluate("embedded.players.map(({ model }) => model.t)")
        assert drawn[0] == drawn[1] > 5_510_000
        assert both.evaluate("document.documentElement.dataset.theme") == "dark"
        with post.expect_popup() as popup:
            both.get_by_test_id("open").click()
        expect(popup.value).to_have_url(re.compile(rf"/compare/{re.escape(pair)}#t=\d"), timeout=WAIT_MS)


def test_the_first_picture_keeps_the_size_of_its_words_in_a_frame_of_any_width(page: Page) -> None:
    copies = [frozen(page, DOCUMENT) for _ in range(2)]
    for number, width in ((1, 348), (1, 640), (1, 720), (1, 1000), (2, 719), (2, 720), (2, 1000)):
        page.set_viewport_size({"width": width, "height": 420})
        page.goto(f"/e/{'..'.join(copies[:number])}")
        page.wait_for_function(f"() => {FIRST}.complete && {FIRST}.naturalWidth > 0", timeout=WAIT_MS)
        drawn, own = page.evaluate(f"[{FIRST}.clientWidth, {FIRST}.naturalWidth]")
        assert drawn == own, (number, width)


def test_only_copies_may_stand_in_a_frame_and_only_there(page: Page) -> None:
    run = made(page, CALM).split("/")[-1]
    answer = page.request.get(f"/e/{run}")
    assert (answer.status, "Press Share" in answer.text()) == (409, True)
    copy = frozen(page, CALM)
    answer = page.request.get(f"/e/{copy}")
    assert "frame-ancestors *" in answer.headers["content-security-policy"]
    assert "x-frame-options" not in answer.headers
    for other in (f"/s/{copy}", "/", f"/s/{copy}/still"):
        headers = page.request.get(other).headers
        assert ("frame-ancestors 'none'" in headers["content-security-policy"], headers["x-frame-options"]) == (
            True,
            "DENY",
        )
    page.goto(f"/e/{copy}..{frozen(page, DOCUMENT)}")
    assert not found(page)
    page.get_by_test_id("start").click()
    page.wait_for_selector("body[data-ready]", timeout=READY_MS)
    assert not found(page)
    bad = page.request.get(f"/e/{copy}?t=soon")
    assert (bad.status, "allowed are seconds" in bad.text()) == (400, True)
