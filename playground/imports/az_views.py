"""The answer on a stored cluster: what the loss of each AZ does, its lists, its runs, and the cluster as edited."""

import json
from dataclasses import dataclass
from typing import Any

from asgiref.sync import sync_to_async
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse, JsonResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from playground.imports import az, forms
from playground.scenarios import owner, replies, store
from playground.scenarios.models import Scenario, Source
from simengine.importers import az_edits, az_list, az_run
from simengine.importers.assumed import ASSUMED, LABELS
from simengine.importers.az_causes import running_racks
from simengine.importers.az_cell import ACKS, ANY_BROKER, ANY_TWO, Cell, Loss
from simengine.importers.az_edits import VALUES, Edits, EditsError
from simengine.importers.az_losses import loss_of
from simengine.importers.az_whys import Cause, causes_of
from simengine.importers.model import NO_LEADER
from simengine.scenario import Document, DocumentError, to_json
from simengine.scenario.action_words import clauses, node_names
from simengine.scenario.model import Caption
from simengine.verdict.sentence import plural

US = 1_000_000
MOMENT_US = az_run.KILL_US - 1_000  # the moment before, as the address can say it
CELL_CHANGE = "{loss} at {seconds} s, acks={acks}"
KEPT_CHANGE = "as edited beside its answer"
EDITS = ("racks", "controllers", "assumed", "dies", "disks")
TOO_LONG = "The list takes too long to compute on this server. Open the run instead."


@require_safe
@ensure_csrf_cookie
def az_page(request: HttpRequest, scenario_id: str) -> HttpResponse:
    """What the loss of each AZ does to a stored cluster."""
    scenario = replies.find(scenario_id)
    if (answer := replies.missing(request, scenario)) is not None:
        return answer
    assert scenario is not None
    document = store.document_of(scenario)
    context = {
        "scenario": scenario,
        "document": document,
        "head": _head(document),
        "assumed": _assumed_lines(document),
    }
    return render(request, "imports/az.html", context)


def _head(document: Document) -> str:
    """What is out in the cluster before anything happens to it; "" where all is well."""
    down = [str(broker.id) for broker in document.brokers if broker.state != "running"]
    offline = sum(state.leader == NO_LEADER for topic in document.topics for state in topic.initial.values())
    sentences: list[str] = []
    if down:
        sentences.append(
            f"Broker{'' if len(down) == 1 else 's'} {', '.join(down)} {'is' if len(down) == 1 else 'are'} down."
        )
    if offline:
        sentences.append(f"{_count(offline)} {'is' if offline == 1 else 'are'} offline already.")
    begun = az_run.begun(document)
    if begun:
        told = clauses(", ".join(str(entry.action) for entry in begun), node_names(document))
        sentences.append(f"At its start: {told}.")
    return " ".join([*sentences, "Nothing else has happened to it yet."]) if sentences else ""


def _count(partitions: int) -> str:
    return f"{partitions:,} partition{'' if partitions == 1 else 's'}"


def _assumed_lines(document: Document) -> list[str]:
    """The lines of ``about`` that an import writes there, without those that the answer has as fields."""
    _, found, lines = document.about.partition(ASSUMED)
    fields = tuple(f"{LABELS['profile' if key == 'version' else key]}: " for key in VALUES)
    return [line for line in lines.splitlines() if not line.startswith(fields)] if found else []


@dataclass(frozen=True, slots=True)
class _Asked:
    """A stored cluster with the edits that were sent. ``built``: without what was done to it, ``document``: edited."""

    scenario: Scenario
    built: Document
    edits: Edits
    document: Document
    question: az.Question
    sent: dict[str, Any]


def _asked(request: HttpRequest, scenario_id: str, sent: dict[str, Any]) -> _Asked | HttpResponse:
    scenario = replies.find(scenario_id)
    if (answer := replies.missing(request, scenario)) is not None:
        return answer
    assert scenario is not None
    built = _as_built(store.document_of(scenario))
    try:
        edits = az_edits.read(sent)
        document = az_edits.edited(built, edits)
    except EditsError as wrong:
        return JsonResponse({"error": str(wrong), "refused": wrong.refused}, status=400)
    told = json.dumps({key: sent[key] for key in EDITS if key in sent}, sort_keys=True)
    return _Asked(scenario, built, edits, document, az.Question(to_json(built).encode(), told), sent)


