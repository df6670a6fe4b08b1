"""A broker that is slow to serve: its responses to fetches carry so many records/s at most (``slow N serving``, FLT-9).

A leader with a slow disk or with too few threads reads records for its followers and consumers one response after the
other: a response with n records takes n / limit seconds, and those behind it wait. Produce requests are not slowed. So
the followers fall behind together, leave the ISR (ISR-2), and the leader is left alone in it. One limit for all
responses of a broker; responses without records cost nothing.
"""

from typing import final

from mypy_extensions import i64

from simengine.kafka.replica.replica_host import ReplicaHost
from simengine.kernel.channel import Channel
from simengine.kernel.message import Message
from simengine.kernel.node import Task


@final
class WaitingResponse:
    """A response whose records are being read; ``left``: millionths of a record to go, when its turn began."""

    __slots__ = ("channel", "conn", "left", "message")

    def __init__(self, channel: Channel, message: Message) -> None:
        self.channel = channel
        self.conn: i64 = channel.conn
        self.message = message
        self.left: i64 = message.count * 1_000_000


@final
class Serving:
    """The fetch responses of one broker, in the order in which they were read."""

    __slots__ = ("_began_at", "_queue", "_serial", "broker", "per_s")

    def __init__(self, broker: ReplicaHost) -> None:
        self.broker = broker
        self.per_s: i64 = 0  # 0: without a limit
        self._queue: list[WaitingResponse] = []
        self._began_at: i64 = 0  # when the first of the queue had its turn, or the limit changed
        self._serial: i64 = 0  # of the newest timer: older ones do nothing

    def answer(self, channel: Channel, message: Message) -> None:
        """Respond to a fetch: at once, or when the records of this response have been read."""
        if self.per_s == 0 or message.count == 0:
            channel.answer(message)
            return
        self._queue.append(WaitingResponse(channel, message))
        if len(self._queue) == 1:
            self._begin()

    def limit(self, per_s: i64) -> None:
        """Serve so many records/s from now on; 0: without a limit, and what waits is sent at once."""
        if self._queue and self.per_s > 0:
            self._queue[0].left -= (self.broker.sim.now - self._began_at) * self.per_s
        self.per_s = per_s
        if per_s > 0:
            if self._queue:
                self._begin()
            return
        self._serial += 1
        queue = self._queue
        self._queue = []
        for waiting in queue:
            self._send(waiting)

    def reset(self) -> None:
        """The process ended; the limit is the machine's, and stays."""
        self._queue = []
        self._serial += 1

    def _begin(self) -> None:
        now = self.broker.sim.now
        self._began_at = now
        self._serial += 1
        left = max(self._queue[0].left, 0)
        self.broker.sim.at(now + (left + self.per_s - 1) // self.per_s, ServedTask(self, self._serial))

    def served(self, serial: i64) -> None:
        """The first response of the queue has its records: send it and begin with the next."""
        if serial != self._serial:
            return
        waiting = self._queue.pop(0)
        if self._queue:
            self._begin()
        self._send(waiting)
        self.broker.flush()

    def _send(self, waiting: WaitingResponse) -> None:
        if waiting.conn == waiting.channel.conn:
            waiting.channel.answer(waiting.message)


@final
class ServedTask(Task):
    """The records of a response have been read."""

    __slots__ = ("_serial", "_serving")

    def __init__(self, serving: Serving, serial: i64) -> None:
        super().__init__(serving.broker)
        self._serving = serving
        self._serial: i64 = serial

    def run(self) -> None:
        self._serving.served(self._serial)
