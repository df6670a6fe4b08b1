"""The parts of an instance: what each is started with, and how it is asked for a sign of life."""

import os
import socket
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from playground import environment, valkey
from playground.supervisor import answering
from playground.supervisor.asking import LivenessQuery, connection_to

WORKER_THREADS: Final = 2  # experiments at a time; they share one Spark session and its cores
# localhost is an allowed host name everywhere, HIGHWATER_HOSTS or not
ALIVE: Final = b"GET /alive HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
# Threads of the worker and of Spark share two pools of memory: with one for each, freed memory stays in all of them.
FEW_POOLS: Final = {"MALLOC_ARENA_MAX": "2"}
# The web process and its engine processes give the blocks of a run's past and of frames back when they are freed. By
# itself the C library keeps them in pieces, and an engine process grows for as long as its rooms play.
BLOCKS_GIVEN_BACK: Final = {"MALLOC_MMAP_THRESHOLD_": "65536"}
SKIP_CHECKS: Final = "CELERY_SKIP_CHECKS"  # Celery would run Django's checks, and so load every page into the worker


@dataclass(frozen=True)
class ServiceProcess:
    """One process of an instance."""

    name: str
    command: list[str]
    question: LivenessQuery | None = None  # of a job, which is not kept up: None
    extra: Mapping[str, str] = field(default_factory=dict)  # environment besides the supervisor's own
    stdin: bytes = b""  # what it reads first
    handed_down: socket.socket | None = None


def valkey_part(server: valkey.Server, data: Path) -> ServiceProcess:
    """The embedded Valkey."""
    return ServiceProcess(
        "valkey",
        valkey.command(),
        LivenessQuery(lambda: connection_to(valkey.HOST, server.port), valkey.ping(server), valkey.PONG),
        stdin=valkey.configuration(server, data),
    )


def worker_part(redis_url: str) -> ServiceProcess:
    """The Celery worker: threads that share one Spark session, on the `spark` queue."""
    command = [
        *(sys.executable, "-m", "celery", "--app", "playground.celery", "--workdir", str(environment.ROOT), "worker"),
        *("--pool", "threads", "--concurrency", str(WORKER_THREADS), "--queues", "spark"),
        *("--without-gossip", "--without-mingle", "--loglevel", "warning"),
    ]
    extra = {environment.REDIS_URL: redis_url, SKIP_CHECKS: "1", **FEW_POOLS}
    return answering_part("worker", command, extra)


def answering_part(name: str, command: list[str], extra: Mapping[str, str]) -> ServiceProcess:
    """A part that listens at no port: it is up when it calls `answering.answer_from_now_on`."""
    question, handed_down = answering.pair()
    number = str(handed_down.fileno())
    return ServiceProcess(
        name, command, question, extra={**extra, answering.HANDED_DOWN: number}, handed_down=handed_down
    )


def compiler_part() -> ServiceProcess:
    """The part that compiles the engine while the others run, at the lowest priority; it ends by itself."""
    command = ["nice", "-n", "19", sys.executable, str(environment.ROOT / "tools" / "build_engine.py")]
    return ServiceProcess("compiler", command)


def web_part(listener: socket.socket, redis_url: str) -> ServiceProcess:
    """The web process, on the supervisor's listening socket."""
    command = [sys.executable, "-m", "playground.serve", str(listener.fileno())]
    host, port = listener.getsockname()[:2]
    question = LivenessQuery(lambda: connection_to(_reachable(host), port), ALIVE, b"HTTP/1.1 200 ")
    extra = {environment.REDIS_URL: redis_url, **BLOCKS_GIVEN_BACK}
    return ServiceProcess("web", command, question, extra, handed_down=listener)


def _reachable(host: str) -> str:
    """An address at which a listener on `host` is reached from this machine."""
    return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)


def address(listener: socket.socket) -> str:
    """The address to type into a browser."""
    host, port = listener.getsockname()[:2]
    shown = _reachable(host)
    return f"http://[{shown}]:{port}" if ":" in shown else f"http://{shown}:{port}"


def environment_of(part: ServiceProcess) -> dict[str, str]:
    """The environment of a part: the supervisor's, with the project on Python's path."""
    path = os.environ.get("PYTHONPATH")
    root = str(environment.ROOT)
    return {**os.environ, "PYTHONPATH": f"{root}{os.pathsep}{path}" if path else root, **part.extra}
