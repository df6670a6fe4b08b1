"""A broker process from start to exit: registration, heartbeats, unfencing, controlled shutdown.

Implements LIVE-1, LIVE-5, REG-1..5, SHUT-1..5, ELEC-9, QUO-6.
"""

from typing import Final, final

from mypy_extensions import i64

from simengine.facts.errors import ERR_NONE
from simengine.facts.kinds import (
    PROCESS_RECOVERING,
    PROCESS_RUNNING,
    PROCESS_STOPPING,
)
from simengine.kafka.broker.broker_process import BrokerProcess
from simengine.kafka.broker.directories import AssignmentsManager
from simengine.kafka.broker.lifecycle_tasks import Beat, Exit, OpenPort, RegistrationGivesUp, ShutdownGivesUp
from simengine.kafka.broker.metadata_listener import MetadataListener
from simengine.kafka.wire.controller_api import (
    ControllerAnswer,
    ControllerChannel,
    ControllerPeer,
    HeartbeatAnswer,
    HeartbeatRequest,
    RegisterAnswer,
    RegisterRequest,
)
from simengine.kernel.connecting import UP

SHUTDOWN_SECOND_HEARTBEAT_US: Final = 50_000  # SHUT-2
# A process that shuts down comes late to its heartbeats: leave was given 0.07 to 0.42 s, in the median 0.15 s, after a
# whole number of 2 s intervals (31 stops).
SHUTDOWN_LATE_MEAN_US: Final = 45_000
# ELEC-9: the client port accepts a little after the unfencing. 187 starts: 0.05 to 0.4 s, median 0.09, 1 % over 1 s.
PORT_OPENS_MIN_US: Final = 30_000
PORT_OPENS_MEAN_US: Final = 80_000
PORT_SLOW_FACTOR: Final = 4
PORT_SLOW_ONE_IN: Final = 10
# from "begins to register" to the registration: 168 starts: 0.004 to 0.33 s, median 0.03, 10 % over 0.12
REGISTER_LATE_MEAN_US: Final = 90_000
REGISTER_LATE_ONE_IN: Final = 3
# from SIGTERM to the controller's first record: 54 stops: median 0.016 s, 10 % over 0.07 s, 5 % over 0.3 s
STOP_LATE_MEAN_US: Final = 200_000
STOP_LATE_ONE_IN: Final = 8
RETRY_FIRST_US: Final = 100_000
RETRY_DOUBLINGS_MAX: Final = 16
EXIT_MIN_US: Final = 250_000  # from leave to the end: 56 stops: 0.26 to 1.2 s, median 0.52, three longer ones
EXIT_MEAN_US: Final = 370_000
# A slow machine is slow to the end: from registration to "caught up" a process takes a part of what its start took
# (166 starts: 5 % of them below 0.11 of it, half below 0.23, 90 % below 0.36, 2 % over 0.5, the slowest 1.1). A process
# that waited for its registration has done its work meanwhile. Very long starts say how long the machine stood still
# rather than how slow it is: of 19 of more than 8 s a fourth was below 0.08, hardly one took less than 0.45 s.
CATCH_UP_MIN_PERMILLE: Final = 90
CATCH_UP_MIN_OF_US: Final = 5_000_000  # the least part is of this much of the start at most
CATCH_UP_MAX_PERMILLE: Final = 250
CATCH_UP_MORE_MEAN_PERMILLE: Final = 50
CATCH_UP_SLOW_ONE_IN: Final = 25  # takes three times as long
CATCH_UP_SLOW_FACTOR: Final = 3

NOT_RUNNING: Final = 0
BOOTING: Final = 1
REGISTERING: Final = 2
CATCHING_UP: Final = 3  # registered, fenced, wants to stay so until it has applied its own registration
RUNNING: Final = 4
PENDING_SHUTDOWN: Final = 5


