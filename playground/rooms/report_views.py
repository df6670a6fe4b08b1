"""The report of a run, and of runs side by side: a page that stands alone, to read, keep and print."""

from asgiref.sync import sync_to_async
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from playground.rooms import work
from playground.rooms.asking import in_words, known_browser
from playground.rooms.compare_views import TITLE, NotComparable, runs_of
from playground.scenarios import outside, replies
from playground.scenarios.models import Scenario
from playground.scenarios.query import microseconds
from playground.security import HEADER, hash_of
from simengine.report.page import STYLE

POLICY = (
    f"default-src 'none'; style-src '{hash_of(STYLE)}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


@require_safe
@in_words
@replies.of_run
async def of_run(request: HttpRequest, scenario: Scenario) -> HttpResponse:
    """`?at_us=`: the report of a run at a moment, or of the link's moment."""
    at_us = microseconds(request, "at_us", scenario.moment_us)
    return await _report(request, [scenario], at_us, reverse("playground", args=[scenario.id]))


@require_safe
@in_words
async def of_runs(request: HttpRequest, ids: str) -> HttpResponse:
    """`?at_us=`: the report of runs side by side; without it the moment at which their runs end."""
    at_us = microseconds(request, "at_us") if "at_us" in request.GET else None
    try:
        runs = await sync_to_async(runs_of)(ids)
    except NotComparable as reason:
        return replies.page(request, TITLE, str(reason), reason.status)
    return await _report(request, runs, at_us, reverse("compare", args=[ids]))


async def _report(request: HttpRequest, runs: list[Scenario], at_us: int | None, path: str) -> HttpResponse:
    known_browser(request)
    asker = replies.asker(request)
    stored = [await outside.affordable(run, asker) for run in runs]
    page = await outside.answer(work.reported.question(stored, at_us, request.build_absolute_uri(path)), asker)
    return HttpResponse(page, headers={HEADER: POLICY})
