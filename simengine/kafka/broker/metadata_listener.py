"""A broker follows the metadata log: a long poll to the active controller, then a queue of changes to apply.

The listener is also how a broker knows which controller is active. One question at a time is under way, and counts so
while its connection is still being made; a connection that comes up elsewhere meanwhile is of use only when that
controller is drawn. So after a cut a broker hears of the metadata up to some seconds later than of anything else
(QUO-9, TCP-1). Implements QUO-5, QUO-9.
"""

from typing import Final, final

from mypy_extensions import i64

from simengine.facts.errors import ERR_NONE
from simengine.kafka.broker.broker_process import BrokerProcess
from simengine.kafka.broker.metadata_publisher import apply_metadata
from simengine.kafka.shared.metadata import Record
from simengine.kafka.wire.controller_api import (
    ControllerAnswer,
    ControllerChannel,
    ControllerPeer,
    ControllerServer,
    MetadataAnswerBatch,
    MetadataPoll,
)
from simengine.kernel.connecting import UP
from simengine.kernel.node import Task

NO_HINT: Final = -1
ASK_NEXT_US: Final = 50_000
ASK_ANY_US: Final = 15_000  # a new connection and its ApiVersions, in a process that comes back from a silence
# from the controller's write to a broker's apply, as measured: 39 ms at least, 98 ms in the median, 240 ms at the ninth
# decile, of which the quorum takes up to 25 ms
APPLY_MIN_US: Final = 25_000
APPLY_MEAN_US: Final = 65_000
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
        "_dialled_at",
        "_elected",
        "_in_flight",
        "_is_following",
        "_is_waiting",
        "_queue",
        "_request_id",
        "_retry_is_set",
        "_timer_is_set",
        "broker",
        "channels",
        "fetched",
        "leader",
        "stream",
    )

    def __init__(self, broker: BrokerProcess) -> None:
        self.broker = broker
        self.channels: list[ControllerChannel] = []
        self.leader: ControllerServer | None = None  # the active controller this broker knows
        self._elected: ControllerServer | None = None  # the one that its disk remembers (the file quorum-state)
        self.fetched: i64 = 0  # next metadata offset to ask for
        self.stream = broker.sim.stream(broker.name, "metadata")
        self._at: i64 = 0
        self._apply_at: i64 = 0  # when the newest batch of the queue is applied
        self._queue: list[list[Record]] = []
        self._is_following: bool = False  # the process is up so far that it may ask
        self._dialled_at: i64 = 0
        self._in_flight: bool = False
        self._is_waiting: bool = False  # what is in flight waits for its connection
        self._request_id: i64 = 0
        self._deadline: i64 = 0
        self._timer_is_set: bool = False
        self._retry_is_set: bool = False

    def wire(self, controller: ControllerServer) -> None:
        """Make the connection to a controller, not open yet."""
        self.channels.append(self.broker.controller_channel(controller, self))

    def dial(self) -> None:
        """The Raft client of a starting process is up, some time before the rest: it looks for a controller (QUO-9)."""
        self._timer_is_set = False
        self._retry_is_set = False
        self._dialled_at = self.broker.sim.now
        self._at = self.stream.below(len(self.channels))
        if self._elected is not None:
            self._turn_to(self._elected.id)
        self.channels[self._at].open()

    def follow(self) -> None:
        """Follow the log from what the local copy holds."""
        self._is_following = True
        self._queue = []
        self._apply_at = 0
        self.fetched = self.broker.applied + 1
        self.leader = self._elected
        self._ask(self.broker.sim.now - self._dialled_at)

    def begin(self, first: ControllerServer | None) -> None:
        """The process runs at time 0, and knows this controller as the active one."""
        if first is not None:
            self._elected = first
        self.dial()
        self.follow()

    def forget(self) -> None:
        """The disk is empty."""
        self.broker.applied = -1
        self._elected = None

    def end(self) -> None:
        """The process ends."""
        for channel in self.channels:
            channel.close()
        self._is_following = False
        self._settle()
        self.leader = None
        self._queue = []

    def poll(self) -> None:
        """Ask for what follows."""
        if self._is_following and not self._in_flight:
            self._ask(0)

    def _ask(self, waited_us: i64) -> None:
        """Ask once the connection stands, for which the process has been waiting so long already."""
        timeout: i64 = self.broker.config.quorum_request_timeout_us
        channel = self.channels[self._at]
        self._request_id += 1
        self._in_flight = True
        if channel.state == UP:
            self._send(channel)
        else:
            self._is_waiting = True
            channel.open()
            timeout -= waited_us % timeout
        self._deadline = self.broker.sim.now + timeout
        if not self._timer_is_set:
            self._timer_is_set = True
            self.broker.sim.at(self._deadline, PollTimeout(self))

    def _send(self, channel: ControllerChannel) -> None:
        self._is_waiting = False
        channel.send(MetadataPoll(self._request_id, self.fetched))

    def _settle(self) -> None:
        """Nothing is in flight any more."""
        self._in_flight = False
        self._is_waiting = False

    def timed_out(self, timer: "PollTimeout") -> None:
        """The controller is silent: drop a connection that stands, go on making one, and ask another (QUO-9)."""
        now = self.broker.sim.now
        if self._in_flight and now < self._deadline:
            self.broker.sim.at(self._deadline, timer)
            return
        self._timer_is_set = False
        if self._in_flight:
            if not self._is_waiting:
                self.channels[self._at].close()
            self._settle()
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
            self.broker.sim.after(ASK_ANY_US, PollRetry(self))

    def _ask_next(self, hint: i64) -> None:
        if hint >= 0 and self._turn_to(hint):
            self._know_leader(self.channels[self._at].controller)
            self.poll()
            return
        self._at = (self._at + 1) % len(self.channels)
        if not self._retry_is_set:
            self._retry_is_set = True
            self.broker.sim.after(ASK_NEXT_US, PollRetry(self))

    def retry(self) -> None:
        """Ask again after a pause."""
        self._retry_is_set = False
        self.poll()

    def on_up(self, channel: ControllerChannel) -> None:
        if self._is_waiting and channel is self.channels[self._at]:
            self._send(channel)

    def on_down(self, channel: ControllerChannel, refused: bool) -> None:
        if not self._in_flight or channel is not self.channels[self._at]:
            return
        self._settle()
        if refused:
            self._ask_next(NO_HINT)
        else:
            self._ask_any()

    def on_answer(self, answer: ControllerAnswer) -> None:
        if not isinstance(answer, MetadataAnswerBatch) or answer.request_id != self._request_id:
            return
        self._settle()
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
            self.broker.sim.at(self._apply_at, ApplyMetadata(self))
        self.poll()

    def _know_leader(self, controller: ControllerServer) -> None:
        if self.leader is controller:
            return
        self.leader = controller
        self._elected = controller
        self.broker.leader_changed()

    def _apply_delay(self, records: list[Record]) -> i64:
        """The time (µs) for which a batch is in the queue.

        From the controller's write to the apply 810 changes of followers took 0.08 s in the median, 0.22 s at the ninth
        decile, 2 % of them over 0.6 s; 108 new leaders 0.15 s and 0.49 s. So a follower often asks too early (FET-15).
        """
        delay = self.stream.exponential(APPLY_MEAN_US)
        if self._makes_leader(records):
            delay += self.stream.exponential(LEAD_MEAN_US)
        delay = min(delay, APPLY_MEAN_US * APPLY_MAX_FACTOR)
        if self.stream.below(APPLY_SLOW_ONE_IN) == 0:
            delay *= APPLY_SLOW_FACTOR
        return APPLY_MIN_US + delay

    def _makes_leader(self, records: list[Record]) -> bool:
        """True if this broker begins a leader epoch in these records."""
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
        self.broker.applied = records[-1].offset
        apply_metadata(self.broker, records)


class ListenerTask(Task):
    """Something that one incarnation of the process does for its listener at a time."""

    __slots__ = ("listener",)

    def __init__(self, listener: MetadataListener) -> None:
        super().__init__(listener.broker)
        self.listener = listener


@final
class PollTimeout(ListenerTask):
    """The request timeout of a metadata poll; one pending event per broker."""

    __slots__ = ()

    def run(self) -> None:
        self.listener.timed_out(self)


@final
class PollRetry(ListenerTask):
    """The pause before the next controller is asked."""

    __slots__ = ()

    def run(self) -> None:
        self.listener.retry()


@final
class ApplyMetadata(ListenerTask):
    """A batch of metadata has come through the broker's queue."""

    __slots__ = ()

    def run(self) -> None:
        self.listener.apply_next()
