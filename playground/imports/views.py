"""The import page, its live preview, and building the cluster."""

from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_POST, require_safe

from playground.imports import document_text, forms
from playground.imports.preview import imported, preview, without_refused
from playground.scenarios import owner, replies, store
from playground.scenarios import views as scenario_views
from playground.scenarios.models import Source
from simengine.importers.assumed import AssumedError
from simengine.importers.report import report
from simengine.scenario import DocumentError


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
    """POST {text, assumed, racks, controllers} -> what is read of it. Nothing is stored.

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
    """POST {text, assumed, racks, controllers} -> {id, url}: of the cluster that is built, or of the document."""
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
