"""Attacks by questions, sockets and experiments: places that one address takes from all others."""

import itertools
from typing import Any, Final

from tests.faults.strangers import documents
from tests.faults.strangers.stranger import Stranger
from tests.faults.strangers.visitor import BEGIN_US
from tests.rooms.site import Browser

HEAVY_US: Final = 600_000_000
LONG: Final[dict[str, Any]] = {
    "horizon": "60s",
    "seeds": 500,
    "axes": {"acks": ["1", "all"], "fault": [{"kind": "rack", "rack": "a", "from": "10s", "to": "20s"}]},
}


def describes(stranger: Stranger) -> None:
    """12 describes without a cookie of a run that takes long to compute."""
    run = stranger.browser().make(documents.many_records())
    path = f"/s/{run}/describe?at_us={HEAVY_US}"
    stranger.again(12, lambda: stranger.note(stranger.without_cookies().get(path)))


def facts(stranger: Stranger) -> None:
    """40 ranges of all facts of the visitor's run, without a cookie, again and again."""
    path = f"/rooms/{stranger.target.run}/facts?from_us=0&to_us={BEGIN_US}&stream=flights"
    stranger.again(40, lambda: stranger.note(stranger.without_cookies().get(path)))


def pages(stranger: Stranger) -> None:
    """40 at once read the longest pages, and the gallery with a search of 7 kB, again and again."""
    paths = itertools.cycle(("/truth", "/rules", f"/gallery?q={'isr+' * 1_750}"))
    stranger.again(40, lambda: stranger.note(stranger.without_cookies().get(next(paths))))


def sockets(stranger: Stranger) -> None:
    """600 sockets in the visitor's room that read nothing."""
    for _ in range(600):
        _knock(stranger, stranger.without_cookies(), stranger.target.run)
    stranger.hold()


def rooms(stranger: Stranger) -> None:
    """104 uploads of two browsers, and a socket in the room of each."""
    for browser in (stranger.browser(), stranger.browser()):
        for _ in range(52):
            answer = stranger.note(browser.post("/api/documents", raw=documents.SMALL))
            if answer.status == 201:
                _knock(stranger, browser, answer.json()["id"])
    stranger.hold()


def uploads(stranger: Stranger) -> None:
    """Uploads of ever new browsers, each with another X-Forwarded-For."""

    def upload() -> None:
        browser = stranger.browser()
        headers = {
            "X-CSRFToken": browser.cookie("csrftoken"),
            "X-Forwarded-For": f"10.0.{len(stranger.got)}.{sum(stranger.got.values()) % 250}",
            "Content-Type": "application/json",
        }
        stranger.note(browser.ask("POST", "/api/documents", documents.SMALL, headers))

    stranger.again(4, upload)


def experiments(stranger: Stranger) -> None:
    """Two experiments that take long."""
    browser = stranger.browser()
    run = browser.make(documents.SMALL)
    for _ in range(2):
        answer = stranger.note(browser.post("/what-if/run", {**LONG, "doc": run}))
        if answer.status == 201:
            path = f"/what-if/{answer.json()['id']}/cancel"
            stranger.at_the_end.append(lambda path=path: browser.post(path))  # type: ignore[misc]
    stranger.hold()


def _knock(stranger: Stranger, browser: Browser, room: str) -> None:
    """The handshake of a socket that stays open and reads nothing."""
    cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in browser.jar)
    lines = (
        f"GET /ws/room/{room} HTTP/1.1",
        f"Host: 127.0.0.1:{stranger.target.port}",
        f"Origin: {stranger.target.url}",
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
        *([f"Cookie: {cookies}"] if cookies else []),
    )
    stranger.wire().send("\r\n".join((*lines, "", "")).encode())
    stranger.got["sockets"] += 1
