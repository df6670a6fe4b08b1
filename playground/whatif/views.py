"""Pages of experiments: the list, one experiment while it runs and when it is done, its CSV files and its replays."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pyarrow as pa
from asgiref.sync import sync_to_async
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from playground.client_address import stored_key
from playground.engine.refusals import NotAnswered
from playground.engine.turns import Holder
from playground.scenarios import owner, replies
from playground.scenarios.engine_version import engine_version
from playground.scenarios.store import StoreFull
from playground.whatif import builder, outlines, states, table
from playground.whatif.answer import FORMAT
from playground.whatif.limits import ABSENT_SECONDS, BEAT_SECONDS
from playground.whatif.models import Experiment, State, WorkerBeat
from playground.whatif.pipeline.axes import also_words, words
from playground.whatif.pipeline.blocks import whole_seeds
from playground.whatif.pipeline.fault import fault_words
from playground.whatif.pipeline.plan import Plan
from playground.whatif.pipeline.results import ResultsProblem
from playground.whatif.replays import find_row, open_replay
from playground.whatif.stored_result import is_whole
from playground.whatif.turns import in_turn
from simengine.scenario import DocumentError

Json = dict[str, Any]
SEED_DIGITS_MAX = 18  # a seed is a 64-bit number

NO_WORKER = (
    "No worker is running, so nothing is computed. `make run` starts one; alone it is "
    "`celery -A playground worker -Q spark -P threads -c 2`. The experiment is kept and starts by itself."
)
SILENT_SECONDS = 5 * BEAT_SECONDS  # since a lease was renewed
SILENT_WORKER = (
    "The worker of this experiment is not heard of. The next one takes it over within half a minute and goes on from "
    "what is finished; until then nothing is computed."
)


DRAWN = {"variants", "baseline", "comparisons", "pairs", "best", "answer"}  # of a result: without them it is damaged
UNREADABLE = "What is stored of this experiment cannot be read by this version of Highwater: {first}."
NOT_READ = "An earlier version stored this experiment, and it is not read yet. {why}"

OTHER_FORMAT = (
    "An earlier version computed this experiment, and its figures are drawn otherwise now. Every run is kept: download "
    'them as CSV, or choose "Edit and run again".'
)


@require_safe
async def listing(request: HttpRequest) -> HttpResponse:
    """The experiments of this browser."""
    mine = outlines.unread().filter(owner=owner.known_browser(request.session) or "-")
    listed = await _rows_listed([experiment async for experiment in mine], replies.asker(request))
    page: HttpResponse = await sync_to_async(render)(request, "whatif/list.html", {"experiments": listed})
    return page


async def _rows_listed(experiments: list[Experiment], asker: Holder) -> list[Json]:
    """A row each. After the first that is not answered, what has to be asked is not asked: each would wait as long."""
    rows_listed, busy = [], ""
    for experiment in experiments:
        try:
            if busy and not outlines.is_noted(experiment):
                row = {"untold": NOT_READ.format(why=busy)}
            else:
                await outlines.outline(experiment, asker)
                row = _listed(experiment)
        except DocumentError as damaged:
            row = {"untold": UNREADABLE.format(first=damaged.problems[0])}
        except NotAnswered as refused:
            busy = str(refused)
            row = {"untold": NOT_READ.format(why=busy)}
        rows_listed.append({"experiment": experiment, **row})
    return rows_listed


def _listed(experiment: Experiment) -> Json:
    plan = experiment.drawn
    answer = (_drawn(experiment) or {}).get("answer") or {}
    return {
        "variants": len(plan.variants),
        "seeds": plan.seeds,
        "runs": plan.runs,
        "answer": answer.get("title", ""),
    }


@require_safe
async def show(request: HttpRequest, experiment_id: str) -> HttpResponse:
    """One experiment: progress while it runs, the comparison as it fills in."""
    experiment = await outlines.find(experiment_id, replies.asker(request))
    page: HttpResponse = await sync_to_async(_show)(request, experiment)
    return page


def _show(request: HttpRequest, experiment: Experiment) -> HttpResponse:
    return render(request, "whatif/show.html", {"experiment": experiment, "start": _state(experiment, request)})


@require_safe
async def status(request: HttpRequest, experiment_id: str) -> JsonResponse:
    """What the page asks each second while the experiment is active."""
    experiment = await outlines.find(experiment_id, replies.asker(request))
    return JsonResponse(await sync_to_async(_state)(experiment, request))


def _state(experiment: Experiment, request: HttpRequest) -> Json:
    """Everything that the page draws."""
    plan = experiment.drawn
    now = timezone.now()
    since = experiment.started or experiment.created
    return {
        "id": experiment.pk,
        "title": experiment.title,
        "run": f"/s/{experiment.document_id}" if experiment.document_id else "/",
        "run_title": _run_title(experiment),
        "state": experiment.state,
        "error": "" if experiment.is_active else experiment.error,
        "note": _note(experiment),
        "runs": plan.runs,
        "runs_done": experiment.runs_done,
        "claims": experiment.claims,
        "seeds": plan.seeds,
        "variants": [_named(plan, i) for i in range(len(plan.variants))],
        "horizon_us": plan.horizon_us,
        "baseline": experiment.baseline,
        "seconds": max(0.0, ((experiment.finished or now) - since).total_seconds()),
        "ahead": _ahead(experiment),
        "engine": experiment.engine,
        "engine_now": engine_version(),
        "profiles": _versions(plan),
        "result": _drawn(experiment),
        "is_owner": experiment.owner == owner.known_browser(request.session),
    }


def _versions(plan: Plan) -> list[str]:
    """The Kafka versions of the runs: those that are varied, else those of the document's clusters."""
    varied = dict.fromkeys(variant.settings.get("kafka") for variant in plan.variants)
    return [str(name) for name in varied if name] or plan.document.get("profiles") or [plan.document["profile"]]


