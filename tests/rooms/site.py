"""The site in a process of its own, as `make run` serves it, and a browser without a page."""

import http.client
import http.cookiejar
import json
import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from contextlib import AbstractContextManager, closing
from functools import cache
from pathlib import Path
from typing import Any, Protocol

import msgpack
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from playground import database_file
from playground.environment import ROOT
from playground.scenarios.rates import NEWCOMER_S

START_S = 60.0
FRAME_S = 30.0

QUIET = b"""
format: 1
title: Three brokers
seed: 11
cluster: {brokers: [{id: 1, rack: a}, {id: 2, rack: b}, {id: 3, rack: c}], controllers: [100, 101, 102]}
topics:
  - {name: orders, assignment: [[1, 2, 3], [2, 3, 1]], config: {min.insync.replicas: 2}}
producers:
  - {id: writer, topic: orders, rate: 20, acks: all}
consumers:
  - {id: reader, group: g, topics: [orders], config: {auto.offset.reset: earliest}}
"""


class Served(Protocol):
    """A site that a browser asks."""

    port: int

    @property
    def url(self) -> str: ...


@cache
def migrated_database() -> bytes:
    """A database file with today's tables and no rows: migrated once a run, since that takes seconds."""
    with tempfile.TemporaryDirectory() as folder:
        database_file.make(Path(folder))
        environment = {**os.environ, "HIGHWATER_DATA": folder, "DJANGO_SETTINGS_MODULE": "playground.settings"}
        environment.pop("HIGHWATER_DATABASE_URL", None)
        manage = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
        subprocess.run(manage, cwd=ROOT, env=environment, check=True)
        with closing(sqlite3.connect(Path(folder) / database_file.NAME)) as rows:
            rows.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return (Path(folder) / database_file.NAME).read_bytes()


class Site:
    """A web process on a listening socket that outlives it, with a data folder of its own."""

    def __init__(self, data: Path, module: str = "playground.serve") -> None:
        self.data = data
        self.module = module
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self.listener.getsockname()[1])
        self.environment = {**os.environ, "HIGHWATER_DATA": str(data), "DJANGO_SETTINGS_MODULE": "playground.settings"}
        self.environment.pop("HIGHWATER_DATABASE_URL", None)
        self.process: subprocess.Popen[bytes] | None = None
        database_file.make(data)
        (data / database_file.NAME).write_bytes(migrated_database())

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        handle = self.listener.fileno()
        os.set_inheritable(handle, True)
        command = [sys.executable, "-m", self.module, str(handle)]
        self.process = subprocess.Popen(command, cwd=ROOT, env=self.environment, pass_fds=(handle,))

    def kill(self) -> None:
        """Kill -9 of the web process."""
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.kill()
        self.listener.close()


class Answer:
    """The response of the site."""

    def __init__(self, status: int, body: bytes, url: str) -> None:
        self.status = status
        self.body = body
        self.url = url

    def json(self) -> Any:
        return json.loads(self.body)

    def msgpack(self) -> Any:
        return msgpack.unpackb(self.body, strict_map_key=False)

    @property
    def text(self) -> str:
        return self.body.decode(errors="replace")


class FromAddress(urllib.request.HTTPHandler):
    """Opens connections from an address of this machine; Linux has all of 127.0.0.0/8."""

    def __init__(self, address: str) -> None:
        super().__init__()
        self._address = address

    def http_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(http.client.HTTPConnection, req, source_address=(self._address, 0))


