"""Connections come up, or break: SYNs within a time limit, resets (TCP-1, PC-7, PC-12)."""

from typing import TYPE_CHECKING, Final, final

from mypy_extensions import i64

from simengine.kernel.calendar import Event
from simengine.kernel.node import Task

if TYPE_CHECKING:
    from simengine.kernel.channel import Channel

DOWN: Final = 0
CONNECTING: Final = 1
UP: Final = 2

SYN_AT_US: Final = (0, 1_000_000, 2_000_000, 3_000_000, 4_000_000, 5_000_000, 7_000_000, 11_000_000, 19_000_000)
CONNECT_TIMEOUT_US: Final = 10_000_000  # TCP-1: +-20 %


@final
class ConnectionReset(Task):
    """A reset reaches the client of a channel."""

    __slots__ = ("channel", "conn", "refused")

    def __init__(self, channel: "Channel", refused: bool) -> None:
        super().__init__(channel.client)
        self.channel = channel
        self.conn: i64 = channel.conn
        self.refused = refused

    def comes_by_wire(self) -> bool:
        return True

    def run(self) -> None:
        channel = self.channel
        if self.conn != channel.conn:
            return
        if channel.silent(False):
            if channel.state == CONNECTING:  # nobody heard the refusal: the SYN is repeated
                limit = min(channel.connect_timeout, channel.connect_limit)
                ConnectAttempt(channel, channel.sim.now, limit).fire()
            return
        channel.close()
        channel.on_broken(self.refused)


@final
class ConnectAttempt(Event):
    """One SYN of a connection attempt, and those that follow it."""

    __slots__ = ("_k", "_limit", "_since", "channel", "conn")

    def __init__(self, channel: "Channel", since: i64, limit: i64) -> None:
        super().__init__()
        self.channel = channel
        self.conn: i64 = channel.conn
        self._since: i64 = since
        self._limit: i64 = limit
        self._k: i64 = 0

    def fire(self) -> None:
        channel = self.channel
        if self.conn != channel.conn or channel.state != CONNECTING:
            return
        if not (channel.silent(True) or channel.silent(False)):
            self._reach()
            return
        self._k += 1
        at = self._since + SYN_AT_US[self._k] if self._k < len(SYN_AT_US) else self._since + self._limit
        if at >= self._since + self._limit:
            channel.sim.at(self._since + self._limit, ConnectTimeout(channel))
        else:
            channel.sim.calendar.push(self, at)

    def _reach(self) -> None:
        channel = self.channel
        net = channel.net
        round_trip = net.latency(channel.client, channel.server) + net.latency(channel.server, channel.client)
        if channel.server.up and channel.server.listening:
            channel.sim.after(round_trip, Connected(channel))
        else:
            channel.sim.after(round_trip, ConnectionReset(channel, True))


@final
class Connected(Task):
    """A connection attempt has succeeded."""

    __slots__ = ("channel", "conn")

    def __init__(self, channel: "Channel") -> None:
        super().__init__(channel.client)
        self.channel = channel
        self.conn: i64 = channel.conn

    def run(self) -> None:
        channel = self.channel
        if self.conn != channel.conn or channel.state != CONNECTING:
            return
        if not (channel.server.up and channel.server.listening):
            channel.close()
            channel.on_broken(True)
            return
        if channel.greeting_us > 0 and channel.server.paused:
            channel.is_greeting = True
            channel.server.inbox.append(Greeted(channel))
            channel.sim.after(channel.greeting_us, ConnectTimeout(channel))
            return
        channel.state = UP
        channel.server_incarnation = channel.server.incarnation
        channel.on_connected()


@final
class Greeted(Task):
    """A server that was paused answers a client's first request (PC-12): its kernel had accepted the connection."""

    __slots__ = ("channel", "conn")

    def __init__(self, channel: "Channel") -> None:
        super().__init__(channel.server)
        self.channel = channel
        self.conn: i64 = channel.conn

    def run(self) -> None:
        channel = self.channel
        if self.conn != channel.conn:
            return
        server = self.node
        delay: i64 = channel.net.latency(server, channel.client)
        stream = server.slow_stream
        if stream is not None and channel.sim.now < server.slow_until:
            delay += stream.exponential(server.slow_mean_us)
        channel.is_greeting = False
        channel.sim.after(delay, Connected(channel))


@final
class ConnectTimeout(Task):
    """A connection attempt has found nobody in time."""

    __slots__ = ("channel", "conn")

    def __init__(self, channel: "Channel") -> None:
        super().__init__(channel.client)
        self.channel = channel
        self.conn: i64 = channel.conn

    def run(self) -> None:
        channel = self.channel
        if self.conn != channel.conn or channel.state != CONNECTING:
            return
        channel.close()
        channel.on_broken(False)
