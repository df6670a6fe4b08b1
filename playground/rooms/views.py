"""The playground's page, and what is asked of a room by HTTP: views of the past, facts, share, describe, carry on.

The views run in the event loop of the sockets; the database is asked on threads.
"""

import asyncio

import msgpack
from asgiref.sync import sync_to_async
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_POST, require_safe

from playground.client_address import of_request
from playground.engine.questions import questions
from playground.rooms import past, work
from playground.rooms.asking import fork_words, in_words, known_browser, maker, room_of, share_words
from playground.rooms.client_keys import CLIENT_KEYS
from playground.rooms.forking import grown_undo, prepared_fork, store_first_clock, stored_forks, stored_undos, undo_step
from playground.rooms.host import host, host_if_any
from playground.rooms.other_settings import ELR, TOPIC_KEYS
from playground.rooms.run import RoomRun
from playground.rooms.run_boot import run_boot
from playground.rooms.sandbox import new_sandbox
from playground.scenarios import lineage, outside, owner, replies, store
from playground.scenarios import views as scenario_views
from playground.scenarios.documents import CheckedDocument
from playground.scenarios.models import Scenario, Source
from playground.scenarios.query import microseconds
from simengine.scenario.limits import ID_MAX
from simengine.scenario.metric_names import METRICS
from simengine.scenario.profiles import VERSIONS

MSGPACK = "application/x-msgpack"
NODE_DIGITS_MAX = 12
LINK_REPLACED = "Whoever made this run has replaced its edit link: you watch from now on."


@require_safe
@ensure_csrf_cookie
def sandbox(request: HttpRequest) -> HttpResponse:
    """`/` and `/play`: this browser's sandbox, running; `?new=1` makes a fresh one."""
    if request.method == "HEAD":  # who looks whether the page is there needs no sandbox
        return HttpResponse()
    browser = owner.browser(request.session)
    scenario = None if request.GET.get("new") else store.sandbox_of(browser)
    if scenario is None:
        if not replies.may_create(request, browser):
            return replies.refusal(replies.TOO_OFTEN, 429)
        if not replies.may_start_sandbox(of_request(request)):
            return replies.refusal(replies.TOO_MANY_VISITORS, 429)
        scenario = new_sandbox(owner.maker(request))
    return _page(request, scenario, browser)


@require_safe
@ensure_csrf_cookie
def playground(request: HttpRequest, scenario_id: str) -> HttpResponse:
    """`/s/<id>`: a stored document in the playground."""
    scenario = replies.find(scenario_id)
    if (answer := replies.missing(request, scenario)) is not None:
        return answer
    assert scenario is not None
    return _page(request, scenario, owner.browser(request.session))


def _page(request: HttpRequest, scenario: Scenario, browser: str) -> HttpResponse:
    boot = run_boot(scenario, browser) | {
        "later": scenario.later,
        "sandbox": scenario.source == Source.SANDBOX,
        "branches": [
            {"id": branch.id, "title": branch.title, "change": branch.change, "cut_us": branch.cut_us}
            for branch in lineage.branches_of(scenario, browser)
        ],
        "row": scenario.source == Source.WHAT_IF,
        "client_keys": CLIENT_KEYS,
        "versions": VERSIONS,
        "topic_keys": TOPIC_KEYS,
        "elr": ELR,
    }
    return render(request, "playground.html", {"scenario": scenario, "boot": boot})


@require_safe
@in_words
async def snapshot(request: HttpRequest, room: str) -> HttpResponse:
    """`?at_us=`: the whole view at a past moment, as msgpack (`?as=json` for JSON)."""
    at_us = microseconds(request, "at_us")
    view = await past.view_at(await room_of(request, room), replies.visitor(request), at_us)
    return await _packed(request, view)


