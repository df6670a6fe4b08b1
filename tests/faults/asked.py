"""Sends a case to a site and says what is wrong with what came back; an empty list is as it should be.

Right is: 2xx, 3xx, or 4xx with a sentence (JSON with `error`, a page or a line with words); a socket that answers its
ping or says why it closes; nothing that the web process logs as an error.
"""

import contextlib
import http.client
import json
import re
import socket
import threading
from random import Random
from typing import Any, Final

import msgpack
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from tests.faults.cases import Case, DocumentCase, Request, SocketCase, WireCase
from tests.faults.world import World

SECONDS_MAX: Final = 90.0  # an answer that takes longer never comes
ERROR_LINE: Final = re.compile(r"(?m)^.*\bERROR\b(?! django\.security).*$")
READS: Final = ("about", "still?at_us=1000", "describe?at_us=1000", "az")
FILES: Final = (".yaml", ".json")
PING: Final = json.dumps({"id": 9, "cmd": "ping"})
INTERNAL_ERROR: Final = 1011
REDIRECTS: Final = range(300, 400)


class Asker:
    """One thread's connection to the site of a world."""

    def __init__(self, world: World) -> None:
        self.world = world
        self._connection: http.client.HTTPConnection | None = None

    def wrong(self, case: Case, rng: Random) -> list[str]:
        """The fault of the answer to a case."""
        log_before = self.world.site.log.stat().st_size
        if isinstance(case, SocketCase):
            found = self._socket(case, rng)
        elif isinstance(case, DocumentCase):
            found = self._document(case)
        elif isinstance(case, WireCase):
            found = self._wire(case)
        else:
            found = self._request(case, rng)[1]
        return found + self._logged(log_before)

    def _logged(self, before: int) -> list[str]:
        with self.world.site.log.open("rb") as log:
            log.seek(before)
            text = log.read().decode(errors="replace")
        found = ERROR_LINE.search(text)
        return [f"logged: {found[0][:200]} … {text[-600:]}"] if found else []

    def _request(self, case: Request, rng: Random) -> tuple[int, list[str]]:
        headers = {"Cookie": self.world.cookies(case.who), "X-CSRFToken": self.world.token(case.who), **case.headers}
        target, body = self.world.said(case.target, rng), case.body
        if b"{" in body:
            body = self.world.said(body.decode("latin-1"), rng).encode("latin-1")
        status, kind, answer = self._ask(case.method, target, headers, body)
        return status, wrong_answer(case.method, status, kind, answer)

    def _ask(self, method: str, target: str, headers: dict[str, str], body: bytes) -> tuple[int, str, bytes]:
        try:
            return self._ask_once(method, target, headers, body)
        except (http.client.RemoteDisconnected, BrokenPipeError, ConnectionResetError):
            self._connection = None  # a server may close a connection that has been kept open
            return self._ask_once(method, target, headers, body)

    def _ask_once(self, method: str, target: str, headers: dict[str, str], body: bytes) -> tuple[int, str, bytes]:
        if self._connection is None:
            self._connection = http.client.HTTPConnection("127.0.0.1", self.world.site.port, timeout=SECONDS_MAX)
        connection = self._connection
        try:
            connection.putrequest(method, target, skip_host="Host" in headers, skip_accept_encoding=True)
            for key, value in headers.items():
                connection.putheader(key, value.encode("latin-1"))
            connection.putheader("Content-Length", str(len(body)))
            connection.endheaders(body)
            with connection.getresponse() as response:
                answer = response.read()
                kind = response.headers.get("Content-Type", "")
                if response.will_close:
                    connection.close()
                return response.status, kind, answer
        except BaseException:
            connection.close()
            self._connection = None
            raise

    def _wire(self, case: WireCase) -> list[str]:
        """Send the bytes; the answer comes before the connection is closed."""
        with socket.create_connection(("127.0.0.1", self.world.site.port), timeout=SECONDS_MAX) as client:
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                client.sendall(case.sent)
            response = http.client.HTTPResponse(client)
            response.begin()
            status, kind, answer = response.status, response.headers.get("Content-Type", ""), response.read()
        return wrong_answer("POST", status, kind, answer) or (
            [] if status >= http.HTTPStatus.BAD_REQUEST else [f"{case.sent[:80]!r} was answered {status}"]
        )

    def _document(self, case: DocumentCase) -> list[str]:
        """Store it; a document that is taken can be read, looked at, entered, shared and varied."""
        owner = {"Cookie": self.world.cookies("owner"), "X-CSRFToken": self.world.token("owner")}
        status, kind, answer = self._ask("POST", "/api/documents", owner, case.body)
        found = wrong_answer("POST", status, kind, answer)
        if status != http.HTTPStatus.CREATED:
            return found
        run = json.loads(answer)["id"]
        asked = [("GET", f"/s/{run}/{what}", b"") for what in READS] + [("GET", f"/s/{run}{end}", b"") for end in FILES]
        asked += [("POST", f"/s/{run}/share", b'{"at_us": 1000, "neutral": true}')]
        asked += [
            ("POST", "/what-if/preview", json.dumps({"doc": run, "quick": True, "seeds": 2, "horizon": "1s"}).encode())
        ]
        for method, target, body in asked:
            status, kind, answer = self._ask(method, target, owner, body)
            found += [f"{method} {target}: {wrong}" for wrong in wrong_answer(method, status, kind, answer)]
            if method == "GET" and target.endswith((*FILES, "about")) and status != http.HTTPStatus.OK:
                found.append(f"{target}: taken, and then {status}: {answer[:200]!r}")
        return found + self._socket(SocketCase("socket", f"/ws/room/{run}", "owner", ()), Random(0))

    def _socket(self, case: SocketCase, rng: Random) -> list[str]:
        url = f"ws://127.0.0.1:{self.world.site.port}{self.world.said(case.target, rng)}"
        headers = {"Cookie": self.world.cookies(case.who)}
        try:
            with connect(
                url,
                origin=Origin(self.world.site.url),
                additional_headers=headers,
                compression=None,
                max_size=None,
                ping_interval=None,
                open_timeout=SECONDS_MAX,
            ) as viewer:
                return self._talk(viewer, [self.world.said(f, rng) if isinstance(f, str) else f for f in case.frames])
        except InvalidStatus as refused:
            status = refused.response.status_code
            return [] if 400 <= status < 500 else [f"the socket was refused with {status}"]
        except InvalidHandshake as failed:
            return [f"the handshake failed: {failed}"]

    def _talk(self, viewer: Any, frames: list[str | bytes]) -> list[str]:
        """Send the frames, then a ping: its pong comes, or a reason and a close."""
        told = ""
        try:
            _send(viewer, *frames, PING)
            while True:
                frame = msgpack.unpackb(viewer.recv(SECONDS_MAX), strict_map_key=False)
                if frame["k"] == "pong" and (frame["is_in"] or not frames):
                    return []
                if frame["k"] == "pong":  # what was sent before the room was entered is done after it
                    _send(viewer, PING)
                    threading.Event().wait(0.02)
                told = frame.get("reason", told)
                if "an error in Highwater" in told.lower():
                    return [f"a frame was answered: {told}"]
        except ConnectionClosed as closed:
            code = closed.rcvd.code if closed.rcvd else None
            if code in (None, INTERNAL_ERROR) or not told:
                return [f"the socket closed with {code}; the last reason: {told!r}"]
            return []
        except TimeoutError:
            return [f"no pong in {SECONDS_MAX} s; the last reason: {told!r}"]