def _asked_in_json(request: HttpRequest, scenario_id: str) -> _Asked | HttpResponse:
    """The body is the edits, as JSON, with what else a route takes."""
    try:
        return _asked(request, scenario_id, forms.sent_map(request.body))
    except RequestDataTooBig:
        return replies.refusal("The request is too long.", 400)
    except forms.WrongRequest as wrong:
        return replies.refusal(str(wrong), 400)


def _as_built(document: Document) -> Document:
    """The cluster without anything that was done to it but what it begins with."""
    return document.cut_before(0).model_copy(update={"timeline": az_run.begun(document)})


@require_http_methods(["GET", "HEAD", "POST"])
async def az_lines(request: HttpRequest, scenario_id: str) -> HttpResponse | StreamingHttpResponse:
    """POST edits (or GET, without any) -> the answer as lines of JSON, each as soon as it is known."""
    asked = await sync_to_async(_asked_in_json)(request, scenario_id)
    if isinstance(asked, HttpResponse):
        return asked
    lines = az.lines(asked.question, replies.asker(request))
    answer = StreamingHttpResponse(lines, content_type="application/x-ndjson")
    answer.headers["Cache-Control"] = "no-store"
    return answer


@require_POST
async def az_partitions(request: HttpRequest, scenario_id: str) -> HttpResponse:
    """POST edits and {row, pick, of, acks, cause, sort, offset, limit, format} -> partitions behind a figure or cause.

    JSON: {total, offset, rows}; with format csv the whole list as a file.
    """
    asked = await sync_to_async(_asked_in_json)(request, scenario_id)
    if isinstance(asked, HttpResponse):
        return asked
    loss = _loss(asked, asked.sent)
    if isinstance(loss, HttpResponse):
        return loss
    cells = await az.cells(asked.question, loss, replies.asker(request))
    if cells is None:
        return replies.refusal(TOO_LONG, 503)
    return await sync_to_async(_list)(asked, loss, cells)


def _list(asked: _Asked, loss: Loss, cells: tuple[Cell, Cell]) -> HttpResponse:
    try:
        of = az_list.read(asked.sent)
        rows = az_list.rows(asked.document, loss, *cells, of)
    except az_list.ListError as wrong:
        return replies.refusal(str(wrong), 400)
    if asked.sent.get("format") == "csv":
        file = HttpResponse(az_list.as_csv(rows), content_type="text/csv; charset=utf-8")
        file.headers["Content-Disposition"] = 'attachment; filename="partitions.csv"'
        return file
    shown = rows[of.offset : of.offset + of.limit]
    return JsonResponse({"total": len(rows), "offset": of.offset, "rows": shown})


def _loss(asked: _Asked, sent: dict[str, Any]) -> Loss | HttpResponse:
    """The row that is asked for."""
    row, pick = str(sent.get("row", "")), str(sent.get("pick") or "")
    loss = loss_of(asked.document, row, pick, asked.edits.dies)
    if loss is not None:
        return loss
    any_of = [f"{ANY_BROKER} with a broker that runs", f"{ANY_TWO} with two AZs"]
    rows = ", ".join([*running_racks(asked.document), *any_of])
    return replies.refusal(f"There is no row {row!r} with {pick!r}. Rows: {rows}.", 400)


@require_POST
async def az_open(request: HttpRequest, scenario_id: str) -> HttpResponse:
    """Open the run of one cell, paused at the moment before the loss; made once, then found again.

    A form: row, acks, pick, and edits as JSON.
    """
    asked = await sync_to_async(_asked_in_form)(request, scenario_id)
    if isinstance(asked, HttpResponse):
        return asked
    acks = request.POST.get("acks", "")
    loss = _loss(asked, {"row": request.POST.get("row"), "pick": request.POST.get("pick")})
    if isinstance(loss, HttpResponse):
        return loss
    if acks not in ACKS:
        return replies.refusal(f"There is no cell with acks={acks!r}; acks: all, 1.", 400)
    cells = await az.cells(asked.question, loss, replies.asker(request))
    run = await sync_to_async(_run_of_cell)(request, asked, loss, acks, _told(loss, cells, acks))
    return run if isinstance(run, HttpResponse) else redirect(_moment_before(run))


