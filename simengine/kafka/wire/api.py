"""The protocol between clients and brokers: requests, responses, and the ends of a client's connection.

A request is handled by the ``ClientServer`` it reaches, which brokers subclass; answers come back through the call
backs of ``ClientChannel``, which producers and consumers subclass.
"""

from typing import TYPE_CHECKING, Final, final

from mypy_extensions import i64, mypyc_attr

from simengine.facts.kinds import (
    MSG_CLIENT_METADATA,
    MSG_CLIENT_METADATA_ANSWER,
    MSG_COMMIT,
    MSG_COMMIT_ANSWER,
    MSG_CONSUMER_ANSWER,
    MSG_CONSUMER_FETCH,
    MSG_OFFSETS,
    MSG_OFFSETS_ANSWER,
    MSG_PRODUCE,
    MSG_PRODUCE_ANSWER,
)
from simengine.kafka.log.log import Batch
from simengine.kernel.channel import Channel
from simengine.kernel.message import Message
from simengine.kernel.network import Network
from simengine.kernel.node import Node

if TYPE_CHECKING:
    from simengine.kafka.wire.group_api import GroupAnswer, GroupRequest
    from simengine.kafka.wire.topic_list import TopicsAnswer

ACKS_ALL: Final = -1
BY_TIME: Final = -3  # ListOffsets, and the reset policies
EARLIEST: Final = -2
LATEST: Final = -1
NO_RESET: Final = 0
NO_MEMBER: Final = -1
NO_GENERATION: Final = -1


class ClientServer(Node):
    """A broker as its clients know it."""

    __slots__ = ()

    def handle_produce(self, channel: "ClientChannel", request: "ProduceRequest") -> None:
        """A produce request has arrived."""

    def handle_metadata(self, channel: "ClientChannel", request: "MetadataRequest") -> None:
        """A client asks who leads."""

    def handle_topics(self, channel: "ClientChannel") -> None:
        """A client asks for all partitions of the cluster."""

    def handle_consumer_fetch(self, channel: "ClientChannel", request: "ConsumerFetch") -> None:
        """A consumer's fetch has arrived."""

    def handle_offset(self, channel: "ClientChannel", request: "OffsetRequest") -> None:
        """ListOffsets or OffsetsForLeaderEpoch."""

    def handle_commit(self, channel: "ClientChannel", request: "CommitRequest") -> None:
        """A group commits offsets."""

    def handle_committed(self, channel: "ClientChannel", request: "CommittedRequest") -> None:
        """A group asks for its committed offsets."""

    def handle_group(self, channel: "ClientChannel", request: "GroupRequest") -> None:
        """A member of a group joins it, leaves it, or says that it lives."""


class ClientChannel(Channel):
    """A client's connection to one broker. Clients subclass it and override the call backs they need."""

    __slots__ = ("broker",)

    def __init__(self, net: Network, client: Node, broker: ClientServer) -> None:
        super().__init__(net, client, broker)
        self.broker = broker

    def on_produce_answer(self, answer: "ProduceAnswer") -> None:
        """An answer to the oldest unanswered ProduceRequest."""

    def on_metadata(self, answer: "MetadataAnswer") -> None:
        """An answer to a MetadataRequest."""

    def on_fetch_answer(self, answer: "ConsumerAnswer") -> None:
        """An answer to a ConsumerFetch."""

    def on_offset(self, answer: "OffsetAnswer") -> None:
        """An answer to a ListOffsets or EpochEnd request."""

    def on_commit_answer(self, answer: "CommitAnswer") -> None:
        """An answer to a CommitRequest or CommittedRequest."""

    def on_topics_answer(self, answer: "TopicsAnswer") -> None:
        """An answer to a TopicsRequest."""

    def on_group_answer(self, answer: "GroupAnswer") -> None:
        """An answer to a JoinGroup, GroupHeartbeat or LeaveGroup request."""


