"""Answers in words: errors of documents as JSON, links that lead nowhere, links that were deleted."""

import json
from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any

from asgiref.sync import sync_to_async
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import render

from playground.client_address import of_request
from playground.engine.problems import without_problems
from playground.engine.turns import Holder
from playground.for_people import is_for_people
from playground.scenarios import owner
from playground.scenarios.limits import CREATES_A_MINUTE, CREATES_AN_ADDRESS_A_MINUTE, SANDBOXES_A_MINUTE
from playground.scenarios.models import Scenario
from playground.scenarios.rates import Buckets, Rate, VisitorRates, counted
from playground.scenarios.wrong_value import WrongValue
from simengine.scenario import DocumentError, Problem

NOT_FOUND = "No scenario has this link. Check the last characters; links are case-sensitive."
GONE = "Whoever made this run has deleted it. Copies that others made of it are still there."
TOO_OFTEN = f"more than {CREATES_A_MINUTE} new runs a minute from one browser; wait a little"

TOO_MANY_VISITORS = f"more than {SANDBOXES_A_MINUTE} new visitors a minute from one address; wait a little"

_creates = VisitorRates(
    Rate(CREATES_A_MINUTE / 60, CREATES_A_MINUTE), Rate(CREATES_AN_ADDRESS_A_MINUTE / 60, CREATES_AN_ADDRESS_A_MINUTE)
)
_sandboxes = Buckets(SANDBOXES_A_MINUTE / 60, SANDBOXES_A_MINUTE)


def find(scenario_id: str) -> Scenario | None:
    """The document of a link, deleted or not; its text, of up to 4 MiB, is read by who needs it."""
    return Scenario.objects.select_related("parent").defer("body", "parent__body").filter(id=scenario_id).first()


def missing(request: HttpRequest, scenario: Scenario | None) -> HttpResponse | None:
    """The answer for a link without a document (404) or with a deleted one (410), None for a good one."""
    if scenario is None:
        return page(request, "No such link", NOT_FOUND, 404)
    if scenario.is_deleted:
        return page(request, "This run was deleted", GONE, 410)
    return None


def problems(error: DocumentError) -> JsonResponse:
    """400 with every problem: its place, the value, what is allowed, the near miss."""
    listed: list[dict[str, Any]] = [problem._asdict() for problem in error.problems]
    return JsonResponse({"error": str(error), "problems": listed}, status=400)


def wrong(value: WrongValue) -> JsonResponse:
    """400 with the place of a value, the value, and what is allowed."""
    told = Problem(value.place, value.value, str(value), value.allowed)
    return JsonResponse({"error": str(value), "problems": [told._asdict()]}, status=400)


View = Callable[..., Coroutine[Any, Any, HttpResponseBase]]


def of_run(view: View) -> View:
    """A view of a stored run, given by the id in its link; a link that leads nowhere is told so."""

    @wraps(view)
    async def found(request: HttpRequest, scenario_id: str, **named: Any) -> HttpResponseBase:
        scenario = await sync_to_async(find)(scenario_id)
        if (answer := await sync_to_async(missing)(request, scenario)) is not None:
            return answer
        return await view(request, scenario, **named)

    return found


def from_service(answer: bytes, content_type: str = "application/json") -> HttpResponse:
    """An answer of the engine service, as it came. Raises the DocumentError in it."""
    if answer.startswith(b'{"problems"'):
        without_problems(json.loads(answer))
    return HttpResponse(answer, content_type=content_type)


def refusal(message: str, status: int) -> JsonResponse:
    """An error in one sentence."""
    return JsonResponse({"error": message}, status=status)


def may_create(request: HttpRequest, browser: str) -> bool:
    """True if this browser, and its address (a client that keeps no cookie is new each time), may make one more now."""
    return _creates.take(Holder(of_request(request), browser))


def visitor(request: HttpRequest) -> Holder:
    """The visitor: an address, and the guest of an embedded run (`?guest=`), or the browser if it has a cookie."""
    browser = owner.guest(request.GET.get("guest", "")) or owner.known_browser(request.session)
    return Holder(of_request(request), browser)


def asker(request: HttpRequest) -> Holder:
    """The holder whose turn a question takes: a browser, or all newcomers of an address."""
    return counted(visitor(request))


def may_start_sandbox(address: str) -> bool:
    """True if one more visitor from this address gets a sandbox this minute."""
    return _sandboxes.take(address)


def page(request: HttpRequest, title: str, message: str, status: int) -> HttpResponse:
    """A page that says why what was asked is not there; an error in one sentence for programs."""
    if not is_for_people(request, if_anything=True):
        return refusal(message, status)
    return render(request, "scenarios/no_run.html", {"title": title, "message": message}, status=status)
