"""`/e/<id>` and `/e/<id>..<id>`: a run, or a comparison, in a frame of another site.

Only copies that never change are shown: nobody acts there. The page is a still picture with a Play button until a
reader presses it. A frame on another site gets no cookie, so each page names a guest of its own. This is the only page
that may stand in a frame.
"""

import re
from typing import Final
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from playground.rooms.compare_views import NotComparable, runs_of, side_boot
from playground.rooms.embed_pictures import THEMES, first_pictures
from playground.scenarios import owner, replies
from playground.scenarios.models import Scenario
from playground.security import HEADER, policy
from simengine.compare.differences import LETTERS
from simengine.compare.titles import common_beginning, short_title
from simengine.scenario.limits import TIME_US_MAX

TITLE: Final = "Not embedded"
SHEETS: Final = tuple(
    f"css/{name}.css"
    for name in (
        *("tokens", "base", "components", "figures", "floating"),
        *("stage", "columns", "chips", "map", "strip", "dock", "dock-narrow", "compare", "embed"),
    )
)
SECONDS: Final = re.compile(r"\d{1,9}(\.\d{1,6})?", re.ASCII)


@require_safe
@xframe_options_exempt
def embed(request: HttpRequest, ids: str) -> HttpResponse:
    """`?t=<seconds>&theme=light|dark&autoplay=1`: the page of one copy or of two to four on one clock."""
    answer = _page(request, ids)
    nonce: str = request.csp_nonce  # type: ignore[attr-defined]  # the middleware sets it
    answer.headers[HEADER] = policy(nonce, frames="*")
    answer.headers["Cache-Control"] = "private, no-cache"  # each answer names another guest
    return answer


def _page(request: HttpRequest, ids: str) -> HttpResponse:
    try:
        runs = runs_of(ids, least=1)
        at_us = _moment(request, runs)
    except NotComparable as reason:
        return replies.page(request, TITLE, str(reason), reason.status)
    asked, guest = request.GET.get("theme", ""), owner.new_guest()
    theme, wide = asked if asked in THEMES else "", {"at_us": at_us, "guest": guest}
    pictures = first_pictures(len(runs), (theme,) if theme else THEMES)
    titles = list(dict.fromkeys(run.title for run in runs))
    common = common_beginning(titles)
    link = reverse("playground", args=[ids]) if len(runs) == 1 else reverse("compare", args=[ids])
    boot = {
        "runs": [side_boot(run, owner.guest(guest), guest) for run in runs],
        "at_us": at_us,
        "autoplay": request.GET.get("autoplay") == "1",
        "link": link,
        "common": common,
    }
    shown = {
        "boot": boot,
        "sides": [(letter, run, run.title[len(common) :]) for letter, run in zip(LETTERS.lower(), runs, strict=False)],
        "title": short_title(titles),
        "theme": theme,
        "link": link,
        "query": urlencode(wide | {"theme": theme or THEMES[0]}),
        "pictures": [(media, urlencode(wide | wishes)) for media, wishes in pictures],
        "sheets": SHEETS,
    }
    return render(request, "embed.html", shown)


def _moment(request: HttpRequest, runs: list[Scenario]) -> int:
    """The moment that is shown first, us: of the address, else the earliest of the copies. Raises NotComparable."""
    for run in runs:
        if not run.is_frozen:
            raise NotComparable(
                f"The run {run.id} still changes. Press Share in it and make a copy: a copy that never changes has a "
                "line to embed.",
                409,
            )
    text = request.GET.get("t", "")
    if not text:
        return min(run.moment_us for run in runs)
    at_us = round(float(text) * 1_000_000) if SECONDS.fullmatch(text) else -1
    if not 0 <= at_us <= TIME_US_MAX:
        raise NotComparable(f"t is {text[:40]!r}; allowed are seconds from 0 to {TIME_US_MAX // 1_000_000}.", 400)
    return at_us