@require_safe
@in_words
async def facts(request: HttpRequest, room: str) -> HttpResponse:
    """`?from_us=&to_us=`: decisive rows of a range; `&stream=flights|state` all rows, where they are still kept."""
    from_us, to_us = microseconds(request, "from_us"), microseconds(request, "to_us")
    live, stream = await room_of(request, room), request.GET.get("stream", "")
    rows = await past.rows(live, replies.visitor(request), from_us, to_us, stream)
    return await _packed(request, rows)


@require_safe
@in_words
async def verdict(request: HttpRequest, room: str) -> HttpResponse:
    """The verdict of a room's run so far, or `?at_us=` a past moment, with the digest of all facts up to then."""
    live = await room_of(request, room)
    at_us = microseconds(request, "at_us", live.clock.t_us)
    return JsonResponse(await past.verdict_at(live, replies.visitor(request), at_us))


@require_safe
@in_words
async def metrics(request: HttpRequest, room: str) -> HttpResponse:
    """The JMX readings, now or at `?at_us=`: of one process (`?node=`) with its partitions, or of all processes."""
    live = await room_of(request, room)
    at_us = microseconds(request, "at_us", live.clock.t_us)
    node = request.GET.get("node", "-1")
    if not node.removeprefix("-").isdecimal() or len(node) > NODE_DIGITS_MAX:
        raise ValueError(f"node is {node[:20]!r}; it is the id of a broker or controller")
    said = await past.metrics_at(live, replies.visitor(request), at_us, int(node))
    return JsonResponse({"t": at_us, "metrics": said})


@require_safe
@in_words
async def alerts(request: HttpRequest, room: str) -> HttpResponse:
    """The alerts of a room's run so far, its rules as a file for Prometheus, and the metrics that a rule may name."""
    live = await room_of(request, room)
    return JsonResponse(await past.alerts(live))


@require_safe
@in_words
@replies.of_run
async def metric(request: HttpRequest, scenario: Scenario) -> HttpResponse:
    """`?name=&of=&at_us=`: a metric over a run up to a moment, and the alert rules that read it."""
    known_browser(request)
    name, of = request.GET.get("name", ""), request.GET.get("of", "").strip()
    if name not in METRICS or len(of) > ID_MAX:
        raise ValueError(f"there is no metric {name[:40]!r} of {of[:40]!r}")
    at_us = microseconds(request, "at_us", scenario.moment_us)
    asker = replies.asker(request)
    question = work.metric.question(await outside.affordable(scenario, asker), name, of, at_us)
    return replies.from_service(await questions.answer(question, asker))


@require_safe
@in_words
@replies.of_run
async def describe(request: HttpRequest, scenario: Scenario) -> HttpResponse:
    """`?at_us=`: the simulated state at a moment as `kafka-topics.sh --describe` prints it; or the newest."""
    known_browser(request)
    newest_us = scenario.moment_us if scenario.is_frozen else await host().reached_us(scenario)
    at_us = microseconds(request, "at_us", newest_us)
    async with host().aside(await outside.stored(scenario), at_us, replies.asker(request)) as run:
        text = await run.ask(RoomRun.described)
    return HttpResponse(text, content_type="text/plain; charset=utf-8")


@require_safe
@in_words
@replies.of_run
async def why(request: HttpRequest, scenario: Scenario) -> HttpResponse:
    """`?at_us=`: the whole verdict at a moment, what decided each topic's loss (checked), and the chains to it."""
    known_browser(request)
    at_us = microseconds(request, "at_us", scenario.moment_us)
    asker = replies.asker(request)
    question = work.examined.question(await outside.affordable(scenario, asker), at_us)
    return replies.from_service(await questions.answer(question, asker))


@require_POST
@in_words
@replies.of_run
async def fork(request: HttpRequest, scenario: Scenario) -> HttpResponse:
    """POST {at_us or shown_us, do, later, speed} -> {id, url} of a new run that goes on from there; this one stays.

    What came after it in this run happens there as well, as far as it can, unless ``later`` is "drop".
    """
    made_by, asker = await maker(request), replies.asker(request)
    wish = fork_words(request.body)
    (made,) = await stored_forks([await prepared_fork(scenario, wish, asker)], wish.speed_us, made_by)
    return scenario_views.made(made)


