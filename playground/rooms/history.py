"""What a room keeps of its past for scrubbing: keyframes (whole views) and, while memory lasts, all facts since each.

A view at any moment is a keyframe with the facts up to that moment folded in. Facts that are no longer kept come
back by replay (``playground.rooms.run``); keyframes are thinned, never lost altogether.
"""

import zlib
from bisect import bisect_right
from dataclasses import dataclass, field
from typing import Any

import msgpack

from playground.rooms.limits import HISTORY_BYTES_MAX, KEYFRAME_EVERY_US, KEYFRAMES_MAX
from playground.rooms.streams import Row, unpack_rows

View = dict[str, Any]


@dataclass
class Segment:
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

    def bytes_of_facts(self) -> int:
        """Bytes of the facts as they are packed, or pressed together."""
        return len(self.packed) + sum(len(part) for part in self.parts or ())

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
        """Whether the facts up to ``until_us`` are here."""
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
        self.segments: list[Segment] = []
        self.every_us = KEYFRAME_EVERY_US
        self.bytes_kept = 0
        self.add_keyframe(view)

    def is_keyframe_due(self, t_us: int) -> bool:
        """Whether a keyframe should be taken at ``t_us``."""
        return t_us - self.segments[-1].t_us >= self.every_us

    def add_keyframe(self, view: View) -> None:
        """Open a segment: ``add`` is called for all facts after it, or ``reached_without_facts``."""
        if self.segments:
            self.segments[-1].close()
        packed = zlib.compress(msgpack.packb(view), 1)
        self.segments.append(Segment(view["t"], view["seq"], packed, view["t"]))
        if len(self.segments) > KEYFRAMES_MAX:
            self._thin()
        self._hold_limit()

    def add(self, part: bytes, until_us: int) -> None:
        """Packed rows of the open segment, complete up to ``until_us``."""
        segment = self.segments[-1]
        if segment.parts is not None:
            segment.parts.append(part)
        segment.until_us = until_us

    def reached_without_facts(self, until_us: int) -> None:
        """The run went on to ``until_us`` and its facts were not kept."""
        self.segments[-1].forget_facts()
        self.segments[-1].until_us = until_us

    def at(self, t_us: int) -> Segment:
        """The newest segment whose keyframe is not after ``t_us``."""
        index = bisect_right(self.segments, t_us, key=lambda segment: segment.t_us)
        return self.segments[max(0, index - 1)]

    def cut_after(self, t_us: int) -> None:
        """Forget what was after ``t_us``: the run went back."""
        self.segments = [segment for segment in self.segments if segment.t_us <= t_us] or self.segments[:1]
        last = self.segments[-1]
        if last.until_us > t_us:
            last.forget_facts()
            last.until_us = t_us

    def _thin(self) -> None:
        self.every_us *= 2
        kept: list[Segment] = []
        for segment in self.segments[:-1]:
            if kept and segment.t_us - kept[-1].t_us < self.every_us:
                kept[-1].forget_facts()  # its facts end at the keyframe that goes
                kept[-1].until_us = segment.until_us
            else:
                kept.append(segment)
        self.segments = [*kept, self.segments[-1]]

    def _hold_limit(self) -> None:
        total = sum(segment.bytes_kept() for segment in self.segments)
        for segment in self.segments[:-1]:
            if total <= HISTORY_BYTES_MAX:
                break
            total -= len(segment.packed)
            segment.forget_facts()
        self.bytes_kept = total
