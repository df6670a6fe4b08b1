"""Pages and downloads of saved documents: My runs, about, YAML and JSON, fork, delete, the edit link."""

from asgiref.sync import sync_to_async
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from playground.engine.refusals import NotAnswered
from playground.scenarios import documents, lineage, listed, outside, owner, replies, store
from playground.scenarios.documents import seconds
from playground.scenarios.limits import RUNS_LISTED_MAX
from playground.scenarios.models import Scenario, Source
from playground.scenarios.query import cluster_name, microseconds
from playground.scenarios.wrong_value import WrongValue
from simengine.scenario import DocumentError

FORMS = {"json": "application/json", "yaml": "application/yaml; charset=utf-8"}
NO_EDIT_LINK = (
    "Whoever made this run has replaced its edit link by a new one, or the last characters of this one are not right. "
    "Ask for the link again; to watch the run, its own link is enough."
)


@require_safe
async def runs(request: HttpRequest) -> HttpResponse:
    """The page of the runs that this browser made, the last used first."""
    mine = await listed.rows(owner.known_browser(request.session), RUNS_LISTED_MAX, replies.asker(request))
    return await sync_to_async(render)(request, "scenarios/runs.html", {"rows": mine, "limit": RUNS_LISTED_MAX})


@require_safe
@replies.of_run
async def about(request: HttpRequest, scenario: Scenario) -> HttpResponse:
    """The page about a run: description, cluster, where it came from, what was branched off it."""
    document = await outside.about(scenario, replies.asker(request))
    return await sync_to_async(_about)(request, scenario, document)


def _about(request: HttpRequest, scenario: Scenario, document: documents.Plain) -> HttpResponse:
    reader = owner.known_browser(request.session)
    is_owner = owner.is_owner(scenario, reader)
    context = {
        "scenario": scenario,
        "document": document,
        "moment": seconds(scenario.moment_us),
        "actions": [(seconds(at_us), told, do) for at_us, told, do in document["actions"]],
        "lineage": lineage.of(scenario, reader),
        "forks_by_others": lineage.forks_by_others(scenario, reader),
        "is_owner": is_owner,
        "is_maker": owner.is_maker(scenario, reader),
        "grants": scenario.grants.count() if is_owner else 0,
        "link": request.build_absolute_uri(reverse("playground", args=[scenario.id])),
        "edit_link": request.build_absolute_uri(_edit_path(scenario)) if is_owner else "",
    }
    return render(request, "scenarios/about.html", context)


@require_safe
@replies.of_run
async def download(request: HttpRequest, scenario: Scenario, form: str) -> HttpResponse:
    """The whole document, accepted actions included, as YAML or JSON. It lasts until what the page shows, ?at_us=.

    ?cluster= names its only cluster: the document is then written as one of several clusters.
    """
    try:
        shown_us = microseconds(request, "at_us", scenario.moment_us)
        name = cluster_name(request)
    except WrongValue as wrong:
        return replies.wrong(wrong)
    answer = await outside.written(scenario, form, shown_us, name, replies.asker(request))
    return replies.from_service(answer, FORMS[form])


@require_POST
async def create(request: HttpRequest) -> HttpResponse:
    """POST a document as YAML or JSON -> {id, url}. 400 lists every problem."""
    made_by = await sync_to_async(owner.maker)(request)
    if not replies.may_create(request, made_by.browser):
        return replies.refusal(replies.TOO_OFTEN, 429)
    try:
        checked = await outside.checked(request.body, replies.asker(request))
        scenario = await sync_to_async(store.create)(checked, by=made_by, origin=Source.UPLOAD)
    except NotAnswered as refused:
        return replies.refusal(str(refused), refused.status)
    except DocumentError as error:
        return replies.problems(error)
    except store.StoreFull as full:
        return replies.refusal(str(full), 409)
    return made(scenario)


@require_POST
def delete(request: HttpRequest, scenario_id: str) -> HttpResponse:
    """The owner deletes a run: its link answers 410 from now on."""
    scenario = replies.find(scenario_id)
    if (answer := replies.missing(request, scenario)) is not None:
        return answer
    assert scenario is not None
    if not owner.is_owner(scenario, owner.known_browser(request.session)):
        return replies.refusal("only the browser that made this run, or its edit link, may delete it", 403)
    store.delete(scenario)
    return redirect("runs")


@require_POST
def rename(request: HttpRequest, scenario_id: str) -> HttpResponse:
    """The owner gives a run another name: POST {title}."""
    scenario = replies.find(scenario_id)
    if (answer := replies.missing(request, scenario)) is not None:
        return answer
    assert scenario is not None
    if not owner.is_owner(scenario, owner.known_browser(request.session)):
        return replies.refusal("only the browser that made this run, or its edit link, may rename it", 403)
    try:
        store.rename(scenario, request.POST.get("title", ""))
    except ValueError as wrong:
        return replies.page(request, "Not renamed", f"{str(wrong).capitalize()}.", 400)
    return redirect("runs")


@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: HttpRequest, scenario_id: str, word: str) -> HttpResponse:
    """The secret edit link: a page with a button; POST, the button: this browser may act on the run from now on.

    Looking at the link grants nothing: programs that preview links look at them too.
    """
    scenario = replies.find(scenario_id)
    if (answer := replies.missing(request, scenario)) is not None:
        return answer
    assert scenario is not None
    if request.method != "POST" and owner.is_edit_word(scenario, word):
        return render(request, "scenarios/edit.html", {"scenario": scenario})
    if request.method == "POST" and owner.grant(scenario, word, owner.browser(request.session)):
        return redirect("playground", scenario.id)
    return replies.page(request, "This edit link does not hold", NO_EDIT_LINK, 404)


@require_POST
def new_edit_link(request: HttpRequest, scenario_id: str) -> HttpResponse:
    """The browser that made a run replaces its edit link: who came by the old one may only watch from now on."""
    scenario = replies.find(scenario_id)
    if (answer := replies.missing(request, scenario)) is not None:
        return answer
    assert scenario is not None
    if not owner.is_maker(scenario, owner.known_browser(request.session)):
        return replies.refusal("only the browser that made this run may replace its edit link", 403)
    owner.replace_edit_link(scenario)
    return redirect("about", scenario.id)


def made(scenario: Scenario) -> JsonResponse:
    """201 with the new document's id and link."""
    url = reverse("playground", args=[scenario.id])
    return JsonResponse({"id": scenario.id, "url": url}, status=201)


def _edit_path(scenario: Scenario) -> str:
    return reverse("edit", args=[scenario.id, owner.edit_word(scenario)])
