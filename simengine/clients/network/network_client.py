"""A client's connections to the brokers: opening them, time limits, and what to do when one breaks (PC-2, PC-7).

Answers on one connection come in the order of the requests. A request unanswered for ``request.timeout.ms`` drops the
connection; a reset of it (a dead process) is noticed at once, silence only so. Connection attempts time out after 10 s
growing to 30 s (TCP-1) and are kept apart by ``reconnect.backoff.ms`` 50 growing to 1000.
"""

from typing import Final, final

from librt.vecs import append, pop, vec
from mypy_extensions import i64

from simengine.clients.network.metadata import ClientMetadata
from simengine.clients.network.settings import doubled
from simengine.kafka.wire.api import ClientChannel, ClientServer, MetadataAnswer, MetadataRequest
from simengine.kernel.connecting import CONNECTING, DOWN, UP
from simengine.kernel.message import Message
from simengine.kernel.network import Network
from simengine.kernel.node import Node, Task
from simengine.kernel.random import Stream
from simengine.kernel.sim import Sim

RECONNECT_BACKOFF_US: Final = 50_000  # reconnect.backoff.ms
RECONNECT_BACKOFF_MAX_US: Final = 1_000_000  # reconnect.backoff.max.ms
SETUP_TIMEOUT_US: Final = 10_000_000  # socket.connection.setup.timeout.ms, +-20 %
SETUP_TIMEOUT_MAX_US: Final = 30_000_000  # socket.connection.setup.timeout.max.ms
NOTICE_MAX_US: Final = 20_000  # so late at most an idle client looks for requests past their limit (open point 4)


class Pending:
    """A request that waits for its answer."""

    __slots__ = ("late_us", "limit_us", "sent_at")

    def __init__(self, sent_at: i64) -> None:
        self.sent_at: i64 = sent_at
        self.limit_us: i64 = 0  # time limit; 0: the client's request timeout
        self.late_us: i64 = -1  # how long after its limit the client looks; -1: the limit has not come


@final
class PendingMetadata(Pending):
    """A metadata request that waits for its answer."""

    __slots__ = ()


class Connection(ClientChannel):
    """One client's connection to one broker."""

    __slots__ = ("_failures", "_reconnect", "_request_timer", "owner", "pending", "retry_at")

    def __init__(self, owner: "NetworkClient", broker: ClientServer) -> None:
        super().__init__(owner.net, owner.node, broker)
        self.owner = owner
        self.pending: vec[Pending] = vec[Pending]()  # oldest first
        self.retry_at: i64 = 0
        self._failures: i64 = 0
        self._request_timer: RequestTimer | None = None  # one for all requests, at the first of their time limits
        self._reconnect: ReconnectTimer | None = None

    def reset(self) -> None:
        """Hang up and forget everything."""
        self.close()
        self.pending = vec[Pending]()
        self.retry_at = 0
        self._failures = 0
        self._request_timer = None
        self._reconnect = None

    def open(self) -> None:
        """Try to connect now. PC-12: an ApiVersions request goes first, and nothing else until it is answered."""
        self.greeting_us = self.owner.request_timeout_us
        self.connect_timeout = doubled(SETUP_TIMEOUT_US, self._failures + 1, SETUP_TIMEOUT_MAX_US)
        self.connect()

    def want(self) -> None:
        """Have the connection tried as soon as its back-off allows, if it is down."""
        if self.state != DOWN or self._reconnect is not None:
            return
        if self.sim.now >= self.retry_at:
            self.open()
        else:
            self._reconnect = ReconnectTimer(self)
            self.sim.at(self.retry_at, self._reconnect)

    def retry(self, timer: "ReconnectTimer") -> None:
        """The back-off is over."""
        if timer is not self._reconnect:
            return
        self._reconnect = None
        if self.state == DOWN:
            self.open()

    def request(self, message: Message, pending: Pending) -> None:
        """Send a request that will be answered."""
        self.dispatch(message)
        self.pending = append(self.pending, pending)
        at = self.owner.given_up_at(pending)
        if self._request_timer is None or at < self._request_timer.time:
            self._request_timer = RequestTimer(self)
            self.sim.at(at, self._request_timer)

    def dispatch(self, message: Message) -> None:
        """Put a request on the wire."""
        self.send(message)

    def ask_metadata(self, request: MetadataRequest) -> None:
        """Send a metadata request."""
        self.request(request, PendingMetadata(self.sim.now))

    def answered(self) -> Pending:
        """Take out the request that the answer at hand belongs to: the oldest."""
        assert len(self.pending) > 0, "an answer without a request"
        self.pending, oldest = pop(self.pending, 0)
        return oldest

    def check_time(self, timer: "RequestTimer") -> None:
        """Drop the connection if a request is past its limit; else look again when that would be the case."""
        if timer is not self._request_timer:
            return
        if len(self.pending) == 0:
            self._request_timer = None
            return
        first = self.pending[0]
        for request in self.pending:
            if self.owner.given_up_at(request) < self.owner.given_up_at(first):
                first = request
        at = self.owner.given_up_at(first)
        if at <= self.sim.now and first.late_us < 0:
            first.late_us = self.owner.notices_after()
            at += first.late_us
        if at > self.sim.now:
            self.sim.at(at, timer)
            return
        self._request_timer = None
        self.close()
        self.broke(True)

    def on_connected(self) -> None:
        self._failures = 0
        self.owner.connection_up(self)

    def on_broken(self, refused: bool) -> None:
        self.broke(False)

    def broke(self, timed_out: bool) -> None:
        """The connection is gone, noticed by a reset or (``timed_out``) by the request timeout."""
        pending = self.pending
        self.pending = vec[Pending]()
        self._failures += 1
        pause = doubled(RECONNECT_BACKOFF_US, self._failures, RECONNECT_BACKOFF_MAX_US)
        pause = self.owner.stream.between(pause - pause // 5, pause + pause // 5)
        self.retry_at = self.sim.now + min(pause, RECONNECT_BACKOFF_MAX_US)
        self.owner.connection_down(self, pending, timed_out)

    def on_metadata(self, answer: MetadataAnswer) -> None:
        self.answered()
        self.owner.metadata_answered(self, answer)


@final
class RequestTimer(Task):
    """The oldest request of a connection may be too old now; one timer for all of them."""

    __slots__ = ("connection",)

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection.client)
        self.connection = connection

    def run(self) -> None:
        self.connection.check_time(self)


