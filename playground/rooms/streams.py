"""The three streams of a room, from rows of facts to bytes.

``flights`` is everything. ``state`` leaves out what no view holds: the flights themselves. ``summary`` keeps the last
value of a field between two decisive facts. A fold of any of the three ends equal to the snapshot.
"""

from typing import Final

import msgpack

from simengine.facts import kinds

FLIGHTS: Final = "flights"
STATE: Final = "state"
SUMMARY: Final = "summary"
STREAMS: Final = (FLIGHTS, STATE, SUMMARY)

Row = list[object]

_NOT_IN_VIEW: Final = (kinds.FLIGHT, kinds.FLIGHT_ENDED, kinds.DELIVERED)
# the part of a row that names the field that a fact sets; the last fact of a field stands for all before it
_FIELD_VALUES: Final = {
    kinds.HW_MOVED: slice(4, 6),
    kinds.CONSUMER_MOVED: slice(4, 6),
    kinds.PRODUCER_QUEUE: slice(4, 6),
    kinds.HEARTBEAT_NOTED: slice(4, 5),
    kinds.START_MOVED: slice(4, 6),
    kinds.METADATA_MOVED: slice(5, 6),
    kinds.OFFSET_COMMITTED: slice(4, 6),
}


def pack_rows(rows: list[Row]) -> bytes:
    """Rows one after another, without a header; a frame puts the number of rows before them."""
    packer = msgpack.Packer(autoreset=False)
    for row in rows:
        packer.pack(row)
    packed: bytes = packer.bytes()
    return packed


def unpack_rows(data: bytes) -> list[Row]:
    """The rows that ``pack_rows`` packed."""
    unpacker = msgpack.Unpacker(max_buffer_size=0, strict_map_key=False)
    unpacker.feed(data)
    return list(unpacker)


def state_rows(rows: list[Row]) -> list[Row]:
    """The rows that change a view."""
    return [row for row in rows if row[2] not in _NOT_IN_VIEW]


def summary_rows(rows: list[Row]) -> list[Row]:
    """The fewest rows whose fold ends in the same view; decisive rows all stay, in their order."""
    kept: list[Row] = []
    waiting: dict[tuple[object, ...], Row] = {}
    for row in rows:
        kind = row[2]
        assert isinstance(kind, int)
        if kind < kinds.FIRST_TRAFFIC:
            kept.extend(_in_order(waiting))
            waiting = {}
            kept.append(row)
        elif kind not in _NOT_IN_VIEW:
            _merge(waiting, row, kind)
    kept.extend(_in_order(waiting))
    return kept


def _in_order(waiting: dict[tuple[object, ...], Row]) -> list[Row]:
    return sorted(waiting.values(), key=_seq)


def _seq(row: Row) -> int:
    seq = row[0]
    assert isinstance(seq, int)
    return seq


def _merge(waiting: dict[tuple[object, ...], Row], row: Row, kind: int) -> None:
    if kind in _FIELD_VALUES:
        waiting[(kind, *row[_FIELD_VALUES[kind]])] = row
        return
    key = (kind, row[4], row[5])
    before = waiting.get(key)
    joined = _join(before, row, kind) if before is not None else row
    if joined is None:
        assert before is not None
        waiting[(*key, before[0])] = before  # cannot be joined: both stay
        joined = row
    waiting[key] = joined


def _join(before: Row, row: Row, kind: int) -> Row | None:
    """One row that says what both say, or None where that cannot be said."""
    if kind == kinds.APPENDED:
        return _join_runs(before, row, base=6, count=7, same=(8, 9))
    if kind == kinds.CALLS_SETTLED:
        return _join_calls(before, row)
    return None


def _join_runs(before: Row, row: Row, base: int, count: int, same: tuple[int, ...]) -> Row | None:
    first, number, more = before[base], before[count], row[count]
    assert isinstance(first, int) and isinstance(number, int) and isinstance(more, int)
    if first + number != row[base] or any(before[i] != row[i] for i in same):
        return None
    joined = list(row)
    joined[base], joined[count] = first, number + more
    joined[10:] = before[10:]  # the number of the first call
    return joined


def _join_calls(before: Row, row: Row) -> Row | None:
    """Calls n, count, offset, epoch, error: joined while offsets and calls follow each other."""
    (n0, count0, offset0, *how0), (n1, count1, offset1, *how1) = before[6:], row[6:]
    assert isinstance(n0, int) and isinstance(count0, int) and isinstance(offset0, int)
    assert isinstance(count1, int) and isinstance(offset1, int)
    is_next = n0 + count0 == n1 and (offset0 + count0 == offset1 or offset0 == offset1 == -1)
    if not is_next or how0 != how1:
        return None
    return [*row[:6], n0, count0 + count1, offset0, *how0]