@mypyc_attr(acyclic=True)
@final
class ProduceBatch:
    """A batch as a producer sends it: calls n .. n+count-1 of ``client`` to partition ``p`` (IDEM-2)."""

    __slots__ = ("client", "count", "n", "p", "pid", "pid_epoch", "seq")

    def __init__(self, p: i64, client: i64, n: i64, count: i64, pid: i64, pid_epoch: i64, seq: i64) -> None:
        self.p: i64 = p
        self.client: i64 = client
        self.n: i64 = n
        self.count: i64 = count
        self.pid: i64 = pid  # -1: not idempotent
        self.pid_epoch: i64 = pid_epoch
        self.seq: i64 = seq


@final
class ProduceRequest(Message):
    """At most one batch per partition; acks is 0, 1 or ACKS_ALL; ``timeout_us`` is the producer's request timeout."""

    __slots__ = ("acks", "batches", "request_id", "timeout_us")

    def __init__(self, request_id: i64, acks: i64, timeout_us: i64, batches: list[ProduceBatch]) -> None:
        count: i64 = 0
        for batch in batches:
            count += batch.count
        super().__init__(MSG_PRODUCE, batches[0].p, count, acks)
        self.request_id: i64 = request_id
        self.acks: i64 = acks
        self.timeout_us: i64 = timeout_us
        self.batches = batches

    def writes(self) -> bool:
        return True

    def is_answered(self) -> bool:
        return self.acks != 0

    def arrive(self) -> None:
        channel = self.channel
        assert isinstance(channel, ClientChannel)
        channel.broker.handle_produce(channel, self)


@mypyc_attr(acyclic=True)
@final
class ProduceResult:
    """The answer for one batch: error, offset of its first record (or -1), and the leader hint of KIP-951."""

    __slots__ = ("epoch", "error", "leader", "leader_epoch", "offset", "p", "waits_for")

    def __init__(self, p: i64, error: i64, offset: i64, epoch: i64) -> None:
        self.p: i64 = p
        self.error: i64 = error
        self.offset: i64 = offset
        self.epoch: i64 = epoch  # leader epoch of the append
        self.waits_for: i64 = -1  # the broker answers when the high watermark has come so far (acks=all)
        self.leader: i64 = -1  # with NOT_LEADER_OR_FOLLOWER: who leads, as this broker knows it
        self.leader_epoch: i64 = -1


@final
class ProduceAnswer(Message):
    """The answer to one ProduceRequest (``request_id``): one result per batch, in its order."""

    __slots__ = ("request_id", "results")

    def __init__(self, request_id: i64, results: list[ProduceResult]) -> None:
        first = results[0]
        super().__init__(MSG_PRODUCE_ANSWER, first.p, len(results), first.error)
        self.request_id: i64 = request_id
        self.results = results

    def arrive(self) -> None:
        channel = self.channel
        assert isinstance(channel, ClientChannel)
        channel.on_produce_answer(self)


@mypyc_attr(acyclic=True)
@final
class FoundPartition:
    """A partition that a client has not asked for, but whose topic it uses.

    ``replaces``: the partition of the same name and number that it asked for, -1: none; ``beside``: one of the topic.
    """

    __slots__ = ("beside", "epoch", "leader", "p", "replaces")

    def __init__(self, p: i64, leader: i64, epoch: i64, replaces: i64, beside: i64) -> None:
        self.p: i64 = p
        self.leader: i64 = leader
        self.epoch: i64 = epoch
        self.replaces: i64 = replaces
        self.beside: i64 = beside


NO_PARTITIONS: Final[list[int]] = []  # nobody adds to these
NOTHING_FOUND: Final[list[FoundPartition]] = []
NO_RACKS: Final[list[str]] = []


@final
class MetadataRequest(Message):
    """Asks for the leaders of partitions; ``wants_racks``: the client looks at the racks of their replicas, too."""

    __slots__ = ("partitions", "wants_racks")

    def __init__(self, partitions: list[int], wants_racks: bool) -> None:
        super().__init__(MSG_CLIENT_METADATA, -1, 0, 0)
        self.partitions = partitions
        self.wants_racks = wants_racks

    def arrive(self) -> None:
        channel = self.channel
        assert isinstance(channel, ClientChannel)
        channel.broker.handle_metadata(channel, self)


