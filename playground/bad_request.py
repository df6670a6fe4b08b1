"""Requests that no view can answer, in words: refused by Django, sent in another form, on a damaged run, too much."""

import logging

from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.request import RawPostDataException
from django.shortcuts import render
from django.utils.deprecation import MiddlewareMixin

from playground.engine.refusals import NotAnswered
from simengine.scenario import DocumentError

log = logging.getLogger(__name__)

REFUSED = (
    "This request cannot be read: it is too large (the limit is 4 MiB), badly formed, or sent under a host name that "
    "this server does not know (HIGHWATER_HOSTS names them)."
)
NOT_A_FORM = (
    "This address takes JSON or a document as its body, not a form. Send it with Content-Type: application/json."
)
TOO_LARGE = "This request has {size:,} bytes; the limit is 4 MiB. Send less: fewer topics, shorter texts."
UNREADABLE = (
    "What is stored under this link cannot be read by this version of Highwater: {first}. It is damaged, or another "
    "version made it."
)


def refused(request: HttpRequest, exception: Exception) -> HttpResponse:
    """What is answered (400) where Django refuses a request: its own answer has no words."""
    return _told(request, REFUSED, 400)


class BadRequestInWords(MiddlewareMixin):
    """Answers what a view could not: a form where JSON is taken (415), a body too large (413), a damaged run (409).

    A body that is too large is one line of the log: Django would write a traceback, for whatever a stranger sends.
    What the engine service refuses is told with the status that it names.
    """

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """The answer; None for every other failure."""
        if isinstance(exception, RawPostDataException):
            return _told(request, NOT_A_FORM, 415)
        if isinstance(exception, RequestDataTooBig):
            return _told(request, TOO_LARGE.format(size=int(request.META.get("CONTENT_LENGTH") or 0)), 413)
        if isinstance(exception, DocumentError):
            log.warning("%s: its stored document cannot be read: %s", request.path[:200], str(exception)[:300])
            return _told(request, UNREADABLE.format(first=str(exception.problems[0])[:300]), 409)
        if isinstance(exception, NotAnswered):
            return _told(request, str(exception), exception.status)
        return None


def _told(request: HttpRequest, message: str, status: int) -> HttpResponse:
    """A page for people, an error in one sentence for programs."""
    if "text/html" in request.headers.get("Accept", ""):
        return render(None, "400.html", {"message": message}, status=status)
    return JsonResponse({"error": message}, status=status)
