"""`/s/<id>/still`: a run at one moment for readers without scripts: its picture, its verdict, its decisive events.

Every moment it names is a link to the still of that moment, so that a run can be gone through without scripts too.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from asgiref.sync import sync_to_async
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.views.decorators.http import require_safe

from playground.engine.refusals import NotAnswered
from playground.engine.turns import Holder
from playground.rooms.asking import STATUS, known_browser
from playground.rooms.host import host
from playground.rooms.run import RoomRun
from playground.rooms.still_file import stacked, still_style
from playground.scenarios import outside, replies
from playground.scenarios.documents import seconds
from playground.scenarios.models import Scenario
from playground.scenarios.query import microseconds, pixels
from playground.security import HEADER, hash_of
from simengine.scenario import DocumentError

Draw = Callable[[HttpRequest, dict[str, Any]], HttpResponse]


@dataclass(frozen=True)
class StillMoment:
    """A moment, as a link needs it and as it is read, and what happens then."""

    at_us: int
    at: str
    text: str


@require_safe
@replies.of_run
async def still(request: HttpRequest, scenario: Scenario) -> HttpResponse:
    """`?at_us=`: the still of a moment; without it of the link's moment, or of where the run has come to."""
    return await _drawn(request, scenario, _page)


@require_safe
@replies.of_run
async def picture(request: HttpRequest, scenario: Scenario) -> HttpResponse:
    """`?at_us=&theme=&width=`: the picture of the still alone, as an SVG file; `width` (px) without its margin."""
    return await _drawn(request, scenario, _svg)


async def _drawn(request: HttpRequest, scenario: Scenario, draw: Draw) -> HttpResponse:
    """A still as `draw` writes it, or a page that says why there is none."""
    try:
        known_browser(request)
        at_us = microseconds(request, "at_us", await _moment(scenario))
        context = await _context(scenario, at_us, pixels(request), replies.asker(request))
    except tuple(STATUS) as reason:
        return replies.page(request, "Not drawn", f"{str(reason)[:1].upper()}{str(reason)[1:]}", STATUS[type(reason)])
    except NotAnswered as refused:
        return replies.page(request, "Not drawn", str(refused), refused.status)
    except (ValueError, DocumentError) as wrong:
        return replies.page(request, "Not drawn", str(wrong), 400)
    shown = context | {"scenario": scenario, "at": seconds(at_us)}
    return await sync_to_async(draw)(request, shown)  # long where the topics are many


def _page(request: HttpRequest, shown: dict[str, Any]) -> HttpResponse:
    return render(request, "still.html", shown)


def _svg(request: HttpRequest, shown: dict[str, Any]) -> HttpResponse:
    theme = "dark" if request.GET.get("theme") == "dark" else "light"
    style = still_style(theme)
    told = shown | {"style": style, "pictures": stacked(shown["stills"])}
    policy = f"default-src 'none'; style-src '{hash_of(style)}'; frame-ancestors 'none'"
    return HttpResponse(
        render_to_string("still_file.svg", told), content_type="image/svg+xml", headers={HEADER: policy}
    )


async def _moment(scenario: Scenario) -> int:
    """The moment that a link shows: where a copy was shared; a run that goes on is shown as far as it has come."""
    return scenario.moment_us if scenario.is_frozen else await host().reached_us(scenario)


async def _context(scenario: Scenario, at_us: int, width: int | None, asker: Holder) -> dict[str, Any]:
    async with host().aside(await outside.stored(scenario), at_us, asker) as run:
        told = await run.ask(RoomRun.still, width)
    until_us, ahead = told["until_us"], _steps(told["ahead"])
    return {
        "stills": told["stills"],
        "processes": told["processes"],
        "verdict": told["verdict"],
        "decided": [
            (topic["topic"], seconds(topic["deciding"]["t"]), topic["deciding"]["text"])
            for topic in told["verdict"]["topics"]
            if topic["deciding"] and (topic["lost"] or topic["duplicated"])
        ],
        "number": told["number"],
        "events": _steps(told["events"]),
        "ahead": ahead,
        "ahead_more": told["ahead_number"] - len(ahead),
        "end": StillMoment(until_us, seconds(until_us), "") if until_us > at_us else None,
    }


def _steps(told: list[tuple[int, str]]) -> list[StillMoment]:
    return [StillMoment(at_us, seconds(at_us), text) for at_us, text in told]
