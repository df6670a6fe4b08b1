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
from playground.library.rule_book import Rule, all_rules, chapters
from playground.library.rule_text import ids_in
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


class Score(NamedTuple):
    """The recordings of a rule, or of a chapter with its `rules`: the names of all files, and of those missed."""

    id: str
    title: str
    files: frozenset[str]
    missed: frozenset[str]
    rules: "tuple[Score, ...]" = ()


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """The score first, the misses, the kinds of fault and the rules; the rows of the recordings behind it."""
    return render(request, "library/truth.html", {"written": _written(_changed_ns())})


@written_once
def _written(_changed_ns: int) -> str:
    """The score and the rows as HTML, the same for everybody."""
    known = table()
    every = [*known.rows, *known.mirror_rows]
    told: dict[str, Any] = {
        "parts": [_part(known.rows, "of one cluster"), _part(known.mirror_rows, MIRRORS)],
        "all": _all(every),
    }
    told |= {"misses": [_shown(row) for row in every if not row["explained"]], "kinds": kinds(every)}
    told |= {"chapters": by_chapter(every), "limits": LIMITS}
    looks = first_looks()
    told |= {
        "looks": looks,
        "first": {key: sum(getattr(look, key) for look in looks) for key in ("explained", "total")},
    }
    told |= {"engine": known.engine, "is_other_engine": known.engine != engine_sources()}
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


def by_chapter(rows: Sequence[Row]) -> list[Score]:
    """The chapters of the rule book with what was recorded of their rules. Those with a miss come first."""
    cited = [(row, rules_of(row)) for row in rows]
    found = [(chapter.title, [_of_rule(rule, cited) for rule in chapter.rules]) for chapter in chapters()]
    return sorted((_of_chapter(title, rules) for title, rules in found if any(rules)), key=_misses_first)


def rules_of(row: Row) -> frozenset[str]:
    """The ids of the rules that name a recording, and of those that decide what the engine does otherwise."""
    named = frozenset(rule.id for rule in all_rules() if row["file"] in rule.recordings)
    return named if row["explained"] else named.union(ids_in(row["why_not"]))


def _of_chapter(title: str, rules: Sequence[Score | None]) -> Score:
    scores = sorted(filter(None, rules), key=_misses_first)
    files = frozenset().union(*(score.files for score in scores))
    missed = frozenset().union(*(score.missed for score in scores))
    return Score("", title, files, missed, tuple(scores))


def _of_rule(rule: Rule, cited: Sequence[tuple[Row, frozenset[str]]]) -> Score | None:
    """The recordings of a rule; None without any."""
    rows = [row for row, rules in cited if rule.id in rules]
    missed = frozenset(row["file"] for row in rows if not row["explained"])
    return Score(rule.id, rule.title, frozenset(row["file"] for row in rows), missed) if rows else None


def _misses_first(score: Score) -> tuple[int, int]:
    return -len(score.missed), -len(score.files)


def _part(rows: Sequence[Row], subject: str) -> dict[str, Any]:
    """The score of one of the two tables, and those of its rows that are explained."""
    runs = [row["runs"] for row in rows]
    explained = sorted((row for row in rows if row["explained"]), key=lambda row: str(row["file"]))
    return {
        "subject": subject,
        "rows": [_shown(row) for row in explained],
        "explained": len(explained),
        "total": len(rows),
        "fewest": min(runs, default=0),
        "most": max(runs, default=0),
    }


def _shown(row: Row) -> tuple[Row, str, str]:
    """A row with its kinds of fault and its rules, as the page's filter reads them."""
    return row, ",".join(kinds_of(row)), " ".join(rules_of(row))


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
