"""The page "How true is this?": every recording of a real cluster, explained by the engine or not."""

import json
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET, require_POST

from playground.library.opening import open_as_run

TABLE: Final = Path(__file__).parent / "conformance.json"  # written by `make conform`
Row = dict[str, Any]


@require_GET
def page(request: HttpRequest) -> HttpResponse:
    """The table, the unexplained ones first."""
    rows = sorted(table(), key=lambda row: (row["explained"], row["file"]))
    explained = sum(row["explained"] for row in rows)
    return render(request, "library/truth.html", {"rows": rows, "explained": explained, "total": len(rows)})


@require_POST
def open_script(request: HttpRequest, file: str) -> HttpResponse:
    """Open the script of a recording in the playground, as a run of this browser."""
    row = next((row for row in table() if row["file"] == file), None)
    if row is None:
        raise Http404(f"there is no recording {file}")
    return open_as_run(request, row["document"])


def table() -> list[Row]:
    """The rows as `make conform` wrote them; none where it has not run."""
    return _read(TABLE.stat().st_mtime_ns) if TABLE.exists() else []


@lru_cache(maxsize=1)
def _read(_changed_ns: int) -> list[Row]:
    rows: list[Row] = json.loads(TABLE.read_text(encoding="utf-8"))
    return rows
