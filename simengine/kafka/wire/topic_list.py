"""The topics of a cluster, as one of its brokers knows them: ListTopics and DescribeTopics in one request.

Both are Metadata requests in Kafka. An admin client sends one after the other; here one response answers both.
"""

from typing import Final, final

from simengine.facts.kinds import MSG_CLIENT_METADATA, MSG_CLIENT_METADATA_ANSWER
from simengine.kafka.wire.api import ClientChannel
from simengine.kernel.message import Message

NO_PARTITION: Final = -1


@final
class TopicsRequest(Message):
    """Asks a broker for all partitions of the cluster."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__(MSG_CLIENT_METADATA, NO_PARTITION, 0, 0)

    def arrive(self) -> None:
        """The broker answers from its metadata."""
        channel = self.channel
        assert isinstance(channel, ClientChannel), "clients ask for topics"
        channel.broker.handle_topics(channel)


@final
class TopicsAnswer(Message):
    """Every partition of the cluster, in order of the indices."""

    __slots__ = ("partitions",)

    def __init__(self, partitions: list[int]) -> None:
        super().__init__(MSG_CLIENT_METADATA_ANSWER, NO_PARTITION, len(partitions), 0)
        self.partitions = partitions

    def arrive(self) -> None:
        """The client takes it."""
        channel = self.channel
        assert isinstance(channel, ClientChannel), "clients hear of topics"
        channel.on_topics_answer(self)
