"""A producer's ``buffer.memory``, counted in batches of their full size (PC-1).

An application's thread that waits for memory makes every batch ready at once, but does not wake the sender's thread:
this one notices when it looks next, and it sleeps for ``request.timeout.ms`` at most.
"""

from typing import final

from mypy_extensions import i64

from simengine.clients.network.settings import ProducerSettings
from simengine.kernel.sim import Sim


@final
class BufferPool:
    """The buffer memory of one sender: the batches in it, and whether a thread waits for room."""

    __slots__ = ("_looked_at", "_settings", "_sim", "batches", "is_exhausted")

    def __init__(self, sim: Sim) -> None:
        self._sim = sim
        self._settings: ProducerSettings = ProducerSettings()
        self.batches: i64 = 0  # that have not ended
        self.is_exhausted: bool = False  # a thread waits
        self._looked_at: i64 = 0  # when the sender's thread looked last for something to send

    def start(self, settings: ProducerSettings) -> None:
        """A new producer."""
        self._settings = settings
        self.clear()

    def clear(self) -> None:
        """There is no batch."""
        self.batches = 0
        self.is_exhausted = False

    def has_room(self) -> bool:
        """True if another batch may begin."""
        return self.batches < self._settings.buffer_batches()

    def free(self) -> None:
        """A batch has ended: who waits goes on."""
        self.batches -= 1
        self.is_exhausted = False

    def looked(self) -> None:
        """The sender's thread is awake."""
        self._looked_at = self._sim.now

    def sleeps_until(self) -> i64:
        """The moment at which the sender's thread looks again, if nothing else wakes it."""
        return self._looked_at + self._settings.request_timeout_us
