"""The newest past of a room, kept for scrubbing: keyframes (whole views) with all facts since each.

A view at a moment is the keyframe before it with the facts up to that moment folded in. Moments that are no longer
kept come back by replay (``playground.rooms.run``).
"""

import zlib
from bisect import bisect_right
from dataclasses import dataclass, field
from typing import Any

import msgpack

from playground.rooms.limits import FOLD_BYTES_MAX, KEYFRAME_EVERY_US, OPEN_SEGMENT_BYTES_MAX
from playground.rooms.streams import Row, unpack_rows

View = dict[str, Any]


@dataclass
class HistorySegment:
    """A keyframe and the packed facts after it, up to ``until_us``. ``facts`` is None where they are not kept."""

    t_us: int
    seq: int
    view: bytes
    until_us: int
    parts: list[bytes] | None = field(default_factory=list)
    packed: bytes = b""

    def bytes_kept(self) -> int:
        """Bytes of this segment in memory."""
        return len(self.view) + len(self.packed) + sum(len(part) for part in self.parts or ())

    def has_view_at(self, at_us: int) -> bool:
        """True if this segment can give the view at a moment: its facts are here, and not too many to be folded."""
        is_foldable = self.bytes_kept() - len(self.view) <= FOLD_BYTES_MAX
        return self.has_facts() and at_us <= self.until_us and is_foldable

    def close(self) -> None:
        """Press the facts together: nothing will be added."""
        if self.parts is not None:
            self.packed = zlib.compress(b"".join(self.parts), 1)
            self.parts = []

    def forget_facts(self) -> None:
        """Keep the keyframe alone."""
        self.parts = None
        self.packed = b""

    def has_facts(self) -> bool:
        """True if the facts up to ``until_us`` are here."""
        return self.parts is not None

    def rows(self) -> list[Row]:
        """The facts after the keyframe, in order."""
        assert self.parts is not None
        closed = unpack_rows(zlib.decompress(self.packed)) if self.packed else []
        return closed + unpack_rows(b"".join(self.parts))

    def load_view(self) -> View:
        """The keyframe."""
        view: View = msgpack.unpackb(zlib.decompress(self.view), strict_map_key=False)
        return view


class History:
    """Segments in order of time; the last one is open."""

    def __init__(self, view: View) -> None:
        self.segments: list[HistorySegment] = []
        self._open_bytes = 0  # of the facts of the open segment
        self.add_keyframe(view, 0)

    def is_keyframe_due(self, t_us: int) -> bool:
        """True if a keyframe should be taken at ``t_us``."""
        return t_us - self.segments[-1].t_us >= KEYFRAME_EVERY_US

    def add_keyframe(self, view: View, bytes_max: int) -> None:
        """Open a segment; the closed ones keep at most ``bytes_max``, the oldest go first.

        ``add`` is called for all facts after it, or ``reached_without_facts``.
        """
        if self.segments:
            self.segments[-1].close()
        self._hold_limit(bytes_max)
        packed = zlib.compress(msgpack.packb(view), 1)
        self.segments.append(HistorySegment(view["t"], view["seq"], packed, view["t"]))
        self._open_bytes = 0

    def add(self, part: bytes, until_us: int) -> None:
        """Packed rows of the open segment, complete up to ``until_us``."""
        segment = self.segments[-1]
        self._open_bytes += len(part)
        if self._open_bytes > OPEN_SEGMENT_BYTES_MAX:
            segment.forget_facts()
        elif segment.parts is not None:
            segment.parts.append(part)
        segment.until_us = until_us

    def reached_without_facts(self, until_us: int) -> None:
        """The run went on to ``until_us`` and its facts were not kept."""
        self.segments[-1].forget_facts()
        self.segments[-1].until_us = until_us

    def since(self, t_us: int) -> list[HistorySegment]:
        """The newest segment whose keyframe is not after ``t_us``, and those after it; none where it is not kept."""
        index = bisect_right(self.segments, t_us, key=lambda segment: segment.t_us)
        return self.segments[index - 1 :] if index else []

    def bytes_kept(self) -> int:
        """Bytes of all segments in memory."""
        return sum(segment.bytes_kept() for segment in self.segments)

    def _hold_limit(self, bytes_max: int) -> None:
        total = self.bytes_kept()
        first = 0
        while first < len(self.segments) and total > bytes_max:
            total -= self.segments[first].bytes_kept()
            first += 1
        del self.segments[:first]
