"""Pages of experiments: the list, one experiment while it runs and when it is done, its CSV files and its replays."""

import io
from collections.abc import Iterable
from typing import Any, Final

from asgiref.sync import sync_to_async
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from playground.client_address import stored_key
from playground.engine.refusals import NotAnswered
from playground.engine.turns import Holder
from playground.scenarios import owner, replies
from playground.scenarios.compare_address import SEPARATOR, compare_address
from playground.scenarios.store import StoreFull
from playground.whatif import kept, outlines, page_state, row_files, states, table
from playground.whatif.models import Experiment
from playground.whatif.pipeline.blocks import whole_seeds
from playground.whatif.pipeline.results import ResultsProblem
from playground.whatif.ready import READY
from playground.whatif.replays import find_row, open_replay
from simengine.compare.comparison import SIDES_MAX, SIDES_MIN
from simengine.scenario import DocumentError

Json = dict[str, Any]
SEED_DIGITS_MAX = 18  # a seed is a 64-bit number
RUNS_CSV: Final = "runs.csv"
TOPICS_CSV: Final = "topics.csv"
RUNS_PARQUET: Final = "runs.parquet"
UNREADABLE = "What is stored of this experiment cannot be read by this version of Highwater: {first}."
NO_RUN = "No run of this experiment has finished yet, so there is no comparison. Its page shows how far it is."
NOT_READ = "An earlier version stored this experiment, and it is not read yet. {why}"


@require_safe
async def listing(request: HttpRequest) -> HttpResponse:
    """The experiments of this browser."""
    mine = outlines.unread().filter(owner=owner.known_browser(request.session) or "-")
    listed = await _rows_listed([experiment async for experiment in mine], replies.asker(request))
    page: HttpResponse = await sync_to_async(render)(
        request, "whatif/list.html", {"experiments": listed, "ready": READY.values()}
    )
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
        rows_listed.append({"experiment": experiment, "runs_done": f"{experiment.runs_done:,}", **row})
    return rows_listed


def _listed(experiment: Experiment) -> Json:
    plan = experiment.drawn
    answer = (page_state.drawn(experiment) or {}).get("answer") or {}
    return {
        "variants": len(plan.variants),
        "seeds": f"{plan.seeds:,}",
        "runs": f"{plan.runs:,}",
        "answer": answer.get("title", ""),
    }


@require_safe
async def show(request: HttpRequest, experiment_id: str) -> HttpResponse:
    """One experiment: progress while it runs, the comparison as it fills in."""
    experiment = await outlines.find(experiment_id, replies.asker(request))
    page: HttpResponse = await sync_to_async(_show)(request, experiment)
    return page


def _show(request: HttpRequest, experiment: Experiment) -> HttpResponse:
    return render(
        request,
        "whatif/show.html",
        {"experiment": experiment, "start": page_state.state(experiment, owner.known_browser(request.session))},
    )


@require_safe
async def status(request: HttpRequest, experiment_id: str) -> JsonResponse:
    """The state that the page asks for each second while the experiment is active."""
    experiment = await outlines.find(experiment_id, replies.asker(request))
    return JsonResponse(await sync_to_async(page_state.state)(experiment, owner.known_browser(request.session)))


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
    return JsonResponse(await sync_to_async(page_state.state)(experiment, owner.known_browser(request.session)))


@require_POST
def delete(request: HttpRequest, experiment_id: str) -> HttpResponse:
    """Delete a finished experiment and its rows. Only its owner may."""
    experiment = get_object_or_404(Experiment, pk=experiment_id)
    if experiment.owner != owner.known_browser(request.session):
        return JsonResponse({"error": "Only the browser that started this experiment may delete it."}, status=403)
    if experiment.is_active:
        return JsonResponse({"error": "This experiment is active. Cancel it first."}, status=409)
    try:
        kept.forget(experiment)
    except ResultsProblem as away:
        return JsonResponse({"error": str(away)}, status=503)
    return redirect("what-if")


