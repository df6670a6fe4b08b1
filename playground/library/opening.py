"""Opening a document of the library in the playground, as a run of this browser."""

from collections.abc import Sequence
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from playground.scenarios import owner, replies, store
from playground.scenarios.compare_address import compare_address
from playground.scenarios.documents import CheckedDocument, read
from playground.scenarios.documents import Source as DocumentSource
from playground.scenarios.models import Scenario, Source
from simengine.scenario import DocumentError
from simengine.scenario.verb import FAULT
from simengine.scenario.verbs import with_trait

FAULTS: Final = with_trait(FAULT)
BEFORE_FAULT_US: Final = 1_000_000


def open_as_run(request: HttpRequest, document: DocumentSource) -> HttpResponse:
    """Store the document as a run and go there, or say why not."""
    made = opened(request, document)
    return redirect("playground", made.id) if isinstance(made, Scenario) else made


def open_both(request: HttpRequest, documents: Sequence[DocumentSource]) -> HttpResponse:
    """Store the documents as runs and show them on one clock shortly before the first fault, or say why not."""
    made = opened_both(request, documents)
    return redirect(f"{made}#t={start_us(documents[0]) / 1e6:.3f}") if isinstance(made, str) else made


def start_us(document: DocumentSource) -> int:
    """A second before the first fault of the timeline, else before its first action, us; 0 without one."""
    timeline = read(document).timeline
    faults = [entry for entry in timeline if entry.action.verb in FAULTS] or timeline
    return max(0, min((entry.at_us for entry in faults), default=0) - BEFORE_FAULT_US)


def opened_both(
    request: HttpRequest, documents: Sequence[DocumentSource | CheckedDocument], origin: Source = Source.LIBRARY
) -> str | HttpResponse:
    """The address of the documents on one clock, each stored as a run; the refusal where one cannot be stored."""
    made: list[Scenario] = []
    for document in documents:
        run = opened(request, document, origin)
        if isinstance(run, HttpResponse):
            return run
        made.append(run)
    return compare_address(run.id for run in made)


def opened(
    request: HttpRequest, document: DocumentSource | CheckedDocument, origin: Source = Source.LIBRARY
) -> Scenario | HttpResponse:
    """The document as a run of this browser; the refusal where it cannot be stored."""
    made_by = owner.maker(request)
    if not replies.may_create(request, made_by.browser):
        return replies.refusal(replies.TOO_OFTEN, 429)
    try:
        return store.create(document, by=made_by, origin=origin)
    except DocumentError as error:
        return replies.problems(error)
    except store.StoreFull as full:
        return replies.refusal(str(full), 409)
