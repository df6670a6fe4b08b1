"""Commands that are read, commands that are refused in words, frames that are put together from packed rows."""

import json

import msgpack
import pytest

from playground.rooms import wire
from playground.rooms.limits import COMMAND_BYTES_MAX, COMMAND_DO_MAX, SPEED_MAX_US
from playground.rooms.streams import pack_rows


def test_an_action_is_read() -> None:
    command = wire.read_command('{"id": 3, "cmd": "act", "do": "kill 2", "shown_us": 12, "nonce": "a"}')
    assert (command.cmd, command.id, command.do, command.shown_us, command.nonce) == ("act", 3, "kill 2", 12, "a")


def test_automatic_speed_is_zero() -> None:
    assert wire.read_command('{"cmd": "speed", "value": "auto"}').speed_us == 0


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("", "frame"),
        ("{", "frame"),
        ("[]", "frame"),
        ("[" * 3000, "frame"),
        ('{"cmd": "fly"}', "cmd"),
        ('{"cmd": ["act"]}', "cmd"),
        ('{"id": -1, "cmd": "play"}', "id"),
        ('{"id": true, "cmd": "play"}', "id"),
        ('{"cmd": "act"}', "do"),
        ('{"cmd": "act", "do": ""}', "do"),
        ('{"cmd": "act", "do": "kill 2", "shown_us": 1.5}', "shown_us"),
        ('{"cmd": "act", "do": "kill 2", "nonce": 7}', "nonce"),
        ('{"cmd": "speed", "value": 0}', "value"),
        (f'{{"cmd": "speed", "value": {SPEED_MAX_US + 1}}}', "value"),
        ('{"cmd": "stream", "value": "all"}', "value"),
        ('{"cmd": "step", "to": "end"}', "to"),
        ('{"cmd": "have", "seq": "x"}', "seq"),
    ],
)
def test_a_bad_frame_is_refused_with_its_place(text: str, place: str) -> None:
    with pytest.raises(wire.BadCommand) as caught:
        wire.read_command(text)
    assert caught.value.place == place
    assert caught.value.allowed


def test_a_binary_frame_is_refused() -> None:
    with pytest.raises(wire.BadCommand, match="JSON text frame"):
        wire.read_command(None, b"\x00")


def test_a_frame_over_the_limit_is_refused() -> None:
    with pytest.raises(wire.BadCommand, match=str(COMMAND_BYTES_MAX)):
        wire.read_command(json.dumps({"cmd": "play", "x": "y" * COMMAND_BYTES_MAX}))


def test_an_action_over_the_limit_is_refused() -> None:
    with pytest.raises(wire.BadCommand, match=str(COMMAND_DO_MAX)):
        wire.read_command(json.dumps({"cmd": "act", "do": "k" * (COMMAND_DO_MAX + 1)}))


def test_a_bad_command_with_an_id_is_answered_under_that_id() -> None:
    with pytest.raises(wire.BadCommand) as caught:
        wire.read_command('{"id": 9, "cmd": "fly"}')
    frame = msgpack.unpackb(wire.bad(caught.value))
    assert (frame["k"], frame["id"], frame["place"]) == ("refused", 9, "cmd")


def test_rows_packed_once_stand_in_the_frame_as_they_were() -> None:
    rows: list[list[object]] = [[1, 2, 3, 0, [4, 5], "kill 2"], [2, 2, 64, 0, -1]]
    clock = {"playing": True, "speed": "auto", "t": 2, "true_speed": 0}
    packed = wire.facts(2, pack_rows(rows), from_seq=0, seq=2, t_us=2, clock=clock)
    assert msgpack.unpackb(packed) == {"k": "facts", "f": rows, "from": 0, "seq": 2, "t": 2, "clock": clock}
