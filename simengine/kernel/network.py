"""Nodes, links and channels: how one process reaches another.

A *link* is one direction between two nodes: a latency, and perhaps a cut. A *channel* is a TCP connection that one
process (the client) keeps to another (the server): messages arrive in order; a dead process resets it, a cut link only
silences it (PC-7); what was sent into a cut is retransmitted with growing pauses once the link is whole (TCP-1); a
connection attempt repeats its SYN within a time limit, and a client's connection counts once the server has answered a
first request on it, which a paused one does not (PC-12). The server handles the requests of one channel one after the
other, the next only after the previous is answered (PROD-12). A paused process leaves all that is due to it in its
inbox. What a dead process had not yet got through is dropped (the default of FLT-8). A person may hold, deliver or lose
single messages (``by_hand``).
"""

from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64

from simengine.kernel.calendar import Event
from simengine.kernel.facts import FLIGHT, FLIGHT_DELAYED, FLIGHT_DROPPED, FLIGHT_ENDED, FLIGHT_HELD
from simengine.kernel.random import Stream
from simengine.kernel.sim import Sim

DOWN: Final = 0
CONNECTING: Final = 1
UP: Final = 2

RETRANSMIT_FIRST_US: Final = 200_000  # TCP-1: 0.2 * (2^k - 1) s after the first loss
SYN_AT_US: Final = (0, 1_000_000, 2_000_000, 3_000_000, 4_000_000, 5_000_000, 7_000_000, 11_000_000, 19_000_000)
CONNECT_TIMEOUT_US: Final = 10_000_000  # TCP-1: +-20 %


class Node:
    """A process on a host of its own: broker, controller or client."""

    __slots__ = (
        "channels",
        "dark",
        "id",
        "inbox",
        "incarnation",
        "index",
        "listening",
        "name",
        "paused",
        "rack",
        "sim",
        "slow_mean_us",
        "slow_stream",
        "slow_until",
        "up",
    )

    def __init__(self, sim: Sim, node_id: i64, name: str, rack: str) -> None:
        self.sim = sim
        self.id: i64 = node_id
        self.name = name
        self.rack = rack
        self.index: i64 = -1
        self.up: bool = True
        self.listening: bool = True
        self.paused: bool = False
        self.dark: bool = False  # the host has no power: what is sent to it gets no answer at all (PC-7)
        self.incarnation: i64 = 1
        self.inbox: list[Event] = []
        self.channels: list[Channel] = []
        self.slow_until: i64 = 0  # until then every request waits before it is handled
        self.slow_mean_us: i64 = 0
        self.slow_stream: Stream | None = None

    def die(self) -> None:
        """The process ends: peers get resets where the link is whole."""
        self.up = False
        self.listening = False
        self.paused = False
        self.incarnation += 1
        self.inbox = []
        for channel in self.channels:
            channel.end_died(self)

    def pause(self) -> None:
        """SIGSTOP."""
        self.paused = True

    def resume(self) -> None:
        """SIGCONT: all that was due happens now; timers before messages, as in a poll that comes back late (FLT-7).

        A reset keeps its place among the messages: what arrived before it is read first (f033).
        """
        self.paused = False
        due = self.inbox
        self.inbox = []
        for event in due:
            if not isinstance(event, Message) and not isinstance(event, ConnectionReset):
                event.fire()
        for event in due:
            if isinstance(event, (Message, ConnectionReset)):
                event.fire()


class Task(Event):
    """Something that one incarnation of a process does at a time; late if the process is paused, never if it died."""

    __slots__ = ("incarnation", "node")

    def __init__(self, node: Node) -> None:
        super().__init__()
        self.node = node
        self.incarnation: i64 = node.incarnation

    def fire(self) -> None:
        node = self.node
        if self.incarnation != node.incarnation:
            return
        if node.paused:
            node.inbox.append(self)
            return
        self.run()

    def run(self) -> None:
        """Do it."""
        raise AssertionError("a task without effect")


