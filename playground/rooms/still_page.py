"""`/s/<id>/still`: a run at one moment for readers without scripts: its picture, its verdict, its decisive events.

Every moment it names is a link to the still of that moment, so that a run can be gone through without scripts too.
"""

from dataclasses import dataclass

import msgpack
from asgiref.sync import sync_to_async
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from playground.engine.turns import Holder
from playground.rooms.asking import STATUS, known_browser, of_run
from playground.rooms.host import host
from playground.rooms.limits import EVENTS_TOLD_MAX, STEPS_TOLD_MAX
from playground.rooms.still import still_of
from playground.scenarios import replies, store
from playground.scenarios.documents import seconds, told_actions
from playground.scenarios.models import Scenario
from playground.scenarios.query import microseconds
from simengine.scenario import Document, DocumentError, to_plain


@dataclass(frozen=True)
class Step:
    """A moment, as a link needs it and as it is read, and what happens then."""

    at_us: int
    at: str
    text: str


@require_safe
@of_run
async def still(request: HttpRequest, scenario: Scenario) -> HttpResponse:
    """`?at_us=`: the still of a moment; without it of the link's moment, or of where the run has come to."""
    try:
        known_browser(request)
        at_us = microseconds(request, "at_us", await _moment(scenario))
        document = await sync_to_async(store.document_of)(scenario)
        context = await _context(document, at_us, replies.asker(request))
    except tuple(STATUS) as reason:
        return replies.page(request, "Not drawn", f"{str(reason)[:1].upper()}{str(reason)[1:]}", STATUS[type(reason)])
    except (ValueError, DocumentError) as wrong:
        return replies.page(request, "Not drawn", str(wrong), 400)
    return render(request, "still.html", context | {"scenario": scenario, "at": seconds(at_us)})


async def _moment(scenario: Scenario) -> int:
    """Where a copy was shared; a run that goes on is shown as far as it has come."""
    return scenario.moment_us if scenario.is_frozen else await host().reached_us(scenario)


async def _context(document: Document, at_us: int, asker: Holder) -> dict[str, object]:
    async with host().aside(to_plain(document), at_us, asker) as run:
        view = msgpack.unpackb(await run.ask("view"), strict_map_key=False)
        verdict = await run.ask("verdict")
        number, events = await run.ask("told", EVENTS_TOLD_MAX)
    ahead = [Step(then_us, seconds(then_us), told) for then_us, told, _ in told_actions(document) if then_us > at_us]
    return {
        "still": still_of(view, {broker.id: broker.rack or "" for broker in document.brokers}),
        "verdict": verdict,
        "decided": [
            (topic["topic"], seconds(topic["deciding"]["t"]), topic["deciding"]["text"])
            for topic in verdict["topics"]
            if topic["deciding"] and (topic["lost"] or topic["duplicated"])
        ],
        "number": number,
        "events": [Step(then_us, seconds(then_us), text) for then_us, text in events],
        "ahead": ahead[:STEPS_TOLD_MAX],
        "ahead_more": max(0, len(ahead) - STEPS_TOLD_MAX),
        "end": Step(document.until_us, seconds(document.until_us), "") if document.until_us > at_us else None,
    }
