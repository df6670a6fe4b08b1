"""The admin client of a MirrorMaker process in one cluster: reads and writes the committed offsets of groups.

A call is tried again while the coordinator cannot be found or does not lead.
"""

from typing import Final, final

from mypy_extensions import i64, trait

from simengine.clients.network.client_node import ClientNode
from simengine.clients.network.network_client import Connection, Pending
from simengine.facts.errors import ERR_NETWORK_EXCEPTION, ERR_NONE, ERR_UNKNOWN_MEMBER_ID
from simengine.kafka.wire.api import ClientServer, CommitAnswer, CommitRequest, CommittedRequest
from simengine.kernel.connecting import UP
from simengine.kernel.network import Network
from simengine.kernel.node import Node
from simengine.kernel.site import Site
from simengine.mirror.admin_client import RETRY_BACKOFF_MAX_US, RETRY_BACKOFF_US, AdminClient, PendingAdminCall

METADATA_MAX_AGE_US: Final = 300_000_000  # metadata.max.age.ms
UNKNOWN_EPOCH: Final = -1
NO_RACK: Final = ""


@trait
class GroupListener:
    """Hears how a call ended."""

    def group_call_ended(self, call: "GroupCall", error: i64) -> None:
        """With ERR_NONE, ``call.offsets`` are those that the group has (-1: none), or has now."""


@final
class GroupCall(PendingAdminCall):
    """A call about one group: ListConsumerGroupOffsets, or AlterConsumerGroupOffsets (``is_alter``)."""

    __slots__ = ("group", "is_alter", "listener", "offsets", "partitions")

    def __init__(
        self, listener: GroupListener, group: str, partitions: list[int], offsets: list[int], is_alter: bool, now: i64
    ) -> None:
        super().__init__(now)
        self.listener = listener
        self.group = group
        self.partitions = partitions
        self.offsets = offsets
        self.is_alter: bool = is_alter


@final
class AdminConnection(Connection):
    """The connection of an admin client to one broker."""

    __slots__ = ("admin",)

    def __init__(self, admin: "GroupAdmin", broker: ClientServer) -> None:
        super().__init__(admin, broker)
        self.admin = admin

    def on_commit_answer(self, answer: CommitAnswer) -> None:
        """The oldest request was answered."""
        call = self.answered()
        assert isinstance(call, GroupCall), "an admin connection carries calls about groups"
        self.admin.answered(call, answer)


@final
class GroupAdmin(AdminClient):
    """``offsets_p`` is the partition of ``__consumer_offsets`` whose leader coordinates the groups."""

    __slots__ = ("_calls", "_offsets_p")

    def __init__(self, net: Network, node: Node, brokers: list[ClientServer], offsets_p: i64) -> None:
        super().__init__(net, node, brokers)
        self._offsets_p: i64 = offsets_p
        self._calls: list[GroupCall] = []
        self.metadata.pace(METADATA_MAX_AGE_US, RETRY_BACKOFF_US, RETRY_BACKOFF_MAX_US)
        for broker in brokers:
            self.connections.append(AdminConnection(self, broker))

    def start(self) -> None:
        """A new process."""
        self.hang_up()
        self._calls = []
        self.metadata.want([int(self._offsets_p)])
        self.metadata.request_update()

    def list_offsets(self, listener: GroupListener, group: str, partitions: list[int]) -> None:
        """Ask what a group has committed for these partitions."""
        self._begin(GroupCall(listener, group, partitions, [-1] * len(partitions), False, self.sim.now))

    def alter_offsets(self, listener: GroupListener, group: str, offsets: dict[int, int]) -> None:
        """Commit offsets for a group; its coordinator refuses that while the group has members."""
        self._begin(GroupCall(listener, group, list(offsets), list(offsets.values()), True, self.sim.now))

    def _begin(self, call: GroupCall) -> None:
        self._calls.append(call)
        self.begin(call)

    def push(self) -> None:
        if not self._calls:
            return
        connection = self.connection_to(self.metadata.leaders[self._offsets_p])
        if connection is None:
            self.metadata.request_update()
            return
        if connection.state != UP:
            connection.want()
            return
        for call in list(self._calls):
            if not call.is_sent and call.sent_at <= self.sim.now:
                self._send(connection, call)

    def _send(self, connection: Connection, call: GroupCall) -> None:
        call.is_sent = True
        call.sent_at = self.sim.now
        if call.is_alter:
            epochs = [UNKNOWN_EPOCH] * len(call.partitions)
            connection.request(CommitRequest(call.group, call.partitions, call.offsets, epochs), call)
        else:
            connection.request(CommittedRequest(call.group, call.partitions), call)

    def answered(self, call: GroupCall, answer: CommitAnswer) -> None:
        """Hand on the result, or try again."""
        if answer.error == ERR_NONE:
            if not call.is_alter:
                call.offsets = answer.offsets
            self._end(call, ERR_NONE)
        elif answer.error == ERR_UNKNOWN_MEMBER_ID:
            self._end(call, answer.error)
        else:
            self.metadata.request_update()
            self.retry(call)

    def time_is_up(self, call: PendingAdminCall) -> None:
        assert isinstance(call, GroupCall), "this client makes calls about groups"
        self._end(call, ERR_NETWORK_EXCEPTION)

    def _end(self, call: GroupCall, error: i64) -> None:
        if call in self._calls:
            self._calls.remove(call)
            call.listener.group_call_ended(call, error)

    def on_lost(self, connection: Connection, request: Pending, timed_out: bool) -> None:
        if isinstance(request, GroupCall):
            self.retry(request)

    def on_metadata(self) -> None:
        self.push()


@final
class AdminLeg(ClientNode):
    """The end of a MirrorMaker process that asks one cluster about groups."""

    __slots__ = ("_admin", "_net")

    def __init__(self, net: Network, client_id: str, site: Site) -> None:
        super().__init__(net, client_id, NO_RACK, site)
        self._net = net
        self._admin: GroupAdmin | None = None

    def attach(self, brokers: list[ClientServer], offsets_p: i64) -> None:
        """Name the brokers of its cluster and its offsets partition; once, before ``start``."""
        self._admin = GroupAdmin(self._net, self, brokers, offsets_p)

    def admin(self) -> GroupAdmin:
        """The network half."""
        assert self._admin is not None, "a leg is attached before it is used"
        return self._admin

    def start(self) -> None:
        """A new process."""
        self.up = True
        self.listening = True
        self.admin().start()