def _named(plan: Any, number: int) -> Json:
    variant = plan.variants[number]
    name, detail = words(plan, variant)
    fault = variant.settings.get("fault")
    told = {
        "also": also_words(variant),
        "as_in_run": variant.is_as_in_run,
        "fault": fault_words(fault) if fault else "",
    }
    return {"letter": variant.letter, "name": name, "detail": detail, **told}


def _run_title(experiment: Experiment) -> str:
    """What the run is called that the experiment varies."""
    return str(experiment.drawn.document.get("title", "")).strip() or "The run"


def _ahead(experiment: Experiment) -> int:
    """Experiments that are taken before this one."""
    turns = in_turn()
    return turns.index(experiment.pk) if experiment.pk in turns else 0


def _drawn(experiment: Experiment) -> Json | None:
    """The stored result, where this version draws it."""
    result = experiment.result
    if not isinstance(result, dict) or result.get("format") != FORMAT or not result.keys() >= DRAWN:
        return None
    return result if is_whole(result) else None


def _note(experiment: Experiment) -> str:
    """What keeps an active experiment from going on, or a finished one from being drawn, in words."""
    if not experiment.is_active:
        return OTHER_FORMAT if experiment.result and not _drawn(experiment) else ""
    now, absent = timezone.now(), timedelta(seconds=ABSENT_SECONDS)
    # a sign of life "in an hour" is one from before the clock was set back: who lives gives another one in 3 s
    problems = WorkerBeat.objects.filter(seen__range=(now - absent, now + absent)).values_list("problem", flat=True)
    if not problems:
        return NO_WORKER
    if experiment.state == State.QUEUED and all(problems):
        return problems[0]
    renewed = experiment.lease_renewed
    is_silent = renewed is not None and abs(now - renewed) >= timedelta(seconds=SILENT_SECONDS)
    return SILENT_WORKER if is_silent and experiment.state == State.RUNNING else experiment.error