class Message(Event):
    """A request or an answer under way. Subclasses say in ``arrive`` what the receiver makes of it."""

    __slots__ = ("channel", "conn", "count", "flight", "held", "mark", "msg", "p", "sent_at", "to_server")

    def __init__(self, msg: i64, p: i64, count: i64, mark: i64) -> None:
        super().__init__()
        self.msg: i64 = msg
        self.p: i64 = p
        self.count: i64 = count
        self.mark: i64 = mark
        self.conn: i64 = 0
        self.flight: i64 = 0
        self.sent_at: i64 = 0
        self.to_server: bool = True
        self.held: bool = False

    def fire(self) -> None:
        channel = self.channel
        if self.conn != channel.conn:
            return
        if self.held or channel.silent(self.to_server):
            channel.hold(self)
            return
        node = channel.server if self.to_server else channel.client
        if not node.up or node.incarnation != (
            channel.server_incarnation if self.to_server else channel.client_incarnation
        ):
            if self.to_server:
                channel.refuse_dead()
            return
        if node.paused:
            node.inbox.append(self)
            return
        if self.to_server:
            channel.receive(self)
        else:
            self.arrive()

    def arrive(self) -> None:
        """The receiver handles the message. ``self.channel`` is the connection it came on."""
        raise AssertionError("a message without effect")

    channel: "Channel"


@final
class HandleRequest(Task):
    """A slow server comes to a request."""

    __slots__ = ("_message",)

    def __init__(self, message: Message) -> None:
        super().__init__(message.channel.server)
        self._message = message

    def run(self) -> None:
        message = self._message
        if message.conn == message.channel.conn:
            message.arrive()


class Channel:
    """A connection from a client process to a server process. Subclasses say what to do when it comes up or breaks."""

    __slots__ = (
        "_held",
        "_last_back",
        "_last_out",
        "_queue",
        "busy",
        "client",
        "client_incarnation",
        "conn",
        "connect_timeout",
        "greeting_us",
        "is_greeting",
        "net",
        "server",
        "server_incarnation",
        "sim",
        "state",
    )

    def __init__(self, net: "Network", client: Node, server: Node) -> None:
        self.net = net
        self.sim: Sim = net.sim
        self.client = client
        self.server = server
        self.state: i64 = DOWN
        self.conn: i64 = 0
        self.connect_timeout: i64 = CONNECT_TIMEOUT_US
        self.client_incarnation: i64 = client.incarnation
        self.server_incarnation: i64 = server.incarnation
        self.busy: bool = False
        self.greeting_us: i64 = 0  # how long the client waits for an answer to its first request; 0: it sends none
        self.is_greeting: bool = False  # that request lies with a paused server
        self._last_out: i64 = 0
        self._last_back: i64 = 0
        self._held: list[Message] = []
        self._queue: list[Message] = []
        client.channels.append(self)
        server.channels.append(self)

    # -- what the owner does

    def connect(self) -> None:
        """Open a connection; ``on_connected`` or ``on_broken`` will follow."""
        self._forget()
        self.state = CONNECTING
        self.client_incarnation = self.client.incarnation
        jitter = self.connect_timeout // 5
        limit = self.connect_timeout + self.net.connect_stream.between(-jitter, jitter)
        ConnectAttempt(self, self.sim.now, limit).fire()

    def close(self) -> None:
        """Give the connection up without a call back; what is under way on it is dropped."""
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

    def push_back(self, message: Message) -> None:
        """Send to the client without ending the request in hand."""
        self._transmit(message, False)

    def next_request(self) -> None:
        """The request in hand needs no (further) answer: take up the next."""
        self.busy = False
        if self._queue:
            message = self._queue.pop(0)
            self.busy = True
            self._handle(message)

    def hang_up(self) -> None:
        """The server closes the connection (PROD-10)."""
        self._break_later()

    # -- call backs, for subclasses

    def on_connected(self) -> None:
        """The connection stands."""

    def on_broken(self, refused: bool) -> None:
        """The connection broke, or could not be made; ``refused``: at once, by a reset."""

    # -- inside

    def _forget(self) -> None:
        for message in self._held:
            if message.flight > 0:  # else a person lost it before
                self.net.end_flight(message, FLIGHT_DROPPED, -1)
        if self.net.pinned:
            self.net.pinned = [message for message in self.net.pinned if message.channel is not self]
        self._held = []
        self._queue = []
        self._last_out = 0  # a new connection does not wait for what the old one would have retransmitted
        self._last_back = 0
        self.busy = False
        self.is_greeting = False
        self.conn += 1

    def _transmit(self, message: Message, to_server: bool) -> None:
        net = self.net
        sim = self.sim
        now = sim.now
        src = self.client if to_server else self.server
        dst = self.server if to_server else self.client
        message.channel = self
        message.conn = self.conn
        message.to_server = to_server
        message.sent_at = now
        message.held = False
        if self.silent(to_server) or self._blocked(to_server):
            message.flight = sim.trace.traffic(
                FLIGHT, message.msg, src.id, dst.id, -1, message.p, message.count, message.mark
            )
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
        message.flight = sim.trace.traffic(
            FLIGHT, message.msg, src.id, dst.id, arrive, message.p, message.count, message.mark
        )
        sim.calendar.push(message, arrive)

    def _blocked(self, to_server: bool) -> bool:
        """Whether something sent earlier in this direction still waits for a retransmission."""
        for message in self._held:
            if message.to_server == to_server:
                return True
        return False

    def silent(self, to_server: bool) -> bool:
        """Whether packets in this direction are dropped now."""
        if self.net.cuts == 0:
            return False
        if to_server:
            return self.net.drops(self.client, self.server)
        return self.net.drops(self.server, self.client)

    def hold(self, message: Message) -> None:
        """A message met the cut; TCP keeps it for a retransmission."""
        if self.net.taken and message in self.net.taken:
            self.net.taken.remove(message)  # a person has taken it out of the air before it came here
            return
        if not message.held:
            message.held = True
            self.net.end_flight(message, FLIGHT_DELAYED, -1)
        self._held.append(message)
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
        """A request reached a host whose process is gone: a reset comes back."""
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
        self.sim.after(delay, ConnectionReset(self, False))

    def link_healed(self) -> None:
        """A link of this channel is whole again: what was held goes out with the next retransmission (TCP-1)."""
        held = self._held
        if not held:
            return
        still: list[Message] = []
        first_at: i64 = -1
        is_out_pinned = False
        is_back_pinned = False
        for message in held:
            if message in self.net.pinned:
                is_out_pinned = is_out_pinned or message.to_server
                is_back_pinned = is_back_pinned or not message.to_server
            if self.silent(message.to_server) or (is_out_pinned if message.to_server else is_back_pinned):
                still.append(message)
                continue
            if first_at < 0:
                first_at = message.sent_at
            at = next_retransmission(first_at, self.sim.now)
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
            self.sim.calendar.push(HandedOver(message), arrive)
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

    def holds(self, message: Message) -> bool:
        """Whether a message waits here."""
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
            self.sim.calendar.push(HandedOver(message), self.sim.now)
        self.link_healed()


