"""A Connect worker's membership of its group on the target: join, heartbeats, and the search for the coordinator.

A worker that has heard nothing for ``session.timeout.ms``, or whose connection broke, looks for its coordinator. After
one heartbeat interval (3 s) without success it tells its herder, which gives up all tasks. A member that was
dropped joins again under a new id. A clean stop leaves the group (``AbstractCoordinator.close``).
"""

from typing import Final, final

from mypy_extensions import i64, trait

from simengine.clients.consumer.membership import JOIN_MARGIN_US, PendingGroup
from simengine.clients.network.client_node import ClientNode
from simengine.clients.network.network_client import Connection, NetworkClient, Pending
from simengine.facts.errors import ERR_NONE, ERR_REBALANCE_IN_PROGRESS, ERR_UNKNOWN_MEMBER_ID
from simengine.kafka.wire.api import NO_MEMBER, ClientServer
from simengine.kafka.wire.group_api import HEARTBEAT, JOIN, LEAVE, GroupAnswer, GroupRequest
from simengine.kernel.connecting import DOWN, UP
from simengine.kernel.network import Network
from simengine.kernel.node import Task
from simengine.kernel.site import Site
from simengine.mirror.worker_settings import WorkerSettings

METADATA_MAX_AGE_US: Final = 300_000_000  # metadata.max.age.ms
RETRY_BACKOFF_US: Final = 100_000  # retry.backoff.ms
RETRY_BACKOFF_MAX_US: Final = 1_000_000
REQUEST_TIMEOUT_US: Final = 40_000_000  # request.timeout.ms of a Connect worker
NO_RACK: Final = ""

SEND_HEARTBEAT: Final = 0
CHECK_SESSION: Final = 1
END_SEARCH: Final = 2


@trait
class WorkerListener:
    """Hears of the worker's place in its group."""

    def joined(self, member: i64) -> None:
        """A rebalance is complete, and the worker is this member of the group."""

    def coordinator_unreachable(self) -> None:
        """The coordinator was looked for in vain."""

    def left(self) -> None:
        """The coordinator has removed the member from the group."""


@final
class WorkerConnection(Connection):
    """The connection of a worker to one broker."""

    __slots__ = ("coordinator",)

    def __init__(self, coordinator: "WorkerCoordinator", broker: ClientServer) -> None:
        super().__init__(coordinator, broker)
        self.coordinator = coordinator

    def on_group_answer(self, answer: GroupAnswer) -> None:
        self.answered()
        self.coordinator.answered(answer)


