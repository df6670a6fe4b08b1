"""The viewers of one room. Bytes are made once and given to all; a viewer that falls behind gets a snapshot."""

import asyncio
from collections import deque
from collections.abc import Iterable

from playground.engine.turns import Holder
from playground.rooms.limits import VIEWER_BYTES_MAX, VIEWER_FRAMES_MAX
from playground.rooms.streams import FLIGHTS


class Viewer:
    """One connection: frames that wait to be sent, and whether it needs a snapshot before the next ones."""

    def __init__(self, browser: str = "", *, address: str = "", may_act: bool = False, may_steer: bool = False) -> None:
        self.browser = browser
        self.address = address
        self.may_act = may_act  # may add actions
        self.may_steer = may_steer  # may play, pause, step, set the speed
        self.stream = FLIGHTS
        self.needs_snapshot = True
        self.is_closed = False
        self.is_gone = False  # its socket has ended: nothing more is computed for it
        self.snapshots_instead = 0  # times it fell behind
        self._queue: deque[tuple[bool, bytes]] = deque()  # (may be dropped, frame), in the order given
        self._droppable = 0
        self._bytes = 0  # of droppable frames
        self._wake = asyncio.Event()

    def visitor(self) -> Holder:
        """The visitor behind the connection."""
        return Holder(self.address, self.browser)

    def leave_to(self, browser: str) -> bool:
        """Only ``browser`` may act from now on; whether that takes this viewer's right away."""
        loses = self.may_act and self.browser != browser
        if loses:
            self.may_act = self.may_steer = False
        return loses

    def give(self, frame: bytes) -> None:
        """A frame of the stream. Over the bound all waiting frames go and a snapshot will come in their place."""
        if self.needs_snapshot:
            return
        is_over_bytes = self._droppable > 0 and self._bytes + len(frame) > VIEWER_BYTES_MAX
        if self._droppable >= VIEWER_FRAMES_MAX or is_over_bytes:
            self._drop_backlog()
            self.needs_snapshot = True
            self.snapshots_instead += 1
            return
        self._put(frame)

    def give_snapshot(self, frame: bytes) -> None:
        """A whole view: what waits is out of date."""
        self._drop_backlog()
        self.needs_snapshot = False
        self._put(frame)

    def tell(self, frame: bytes) -> None:
        """An answer or a notice: never dropped; few, by the rate limit."""
        self._queue.append((False, frame))
        self._wake.set()

    def is_idle(self) -> bool:
        """True if everything given was taken: a snapshot now would be fresh when it is sent."""
        return not self._queue

    def close(self) -> None:
        """No more frames: ``next_frame`` ends after what waits."""
        self.is_closed = True
        self._wake.set()

    async def next_frame(self) -> bytes | None:
        """The next frame to send, None when the viewer was closed."""
        while not self._queue:
            if self.is_closed:
                return None
            self._wake.clear()
            await self._wake.wait()
        is_droppable, frame = self._queue.popleft()
        if is_droppable:
            self._droppable -= 1
            self._bytes -= len(frame)
        return frame

    def _put(self, frame: bytes) -> None:
        self._queue.append((True, frame))
        self._droppable += 1
        self._bytes += len(frame)
        self._wake.set()

    def _drop_backlog(self) -> None:
        self._queue = deque(item for item in self._queue if not item[0])
        self._droppable = self._bytes = 0


class Hub:
    """All viewers of a room."""

    def __init__(self) -> None:
        self.viewers: list[Viewer] = []

    def add(self, viewer: Viewer) -> None:
        """One more; it needs a snapshot first."""
        self.viewers.append(viewer)

    def remove(self, viewer: Viewer) -> None:
        """One less."""
        if viewer in self.viewers:
            self.viewers.remove(viewer)

    def people(self) -> tuple[int, bool]:
        """The number of browsers here, however many pages each has open, and True if one of them may act."""
        unknown = sum(not viewer.browser for viewer in self.viewers)
        known = dict.fromkeys(viewer.browser for viewer in self.viewers if viewer.browser)
        return len(known) + unknown, any(viewer.may_act for viewer in self.viewers)

    def holder(self) -> Holder | None:
        """The holder of the room: a viewer that may steer, or else the one that is here for longest; None if empty."""
        steering = [viewer for viewer in self.viewers if viewer.may_steer]
        return next((viewer.visitor() for viewer in [*steering, *self.viewers]), None)

    def steers(self, browser: str) -> bool:
        """True if this browser is here and may move the clock."""
        return any(viewer.may_steer and viewer.browser == browser for viewer in self.viewers)

    def streams(self) -> list[str]:
        """The streams that somebody takes, each once."""
        return list(dict.fromkeys(viewer.stream for viewer in self.viewers))

    def give(self, stream: str, frame: bytes) -> None:
        """A frame for the viewers of one stream."""
        for viewer in self.viewers:
            if viewer.stream == stream:
                viewer.give(frame)

    def tell(self, frame: bytes) -> None:
        """A notice for everybody."""
        for viewer in self.viewers:
            viewer.tell(frame)

    def waiting_for_snapshot(self) -> list[Viewer]:
        """Viewers that need a snapshot and have taken everything before it."""
        return [viewer for viewer in self.viewers if viewer.needs_snapshot and viewer.is_idle()]

    def give_snapshot(self, viewers: Iterable[Viewer], frame: bytes) -> None:
        """The same whole view to each of them."""
        for viewer in viewers:
            viewer.give_snapshot(frame)
