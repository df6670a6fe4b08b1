"""Common parts of the views of rooms: the visitor, the run or room, and every refusal in words."""

import json
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from asgiref.sync import sync_to_async
from django.http import HttpRequest, HttpResponseBase

from playground.engine.engine import EngineDied, RunFailed, RunRefused
from playground.engine.refusals import NotAnswered
from playground.rooms import past, wire
from playground.rooms.evict_rooms import RoomFull
from playground.rooms.host import RoomRunTooLong, host
from playground.rooms.limits import (
    ASKS_A_SECOND,
    ASKS_AN_ADDRESS_A_SECOND,
    ASKS_AN_ADDRESS_BURST,
    ASKS_BURST,
    REQUEST_BYTES_MAX,
)
from playground.rooms.live_run import RoomEnded
from playground.rooms.names import RoomName
from playground.rooms.room import Room
from playground.rooms.storage import NoSuchRun
from playground.scenarios import owner, replies, store
from playground.scenarios.later import CHOICES, KEEP
from playground.scenarios.query import MOMENT_ALLOWED
from playground.scenarios.rates import Rate, VisitorRates
from playground.scenarios.wrong_value import MissingValue, WrongValue
from simengine.scenario import DocumentError
from simengine.scenario.limits import TIME_US_MAX

TOO_MANY_ASKS = (
    f"more than {ASKS_A_SECOND} requests a second of one browser about the past of runs, or "
    f"{ASKS_AN_ADDRESS_A_SECOND} of one address; wait a moment"
)

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], Coroutine[Any, Any, HttpResponseBase]]

_asks = VisitorRates(Rate(ASKS_A_SECOND, ASKS_BURST), Rate(ASKS_AN_ADDRESS_A_SECOND, ASKS_AN_ADDRESS_BURST))


class TooOften(Exception):
    """Somebody asks more often than is allowed; the message gives the limit."""


STATUS: dict[type[Exception], int] = {
    NoSuchRun: 404,
    RoomEnded: 409,
    RunFailed: 409,
    RoomRunTooLong: 409,
    RunRefused: 409,
    past.NotYet: 409,
    past.TooManyFacts: 413,
    TooOften: 429,
    RoomFull: 503,
    EngineDied: 503,
}


def in_words(view: View[P]) -> View[P]:
    """The view, with every reason against what was asked as JSON with its status."""

    @wraps(view)
    async def asked(request: HttpRequest, /, *arguments: P.args, **named: P.kwargs) -> HttpResponseBase:
        try:
            return await view(request, *arguments, **named)
        except DocumentError as error:
            return replies.problems(error)
        except tuple(STATUS) as reason:
            return replies.refusal(str(reason), STATUS[type(reason)])
        except NotAnswered as refused:
            return replies.refusal(str(refused), refused.status)
        except WrongValue as wrong:
            return replies.wrong(wrong)
        except (ValueError, store.StoreFull) as reason:
            return replies.refusal(str(reason), 400)

    return asked


async def room_of(request: HttpRequest, text: str) -> Room:
    """The room of this name, for the browser that asks. Raises NoSuchRun, TooOften and what opening a room raises."""
    name = RoomName.read(text)
    if not name.is_open_to(known_browser(request)):
        raise NoSuchRun("this room belongs to another browser; open the run's own link")
    return await host().room(name, replies.visitor(request))


def known_browser(request: HttpRequest) -> str:
    """The browser that asks, "" for an unknown one. Raises TooOften."""
    visitor = replies.visitor(request)  # by a signed cookie: no database is asked
    if not _asks.take(visitor):
        raise TooOften(TOO_MANY_ASKS)
    return visitor.browser


async def maker(request: HttpRequest) -> owner.Maker:
    """The maker of a new run. Raises TooOften."""
    by: owner.Maker = await sync_to_async(owner.maker)(request)
    if not replies.may_create(request, by.browser):
        raise TooOften(replies.TOO_OFTEN)
    return by


def share_words(body: bytes) -> tuple[int, bool]:
    """at_us and neutral of a request. Raises WrongValue."""
    words = _words(body, "{at_us: microseconds, neutral: true or false}")
    return _moment(words), words.get("neutral") is True


@dataclass(frozen=True)
class Wish:
    """The moment from which a new run goes on, its action, and the speed of its clock: 0 is automatic, None not chosen.

    ``later``: the choice for the actions that came after it. ``is_shown``: somebody was shown the microsecond before
    ``at_us``; the facts of that microsecond stay, as with a live action.
    """

    at_us: int
    do: str
    speed_us: int | None
    is_shown: bool
    later: str = KEEP


def fork_words(body: bytes) -> Wish:
    """The wish in a request for a new run. Raises WrongValue."""
    allowed = "{at_us or shown_us: microseconds, do: an action, later: keep or drop, speed: auto or us a second}"
    words = _words(body, allowed)
    do, speed, later = words.get("do", ""), words.get("speed"), words.get("later", KEEP)
    if not isinstance(do, str):
        raise WrongValue("do", do, "the text of an action, such as kill 2, or nothing")
    if later not in CHOICES:
        raise WrongValue("later", later, " and ".join(CHOICES))
    is_shown = "shown_us" in words
    at_us = _moment(words, "shown_us" if is_shown else "at_us") + is_shown
    return Wish(at_us, do, None if speed is None else wire.speed_us("speed", speed), is_shown, later)


def _words(body: bytes, allowed: str) -> dict[str, Any]:
    if len(body) > REQUEST_BYTES_MAX:
        raise WrongValue("request", f"{len(body)} bytes", f"at most {REQUEST_BYTES_MAX // 1024} KiB")
    try:
        words: Any = json.loads(body or b"{}")
    except (ValueError, RecursionError):
        raise WrongValue("request", body[:40].decode(errors="replace"), allowed) from None
    if not isinstance(words, dict):
        raise WrongValue("request", words, allowed)
    return words


def _moment(words: dict[str, Any], key: str = "at_us") -> int:
    if key not in words:
        raise MissingValue(key, MOMENT_ALLOWED)
    at_us = words[key]
    if not isinstance(at_us, int) or isinstance(at_us, bool) or not 0 <= at_us <= TIME_US_MAX:
        raise WrongValue(key, at_us, MOMENT_ALLOWED)
    return at_us
