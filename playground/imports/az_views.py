"""The answer on a stored cluster: what the loss of each AZ does, its lists, its runs, and the cluster as edited."""

import json
from dataclasses import dataclass
from typing import Any, Final

from asgiref.sync import sync_to_async
from django.http import HttpRequest, HttpResponse, JsonResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from playground.engine.json_lines import json_lines
from playground.engine.turns import Holder
from playground.imports import az, az_work, forms
from playground.scenarios import outside, owner, replies, store
from playground.scenarios.compare_address import compare_address
from playground.scenarios.documents import CheckedDocument
from playground.scenarios.models import Scenario, Source
from simengine.questions.az import run as az_run
from simengine.questions.az.cell import ACKS
from simengine.questions.az.site_rows import LOSS_US
from simengine.scenario import DocumentError

US = 1_000_000
MOMENT_US = az_run.KILL_US - 1_000  # the moment before, as the address can say it
SITE_MOMENT_US = LOSS_US - 1_000
SITE_CHANGE = "{site} goes dark at {seconds} s"
CELL_CHANGE = "{loss} at {seconds} s, acks={acks}"
KEPT_CHANGE = "as edited beside its answer"
BOTH: Final = "both"  # acks of a row: both of its runs
EDITS = ("racks", "controllers", "assumed", "dies", "disks", "outside")
REQUEST_BYTES_MAX: Final = 256 * 1024  # edits of the largest cluster have half of it
TOO_LONG = "The list takes too long to compute on this server. Open the run instead."
SITES_FAILED: Final = "The runs could not be computed. Open the run and lose a cluster by hand."
COMPARED_MAX: Final = 8  # runs of one cell, the newest, among which the same one is looked for


@require_safe
@ensure_csrf_cookie
@replies.of_run
async def az_page(request: HttpRequest, scenario: Scenario) -> HttpResponse:
    """The effects of losing each AZ of a stored cluster; of several clusters, of losing each cluster."""
    asker = replies.asker(request)
    found = await outside.answer(az_work.head.question(await outside.affordable(scenario, asker)), asker)
    template = "imports/sites.html" if "sites" in found else "imports/az.html"
    page: HttpResponse = await sync_to_async(render)(request, template, {"scenario": scenario, **found})
    return page


@require_safe
@replies.of_run
async def az_sites(request: HttpRequest, scenario: Scenario) -> StreamingHttpResponse:
    """The effects of losing each cluster, as lines of JSON; {error} where they break off."""
    asker = replies.asker(request)
    question = az_work.site_lines.question(await outside.affordable(scenario, asker))
    lines = json_lines(question, asker, SITES_FAILED)
    answer = StreamingHttpResponse(lines, content_type="application/x-ndjson")
    answer.headers["Cache-Control"] = "no-store"
    return answer


