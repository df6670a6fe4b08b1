"""Attacks on what only the owner may do: her clock, her actions, her edit link, requests in her name."""

from itertools import cycle
from typing import Any, Final

from websockets.exceptions import InvalidHandshake
from websockets.typing import Origin

from tests.faults.strangers.stranger import Stranger
from tests.rooms.site import Browser

COMMANDS: Final[tuple[tuple[str, dict[str, Any]], ...]] = (
    ("act", {"do": "kill 1"}),
    ("reach", {"t": 60_000_000}),
    ("pause", {}),
    ("speed", {"value": 600_000_000}),
    ("play", {}),
    ("step", {}),
)
EVERY_S: Final = 0.02


def steering(stranger: Stranger) -> None:
    """Commands of strangers in the visitor's room, and in one beside it by a key of their own."""
    browser = stranger.browser()
    copy = browser.post(f"/s/{stranger.target.run}/share", {"at_us": 1}).json()["id"]
    key = browser.open(f"/s/{copy}")["room"].partition("~")[2]
    stranger.enter(browser, f"{stranger.target.run}~{key}")
    with browser.room(stranger.target.run) as socket:
        for command, values in cycle(COMMANDS):
            if not stranger.pause(EVERY_S):
                return
            stranger.got[socket.do(command, **values)["k"]] += 1


def edit_link(stranger: Stranger) -> None:
    """HEAD and GET of the edit link, as programs that preview links do; then an action."""
    browser = stranger.browser()
    while stranger.pause(EVERY_S):
        for method in ("HEAD", "GET"):
            stranger.note(browser.ask(method, stranger.target.edit_link, None, {}))
        with browser.room(stranger.target.run) as socket:
            stranger.got[socket.do("act", do="kill 1")["k"]] += 1


def other_sites(stranger: Stranger) -> None:
    """Posts without a token and sockets of another origin."""
    run = stranger.target.run

    def ask() -> None:
        browser: Browser = stranger.browser()
        for action in ("delete", "fork", "undo", "share"):
            stranger.note(browser.ask("POST", f"/s/{run}/{action}", b"{}", {"Origin": "http://evil.example"}))
        try:
            browser.socket(f"/ws/room/{run}", origin=Origin("http://evil.example")).connection.close()
            stranger.got["socket opened"] += 1
        except InvalidHandshake:
            stranger.got["socket refused"] += 1

    stranger.again(4, ask)
