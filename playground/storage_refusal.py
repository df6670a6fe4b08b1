"""The response (503) when the database or the disk fails: the reason in words, and that nothing was stored.

Views write inside transactions, or a single row: a failure leaves nothing behind.
"""

import logging

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.deprecation import MiddlewareMixin

from playground.for_people import is_for_people
from playground.storage_trouble import NOTHING_STORED, trouble_of

log = logging.getLogger(__name__)

STATUS = 503
RETRY_SECONDS = 30


class StorageRefusalInWords(MiddlewareMixin):
    """A page for people, an error in one sentence for programs."""

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """The answer for a failure of the database or the disk; None leaves any other error to Django."""
        if (sentence := trouble_of(error)) is None:
            return None
        log.error("%s %s: %s", request.method, request.path, sentence, exc_info=error)
        told = f"{sentence} {NOTHING_STORED}" if request.method not in ("GET", "HEAD") else sentence
        answer: HttpResponse
        if is_for_people(request):
            answer = render(request, "503.html", {"message": told}, status=STATUS)
        else:
            answer = JsonResponse({"error": told}, status=STATUS)
        answer.headers["Retry-After"] = str(RETRY_SECONDS)
        return answer
