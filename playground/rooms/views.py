"""The playground's page, and what is asked of a room by HTTP: views of the past, facts, share, describe, carry on.

The views run in the event loop of the sockets; the database is asked on threads.
"""

import json
from typing import Any

import msgpack
from asgiref.sync import sync_to_async
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_GET, require_POST

from playground.rooms import carry_on as carrying
from playground.rooms import past
from playground.rooms import why as examining
from playground.rooms.engines import EngineDied, RoomEnded, RunFailed
from playground.rooms.host import RoomFull, host, host_if_any
from playground.rooms.limits import ASKS_A_SECOND, ASKS_BURST
from playground.rooms.names import RoomName
from playground.rooms.sandbox import new_sandbox
from playground.rooms.storage import NoSuchRun
from playground.scenarios import neutral, owner, replies, store
from playground.scenarios import views as scenario_views
from playground.scenarios.documents import seconds
from playground.scenarios.models import Scenario, Source
from playground.scenarios.rates import Buckets
from simengine.importers.describe_text import describe_text
from simengine.scenario import DocumentError, to_plain
from simengine.scenario.limits import TIME_US_MAX

MSGPACK = "application/x-msgpack"
NODE_DIGITS_MAX = 12
TOO_MANY_ASKS = f"more than {ASKS_A_SECOND} requests a second about the past of runs; wait a moment"

_asks = Buckets(ASKS_A_SECOND, ASKS_BURST)


class TooOften(Exception):
    """Somebody asks more often than is allowed; the message gives the limit."""


NO_ROOM = (NoSuchRun, RoomEnded, RoomFull, RunFailed, EngineDied, TooOften, past.NotYet)


@require_GET
@ensure_csrf_cookie
def sandbox(request: HttpRequest) -> HttpResponse:
    """`/` and `/play`: this browser's sandbox, running; `?new=1` makes a fresh one."""
    browser = owner.browser(request.session)
    scenario = None if request.GET.get("new") else store.sandbox_of(browser)
    if scenario is None:
        if not replies.may_create(request, browser):
            return replies.refusal(replies.TOO_OFTEN, 429)
        if not replies.may_start_sandbox(request.META.get("REMOTE_ADDR", "")):
            return replies.refusal(replies.TOO_MANY_VISITORS, 429)
        scenario = new_sandbox(browser)
    return _page(request, scenario, browser)


@require_GET
@ensure_csrf_cookie
def playground(request: HttpRequest, scenario_id: str) -> HttpResponse:
    """`/s/<id>`: a stored document in the playground."""
    scenario = replies.find(scenario_id)
    if (answer := replies.missing(request, scenario)) is not None:
        return answer
    assert scenario is not None
    return _page(request, scenario, owner.browser(request.session))


def _page(request: HttpRequest, scenario: Scenario, browser: str) -> HttpResponse:
    room = RoomName.of(scenario.id, is_frozen=scenario.is_frozen, browser_key=browser)
    parent = scenario.parent
    boot = {
        "scenario": scenario.id,
        "room": str(room),
        "socket": f"/ws/room/{room}",
        "owner": owner.may_act(scenario, browser),
        "frozen": scenario.is_frozen,
        "moment_us": scenario.moment_us,
        "title": scenario.title,
        "change": scenario.change,
        "cut_us": scenario.cut_us,
        "parent": {"id": parent.id, "title": parent.title, "deleted": parent.is_deleted} if parent else None,
        "sandbox": scenario.source == Source.SANDBOX,
        "link": reverse("playground", args=[scenario.id]),
        "row_us": store.document_of(scenario).until_us if scenario.source == Source.WHAT_IF else None,
    }
    return render(request, "playground.html", {"scenario": scenario, "boot": boot, "still": _still(scenario)})


def _still(scenario: Scenario) -> dict[str, Any] | None:
    """What a page without scripts shows of a shared run beside its verdict: the actions up to its moment."""
    if scenario.verdict is None:
        return None
    done = [entry for entry in store.document_of(scenario).timeline if entry.at_us <= scenario.moment_us]
    return {"events": [{"t": seconds(entry.at_us), "text": str(entry.action)} for entry in done]}


@require_GET
async def snapshot(request: HttpRequest, room: str) -> HttpResponse:
    """`?at_us=`: the whole view at a past moment, as msgpack (`?as=json` for JSON)."""
    try:
        at_us = _microseconds(request, "at_us")
        view = await past.view_at(await _room(request, room), at_us)
    except ValueError as wrong:
        return replies.refusal(str(wrong), 400)
    except NO_ROOM as reason:
        return _no_room(reason)
    return _answer(request, view)


