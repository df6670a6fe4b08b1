"""Channels: TCP connections that one process (the client) keeps to another (the server).

Messages arrive in order; a dead process resets the connection (a killed one a little later, FLT-3), a cut link only
silences it (PC-7); what was sent into a cut is retransmitted with growing pauses once the link is whole (TCP-1). The
server handles the requests of one channel one after the other, the next only after the previous is answered (PROD-12).
What a client leaves behind when it closes a connection may still be carried out (PROD-13). A person may hold, deliver
or lose single messages (``by_hand``).
"""

from typing import TYPE_CHECKING, Final, final

from mypy_extensions import i64

from simengine.facts.kinds import FLIGHT_DELAYED, FLIGHT_DROPPED, FLIGHT_HELD
from simengine.facts.traffic import flight
from simengine.kernel.calendar import Event
from simengine.kernel.connecting import CONNECT_TIMEOUT_US, CONNECTING, DOWN, UP, ConnectAttempt, ConnectionReset
from simengine.kernel.message import Message
from simengine.kernel.node import Node, Task, Wire
from simengine.kernel.random import Stream
from simengine.kernel.retransmission import next_retransmission
from simengine.kernel.sim import Sim

if TYPE_CHECKING:
    from simengine.kernel.network import Network


NO_LIMIT: Final = 1 << 62
CLOSED_TRIES_US: Final = 102_200_000  # Linux repeats for so long on a closed socket (tcp_orphan_retries)


