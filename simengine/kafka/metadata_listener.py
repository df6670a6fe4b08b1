"""How a broker follows the metadata log: a long poll to the active controller, then a queue of changes to apply.

The listener is also how a broker knows which controller is active. When the one it asks is silent or not active, it
asks the others in turn. Implements QUO-5.
"""

from typing import TYPE_CHECKING, Final, final

from mypy_extensions import i64

from simengine.kafka.broker_task import BrokerTask
from simengine.kafka.controller_api import (
    ControllerAnswer,
    ControllerChannel,
    ControllerPeer,
    MetadataAnswerBatch,
    MetadataPoll,
)
from simengine.kafka.metadata import Record
from simengine.kafka.metadata_publisher import apply_metadata
from simengine.kernel.connecting import CONNECTING, UP
from simengine.kernel.errors import ERR_NONE

if TYPE_CHECKING:
    from simengine.kafka.broker import Broker
    from simengine.kafka.quorum import Controller

ASK_NEXT_US: Final = 50_000
ASK_ANY_US: Final = 15_000  # a new connection and its ApiVersions, in a process that comes back from a silence
APPLY_MAX_FACTOR: Final = 6
APPLY_SLOW_FACTOR: Final = 4
APPLY_SLOW_ONE_IN: Final = 8
LEAD_MEAN_US: Final = 110_000  # making a leader takes longer than making a follower: its epoch goes to the disk first


