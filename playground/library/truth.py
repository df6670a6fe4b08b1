"""The page "How true is this?": every recording of a real cluster, explained by the engine or not."""

import json
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.views.decorators.http import require_POST, require_safe

from playground.library.opening import open_as_run
from playground.library.written_once import written_once
from simengine.form import engine_sources
from simengine.recordings import tolerances

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
    told |= {"engine": known.engine, "is_other_engine": known.engine != engine_sources(), "limits": LIMITS}
    return render_to_string("library/truth_written.html", told)


def _part(rows: Sequence[Row], subject: str) -> dict[str, Any]:
    """One of the page's tables: its rows, the unexplained ones first, and its score."""
    runs = [row["runs"] for row in rows]
    return {
        "subject": subject,
        "rows": sorted(rows, key=lambda row: (row["explained"], row["file"])),
        "explained": sum(row["explained"] for row in rows),
        "total": len(rows),
        "fewest": min(runs, default=0),
        "most": max(runs, default=0),
    }


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