@final
class MetadataAnswer(Message):
    """Leader (-1: none, LIVE-7) and epoch of each partition asked for, as the answering broker knows them.

    A partition that the broker does not know has epoch -1. ``alive``: ids of the unfenced brokers it knows.
    ``gone``: partitions asked for that were deleted with their topic; ``ended``: those of them whose topic was created
    again; ``found``: partitions of the same topics that were not asked for. ``racks``, if they were asked for: of each
    partition the racks of its replicas, an offline one without a rack up to 4.3.
    """

    __slots__ = ("alive", "ended", "epochs", "found", "gone", "leaders", "partitions", "racks")

    def __init__(self, partitions: list[int], leaders: list[int], epochs: list[int], alive: list[int]) -> None:
        super().__init__(MSG_CLIENT_METADATA_ANSWER, -1, len(partitions), 0)
        self.partitions = partitions
        self.leaders = leaders
        self.epochs = epochs
        self.alive = alive
        self.gone: list[int] = NO_PARTITIONS
        self.ended: list[int] = NO_PARTITIONS
        self.found: list[FoundPartition] = NOTHING_FOUND
        self.racks: list[str] = NO_RACKS

    def arrive(self) -> None:
        channel = self.channel
        assert isinstance(channel, ClientChannel)
        channel.on_metadata(self)


@mypyc_attr(acyclic=True)
@final
class ConsumerPosition:
    """A consumer's read position in partition ``p``: offset, and the leader epoch it knows (-1: none)."""

    __slots__ = ("epoch", "offset", "p")

    def __init__(self, p: i64, offset: i64, epoch: i64) -> None:
        self.p: i64 = p
        self.offset: i64 = offset
        self.epoch: i64 = epoch


@final
class ConsumerFetch(Message):
    """A consumer's long poll (CON-1): parks up to ``max_wait_us`` until a record below HW is there.

    ``partition_bytes``, ``max_bytes``: max.partition.fetch.bytes and fetch.max.bytes; without the first, a partition
    gives as many records as to a follower.
    """

    __slots__ = ("max_bytes", "max_wait_us", "partition_bytes", "positions", "rack")

    def __init__(
        self, positions: list[ConsumerPosition], max_wait_us: i64, rack: str, partition_bytes: i64, max_bytes: i64
    ) -> None:
        super().__init__(MSG_CONSUMER_FETCH, positions[0].p if positions else -1, len(positions), 0)
        self.positions = positions
        self.max_wait_us: i64 = max_wait_us
        self.rack = rack
        self.partition_bytes: i64 = partition_bytes
        self.max_bytes: i64 = max_bytes

    def arrive(self) -> None:
        channel = self.channel
        assert isinstance(channel, ClientChannel)
        channel.broker.handle_consumer_fetch(channel, self)


@mypyc_attr(acyclic=True)
@final
class ConsumerPart:
    """The result of a fetch for one partition."""

    __slots__ = ("batches", "error", "hw", "leader", "leader_epoch", "p", "preferred")

    def __init__(self, p: i64, error: i64, batches: list[Batch], hw: i64) -> None:
        self.p: i64 = p
        self.error: i64 = error
        self.batches = batches  # all below hw; the first may begin before the offset asked for
        self.hw: i64 = hw
        self.preferred: i64 = -1  # FFR-3: read from this broker instead
        self.leader: i64 = -1
        self.leader_epoch: i64 = -1

    def records(self) -> i64:
        """The number of its records."""
        total: i64 = 0
        for batch in self.batches:
            total += batch.count
        return total


