"""The time of work on a shared machine: while n share it, each second counts 1/n for each of them.

So an experiment that computed beside another one tells how long it would have taken alone.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class SharedTime:
    """Seconds for each of those who share."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._sharing = 0
        self._seconds = 0.0
        self._at = time.monotonic()

    @contextmanager
    def share(self) -> Iterator[Callable[[], float]]:
        """Be one of them; the seconds of its share so far."""
        began = self._count(1)
        try:
            yield lambda: self._count() - began
        finally:
            self._count(-1)

    def _count(self, more: int = 0) -> float:
        """The seconds of one share until now, after which so many more share."""
        with self._guard:
            now = time.monotonic()
            self._seconds += (now - self._at) / max(1, self._sharing)
            self._at, self._sharing = now, self._sharing + more
            return self._seconds