def _asked_in_form(request: HttpRequest, scenario_id: str) -> _Asked | HttpResponse:
    try:
        return _asked(request, scenario_id, forms.sent_map(request.POST.get("edits", "").encode()))
    except forms.WrongRequest as wrong:
        return replies.refusal(str(wrong), 400)


def _told(loss: Loss, cells: tuple[Cell, Cell] | None, acks: str) -> str:
    """What a cell comes to: the verdict at the end of its run, and the causes; "" where that takes too long."""
    if cells is None:
        return ""
    outcome = cells[ACKS.index(acks)].outcome
    causes = [_in_words(cause) for cause in causes_of(loss, *cells)]
    return " ".join([outcome, *causes])


def _in_words(cause: Cause) -> str:
    many = plural(len(cause.parts), "partition", "partitions")
    return f"{cause.title} ({cause.note})." if cause.is_internal else f"{many}: {cause.title} ({cause.note})."


def _run_of_cell(request: HttpRequest, asked: _Asked, loss: Loss, acks: str, told: str) -> Scenario | HttpResponse:
    """The stored run; ``told``: what it comes to, "" where that is not known."""
    made_by = owner.browser(request.session)
    change = CELL_CHANGE.format(loss=loss.event, seconds=az_run.KILL_US // US, acks=acks)
    run = az_run.cell_document(asked.document, loss, acks)
    if told:
        outcome = Caption.model_construct(at_us=run.until_us, text=told, kind="outcome")
        run = run.model_copy(update={"captions": [outcome]})
    for kept in Scenario.objects.filter(owner=made_by, parent=asked.scenario, change=change, deleted__isnull=True):
        if _is_same(kept, run, has_outcome=bool(told)):
            return kept
    return _stored(request, asked, run, change, MOMENT_US)


def _is_same(kept: Scenario, run: Document, *, has_outcome: bool) -> bool:
    """Whether a run made earlier is this one; where its outcome is not known, whatever the other says of it."""
    if has_outcome:
        return kept.body == to_json(run)
    body = json.loads(kept.body)
    body.pop("captions", None)
    return bool(body == json.loads(to_json(run)))


def _stored(
    request: HttpRequest, asked: _Asked, document: Document, change: str, moment_us: int
) -> Scenario | HttpResponse:
    made_by = owner.maker(request)
    if not replies.may_create(request, made_by.browser):
        return replies.refusal(replies.TOO_OFTEN, 429)
    try:
        return store.create(
            document,
            by=made_by,
            origin=Source.FORK,
            parent=asked.scenario,
            cut_us=0,
            change=change,
            moment_us=moment_us,
        )
    except DocumentError as error:
        return replies.problems(error)
    except store.StoreFull as full:
        return replies.refusal(str(full), 409)


def _moment_before(run: Scenario) -> str:
    return f"{reverse('playground', args=[run.id])}#t={MOMENT_US / US:.3f}"


@require_POST
def az_keep(request: HttpRequest, scenario_id: str) -> HttpResponse:
    """POST edits -> {id, url, az}: the cluster as edited, stored; without edits the same one."""
    asked = _asked_in_json(request, scenario_id)
    if isinstance(asked, HttpResponse):
        return asked
    kept: Scenario | HttpResponse = asked.scenario
    if asked.document != asked.built:
        kept = _stored(request, asked, asked.document, KEPT_CHANGE, 0)
    if isinstance(kept, HttpResponse):
        return kept
    urls = {"url": reverse("playground", args=[kept.id]), "az": reverse("az", args=[kept.id])}
    return JsonResponse({"id": kept.id, **urls}, status=200 if kept is asked.scenario else 201)