@final
class ConsumerAnswer(Message):
    """The answer to a ConsumerFetch: a part for each partition that has records, an error, or a redirection."""

    __slots__ = ("parts",)

    def __init__(self, parts: list[ConsumerPart]) -> None:
        count: i64 = 0
        for part in parts:
            for batch in part.batches:
                count += batch.count
        super().__init__(MSG_CONSUMER_ANSWER, parts[0].p if parts else -1, count, parts[0].error if parts else 0)
        self.parts = parts

    def arrive(self) -> None:
        channel = self.channel
        assert isinstance(channel, ClientChannel)
        channel.on_fetch_answer(self)


@final
class OffsetRequest(Message):
    """ListOffsets (``what``: EARLIEST, LATEST, BY_TIME), or OffsetsForLeaderEpoch (``what`` = an epoch >= 0) of p.

    ``epoch`` is the leader epoch the client knows (CON-2); ``timestamp`` (us) goes with BY_TIME.
    """

    __slots__ = ("epoch", "timestamp", "what")

    def __init__(self, p: i64, what: i64, epoch: i64, timestamp: i64 = 0) -> None:
        super().__init__(MSG_OFFSETS, p, 0, what)
        self.what: i64 = what
        self.timestamp: i64 = timestamp
        self.epoch: i64 = epoch

    def arrive(self) -> None:
        channel = self.channel
        assert isinstance(channel, ClientChannel)
        channel.broker.handle_offset(channel, self)


@final
class OffsetAnswer(Message):
    """ListOffsets: offset, -1: no record so late. OffsetsForLeaderEpoch: (epoch, offset) by LOG-4, -1: undefined."""

    __slots__ = ("epoch", "error", "offset", "what")

    def __init__(self, p: i64, what: i64, error: i64, epoch: i64, offset: i64) -> None:
        super().__init__(MSG_OFFSETS_ANSWER, p, 0, error)
        self.what: i64 = what
        self.error: i64 = error
        self.epoch: i64 = epoch
        self.offset: i64 = offset

    def arrive(self) -> None:
        channel = self.channel
        assert isinstance(channel, ClientChannel)
        channel.on_offset(self)


@final
class CommitRequest(Message):
    """Offsets of a group for its coordinator (CON-6): (p, offset, epoch of the last record read) each.

    ``member`` and ``generation`` are those of the committing member (CON-9); NO_MEMBER and NO_GENERATION of a consumer
    that is in no group.
    """

    __slots__ = ("epochs", "generation", "group", "member", "offsets", "partitions")

    def __init__(self, group: str, partitions: list[int], offsets: list[int], epochs: list[int]) -> None:
        super().__init__(MSG_COMMIT, partitions[0], len(partitions), 0)
        self.group = group
        self.partitions = partitions
        self.offsets = offsets
        self.epochs = epochs
        self.member: i64 = NO_MEMBER
        self.generation: i64 = NO_GENERATION

    def arrive(self) -> None:
        channel = self.channel
        assert isinstance(channel, ClientChannel)
        channel.broker.handle_commit(channel, self)


@final
class CommittedRequest(Message):
    """Asks for the offsets that the group has committed for these partitions."""

    __slots__ = ("group", "partitions")

    def __init__(self, group: str, partitions: list[int]) -> None:
        super().__init__(MSG_COMMIT, partitions[0], len(partitions), 1)
        self.group = group
        self.partitions = partitions

    def arrive(self) -> None:
        channel = self.channel
        assert isinstance(channel, ClientChannel)
        channel.broker.handle_committed(channel, self)


@final
class CommitAnswer(Message):
    """The answer to a CommitRequest, or (``is_query``) to a CommittedRequest: offsets -1 where nothing is committed."""

    __slots__ = ("epochs", "error", "is_query", "offsets", "partitions")

    def __init__(
        self, is_query: bool, error: i64, partitions: list[int], offsets: list[int], epochs: list[int]
    ) -> None:
        super().__init__(MSG_COMMIT_ANSWER, partitions[0], len(partitions), error)
        self.is_query = is_query
        self.error: i64 = error
        self.partitions = partitions
        self.offsets = offsets
        self.epochs = epochs

    def arrive(self) -> None:
        channel = self.channel
        assert isinstance(channel, ClientChannel)
        channel.on_commit_answer(self)
