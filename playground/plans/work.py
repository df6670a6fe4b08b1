"""Works of the engine service for the page of plans: its head, and a line for each plan as soon as it has run."""

import json
from collections.abc import Iterator
from dataclasses import asdict, replace
from typing import Any, Final

from playground.engine.limits import QUICK, TABLE
from playground.engine.works import work
from playground.scenarios import documents
from simengine.plans.documents import WAYS, Plan, Times, documents_of
from simengine.plans.setups import SETUPS
from simengine.plans.table import heads_of, row_of
from simengine.scenario import Document
from simengine.scenario.problems import FieldError

S: Final = 1_000_000
COMPARED: Final = {"ways-back": WAYS, "setups": SETUPS}
SECONDS_MAX: Final = 7200  # of one duration on the page

Answer = dict[str, Any]


@work(QUICK, is_kept=True)
def head(stored: documents.StoredScenario) -> Answer:
    """The clusters between which clients can move, the flows between them, and the durations to begin with."""
    document = documents.of_stored(stored)
    return {
        "clusters": list(document.clusters),
        "flows": [[one.source, one.target] for one in document.mirrors],
        "times": {key: us // S for key, us in asdict(Times()).items()},
        "seconds_max": SECONDS_MAX,
    }


@work(TABLE, is_kept=True)
def lines(stored: documents.StoredScenario, text: str) -> Iterator[Answer]:
    """First all plans, then a row for each that can be made; ``error`` for what cannot be asked."""
    document = documents.of_stored(stored)
    try:
        asked = json.loads(text)
        known = _compared(asked)
        lose, to, times = _read(document, asked)
        plans = documents_of(known, document, lose, to, times, bool(asked.get("leaves_running")))
    except FieldError as wrong:
        yield {"error": str(wrong)}
        return
    yield {"plans": heads_of(known, plans), "sample": plans.sample}
    for key, made in plans.made.items():
        yield row_of(key, known[key], made)


def _compared(asked: Answer) -> dict[str, Plan]:
    """The plans to compare. Raises FieldError."""
    name = str(asked.get("compare", "ways-back"))
    if name not in COMPARED:
        raise FieldError(f"there is nothing to compare called {name!r}", name, ", ".join(COMPARED))
    return COMPARED[name]


def _read(document: Document, asked: Answer) -> tuple[str, str, Times]:
    """Both clusters and the durations. Raises FieldError."""
    times = asked.get("times", {})
    if not isinstance(times, dict):
        raise FieldError("the times are a map", times, "seconds by name")
    known = asdict(Times())
    found: dict[str, int] = {}
    for key, value in times.items():
        if key not in known:
            raise FieldError(f"there is no time {key!r}", key, ", ".join(known))
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= SECONDS_MAX:
            raise FieldError(f"{key} is no time", value, f"whole seconds from 0 to {SECONDS_MAX}")
        found[key] = value * S
    names = list(document.clusters)
    lose, to = str(asked.get("lose", "")), str(asked.get("to", ""))
    if not names:
        raise FieldError("this run has one cluster", lose, "a document with clusters:")
    return lose, to, replace(Times(), **found)
