"""The response (405) of an address to a wrong method: Django's own response is empty."""

from django.http import HttpRequest, HttpResponseBase, HttpResponseNotAllowed, JsonResponse
from django.shortcuts import render
from django.utils.deprecation import MiddlewareMixin

from playground.for_people import is_for_people

BUTTON = "This address does what a button of a page asks for. Open that page and press it there."


class WrongMethodInWords(MiddlewareMixin):
    """A page for people, an error in one sentence for programs."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if not isinstance(response, HttpResponseNotAllowed) or response.content:
            return response
        allowed = response.headers["Allow"]
        told: HttpResponseBase
        if request.method == "GET" and is_for_people(request, if_anything=True):
            told = render(request, "405.html", {"message": BUTTON}, status=405)
        else:
            told = JsonResponse({"error": f"{request.method} is not answered here. Allowed: {allowed}."}, status=405)
        told.headers["Allow"] = allowed
        return told
