"""The messages of the follower fetch loop (FET-1, FET-2, FET-9)."""

from typing import Final, final

from mypy_extensions import i64, mypyc_attr

from simengine.facts.kinds import MSG_FETCH, MSG_FETCH_ANSWER
from simengine.kafka.log.log import Batch
from simengine.kafka.wire.api import ClientServer
from simengine.kernel.channel import Channel
from simengine.kernel.message import Message
from simengine.kernel.network import Network
from simengine.kernel.node import Node


class FetchServer(ClientServer):
    """A broker as its followers know it."""

    __slots__ = ()

    def handle_fetch(self, channel: "FetchChannel", request: "FetchRequest") -> None:
        """A follower's fetch has arrived."""


class FetchClient:
    """The part of a follower that owns a connection to a leader."""

    __slots__ = ()

    def on_connected(self) -> None:
        """The connection stands."""

    def on_broken(self) -> None:
        """The connection broke or could not be made."""

    def on_answer(self, answer: "FetchAnswer") -> None:
        """The leader answered."""


@mypyc_attr(acyclic=True)
@final
class FetchPosition:
    """A follower's fetch of one partition: its LEO, newest cached epoch (-1: none), and current leader epoch."""

    __slots__ = ("epoch", "last_epoch", "offset", "p", "start")

    def __init__(self, p: i64, offset: i64, last_epoch: i64, epoch: i64, start: i64) -> None:
        self.p: i64 = p
        self.offset: i64 = offset
        self.last_epoch: i64 = last_epoch
        self.epoch: i64 = epoch
        self.start: i64 = start


NO_PARTITIONS: Final[list[int]] = []  # what most fetches forget; nobody adds to it


@final
class FetchRequest(Message):
    """One fetch of a (follower, leader) pair for all its ready partitions.

    As in Kafka's fetch sessions only what changed is listed: ``positions`` of partitions that are new or answered
    since, ``forgotten`` those no longer fetched; ``is_full`` begins a session anew. A fetcher sends the same object
    over and over, once it ``is_free``: its last flight has ended at the leader. ``number`` counts the fetches of the
    pair; the answer repeats it. ``max_wait_us`` is how long the leader may keep it waiting (FET-2): the follower's own
    ``replica.fetch.wait.max.ms``.
    """

    __slots__ = ("be", "follower", "forgotten", "is_free", "is_full", "max_wait_us", "number", "positions")

    def __init__(self, follower: i64, max_wait_us: i64) -> None:
        super().__init__(MSG_FETCH, -1, 0, 0)
        self.follower: i64 = follower
        self.max_wait_us: i64 = max_wait_us
        self.be: i64 = -1
        self.is_full: bool = False
        self.positions: list[FetchPosition] = []
        self.forgotten: list[int] = []
        self.is_free: bool = True
        self.number: i64 = 0

    def ask(self, be: i64, is_full: bool, positions: list[FetchPosition], forgotten: list[int]) -> None:
        """Fill in what to fetch."""
        self.p = positions[0].p if positions else -1
        self.count = len(positions)
        self.be = be
        self.is_full = is_full
        self.positions = positions
        self.forgotten = forgotten
        self.is_free = False

    def arrive(self) -> None:
        self.is_free = True
        channel = self.channel
        assert isinstance(channel, FetchChannel)
        channel.leader.handle_fetch(channel, self)


NO_BATCHES: Final[list[Batch]] = []  # of all parts without records; nobody adds to it


@mypyc_attr(acyclic=True)
@final
class FetchPart:
    """The leader's response for one partition.

    ``epoch`` and ``offset`` repeat the position asked for (FET-11). A diverging answer has ``diverging_epoch`` >= 0.
    With OFFSET_OUT_OF_RANGE, ``hw`` and ``start`` stand for the leader's LEO and log start, which a real follower
    would ask for next (FET-13).
    """

    __slots__ = ("batches", "diverging_end", "diverging_epoch", "epoch", "error", "hw", "offset", "p", "start")

    def __init__(self, p: i64, error: i64, epoch: i64, offset: i64, hw: i64, start: i64, batches: list[Batch]) -> None:
        self.p: i64 = p
        self.error: i64 = error
        self.epoch: i64 = epoch
        self.offset: i64 = offset
        self.hw: i64 = hw
        self.start: i64 = start
        self.batches = batches
        self.diverging_epoch: i64 = -1
        self.diverging_end: i64 = -1


@final
class FetchAnswer(Message):
    """Parts for partitions with records, an error, a divergence, or a new high watermark.

    A session sends the same object again and again, once it ``is_free``: the follower has taken it in.
    """

    __slots__ = ("is_free", "number", "parts")

    def __init__(self) -> None:
        super().__init__(MSG_FETCH_ANSWER, -1, 0, 0)
        self.parts: list[FetchPart] = []
        self.is_free: bool = True
        self.number: i64 = 0

    def tell(self, parts: list[FetchPart]) -> None:
        """Fill in what to answer."""
        count: i64 = 0
        p: i64 = -1
        epoch: i64 = 0
        for part in parts:
            for batch in part.batches:
                count += batch.count
                epoch = batch.epoch
                p = part.p
        self.p = p
        self.count = count
        self.mark = epoch
        self.parts = parts
        self.is_free = False

    def arrive(self) -> None:
        channel = self.channel
        assert isinstance(channel, FetchChannel)
        channel.fetcher.on_answer(self)


@final
class FetchChannel(Channel):
    """A follower's connection to a leader."""

    __slots__ = ("fetcher", "leader")

    def __init__(
        self, net: Network, follower: Node, leader: FetchServer, fetcher: FetchClient, connect_limit: i64
    ) -> None:
        super().__init__(net, follower, leader)
        self.leader = leader
        self.fetcher = fetcher
        self.connect_limit = connect_limit

    def on_connected(self) -> None:
        self.fetcher.on_connected()

    def on_broken(self, refused: bool) -> None:
        self.fetcher.on_broken()
