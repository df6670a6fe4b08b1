"""The documents that `tests/links` keeps; puts a stored document of an earlier version into a site's database."""

import json
import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from playground.environment import ROOT

FOLDER: Final = ROOT / "tests" / "links"
DOCUMENTS: Final = FOLDER / "documents"
MANIFEST: Final[dict[str, Any]] = json.loads((FOLDER / "manifest.json").read_text(encoding="utf-8"))


@dataclass(frozen=True)
class Stored:
    """A document as it was stored. ``today``: the digest of today's engine; ``refused``: the words why none."""

    name: str
    sha256: str
    at_us: int
    engine: str
    digest: str
    today: str
    refused: str

    @classmethod
    def of(cls, entry: dict[str, Any]) -> "Stored":
        """An entry of the manifest."""
        was = entry["stored"]
        told = entry.get("today", ""), entry.get("refused", "")
        return cls(entry["file"], entry["sha256"], entry["at_us"], was["engine"], was["digest"], *told)

    @property
    def file(self) -> Path:
        """Its body."""
        return DOCUMENTS / self.name

    @property
    def is_told(self) -> bool:
        """True if the page has to say that another engine computed it."""
        return self.today != self.digest


def documents() -> list[Stored]:
    """All that are kept."""
    return [Stored.of(entry) for entry in MANIFEST["documents"]]


def put(database: sqlite3.Connection, like: str, number: int, one: Stored) -> str:
    """A shared copy with this body, else like the copy ``like``; its id."""
    body = one.file.read_text(encoding="utf-8")
    columns = [str(row[1]) for row in database.execute("pragma table_info(scenarios_scenario)")]
    plain = json.loads(body)
    new = {
        "id": f"link{number:06}",
        "body": body,
        "bytes": len(body.encode()),
        "title": plain["title"],
        "profile": plain["profile"],
        "moment_us": one.at_us,
        "engine": one.engine,
        "digest": one.digest,
        "verdict": None,
    }
    chosen = ", ".join("?" if column in new else column for column in columns)
    values = [new[column] for column in columns if column in new]
    into = f"insert into scenarios_scenario ({', '.join(columns)})"
    database.execute(f"{into} select {chosen} from scenarios_scenario where id = ?", (*values, like))
    return str(new["id"])
