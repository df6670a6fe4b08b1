"""The longest wait for each kind of answer; an answer that is still missing counts up to now."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager


class Waits:
    """The longest wait of each kind, in seconds."""

    def __init__(self) -> None:
        self._longest: dict[str, float] = {}
        self._began: dict[str, float] = {}
        self._lock = threading.Lock()

    def begin(self, kind: str) -> None:
        """A wait begins; one of the same kind that was under way has ended."""
        with self._lock:
            self._end(kind)
            self._began[kind] = time.monotonic()

    def end(self, kind: str) -> None:
        with self._lock:
            self._end(kind)

    @contextmanager
    def of(self, kind: str) -> Iterator[None]:
        """A wait for as long as the block lasts."""
        self.begin(kind)
        try:
            yield
        finally:
            self.end(kind)

    def forget(self) -> None:
        """Measure from now on; what is under way began now."""
        with self._lock:
            self._longest.clear()
            self._began = dict.fromkeys(self._began, time.monotonic())

    def longest(self, *kinds: str) -> tuple[float, str]:
        """The longest wait of these kinds, and its kind."""
        with self._lock:
            now = time.monotonic()
            ended = [(self._longest.get(kind, 0.0), kind) for kind in kinds]
            under_way = [(now - self._began[kind], kind) for kind in kinds if kind in self._began]
            return max(ended + under_way)

    def under_way(self, *kinds: str) -> float:
        """The longest wait of these kinds that is not over."""
        with self._lock:
            return max((time.monotonic() - self._began[kind] for kind in kinds if kind in self._began), default=0.0)

    def _end(self, kind: str) -> None:
        if (began := self._began.pop(kind, None)) is not None:
            self._longest[kind] = max(self._longest.get(kind, 0.0), time.monotonic() - began)