@final
class HandedOver(Event):
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


def next_retransmission(first_us: i64, now_us: i64) -> i64:
    """The first time at or after now at which TCP repeats what it first sent at ``first_us``."""
    pause: i64 = RETRANSMIT_FIRST_US
    at = first_us + pause
    while at < now_us:
        pause *= 2
        at += pause
    return at


@final
class ConnectionReset(Task):
    """A reset reaches the client of a channel."""

    __slots__ = ("channel", "conn", "refused")

    def __init__(self, channel: Channel, refused: bool) -> None:
        super().__init__(channel.client)
        self.channel = channel
        self.conn: i64 = channel.conn
        self.refused = refused

    def run(self) -> None:
        channel = self.channel
        if self.conn != channel.conn:
            return
        if channel.silent(False):
            if channel.state == CONNECTING:  # nobody heard the refusal: the SYN is repeated
                ConnectAttempt(channel, channel.sim.now, channel.connect_timeout).fire()
            return
        channel.close()
        channel.on_broken(self.refused)


@final
class ConnectAttempt(Event):
    """One SYN of a connection attempt, and those that follow it."""

    __slots__ = ("_k", "_limit", "_since", "channel", "conn")

    def __init__(self, channel: Channel, since: i64, limit: i64) -> None:
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

    def __init__(self, channel: Channel) -> None:
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

    def __init__(self, channel: Channel) -> None:
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

    def __init__(self, channel: Channel) -> None:
        super().__init__(channel.client)
        self.channel = channel
        self.conn: i64 = channel.conn

    def run(self) -> None:
        channel = self.channel
        if self.conn != channel.conn or channel.state != CONNECTING:
            return
        channel.close()
        channel.on_broken(False)


