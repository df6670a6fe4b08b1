"""The response (403) to a request without the token that Highwater gives each browser."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

from playground.for_people import is_for_people

REFUSED = (
    "This was asked without the token that Highwater gives each browser, so it may have come from another site. "
    "Open a page of Highwater first, keep its cookies, and send the value of the cookie csrftoken as the header "
    "X-CSRFToken. A program sends no cookies: see /api."
)


def refused(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A page for people who pressed a button, an error in one sentence for programs; never what Django found."""
    if is_for_people(request):
        return render(request, "403_csrf.html", status=403)
    return JsonResponse({"error": REFUSED}, status=403)
