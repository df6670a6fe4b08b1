"""Requests that no view can answer, in words: refused by Django, sent in another form, on a damaged run, too much."""

import logging

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.request import RawPostDataException
from django.shortcuts import render
from django.urls import Resolver404
from django.utils.deprecation import MiddlewareMixin
from django.views.defaults import page_not_found

from playground.body_limit import REFUSAL
from playground.engine.refusals import NotAnswered
from playground.for_people import is_for_people
from playground.scenarios.cost import RunTooLarge
from simengine.scenario import DocumentError

log = logging.getLogger(__name__)

REFUSED = (
    "This request cannot be read: it is too large (the limit is 4 MiB), badly formed, or sent under a host name that "
    "this server does not know (HIGHWATER_HOSTS names them)."
)
NO_ADDRESS = "Nothing is at this address. The API is described at /api."
NOT_A_FORM = (
    "This address takes JSON or a document as its body, not a form. Send it with Content-Type: application/json."
)
UNREADABLE = (
    "What is stored under this link cannot be read by this version of Highwater: {first}. It is damaged, or another "
    "version made it."
)


def refused(request: HttpRequest, exception: Exception) -> HttpResponse:
    """The response (400) to a request that Django refuses: Django's own response has no words."""
    return _told(request, REFUSED, 400)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """The response (404) to an address that is none, or leads nowhere: a page for people, a sentence for programs."""
    if is_for_people(request, if_anything=True):
        return page_not_found(request, exception)
    reason = NO_ADDRESS if isinstance(exception, Resolver404) else str(exception)
    return JsonResponse({"error": reason}, status=404)


class BadRequestInWords(MiddlewareMixin):
    """Answers what a view could not: a form where JSON is taken (415), a damaged run (409), a run or a body too large.

    What the engine service refuses is told with the status that it names; a run that costs too much, with 413.
    """

    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        """The answer to a request whose body was not read; None for every other."""
        refusal = getattr(request, "scope", {}).get(REFUSAL)
        if refusal is None:
            return None
        answer = _told(request, refusal.sentence, refusal.status)
        answer.headers["Content-Length"] = str(len(answer.content))  # it is whole for the client before the end
        return answer

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """The answer; None for every other failure."""
        if isinstance(exception, RawPostDataException):
            return _told(request, NOT_A_FORM, 415)
        if isinstance(exception, DocumentError):
            log.warning("%s: its stored document cannot be read: %s", request.path[:200], str(exception)[:300])
            return _told(request, UNREADABLE.format(first=str(exception.problems[0])[:300]), 409)
        if isinstance(exception, NotAnswered):
            return _told(request, str(exception), exception.status)
        if isinstance(exception, RunTooLarge):
            return _told(request, str(exception), 413)
        return None


def _told(request: HttpRequest, message: str, status: int) -> HttpResponse:
    """A page for people, an error in one sentence for programs."""
    if is_for_people(request):
        return render(None, "400.html", {"message": message}, status=status)
    return JsonResponse({"error": message}, status=status)
