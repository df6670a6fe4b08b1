"""The tables of docs/access.md, and a site with a run, a shared copy and experiments that four visitors ask for."""

import json
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlencode

from playground.environment import ROOT
from tests.faults.inputs import LIST, PASTES, QUESTION, ROUTES, SMALL, Valid, routes
from tests.faults.world import ACTED, EXPERIMENT
from tests.rooms.site import Answer, Browser, Site

ROLES: Final = ("owner", "edit link", "viewer", "stranger")
ASKED: Final = ROLES[::-1]  # those who may least ask first: what an owner may, ends some things
PLAYED_US: Final = 2_500_000
BODIES: Final = {
    "az-list": Valid("POST", json=LIST),
    "what-if-run": Valid("POST", json={**EXPERIMENT, "doc": "{small}"}),  # its cost is measured once
    "api-experiments": Valid("POST", json={**EXPERIMENT, "doc": "{small}"}),
}
CLUSTERS: Final = {
    "format": 1,
    "clusters": {
        name: {"cluster": {"brokers": [1]}, "topics": [{"name": "orders", "assignment": [[1]]}]}
        for name in ("east", "west")
    },
}
NAMES: Final = {
    "name": "s08-leader-dies",
    "file": "s01",
    "key": QUESTION,
    "letter": "a",
    "section": "writes",
    "kind": "topic",
    "setting": "min.insync.replicas",
}


@dataclass(frozen=True)
class Row:
    """The rights of each visitor: ``yes``, ``own`` or ``no``, by role. ``name``: `GET about`, or a command."""

    name: str
    cells: dict[str, str]

    @property
    def method(self) -> str:
        return self.name.partition(" ")[0]

    @property
    def route(self) -> str:
        return self.name.partition(" ")[2]


def tables(heading: str = "") -> list[Row]:
    """The rows of all tables of routes, or those of the table of commands under a heading, one for each name."""
    found: list[Row] = []
    columns: list[str] = []
    for section in re.split(r"(?m)^## ", (ROOT / "docs/access.md").read_text()):
        is_meant = section.startswith(heading) if heading else not section.startswith("Commands")
        for line in section.splitlines() if is_meant else ():
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            if line.startswith("| What |"):
                columns = [cell.lower() for cell in cells[2:]]
            elif line.startswith("| "):
                named = re.findall(r"`([^`]+)`", cells[1])
                found += [Row(name, dict(zip(columns, cells[2:], strict=True))) for name in named]
    return found


def sent(row: Row) -> Valid:
    """The valid request for a row's route."""
    every = ROUTES[row.route]
    return BODIES.get(row.route) or next(
        (valid for valid in every if valid.method == row.method), Valid(row.method, every[0].segments)
    )


class World:
    """The visitors, and what they ask for."""

    def __init__(self, data: Path) -> None:
        self.site = Site(data, module="tests.faults.unlimited_site")
        self.site.start()
        self.owner, self.guest, self.viewer = (Browser(self.site).ready() for _ in range(3))
        self.run = self.new_run(ACTED)
        self.clusters = self.new_run(json.dumps(CLUSTERS).encode())
        self.small = self.owner.make(json.dumps(SMALL).encode())
        with self.owner.room(self.run) as room:
            room.do("reach", t=PLAYED_US)
        shared = self.owner.post(f"/s/{self.run}/share", {"at_us": 1_000_000})
        self.copy = str(shared.json()["id"])
        self.experiment = self._experiment()
        command = [sys.executable, "-m", "tests.faults.finished_experiment", self.experiment]
        subprocess.run(command, cwd=ROOT, env=self.site.environment, check=True)

    def visitor(self, role: str) -> Browser:
        """A browser in a role; a stranger has no cookie yet."""
        known = {"owner": self.owner, "edit link": self.guest, "viewer": self.viewer}
        return known.get(role) or Browser(self.site)

    def new_run(self, document: bytes = ACTED) -> str:
        """A run of the owner's, whose edit link the guest has taken."""
        run = self.owner.make(document)
        assert self.guest.post(f"/s/{run}/edit/{self.edit_word(run)}").status == 200
        return run

    def edit_word(self, run: str) -> str:
        """The secret part of the edit link, "" where it is not shown."""
        found = re.search(rf"/s/{run}/edit/([\w-]+)", self.owner.get(f"/s/{run}/about").text)
        return found[1] if found else ""

    def path(self, row: Row, run: str) -> str:
        """The address that a row is about, for this run."""
        valid = sent(row)
        ids = {
            "scenario_id": run,
            "room": run,
            "ids": self.copy if row.route == "embed" else f"{run}..{self.small}",
            "experiment_id": self.experiment,
            "word": self.edit_word(run) if "<str:word>" in routes()[row.route] else "",
            **NAMES,
        }
        path = re.sub(r"<str:(\w+)>", lambda found: ids[found[1]], routes()[row.route])
        query = urlencode({key: self._said(value) for key, value in valid.query.items() if key != "from"})
        return f"/{path}?{query}" if query else f"/{path}"

    def ask(self, row: Row, browser: Browser, run: str, **headers: str) -> Answer:
        """Ask what a row is about, as this browser, for this run."""
        valid = sent(row)
        data, kind = b"", "application/json"
        if valid.form is not None:
            data, kind = urlencode(valid.form).encode(), "application/x-www-form-urlencoded"
        elif valid.json is not None:
            data = self._said(json.dumps(valid.json)).encode()
        headers = {"Content-Type": kind, "X-CSRFToken": browser.cookie("csrftoken")} | headers
        return browser.ask(row.method, self.path(row, run), data if row.method == "POST" else None, headers)

    def is_whose(self, answer: Answer, browser: Browser) -> bool:
        """True if the run or the experiment that an answer has made belongs to this browser."""
        if token := re.search(r'"token": ?"([^"]+)"', answer.text):
            return self._is_of_token(answer.json()["url"], {"Authorization": f"Bearer {token[1]}"})
        is_address = re.search(r"/s/|[?]doc=|/compare/", answer.url) and '"url"' not in answer.text
        where = answer.url if is_address else answer.text
        if experiment := re.search(r'"url": ?"/what-if/(\w+)"', answer.text):
            return bool(browser.get(f"/what-if/{experiment[1]}/status").json()["is_owner"])
        made = re.search(r'(?:"url": ?"/(?:s|compare)/|^http.*(?:/s/|[?]doc=|/compare/)|"scenario": ?")(\w+)', where)
        assert made is not None and made[1] != self.run, answer.text[:500]
        return 'data-testid="new-edit-link"' in browser.get(f"/s/{made[1]}/about").text

    def _is_of_token(self, url: str, token: dict[str, str]) -> bool:
        """True if a run, which is deleted then, or an experiment belongs to a token."""
        program, (kind, made) = Browser(self.site), url.split("/")[1:3]
        if kind == "what-if":
            return bool(program.ask("GET", f"/api/experiments/{made}", None, token).json()["is_owner"])
        return program.ask("POST", f"/api/documents/{made}/delete", b"", token).status == 204

    def _experiment(self) -> str:
        answer = self.owner.post("/what-if/run", {**EXPERIMENT, "doc": self.small})
        assert answer.status == 201, answer.text
        return str(answer.json()["id"])

    def _said(self, text: str) -> str:
        known: dict[str, Any] = {"own": self.run, "small": self.small, "done": self.experiment}
        for name, value in known.items():
            text = text.replace(f"{{{name}}}", value)
        return text.replace('"{paste}"', json.dumps(PASTES[0]))