@final
class Network:
    """All nodes and the links between them."""

    __slots__ = (
        "_base",
        "_cut",
        "_jitter",
        "_slow",
        "_streams",
        "connect_stream",
        "cuts",
        "n",
        "nodes",
        "pinned",
        "sim",
        "taken",
    )

    def __init__(self, sim: Sim, nodes: list[Node], base_us: i64, jitter_us: i64) -> None:
        self.sim = sim
        self.nodes: list[Node] = []
        self.n: i64 = 0
        self._base: vec[i64] = vec[i64]()
        self._jitter: vec[i64] = vec[i64]()
        self._slow: vec[i64] = vec[i64]()
        self._cut: vec[i64] = vec[i64]()
        self._streams: list[Stream | None] = []
        self.cuts: i64 = 0  # directions that are cut, and hosts without power
        self.pinned: list[Message] = []  # those that a person holds
        self.taken: list[Message] = []  # those taken out of the air whose own event is still to come
        self.add(nodes, base_us, jitter_us)
        self.connect_stream: Stream = sim.stream("network", "connect timeout")

    def add(self, nodes: list[Node], base_us: i64, jitter_us: i64) -> None:
        """More nodes, before anything is sent or set; all links get these latencies."""
        for node in nodes:
            node.index = len(self.nodes)
            self.nodes.append(node)
        self.n = len(self.nodes)
        size = len(self.nodes) * len(self.nodes)
        self._base = vec[i64]([base_us] * size)
        self._jitter = vec[i64]([jitter_us] * size)
        self._slow = vec[i64]([0] * size)
        self._cut = vec[i64]([0] * size)
        self._streams = [None] * size

    def set_latency(self, a: Node, b: Node, base_us: i64, jitter_us: i64) -> None:
        """Latency of both directions between two nodes: base, plus 0 .. jitter."""
        for k in (a.index * self.n + b.index, b.index * self.n + a.index):
            self._base[k] = base_us
            self._jitter[k] = jitter_us

    def latency(self, src: Node, dst: Node) -> i64:
        """A latency for one packet, in us."""
        k = src.index * self.n + dst.index
        latency = self._base[k] + self._slow[k]
        jitter = self._jitter[k]
        if jitter > 0:
            stream = self._streams[k]
            if stream is None:
                stream = self.sim.stream("link " + src.name + ">" + dst.name, "latency")
                self._streams[k] = stream
            latency += stream.below(jitter + 1)
        return latency

    def is_cut(self, src: Node, dst: Node) -> bool:
        """Whether this direction drops all packets."""
        return self.cuts > 0 and self._cut[src.index * self.n + dst.index] > 0

    def drops(self, src: Node, dst: Node) -> bool:
        """Whether packets of this direction are lost: the link is cut, or a host without power."""
        return self.is_cut(src, dst) or src.dark or dst.dark

    def power_off(self, node: Node) -> None:
        """The host of a node goes dark; what is under way to it meets nobody."""
        if node.dark:
            return
        node.dark = True
        self.cuts += 1
        for other in self.nodes:
            if other is not node:
                self._hold_flights(other, node)

    def power_on(self, node: Node) -> None:
        """The host is on again, and resets connections that it does not know."""
        if not node.dark:
            return
        node.dark = False
        self.cuts -= 1
        self.healed()

    def slowness(self, src: Node, dst: Node) -> i64:
        """Latency added to this direction by an action, in us."""
        return self._slow[src.index * self.n + dst.index]

    def cut(self, src: Node, dst: Node) -> bool:
        """Drop all packets of one direction from now on; false if it was cut already."""
        k = src.index * self.n + dst.index
        if self._cut[k] > 0:
            return False
        self._cut[k] = 1
        self.cuts += 1
        self._hold_flights(src, dst)
        return True

    def heal(self, src: Node, dst: Node) -> bool:
        """Let packets of one direction through again; false if it was not cut."""
        k = src.index * self.n + dst.index
        if self._cut[k] == 0:
            return False
        self._cut[k] = 0
        self.cuts -= 1
        return True

    def healed(self) -> None:
        """After one or more ``heal``: let channels send what they hold."""
        for node in self.nodes:
            for channel in node.channels:
                if channel.client is node:
                    channel.link_healed()

    def slow_down(self, src: Node, dst: Node, added_us: i64) -> None:
        """Add latency to one direction (0: none)."""
        self._slow[src.index * self.n + dst.index] = added_us

    def _hold_flights(self, src: Node, dst: Node) -> None:
        """What is in the air on a link when it is cut never arrives: say so now, for whoever watches."""
        for event in self.sim.calendar.waiting():
            if isinstance(event, Message) and not event.held and event.conn == event.channel.conn:
                channel = event.channel
                a = channel.client if event.to_server else channel.server
                b = channel.server if event.to_server else channel.client
                if a is src and b is dst:
                    event.held = True
                    self.end_flight(event, FLIGHT_DELAYED, -1)

    def end_flight(self, message: Message, how: i64, arrive: i64) -> None:
        """State that a flight will not arrive as announced."""
        self.sim.trace.traffic(FLIGHT_ENDED, message.flight, how, arrive)
