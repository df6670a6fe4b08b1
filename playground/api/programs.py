"""Requests of programs: a token in place of a cookie, and every refusal as JSON.

A request without token and cookie is one of a stranger; what it makes belongs to the token in the answer. A browser may
ask too: a request with its cookie, or from a page (``Origin``), needs the CSRF token as every POST of a page does.
"""

import json
from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any, Final

from asgiref.sync import iscoroutinefunction, sync_to_async
from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.views.decorators.csrf import csrf_exempt, csrf_protect

from playground.api.members import unknown_member
from playground.api.parameters import unknown
from playground.scenarios import owner
from simengine.scenario import Problem

NOT_OURS: Final = "This site has not given this token. Leave the header Authorization out to get a new one."

View = Callable[..., Any]
AsyncView = Callable[..., Coroutine[Any, Any, HttpResponseBase]]


def for_programs(view: View) -> AsyncView:
    """A view of the site as one of the API."""
    called = _with_known_members(view if iscoroutinefunction(view) else sync_to_async(view))
    guarded: AsyncView = csrf_protect(called)

    @csrf_exempt
    @wraps(view)
    async def asked(request: HttpRequest, **named: Any) -> HttpResponseBase:
        token = _token(request)
        session = owner.session_of(token) if token else {}
        if session is None:
            return _told({"error": NOT_OURS}, 401)
        if stranger := unknown(request):
            return _stranger(stranger)
        is_program = bool(token) or not _is_of_browser(request)
        if is_program:
            request.session = session  # type: ignore[assignment]  # a dict: no cookie is sent for it
        answer = await (called if is_program else guarded)(request, **named)
        if answer.status_code == 302:  # to a page, where a browser goes on
            return HttpResponse(status=204)
        return _whole(answer, "" if token or not session else owner.token(session))

    return asked


def _with_known_members(called: AsyncView) -> AsyncView:
    """A view that is asked only with members of a body that are described."""

    async def asked(request: HttpRequest, **named: Any) -> HttpResponseBase:
        stranger = unknown_member(request)
        return _stranger(stranger) if stranger else await called(request, **named)

    return asked


def _stranger(problem: Problem) -> JsonResponse:
    return _told({"error": problem.message, "problems": [problem._asdict()]}, 400)


def _is_of_browser(request: HttpRequest) -> bool:
    """True if a page sent the request, or it has one of our cookies."""
    known = owner.known_browser(request.session) or request.COOKIES.get(settings.CSRF_COOKIE_NAME)
    return bool(known) or "Origin" in request.headers


def _token(request: HttpRequest) -> str:
    """The token of a request; "" without one."""
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def _whole(answer: HttpResponseBase, new_token: str) -> HttpResponseBase:
    """The answer with a new token, or with the problems that every 400 has."""
    is_made = answer.status_code == 201 and bool(new_token)
    if not isinstance(answer, JsonResponse) or not (is_made or answer.status_code == 400):
        return answer
    body = json.loads(answer.content)
    return _told(body | {"token": new_token} if is_made else {**body, "problems": _problems(body)}, answer.status_code)


def _problems(body: dict[str, Any]) -> list[dict[str, str]]:
    """The problems of a refusal; assumptions about a paste, and reasons without a place, become such."""
    found: list[dict[str, str]] = body.get("problems") or [
        Problem(f"assumed.{key}", "", sentence)._asdict() for key, sentence in body.get("refused", {}).items()
    ]
    return found or [Problem("", "", body["error"])._asdict()]


def _told(body: dict[str, Any], status: int) -> JsonResponse:
    return JsonResponse(body, status=status)
