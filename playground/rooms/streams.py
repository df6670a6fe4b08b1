"""The three streams of a room, from rows of facts to bytes.

``flights`` is everything. ``state`` leaves out what no view holds: the flights themselves. ``summary`` keeps the last
value of a field between two decisive facts. A fold of any of the three ends equal to the snapshot.
"""

from typing import Final

import msgpack

from simengine.facts import kinds
from simengine.facts.reading import key_of
from simengine.facts.traffic import Appended, CallsSettled

FLIGHTS: Final = "flights"
STATE: Final = "state"
SUMMARY: Final = "summary"
STREAMS: Final = (FLIGHTS, STATE, SUMMARY)

Row = list[object]

_NOT_IN_VIEW: Final = (kinds.FLIGHT, kinds.FLIGHT_ENDED, kinds.DELIVERED)
# what names the field of a view that a fact sets; the last fact of a field stands for all before it
_FIELD_OF: Final = {
    kinds.HW_MOVED: key_of("HwMoved", "broker", "p"),
    kinds.CONSUMER_MOVED: key_of("ConsumerMoved", "client", "p"),
    kinds.PRODUCER_QUEUE: key_of("ProducerQueue", "client", "p"),
    kinds.HEARTBEAT_NOTED: key_of("HeartbeatNoted", "broker"),
    kinds.START_MOVED: key_of("StartMoved", "broker", "p"),
    kinds.METADATA_MOVED: key_of("MetadataMoved", "cluster"),
    kinds.OFFSET_COMMITTED: key_of("OffsetCommitted", "client", "p"),
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
    if kind in _FIELD_OF:
        waiting[kind, _FIELD_OF[kind](row)] = row
        return
    if kind not in _JOINED:
        waiting[kind, _seq(row)] = row
        return
    owner, join = _JOINED[kind]
    key = (kind, owner(row))
    before = waiting.get(key)
    joined = row if before is None else join(before, row)
    if joined is None:
        assert before is not None
        waiting[(*key, _seq(before))] = before  # cannot be joined: both stay
        joined = row
    waiting[key] = joined


def _join_appends(first: Row, then: Row) -> Row | None:
    """One row for appends that follow each other; None where they do not."""
    a, b = Appended.read(first), Appended.read(then)
    if a.base + a.count != b.base or a.epoch != b.epoch or a.client != b.client:
        return None
    count = a.count + b.count
    whole = Appended(
        b.seq, b.t, broker=b.broker, p=b.p, base=a.base, count=count, epoch=b.epoch, client=b.client, n=a.n
    )
    return whole.row()


def _join_calls(first: Row, then: Row) -> Row | None:
    """One row for calls whose numbers and offsets follow each other; None where they do not."""
    a, b = CallsSettled.read(first), CallsSettled.read(then)
    is_next = a.n + a.count == b.n and (a.offset + a.count == b.offset or a.offset == b.offset == -1)
    if not is_next or a.epoch != b.epoch or a.error != b.error:
        return None
    whole = CallsSettled(
        b.seq,
        b.t,
        client=b.client,
        p=b.p,
        n=a.n,
        count=a.count + b.count,
        offset=a.offset,
        epoch=b.epoch,
        error=b.error,
    )
    return whole.row()


_JOINED: Final = {
    kinds.APPENDED: (key_of("Appended", "broker", "p"), _join_appends),
    kinds.CALLS_SETTLED: (key_of("CallsSettled", "client", "p"), _join_calls),
}
