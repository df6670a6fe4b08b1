"""Metadata polls at the active controller: answered with what is new, or parked until there is something (QUO-5)."""

from typing import TYPE_CHECKING, final

from mypy_extensions import i64

from simengine.facts.errors import ERR_NONE, ERR_NOT_CONTROLLER
from simengine.kafka.control_tasks import ControlTask
from simengine.kafka.controller_api import ControllerChannel, MetadataAnswerBatch, MetadataPoll

if TYPE_CHECKING:
    from simengine.kafka.control import ClusterControl


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

    __slots__ = ("_control", "_parked")

    def __init__(self, control: "ClusterControl") -> None:
        self._control = control
        self._parked: list[ParkedPoll] = []

    def take(self, channel: ControllerChannel, poll: MetadataPoll) -> None:
        """QUO-5: answer with what is new, or park."""
        control = self._control
        if poll.offset < len(control.quorum.log):
            self._send_records(channel, poll)
            return
        deadline = control.sim.now + control.config.metadata_poll_us
        parked = ParkedPoll(channel, poll, deadline)
        self._parked.append(parked)
        control.sim.at(deadline, PollExpiry(control, parked))

    def _send_records(self, channel: ControllerChannel, poll: MetadataPoll) -> None:
        records = self._control.quorum.log[int(poll.offset) :]
        channel.answer(MetadataAnswerBatch(poll.request_id, ERR_NONE, records))

    def release(self) -> None:
        """Something was committed: every parked poll is answered, where the version does so."""
        if not self._control.config.propagate_on_commit:
            return
        released = self._parked
        self._parked = []
        for parked in released:
            if parked.conn == parked.channel.conn:
                self._send_records(parked.channel, parked.poll)

    def expire(self, parked: ParkedPoll) -> None:
        """A poll has waited long enough: answer with what there is."""
        if self._control.is_closed or parked not in self._parked:
            return
        self._parked.remove(parked)
        if parked.conn == parked.channel.conn:
            self._send_records(parked.channel, parked.poll)

    def refuse(self) -> None:
        """The leadership is lost: whoever waits here is told."""
        for parked in self._parked:
            if parked.conn == parked.channel.conn and self._control.node.up:
                parked.channel.answer(MetadataAnswerBatch(parked.poll.request_id, ERR_NOT_CONTROLLER, []))
        self._parked = []


@final
class PollExpiry(ControlTask):
    """A parked metadata poll runs out."""

    __slots__ = ("_parked",)

    def __init__(self, control: "ClusterControl", parked: ParkedPoll) -> None:
        super().__init__(control)
        self._parked = parked

    def act(self) -> None:
        self.control.polls.expire(self._parked)
