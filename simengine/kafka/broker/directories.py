"""A broker tells the controller the log directory of each of its replicas (KIP-858, JBOD off).

Each formatted disk has an id of its own. A broker registers with the id of its disk, and each partition's record names
the directory of each copy. Nobody is elected whose copy is assigned to a directory that its broker is not registered
with (DIR-1). So a broker with a replaced disk may not lead when it is unfenced: its copies are still assigned to the
old disk. It assigns them to the new one a moment later (DIR-2). That change is judged by the old assignment and elects
nobody; the next election of the partition finds the broker eligible (DIR-3).

Kafka's class: ``AssignmentsManager``. What the controller does with it stands in ``assign_directories.py``. Left out:
several directories on one broker, and directories that fail.
"""

from typing import Final, final

from mypy_extensions import i64

from simengine.facts.errors import ERR_NONE, ERR_NOT_CONTROLLER
from simengine.kafka.broker.broker_process import BrokerProcess
from simengine.kafka.broker.metadata_listener import MetadataListener
from simengine.kafka.wire.controller_api import (
    AssignDirectoriesRequest,
    ControllerAnswer,
    ControllerChannel,
    ControllerPeer,
)
from simengine.kernel.connecting import UP
from simengine.kernel.node import Task

# AssignmentsManager waits 100 ms for more to send. It begins to wait when the first metadata is published, some tens of
# milliseconds before the broker asks to be unfenced. Two measured starts: the record came 40 and 54 ms after the
# unfencing.
BATCHING_MIN_US: Final = 40_000
BATCHING_MAX_US: Final = 60_000
RETRY_FIRST_US: Final = 100_000
RETRY_MAX_US: Final = 10_000_000
LOOK_US: Final = 50_000  # how often it looks for another active controller


@final
class AssignmentsManager(ControllerPeer):
    """Assigns the copies of one broker to its log directory, in one request that is repeated until it succeeds."""

    __slots__ = ("_failures", "_listener", "_partitions", "_request_id", "_serial", "broker", "channel", "stream")

    def __init__(self, broker: BrokerProcess, listener: MetadataListener) -> None:
        self.broker = broker
        self._listener = listener
        self.channel: ControllerChannel | None = None
        self.stream = broker.sim.stream(broker.name, "assignments")
        self._partitions: list[int] = []
        self._failures: i64 = 0
        self._request_id: i64 = 0
        self._serial: i64 = 0  # of the newest timer: older ones do nothing

    def end(self) -> None:
        """The process ends."""
        self._partitions = []
        self._serial += 1
        if self.channel is not None:
            self.channel.close()
        self.channel = None

    def published(self) -> None:
        """The first metadata is published: assign the copies that metadata has in another directory (DIR-2)."""
        broker = self.broker
        self._failures = 0
        self._partitions = []
        for replica in broker.hosted:
            registration = broker.image.partition(replica.p)
            if registration is None or int(broker.id) not in registration.replicas:
                continue
            if registration.directories.get(int(broker.id), 0) != broker.directory:
                self._partitions.append(int(replica.p))
        if self._partitions:
            self._schedule(self.stream.between(BATCHING_MIN_US, BATCHING_MAX_US))

    def _schedule(self, delay: i64) -> None:
        self._serial += 1
        self.broker.sim.after(delay, AssignmentTimer(self, self._serial))

    def fire(self, serial: i64) -> None:
        """Send the request, or send it again: its answer has not come in time."""
        if serial == self._serial and self._partitions:
            self._send()

    def _send(self) -> None:
        broker = self.broker
        wanted = self._listener.leader
        if wanted is None:
            self._schedule(LOOK_US)
            return
        channel = self.channel
        if channel is None or channel.controller is not wanted:
            if channel is not None:
                channel.close()
            channel = broker.controller_channel(wanted, self)
            self.channel = channel
        self._schedule(broker.config.alter_timeout_us)
        if channel.state != UP:
            channel.open()
            return
        self._request_id += 1
        channel.send(
            AssignDirectoriesRequest(self._request_id, broker.id, broker.be, broker.directory, self._partitions)
        )

    def on_up(self, channel: ControllerChannel) -> None:
        if channel is self.channel and self._partitions:
            self._send()

    def on_down(self, channel: ControllerChannel, refused: bool) -> None:
        if channel is self.channel and self._partitions:
            self._schedule(LOOK_US)

    def on_answer(self, answer: ControllerAnswer) -> None:
        if answer.request_id != self._request_id or not self._partitions:
            return
        if answer.error == ERR_NONE:
            self._partitions = []
        elif answer.error == ERR_NOT_CONTROLLER:
            self._schedule(LOOK_US)
        else:
            delay = min(RETRY_FIRST_US << min(self._failures, 10), RETRY_MAX_US)
            self._failures += 1
            self._schedule(delay)


@final
class AssignmentTimer(Task):
    """It is time to assign directories, or to do so again."""

    __slots__ = ("_manager", "_serial")

    def __init__(self, manager: AssignmentsManager, serial: i64) -> None:
        super().__init__(manager.broker)
        self._manager = manager
        self._serial: i64 = serial

    def run(self) -> None:
        self._manager.fire(self._serial)
