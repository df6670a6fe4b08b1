"""The import page, its live preview, and building the cluster."""

import json

from asgiref.sync import sync_to_async
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_POST, require_safe

from playground.engine.questions import questions
from playground.engine.refusals import NotAnswered
from playground.engine.works import Work
from playground.imports import work
from playground.scenarios import outside, owner, replies, store
from playground.scenarios import views as scenario_views
from playground.scenarios.compare_address import SEPARATOR, compare_address
from playground.scenarios.documents import CheckedDocument, Plain
from playground.scenarios.models import Source
from simengine.scenario import DocumentError


@require_safe
@ensure_csrf_cookie
def page(request: HttpRequest) -> HttpResponse:
    """The paste dialog as a page. A visitor is known from here on: what he pastes is counted as his."""
    owner.browser(request.session)
    questions.warm()
    return render(request, "imports/import.html")


@require_POST
async def live_preview(request: HttpRequest) -> HttpResponse:
    """POST {text, assumed, racks, controllers} -> what is read of it. Nothing is stored.

    400 for assumptions that are out of range: {error, refused: {key: sentence}, told}, where `told` is the preview by
    all the others.
    """
    return await _found(request, work.preview_of, "preview")


@require_POST
async def mirrors_preview(request: HttpRequest) -> HttpResponse:
    """POST {sites: [{name, text, …}], between_ms, mirrors} -> what is read of MirrorMaker's configuration.

    Nothing is stored. The flows that the document cannot have, and the lines that could not be read, have reasons.
    """
    return await _found(request, work.mirrors_of, "told")


async def _found(request: HttpRequest, of: Work[[bytes], Plain], key: str) -> HttpResponse:
    """The answer under a key that the work gives; 400 with the whole answer where it gives an error."""
    try:
        found = json.loads(await questions.answer(of.question(request.body), replies.asker(request)))
    except NotAnswered as refused:
        return replies.refusal(str(refused), refused.status)
    return JsonResponse(found[key]) if key in found else JsonResponse(found, status=400)


@require_POST
async def build_cluster(request: HttpRequest) -> HttpResponse:
    """POST {text, assumed, racks, controllers} -> {id, url}: of the cluster that is built, or of the document.

    Several documents are stored as runs side by side: the id is that of their comparison.

    Or POST {sites: [{name, text, …}], between_ms, mirrors} -> of the clusters that are built as one document, with the
    flows of MirrorMaker's configuration.
    """
    made_by = await sync_to_async(owner.maker)(request)
    if not replies.may_create(request, made_by.browser):
        return replies.refusal(replies.TOO_OFTEN, 429)
    try:
        found = await outside.answer(work.built_of.question(request.body), replies.asker(request))
        if "error" in found:
            return JsonResponse(found, status=400)
        origin = Source.UPLOAD if found["is_document"] else Source.IMPORT
        checked = [CheckedDocument(**one) for one in found["checked"]]
        first, *more = [await sync_to_async(store.create)(one, by=made_by, origin=origin) for one in checked]
    except NotAnswered as refused:
        return replies.refusal(str(refused), refused.status)
    except DocumentError as error:
        return replies.problems(error)
    except store.StoreFull as full:
        return replies.refusal(str(full), 409)
    if more:
        ids = [run.id for run in (first, *more)]
        return JsonResponse({"id": SEPARATOR.join(ids), "url": compare_address(ids)}, status=201)
    if found["is_document"] or found["sites"] > 1:
        return scenario_views.made(first)
    return JsonResponse({"id": first.id, "url": reverse("az", args=[first.id])}, status=201)
