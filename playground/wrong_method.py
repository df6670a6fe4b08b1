"""What an address says that is asked in the wrong way (405): Django's own answer is empty."""

from collections.abc import Awaitable, Callable

from asgiref.sync import iscoroutinefunction, sync_to_async
from django.http import HttpRequest, HttpResponseBase, HttpResponseNotAllowed, JsonResponse
from django.shortcuts import render
from django.utils.decorators import sync_and_async_middleware

BUTTON = "This address does what a button of a page asks for. Open that page and press it there."

Sync = Callable[[HttpRequest], HttpResponseBase]
Async = Callable[[HttpRequest], Awaitable[HttpResponseBase]]


@sync_and_async_middleware
def wrong_method_in_words(get_response: Sync | Async) -> Sync | Async:
    """Middleware: a page for people, an error in one sentence for programs."""
    if iscoroutinefunction(get_response):
        return _async(get_response)
    return _sync(get_response)  # type: ignore[arg-type]  # the branch above took the coroutine functions


def _async(get_response: Async) -> Async:
    async def middleware(request: HttpRequest) -> HttpResponseBase:
        response = await get_response(request)
        return await sync_to_async(_told)(request, response) if _is_empty(response) else response

    return middleware


def _sync(get_response: Sync) -> Sync:
    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        return _told(request, response) if _is_empty(response) else response

    return middleware


def _is_empty(response: HttpResponseBase) -> bool:
    return isinstance(response, HttpResponseNotAllowed) and not response.content


def _told(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    allowed = response.headers["Allow"]
    told: HttpResponseBase
    if request.method == "GET" and "text/html" in request.headers.get("Accept", "text/html"):
        told = render(request, "405.html", {"message": BUTTON}, status=405)
    else:
        told = JsonResponse({"error": f"{request.method} is not answered here. Allowed: {allowed}."}, status=405)
    told.headers["Allow"] = allowed
    return told
