"""A connection that goes silent, as behind a lid that was closed or in a tunnel: no socket closes, nothing comes."""

import re

from playwright.sync_api import Page, WebSocketRoute, expect

from tests.browser.pages import WAIT_MS, opened, run_until


class Tunnel:
    """Carries frames both ways, or swallows them."""

    def __init__(self) -> None:
        self.swallows = False

    def carry(self, socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        socket.on_message(lambda frame: None if self.swallows else server.send(frame))
        server.on_message(lambda frame: None if self.swallows else socket.send(frame))


def test_a_network_that_swallows_everything_is_said_and_comes_back(page: Page) -> None:
    tunnel = Tunnel()
    page.route_web_socket(re.compile("/ws/room/"), tunnel.carry)
    opened(page, "/play?new=1")
    run_until(page, 0.3)
    tunnel.swallows = True
    expect(page.get_by_test_id("connection")).to_contain_text("Connection lost.", timeout=WAIT_MS)
    tunnel.swallows = False
    expect(page.get_by_test_id("toast")).to_contain_text("Connected again. Nothing was lost.", timeout=WAIT_MS)
    run_until(page, 0.6)
