"""The page "How true is this?": every recording of a real cluster, explained by the engine or not."""

import json
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.views.decorators.http import require_POST, require_safe

from playground.library.first_looks import first_looks, unexplained_at_most
from playground.library.opening import open_as_run
from playground.library.rule_book import chapters
from playground.library.written_once import written_once
from simengine.form import engine_sources
from simengine.recordings import tolerances
from simengine.scenario.verb import OTHER, REPAIR, USE
from simengine.scenario.verbs import VERBS

NO_FAULT: Final = "no fault"  # the kind of a script that does nothing to the cluster
TABLE: Final = Path(__file__).parent / "conformance.json"  # written by `make conform`
MIRRORS: Final = "of two clusters with MirrorMaker 2"
Row = dict[str, Any]
LIMITS: Final = {  # the tolerances of the rules, as the comparator has them
    "matching": f"{tolerances.MATCHING_PART * 100:g} %",
    "matching_min": tolerances.MATCHING_MIN,
    "growth": f"{tolerances.GROWTH_GAP_S:g}",
    "step": f"{tolerances.STEP_WIDER_S:g}",
    "heal_span": f"{tolerances.HEAL_SPAN_S:g}",
    "heal_late": f"{tolerances.HEAL_LATE_S:g}",
    "start_span": f"{tolerances.START_SPAN_S:g}",
    "start_late": f"{tolerances.START_LATE_S:g}",
    "wait": f"{tolerances.WAIT_WIDER_S:g}",
    "count": tolerances.COUNT_WIDER,
    "count_part": f"{tolerances.COUNT_WIDER_PART * 100:g} %",
    "sync": f"{tolerances.SYNC_WIDER_S:g}",
    "still": f"{tolerances.STILL_WIDER_S:g}",
}


class Table(NamedTuple):
    """The rows of one cluster, those of two with MirrorMaker, and the build of the engine that computed them."""

    engine: str
    rows: list[Row]
    mirror_rows: Sequence[Row] = ()  # none in a table that was written before they were compared

    def row(self, file: str) -> Row | None:
        """The row of a recording, by the name of its file."""
        return next((row for row in [*self.rows, *self.mirror_rows] if row["file"] == file), None)


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """The score and the rows of both tables."""
    return render(request, "library/truth.html", {"written": _written(_changed_ns())})


@written_once
def _written(_changed_ns: int) -> str:
    """The score and the rows as HTML, the same for everybody."""
    known = table()
    told: dict[str, Any] = {"parts": [_part(known.rows, "of one cluster"), _part(known.mirror_rows, MIRRORS)]}
    every = [*known.rows, *known.mirror_rows]
    told |= {"kinds": kinds(every), "rules": _by_rule(), "looks": first_looks(), "all": _all(every)}
    told |= {"engine": known.engine, "is_other_engine": known.engine != engine_sources(), "limits": LIMITS}
    return render_to_string("library/truth_written.html", told)


def kinds(rows: Sequence[Row]) -> list[Row]:
    """Each kind of fault (``kind``) with its number of recordings (``total``) and of ``missed`` ones; misses first."""
    found = Counter(kind for row in rows for kind in kinds_of(row))
    missed = Counter(kind for row in rows if not row["explained"] for kind in kinds_of(row))
    told = [{"kind": kind, "total": total, "missed": missed[kind]} for kind, total in found.items()]
    return sorted(told, key=lambda kind: (-kind["missed"], -kind["total"], kind["kind"]))


def kinds_of(row: Row) -> tuple[str, ...]:
    """The faults and orders of a recording's script, in the nouns of its verbs; repairs are left out."""
    verbs = [VERBS[str(entry["do"]).split()[0]] for entry in row["document"].get("timeline", ())]
    harmful = [verb for verb in verbs if not verb.traits.intersection((REPAIR, USE)) and verb.noun != OTHER]
    return tuple(dict.fromkeys(verb.noun[1] for verb in harmful)) or (NO_FAULT,)


def _all(rows: Sequence[Row]) -> dict[str, Any]:
    """The score of all recordings, and how many percent of such recordings may be unexplained at most."""
    explained = sum(row["explained"] for row in rows)
    bound = unexplained_at_most(len(rows) - explained, len(rows))
    return {"explained": explained, "total": len(rows), "at_most": f"{bound * 100:.1f} %"}


def _by_rule() -> list[tuple[str, str, int]]:
    """The rules whose law was read from recordings: id, title, and how many recordings it names; the most first."""
    rules = [rule for chapter in chapters() for rule in chapter.rules if rule.recordings]
    rules.sort(key=lambda rule: -len(rule.recordings))
    return [(rule.id, rule.title, len(rule.recordings)) for rule in rules]


def _part(rows: Sequence[Row], subject: str) -> dict[str, Any]:
    """One of the page's tables: its rows, the unexplained ones first, and its score."""
    runs = [row["runs"] for row in rows]
    return {
        "subject": subject,
        "rows": [(row, ",".join(kinds_of(row))) for row in sorted(rows, key=_misses_first)],
        "explained": sum(row["explained"] for row in rows),
        "total": len(rows),
        "fewest": min(runs, default=0),
        "most": max(runs, default=0),
    }


def _misses_first(row: Row) -> tuple[bool, str]:
    return row["explained"], row["file"]


@require_POST
def open_script(request: HttpRequest, file: str) -> HttpResponse:
    """Open the script of a recording in the playground, as a run of this browser."""
    row = table().row(file)
    if row is None:
        raise Http404(f"there is no recording {file}")
    return open_as_run(request, row["document"])


def table() -> Table:
    """The table as `make conform` wrote it; no rows where it has not run."""
    changed_ns = _changed_ns()
    return _read(changed_ns) if changed_ns else Table("", [])


def _changed_ns() -> int:
    """The time of the table's last change; 0 where there is no table."""
    return TABLE.stat().st_mtime_ns if TABLE.exists() else 0


@lru_cache(maxsize=1)
def _read(_changed_ns: int) -> Table:
    return Table(**json.loads(TABLE.read_text(encoding="utf-8")))