class Browser:
    """Cookies and requests; `open` also reads what the page hands to its scripts.

    ``address``: of this machine, from which it connects; ``forwarded``: what a trusted proxy tells of it instead.
    """

    def __init__(self, site: Served, address: str = "127.0.0.1", forwarded: str = "") -> None:
        self.site = site
        self.address = address
        self.forwarded: dict[str, str] = {}
        self.jar = http.cookiejar.CookieJar()
        cookies = urllib.request.HTTPCookieProcessor(self.jar)
        self._opener = urllib.request.build_opener(cookies, FromAddress(address))
        if forwarded:
            self.moves_to(forwarded)

    def moves_to(self, forwarded: str) -> None:
        """Ask from another address behind the proxy (HIGHWATER_PROXIES)."""
        self.forwarded = {"X-Forwarded-For": forwarded}
        self._opener.addheaders = list(self.forwarded.items())

    def get(self, path: str) -> Answer:
        return self._ask(urllib.request.Request(self.site.url + path))

    def post(self, path: str, body: object = None, *, raw: bytes | None = None) -> Answer:
        data = raw if raw is not None else json.dumps(body if body is not None else {}).encode()
        headers = {"X-CSRFToken": self.cookie("csrftoken"), "Content-Type": "application/json"}
        return self._ask(urllib.request.Request(self.site.url + path, data=data, headers=headers))

    def ask(self, method: str, path: str, data: bytes | None, headers: dict[str, str]) -> Answer:
        """Any request, with this browser's cookies."""
        return self._ask(urllib.request.Request(self.site.url + path, data=data, headers=headers, method=method))

    def ready(self) -> "Browser":
        """Wait for the site and take its cookies."""
        deadline = time.monotonic() + START_S
        while True:
            try:
                self.get("/runs")
                return self
            except (ConnectionError, urllib.error.URLError):
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.05)

    def known(self) -> "Browser":
        """Be seen, once it has made something, and wait until limits take it for no newcomer."""
        self.get("/rooms/none/verdict")
        time.sleep(NEWCOMER_S + 0.1)
        return self

    def make(self, document: bytes) -> str:
        """Save a document; its id."""
        answer = self.post("/api/documents", raw=document)
        assert answer.status == 201, answer.text
        return str(answer.json()["id"])

    def room(self, run_id: str, query: str = "") -> "Socket":
        """Enter the room of a run, up to its first snapshot."""
        viewer = self.socket(f"/ws/room/{run_id}{query}")
        viewer.until("snap", START_S)
        return viewer

    def open(self, path: str = "/play") -> dict[str, Any]:
        answer = self.get(path)
        assert answer.status == 200, answer.text
        found = re.search(r'<script[^>]*id="boot"[^>]*>(.*?)</script>', answer.text, re.S)
        assert found is not None, answer.text
        boot: dict[str, Any] = json.loads(found[1])
        return boot

    def cookie(self, name: str) -> str:
        return next((str(cookie.value) for cookie in self.jar if cookie.name == name), "")

    def socket(self, path: str, **options: Any) -> "Socket":
        cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in self.jar)
        options = {"origin": self.site.url, "ping_interval": None, "source_address": (self.address, 0)} | options
        url = f"ws://127.0.0.1:{self.site.port}{path}"
        deadline = time.monotonic() + START_S
        while True:
            try:
                headers = {"Cookie": cookies, **self.forwarded}
                return Socket(connect(url, additional_headers=headers, compression=None, max_size=None, **options))
            except (ConnectionError, EOFError, TimeoutError):
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.05)

    def _ask(self, request: urllib.request.Request) -> Answer:
        try:
            with self._opener.open(request, timeout=START_S) as answer:
                return Answer(answer.status, answer.read(), answer.url)
        except urllib.error.HTTPError as error:
            return Answer(error.code, error.read(), request.full_url)


class Socket:
    """A viewer's socket: frames as maps, commands with ids, and every fact that came."""

    def __init__(self, manager: AbstractContextManager[ClientConnection]) -> None:
        self.connection = manager.__enter__()
        self.rows: list[list[Any]] = []
        self.frames: list[dict[str, Any]] = []
        self.seq = 0
        self.t = 0
        self._next_id = 1

    def __enter__(self) -> "Socket":
        return self

    def __exit__(self, *_: object) -> None:
        self.connection.close()

    def receive(self, timeout: float = FRAME_S) -> dict[str, Any]:
        try:
            data = self.connection.recv(timeout)
        except ConnectionClosed as closed:
            raise AssertionError(f"the socket closed; the last frames: {self.frames[-3:]}") from closed
        assert isinstance(data, bytes)
        frame: dict[str, Any] = msgpack.unpackb(data, strict_map_key=False)
        self.note(frame)
        return frame

    def note(self, frame: dict[str, Any]) -> None:
        self.frames.append(frame)
        if frame["k"] == "snap":
            self.seq, self.t = frame["view"]["seq"], frame["view"]["t"]
        elif frame["k"] == "facts":
            self.rows.extend(frame["f"])
            self.seq, self.t = frame["seq"], frame["t"]

    def until(self, kind: str, timeout: float = FRAME_S, **values: Any) -> dict[str, Any]:
        """The next frame of a kind whose fields are these."""
        deadline = time.monotonic() + timeout
        while time.monotonic() < deadline:
            frame = self.receive(max(0.01, deadline - time.monotonic()))
            if frame["k"] == kind and all(frame.get(key) == value for key, value in values.items()):
                return frame
        raise AssertionError(f"no frame {kind} {values} within {timeout} s; the last ones: {self.frames[-3:]}")

    def send(self, cmd: str, **values: Any) -> int:
        command_id = self._next_id
        self._next_id += 1
        self.connection.send(json.dumps({"id": command_id, "cmd": cmd, **values}))
        return command_id

    def do(self, cmd: str, **values: Any) -> dict[str, Any]:
        """Send a command and wait for its answer, ack or refused."""
        command_id = self.send(cmd, **values)
        deadline = time.monotonic() + FRAME_S
        while time.monotonic() < deadline:
            frame = self.receive(max(0.01, deadline - time.monotonic()))
            if frame["k"] in ("ack", "refused") and frame["id"] == command_id:
                return frame
        raise AssertionError(f"{cmd} was not answered")
