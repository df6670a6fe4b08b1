"""The herder of a Connect worker: when the tasks of a flow run (MM-1).

As Kafka's ``DistributedHerder`` and ``IncrementalCooperativeAssignor``. The worker is alone in its group, so it is also
the leader that hands out the tasks. Tasks that it has given up count as lost: the leader waits for a member that brings
them back (``scheduled.rebalance.max.delay.ms``, 5 min), and only then hands them out again. A new process knows no
earlier assignment, so it hands out all tasks at its first rebalance. A worker that is still the member that it was has
lost nothing, and goes on at once. New configurations of the source tasks stop these, and start them with the next
rebalance. Left out: several workers.
"""

from typing import Final, final

from mypy_extensions import i64, trait

from simengine.facts.kinds import TASKS_DELAYED, TASKS_GIVEN_UP, TASKS_RUNNING
from simengine.kafka.wire.api import NO_MEMBER
from simengine.kernel.node import Task
from simengine.mirror.flow_listener import FlowListener
from simengine.mirror.worker_coordinator import WorkerCoordinator, WorkerLeg, WorkerListener
from simengine.mirror.worker_settings import WorkerSettings

NOT_SCHEDULED: Final = -1
UNKNOWN: Final = -1

REBALANCE: Final = 0  # what a timer is for: lost tasks may be handed out again
GRACE: Final = 1  # tasks have taken too long to stop
FAREWELL: Final = 2  # the response to LeaveGroup has taken too long


@trait
class TaskRunner:
    """Runs the tasks that a worker has."""

    def start_tasks(self) -> None:
        """The tasks are this worker's from now on."""

    def stop_tasks(self) -> None:
        """Stop all connectors and tasks; call ``Herder.tasks_stopped`` when the tasks have ended."""

    def start_source_tasks(self) -> None:
        """Start the source tasks again, with their newest configurations."""

    def stop_source_tasks(self) -> None:
        """Stop the source tasks; call ``Herder.tasks_stopped`` when they have ended."""

    def worker_stopped(self) -> None:
        """A clean stop is complete."""


