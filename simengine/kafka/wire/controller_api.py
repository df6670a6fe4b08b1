"""The protocol between brokers and controllers, and the broker's end of a connection to a controller.

A broker keeps three connections, with reconnect times of their own (TCP-1): one that follows the metadata log, one for
registration and heartbeats, one for AlterPartition. Each belongs to a ``ControllerPeer``.
"""

from typing import Final, final

from mypy_extensions import i64

from simengine.facts.kinds import (
    MSG_ALTER_PARTITION,
    MSG_ALTER_PARTITION_ANSWER,
    MSG_ASSIGN_DIRECTORIES,
    MSG_ASSIGN_DIRECTORIES_ANSWER,
    MSG_HEARTBEAT,
    MSG_HEARTBEAT_ANSWER,
    MSG_METADATA_FETCH,
    MSG_METADATA_UPDATE,
    MSG_REGISTER,
    MSG_REGISTER_ANSWER,
)
from simengine.kafka.shared.metadata import Record
from simengine.kernel.channel import Channel
from simengine.kernel.connecting import CONNECT_TIMEOUT_US, DOWN
from simengine.kernel.message import Message
from simengine.kernel.network import Network
from simengine.kernel.node import Node

CONNECT_TIMEOUT_MAX_US: Final = 30_000_000


class ControllerServer(Node):
    """A controller as brokers know it."""

    __slots__ = ()

    def handle(self, channel: "ControllerChannel", request: "ControllerRequest") -> None:
        """A request of a broker has arrived."""


class ControllerPeer:
    """The part of a broker that owns connections to the controllers."""

    def on_up(self, channel: "ControllerChannel") -> None:
        """A connection stands."""

    def on_down(self, channel: "ControllerChannel", refused: bool) -> None:
        """A connection broke or could not be made."""

    def on_answer(self, answer: "ControllerAnswer") -> None:
        """A controller answered."""


@final
class ControllerChannel(Channel):
    """A broker's connection to one controller; connect attempts grow from 10 s to 30 s (TCP-1)."""

    __slots__ = ("broker", "controller", "peer")

    def __init__(self, net: Network, broker: Node, controller: ControllerServer, peer: ControllerPeer) -> None:
        super().__init__(net, broker, controller)
        self.broker = broker
        self.controller = controller
        self.peer = peer

    def open(self) -> None:
        """Connect unless a connection stands or is being made; a new process begins with the shortest attempt."""
        if self.client_incarnation != self.client.incarnation:
            self.connect_timeout = CONNECT_TIMEOUT_US
        if self.state == DOWN:
            self.connect()

    def on_connected(self) -> None:
        self.connect_timeout = CONNECT_TIMEOUT_US
        self.peer.on_up(self)

    def on_broken(self, refused: bool) -> None:
        if not refused:
            doubled = self.connect_timeout * 2
            self.connect_timeout = doubled if doubled < CONNECT_TIMEOUT_MAX_US else CONNECT_TIMEOUT_MAX_US
        self.peer.on_down(self, refused)


class ControllerRequest(Message):
    """A request to a controller. ``arrive`` hands it to the controller process."""

    __slots__ = ()

    def arrive(self) -> None:
        channel = self.channel
        assert isinstance(channel, ControllerChannel)
        channel.controller.handle(channel, self)


class ControllerAnswer(Message):
    """A controller's answer; ``error`` NOT_CONTROLLER comes with ``hint``, the active controller it knows (or -1)."""

    __slots__ = ("error", "hint", "request_id")

    def __init__(self, msg: i64, error: i64) -> None:
        super().__init__(msg, -1, 0, error)
        self.error: i64 = error
        self.hint: i64 = -1
        self.request_id: i64 = 0

    def arrive(self) -> None:
        channel = self.channel
        assert isinstance(channel, ControllerChannel)
        channel.peer.on_answer(self)


@final
class RegisterRequest(ControllerRequest):
    """REG-1, REG-3, DIR-1.

    ``clean_be`` is the broker epoch in the clean-shutdown marker, -1 without one; ``directory`` the number of the log
    directory.
    """

    __slots__ = ("broker_id", "clean_be", "directory", "incarnation_id", "request_id")

    def __init__(self, request_id: i64, broker_id: i64, incarnation_id: i64, clean_be: i64, directory: i64 = 0) -> None:
        super().__init__(MSG_REGISTER, -1, 0, 0)
        self.request_id: i64 = request_id
        self.broker_id: i64 = broker_id
        self.incarnation_id: i64 = incarnation_id
        self.clean_be: i64 = clean_be
        self.directory: i64 = directory


@final
class RegisterAnswer(ControllerAnswer):
    """The broker epoch granted, or an error."""

    __slots__ = ("be",)

    def __init__(self, request_id: i64, error: i64, be: i64) -> None:
        super().__init__(MSG_REGISTER_ANSWER, error)
        self.request_id = request_id
        self.be: i64 = be


