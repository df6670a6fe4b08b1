"""The import page, its live preview, building the cluster, and the table of what each AZ's loss does."""

import json
from dataclasses import dataclass

from asgiref.sync import sync_to_async
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse, JsonResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_POST, require_safe

from playground.imports import az, document_text, forms
from playground.imports.preview import imported, preview, without_refused
from playground.scenarios import owner, replies, store
from playground.scenarios import views as scenario_views
from playground.scenarios.models import Scenario, Source
from simengine.importers import az_table
from simengine.importers.assumed import ASSUMED, AssumedError
from simengine.importers.az_causes import running_racks
from simengine.importers.az_cell import ACKS, ANY_BROKER, Loss
from simengine.importers.model import NO_LEADER
from simengine.importers.report import report
from simengine.scenario import Document, DocumentError, to_json
from simengine.scenario.action_words import clauses, node_names
from simengine.scenario.model import Caption

US = 1_000_000
MOMENT_US = az_table.KILL_US - 1_000  # the moment before, as the address can say it
CELL_CHANGE = "{loss} at {seconds} s, acks={acks}"


@require_safe
@ensure_csrf_cookie
def page(request: HttpRequest) -> HttpResponse:
    """The paste dialog as a page."""
    return render(request, "imports/import.html")


def _pasted(request: HttpRequest) -> forms.Pasted:
    """What the page sent. Raises WrongRequest, also where Django refuses a body for its size."""
    try:
        return forms.read(request.body)
    except RequestDataTooBig:
        raise forms.WrongRequest("The text is too long: the limit is 4 MiB. Paste fewer topics.") from None


@require_POST
def live_preview(request: HttpRequest) -> HttpResponse:
    """POST {text, assumed, racks} -> what is read of it. Nothing is stored.

    400 for assumptions that are out of range: {error, refused: {key: sentence}, told}, where `told` is the preview by
    all the others.
    """
    try:
        pasted = _pasted(request)
    except forms.WrongRequest as wrong:
        return replies.refusal(str(wrong), 400)
    if document_text.is_document(pasted.text):
        return JsonResponse(document_text.preview(pasted.text))
    try:
        return JsonResponse(preview(pasted))
    except AssumedError as wrong:
        told = without_refused(pasted, wrong)
        return JsonResponse({"error": str(wrong), "refused": wrong.refused, "told": told}, status=400)


@require_POST
def build_cluster(request: HttpRequest) -> HttpResponse:
    """POST {text, assumed, racks} -> {id, url}: of the cluster that is built, or of the document that the text is."""
    made_by = owner.browser(request.session)
    if not replies.may_create(request, made_by):
        return replies.refusal(replies.TOO_OFTEN, 429)
    try:
        pasted = _pasted(request)
        if document_text.is_document(pasted.text):
            return scenario_views.made(store.create(pasted.text.encode(), owner=made_by, origin=Source.UPLOAD))
        reading, built = imported(pasted)
        if built is None:
            return replies.refusal(str(report(reading)["reason"]), 400)
        scenario = store.create(built.document, owner=made_by, origin=Source.IMPORT)
    except forms.WrongRequest as wrong:
        return replies.refusal(str(wrong), 400)
    except AssumedError as wrong:
        return JsonResponse({"error": str(wrong), "refused": wrong.refused}, status=400)
    except DocumentError as error:
        return replies.problems(error)
    except store.StoreFull as full:
        return replies.refusal(str(full), 409)
    return JsonResponse({"id": scenario.id, "url": reverse("az", args=[scenario.id])}, status=201)


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
    """The cluster in a sentence, and what is out in it before anything happens."""
    partitions = sum(len(topic.assignment) for topic in document.topics)
    down = [str(broker.id) for broker in document.brokers if broker.state != "running"]
    offline = sum(state.leader == NO_LEADER for topic in document.topics for state in topic.initial.values())
    parts = [_count(partitions), f"Kafka {document.profile}"]
    if down:
        parts.append(f"broker{'' if len(down) == 1 else 's'} {', '.join(down)} down")
    sentences = [f"{', '.join(parts)}."]
    if offline:
        sentences.append(f"{_count(offline)} {'is' if offline == 1 else 'are'} offline already.")
    begun = az_table.begun(document)
    if begun:
        told = clauses(", ".join(str(entry.action) for entry in begun), node_names(document))
        sentences.append(f"At its start: {told}.")
    sentences.append(f"Nothing {'else ' if down or offline or begun else ''}has happened to it yet.")
    return " ".join(sentences)