@final
class MetadataListener(ControllerPeer):
    """Polls and applies the metadata log for one broker process."""

    __slots__ = (
        "_apply_at",
        "_at",
        "_deadline",
        "_elected",
        "_in_flight",
        "_queue",
        "_request_id",
        "_retry_is_set",
        "_timer_is_set",
        "applied",
        "broker",
        "channels",
        "fetched",
        "leader",
        "stream",
    )

    def __init__(self, broker: "Broker") -> None:
        self.broker = broker
        self.channels: list[ControllerChannel] = []
        self.leader: Controller | None = None  # the active controller this broker knows
        self._elected: Controller | None = None  # the one that its disk remembers (the file quorum-state)
        self.fetched: i64 = 0  # next metadata offset to ask for
        self.applied: i64 = -1  # offset of the newest applied record
        self.stream = broker.sim.stream(broker.name, "metadata")
        self._at: i64 = 0
        self._apply_at: i64 = 0  # when the newest batch of the queue is applied
        self._queue: list[list[Record]] = []
        self._in_flight: bool = False
        self._request_id: i64 = 0
        self._deadline: i64 = 0
        self._timer_is_set: bool = False
        self._retry_is_set: bool = False

    def wire(self, controllers: list["Controller"]) -> None:
        """Make the connections, none open yet."""
        for controller in controllers:
            self.channels.append(self.broker.controller_channel(controller, self))

    def begin(self, first: "Controller | None") -> None:
        """The process starts: follow the log from what the local copy holds."""
        self._queue = []
        self._apply_at = 0
        self._in_flight = False
        self._timer_is_set = False
        self._retry_is_set = False
        self.fetched = self.applied + 1
        self._at = self.stream.below(len(self.channels))
        self.leader = None
        if first is None:
            first = self._elected
        if first is not None:
            self.leader = first
            self._elected = first
            self._turn_to(first.id)
        self.poll()

    def forget(self) -> None:
        """The disk is empty."""
        self.applied = -1
        self._elected = None

    def end(self) -> None:
        """The process ends."""
        for channel in self.channels:
            channel.close()
        self._in_flight = False
        self.leader = None
        self._queue = []

    def poll(self) -> None:
        """Ask for what follows, or connect first."""
        if self._in_flight:
            return
        config = self.broker.config
        channel = self.channels[self._at]
        if channel.state != UP:
            channel.open()
            self._wait(config.quorum_request_timeout_us)
            return
        self._request_id += 1
        self._in_flight = True
        channel.send(MetadataPoll(self._request_id, self.fetched))
        self._wait(config.metadata_poll_us + config.quorum_request_timeout_us)

    def _wait(self, limit: i64) -> None:
        """So long is waited for an answer, or for a connection to ask on; one that is being made goes on behind."""
        self._deadline = self.broker.sim.now + limit
        if not self._timer_is_set:
            self._timer_is_set = True
            self.broker.sim.at(self._deadline, PollTimeout(self.broker))

    def timed_out(self, timer: "PollTimeout") -> None:
        """The controller is silent: drop the connection, if there is one, and ask another."""
        now = self.broker.sim.now
        if now < self._deadline:
            self.broker.sim.at(self._deadline, timer)
            return
        self._timer_is_set = False
        if self._in_flight:
            self.channels[self._at].close()
            self._in_flight = False
        self._ask_any()

    def _turn_to(self, controller: i64) -> bool:
        """Ask this controller from now on; false if there is none of this id."""
        for i in range(len(self.channels)):
            if self.channels[i].controller.id == controller:
                self._at = i
                return True
        return False

    def _ask_any(self) -> None:
        """A fetch that ran out of time goes to a random voter, the one that was silent included (QUO-5)."""
        self._at = self.stream.below(len(self.channels))
        if not self._retry_is_set:
            self._retry_is_set = True
            self.broker.sim.after(ASK_ANY_US, PollRetry(self.broker))

    def _ask_next(self, hint: i64) -> None:
        if hint >= 0 and self._turn_to(hint):
            self._know_leader(self.channels[self._at].controller)
            self.poll()
            return
        self._at = (self._at + 1) % len(self.channels)
        if not self._retry_is_set:
            self._retry_is_set = True
            self.broker.sim.after(ASK_NEXT_US, PollRetry(self.broker))

    def retry(self) -> None:
        """Ask again after a pause."""
        self._retry_is_set = False
        if self.channels[self._at].state == CONNECTING and not self._in_flight:
            self._at = (self._at + 1) % len(self.channels)  # still connecting to a silent one: try a neighbour as well
        self.poll()

    def on_up(self, channel: ControllerChannel) -> None:
        if self._in_flight:
            return
        for i in range(len(self.channels)):
            if self.channels[i] is channel:
                self._at = i
        self.poll()

    def on_down(self, channel: ControllerChannel, refused: bool) -> None:
        if channel is self.channels[self._at] or not self._in_flight:
            self._in_flight = False
            self._ask_next(-1)

    def on_answer(self, answer: ControllerAnswer) -> None:
        if not isinstance(answer, MetadataAnswerBatch) or answer.request_id != self._request_id:
            return
        self._in_flight = False
        if answer.error != ERR_NONE:
            self._ask_next(answer.hint)
            return
        channel = answer.channel
        assert isinstance(channel, ControllerChannel)
        self._know_leader(channel.controller)
        if answer.records and answer.records[0].offset == self.fetched:
            self.fetched += len(answer.records)
            self._queue.append(answer.records)
            due: i64 = self.broker.sim.now + self._apply_delay(answer.records)
            self._apply_at = due if due > self._apply_at else self._apply_at
            self.broker.sim.at(self._apply_at, ApplyMetadata(self.broker))
        self.poll()

    def _know_leader(self, controller: "Controller") -> None:
        if self.leader is controller:
            return
        self.leader = controller
        self._elected = controller
        self.broker.alter_manager.leader_changed()
        self.broker.lifecycle.leader_changed()

    def _apply_delay(self, records: list[Record]) -> i64:
        """How long a batch is on its way through the queue.

        From the controller's write to the apply 810 changes of followers took 0.08 s in the median, 0.22 s at the ninth
        decile, 2 % of them over 0.6 s; 108 new leaders 0.15 s and 0.49 s. So a follower often asks too early (FET-15).
        """
        config = self.broker.config
        delay = self.stream.exponential(config.apply_mean_us)
        if self._makes_leader(records):
            delay += self.stream.exponential(LEAD_MEAN_US)
        limit = config.apply_mean_us * APPLY_MAX_FACTOR
        delay = delay if delay < limit else limit
        if self.stream.below(APPLY_SLOW_ONE_IN) == 0:
            delay *= APPLY_SLOW_FACTOR
        return config.apply_min_us + delay

    def _makes_leader(self, records: list[Record]) -> bool:
        """Whether this broker begins a leader epoch in these records."""
        broker = self.broker
        for record in records:
            registration = record.partition
            if registration is not None and registration.leader == broker.id:
                known = broker.image.partition(registration.p)
                if known is None or known.epoch != registration.epoch:
                    return True
        return False

    def apply_next(self) -> None:
        """Apply the oldest batch that waits (metadata_prefix: in order, none left out)."""
        if not self._queue:
            return
        records = self._queue.pop(0)
        self.applied = records[-1].offset
        apply_metadata(self.broker, records)


@final
class PollTimeout(BrokerTask):
    """The request timeout of a metadata poll; one pending event per broker."""

    __slots__ = ()

    def run(self) -> None:
        self.broker.listener.timed_out(self)


@final
class PollRetry(BrokerTask):
    """The pause before the next controller is asked."""

    __slots__ = ()

    def run(self) -> None:
        self.broker.listener.retry()


@final
class ApplyMetadata(BrokerTask):
    """A batch of metadata has come through the broker's queue."""

    __slots__ = ()

    def run(self) -> None:
        self.broker.listener.apply_next()