@final
class ReconnectTimer(Task):
    """A broken connection may be tried again."""

    __slots__ = ("connection",)

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection.client)
        self.connection = connection

    def run(self) -> None:
        self.connection.retry(self)


@final
class BootstrapConnection(ClientChannel):
    """The connection of the first metadata request; it carries nothing any more."""

    __slots__ = ("_stood", "owner")

    def __init__(self, owner: "NetworkClient", broker: ClientServer) -> None:
        super().__init__(owner.net, owner.node, broker)
        self.owner = owner
        self._stood: bool = False

    def on_connected(self) -> None:
        self._stood = True

    def on_broken(self, refused: bool) -> None:
        if self._stood:
            self._stood = False
            self.owner.metadata.request_update()


class NetworkClient:
    """All connections of one client, and its metadata. Producer and consumer build on it."""

    __slots__ = (
        "_bootstrap",
        "_bootstrap_connections",
        "_notice",
        "_position",
        "brokers",
        "connections",
        "metadata",
        "net",
        "node",
        "notice_us",
        "request_timeout_us",
        "sim",
        "stream",
    )

    def __init__(
        self,
        net: Network,
        node: Node,
        brokers: list[ClientServer],
        bootstrap: list[int],
        request_timeout_us: i64,
    ) -> None:
        self.net = net
        self.sim: Sim = net.sim
        self.node = node
        self.brokers = brokers
        self.request_timeout_us: i64 = request_timeout_us
        self.notice_us: i64 = -1  # pinned; -1: drawn each time
        self._notice: Stream = net.sim.stream(node.name, "request timeout")
        self.stream: Stream = net.sim.stream(node.name, "network client")
        self._position: dict[int, int] = {}
        for i in range(len(brokers)):
            self._position[brokers[i].id] = i
        self._bootstrap: list[int] = self.positions(bootstrap) if bootstrap else list(range(len(brokers)))
        self.metadata: ClientMetadata = ClientMetadata(self)
        self.connections: list[Connection] = []
        self._bootstrap_connections: dict[int, BootstrapConnection] = {}

    def positions(self, broker_ids: list[int]) -> list[int]:
        """The indices of these brokers in ``brokers`` and ``connections``; unknown ids are left out."""
        return [self._position[broker_id] for broker_id in broker_ids if broker_id in self._position]

    def connection_to(self, broker_id: i64) -> Connection | None:
        """The connection to a broker, up or not; None for -1."""
        if broker_id < 0:
            return None
        return self.connections[self._position[broker_id]]

    def given_up_at(self, request: Pending) -> i64:
        """The moment at which a request without response times out (PC-7)."""
        limit = request.limit_us if request.limit_us > 0 else self.request_timeout_us
        return request.sent_at + limit + max(request.late_us, 0)

    def notices_after(self) -> i64:
        """The time (µs) from a request's timeout until this client notices it.

        Its poll ends some time later. So the response of a broker that timed the same request out may be first.
        """
        return self._notice.between(0, NOTICE_MAX_US) if self.notice_us < 0 else self.notice_us

    def hang_up(self) -> None:
        """Close every connection and forget everything, as a process that ends."""
        for connection in self.connections:
            connection.reset()
        for kept in self._bootstrap_connections.values():
            kept.close()
        self.metadata.forget()

    def least_loaded(self) -> Connection | None:
        """The broker to ask: connected with fewest requests waiting, else connecting, else tried longest ago."""
        nodes = self.metadata.nodes if self.metadata.nodes else self._bootstrap
        n = len(nodes)
        offset: i64 = self.stream.below(n)
        best: Connection | None = None
        connecting: Connection | None = None
        idle: Connection | None = None
        for i in range(n):
            connection = self.connections[nodes[(offset + i) % n]]
            if connection.state == UP:
                if len(connection.pending) == 0:
                    return connection
                if self.can_take(connection) and (best is None or len(connection.pending) < len(best.pending)):
                    best = connection
            elif connection.state == CONNECTING:
                if self.metadata.nodes or connection is self.metadata.tried:  # else not to the bootstrap address
                    connecting = connection
            elif self.sim.now >= connection.retry_at and (idle is None or connection.retry_at < idle.retry_at):
                idle = connection
        return best or connecting or idle

    def is_connected(self) -> bool:
        """True if a connection to a known broker is up, even a full one."""
        for i in self.metadata.nodes if self.metadata.nodes else self._bootstrap:
            if self.connections[i].state == UP:
                return True
        return False

    def let_go(self) -> None:
        """Close the connections to all known brokers; their requests are lost."""
        known = self.metadata.nodes if self.metadata.nodes else self._bootstrap
        for i in known:
            connection = self.connections[i]
            if connection.state != DOWN:
                connection.close()
                connection.broke(False)

    def next_retry_at(self) -> i64:
        """The moment of the next attempt to reach a broker: soon if one is connected, else at the first reconnect."""
        if self.is_connected():
            return self.sim.now + RECONNECT_BACKOFF_US
        at = self.sim.now + RECONNECT_BACKOFF_MAX_US
        for i in self._bootstrap:
            if self.connections[i].state == DOWN:
                at = min(at, self.connections[i].retry_at)
        return max(at, self.sim.now + 1_000)

    def connection_up(self, connection: Connection) -> None:
        """A connection stands."""
        self.metadata.connection_changed()
        self.on_up(connection)

    def connection_down(self, connection: Connection, pending: vec[Pending], timed_out: bool) -> None:
        """A connection broke, with these requests unanswered; ``timed_out``: the client gave it up (PC-7)."""
        for request in pending:
            if isinstance(request, PendingMetadata):
                self.metadata.refresh_failed()
            else:
                self.on_lost(connection, request, timed_out)
        self.metadata.connection_lost()
        self.metadata.connection_changed()
        self.on_down(connection)

    def metadata_answered(self, connection: Connection, answer: MetadataAnswer) -> None:
        """A refresh succeeded."""
        is_bootstrap = not self.metadata.nodes
        is_news = self.metadata.refreshed(answer)
        if (answer.found or answer.gone or answer.racks) and self.on_topics(answer):
            is_news = True
        self.on_refreshed()
        if is_bootstrap and connection.state == UP and len(connection.pending) == 0:
            connection.close()  # the real client talks to a bootstrap address once, then to brokers by id
            self._keep_bootstrap(connection.broker)
            self._ask_for_telemetry()
        if is_news:
            self.on_metadata()
        else:
            self.on_free(connection)

    def _ask_for_telemetry(self) -> None:
        """KIP-714: a client connects to the least loaded broker to ask what metrics to push, and stays connected.

        The question itself is left out; what counts is that a metadata refresh may go to that broker (f067).
        """
        asked = self.least_loaded()
        if asked is not None and asked.state == DOWN:
            asked.open()

    def _keep_bootstrap(self, broker: ClientServer) -> None:
        """The connection to the bootstrap address stays open, unused; when it breaks the client looks around (f067)."""
        kept = self._bootstrap_connections.get(broker.id)
        if kept is None:
            kept = BootstrapConnection(self, broker)
            self._bootstrap_connections[broker.id] = kept
        if kept.state == DOWN:
            kept.connect()

    # -- for producers and consumers

    def can_take(self, connection: Connection) -> bool:
        """True if another request may be sent on a connection that is up."""
        return True

    def on_up(self, connection: Connection) -> None:
        """A connection stands."""

    def on_free(self, connection: Connection) -> None:
        """A refresh that brought nothing new takes up no place on its connection any more."""

    def on_lost(self, connection: Connection, request: Pending, timed_out: bool) -> None:
        """A request of the client's own kind was lost with its connection."""

    def on_down(self, connection: Connection) -> None:
        """A connection broke; ``on_lost`` was called for its requests."""

    def on_topics(self, answer: MetadataAnswer) -> bool:
        """Topics in use have partitions that the client does not know, or are gone; whether it takes up some."""
        return False

    def on_refreshed(self) -> None:
        """A refresh succeeded, whether it brought news or not."""

    def on_metadata(self) -> None:
        """Leaders or epochs changed."""

    def on_rebootstrap(self) -> None:
        """All leaders were forgotten."""
