"""The experiment builder: the page, the preview it asks for while one edits, and Run."""

import json
import logging
from typing import Any

from django.db import DatabaseError, transaction
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from playground.client_address import stored_key
from playground.scenarios import owner, replies, store
from playground.scenarios.documents import seconds
from playground.scenarios.engine_version import engine_version
from playground.scenarios.models import Scenario
from playground.whatif import limits, queue
from playground.whatif.estimate import Estimate, NotMeasured, estimate, too_long
from playground.whatif.forms import Draft, FieldProblem, largest_rf, must_be_text, racks, read
from playground.whatif.models import ACTIVE, FINAL, Experiment, State
from playground.whatif.pipeline import axes
from playground.whatif.pipeline.plan import Json, Plan
from playground.whatif.pipeline.shards import remove, seeds_per_shard
from simengine.importers.az_causes import heaviest_rack
from simengine.scenario import DocumentError, load, to_plain
from simengine.scenario.action_words import clauses, node_names
from simengine.scenario.builtin import builtin
from simengine.scenario.durations import format_duration, parse_duration
from simengine.scenario.profiles import PROFILES

log = logging.getLogger(__name__)


@require_safe
def new(request: HttpRequest) -> HttpResponse:
    """The builder on the run of ?doc=, on the plan of ?from= to edit it and run again, or on the sandbox."""
    earlier = None
    if request.GET.get("from"):
        earlier = get_object_or_404(Experiment, pk=request.GET["from"])
        document, doc_id, title = earlier.plan.document, earlier.document_id, earlier.title
    elif request.GET.get("doc"):
        scenario = replies.find(request.GET["doc"])
        if (answer := replies.missing(request, scenario)) is not None:
            return answer
        assert scenario is not None
        document, doc_id, title = to_plain(store.document_of(scenario)), scenario.pk, scenario.title
    else:
        document, doc_id, title = to_plain(builtin("sandbox")), "", "Sandbox"
    of_run = str(document.get("title", "")).strip() if earlier else title
    context = {"title": of_run or title, "doc_id": doc_id, "start": _start(document, doc_id, title, earlier)}
    return render(request, "whatif/new.html", context)


def _start(document: Json, doc_id: str, title: str, earlier: Experiment | None) -> Json:
    """What the builder's module needs to draw itself."""
    topics = [topic["name"] for topic in document.get("topics") or []]
    return {
        "doc": doc_id,
        "from": earlier.pk if earlier else "",
        "title": title,
        "topics": topics,
        "racks": sorted(racks(document)),
        "rack": heaviest_rack(load(document)),
        "largest_rf": largest_rf(document, topics),
        "profiles": {name: profile.label for name, profile in PROFILES.items()},
        "horizon": _horizon(document),
        "latency": format_duration(load(document).network.latency_us),
        "first_seed": earlier.plan.first_seed if earlier else 1,
        "fresh_seed": _fresh_seed(earlier),
        "limits": {"seeds_min": limits.SEEDS_MIN, "seeds_max": limits.SEEDS_MAX},
        "chosen": _chosen(earlier),
    }


def _fresh_seed(earlier: Experiment | None) -> int | None:
    """The first seed after those of an earlier experiment: the same seeds again would only repeat it."""
    return earlier.plan.first_seed + earlier.plan.seeds if earlier else None


def _horizon(document: Json) -> str:
    """How long a run is unless somebody says otherwise: as long as the document, within the limits."""
    until_us = parse_duration(document["until"])
    return format_duration(min(max(until_us, limits.HORIZON_US_MIN), limits.HORIZON_US_MAX))


def _chosen(earlier: Experiment | None) -> Json | None:
    """The fields of an earlier experiment, for editing."""
    if earlier is None:
        return None
    plan = earlier.plan
    values: dict[str, list[Any]] = {}
    for variant in plan.variants:
        for settings in (variant.settings, *variant.also):
            for name, value in settings.items():
                known = values.setdefault(name, [])
                if value not in known:
                    known.append(value)
    return {
        "axes": values,
        "topics": list(plan.topics),
        "seeds": plan.seeds,
        "horizon": format_duration(plan.horizon_us),
        "baseline": plan.variant(earlier.baseline).settings,
        "title": earlier.title,
    }


@require_POST
def preview(request: HttpRequest) -> JsonResponse:
    """The configurations, the actions taken away, the cost, and every problem of what the builder holds.

    With `quick` the cost is left out, which takes a measured run.
    """
    draft, cost, problem = _draft(request)
    answer: Json = {"problems": draft.problems, "baseline": draft.baseline, "note": draft.note}
    if draft.plan is not None:
        answer["variants"] = [_described(draft.plan, i) for i in range(len(draft.plan.variants))]
        answer["runs"] = draft.plan.runs
        answer["horizon_us"] = draft.plan.horizon_us
    if cost is not None:
        answer["seconds"], answer["seconds_max"] = cost.seconds, cost.seconds_max
        answer["learned_from"] = cost.pace.experiments
        answer["seconds_per_run"] = cost.seconds_per_run
        answer["processes"] = cost.processes
    if problem:
        answer["problems"] = [*draft.problems, {"field": "cost", "message": problem}]
    return JsonResponse(answer)


