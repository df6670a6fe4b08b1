"""Metadata polls at the active controller: answered with what is new, or parked until there is something (QUO-5)."""

from typing import final

from mypy_extensions import i64

from simengine.facts.errors import ERR_NONE, ERR_NOT_CONTROLLER
from simengine.kafka.controller.quorum import Controller, Quorum
from simengine.kafka.shared.config import ClusterConfig
from simengine.kafka.wire.controller_api import ControllerChannel, MetadataAnswerBatch, MetadataPoll
from simengine.kernel.node import Task


@final
class ParkedPoll:
    """A metadata poll that waits for news."""

    __slots__ = ("channel", "conn", "deadline", "poll")

    def __init__(self, channel: ControllerChannel, poll: MetadataPoll, deadline: i64) -> None:
        self.channel = channel
        self.conn: i64 = channel.conn
        self.poll = poll
        self.deadline: i64 = deadline


@final
class MetadataPolls:
    """The polls of one active controller."""

    __slots__ = ("_config", "_node", "_parked", "_quorum")

    def __init__(self, node: Controller, quorum: Quorum, config: ClusterConfig) -> None:
        self._node = node
        self._quorum = quorum
        self._config = config
        self._parked: list[ParkedPoll] = []

    def take(self, channel: ControllerChannel, poll: MetadataPoll) -> None:
        """QUO-5: answer with what is new, or park."""
        if poll.offset < len(self._quorum.log):
            self._send_records(channel, poll)
            return
        sim = self._node.sim
        deadline = sim.now + self._config.metadata_poll_us
        parked = ParkedPoll(channel, poll, deadline)
        self._parked.append(parked)
        sim.at(deadline, PollExpiry(self._node, self, parked))

    def _send_records(self, channel: ControllerChannel, poll: MetadataPoll) -> None:
        records = self._quorum.log[int(poll.offset) :]
        channel.answer(MetadataAnswerBatch(poll.request_id, ERR_NONE, records))

    def release(self) -> None:
        """Something was committed: every parked poll is answered, where the version does so."""
        if not self._config.propagate_on_commit:
            return
        released = self._parked
        self._parked = []
        for parked in released:
            if parked.conn == parked.channel.conn:
                self._send_records(parked.channel, parked.poll)

    def expire(self, parked: ParkedPoll) -> None:
        """A poll has waited long enough: answer with what there is, unless it was answered already."""
        if parked not in self._parked:
            return
        self._parked.remove(parked)
        if parked.conn == parked.channel.conn:
            self._send_records(parked.channel, parked.poll)

    def refuse(self) -> None:
        """The leadership is lost: whoever waits here is told."""
        for parked in self._parked:
            if parked.conn == parked.channel.conn and self._node.up:
                parked.channel.answer(MetadataAnswerBatch(parked.poll.request_id, ERR_NOT_CONTROLLER, []))
        self._parked = []


@final
class PollExpiry(Task):
    """A parked metadata poll runs out."""

    __slots__ = ("_parked", "_polls")

    def __init__(self, node: Controller, polls: MetadataPolls, parked: ParkedPoll) -> None:
        super().__init__(node)
        self._polls = polls
        self._parked = parked

    def run(self) -> None:
        self._polls.expire(self._parked)
