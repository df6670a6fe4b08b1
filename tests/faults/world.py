"""A site with something of everything in it: runs, copies, deleted and damaged ones, experiments. Ids by symbol."""

import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

from playground import valkey
from playground.environment import ROOT
from tests.faults import damage
from tests.faults.damage import Damage
from tests.faults.inputs import FORM, SMALL, without
from tests.rooms.site import QUIET, Browser, Site

ACTED = b"""
format: 1
title: Two brokers that die
seed: 3
until: 5s
cluster: {brokers: [{id: 1, rack: az-a}, {id: 2, rack: az-b}, {id: 3, rack: az-c}], controllers: [100, 101, 102]}
topics: [{name: orders, assignment: [[1, 2, 3]], config: {min.insync.replicas: 2}}]
producers: [{id: writer, topic: orders, rate: 20, acks: 1}]
timeline: [{at: 500ms, do: kill 1}, {at: 1s, do: kill 2}, {at: 2s, do: start 1}]
captions: [{at: 500ms, text: The leader dies.}]
"""
EXPERIMENT: dict[str, Any] = {
    **without("quick", FORM),
    "axes": {"acks": ["1", "all"]},
    "left_out": [],
    "horizon": "2s",
}


class LoggedSite(Site):
    """A site whose web process has no rate limits and writes its log into a file, with a Valkey of its own.

    Without a server for its messages each new experiment would wait some seconds for one.
    """

    def __init__(self, data: Path) -> None:
        super().__init__(data, module="tests.faults.unlimited_site")
        self.log = data / "web.log"
        self._messages: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        if self._messages is None:
            self._start_valkey()
        handle = self.listener.fileno()
        os.set_inheritable(handle, True)
        command = [sys.executable, "-m", self.module, str(handle)]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                command, cwd=ROOT, env=self.environment, pass_fds=(handle,), stdout=log, stderr=log
            )

    def stop(self) -> None:
        super().stop()
        if self._messages is not None:
            self._messages.terminate()
            self._messages.wait(10)

    def _start_valkey(self) -> None:
        server = valkey.choose()
        self.environment["HIGHWATER_REDIS_URL"] = server.url
        self._messages = subprocess.Popen(valkey.command(), stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
        assert self._messages.stdin is not None
        self._messages.stdin.write(valkey.configuration(server, self.data))
        self._messages.stdin.close()
        assert valkey.wait_until_it_answers(server.url), "the embedded Valkey did not start"


class World:
    """The browsers and ids that requests name by symbols; what a request deletes is made again."""

    def __init__(self, site: LoggedSite, seed: int) -> None:
        self.site = site
        self._rng = Random(f"world {seed}")
        self.owner = Browser(site).ready()
        self.stranger = Browser(site).ready()
        self.ids: dict[str, str] = {"none": "zzzzzzzzzz"}
        self.damaged: list[Damage] = []
        self.damaged_experiments: list[Damage] = []
        for name in ("own", "acted", "small", "foreign", "frozen", "deleted"):
            self.make(name)
        self._damage()
        self._experiments()

    def make(self, name: str) -> None:
        """A run, copy or experiment of this name, new."""
        if name == "frozen":
            shared = self.owner.post(f"/s/{self.ids['acted']}/share", {"at_us": 1_000_000})
            assert shared.status == 201, shared.text
            self.ids[name] = shared.json()["id"]
            self.ids["browser"] = self.owner.open(f"/s/{self.ids[name]}")["room"].partition("~")[2]
            return
        if name == "waiting":
            self.ids[name] = self._experiment()
            return
        body = {"own": QUIET, "small": json.dumps(SMALL).encode()}.get(name, ACTED)
        self.ids[name] = (self.stranger if name == "foreign" else self.owner).make(body)
        if name == "deleted":
            self.owner.post(f"/s/{self.ids[name]}/delete")
        if name == "own":
            link = self.owner.get(f"/s/{self.ids[name]}/about").text.partition("/edit/")[2]
            self.ids["edit"] = link[:22]

    def _damage(self) -> None:
        """Stored rows that cannot be read any more, in whole or in part."""
        branch = self.owner.post(f"/s/{self.ids['acted']}/fork", {"at_us": 0, "do": "kill 3"})
        assert branch.status == 201, branch.text
        origins = dict.fromkeys(damage.RUN_COLUMNS, self.ids["frozen"]) | {"later": branch.json()["id"]}
        with self.database() as database:
            self.damaged = damage.of_runs(self._rng, database, origins)
            self.damaged += damage.of_actions(self._rng, database, self.ids["acted"])
        self._damage_again(self.damaged)

    def _damage_again(self, rows: list[Damage]) -> None:
        with self.database() as database:
            for row in rows:
                row.do(database)

    def _experiments(self) -> None:
        """A finished experiment with its rows, some whose rows of the database are damaged, one that waits."""
        made = [self._experiment() for _ in range(2)]
        with self.database() as database:
            database.execute("update whatif_experiment set state = 'failed' where id = ?", (made[1],))
        self._finish(made[0])
        with self.database() as database:
            self.damaged_experiments = damage.of_experiments(self._rng, database, made[0])
        self._damage_again(self.damaged_experiments)
        self.make("waiting")

    def _finish(self, experiment: str) -> None:
        """Compute a queued experiment; it is the finished one."""
        command = [sys.executable, "-m", "tests.faults.finished_experiment", experiment]
        subprocess.run(command, cwd=ROOT, env=self.site.environment, check=True)
        self.ids["done"] = experiment

    def _experiment(self) -> str:
        answer = self.owner.post("/what-if/run", {**EXPERIMENT, "doc": self.ids["small"]})
        assert answer.status == 201, answer.text
        return str(answer.json()["id"])

    def database(self) -> sqlite3.Connection:
        """The site's database."""
        return sqlite3.connect(self.site.data / "highwater.sqlite3", timeout=20)

    def said(self, text: str, rng: Random) -> str:
        """The text with its symbols made ids."""
        if "{damaged" in text:
            text = text.replace("{damaged}", rng.choice(self.damaged).id)
            text = text.replace("{damaged_experiment}", rng.choice(self.damaged_experiments).id)
        for name, found in self.ids.items():
            text = text.replace(f"{{{name}}}", found)
        return text

    def mend(self) -> None:
        """Make again what the last request may have deleted or cancelled."""
        for name in ("own", "acted", "small", "foreign", "frozen"):
            if self.owner.get(f"/s/{self.ids[name]}.json").status == 410:
                self.make(name)
        with self.database() as database:
            kept = [self.ids["done"], *(row.id for row in self.damaged_experiments)]
            places = ", ".join("?" * len(kept))  # those of earlier worlds go too: an address keeps 1,000
            database.execute(f"delete from whatif_experiment where id not in ({places})", kept)
        if self.owner.get(f"/what-if/{self.ids['done']}/status").status == 404:
            self._experiments()
        self._damage_again([*self.damaged, *self.damaged_experiments])
        self.make("waiting")

    def cookies(self, who: str) -> str:
        """The header of a browser: the owner's, a stranger's, or none."""
        browser = {"owner": self.owner, "stranger": self.stranger}.get(who)
        return "" if browser is None else "; ".join(f"{one.name}={one.value}" for one in browser.jar)

    def token(self, who: str) -> str:
        """The CSRF token of a browser."""
        browser = {"owner": self.owner, "stranger": self.stranger}.get(who)
        return "" if browser is None else browser.cookie("csrftoken")
