"""Timed tasks in the life of a broker process: heartbeats, timeouts, the exit (LIVE-1, SHUT-2)."""

from typing import TYPE_CHECKING, final

from mypy_extensions import i64

from simengine.kernel.node import Task

if TYPE_CHECKING:
    from simengine.kafka.broker.lifecycle import BrokerLifecycleManager


class LifecycleTask(Task):
    """Something that one incarnation of the process does for its life cycle at a time."""

    __slots__ = ("lifecycle",)

    def __init__(self, lifecycle: "BrokerLifecycleManager") -> None:
        super().__init__(lifecycle.broker)
        self.lifecycle = lifecycle


@final
class Beat(LifecycleTask):
    """The next heartbeat is due."""

    __slots__ = ("_serial",)

    def __init__(self, lifecycle: "BrokerLifecycleManager", serial: i64) -> None:
        super().__init__(lifecycle)
        self._serial: i64 = serial

    def run(self) -> None:
        self.lifecycle.beat(self._serial)


@final
class OpenPort(LifecycleTask):
    """The broker's listener starts to accept."""

    __slots__ = ()

    def run(self) -> None:
        self.lifecycle.open_port()


@final
class RegistrationGivesUp(LifecycleTask):
    """``initial.broker.registration.timeout.ms`` of waiting for a registration are over."""

    __slots__ = ()

    def run(self) -> None:
        self.lifecycle.give_up_registration()


@final
class ShutdownGivesUp(LifecycleTask):
    """Five minutes of waiting for the controller's leave are over."""

    __slots__ = ()

    def run(self) -> None:
        self.lifecycle.give_up_shutdown()


@final
class Exit(LifecycleTask):
    """A process that was given leave has written its marker and goes (SHUT-3)."""

    __slots__ = ()

    def run(self) -> None:
        self.lifecycle.broker.exit()
