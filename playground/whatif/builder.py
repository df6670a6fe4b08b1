"""The experiment builder: the page, the preview it asks for while one edits, and Run."""

import json
from typing import Any, Final

from asgiref.sync import sync_to_async
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from playground.client_address import stored_key
from playground.engine.refusals import NotAnswered
from playground.engine.turns import Holder
from playground.scenarios import outside, owner, replies
from playground.whatif import kept, limits, work
from playground.whatif.estimate import Estimate, NotMeasured, estimate, too_long
from playground.whatif.forms import FieldProblem, must_be_text
from playground.whatif.models import Experiment
from playground.whatif.pipeline.plan import Json
from playground.whatif.ready import READY, chosen
from playground.whatif.work import PLAN, RUN, SANDBOX, Source
from simengine.scenario import DocumentError
from simengine.scenario.profiles import PROFILES

REQUEST_BYTES_MAX: Final = 256 * 1024  # a request of the builder has a few KiB
SHOWN: Final = ("problems", "baseline", "note", "title", "variants", "runs", "horizon_us")  # of a draft, in the preview


@require_safe
async def new(request: HttpRequest) -> HttpResponse:
    """The builder on the run of ?doc=, on the plan of ?from= to edit it and run again, or on the sandbox."""
    asker = replies.asker(request)
    earlier, doc_id, title, baseline = None, "", "Sandbox", ""
    source: Source = (SANDBOX, None)
    if request.GET.get("from"):
        earlier = await Experiment.objects.filter(pk=request.GET["from"]).afirst()
        if earlier is None:
            raise Http404("there is no such experiment")
        source, doc_id, title, baseline = _of(earlier), earlier.document_id, earlier.title, earlier.baseline
    elif request.GET.get("doc"):
        scenario = await sync_to_async(replies.find)(request.GET["doc"])
        if (answer := await sync_to_async(replies.missing)(request, scenario)) is not None:
            return answer
        assert scenario is not None
        source, doc_id, title = (RUN, await outside.affordable(scenario, asker)), scenario.pk, scenario.title
    found = await outside.answer(work.started.question(source, baseline), asker)
    of_run = found.pop("document_title") if earlier else title
    named = found.pop("named")
    if found["chosen"]:
        found["chosen"]["title"] = "" if title == named else title
    elif request.GET.get("ready") in READY:
        found["chosen"] = chosen(READY[request.GET["ready"]], found)
    start = {
        **found,
        "doc": doc_id,
        "from": earlier.pk if earlier else "",
        "title": title,
        "profiles": {name: profile.label for name, profile in PROFILES.items()},
        "limits": {"seeds_min": limits.SEEDS_MIN, "seeds_max": limits.SEEDS_MAX},
    }
    context = {"title": of_run or title, "doc_id": doc_id, "start": start}
    page: HttpResponse = await sync_to_async(render)(request, "whatif/new.html", context)
    return page


def _of(earlier: Experiment) -> Source:
    return PLAN, earlier.plan_text


@require_POST
async def preview(request: HttpRequest) -> JsonResponse:
    """The configurations, the actions taken away, the cost, and every problem of what the builder holds.

    With `quick` the cost, which takes a measured run, is left out.
    """
    draft, cost, problem = await _draft(request)
    answer: Json = {key: draft[key] for key in SHOWN if key in draft}
    if cost is not None:
        least, answer["seconds"], most = cost.seconds
        answer["seconds_min"], answer["seconds_max"] = least, most
        answer["learned_from"] = cost.pace.experiments
        answer["seconds_per_run"] = cost.seconds_per_run
        answer["processes"] = cost.processes
    if problem:
        answer["problems"] = [*answer["problems"], FieldProblem("cost", problem).plain]
    return JsonResponse(answer)


def _unread(problem: FieldProblem) -> Json:
    """A draft that could not be read at all."""
    return {"problems": [problem.plain], "baseline": "A", "note": ""}


async def _draft(request: HttpRequest) -> tuple[Json, Estimate | None, str]:
    """The request as the service read it (``work.drafted``), its cost, and the problem of the cost."""
    asker = replies.asker(request)
    try:
        body = _sent(request)
        source = await _source(body, asker)
        if source is None:
            return _unread(FieldProblem("doc", replies.NOT_FOUND, body.get("doc") or body.get("from"))), None, ""
        draft = await outside.answer(work.drafted.question(json.dumps(body, sort_keys=True), source), asker)
    except FieldProblem as problem:
        return _unread(problem), None, ""
    except NotAnswered as refused:
        return _unread(FieldProblem("request", str(refused))), None, ""
    except DocumentError as error:
        if body.get("from"):
            raise
        return _unread(FieldProblem("doc", str(error.problems[0]))), None, ""
    if "probe" not in draft:
        return draft, None, ""
    try:
        cost = await estimate(draft, asker)
    except NotMeasured as unmeasured:
        return draft, None, str(unmeasured)
    return draft, cost, too_long(cost)


def _sent(request: HttpRequest) -> Json:
    """The JSON that was sent. Raises FieldProblem."""
    if len(request.body) > REQUEST_BYTES_MAX:
        raise FieldProblem("request", f"The request is too long: the limit is {REQUEST_BYTES_MAX // 1024} KiB.")
    try:
        body: Any = json.loads(request.body)
    except (ValueError, RecursionError):
        body = {}
    if not isinstance(body, dict):
        body = {}
    sent: Json = body
    must_be_text(sent)
    return sent


async def _source(body: Json, asker: Holder) -> Source | None:
    """The source of the experiment; None if it does not exist. Raises RunTooLarge."""
    if body.get("from"):
        earlier = await Experiment.objects.filter(pk=str(body["from"])).afirst()
        return _of(earlier) if earlier else None
    if not body.get("doc"):
        return SANDBOX, None
    scenario = await sync_to_async(replies.find)(str(body["doc"]))
    if scenario is None or scenario.is_deleted:
        return None
    return RUN, await outside.affordable(scenario, asker)


@require_POST
async def run(request: HttpRequest) -> JsonResponse:
    """Queue the experiment -> {id, url}; 400 with the problems, 429 with the quota that is used up."""
    made_by = await sync_to_async(owner.browser)(request.session)
    address = stored_key(request)
    full = await sync_to_async(kept.quota)(made_by, address)
    if full:
        return JsonResponse({"error": full}, status=429)
    draft, cost, problem = await _draft(request)
    problems = [*draft["problems"], *([FieldProblem("cost", problem).plain] if problem else [])]
    if problems or cost is None:
        first = problems[0]["message"] if problems else "There is nothing to run."
        return JsonResponse({"error": first, "problems": problems}, status=400)
    experiment = await sync_to_async(kept.begin)(draft, cost, made_by, address, str(_sent(request).get("doc") or ""))
    url = reverse("what-if-show", args=[experiment.pk])
    return JsonResponse({"id": experiment.pk, "url": url}, status=201)
