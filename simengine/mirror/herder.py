"""The herder of a Connect worker: when the tasks of a flow run (MM-1).

As Kafka's ``DistributedHerder`` and ``IncrementalCooperativeAssignor``. The worker is alone in its group, so it is also
the leader that hands out the tasks. Tasks that it has given up count as lost: the leader waits for a member that brings
them back (``scheduled.rebalance.max.delay.ms``, 5 min), and only then hands them out again. A new process knows no
earlier assignment, so it hands out all tasks at its first rebalance. A worker that is still the member
that it was has lost nothing, and goes on at once. Left out: several workers.
"""

from typing import Final, final

from mypy_extensions import i64, trait

from simengine.kafka.api import NO_MEMBER
from simengine.kernel.facts import TASKS_DELAYED, TASKS_GIVEN_UP, TASKS_JOINING, TASKS_RUNNING
from simengine.kernel.node import Task
from simengine.mirror.flow_listener import FlowListener
from simengine.mirror.worker_coordinator import WorkerCoordinator, WorkerLeg, WorkerListener
from simengine.mirror.worker_settings import WorkerSettings

NOT_SCHEDULED: Final = -1
UNKNOWN: Final = -1


@trait
class TaskRunner:
    """Runs the tasks that a worker has."""

    def start_tasks(self) -> None:
        """The tasks are this worker's from now on."""

    def stop_tasks(self) -> None:
        """They are not any more; ``Herder.tasks_stopped`` is called when they have come to an end."""


@final
class Herder(WorkerListener):
    """One worker. It lives as long as the flow; ``begin`` and ``start`` make a new process of it."""

    __slots__ = (
        "_coordinator",
        "_leg",
        "_member",
        "_rebalance_at",
        "_runner",
        "_settings",
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
        self._was_assigned: bool = False  # this process has handed out the tasks before
        self._member: i64 = NO_MEMBER  # that the worker was at its last rebalance
        self._rebalance_at: i64 = NOT_SCHEDULED  # when lost tasks are handed out again

    def begin(self) -> None:
        """The state of a process that has run for long: it has its tasks, and joins with them."""
        self._start_worker()
        self._take_tasks()

    def start(self) -> None:
        """A new process."""
        self._start_worker()
        self.flow.tasks_changed(TASKS_JOINING, UNKNOWN)

    def _start_worker(self) -> None:
        self.has_tasks = False
        self._was_assigned = False
        self._member = NO_MEMBER
        self._rebalance_at = NOT_SCHEDULED
        self._leg.start()
        self._coordinator.start()

    def joined(self, member: i64) -> None:
        has_departed = member != self._member
        self._member = member
        if self.has_tasks:
            return
        now = self._leg.sim.now
        is_lost = self._was_assigned and (has_departed or self._rebalance_at != NOT_SCHEDULED)
        if not is_lost or self._settings.rebalance_delay_us == 0:
            self._take_tasks()
        elif self._rebalance_at == NOT_SCHEDULED:
            self._rebalance_at = now + self._settings.rebalance_delay_us
            self.flow.tasks_changed(TASKS_DELAYED, self._rebalance_at)
            self._leg.sim.at(self._rebalance_at, HerderTimer(self, self._leg, self._rebalance_at, True))
        elif now >= self._rebalance_at:
            self._take_tasks()

    def _take_tasks(self) -> None:
        self.has_tasks = True
        self._was_assigned = True
        self._rebalance_at = NOT_SCHEDULED
        self.flow.tasks_changed(TASKS_RUNNING, UNKNOWN)
        self._runner.start_tasks()

    def coordinator_unreachable(self) -> None:
        if not self.has_tasks:
            return
        self.has_tasks = False
        self.flow.tasks_changed(TASKS_GIVEN_UP, UNKNOWN)
        self._coordinator.block()
        until = self._leg.sim.now + self._settings.graceful_stop_us
        self._leg.sim.at(until, HerderTimer(self, self._leg, until, False))
        self._runner.stop_tasks()

    def tasks_stopped(self) -> None:
        """The tasks have ended, or were given up: the worker's thread goes on."""
        if not self.has_tasks:
            self._coordinator.unblock()

    def rebalance_due(self, at: i64) -> None:
        """The time for lost tasks to come back is over."""
        if self._rebalance_at == at:
            self._coordinator.request_rejoin()


@final
class HerderTimer(Task):
    """A delayed rebalance is due (``is_rebalance``), or tasks have taken too long to stop."""

    __slots__ = ("at", "herder", "is_rebalance")

    def __init__(self, herder: Herder, leg: WorkerLeg, at: i64, is_rebalance: bool) -> None:
        super().__init__(leg)
        self.herder = herder
        self.at: i64 = at
        self.is_rebalance: bool = is_rebalance

    def run(self) -> None:
        if self.is_rebalance:
            self.herder.rebalance_due(self.at)
        else:
            self.herder.tasks_stopped()