@require_POST
async def cancel(request: HttpRequest, experiment_id: str) -> HttpResponse:
    """End an experiment; what is finished stays. Only its owner may.

    A damaged one ends too. Of it the state is told, and why nothing else can be.
    """
    experiment = await outlines.unread().filter(pk=experiment_id).afirst()
    if experiment is None:
        raise Http404(outlines.NO_SUCH)
    if experiment.owner != owner.known_browser(request.session):
        return JsonResponse({"error": "Only the browser that started this experiment may cancel it."}, status=403)
    await sync_to_async(states.cancel)(experiment_id)
    try:
        await experiment.arefresh_from_db(fields=["state", "finished"])
    except Experiment.DoesNotExist:  # deleted meanwhile
        raise Http404(outlines.NO_SUCH) from None
    try:
        await outlines.outline(experiment, replies.asker(request))
    except DocumentError as damaged:
        return JsonResponse({"state": experiment.state, "error": UNREADABLE.format(first=damaged.problems[0])})
    except NotAnswered as busy:
        return JsonResponse({"state": experiment.state, "error": str(busy)})
    return JsonResponse(await sync_to_async(_state)(experiment, request))


@require_POST
def delete(request: HttpRequest, experiment_id: str) -> HttpResponse:
    """Delete a finished experiment and its rows. Only its owner may."""
    experiment = get_object_or_404(Experiment, pk=experiment_id)
    if experiment.owner != owner.known_browser(request.session):
        return JsonResponse({"error": "Only the browser that started this experiment may delete it."}, status=403)
    if experiment.is_active:
        return JsonResponse({"error": "This experiment is active. Cancel it first."}, status=409)
    try:
        builder.forget(experiment)
    except ResultsProblem as away:
        return JsonResponse({"error": str(away)}, status=503)
    return redirect("what-if")


@require_safe
def comparison_csv(request: HttpRequest, experiment_id: str) -> HttpResponse:
    """The comparison table."""
    experiment = get_object_or_404(Experiment, pk=experiment_id)
    result = _drawn(experiment)
    if result is None:
        raise Http404(OTHER_FORMAT if experiment.result else "no run has finished yet")
    answer = HttpResponse(table.comparison(result), content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="what-if-{experiment.pk}.csv"'
    return answer


@require_safe
async def runs_csv(request: HttpRequest, experiment_id: str) -> HttpResponse | StreamingHttpResponse:
    """Every run that is kept, one line each."""
    experiment = await outlines.find(experiment_id, replies.asker(request))
    try:
        lines: Iterator[str] = table.all_rows(await sync_to_async(_tables)(experiment))
    except ResultsProblem as away:
        return replies.refusal(str(away), 503)
    answer = StreamingHttpResponse(lines, content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="what-if-{experiment_id}-runs.csv"'
    return answer


def _tables(experiment: Experiment) -> Iterator[pa.Table]:
    """The rows of those seeds that every configuration has, some at a time."""
    kept = experiment.results.blocks()
    return experiment.results.tables(whole_seeds(kept, len(experiment.drawn.variants)), table.COLUMNS)


@require_safe
async def replay(request: HttpRequest, experiment_id: str) -> HttpResponse:
    """Open one run, ?variant=A&seed=17, as a stored document in the playground."""
    asker = replies.asker(request)
    letter, seed = request.GET.get("variant", ""), request.GET.get("seed", "")
    if not seed.isdecimal() or len(seed) > SEED_DIGITS_MAX:
        raise Http404("a replay needs ?variant= and ?seed=")
    made_by = await sync_to_async(owner.browser)(request.session)
    if not replies.may_create(request, made_by):
        return replies.refusal(replies.TOO_OFTEN, 429)
    try:
        experiment = await outlines.find(experiment_id, asker)
        row = await sync_to_async(find_row)(experiment, letter, int(seed))
        if row is None:
            raise Http404(f"no finished run of configuration {letter} with seed {seed}")
        document_id, moment_us = await open_replay(experiment, row, asker, stored_key(request))
    except DocumentError as error:
        return replies.problems(error)
    except StoreFull as full:
        return replies.refusal(str(full), 409)
    except ResultsProblem as away:
        return replies.refusal(str(away), 503)
    return redirect(f"{reverse('playground', args=[document_id])}#t={moment_us / 1e6:.3f}")