@require_GET
async def facts(request: HttpRequest, room: str) -> HttpResponse:
    """`?from_us=&to_us=`: decisive rows of a range; `&stream=flights|state` all rows, where they are still kept."""
    try:
        from_us, to_us = _microseconds(request, "from_us"), _microseconds(request, "to_us")
        rows = await past.rows(await _room(request, room), from_us, to_us, request.GET.get("stream", ""))
    except ValueError as wrong:
        return replies.refusal(str(wrong), 400)
    except NO_ROOM as reason:
        return _no_room(reason)
    return _answer(request, msgpack.packb(rows))


@require_GET
async def verdict(request: HttpRequest, room: str) -> HttpResponse:
    """The verdict of a room's run so far, or `?at_us=` a past moment, with the digest of all facts up to then."""
    try:
        live = await _room(request, room)
        at_us = _microseconds(request, "at_us", live.clock.t_us)
        return JsonResponse(await past.verdict_at(live, at_us))
    except ValueError as wrong:
        return replies.refusal(str(wrong), 400)
    except NO_ROOM as reason:
        return _no_room(reason)


@require_GET
async def metrics(request: HttpRequest, room: str) -> HttpResponse:
    """What JMX says, now or at `?at_us=`: of one process (`?node=`) with its partitions, or of all processes."""
    try:
        live = await _room(request, room)
        at_us = _microseconds(request, "at_us", live.clock.t_us)
        node = request.GET.get("node", "-1")
        if not node.removeprefix("-").isdecimal() or len(node) > NODE_DIGITS_MAX:
            raise ValueError(f"node is {node[:20]!r}; it is the id of a broker or controller")
        return JsonResponse({"t": at_us, "metrics": await past.metrics_at(live, at_us, int(node))})
    except ValueError as wrong:
        return replies.refusal(str(wrong), 400)
    except NO_ROOM as reason:
        return _no_room(reason)


@require_GET
async def describe(request: HttpRequest, scenario_id: str) -> HttpResponse:
    """`?at_us=`: the simulated state at a moment as `kafka-topics.sh --describe` prints it."""
    scenario = await sync_to_async(replies.find)(scenario_id)
    if scenario is None or scenario.is_deleted:
        return await sync_to_async(_missing)(request, scenario)
    try:
        _known_browser(request)
        at_us = _microseconds(request, "at_us", scenario.moment_us)
        document = await sync_to_async(store.document_of)(scenario)
        async with host().aside(to_plain(document), at_us) as run:
            view = msgpack.unpackb(await run.ask("view"), strict_map_key=False)
    except ValueError as wrong:
        return replies.refusal(str(wrong), 400)
    except NO_ROOM as reason:
        return _no_room(reason)
    return HttpResponse(describe_text(view), content_type="text/plain; charset=utf-8")


@require_GET
async def why(request: HttpRequest, scenario_id: str) -> HttpResponse:
    """`?at_us=`: the whole verdict at a moment, what decided each topic's loss (checked), and the chains to it."""
    scenario = await sync_to_async(replies.find)(scenario_id)
    if scenario is None or scenario.is_deleted:
        return await sync_to_async(_missing)(request, scenario)
    try:
        _known_browser(request)
        at_us = _microseconds(request, "at_us", scenario.moment_us)
        document = await sync_to_async(store.document_of)(scenario)
        return JsonResponse(await examining.examiner().examine(document, at_us))
    except ValueError as wrong:
        return replies.refusal(str(wrong), 400)
    except examining.NotExamined as reason:
        return replies.refusal(str(reason), 503)
    except NO_ROOM as reason:
        return _no_room(reason)


@require_POST
async def share(request: HttpRequest, scenario_id: str) -> HttpResponse:
    """POST {at_us, neutral} -> {id, url} of an immutable copy, opened at ``at_us``; ``neutral`` gives neutral names."""
    scenario = await sync_to_async(replies.find)(scenario_id)
    if scenario is None or scenario.is_deleted:
        return await sync_to_async(_missing)(request, scenario)
    browser = await sync_to_async(owner.browser)(request.session)
    if not replies.may_create(request, browser):
        return replies.refusal(replies.TOO_OFTEN, 429)
    try:
        at_us, is_neutral = _share_words(request.body)
        document = await sync_to_async(store.document_of)(scenario)
        if is_neutral:
            document = neutral.neutral(document)
        async with host().aside(to_plain(document), at_us) as run:
            digest, verdict_then = await run.ask("digest"), await run.ask("verdict")
        origin = None if is_neutral else scenario
        copy = await sync_to_async(store.share)(origin, document, at_us, digest, verdict_then, owner=browser)
    except DocumentError as error:
        return replies.problems(error)
    except (ValueError, store.StoreFull) as wrong:
        return replies.refusal(str(wrong), 400)
    except NO_ROOM as reason:
        return _no_room(reason)
    return scenario_views.made(copy)


