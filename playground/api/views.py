"""The page that describes the API, its description, and the views that no page has."""

from typing import Any

from asgiref.sync import sync_to_async
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_POST, require_safe

from playground.api import work
from playground.api.description import description
from playground.api.operations import chapters
from playground.engine.questions import questions
from playground.engine.works import Work
from playground.rooms.asking import fork_words, in_words, known_browser, maker
from playground.rooms.forking import prepared_fork, stored_forks
from playground.scenarios import outside, owner, replies
from playground.scenarios import views as scenario_views
from playground.scenarios.models import Scenario
from playground.scenarios.query import microseconds
from playground.whatif import outlines, page_state
from playground.whatif.views import NO_RUN
from simengine.scenario.limits import TIME_US_MAX


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """The API in words."""
    context = {"chapters": chapters(), "site": request.build_absolute_uri("/").rstrip("/")}
    return render(request, "api.html", context)


@require_safe
def openapi(request: HttpRequest) -> JsonResponse:
    """The description of the API (OpenAPI 3.1)."""
    return JsonResponse(description())


@require_POST
@in_words
@replies.of_run
async def fork(request: HttpRequest, scenario: Scenario) -> HttpResponse:
    """POST {at_us, do, later} -> {id, url}. A program need not have played the run that far, as a page has."""
    made_by, asker = await maker(request), replies.asker(request)
    made = await prepared_fork(scenario, fork_words(request.body), asker, reached_us=TIME_US_MAX)
    (branch,) = await stored_forks([made], None, made_by)
    return scenario_views.made(branch)


@require_safe
@in_words
@replies.of_run
async def verdict(request: HttpRequest, scenario: Scenario) -> HttpResponse:
    """`?at_us=`: the verdict (``work.verdict``)."""
    return await _asked(request, scenario, work.verdict, _moment(request, "at_us"))


@require_safe
@in_words
@replies.of_run
async def figures(request: HttpRequest, scenario: Scenario) -> HttpResponse:
    """`?at_us=`: the figures (``work.figures``)."""
    return await _asked(request, scenario, work.figures, _moment(request, "at_us"))


@require_safe
@in_words
@replies.of_run
async def facts(request: HttpRequest, scenario: Scenario) -> HttpResponse:
    """`?from_us=&to_us=`: the decisive facts (``work.facts``)."""
    return await _asked(request, scenario, work.facts, microseconds(request, "from_us", 0), _moment(request, "to_us"))


async def _asked(request: HttpRequest, scenario: Scenario, of: Work[..., Any], *arguments: int | None) -> HttpResponse:
    """The answer of a work about a run."""
    known_browser(request)
    asker = replies.asker(request)
    question = of.question(await outside.affordable(scenario, asker), *arguments)
    return replies.from_service(await questions.answer(question, asker))


def _moment(request: HttpRequest, place: str) -> int | None:
    return microseconds(request, place) if place in request.GET else None


@require_safe
async def experiment(request: HttpRequest, experiment_id: str) -> HttpResponseBase:
    """The state of an experiment, without its result."""
    found = await outlines.find(experiment_id, replies.asker(request))
    state = await sync_to_async(page_state.state)(found, owner.known_browser(request.session))
    del state["result"]
    return JsonResponse(state)


@require_safe
async def result(request: HttpRequest, experiment_id: str) -> HttpResponseBase:
    """The result of an experiment so far."""
    found = await outlines.find(experiment_id, replies.asker(request))
    drawn = page_state.drawn(found)
    if drawn is None:
        raise Http404(page_state.OTHER_FORMAT if found.result else NO_RUN)
    return JsonResponse(drawn)