@final
class WorkerCoordinator(NetworkClient):
    """``offsets_p`` is the partition of ``__consumer_offsets`` whose leader coordinates the group."""

    __slots__ = (
        "_group",
        "_is_asking",
        "_is_blocked",
        "_is_member",
        "_is_searching",
        "_listener",
        "_member",
        "_memberships",
        "_number",
        "_offsets_p",
        "_settings",
        "_timers",
    )

    def __init__(
        self,
        net: Network,
        leg: ClientNode,
        brokers: list[ClientServer],
        offsets_p: i64,
        group: str,
        settings: WorkerSettings,
        listener: WorkerListener,
    ) -> None:
        super().__init__(net, leg, brokers, [], REQUEST_TIMEOUT_US)
        self._number: i64 = leg.number
        self._offsets_p: i64 = offsets_p
        self._group = group
        self._settings = settings
        self._listener = listener
        self._member: i64 = NO_MEMBER
        self._memberships: i64 = 0  # it has asked for, in all processes
        self._is_member: bool = False
        self._is_asking: bool = False
        self._is_blocked: bool = False  # its thread waits for tasks to stop
        self._is_searching: bool = False
        self._timers: list[WorkerTimer | None] = [None, None, None]
        self.metadata.pace(METADATA_MAX_AGE_US, RETRY_BACKOFF_US, RETRY_BACKOFF_MAX_US)
        for broker in brokers:
            self.connections.append(WorkerConnection(self, broker))

    def start(self) -> None:
        """A new process: find the coordinator, and join."""
        self.hang_up()
        self._forget_member()
        self._is_member = False
        self._is_asking = False
        self._is_blocked = False
        self._timers = [None, None, None]
        self._is_searching = False
        self.metadata.want([int(self._offsets_p)])
        self._search()

    def _forget_member(self) -> None:
        """It joins under a new id next time."""
        self._member = NO_MEMBER
        self._memberships += 1

    def request_rejoin(self) -> None:
        """Ask for another rebalance, as the member that the worker is."""
        self._is_member = False
        self._push()

    def block(self) -> None:
        """The worker's thread is busy: it does not join."""
        self._is_blocked = True

    def unblock(self) -> None:
        """The worker's thread goes on."""
        self._is_blocked = False
        self._push()

    def leave(self) -> bool:
        """A clean stop: send LeaveGroup if the coordinator is connected; whether it was sent."""
        connection = self.connection_to(self.metadata.leaders[self._offsets_p])
        if connection is None or connection.state != UP or self._member == NO_MEMBER:
            return False
        self._is_member = False
        self._is_blocked = True  # it joins no more
        self._ask(connection, LEAVE)
        return True

    # -- the coordinator

    def _search(self) -> None:
        """The coordinator is unknown: ask the brokers for it."""
        if self._is_searching:
            return
        self._is_searching = True
        self._is_asking = False
        connection = self.connection_to(self.metadata.leaders[self._offsets_p])
        if connection is not None and connection.state != DOWN:
            connection.close()
            connection.broke(False)
        self.metadata.request_update()
        self._arm(END_SEARCH, self._settings.heartbeat_us)

    def _heard_of_brokers(self) -> None:
        """Metadata came: the coordinator is known if its partition has a leader."""
        if self.metadata.leaders[self._offsets_p] < 0:
            return
        if self._is_searching:
            self._is_searching = False
            self._arm(CHECK_SESSION, self._settings.session_us)
        self._push()

    def _push(self) -> None:
        """Join, or send the heartbeat that is due, if the coordinator is connected."""
        if self._is_searching or self._is_blocked or self._is_asking:
            return
        connection = self.connection_to(self.metadata.leaders[self._offsets_p])
        if connection is None:
            self._search()
        elif connection.state != UP:
            connection.want()
        elif not self._is_member:
            self._ask(connection, JOIN)
        elif self._timers[SEND_HEARTBEAT] is None:
            self._ask(connection, HEARTBEAT)

    def _ask(self, connection: Connection, what: i64) -> None:
        request = GroupRequest(what, self._group, self._number, self._member)
        request.membership = self._memberships
        request.session_us = self._settings.session_us
        request.rebalance_us = self._settings.rebalance_timeout_us
        pending = PendingGroup(self.sim.now, what)
        if what == JOIN:
            pending.limit_us = self._settings.rebalance_timeout_us + JOIN_MARGIN_US
        self._is_asking = True
        connection.request(request, pending)

    # -- answers

    def answered(self, answer: GroupAnswer) -> None:
        """Take in what the coordinator says."""
        self._is_asking = False
        if answer.error == ERR_NONE:
            self._arm(SEND_HEARTBEAT, self._settings.heartbeat_us)
            self._arm(CHECK_SESSION, self._settings.session_us)
            if answer.what == JOIN:
                self._member = answer.member
                self._is_member = True
                self._listener.joined(self._member)
            elif answer.what == LEAVE:
                self._listener.left()
            elif not self._is_member:  # a rebalance was asked for meanwhile
                self._push()
        elif answer.error == ERR_UNKNOWN_MEMBER_ID or answer.error == ERR_REBALANCE_IN_PROGRESS:
            if answer.error == ERR_UNKNOWN_MEMBER_ID:
                self._forget_member()
            self._is_member = False
            self._push()
        else:
            self._search()

    # -- time

    def _arm(self, what: i64, delay_us: i64) -> None:
        timer = WorkerTimer(self, what)
        self._timers[what] = timer
        self.sim.after(delay_us, timer)

    def timer_fired(self, timer: "WorkerTimer") -> None:
        """Do what is due, if the timer was not replaced."""
        if self._timers[timer.what] is not timer:
            return
        self._timers[timer.what] = None
        if timer.what == SEND_HEARTBEAT:
            self._send_heartbeat()
        elif timer.what == CHECK_SESSION:
            if self._is_member and not self._is_searching:
                self._search()
        elif self._is_searching:
            self._is_member = False
            self._listener.coordinator_unreachable()

    def _send_heartbeat(self) -> None:
        if not self._is_member or self._is_asking or self._is_searching:
            return
        connection = self.connection_to(self.metadata.leaders[self._offsets_p])
        if connection is not None and connection.state == UP:
            self._ask(connection, HEARTBEAT)
        else:
            self._search()

    # -- the network

    def on_up(self, connection: Connection) -> None:
        self._push()

    def on_lost(self, connection: Connection, request: Pending, timed_out: bool) -> None:
        self._is_asking = False

    def on_down(self, connection: Connection) -> None:
        if connection is self.connection_to(self.metadata.leaders[self._offsets_p]):
            self._search()

    def on_free(self, connection: Connection) -> None:
        self._heard_of_brokers()

    def on_metadata(self) -> None:
        self._heard_of_brokers()


@final
class WorkerTimer(Task):
    """A heartbeat is due, a session may be over, or a search has taken too long."""

    __slots__ = ("coordinator", "what")

    def __init__(self, coordinator: WorkerCoordinator, what: i64) -> None:
        super().__init__(coordinator.node)
        self.coordinator = coordinator
        self.what: i64 = what

    def run(self) -> None:
        self.coordinator.timer_fired(self)


@final
class WorkerLeg(ClientNode):
    """The end of a MirrorMaker process by which its worker belongs to a group of the target."""

    __slots__ = ("_brokers", "_net", "_offsets_p")

    def __init__(self, net: Network, client_id: str, site: Site, brokers: list[ClientServer], offsets_p: i64) -> None:
        super().__init__(net, client_id, NO_RACK, site)
        self._net = net
        self._brokers = brokers
        self._offsets_p: i64 = offsets_p

    def coordinator(self, group: str, settings: WorkerSettings, listener: WorkerListener) -> WorkerCoordinator:
        """The network half, for the worker of this group; once."""
        return WorkerCoordinator(self._net, self, self._brokers, self._offsets_p, group, settings, listener)

    def start(self) -> None:
        """A new process."""
        self.up = True
        self.listening = True
