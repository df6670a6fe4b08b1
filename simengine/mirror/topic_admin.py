"""The admin client of a source connector in one cluster: asks which topics there are.

A call is tried again while no broker can be reached, for ``default.api.timeout.ms``. What the connector then creates or
alters is an administrator's call of that cluster (``RemoteTopics``).
"""

from typing import Final, final

from mypy_extensions import i64, trait

from simengine.clients.network.client_node import ClientNode
from simengine.clients.network.network_client import Connection, Pending
from simengine.kafka.shared.config import Catalog
from simengine.kafka.wire.api import ClientServer
from simengine.kafka.wire.topic_list import TopicsAnswer, TopicsRequest
from simengine.kernel.connecting import DOWN, UP
from simengine.kernel.network import Network
from simengine.kernel.site import Site
from simengine.mirror.admin_client import AdminClient, PendingAdminCall

NO_RACK: Final = ""


@trait
class TopicsListener:
    """Hears how a question ended."""

    def topics_listed(self, call: "TopicsCall", has_failed: bool) -> None:
        """``call.partitions`` are those of the cluster, unless it ``has_failed``."""


@final
class TopicsCall(PendingAdminCall):
    """A question for all topics, which ``listener`` has asked."""

    __slots__ = ("listener", "partitions")

    def __init__(self, listener: TopicsListener, now: i64) -> None:
        super().__init__(now)
        self.listener = listener
        self.partitions: list[int] = []


@final
class TopicsConnection(Connection):
    """The connection of such an admin client to one broker."""

    __slots__ = ("admin",)

    def __init__(self, admin: "TopicAdmin", broker: ClientServer) -> None:
        super().__init__(admin, broker)
        self.admin = admin

    def on_topics_answer(self, answer: TopicsAnswer) -> None:
        call = self.answered()
        assert isinstance(call, TopicsCall), "this connection carries questions for topics"
        self.admin.answered(call, answer)


@final
class TopicAdmin(AdminClient):
    """One question at a time."""

    __slots__ = ("_call",)

    def __init__(self, net: Network, leg: ClientNode, brokers: list[ClientServer]) -> None:
        super().__init__(net, leg, brokers)
        self._call: TopicsCall | None = None
        for broker in brokers:
            self.connections.append(TopicsConnection(self, broker))

    def start(self) -> None:
        """A new process."""
        self.hang_up()
        self._call = None

    def list_topics(self, listener: TopicsListener) -> None:
        """Ask for all topics. This replaces the question of a connector that has stopped."""
        call = TopicsCall(listener, self.sim.now)
        self._call = call
        self.begin(call)

    def push(self) -> None:
        call = self._call
        if call is None or call.is_sent or call.sent_at > self.sim.now:
            return
        connection = self.least_loaded()
        if connection is None:
            self.retry(call)
        elif connection.state == UP:
            call.is_sent = True
            call.sent_at = self.sim.now
            connection.request(TopicsRequest(), call)
        elif connection.state == DOWN:
            connection.open()

    def answered(self, call: TopicsCall, answer: TopicsAnswer) -> None:
        """A broker has listed the partitions of the cluster."""
        call.partitions = answer.partitions
        self._end(call, False)

    def time_is_up(self, call: PendingAdminCall) -> None:
        assert isinstance(call, TopicsCall), "this client asks for topics"
        self._end(call, True)

    def _end(self, call: TopicsCall, has_failed: bool) -> None:
        if call is self._call:
            self._call = None
            call.listener.topics_listed(call, has_failed)

    def on_lost(self, connection: Connection, request: Pending, timed_out: bool) -> None:
        if isinstance(request, TopicsCall) and request is self._call:
            self.retry(request)


@final
class TopicAdminLeg(ClientNode):
    """The end of a MirrorMaker process that asks one cluster for its topics."""

    __slots__ = ("_admin", "_catalog", "_net")

    def __init__(self, net: Network, client_id: str, site: Site) -> None:
        super().__init__(net, client_id, NO_RACK, site)
        self._net = net
        self._catalog: Catalog | None = None
        self._admin: TopicAdmin | None = None

    def attach(self, brokers: list[ClientServer], catalog: Catalog) -> None:
        """Name the brokers of its cluster, and what partitions are called; once, before ``start``."""
        self._catalog = catalog
        self._admin = TopicAdmin(self._net, self, brokers)

    def admin(self) -> TopicAdmin:
        """The network half."""
        assert self._admin is not None, "a leg is attached before it is used"
        return self._admin

    def start(self) -> None:
        """A new process."""
        self.up = True
        self.listening = True
        self.admin().start()

    def name_of(self, p: i64) -> tuple[str, int]:
        """Topic and number of a partition of its cluster."""
        assert self._catalog is not None, "a leg is attached before it is used"
        return self._catalog.name_of(p)