@require_POST
@replies.of_run
async def az_site_open(request: HttpRequest, scenario: Scenario) -> HttpResponse:
    """Open the run in which a cluster is lost, paused at the moment before; made once, then found again.

    A form: site, the name of the cluster.
    """
    site, asker = request.POST.get("site", ""), replies.asker(request)
    run = await outside.affordable(scenario, asker)
    try:
        found = await outside.answer(az_work.site_run.question(run, site), asker)
    except DocumentError as error:
        return replies.problems(error)
    if "error" in found:
        return replies.refusal(found["error"], 400)
    checked, change = CheckedDocument(**found["checked"]), SITE_CHANGE.format(site=site, seconds=LOSS_US // US)
    kept: list[Scenario] = await sync_to_async(_kept)(request, scenario, change)
    same = next((one for one in kept if one.body == checked.text), None)
    made = same or await sync_to_async(_stored)(request, scenario, checked, change, SITE_MOMENT_US)
    return made if isinstance(made, HttpResponse) else redirect(_at([made], SITE_MOMENT_US))


@dataclass(frozen=True, slots=True)
class _Asked:
    """A stored cluster with the edits that were sent; ``row``, ``pick``, ``event``: the loss, if one was named."""

    scenario: Scenario
    question: az.AzQuestion
    asker: Holder
    sent: dict[str, Any]
    row: str = ""
    pick: str = ""
    event: str = ""


async def _asked(
    request: HttpRequest, scenario: Scenario, sent: dict[str, Any], of: dict[str, Any] | None = None
) -> _Asked | HttpResponse:
    """``sent``: the edits, ``of``: what names the row. Raises DocumentError or RunTooLarge."""
    asker = replies.asker(request)
    edits = {key: sent[key] for key in EDITS if key in sent}
    question = az.AzQuestion.of(await outside.affordable(scenario, asker), edits)
    row, pick = (None, "") if of is None else (str(of.get("row", "")), str(of.get("pick") or ""))
    found = await outside.answer(az_work.checked.question(*question, row, pick), asker)
    if "error" in found:
        return JsonResponse(found, status=400)
    return _Asked(scenario, question, asker, sent, **found)


def _sent(body: bytes) -> dict[str, Any]:
    """The JSON of a request. Raises WrongRequest."""
    if len(body) > REQUEST_BYTES_MAX:
        raise forms.WrongRequest(f"The request is too long: the limit is {REQUEST_BYTES_MAX // 1024} KiB.")
    return forms.sent_map(body)


@require_http_methods(["GET", "HEAD", "POST"])
@replies.of_run
async def az_lines(request: HttpRequest, scenario: Scenario) -> HttpResponse | StreamingHttpResponse:
    """POST edits (or GET, without any) -> the answer as lines of JSON, each as soon as it is known."""
    try:
        asked = await _asked(request, scenario, _sent(request.body))
    except forms.WrongRequest as wrong:
        return replies.refusal(str(wrong), 400)
    if isinstance(asked, HttpResponse):
        return asked
    answer = StreamingHttpResponse(az.lines(asked.question, asked.asker), content_type="application/x-ndjson")
    answer.headers["Cache-Control"] = "no-store"
    return answer


@require_POST
@replies.of_run
async def az_partitions(request: HttpRequest, scenario: Scenario) -> HttpResponse:
    """POST edits and {row, pick, of, acks, cause, sort, offset, limit, format} -> partitions behind a figure or cause.

    JSON: {total, offset, rows}; with format csv the whole list as a file.
    """
    try:
        sent = _sent(request.body)
    except forms.WrongRequest as wrong:
        return replies.refusal(str(wrong), 400)
    asked = await _asked(request, scenario, sent, sent)
    if isinstance(asked, HttpResponse):
        return asked
    cells = await az.cells(asked.question, asked.row, asked.pick, asked.asker)
    if cells is None:
        return replies.refusal(TOO_LONG, 503)
    question = az_work.listed.question(*asked.question, asked.row, asked.pick, json.dumps(sent), cells)
    found = await outside.answer(question, asked.asker)
    if "csv" not in found:
        return JsonResponse(found, status=400 if "error" in found else 200)
    file = HttpResponse(found["csv"], content_type="text/csv; charset=utf-8")
    file.headers["Content-Disposition"] = 'attachment; filename="partitions.csv"'
    return file


@require_POST
@replies.of_run
async def az_open(request: HttpRequest, scenario: Scenario) -> HttpResponse:
    """Open the run of one cell, paused at the moment before the loss; made once, then found again.

    A form: row, acks (``both``: the two runs on one clock), pick, and edits as JSON.
    """
    try:
        sent = _sent(request.POST.get("edits", "").encode())
    except forms.WrongRequest as wrong:
        return replies.refusal(str(wrong), 400)
    asked = await _asked(request, scenario, sent, {key: request.POST.get(key, "") for key in ("row", "pick")})
    if isinstance(asked, HttpResponse):
        return asked
    acks = request.POST.get("acks", "")
    if acks not in (*ACKS, BOTH):
        return replies.refusal(f"There is no cell with acks={acks!r}; acks: all, 1, or {BOTH}.", 400)
    runs = [await _run_of_cell(request, asked, one) for one in (ACKS[::-1] if acks == BOTH else (acks,))]
    refused = next((run for run in runs if isinstance(run, HttpResponse)), None)
    return refused or redirect(_at([run for run in runs if isinstance(run, Scenario)], MOMENT_US))


async def _run_of_cell(request: HttpRequest, asked: _Asked, acks: str) -> Scenario | HttpResponse:
    """The stored run of a cell: one that says what it comes to, or any other where that takes too long to know."""
    cells = await az.cells(asked.question, asked.row, asked.pick, asked.asker)
    change = CELL_CHANGE.format(loss=asked.event, seconds=az_run.KILL_US // US, acks=acks)
    kept: list[Scenario] = await sync_to_async(_kept)(request, asked.scenario, change)
    bodies = [] if cells else [run.body for run in kept]
    question = az_work.run.question(*asked.question, asked.row, asked.pick, acks, cells, bodies)
    try:
        found = await outside.answer(question, asked.asker)
    except DocumentError as error:
        return replies.problems(error)
    checked = CheckedDocument(**found["checked"])
    same = [run for run in kept if run.body == checked.text] if cells else []
    if found["same"] is not None:
        same = [kept[found["same"]]]
    if same:
        return same[0]
    stored: Scenario | HttpResponse = await sync_to_async(_stored)(request, asked.scenario, checked, change, MOMENT_US)
    return stored


def _kept(request: HttpRequest, parent: Scenario, change: str) -> list[Scenario]:
    """The runs of a loss that this browser has, the newest first."""
    mine = Scenario.objects.filter(owner=owner.browser(request.session), parent=parent, deleted__isnull=True)
    return list(mine.filter(change=change).order_by("-created")[:COMPARED_MAX])


def _stored(
    request: HttpRequest, parent: Scenario, checked: CheckedDocument, change: str, moment_us: int
) -> Scenario | HttpResponse:
    made_by = owner.maker(request)
    if not replies.may_create(request, made_by.browser):
        return replies.refusal(replies.TOO_OFTEN, 429)
    try:
        return store.create(
            checked,
            by=made_by,
            origin=Source.FORK,
            parent=parent,
            cut_us=0,
            change=change,
            moment_us=moment_us,
        )
    except store.StoreFull as full:
        return replies.refusal(str(full), 409)


def _at(runs: list[Scenario], moment_us: int) -> str:
    """The address of a run at a moment, or of several on one clock."""
    ids = [run.id for run in runs]
    address = reverse("playground", args=ids) if len(ids) == 1 else compare_address(ids)
    return f"{address}#t={moment_us / US:.3f}"


@require_POST
@replies.of_run
async def az_keep(request: HttpRequest, scenario: Scenario) -> HttpResponse:
    """POST edits -> {id, url, az}: the cluster as edited, stored; without edits the same one."""
    try:
        asked = await _asked(request, scenario, _sent(request.body))
    except forms.WrongRequest as wrong:
        return replies.refusal(str(wrong), 400)
    if isinstance(asked, HttpResponse):
        return asked
    try:
        found = await outside.answer(az_work.edited.question(*asked.question), asked.asker)
    except DocumentError as error:
        return replies.problems(error)
    kept: Scenario | HttpResponse = scenario
    if found:
        kept = await sync_to_async(_stored)(request, scenario, CheckedDocument(**found["checked"]), KEPT_CHANGE, 0)
    if isinstance(kept, HttpResponse):
        return kept
    urls = {"url": reverse("playground", args=[kept.id]), "az": reverse("az", args=[kept.id])}
    return JsonResponse({"id": kept.id, **urls}, status=200 if kept is scenario else 201)
