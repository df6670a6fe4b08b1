"""The parts of an instance: what each is started with, and how one sees that it is up."""

import http.client
import os
import socket
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from playground import environment, valkey

WORKER_THREADS: Final = 2  # experiments at a time; they share one Spark session and its cores
ASK_SECONDS: Final = 1.0
READY_FILE: Final = "HIGHWATER_READY_FILE"  # where the worker says that it takes tasks
# Threads of the worker and of Spark share two pools of memory: with one for each, freed memory stays in all of them.
FEW_POOLS: Final = {"MALLOC_ARENA_MAX": "2"}
SKIP_CHECKS: Final = "CELERY_SKIP_CHECKS"  # Celery would run Django's checks, and so load every page into the worker


@dataclass(frozen=True)
class Part:
    """One process of an instance."""

    name: str
    command: list[str]
    is_up: Callable[[], bool]
    extra: Mapping[str, str] = field(default_factory=dict)  # environment besides the supervisor's own
    stdin: bytes = b""  # what it reads first
    listener: socket.socket | None = None  # a socket handed down
    ready_file: Path | None = None


def valkey_part(server: valkey.Server, data: Path) -> Part:
    """The embedded Valkey."""
    return Part(
        "valkey",
        valkey.command(),
        is_up=lambda: valkey.answers(server.url),
        stdin=valkey.configuration(server, data),
    )


def worker_part(data: Path, redis_url: str) -> Part:
    """The Celery worker: threads that share one Spark session, on the `spark` queue."""
    ready = data / "worker.ready"
    command = [
        *(sys.executable, "-m", "celery", "--app", "playground.celery", "--workdir", str(environment.ROOT), "worker"),
        *("--pool", "threads", "--concurrency", str(WORKER_THREADS), "--queues", "spark"),
        *("--without-gossip", "--without-mingle", "--loglevel", "warning"),
    ]
    extra = {environment.REDIS_URL: redis_url, READY_FILE: str(ready), SKIP_CHECKS: "1", **FEW_POOLS}
    return Part("worker", command, is_up=ready.exists, extra=extra, ready_file=ready)


def compiler_part() -> Part:
    """What compiles the engine while the other parts run, at the lowest priority; it ends by itself."""
    command = ["nice", "-n", "19", sys.executable, str(environment.ROOT / "tools" / "build_engine.py")]
    return Part("compiler", command, is_up=lambda: True)


def web_part(listener: socket.socket, redis_url: str) -> Part:
    """The web process, on the supervisor's listening socket."""
    command = [sys.executable, "-m", "playground.serve", str(listener.fileno())]
    return Part(
        "web",
        command,
        is_up=lambda: _is_alive(listener),
        extra={environment.REDIS_URL: redis_url},
        listener=listener,
    )


def _is_alive(listener: socket.socket) -> bool:
    host, port = listener.getsockname()[:2]
    connection = http.client.HTTPConnection(_reachable(host), port, timeout=ASK_SECONDS)
    try:
        # localhost is an allowed host name everywhere, HIGHWATER_HOSTS or not
        connection.request("GET", "/alive", headers={"Host": "localhost"})
        return connection.getresponse().status == http.HTTPStatus.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def _reachable(host: str) -> str:
    """An address at which a listener on `host` is reached from this machine."""
    return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)


def address(listener: socket.socket) -> str:
    """What to type into a browser."""
    host, port = listener.getsockname()[:2]
    shown = _reachable(host)
    return f"http://[{shown}]:{port}" if ":" in shown else f"http://{shown}:{port}"


def environment_of(part: Part) -> dict[str, str]:
    """The environment of a part: the supervisor's, with the project on Python's path."""
    path = os.environ.get("PYTHONPATH")
    root = str(environment.ROOT)
    return {**os.environ, "PYTHONPATH": f"{root}{os.pathsep}{path}" if path else root, **part.extra}