def _count(partitions: int) -> str:
    return f"{partitions:,} partition{'' if partitions == 1 else 's'}"


def _assumed_lines(document: Document) -> list[str]:
    """The lines of ``about`` that an import writes there."""
    _, found, lines = document.about.partition(ASSUMED)
    return lines.splitlines() if found else []


@require_safe
async def az_lines(request: HttpRequest, scenario_id: str) -> HttpResponse | StreamingHttpResponse:
    """The AZ table as lines of JSON: the outline, each cell as soon as it has run, the sentence."""
    scenario = await sync_to_async(replies.find)(scenario_id)
    if scenario is None or scenario.is_deleted:
        return replies.refusal(replies.NOT_FOUND, 404)
    document = await sync_to_async(_document_json)(scenario)
    answer = StreamingHttpResponse(az.lines(scenario.id, document), content_type="application/x-ndjson")
    answer.headers["Cache-Control"] = "no-store"
    return answer


def _document_json(scenario: Scenario) -> bytes:
    return _as_built(store.document_of(scenario))


def _as_built(document: Document) -> bytes:
    """The cluster without anything that was done to it but what it begins with."""
    built = document.cut_before(0)
    return to_json(built.model_copy(update={"timeline": az_table.begun(document)})).encode()


@require_POST
async def az_open(request: HttpRequest, scenario_id: str) -> HttpResponse:
    """Open the run of one cell, paused at the moment before the loss; made once, then found again."""
    asked = await sync_to_async(_asked_cell)(request, scenario_id)
    if isinstance(asked, HttpResponse):
        return asked
    told = await az.told(scenario_id, _as_built(asked.document), asked.loss, asked.acks)
    run = await sync_to_async(_run_of_cell)(request, asked, told)
    return run if isinstance(run, HttpResponse) else redirect(_moment_before(run))


@dataclass(frozen=True, slots=True)
class _Asked:
    """A cell that somebody opens, and of which cluster it is."""

    scenario: Scenario
    document: Document
    loss: Loss
    acks: str


def _asked_cell(request: HttpRequest, scenario_id: str) -> _Asked | HttpResponse:
    scenario = replies.find(scenario_id)
    if (answer := replies.missing(request, scenario)) is not None:
        return answer
    assert scenario is not None
    document = store.document_of(scenario)
    row, acks, broker = (request.POST.get(name, "") for name in ("row", "acks", "broker"))
    loss = az_table.loss_of(document, row, int(broker) if broker.isascii() and broker.isdigit() else None)
    if loss is None or acks not in ACKS:
        rows = ", ".join([*running_racks(document), f"{ANY_BROKER} with a broker that runs"])
        return replies.refusal(f"There is no cell {row!r} x {acks!r}. Rows: {rows}; acks: all, 1.", 400)
    return _Asked(scenario, document, loss, acks)


def _run_of_cell(request: HttpRequest, asked: _Asked, told: str) -> Scenario | HttpResponse:
    """The stored run; ``told``: what it comes to, "" where that is not known."""
    made_by = owner.browser(request.session)
    change = CELL_CHANGE.format(loss=asked.loss.event, seconds=az_table.KILL_US // US, acks=asked.acks)
    run = az_table.cell_document(asked.document, asked.loss, asked.acks)
    if told:
        outcome = Caption.model_construct(at_us=az_table.HORIZON_US, text=told, kind="outcome")
        run = run.model_copy(update={"captions": [outcome]})
    for kept in Scenario.objects.filter(owner=made_by, parent=asked.scenario, change=change, deleted__isnull=True):
        if not told or _tells(kept, told):
            return kept
    if not replies.may_create(request, made_by):
        return replies.refusal(replies.TOO_OFTEN, 429)
    try:
        return store.create(
            run,
            owner=made_by,
            origin=Source.FORK,
            parent=asked.scenario,
            cut_us=0,
            change=change,
            moment_us=MOMENT_US,
        )
    except DocumentError as error:
        return replies.problems(error)
    except store.StoreFull as full:
        return replies.refusal(str(full), 409)


def _tells(run: Scenario, told: str) -> bool:
    """Whether a run made earlier says of its end what the table says today."""
    return any(caption["text"] == told for caption in json.loads(run.body).get("captions", []))


def _moment_before(run: Scenario) -> str:
    return f"{reverse('playground', args=[run.id])}#t={MOMENT_US / US:.3f}"
