"""`/compare/<id>..<id>`: two to four runs side by side on one clock, and what a comparison of them says."""

from typing import Any, Final

from asgiref.sync import sync_to_async
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe

from playground.engine.questions import questions
from playground.rooms import work
from playground.rooms.asking import in_words, known_browser
from playground.rooms.run_boot import run_boot
from playground.scenarios import outside, owner, replies
from playground.scenarios.compare_address import SEPARATOR
from playground.scenarios.models import Scenario, Source
from playground.scenarios.query import microseconds
from playground.scenarios.views import FORMS
from simengine.compare.comparison import SIDES_MAX, SIDES_MIN
from simengine.compare.differences import LETTERS
from simengine.compare.titles import common_beginning, short_title

HOW: Final = f"A comparison is an address such as /compare/k3f9QaXb2c{SEPARATOR}m8RtWcZd4e: the ids of the runs"
TITLE: Final = "Not compared"


class NotComparable(Exception):
    """These runs cannot be compared; the message says why, and the cure."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status


@require_safe
@ensure_csrf_cookie
def compare(request: HttpRequest, ids: str) -> HttpResponse:
    """The page."""
    try:
        runs = runs_of(ids)
    except NotComparable as reason:
        return replies.page(request, TITLE, str(reason), reason.status)
    browser = owner.browser(request.session)
    titles = list(dict.fromkeys(run.title for run in runs))
    boots = [side_boot(run, browser) for run in runs]
    boot = {"link": request.path, "runs": boots, "common": common_beginning(titles)}
    sides = list(zip(LETTERS.lower(), runs, strict=False))
    return render(request, "compare.html", {"boot": boot, "sides": sides, "title": short_title(titles)})


def side_boot(run: Scenario, browser: str, guest: str = "") -> dict[str, Any]:
    """The facts about a side; a copy that never changes has the name of the run that it is a copy of."""
    is_copy = run.source == Source.SHARE and run.parent is not None
    return run_boot(run, browser, guest) | {"change": run.parent.change if is_copy and run.parent else run.change}


@require_safe
@in_words
async def figures(request: HttpRequest, ids: str) -> HttpResponse:
    """The comparison of the runs (``comparison.compare``) at `?at_us=`; without it where the runs end."""
    known_browser(request)
    at_us = microseconds(request, "at_us") if "at_us" in request.GET else None
    try:
        runs = await sync_to_async(runs_of)(ids)
    except NotComparable as reason:
        return replies.refusal(str(reason), reason.status)
    asker = replies.asker(request)
    question = work.compared.question([await outside.affordable(run, asker) for run in runs], at_us)
    return replies.from_service(await questions.answer(question, asker))


@require_safe
@in_words
async def download(request: HttpRequest, ids: str) -> HttpResponse:
    """The documents of the runs as one text of YAML, each of which lasts until what the page shows, `?at_us=`."""
    try:
        runs = await sync_to_async(runs_of)(ids)
    except NotComparable as reason:
        return replies.refusal(str(reason), reason.status)
    shown_us = microseconds(request, "at_us", max(run.moment_us for run in runs))
    asker = replies.asker(request)
    question = work.written_together.question([await outside.stored(run) for run in runs], shown_us)
    return replies.from_service(await questions.answer(question, asker), FORMS["yaml"])


def runs_of(ids: str, least: int = SIDES_MIN) -> list[Scenario]:
    """The runs of an address, at least so many. Raises NotComparable."""
    names = ids.split(SEPARATOR)
    if not least <= len(names) <= SIDES_MAX or "" in names:
        number = len([name for name in names if name])
        raise NotComparable(f"{HOW}, {SIDES_MIN} to {SIDES_MAX} of them. This one has {number}.", 400)
    for name in names:
        if names.count(name) > 1:
            raise NotComparable(
                f"The run {name} stands in this address twice. A run does not differ from itself: "
                "fork it and change something, then compare it with the fork.",
                400,
            )
    return [_run(name) for name in names]


def _run(name: str) -> Scenario:
    scenario = replies.find(name)
    if scenario is None:
        raise NotComparable(
            f"There is no run {name!r}. Copy its address from its own page, or take one of My runs.", 404
        )
    if scenario.is_deleted:
        raise NotComparable(f"The run {name} was deleted by whoever made it. Compare another one.", 410)
    return scenario