class Channel(Wire):
    """A connection from a client process to a server process. Subclasses say what to do when it comes up or breaks."""

    __slots__ = (
        "_closed_conn",
        "_falling_back",
        "_falling_out",
        "_held",
        "_is_taking_up",
        "_last_back",
        "_last_out",
        "_orphaned",
        "_queue",
        "busy",
        "client_incarnation",
        "conn",
        "connect_limit",
        "connect_timeout",
        "delivered",
        "greeting_us",
        "is_greeting",
        "lost",
        "net",
        "sent",
        "server_incarnation",
        "sim",
        "state",
    )

    def __init__(self, net: "Network", client: Node, server: Node) -> None:
        super().__init__(client, server)
        self.net = net
        self.sim: Sim = net.sim
        self.state: i64 = DOWN
        self.conn: i64 = 0
        self.connect_timeout: i64 = CONNECT_TIMEOUT_US
        self.connect_limit: i64 = NO_LIMIT  # the client waits no longer for a connection, whatever it would take
        self.client_incarnation: i64 = client.incarnation
        self.server_incarnation: i64 = server.incarnation
        self.busy: bool = False
        self.greeting_us: i64 = 0  # how long the client waits for an answer to its first request; 0: it sends none
        self.is_greeting: bool = False  # that request lies with a paused server
        self._last_out: i64 = 0
        self._last_back: i64 = 0
        self._is_taking_up: bool = False
        self._held: list[Message] = []
        self._falling_out: i64 = 0  # what a cut has caught in the air, by direction, until its time of arrival
        self._falling_back: i64 = 0
        self._queue: list[Message] = []
        self._orphaned: list[Message] = []  # writes of closed connections, until the link is whole
        self._closed_conn: i64 = -1  # the newest connection of which the server reads nothing more
        self.sent: i64 = 0  # messages of both directions, over all connections
        self.delivered: i64 = 0
        self.lost: i64 = 0
        client.channels.append(self)
        server.channels.append(self)

    # -- what the owner does

    def connect(self) -> None:
        """Open a connection; ``on_connected`` or ``on_broken`` will follow."""
        self._forget()
        self.state = CONNECTING
        self.client_incarnation = self.client.incarnation
        jitter = self.connect_timeout // 5
        chance = self.net.stream(self.client.site.prefix + "network", "connect timeout")
        limit = self.connect_timeout + chance.between(-jitter, jitter)
        ConnectAttempt(self, self.sim.now, min(limit, self.connect_limit)).fire()

    def close(self) -> None:
        """Give the connection up without a call back. What is under way is dropped, but for writes (PROD-13)."""
        self._forget()
        self.state = DOWN

    def send(self, message: Message) -> None:
        """Send a request. The channel must be up."""
        assert self.state == UP, "sending on a channel that is not up"
        self._transmit(message, True)

    def answer(self, message: Message) -> None:
        """Send an answer to the request in hand, and take up the next request."""
        self._transmit(message, False)
        self.next_request()

    def next_request(self) -> None:
        """The request in hand needs no (further) answer: take up the next."""
        self.busy = False
        if self._is_taking_up:
            return  # the loop that took up the request in hand goes on: a long queue is no deep recursion
        self._is_taking_up = True
        while self._queue and not self.busy:
            message = self._queue.pop(0)
            self.busy = True
            self._handle(message)
        self._is_taking_up = False

    def hang_up(self) -> None:
        """The server closes the connection and reads nothing more of it (PROD-10)."""
        self._closed_conn = self.conn
        self._break_later()

    # -- call backs, for subclasses

    def on_connected(self) -> None:
        """The connection stands."""

    def on_broken(self, refused: bool) -> None:
        """The connection broke, or could not be made; ``refused``: at once, by a reset."""

    # -- inside

    def _forget(self) -> None:
        self._leave_behind()
        self.lost += len(self._held)
        for message in self._held:
            if message.flight > 0:  # else a person lost it before
                self.net.end_flight(message, FLIGHT_DROPPED, -1)
        if self.net.pinned:
            self.net.pinned = [message for message in self.net.pinned if message.channel is not self]
        self._held = []
        self._falling_out = 0
        self._falling_back = 0
        self._queue = []
        self._last_out = 0  # a new connection does not wait for what the old one would have retransmitted
        self._last_back = 0
        self.busy = False
        self.is_greeting = False
        self.conn += 1

    def _leave_behind(self) -> None:
        """The client's kernel goes on repeating what was sent on a connection that the client closes (PROD-13)."""
        if self.state != UP:
            return
        left = [m for m in self._held if m.to_server and m.writes() and m.flight > 0 and m not in self.net.taken]
        self._orphaned += left
        self._held = [message for message in self._held if message not in left]

    def arrives_on_closed(self, message: Message) -> None:
        """A message of a closed connection reaches the server, which may still carry out the request (PROD-13)."""
        server = self.server
        if message in self.net.taken:
            self.net.taken.remove(message)  # a person has lost it or handed it over: it is counted
            return
        is_over = message.conn <= self._closed_conn or message.incarnation != server.incarnation or not server.up
        if not message.to_server or is_over or not message.writes():
            self.lost += 1
        elif message.held or self.loses_in_flight(True):
            message.held = True
            self._orphaned.append(message)
            self._orphaned.sort(key=flight_of)
            self._repeat_orphaned()
        elif server.paused:
            server.inbox.append(message)
        else:
            if message.is_answered() and self._closed_stream().below(2) == 0:
                self._closed_conn = message.conn
            self.delivered += 1
            self._handle(message)

    def _repeat_orphaned(self) -> None:
        """Send what closed connections have left, with the next retransmission, if the kernel still tries."""
        if not self._orphaned or self.silent(True):
            return
        at: i64 = 0
        last: i64 = 0
        conn: i64 = -1
        is_over = False
        for message in self._orphaned:
            if message.conn != conn:
                conn = message.conn
                at = next_retransmission(message.sent_at, self.sim.now, self._closed_stream())
                last = 0
                is_over = at > message.sent_at + CLOSED_TRIES_US
            if is_over:
                self.lost += 1
                self.net.end_flight(message, FLIGHT_DROPPED, -1)
                continue
            arrive = max(last, at + self.net.latency(self.client, self.server))
            last = arrive
            self.net.end_flight(message, FLIGHT_DELAYED, arrive)
            message.held = False
            self.sim.calendar.push(message, arrive)
        self._orphaned = []

    def _closed_stream(self) -> Stream:
        return self.net.stream("link " + self.client.name + ">" + self.server.name, "closed connections")

    def _transmit(self, message: Message, to_server: bool) -> None:
        net = self.net
        sim = self.sim
        now = sim.now
        src = self.client if to_server else self.server
        dst = self.server if to_server else self.client
        message.channel = self
        message.conn = self.conn
        message.incarnation = self.server_incarnation
        message.to_server = to_server
        message.sent_at = now
        message.held = False
        self.sent += 1
        if self.silent(to_server) or self._blocked(to_server):
            self._announce(message, src, dst, -1)
            message.held = True
            self._held.append(message)
            return
        arrive = now + net.latency(src, dst)
        if to_server:
            if arrive < self._last_out:
                arrive = self._last_out
            self._last_out = arrive
        else:
            if arrive < self._last_back:
                arrive = self._last_back
            self._last_back = arrive
        self._announce(message, src, dst, arrive)
        sim.calendar.push(message, arrive)

    def _announce(self, message: Message, src: Node, dst: Node, arrive: i64) -> None:
        """State that the message is on its way; ``arrive``: us, -1 while nobody can tell."""
        message.flight = flight(
            self.sim.trace,
            msg=message.msg,
            src=src.id,
            dst=dst.id,
            arrive=arrive,
            p=message.p,
            count=message.count,
            mark=message.mark,
        )

    def _blocked(self, to_server: bool) -> bool:
        """True if something sent earlier in this direction still waits for a retransmission."""
        if (self._falling_out if to_server else self._falling_back) > 0:
            return True
        for message in self._held:
            if message.to_server == to_server:
                return True
        return False

    def silent(self, to_server: bool) -> bool:
        """True if packets in this direction are dropped now."""
        if self.net.cuts == 0:
            return False
        if to_server:
            return self.net.drops(self.client, self.server)
        return self.net.drops(self.server, self.client)

    def loses_in_flight(self, to_server: bool) -> bool:
        """True if a message in the air in this direction reaches nobody; its sender's host may be dark by now."""
        if self.net.cuts == 0:
            return False
        src, dst = (self.client, self.server) if to_server else (self.server, self.client)
        return dst.dark or self.net.is_cut(src, dst)

    def server_went_dark(self) -> None:
        """Nobody is left to repeat the answers that met a cut."""
        kept: list[Message] = []
        for message in self._held:
            if message.to_server or message in self.net.taken:
                kept.append(message)
            else:
                self.lost += 1
                self.net.end_flight(message, FLIGHT_DROPPED, -1)
        self._held = kept

    def falls(self, to_server: bool, change: i64) -> None:
        """A cut has caught a message in the air (1), or the time has come at which that would have arrived (-1)."""
        if to_server:
            self._falling_out += change
        else:
            self._falling_back += change

    def hold(self, message: Message) -> None:
        """A message met the cut; TCP keeps it for a retransmission."""
        if self.net.taken and message in self.net.taken:
            self.net.taken.remove(message)  # a person has taken it out of the air before it came here
            return
        if message.held:
            self.falls(message.to_server, -1)
        if self.server.dark and not message.to_server:
            self.lost += 1
            self.net.end_flight(message, FLIGHT_DROPPED, -1)
            return
        if not message.held:
            message.held = True
            self.net.end_flight(message, FLIGHT_DELAYED, -1)
        held = self._held
        at = len(held)
        while at > 0 and (held[at - 1].to_server != message.to_server or held[at - 1].flight > message.flight):
            at -= 1  # what was sent after it came to the cut before it
        held.insert(at, message)
        if not self.silent(message.to_server):
            self.link_healed()

    def receive(self, message: Message) -> None:
        """A request reached the server process."""
        if self.busy:
            self._queue.append(message)
            return
        self.busy = True
        self._handle(message)

    def _handle(self, message: Message) -> None:
        """The server takes a request in hand, after a while if it is slow."""
        server = self.server
        stream = server.slow_stream
        if stream is not None and self.sim.now < server.slow_until:
            self.sim.after(stream.exponential(server.slow_mean_us), HandleRequest(message))
        else:
            message.arrive()

    def refuse_dead(self) -> None:
        """A request reached a host whose process is gone: a reset comes back, once its sockets are closed."""
        self._break_later()

    def end_died(self, node: Node) -> None:
        """One of the two processes ended."""
        if self.state == DOWN:
            return
        if node is self.client:
            self._forget()
            self.state = DOWN
        elif not self.silent(False) and (self.state == UP or self.is_greeting):
            self._break_later()

    def _break_later(self) -> None:
        delay = self.net.latency(self.server, self.client)
        self.sim.at(max(self.sim.now, self.server.open_until) + delay, ConnectionReset(self, False))

    def link_healed(self) -> None:
        """A link of this channel is whole again: what was held goes out with the next retransmission (TCP-1)."""
        self._repeat_orphaned()
        held = self._held
        if not held:
            return
        still: list[Message] = []
        at: i64 = -1
        is_out_pinned = False
        is_back_pinned = False
        for message in held:
            if message in self.net.pinned:
                is_out_pinned = is_out_pinned or message.to_server
                is_back_pinned = is_back_pinned or not message.to_server
            is_behind = (self._falling_out if message.to_server else self._falling_back) > 0
            is_behind = is_behind or (is_out_pinned if message.to_server else is_back_pinned)
            if is_behind or self.silent(message.to_server):
                still.append(message)
                continue
            if at < 0:
                chance = self.net.stream("link " + self.client.name + ">" + self.server.name, "retransmission")
                at = next_retransmission(message.sent_at, self.sim.now, chance)
            self._release(message, at)
        self._held = still

    def _release(self, message: Message, at: i64) -> None:
        src = self.client if message.to_server else self.server
        dst = self.server if message.to_server else self.client
        arrive = at + self.net.latency(src, dst)
        if message.to_server:
            arrive = max(arrive, self._last_out)
            self._last_out = arrive
        else:
            arrive = max(arrive, self._last_back)
            self._last_back = arrive
        self.net.end_flight(message, FLIGHT_DELAYED, arrive)
        if message in self.net.taken:
            self.sim.calendar.push(EarlyArrival(message), arrive)
        else:
            message.held = False
            self.sim.calendar.push(message, arrive)

    # -- a person's hand on one message (``by_hand``)

    def take(self, messages: "list[Message]") -> None:
        """Take messages of one direction out of the air, in the order in which they were sent; they wait here."""
        for message in messages:
            message.held = True
            self.net.taken.append(message)
            self.net.end_flight(message, FLIGHT_HELD, -1)
            self._held.append(message)

    def held(self) -> "list[Message]":
        """The messages that wait here for a link to be whole, in the order in which they were sent."""
        return self._held

    def holds(self, message: Message) -> bool:
        """True if the message waits here."""
        return message in self._held

    def waiting(self, flight: i64) -> "Message | None":
        """The message of this flight that waits here."""
        for message in self._held:
            if message.flight == flight:
                return message
        return None

    def hand_over(self, last: Message) -> None:
        """Let a message that waits here arrive now, after those sent before it; the rest follows as after a loss."""
        arriving: list[Message] = []
        for message in self._held:
            if message.to_server == last.to_server:
                arriving.append(message)
            if message is last:
                break
        self._held = [message for message in self._held if message not in arriving]
        for message in arriving:
            if message in self.net.pinned:
                self.net.pinned.remove(message)
            self.net.end_flight(message, FLIGHT_DELAYED, self.sim.now)
            self.sim.calendar.push(EarlyArrival(message), self.sim.now)
        self.link_healed()


def flight_of(message: Message) -> int:
    """The order of sending."""
    return int(message.flight)


@final
class HandleRequest(Task):
    """A slow server comes to a request."""

    __slots__ = ("_message",)

    def __init__(self, message: Message) -> None:
        super().__init__(message.channel.server)
        self._message = message

    def run(self) -> None:
        message = self._message
        if message.conn == message.channel.conn or message.writes():
            message.arrive()


@final
class EarlyArrival(Event):
    """A message arrives otherwise than by its own event, which may still be to come and then does nothing."""

    __slots__ = ("_message",)

    def __init__(self, message: Message) -> None:
        super().__init__()
        self._message = message

    def fire(self) -> None:
        message = self._message
        message.held = False
        message.fire()
        message.held = True
