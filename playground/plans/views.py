"""Plans for the loss of a cluster: the page, and the rows of its table as they are computed."""

import json
from typing import Final

from asgiref.sync import sync_to_async
from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import render
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_POST, require_safe

from playground.engine.json_lines import json_lines
from playground.plans import work
from playground.scenarios import outside, replies
from playground.scenarios.models import Scenario

REQUEST_BYTES_MAX: Final = 4096
FAILED: Final = "The plans could not be computed. Open the run and fail over by hand."
NOT_JSON: Final = "The request is a map of JSON: lose, to, and times in seconds."


@require_safe
@ensure_csrf_cookie
@replies.of_run
async def page(request: HttpRequest, scenario: Scenario) -> HttpResponse:
    """The plans of a stored run of several clusters."""
    asker = replies.asker(request)
    found = await outside.answer(work.head.question(await outside.affordable(scenario, asker)), asker)
    answer: HttpResponse = await sync_to_async(render)(
        request, "plans/page.html", {"scenario": scenario, "head": found}
    )
    return answer


@require_POST
@replies.of_run
async def lines(request: HttpRequest, scenario: Scenario) -> HttpResponseBase:
    """POST {lose, to, times} -> the rows of the table as lines of JSON; {error} where they break off."""
    try:
        asked = json.loads(request.body) if len(request.body) <= REQUEST_BYTES_MAX else None
    except ValueError:
        asked = None
    if not isinstance(asked, dict):
        return replies.refusal(NOT_JSON, 400)
    asker = replies.asker(request)
    question = work.lines.question(await outside.affordable(scenario, asker), json.dumps(asked, sort_keys=True))
    answer = StreamingHttpResponse(json_lines(question, asker, FAILED), content_type="application/x-ndjson")
    answer.headers["Cache-Control"] = "no-store"
    return answer