@require_POST
@in_words
@replies.of_run
async def undo(request: HttpRequest, scenario: Scenario) -> HttpResponse:
    """POST {at_us, speed} -> the run without the newest action up to ``at_us``, and which it was; {} without one.

    ``later``: what became of the actions that came after it.
    """
    made_by, asker = await maker(request), replies.asker(request)
    wish = fork_words(request.body)
    step = await undo_step(scenario, wish.at_us, asker)
    if step is None:
        return JsonResponse({})
    (undone,) = await stored_undos([await grown_undo(scenario, step, asker)], wish.speed_us, made_by)
    return JsonResponse(
        {
            "url": reverse("playground", args=[undone.run.id]),
            "is_new": undone.is_new,
            "at_us": undone.at_us,
            "actions": undone.actions,
            "later": undone.later,
        }
    )


@require_POST
@in_words
@replies.of_run
async def share(request: HttpRequest, scenario: Scenario) -> HttpResponse:
    """POST {at_us, neutral} -> {id, url} of an immutable copy, opened at ``at_us``; ``neutral`` gives neutral names."""
    made_by = await maker(request)
    at_us, is_neutral = share_words(request.body)
    checked = await outside.copy(scenario, is_neutral, replies.asker(request))
    async with host().aside(checked.stored, at_us, replies.asker(request)) as run:
        digest, verdict_then = await run.ask(RoomRun.digest), await run.ask(RoomRun.verdict_told)
    origin = None if is_neutral else scenario
    copy = await sync_to_async(store.share)(origin, checked, at_us, digest, verdict_then, by=made_by)
    return scenario_views.made(copy)


@require_POST
@in_words
@replies.of_run
async def carry_on(request: HttpRequest, scenario: Scenario) -> HttpResponse:
    """POST {at_us, speed} -> {id, url} of a new run that begins, at 0, in the state that this one has at ``at_us``."""
    made_by = await maker(request)
    wish = fork_words(request.body)
    async with host().aside(await outside.stored(scenario), wish.at_us, replies.asker(request)) as run:
        carried = CheckedDocument(**await run.ask(RoomRun.carried_on))
    new = await sync_to_async(store.create)(
        carried,
        by=made_by,
        origin=Source.CARRY_ON,
        parent=scenario,
        cut_us=wish.at_us,
        change=f"carried on from the state at {wish.at_us / 1e6:.3f} s",
    )
    await store_first_clock(new, wish.speed_us)
    return scenario_views.made(new)


@require_POST
async def delete(request: HttpRequest, scenario_id: str) -> HttpResponseBase:
    """The owner deletes a run; a room of it ends."""
    answer: HttpResponseBase = await sync_to_async(scenario_views.delete)(request, scenario_id)
    rooms = host_if_any()
    if answer.status_code < 400 and rooms is not None:
        await rooms.forget(scenario_id, replies.GONE)
    return answer


@require_POST
async def new_edit_link(request: HttpRequest, scenario_id: str) -> HttpResponseBase:
    """The browser that made a run replaces its edit link; who came by the old one watches from now on, in rooms too."""
    answer: HttpResponseBase = await sync_to_async(scenario_views.new_edit_link)(request, scenario_id)
    rooms = host_if_any()
    if answer.status_code < 400 and rooms is not None:
        rooms.leave_to(scenario_id, owner.known_browser(request.session), LINK_REPLACED)
    return answer


# --- inside ---


async def _packed(request: HttpRequest, packed: bytes) -> HttpResponse:
    if request.GET.get("as") == "json":
        return await asyncio.to_thread(_as_json, packed)
    return HttpResponse(packed, content_type=MSGPACK)


def _as_json(packed: bytes) -> HttpResponse:
    return JsonResponse(msgpack.unpackb(packed, strict_map_key=False), safe=False)
