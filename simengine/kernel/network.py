"""The network: all nodes, and the links between them.

A *link* is one direction between two nodes: a latency, and perhaps a cut.
"""

from typing import final

from librt.vecs import vec
from mypy_extensions import i64

from simengine.facts.kinds import FLIGHT_DELAYED
from simengine.facts.traffic import flight_ended
from simengine.kernel.message import Message
from simengine.kernel.node import Node
from simengine.kernel.random import Stream
from simengine.kernel.sim import Sim


@final
class Network:
    """All nodes and the links between them."""

    __slots__ = (
        "_base",
        "_cut",
        "_jitter",
        "_named_streams",
        "_slow",
        "_streams",
        "clients",
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
        self.clients: list[Node] = []  # by index
        self.n: i64 = 0
        self._base: vec[i64] = vec[i64]()
        self._jitter: vec[i64] = vec[i64]()
        self._slow: vec[i64] = vec[i64]()
        self._cut: vec[i64] = vec[i64]()
        self._streams: list[Stream | None] = []
        self.cuts: i64 = 0  # directions that are cut, and hosts without power
        self.pinned: list[Message] = []  # those that a person holds
        self._named_streams: dict[str, Stream] = {}
        self.taken: list[Message] = []  # those taken out of the air whose own event is still to come
        self.add(nodes, base_us, jitter_us)

    def add(self, nodes: list[Node], base_us: i64, jitter_us: i64) -> None:
        """More nodes, perhaps of a run that is under way; each link of a new node gets these latencies."""
        base, jitter, slow, cut, streams = self._base, self._jitter, self._slow, self._cut, self._streams
        old = self.n
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
        for a in range(old):
            for b in range(old):
                k = a * self.n + b
                before = a * old + b
                self._base[k] = base[before]
                self._jitter[k] = jitter[before]
                self._slow[k] = slow[before]
                self._cut[k] = cut[before]
                self._streams[k] = streams[before]

    def stream(self, entity: str, purpose: str) -> Stream:
        """The random stream of an entity for a purpose, the same one each time."""
        name = entity + "|" + purpose
        stream = self._named_streams.get(name)
        if stream is None:
            stream = self.sim.stream(entity, purpose)
            self._named_streams[name] = stream
        return stream

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
        """True if this direction drops all packets."""
        return self.cuts > 0 and self._cut[src.index * self.n + dst.index] > 0

    def drops(self, src: Node, dst: Node) -> bool:
        """True if packets of this direction are lost: the link is cut, or a host without power."""
        return self.is_cut(src, dst) or src.dark or dst.dark

    def power_off(self, node: Node) -> None:
        """The host of a node goes dark: what is under way to it meets nobody, what it has sent still arrives."""
        if node.dark:
            return
        node.dark = True
        self.cuts += 1
        self._hold_flights_to(node)
        for channel in node.channels:
            if channel.server is node:
                channel.server_went_dark()

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
        """Report the messages in the air on a link that is cut now: they never arrive."""
        for event in self.sim.calendar.waiting():
            if isinstance(event, Message) and not event.held and event.conn == event.channel.conn:
                channel = event.channel
                a = channel.client if event.to_server else channel.server
                b = channel.server if event.to_server else channel.client
                if a is src and b is dst:
                    self._hold_flight(event)

    def _hold_flights_to(self, dst: Node) -> None:
        """Likewise all that is in the air to a node, by senders in the order of the nodes: one look for all links."""
        caught: list[list[Message]] = [[] for _ in self.nodes]
        for event in self.sim.calendar.waiting():
            if isinstance(event, Message) and not event.held and event.conn == event.channel.conn:
                channel = event.channel
                a = channel.client if event.to_server else channel.server
                b = channel.server if event.to_server else channel.client
                if b is dst and a is not dst:
                    caught[a.index].append(event)
        for messages in caught:
            for message in messages:
                self._hold_flight(message)

    def _hold_flight(self, message: Message) -> None:
        message.held = True
        message.channel.falls(message.to_server, 1)
        self.end_flight(message, FLIGHT_DELAYED, -1)

    def end_flight(self, message: Message, how: i64, arrive: i64) -> None:
        """State that a flight will not arrive as announced."""
        flight_ended(self.sim.trace, flight=message.flight, how=how, arrive=arrive)
