"""A producer's ``buffer.memory``, counted in batches of their full size (PC-1).

An application's thread that waits for memory makes every batch ready at once, but does not wake the sender's thread:
this one notices when it looks next, and it sleeps for ``request.timeout.ms`` at most.
"""

from typing import TYPE_CHECKING, final

from mypy_extensions import i64

from simengine.kernel.node import Task

if TYPE_CHECKING:
    from simengine.clients.sender import Sender


@final
class Memory:
    """What batches take up in one sender, and whether somebody waits for some."""

    __slots__ = ("_looked_at", "_sender", "_timer", "batches", "is_exhausted")

    def __init__(self, sender: "Sender") -> None:
        self._sender = sender
        self.batches: i64 = 0  # that have not ended
        self.is_exhausted: bool = False  # a thread waits
        self._looked_at: i64 = 0  # when the sender's thread looked last for something to send
        self._timer: MemoryTimer | None = None

    def clear(self) -> None:
        """There is no batch."""
        self.batches = 0
        self.is_exhausted = False
        self._timer = None

    def has_room(self) -> bool:
        """Whether another batch may begin."""
        return self.batches < self._sender.settings.buffer_batches()

    def free(self) -> None:
        """A batch has ended: who waits goes on."""
        self.batches -= 1
        self.is_exhausted = False

    def looked(self) -> None:
        """The sender's thread is awake."""
        self._looked_at = self._sender.sim.now

    def wait(self) -> None:
        """The application's thread waits."""
        self.is_exhausted = True
        if self._timer is None:
            self._timer = MemoryTimer(self._sender)
            sim = self._sender.sim
            sim.at(max(self._looked_at + self._sender.request_timeout_us, sim.now), self._timer)

    def timer_fired(self, timer: "MemoryTimer") -> None:
        """The sender's thread may have slept for as long as it ever does."""
        if timer is not self._timer:
            return
        self._timer = None
        if not self.is_exhausted:
            return
        if self._looked_at + self._sender.request_timeout_us <= self._sender.sim.now:
            self._sender.look_around()
        else:
            self.wait()


@final
class MemoryTimer(Task):
    """The end of the longest sleep of the sender's thread."""

    __slots__ = ("sender",)

    def __init__(self, sender: "Sender") -> None:
        super().__init__(sender.node)
        self.sender = sender

    def run(self) -> None:
        self.sender.memory.timer_fired(self)
