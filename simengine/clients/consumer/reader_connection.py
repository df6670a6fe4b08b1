"""A consumer's connection to one broker, what waits for an answer on it, and the timer of its positions."""

from typing import TYPE_CHECKING, final

from simengine.clients.consumer.finder import PendingOffset
from simengine.clients.network.network_client import Connection, Pending
from simengine.kafka.wire.api import ClientServer, ConsumerAnswer, ConsumerPosition, OffsetAnswer
from simengine.kernel.node import Task

if TYPE_CHECKING:
    from simengine.clients.consumer.reader import Reader


@final
class PendingFetch(Pending):
    """A fetch without answer."""

    __slots__ = ()


@final
class ReaderConnection(Connection):
    """A consumer's connection to one broker."""

    __slots__ = ("fetch_list", "is_fetching", "is_listed", "reader")

    def __init__(self, reader: "Reader", broker: ClientServer) -> None:
        super().__init__(reader, broker)
        self.reader = reader
        self.is_fetching: bool = False
        self.is_listed: bool = False  # fetch_list is up to date
        self.fetch_list: list[ConsumerPosition] = []

    def on_fetch_answer(self, answer: ConsumerAnswer) -> None:
        """The fetch under way was answered."""
        request = self.answered()
        assert isinstance(request, PendingFetch), "answers come in the order of the requests"
        self.is_fetching = False
        self.reader.waited(self, request.sent_at, True)
        self.reader.fetched(self, answer)

    def on_offset(self, answer: OffsetAnswer) -> None:
        """A question about an offset was answered."""
        request = self.answered()
        assert isinstance(request, PendingOffset), "answers come in the order of the requests"
        self.reader.offset_answered(request, answer)


@final
class NextPoll(Task):
    """The application polls next: a group's leader looks whether its topics are still those of the last rebalance."""

    __slots__ = ("reader",)

    def __init__(self, reader: "Reader") -> None:
        super().__init__(reader.node)
        self.reader = reader

    def run(self) -> None:
        """Look."""
        self.reader.look_at_topics()


@final
class ReaderTimer(Task):
    """Some position may go on."""

    __slots__ = ("reader",)

    def __init__(self, reader: "Reader") -> None:
        super().__init__(reader.node)
        self.reader = reader

    def run(self) -> None:
        """Go on."""
        self.reader.timer_fired(self)