@final
class Herder(WorkerListener):
    """One worker. It lives as long as the flow; ``begin`` and ``start`` make a new process of it."""

    __slots__ = (
        "_coordinator",
        "_is_reconfiguring",
        "_is_shutting_down",
        "_leg",
        "_member",
        "_rebalance_at",
        "_runner",
        "_settings",
        "_stop_until",
        "_was_assigned",
        "flow",
        "has_tasks",
    )

    def __init__(self, leg: WorkerLeg, group: str, settings: WorkerSettings, runner: TaskRunner) -> None:
        self._leg = leg
        self._settings = settings
        self._runner = runner
        self._coordinator: WorkerCoordinator = leg.coordinator(group, settings, self)
        self.flow: FlowListener = FlowListener()
        self.has_tasks: bool = False
        self._is_reconfiguring: bool = False  # the source tasks stop, or wait for a rebalance
        self._is_shutting_down: bool = False
        self._was_assigned: bool = False  # this process has handed out the tasks before
        self._member: i64 = NO_MEMBER  # that the worker was at its last rebalance
        self._rebalance_at: i64 = NOT_SCHEDULED  # when lost tasks are handed out again
        self._stop_until: i64 = NOT_SCHEDULED  # how long the worker waits for tasks that stop

    def begin(self) -> None:
        """The state of a process that has run for long: it has its tasks, and joins with them."""
        self._start_worker()
        self._take_tasks()

    def start(self) -> None:
        """A new process."""
        self._start_worker()

    def _start_worker(self) -> None:
        self.has_tasks = False
        self._is_reconfiguring = False
        self._is_shutting_down = False
        self._was_assigned = False
        self._member = NO_MEMBER
        self._rebalance_at = NOT_SCHEDULED
        self._stop_until = NOT_SCHEDULED
        self._leg.start()
        self._coordinator.start()

    # -- rebalances

    def joined(self, member: i64) -> None:
        has_departed = member != self._member
        self._member = member
        if self.has_tasks:
            if self._is_reconfiguring:
                self._is_reconfiguring = False
                self._runner.start_source_tasks()
            return
        now = self._leg.sim.now
        is_lost = self._was_assigned and (has_departed or self._rebalance_at != NOT_SCHEDULED)
        if not is_lost or self._settings.rebalance_delay_us == 0:
            self._take_tasks()
        elif self._rebalance_at == NOT_SCHEDULED:
            self._rebalance_at = now + self._settings.rebalance_delay_us
            self.flow.tasks_changed(TASKS_DELAYED, self._rebalance_at)
            self._wait(self._rebalance_at, REBALANCE)
        elif now >= self._rebalance_at:
            self._take_tasks()

    def _take_tasks(self) -> None:
        self.has_tasks = True
        self._was_assigned = True
        self._rebalance_at = NOT_SCHEDULED
        self.flow.tasks_changed(TASKS_RUNNING, UNKNOWN)
        self._runner.start_tasks()

    def coordinator_unreachable(self) -> None:
        if not self.has_tasks or self._is_shutting_down:
            return
        self.has_tasks = False
        self._is_reconfiguring = False
        self.flow.tasks_changed(TASKS_GIVEN_UP, UNKNOWN)
        self._await_stop()
        self._runner.stop_tasks()

    def reconfigure(self) -> None:
        """Restart the source tasks, which have new configurations. Tasks that start later use these anyway."""
        if self.has_tasks and not self._is_reconfiguring and not self._is_shutting_down:
            self._is_reconfiguring = True
            self._await_stop()
            self._runner.stop_source_tasks()

    def shut_down(self) -> None:
        """SIGTERM: the tasks store what they have copied, then the worker leaves its group."""
        self._is_shutting_down = True
        self._await_stop()
        if self.has_tasks:
            self._runner.stop_tasks()
        else:
            self.tasks_stopped()

    def _await_stop(self) -> None:
        """The worker's thread waits until its tasks have stopped, or have taken too long."""
        self._coordinator.block()
        self._stop_until = self._leg.sim.now + self._settings.graceful_stop_us
        self._wait(self._stop_until, GRACE)

    def tasks_stopped(self) -> None:
        """The tasks have ended, or were given up: the worker's thread goes on."""
        if self._stop_until == NOT_SCHEDULED:
            return
        self._stop_until = NOT_SCHEDULED
        if self._is_shutting_down:
            self._leave()
            return
        if self._is_reconfiguring:
            self._coordinator.request_rejoin()
        self._coordinator.unblock()

    def _leave(self) -> None:
        if self._coordinator.leave():
            self._wait(self._leg.sim.now + self._settings.graceful_stop_us, FAREWELL)
        else:
            self.left()

    def left(self) -> None:
        if self._is_shutting_down:
            self._is_shutting_down = False
            self.has_tasks = False
            self._runner.worker_stopped()

    # -- time

    def _wait(self, until: i64, what: i64) -> None:
        self._leg.sim.at(until, HerderTimer(self, self._leg, until, what))

    def timer_fired(self, timer: "HerderTimer") -> None:
        """Lost tasks may be handed out, or something has taken too long."""
        if timer.what == REBALANCE:
            if self._rebalance_at == timer.at:
                self._coordinator.request_rejoin()
        elif timer.what == FAREWELL:
            self.left()
        elif self._stop_until == timer.at:
            self.tasks_stopped()


@final
class HerderTimer(Task):
    """A delayed rebalance is due, or tasks or a response have taken too long."""

    __slots__ = ("at", "herder", "what")

    def __init__(self, herder: Herder, leg: WorkerLeg, at: i64, what: i64) -> None:
        super().__init__(leg)
        self.herder = herder
        self.at: i64 = at
        self.what: i64 = what

    def run(self) -> None:
        self.herder.timer_fired(self)
