"""The words of a room's socket: frames to the browser as msgpack maps, commands from it as small JSON texts.

Pure: bytes and values, no sockets. A frame of facts is put together from rows that were packed once for all viewers.
"""

import json
from dataclasses import dataclass
from typing import Any, Final

import msgpack

from playground.rooms.limits import COMMAND_BYTES_MAX, COMMAND_DO_MAX, SPEED_MAX_US, SPEED_MIN_US
from playground.rooms.streams import STREAMS
from playground.scenarios.wrong_value import WrongValue
from simengine.scenario.limits import TIME_US_MAX

AUTO: Final = "auto"
EVENT: Final = "event"
FACT: Final = "fact"
PING: Final = "ping"  # answered at once, whatever the room is at
COMMANDS: Final = ("act", "play", "pause", "speed", "ease", "step", "reach", "stream", "resync", "have", PING)
ID_MAX: Final = 2**53 - 1
NONCE_MAX: Final = 40

Clock = dict[str, Any]


@dataclass(frozen=True)
class RoomCommand:
    """One checked command. Fields that a command has no use for keep their defaults."""

    cmd: str
    id: int | None = None
    do: str = ""
    shown_us: int | None = None
    seen_us: int | None = None  # of the newest action in the picture that was acted on
    nonce: str | None = None
    speed_us: int = 0  # 0: automatic
    eases: bool = False
    to: str = EVENT
    stream: str = ""
    seq: int = 0
    t_us: int = 0


class BadCommand(WrongValue):
    """A frame that is no command: where it is wrong, the value, and what is allowed. ``id`` if it could be read."""

    def __init__(self, place: str, value: object, allowed: str, command_id: int | None = None) -> None:
        super().__init__(place, value, allowed)
        self.id = command_id


def read_command(text: str | None, data: bytes | None = None) -> RoomCommand:
    """The command in one frame from the browser. Raises BadCommand."""
    if text is None:
        raise BadCommand("frame", f"{len(data or b'')} bytes", "a JSON text frame")
    if len(text.encode("utf-8", "surrogatepass")) > COMMAND_BYTES_MAX:
        raise BadCommand("frame", f"{len(text)} characters", f"at most {COMMAND_BYTES_MAX} bytes")
    try:
        words = json.loads(text)
    except (ValueError, RecursionError):
        raise BadCommand("frame", text[:40], "one JSON object") from None
    if not isinstance(words, dict):
        raise BadCommand("frame", words, "one JSON object")
    command_id = _integer(words, "id", 0, ID_MAX, None, None)
    cmd = words.get("cmd")
    if cmd not in COMMANDS:
        raise BadCommand("cmd", cmd, ", ".join(COMMANDS), command_id)
    return _read_rest(str(cmd), words, command_id)


def _read_rest(cmd: str, words: dict[str, Any], command_id: int | None) -> RoomCommand:
    if cmd == "act":
        return RoomCommand(
            cmd,
            command_id,
            do=_text(words, "do", COMMAND_DO_MAX, command_id),
            shown_us=_integer(words, "shown_us", 0, TIME_US_MAX, command_id, None),
            seen_us=_integer(words, "seen_us", 0, TIME_US_MAX, command_id, None),
            nonce=_text(words, "nonce", NONCE_MAX, command_id) if words.get("nonce") is not None else None,
        )
    if cmd == "speed":
        return RoomCommand(cmd, command_id, speed_us=speed_us("value", words.get("value"), command_id))
    if cmd == "ease":
        return RoomCommand(cmd, command_id, eases=_yes_or_no(words.get("value"), command_id))
    if cmd == "step":
        return RoomCommand(cmd, command_id, to=_one_of(words.get("to", EVENT), (EVENT, FACT), "to", command_id))
    if cmd == "reach":
        return RoomCommand(cmd, command_id, t_us=_moment(words, command_id))
    if cmd == "stream":
        return RoomCommand(cmd, command_id, stream=_one_of(words.get("value"), STREAMS, "value", command_id))
    if cmd == "have":
        seq = _integer(words, "seq", 0, ID_MAX, command_id, 0)
        return RoomCommand(cmd, command_id, seq=seq or 0, t_us=_integer(words, "t", 0, TIME_US_MAX, command_id, 0) or 0)
    return RoomCommand(cmd, command_id)


def speed_us(place: str, value: object, command_id: int | None = None) -> int:
    """A speed that somebody asks for; 0 is automatic. Raises BadCommand."""
    if value == AUTO:
        return 0
    if isinstance(value, int) and not isinstance(value, bool) and SPEED_MIN_US <= value <= SPEED_MAX_US:
        return value
    allowed = f'"auto", or {SPEED_MIN_US} to {SPEED_MAX_US} simulated microseconds a second'
    raise BadCommand(place, value, allowed, command_id)