@final
class BrokerLifecycleManager(ControllerPeer):
    """Registration and heartbeats of one broker."""

    __slots__ = (
        "_assignments",
        "_awaited",
        "_beat_serial",
        "_caught_up_at",
        "_failures",
        "_has_published",
        "_in_flight",
        "_listener",
        "_request_id",
        "_shutdown_answers",
        "_waits_until",
        "_wanted_fence",
        "broker",
        "channel",
        "is_fenced",
        "state",
        "stream",
    )

    def __init__(self, broker: BrokerProcess, listener: MetadataListener, assignments: AssignmentsManager) -> None:
        self.broker = broker
        self._listener = listener
        self._assignments = assignments
        self.state: i64 = NOT_RUNNING
        self.is_fenced: bool = True
        self.channel: ControllerChannel | None = None
        self.stream = broker.sim.stream(broker.name, "lifecycle")
        self._request_id: i64 = 0
        self._beat_serial: i64 = 0
        self._in_flight: bool = False
        self._waits_until: i64 = 0  # until then a request waits for the connection, and then fails
        self._awaited: i64 = 0
        self._shutdown_answers: i64 = 0
        self._wanted_fence: bool = False  # in the newest heartbeat
        self._failures: i64 = 0  # in a row
        self._caught_up_at: i64 = 0
        self._has_published: bool = False  # the first metadata, after which it asks to be unfenced

    # -- start

    def resume_running(self, first_beat_us: i64) -> None:
        """The broker runs already at time 0; its first heartbeat follows after a phase."""
        self.state = RUNNING
        self.is_fenced = False
        self._schedule(first_beat_us)

    def register(self, boot_us: i64) -> None:
        """REG-1: the process is up after ``boot_us``, follows the metadata log and asks to be registered."""
        self.state = REGISTERING
        self.is_fenced = True
        self._has_published = False
        self._failures = 0
        self.broker.sim.after(self.broker.config.registration_timeout_us, RegistrationGivesUp(self))
        least: i64 = CATCH_UP_MIN_PERMILLE
        if boot_us > CATCH_UP_MIN_OF_US:
            least = least * CATCH_UP_MIN_OF_US // boot_us
        permille = self.stream.between(least, CATCH_UP_MAX_PERMILLE)
        permille += self.stream.exponential(CATCH_UP_MORE_MEAN_PERMILLE)
        if self.stream.below(CATCH_UP_SLOW_ONE_IN) == 0:
            permille *= CATCH_UP_SLOW_FACTOR
        self._caught_up_at = self.broker.sim.now + boot_us * permille // 1000
        self._schedule(self._sometimes_late(REGISTER_LATE_ONE_IN, REGISTER_LATE_MEAN_US))

    def _sometimes_late(self, one_in: i64, mean_us: i64) -> i64:
        """The time (µs) for which a busy machine delays a process: mostly 0."""
        return self.stream.exponential(mean_us) if self.stream.below(one_in) == 0 else 0

    def end(self) -> None:
        """The process ends."""
        self.state = NOT_RUNNING
        self._beat_serial += 1
        self._in_flight = False
        self._waits_until = 0
        self._shutdown_answers = 0
        channel = self.channel
        if channel is not None:
            channel.close()
        self.channel = None

    # -- the channel

    def _target(self) -> ControllerChannel | None:
        wanted = self._listener.leader
        if wanted is None:
            return None
        channel = self.channel
        if channel is None or channel.controller is not wanted:
            if channel is not None:
                channel.close()
            channel = self.broker.controller_channel(wanted, self)
            self.channel = channel
        return channel

    def leader_changed(self) -> None:
        """Another controller is active: what was asked of the old one is asked of the new one."""
        if self.state == NOT_RUNNING or self.state == BOOTING:
            return
        channel = self.channel
        if channel is None and self.state == REGISTERING and not self._in_flight:
            self._schedule(0)  # it waited for nothing else (193 starts: 0.033 s to the registration, in the median)
        elif channel is not None and channel.controller is not self._listener.leader:
            channel.close()
            self.channel = None
            self._in_flight = False
            self._schedule(0)

    def on_up(self, channel: ControllerChannel) -> None:
        """A request that waits is sent; without one the connection stands idle until the next is due (LIVE-1)."""
        if channel is self.channel and not self._in_flight and self._is_waiting():
            self.beat_now()

    def on_down(self, channel: ControllerChannel, refused: bool) -> None:
        """A request that waits has the connection tried again at once, if nobody refused it (LIVE-1)."""
        if channel is not self.channel or self.state == NOT_RUNNING:
            return
        if self._in_flight or refused:
            self._in_flight = False
            self._waits_until = 0
            self._schedule(self._retry_us())
        elif self._is_waiting():
            channel.open()

    def _is_waiting(self) -> bool:
        """True if a request waits for its connection."""
        return self.broker.sim.now < self._waits_until

    # -- beating

    def _schedule(self, delay: i64) -> None:
        self._beat_serial += 1
        self.broker.sim.after(delay, Beat(self, self._beat_serial))

    def beat(self, serial: i64) -> None:
        """The time of a heartbeat, or the end of an unanswered one (LIVE-1)."""
        if serial == self._beat_serial and self.state != NOT_RUNNING:
            if self._in_flight:
                self._drop_connection()
            elif self._waits_until > 0:
                self._failures = min(self._failures + 1, RETRY_DOUBLINGS_MAX)
            self.beat_now()

    def _next_retry_us(self) -> i64:
        """LIVE-1: how long after a failure the next attempt follows; before 4.1 from 100 ms doubling to session/2."""
        config = self.broker.config
        if config.fixed_retry:
            return config.heartbeat_us
        delay: i64 = RETRY_FIRST_US
        for _ in range(self._failures):
            delay = min(2 * delay, config.session_us // 2)
        return delay

    def _retry_us(self) -> i64:
        """As `_next_retry_us`, once more having failed."""
        delay = self._next_retry_us()
        self._failures = min(self._failures + 1, RETRY_DOUBLINGS_MAX)
        return delay

    def _drop_connection(self) -> None:
        self._failures = min(self._failures + 1, RETRY_DOUBLINGS_MAX)
        self._in_flight = False
        channel = self.channel
        if channel is not None and channel.state == UP:
            channel.close()

    def beat_now(self) -> None:
        """Send what is due: a registration or a heartbeat."""
        config = self.broker.config
        channel = self._target()
        if channel is None:
            self._schedule(100_000)
            return
        if channel.state != UP:
            channel.open()
            self._waits_until = self.broker.sim.now + config.heartbeat_timeout_us
            self._schedule(config.heartbeat_timeout_us + self._next_retry_us())
            return
        self._request_id += 1
        self._in_flight = True
        self._waits_until = 0
        if self.state == REGISTERING:
            broker = self.broker
            channel.send(
                RegisterRequest(self._request_id, broker.id, broker.incarnation, broker.clean_be, broker.directory)
            )
        else:
            channel.send(self._heartbeat())
        self._schedule(config.heartbeat_timeout_us + self._next_retry_us())

    def _heartbeat(self) -> HeartbeatRequest:
        broker = self.broker
        applied = broker.applied
        self._wanted_fence = self.state == CATCHING_UP and not self._is_caught_up()
        if not self._wanted_fence and not self._has_published:
            self._has_published = True
            self._assignments.published()
        want_shutdown = self.state == PENDING_SHUTDOWN
        return HeartbeatRequest(self._request_id, broker.id, broker.be, applied, self._wanted_fence, want_shutdown)

    def on_answer(self, answer: ControllerAnswer) -> None:
        if answer.request_id != self._request_id or not self._in_flight:
            return
        self._in_flight = False
        if isinstance(answer, RegisterAnswer):
            self._registered(answer)
        elif isinstance(answer, HeartbeatAnswer):
            self._beaten(answer)

    def _registered(self, answer: RegisterAnswer) -> None:
        """REG-2: refused registrations are repeated."""
        broker = self.broker
        if answer.error != ERR_NONE:
            self._schedule(self._retry_us())
            return
        if self.state != REGISTERING:
            return
        broker.be = answer.be
        self._failures = 0
        broker.clean_be = -1
        self.state = CATCHING_UP
        broker.state_process(PROCESS_RECOVERING)
        self._schedule(0)

    def _beaten(self, answer: HeartbeatAnswer) -> None:
        config = self.broker.config
        if answer.error != ERR_NONE:
            self._schedule(self._retry_us())
            return
        self._failures = 0
        if self.state == PENDING_SHUTDOWN:
            self._shutting_down(answer)
            return
        if self.state == CATCHING_UP:
            if not answer.is_fenced:
                self.state = RUNNING
                self.is_fenced = False
                self.broker.sim.after(self._until_port_opens(), OpenPort(self))
            elif self._wanted_fence:  # asked too early: at once again if it has caught up meanwhile (REG-1)
                self._schedule(0 if self._is_caught_up() else 100_000)
                return
        self._schedule(config.heartbeat_us)

    def metadata_applied(self) -> None:
        """REG-1: as soon as its own registration is applied, the broker asks to be unfenced."""
        if self.state == CATCHING_UP and not self._in_flight and self._is_caught_up():
            self._schedule(0)

    def _is_caught_up(self) -> bool:
        broker = self.broker
        return broker.applied >= broker.be and broker.sim.now >= self._caught_up_at

    def _until_port_opens(self) -> i64:
        mean: i64 = PORT_OPENS_MEAN_US
        if self.stream.below(PORT_SLOW_ONE_IN) == 0:
            mean *= PORT_SLOW_FACTOR
        return PORT_OPENS_MIN_US + self.stream.exponential(mean)

    def open_port(self) -> None:
        """Clients and followers may connect from now on."""
        if self.state == RUNNING or self.state == PENDING_SHUTDOWN:
            self.broker.listening = True
            self.broker.state_process(PROCESS_RUNNING)

    def give_up_registration(self) -> None:
        """QUO-6: a process that nobody has registered in time ends by itself."""
        if self.state == REGISTERING:
            self.broker.exit()

    # -- controlled shutdown

    def stop(self) -> None:
        """SIGTERM: ask the controller for leave (SHUT-1), unless that is switched off."""
        broker = self.broker
        if self.state == BOOTING or self.state == REGISTERING or self.state == CATCHING_UP:
            broker.kill()  # Kafka's shutdown does nothing before its start-up is over: the process just ends
            return
        if not broker.config.controlled_shutdown:
            broker.exit()
            return
        if self.state == PENDING_SHUTDOWN or self.state == NOT_RUNNING:
            return
        self.state = PENDING_SHUTDOWN
        self._shutdown_answers = 0
        broker.state_process(PROCESS_STOPPING)
        broker.sim.after(broker.config.shutdown_wait_us, ShutdownGivesUp(self))
        self._in_flight = False
        self._schedule(self._sometimes_late(STOP_LATE_ONE_IN, STOP_LATE_MEAN_US))

    def _shutting_down(self, answer: HeartbeatAnswer) -> None:
        """SHUT-2, SHUT-3."""
        broker = self.broker
        if answer.may_shut_down:
            broker.sim.after(EXIT_MIN_US + self.stream.exponential(EXIT_MEAN_US), Exit(self))
            self._beat_serial += 1
            return
        self._shutdown_answers += 1
        first = self._shutdown_answers == 1
        pause = SHUTDOWN_SECOND_HEARTBEAT_US if first else broker.config.heartbeat_us
        self._schedule(pause + self.stream.exponential(SHUTDOWN_LATE_MEAN_US))

    def give_up_shutdown(self) -> None:
        """SHUT-2: after five minutes the broker stops without leave."""
        if self.state == PENDING_SHUTDOWN:
            self.broker.exit()