@final
class HeartbeatRequest(ControllerRequest):
    """LIVE-1: what the broker wants, and how far it has applied the metadata log."""

    __slots__ = ("be", "broker_id", "metadata_offset", "request_id", "want_fence", "want_shutdown")

    def __init__(
        self, request_id: i64, broker_id: i64, be: i64, metadata_offset: i64, want_fence: bool, want_shutdown: bool
    ) -> None:
        super().__init__(MSG_HEARTBEAT, -1, 0, 0)
        self.request_id: i64 = request_id
        self.broker_id: i64 = broker_id
        self.be: i64 = be
        self.metadata_offset: i64 = metadata_offset
        self.want_fence = want_fence
        self.want_shutdown = want_shutdown


@final
class HeartbeatAnswer(ControllerAnswer):
    """The broker's state as the controller sees it."""

    __slots__ = ("is_fenced", "may_shut_down")

    def __init__(self, request_id: i64, error: i64, is_fenced: bool, may_shut_down: bool) -> None:
        super().__init__(MSG_HEARTBEAT_ANSWER, error)
        self.request_id = request_id
        self.is_fenced = is_fenced
        self.may_shut_down = may_shut_down


@final
class IsrProposal:
    """One partition of an AlterPartition request: the new ISR, and the BE of each member's last fetch or -1 (AP-1).

    ``cause``: the fact that it goes back to; no part of Kafka's request.
    """

    __slots__ = ("bes", "cause", "epoch", "isr", "p", "pe", "recovered")

    def __init__(
        self, p: i64, epoch: i64, pe: i64, isr: list[int], bes: list[int], recovered: bool, cause: i64 = 0
    ) -> None:
        self.cause: i64 = cause
        self.p: i64 = p
        self.epoch: i64 = epoch
        self.pe: i64 = pe
        self.isr = isr
        self.bes = bes
        self.recovered = recovered


@final
class AlterRequest(ControllerRequest):
    """AlterPartition of one or more partitions led by the sender."""

    __slots__ = ("be", "broker_id", "proposals", "request_id")

    def __init__(self, request_id: i64, broker_id: i64, be: i64, proposals: list[IsrProposal]) -> None:
        super().__init__(MSG_ALTER_PARTITION, proposals[0].p, len(proposals), proposals[0].epoch)
        self.request_id: i64 = request_id
        self.broker_id: i64 = broker_id
        self.be: i64 = be
        self.proposals = proposals


@final
class IsrDecision:
    """The controller's decision on one proposal: the ISR, epoch and partition epoch that hold now, or an error."""

    __slots__ = ("epoch", "error", "isr", "leader", "p", "pe")

    def __init__(self, p: i64, error: i64, isr: list[int], leader: i64, epoch: i64, pe: i64) -> None:
        self.p: i64 = p
        self.error: i64 = error
        self.isr = isr
        self.leader: i64 = leader
        self.epoch: i64 = epoch
        self.pe: i64 = pe


@final
class AlterAnswer(ControllerAnswer):
    """A top-level error, or a decision for each proposal in order."""

    __slots__ = ("decisions",)

    def __init__(self, request_id: i64, error: i64, decisions: list[IsrDecision]) -> None:
        super().__init__(MSG_ALTER_PARTITION_ANSWER, error)
        self.request_id = request_id
        self.decisions = decisions
        if decisions:
            self.p = decisions[0].p
            if error == 0:
                self.mark = decisions[0].error


@final
class AssignDirectoriesRequest(ControllerRequest):
    """AssignReplicasToDirs (DIR-2): the partitions whose copies on this broker are in its log directory."""

    __slots__ = ("be", "broker_id", "directory", "partitions", "request_id")

    def __init__(self, request_id: i64, broker_id: i64, be: i64, directory: i64, partitions: list[int]) -> None:
        super().__init__(MSG_ASSIGN_DIRECTORIES, partitions[0], len(partitions), 0)
        self.request_id: i64 = request_id
        self.broker_id: i64 = broker_id
        self.be: i64 = be
        self.directory: i64 = directory
        self.partitions = partitions


@final
class AssignDirectoriesAnswer(ControllerAnswer):
    """An error of the whole request, or none."""

    __slots__ = ()

    def __init__(self, request_id: i64, error: i64) -> None:
        super().__init__(MSG_ASSIGN_DIRECTORIES_ANSWER, error)
        self.request_id = request_id


@final
class MetadataPoll(ControllerRequest):
    """QUO-5: long poll of the metadata log from ``offset`` on; ``high_watermark``: what the broker knows committed."""

    __slots__ = ("offset", "request_id")

    def __init__(self, request_id: i64, offset: i64) -> None:
        super().__init__(MSG_METADATA_FETCH, -1, 0, 0)
        self.request_id: i64 = request_id
        self.offset: i64 = offset


@final
class MetadataAnswerBatch(ControllerAnswer):
    """Committed records from the offset asked for (none: the poll ran out)."""

    __slots__ = ("records",)

    def __init__(self, request_id: i64, error: i64, records: list[Record]) -> None:
        super().__init__(MSG_METADATA_UPDATE, error)
        self.request_id = request_id
        self.records = records
        self.count = len(records)
