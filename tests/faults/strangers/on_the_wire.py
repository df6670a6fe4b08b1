"""Attacks by bytes: bodies without an end, headers that never come, requests that are too long."""

import itertools

from tests.faults.strangers.stranger import Stranger
from tests.faults.wire import MIB, chunk, post

HALF = b"GET /alive HTTP/1.1\r\nHost: loc"
SLOW_EVERY_S = 0.5


def chunked(stranger: Stranger) -> None:
    """POST of unknown length, 400 x 1 MiB."""

    def send() -> None:
        wire = stranger.wire()
        wire.send(post("Transfer-Encoding: chunked"))
        stranger.got["MiB taken"] += sum(itertools.takewhile(bool, (wire.send(chunk(b"x" * MIB)) for _ in range(400))))
        wire.close()

    stranger.again(4, send)


def held_back(stranger: Stranger) -> None:
    """Content-Length 400,000,000, one MiB sent, the rest held back."""
    for _ in range(50):
        stranger.wire().send(post("Content-Length: 400000000") + b"x" * MIB)
    stranger.hold()


def held_bodies(stranger: Stranger) -> None:
    """60 bodies of 6.2 MB of which the last byte does not come."""
    for _ in range(60):
        stranger.wire().send(post("Content-Length: 6200000") + b"x" * 6_199_999)
    stranger.hold()


def half_open(stranger: Stranger) -> None:
    """1,000 connections with half a header."""
    for _ in range(1_000):
        stranger.wire().send(HALF)
    stranger.hold()


def slow_headers(stranger: Stranger) -> None:
    """300 headers that come letter by letter."""
    _slowly(stranger, 300, HALF)


def slow_bodies(stranger: Stranger) -> None:
    """300 bodies that come letter by letter."""
    _slowly(stranger, 300, post("Content-Length: 5000"))


def _slowly(stranger: Stranger, number: int, begun: bytes) -> None:
    wires = [stranger.wire() for _ in range(number)]
    for wire in wires:
        wire.send(begun)
    while stranger.pause(SLOW_EVERY_S):
        for wire in wires:
            wire.send(b"a")


def long_paths(stranger: Stranger) -> None:
    """GET of 60,000 letters, again and again."""

    def ask() -> None:
        wire = stranger.wire()
        wire.send(b"GET /" + b"a" * 60_000 + b" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        stranger.got[wire.rest()[9:12].decode()] += 1
        wire.close()

    stranger.again(4, ask)


def seven_megabytes(stranger: Stranger) -> None:
    """Uploads of 7 MB."""
    browser = stranger.browser()
    stranger.again(4, lambda: stranger.note(browser.post("/api/documents", raw=b"x" * 7_000_000)))
