"""What a broker process does at set times of its life: boot, heartbeats, giving up (REG-1, REG-5, LIVE-1, SHUT-2)."""

from typing import TYPE_CHECKING, final

from mypy_extensions import i64

from simengine.facts.kinds import PROCESS_REGISTERING
from simengine.kafka.broker_task import BrokerTask

if TYPE_CHECKING:
    from simengine.kafka.broker import Broker


@final
class Dial(BrokerTask):
    """A starting process has its Raft client up (QUO-9)."""

    __slots__ = ()

    def run(self) -> None:
        self.broker.listener.dial()


@final
class Boot(BrokerTask):
    """The JVM of a started broker is up: local metadata is replayed, fetchers start, it begins to register (REG-5)."""

    __slots__ = ("_boot_us",)

    def __init__(self, broker: "Broker", boot_us: i64) -> None:
        super().__init__(broker)
        self._boot_us: i64 = boot_us

    def run(self) -> None:
        self.broker.state_process(PROCESS_REGISTERING)
        self.broker.booted(self._boot_us)


@final
class Beat(BrokerTask):
    """The next heartbeat is due."""

    __slots__ = ("_serial",)

    def __init__(self, broker: "Broker", serial: i64) -> None:
        super().__init__(broker)
        self._serial: i64 = serial

    def run(self) -> None:
        self.broker.lifecycle.beat(self._serial)


@final
class OpenPort(BrokerTask):
    """The broker's listener starts to accept."""

    __slots__ = ()

    def run(self) -> None:
        self.broker.lifecycle.open_port()


@final
class RegistrationGivesUp(BrokerTask):
    """``initial.broker.registration.timeout.ms`` of waiting for a registration are over."""

    __slots__ = ()

    def run(self) -> None:
        self.broker.lifecycle.give_up_registration()


@final
class ShutdownGivesUp(BrokerTask):
    """Five minutes of waiting for the controller's leave are over."""

    __slots__ = ()

    def run(self) -> None:
        self.broker.lifecycle.give_up_shutdown()


@final
class Exit(BrokerTask):
    """A process that was given leave has written its marker and goes (SHUT-3)."""

    __slots__ = ()

    def run(self) -> None:
        self.broker.exit()