@require_POST
async def carry_on(request: HttpRequest, scenario_id: str) -> HttpResponse:
    """POST {at_us} -> {id, url} of a new run that begins, at 0, in the state that this one has at ``at_us``."""
    scenario = await sync_to_async(replies.find)(scenario_id)
    if scenario is None or scenario.is_deleted:
        return await sync_to_async(_missing)(request, scenario)
    browser = await sync_to_async(owner.browser)(request.session)
    if not replies.may_create(request, browser):
        return replies.refusal(replies.TOO_OFTEN, 429)
    try:
        at_us, _ = _share_words(request.body)
        document = await sync_to_async(store.document_of)(scenario)
        async with host().aside(to_plain(document), at_us) as run:
            view = msgpack.unpackb(await run.ask("view"), strict_map_key=False)
        new = await sync_to_async(store.create)(
            carrying.document_from(document, view),
            owner=browser,
            origin=Source.CARRY_ON,
            parent=scenario,
            cut_us=at_us,
            change=f"carried on from the state at {at_us / 1e6:.3f} s",
        )
    except DocumentError as error:
        return replies.problems(error)
    except (ValueError, store.StoreFull) as wrong:
        return replies.refusal(str(wrong), 400)
    except NO_ROOM as reason:
        return _no_room(reason)
    return scenario_views.made(new)


@require_POST
async def delete(request: HttpRequest, scenario_id: str) -> HttpResponseBase:
    """The owner deletes a run; a room of it ends."""
    answer: HttpResponseBase = await sync_to_async(scenario_views.delete)(request, scenario_id)
    rooms = host_if_any()
    if answer.status_code < 400 and rooms is not None:
        await rooms.forget(scenario_id, replies.GONE)
    return answer


# --- inside ---


async def _room(request: HttpRequest, text: str) -> Any:
    name = RoomName.read(text)
    browser = _known_browser(request)
    if not name.is_open_to(browser):
        raise NoSuchRun("this room belongs to another browser; open the run's own link")
    return await host().room(name)


def _known_browser(request: HttpRequest) -> str:
    """The browser that asks, "" for an unknown one. Raises TooOften."""
    browser = owner.known_browser(request.session)  # a signed cookie: no database is asked
    if not _asks.take(browser or request.META.get("REMOTE_ADDR", "")):
        raise TooOften(TOO_MANY_ASKS)
    return browser


def _missing(request: HttpRequest, scenario: Scenario | None) -> HttpResponse:
    answer = replies.missing(request, scenario)
    assert answer is not None
    return answer


def _no_room(reason: Exception) -> HttpResponse:
    status = {NoSuchRun: 404, RoomFull: 503, EngineDied: 503, TooOften: 429}.get(type(reason), 409)
    return replies.refusal(str(reason), status)


def _answer(request: HttpRequest, packed: bytes) -> HttpResponse:
    if request.GET.get("as") == "json":
        return JsonResponse(msgpack.unpackb(packed, strict_map_key=False), safe=False)
    return HttpResponse(packed, content_type=MSGPACK)


def _microseconds(request: HttpRequest, place: str, default: int | None = None) -> int:
    value = request.GET.get(place, "" if default is None else str(default))
    if not (value.isascii() and value.isdigit() and len(value) < 16 and int(value) <= TIME_US_MAX):
        raise ValueError(f"{place} is {value[:40]!r}; allowed are whole microseconds from 0 to {TIME_US_MAX}")
    return int(value)


def _share_words(body: bytes) -> tuple[int, bool]:
    """at_us and neutral of a request. Raises ValueError in words."""
    try:
        words = json.loads(body or b"{}")
    except (ValueError, RecursionError):
        raise ValueError("the request is not JSON; allowed is {at_us: microseconds, neutral: true or false}") from None
    at_us = words.get("at_us") if isinstance(words, dict) else None
    if not isinstance(at_us, int) or isinstance(at_us, bool) or not 0 <= at_us <= TIME_US_MAX:
        raise ValueError(f"at_us is {at_us!r}; allowed are whole microseconds from 0 to {TIME_US_MAX}")
    return at_us, words.get("neutral") is True
