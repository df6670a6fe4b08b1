"""Tells requests of people, which are answered with pages, from those of programs, which are answered with JSON."""

from typing import Final

from django.http import HttpRequest

API: Final = "/api/"


def is_for_people(request: HttpRequest, *, if_anything: bool = False) -> bool:
    """True if the request asks for a page.

    ``if_anything``: also where it takes anything, as a program without an Accept header does. Under API it never does.
    """
    if request.path.startswith(API):
        return False
    accepted = request.headers.get("Accept", "*/*")
    return "text/html" in accepted or (if_anything and "*/*" in accepted)