def _send(viewer: Any, *frames: str | bytes) -> None:
    """Send frames; where the socket is closed, what came before that is still to be read."""
    with contextlib.suppress(ConnectionClosed):
        for frame in frames:
            viewer.send(frame)


def wrong_answer(method: str, status: int, kind: str, answer: bytes) -> list[str]:
    """The fault of an HTTP answer."""
    if status >= http.HTTPStatus.INTERNAL_SERVER_ERROR or status < http.HTTPStatus.OK:
        return [f"answered {status}: {answer[:300]!r}"]
    if method == "HEAD" or status < http.HTTPStatus.BAD_REQUEST or has_words(kind, answer):
        return []
    return [f"answered {status} without words: {kind} {answer[:200]!r}"]


def has_words(kind: str, answer: bytes) -> bool:
    """True if a refusal says something: a JSON object with a sentence under `error`, or a page or line of words."""
    text = answer.decode("utf-8", "replace")
    if kind.startswith("application/json"):
        told = json.loads(text)
        return isinstance(told, dict) and len(str(told.get("error", "")).split()) > 1
    if kind.startswith("text/html"):
        return re.search(r"<p[^>]*>[^<]*\w+ \w+ \w+", text) is not None
    return kind.startswith("text/plain") and len(text.split()) > 1