def _yes_or_no(value: object, command_id: int | None) -> bool:
    if isinstance(value, bool):
        return value
    raise BadCommand("value", value, "true or false", command_id)


def _moment(words: dict[str, Any], command_id: int | None) -> int:
    at_us = _integer(words, "t", 0, TIME_US_MAX, command_id, None)
    if at_us is None:
        raise BadCommand("t", None, f"a moment in microseconds, from 0 to {TIME_US_MAX}", command_id)
    return at_us


def _integer(
    words: dict[str, Any], place: str, low: int, high: int, command_id: int | None, default: int | None
) -> int | None:
    value = words.get(place)
    if value is None:
        return default
    if isinstance(value, int) and not isinstance(value, bool) and low <= value <= high:
        return value
    raise BadCommand(place, value, f"a whole number from {low} to {high}", command_id)


def _text(words: dict[str, Any], place: str, most: int, command_id: int | None) -> str:
    value = words.get(place)
    if isinstance(value, str) and 0 < len(value) <= most:
        return value
    raise BadCommand(place, value, f"a text of 1 to {most} characters", command_id)


def _one_of(value: object, allowed: tuple[str, ...], place: str, command_id: int | None) -> str:
    if isinstance(value, str) and value in allowed:
        return value
    raise BadCommand(place, value, ", ".join(allowed), command_id)


# --- to the browser ---


def hello(room: str, fields: dict[str, Any], packed: dict[str, bytes]) -> bytes:
    """The first frame: what this viewer looks at and what it may do. ``packed`` fields were packed once for all."""
    return _frame_around("hello", {"room": room, **fields}, packed)


def loading(t_us: int, until_us: int) -> bytes:
    """The room is on its way to ``until_us``, by replay or ahead, and has come to ``t_us``."""
    return _frame("loading", t=t_us, until=until_us)


def snap(packed_view: bytes, clock: Clock, *, is_back: bool = False) -> bytes:
    """A whole view; ``back``: the run went back, what was after it has not happened."""
    return _frame_around("snap", {"clock": clock, "back": is_back}, {"view": packed_view})


def facts(number: int, rows: bytes, *, from_seq: int, seq: int, t_us: int, clock: Clock) -> bytes:
    """Rows (packed one after another) that lead from fact ``from_seq`` to ``seq`` and to time ``t_us``."""
    fields = {"t": t_us, "from": from_seq, "seq": seq, "clock": clock}
    return _frame_around("facts", fields, {"f": msgpack.Packer().pack_array_header(number) + rows})


def clock(clock_now: Clock) -> bytes:
    """The clock changed."""
    return _frame("clock", **clock_now)


def watches(reason: str) -> bytes:
    """This viewer may no longer act nor steer, and why."""
    return _frame("watches", reason=reason)


def people(here: int, *, has_owner: bool) -> bytes:
    """The message about the people in the room: the number of browsers, and whether one of them may act."""
    return _frame("people", here=here, owner=has_owner)


def ack(command_id: int | None, at_us: int, seq: int, said: str = "") -> bytes:
    """A command was done; an action is stored and happened at ``at_us``. ``said``: what a person should know of it."""
    return _frame("ack", id=command_id, at_us=at_us, seq=seq, said=said)


def pong(is_in: bool) -> bytes:
    """The socket is there; ``is_in``: so is its room, which has greeted the viewer."""
    return _frame("pong", is_in=is_in)


def refused(command_id: int | None, reason: str) -> bytes:
    """A command was not done."""
    return _frame("refused", id=command_id, reason=reason)


def bad(wrong: BadCommand) -> bytes:
    """A frame could not be read; the connection and the room go on."""
    return _frame(
        "refused" if wrong.id is not None else "error",
        id=wrong.id,
        reason=str(wrong),
        place=wrong.place,
        value=wrong.value,
        allowed=wrong.allowed,
    )


def error(reason: str) -> bytes:
    """Something went wrong that is no answer to a command."""
    return _frame("error", reason=reason)


def end(kind: str, reason: str, t_us: int) -> bytes:
    """The room goes no further than ``t_us``; kind: limit, failed, deleted, full, refused."""
    return _frame("end", kind=kind, reason=reason, t=t_us)


def _frame(k: str, /, **fields: Any) -> bytes:
    packed: bytes = msgpack.packb({"k": k, **fields})
    return packed


def _frame_around(k: str, fields: dict[str, Any], packed: dict[str, bytes]) -> bytes:
    """A frame some of whose values are packed already."""
    packer = msgpack.Packer(autoreset=False)
    packer.pack_map_header(1 + len(fields) + len(packed))
    for key, value in (("k", k), *fields.items()):
        packer.pack(key)
        packer.pack(value)
    parts = [packer.bytes()]
    for key, data in packed.items():
        parts += [msgpack.packb(key), data]
    return b"".join(parts)
