"""A site with a worker that can be killed, and a look into its database."""

import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil

from playground.environment import ROOT
from tests.rooms.site import Browser, Site

START_S = 240.0  # a Spark session on a busy machine
COMMAND = [sys.executable, "-m", "celery", "-A", "playground", "worker", "-Q", "spark", "-P", "threads", "-c", "2"]


class Lab:
    """Site, database and worker of one data folder."""

    def __init__(self, data: Path) -> None:
        self.site = Site(data)
        self.data = data
        self.worker: subprocess.Popen[bytes] | None = None

    def start_worker(self, **environment: str) -> None:
        words = [*COMMAND, "-l", "error", "--without-gossip", "--without-mingle"]
        with (self.data / "worker.log").open("ab") as log:
            environment = {**self.site.environment, **environment}
            self.worker = subprocess.Popen(words, cwd=ROOT, env=environment, stdout=log, stderr=log)

    def kill_worker(self) -> list[psutil.Process]:
        """Kill -9; the processes that it had started."""
        assert self.worker is not None
        children = psutil.Process(self.worker.pid).children(recursive=True)
        self.worker.send_signal(signal.SIGKILL)
        self.worker.wait()
        return children

    def end_worker(self) -> None:
        """End it as a person does, if it runs."""
        if self.worker is not None and self.worker.poll() is None:
            self.worker.terminate()
            try:
                self.worker.wait(20)
            except subprocess.TimeoutExpired:
                self.kill_worker()

    def stop(self) -> None:
        self.end_worker()
        self.site.stop()

    def words_of_worker(self) -> str:
        """The end of the worker's log."""
        return (self.data / "worker.log").read_text(errors="replace")[-3000:]

    def ask(self, sql: str, *values: Any) -> list[Any]:
        """Rows of the database, read only."""
        with sqlite3.connect(f"file:{self.data / 'highwater.sqlite3'}?mode=ro", uri=True, timeout=20) as database:
            return database.execute(sql, values).fetchall()

    def log(self, experiment: str) -> list[tuple[int, str, bool]]:
        """The computed shards: number, worker, whether it was finished."""
        found = self.ask(
            "select shard, worker, finished is not null from whatif_shardlog where experiment_id = ? order by id",
            experiment,
        )
        return [(int(shard), str(worker), bool(finished)) for shard, worker, finished in found]


def until(condition: Callable[[], Any], seconds: float, step: float = 0.1) -> Any:
    """The first true value of a condition; fails after some seconds."""
    deadline = time.monotonic() + seconds
    while not (value := condition()):
        assert time.monotonic() < deadline, f"not within {seconds} s"
        time.sleep(step)
    return value


def run(person: Browser, doc: str, **body: Any) -> str:
    """Queue an experiment; its id."""
    answer = person.post("/what-if/run", {"doc": doc, "horizon": "8s", **body})
    assert answer.status == 201, answer.text
    return str(answer.json()["id"])


def status(person: Browser, experiment: str) -> Any:
    return person.get(f"/what-if/{experiment}/status").json()


def wait_for(person: Browser, experiment: str, *states: str, seconds: float = START_S) -> Any:
    """The status when the experiment has one of the states."""

    def reached() -> Any:
        now = status(person, experiment)
        assert now["state"] in ("queued", "running", "cancelling", *states), now["error"] or now["state"]
        return now["state"] in states and now

    return until(reached, seconds, 0.2)


def cpu_seconds(processes: list[psutil.Process]) -> float:
    """CPU time that processes have used."""
    total = 0.0
    for process in processes:
        try:
            times = process.cpu_times()
        except psutil.NoSuchProcess:
            continue
        total += times.user + times.system
    return total


def alive(processes: list[psutil.Process]) -> list[psutil.Process]:
    """Those that still run (a zombie does not)."""
    found = []
    for process in processes:
        try:
            if process.is_running() and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
        except psutil.NoSuchProcess:
            continue
    return found