def _described(plan: Plan, number: int) -> Json:
    variant = plan.variants[number]
    name, detail = axes.words(plan, variant)
    called = node_names(load(plan.document))
    gone = [f"{seconds(axes.at_us(e))} {clauses(str(e['do']), called)}" for e in axes.removed(plan, variant)]
    return {
        "letter": variant.letter,
        "name": name,
        "detail": detail,
        "settings": [variant.settings, *variant.also],
        "also": axes.also_words(variant),
        "as_in_run": variant.is_as_in_run,
        "removed": gone,
    }


def _draft(request: HttpRequest) -> tuple[Draft, Estimate | None, str]:
    """What was sent, its cost, and the problem of the cost."""
    try:
        body, document = _body(request)
    except FieldProblem as problem:
        return Draft(problems=[{"field": problem.where, "message": str(problem)}]), None, ""
    if document is None:
        return Draft(problems=[{"field": "doc", "message": replies.NOT_FOUND}]), None, ""
    draft = read(body, document)
    if draft.plan is None or draft.problems or body.get("quick"):
        return draft, None, ""
    try:
        cost = estimate(draft.plan, replies.asker(request))
    except NotMeasured as problem:
        return draft, None, str(problem)
    return draft, cost, too_long(cost)


def _body(request: HttpRequest) -> tuple[Json, Json | None]:
    """The JSON that was sent, and the document it is about (None if there is none)."""
    try:
        body = json.loads(request.body)
    except (ValueError, RecursionError):
        body = {}
    if not isinstance(body, dict):
        body = {}
    must_be_text(body)
    if body.get("from"):
        earlier = Experiment.objects.filter(pk=str(body["from"])).first()
        return body, earlier.plan.document if earlier else None
    if not body.get("doc"):
        return body, to_plain(builtin("sandbox"))
    scenario = Scenario.objects.filter(pk=str(body["doc"]), deleted=None).first()
    try:
        return body, to_plain(store.document_of(scenario)) if scenario else None
    except DocumentError:
        return body, None


@require_POST
def run(request: HttpRequest) -> JsonResponse:
    """Queue the experiment -> {id, url}; 400 with the problems, 429 with the quota that is used up."""
    made_by = owner.browser(request.session)
    address = stored_key(request)
    full = quota(made_by, address)
    if full:
        return JsonResponse({"error": full}, status=429)
    draft, cost, problem = _draft(request)
    problems = [*draft.problems, *([{"field": "cost", "message": problem}] if problem else [])]
    if problems or draft.plan is None or cost is None:
        first = problems[0]["message"] if problems else "There is nothing to run."
        return JsonResponse({"error": first, "problems": problems}, status=400)
    body, _ = _body(request)
    experiment = Experiment.objects.create(
        owner=made_by,
        address=address,
        document_id=str(body.get("doc") or ""),
        title=draft.title,
        plan_text=draft.plan.to_json(),
        baseline=draft.baseline,
        seeds_each=seeds_per_shard(draft.plan, cost.seconds_per_run, cost.processes),
        ideal_seconds=cost.ideal_seconds,
        engine=engine_version(),
    )
    _forget_oldest(made_by)
    queue.send(experiment.pk)
    return JsonResponse({"id": experiment.pk, "url": reverse("what-if-show", args=[experiment.pk])})


def quota(made_by: str, address: str) -> str:
    """The sentence of the quota that is used up, or an empty text."""
    active = Experiment.objects.filter(owner=made_by, state__in=ACTIVE).count()
    if active >= limits.ACTIVE_MAX:
        return f"{active} experiments of yours wait or run; the limit is {limits.ACTIVE_MAX}. Cancel one or wait."
    waiting = Experiment.objects.filter(state=State.QUEUED)
    of_address = waiting.filter(address=address).count()
    if of_address >= limits.WAITING_AN_ADDRESS_MAX:
        most = limits.WAITING_AN_ADDRESS_MAX
        return f"{of_address} experiments from your address wait; the limit is {most}. Cancel one or try again later."
    if Experiment.objects.filter(address=address).count() >= limits.KEPT_AN_ADDRESS_MAX:
        return f"{limits.KEPT_AN_ADDRESS_MAX} experiments from your address are kept, which is the limit. Delete some."
    if (number := waiting.count()) >= limits.WAITING_MAX:
        return f"{number} experiments wait here; the limit is {limits.WAITING_MAX}. Try again later."
    return ""


def _forget_oldest(made_by: str) -> None:
    """Keep the newest `KEPT_MAX` experiments of a browser; rows and Parquet of older finished ones go.

    The new one is stored already: an older one that cannot be deleted now goes next time.
    """
    over = Experiment.objects.filter(owner=made_by, state__in=FINAL).order_by("-created")[limits.KEPT_MAX :]
    try:
        for experiment in over:
            forget(experiment)
    except DatabaseError:
        log.warning("older experiments of a browser are not deleted", exc_info=True)


def forget(experiment: Experiment) -> None:
    """Delete a finished experiment and its rows."""
    folder = experiment.folder
    with transaction.atomic():
        experiment.delete()
    remove(folder)