@require_safe
def comparison_csv(request: HttpRequest, experiment_id: str) -> HttpResponse:
    """The comparison table."""
    experiment = get_object_or_404(Experiment, pk=experiment_id)
    result = page_state.drawn(experiment)
    if result is None:
        return replies.page(request, "No table", page_state.OTHER_FORMAT if experiment.result else NO_RUN, 404)
    answer = HttpResponse(table.comparison(result), content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="what-if-{experiment.pk}.csv"'
    return answer


@require_safe
async def rows(request: HttpRequest, experiment_id: str, what: str) -> HttpResponse | StreamingHttpResponse:
    """Every run that is kept: as CSV of runs or of topics, or as one Parquet file."""
    experiment = await outlines.find(experiment_id, replies.asker(request))
    try:
        content, kind = await sync_to_async(_content)(experiment, what)
    except ResultsProblem as away:
        return replies.refusal(str(away), 503)
    answer = StreamingHttpResponse(content, content_type=kind)
    answer["Content-Disposition"] = f'attachment; filename="what-if-{experiment_id}-{what}"'
    return answer


def _content(experiment: Experiment, what: str) -> tuple[Iterable[str] | Iterable[bytes], str]:
    """The rows of those seeds that every configuration has as a file, and its type."""
    plan, results = experiment.drawn, experiment.results
    tables = results.tables(whole_seeds(results.blocks(), len(plan.variants)))
    if what == RUNS_PARQUET:
        file = io.BytesIO()
        row_files.write_parquet(plan, tables, file)
        return [file.getvalue()], "application/vnd.apache.parquet"
    lines = row_files.topic_lines(tables) if what == TOPICS_CSV else row_files.run_lines(plan, tables)
    return lines, "text/csv; charset=utf-8"


@require_safe
async def replay(request: HttpRequest, experiment_id: str) -> HttpResponse:
    """Open one run, ?variant=A&seed=17, as a stored document in the playground."""
    letter, seed = request.GET.get("variant", ""), request.GET.get("seed", "")
    found = await _replays(request, experiment_id, [(letter, seed)])
    if isinstance(found, HttpResponse):
        return found
    document_id, moment_us = found[0]
    return redirect(f"{reverse('playground', args=[document_id])}#t={moment_us / 1e6:.3f}")


@require_safe
async def replay_both(request: HttpRequest, experiment_id: str) -> HttpResponse:
    """Open several runs on one clock, ?runs=A:17..B:17, at the earliest of the moments at which each opens."""
    runs = [run.partition(":") for run in request.GET.get("runs", "").split(SEPARATOR)]
    wanted = list(dict.fromkeys((letter, seed) for letter, _, seed in runs))
    if not SIDES_MIN <= len(wanted) <= SIDES_MAX:
        raise Http404(f"a comparison needs {SIDES_MIN} to {SIDES_MAX} different runs, such as ?runs=A:17..B:17")
    found = await _replays(request, experiment_id, wanted)
    if isinstance(found, HttpResponse):
        return found
    address = compare_address(document_id for document_id, _ in found)
    return redirect(f"{address}#t={min(moment_us for _, moment_us in found) / 1e6:.3f}")


async def _replays(
    request: HttpRequest, experiment_id: str, wanted: list[tuple[str, str]]
) -> list[tuple[str, int]] | HttpResponse:
    """The stored document of each run, given by configuration and seed, and its moment (us); or the refusal."""
    asker = replies.asker(request)
    if any(not seed.isdecimal() or len(seed) > SEED_DIGITS_MAX for _, seed in wanted):
        raise Http404("a replay needs a configuration and a seed")
    made_by = await sync_to_async(owner.browser)(request.session)
    if not replies.may_create(request, made_by):
        return replies.refusal(replies.TOO_OFTEN, 429)
    try:
        experiment = await outlines.find(experiment_id, asker)
        found = []
        for letter, seed in wanted:
            row = await sync_to_async(find_row)(experiment, letter, int(seed))
            if row is None:
                raise Http404(f"no finished run of configuration {letter} with seed {seed}")
            found.append(await open_replay(experiment, row, asker, stored_key(request)))
    except DocumentError as error:
        return replies.problems(error)
    except StoreFull as full:
        return replies.refusal(str(full), 409)
    except ResultsProblem as away:
        return replies.refusal(str(away), 503)
    return found
