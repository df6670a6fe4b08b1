"""Stored rows as a disk, an older version or another hand may have left them, drawn from a seed.

The rows are copies of whole ones, written past the product. ``Damage.do`` may be repeated: a page that reads a row
again may mend it, and a request may delete it.
"""

import json
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from tests.faults import hostile
from tests.faults.inputs import STORED

RUNS_EACH: Final = 6  # damaged runs to a column, beside those of STORED
EXPERIMENTS_EACH: Final = 4
RUN_COLUMNS: Final = ("body", "told", "later", "verdict")
EXPERIMENT_COLUMNS: Final = ("plan_text", "outline", "result", "baseline")
SCENARIO: Final = "scenarios_scenario"
EXPERIMENT: Final = "whatif_experiment"
ACTIONS: Final = (
    "",
    " ",
    ",",
    "kill",
    "kill 1,",
    "explode 1",
    "kill 99",
    "kill\x001",
    "config",
    "\N{PILE OF POO}" * 50,
)


@dataclass(frozen=True)
class Damage:
    """One row: its table, its id, the row that it is a copy of, and the columns that differ."""

    table: str
    id: str
    origin: str
    columns: dict[str, Any]

    def do(self, database: sqlite3.Connection) -> None:
        """Write the row, new or again."""
        names = [row[1] for row in database.execute(f"pragma table_info({self.table})")]
        given = {"id": self.id, **self.columns}
        chosen = ", ".join("?" if name in given else name for name in names)
        values = [given[name] for name in names if name in given]
        write = (
            f"insert or replace into {self.table} ({', '.join(names)}) select {chosen} from {self.table} where id = ?"
        )
        database.execute("pragma ignore_check_constraints = on")  # of a column of JSON: that it is JSON
        database.execute(write, (*values, self.origin))


def of_runs(rng: Random, database: sqlite3.Connection, origins: dict[str, str]) -> list[Damage]:
    """Damaged runs. ``origins``: for each column a run in which it says something."""
    drawn = [("body", text) for text in STORED]
    drawn += [(column, text) for column in RUN_COLUMNS for text in _drawn(rng, database, SCENARIO, column, origins)]
    return [
        Damage(SCENARIO, f"damaged{number}", origins[column], {column: text, "deleted": None})
        for number, (column, text) in enumerate(drawn)
    ]


def of_actions(rng: Random, database: sqlite3.Connection, run: str) -> list[Damage]:
    """Runs whose accepted actions cannot be read; each has one, which is written at once."""
    found = []
    for number, do in enumerate((*ACTIONS, *(hostile.text(rng)[:2_000] for _ in range(RUNS_EACH)))):
        damage = Damage(SCENARIO, f"misdone{number}", run, {"deleted": None})
        damage.do(database)
        write = (
            "insert into scenarios_accepted (scenario_id, number, at_us, do, created) "
            "select id, 1, ?, ?, created from scenarios_scenario where id = ?"
        )
        at_us = rng.choice((0, 1_000_000, 2**62, -1))
        database.execute("delete from scenarios_accepted where scenario_id = ?", (damage.id,))
        database.execute(write, (at_us, do.encode("utf-8", "replace").decode(), damage.id))
        found.append(damage)
    return found


def of_experiments(rng: Random, database: sqlite3.Connection, done: str) -> list[Damage]:
    """Damaged experiments, copies of a finished one."""
    origins = dict.fromkeys(EXPERIMENT_COLUMNS, done)
    drawn = [
        (column, text) for column in EXPERIMENT_COLUMNS for text in _drawn(rng, database, EXPERIMENT, column, origins)
    ]
    drawn += [("plan_text", ""), ("result", "[]"), ("outline", "{}"), ("baseline", "Z")]
    return [
        Damage(EXPERIMENT, f"{done[:8]}d{number}", done, {column: text}) for number, (column, text) in enumerate(drawn)
    ]


def _drawn(
    rng: Random, database: sqlite3.Connection, table: str, column: str, origins: dict[str, str]
) -> Iterator[str]:
    """Damaged texts of one column."""
    query = f"select {column} from {table} where id = ?"
    (whole,) = database.execute(query, (origins[column],)).fetchone()
    assert whole, f"the column {column} of the row to be damaged says nothing"
    for _ in range(RUNS_EACH if table == SCENARIO else EXPERIMENTS_EACH):
        yield _damaged(rng, whole)


def _damaged(rng: Random, whole: str) -> str:
    """A text of JSON with a hostile place or two, cut off, or something else."""
    if not whole.startswith(("{", "[")):
        return rng.choice(("", "Z", "a", "\N{PILE OF POO}"))
    if rng.random() < 0.2:
        return whole[: rng.randrange(len(whole))]
    if rng.random() < 0.1:
        return rng.choice(STORED)
    return json.dumps(hostile.changed(rng, json.loads(whole), rng.choice((1, 1, 2, 4))))
