"""A started instance (`manage.py play`) whose parts are found by what they are."""

import os
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any, Final, Protocol

import psutil

from playground.environment import ROOT
from tests.rooms.site import Site
from tests.setup.processes import words_of

UP_SECONDS_MAX: Final = 180.0
PARTS: Final = ("web", "worker", "Valkey", "JVM", "Python worker", "engine process", "supervisor")
ENGINES: Final = ("engine_process", "playground.engine", "simengine")


class Used(Protocol):
    """The thing that visitors use: a whole instance, or a web process alone."""

    data: Path
    port: int
    process: subprocess.Popen[bytes] | None

    @property
    def url(self) -> str: ...

    def start(self) -> None: ...

    def words(self) -> str: ...

    def is_there(self) -> bool: ...

    def part(self, name: str) -> list[psutil.Process]: ...

    def ask(self, sql: str, *values: Any) -> list[Any]: ...


class WebAlone(Site):
    """A web process without a worker, a Valkey and a supervisor: enough where the disk or the database fails."""

    def words(self) -> str:
        return "the web process has ended"

    def is_there(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def part(self, name: str) -> list[psutil.Process]:
        assert name == "web" and self.process is not None
        return [psutil.Process(self.process.pid)]

    def ask(self, sql: str, *values: Any) -> list[Any]:
        return rows_of(self.data, sql, *values)


class Instance:
    """One instance on a port and a data folder that outlive it."""

    def __init__(self, data: Path) -> None:
        self.data = data
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def log(self) -> Path:
        """The output of the supervisor; beside the data folder, so that a full disk does not silence it."""
        return self.data.parent / "play.log"

    def start(self) -> None:
        """Start it and wait until the page is there."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith("HIGHWATER_RE")}
        kept.pop("DJANGO_SETTINGS_MODULE", None)
        command = [sys.executable, "manage.py", "play", "--port", str(self.port)]
        began = self.log.stat().st_size if self.log.exists() else 0
        with self.log.open("ab") as log:
            environment = {**kept, "HIGHWATER_DATA": str(self.data)}
            self.process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=log)
        deadline = time.monotonic() + UP_SECONDS_MAX
        while b"Highwater is at" not in self.log.read_bytes()[began:]:
            assert self.process.poll() is None, self.words()
            assert time.monotonic() < deadline, self.words()
            time.sleep(0.1)

    def words(self) -> str:
        """The end of what it said."""
        return self.log.read_text(errors="replace")[-2_000:]

    def is_there(self) -> bool:
        """True if the supervisor runs."""
        return self.process is not None and self.process.poll() is None

    def stop(self) -> None:
        """Ctrl-C."""
        if self.process is not None and self.is_there():
            self.process.send_signal(signal.SIGINT)
            try:
                self.process.wait(30)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()

    def part(self, name: str) -> list[psutil.Process]:
        """The processes of a part, now."""
        assert self.process is not None
        top = psutil.Process(self.process.pid)
        if name == "supervisor":
            return [top]
        every = top.children(recursive=True)
        if name == "engine process":
            return [one for one in every if any(word in words_of(one) for word in ENGINES)]
        if name in ("JVM", "Python worker"):
            word = {"JVM": "org.apache.spark", "Python worker": "pyspark.worker"}[name]
            return [one for one in every if word in words_of(one) and "celery" not in words_of(one)]
        word = {"web": "playground.serve", "worker": "celery", "Valkey": "valkey"}[name]
        return [one for one in top.children() if word in words_of(one)]

    def ask(self, sql: str, *values: Any) -> list[Any]:
        """Rows of its database, read only."""
        return rows_of(self.data, sql, *values)


def rows_of(data: Path, sql: str, *values: Any) -> list[Any]:
    """Rows of the database of a data folder, read only."""
    file = f"file:{data / 'highwater.sqlite3'}?mode=ro"
    with closing(sqlite3.connect(file, uri=True, timeout=40)) as database:
        return database.execute(sql, values).fetchall()
