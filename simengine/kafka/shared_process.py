"""What else runs in the process of a broker: in combined mode its controllers (``process.roles=broker,controller``)."""

from typing import TYPE_CHECKING

from mypy_extensions import i64

if TYPE_CHECKING:
    from simengine.kafka.broker import Broker


class SharedProcess:
    """Is told what becomes of a broker's process; this class does nothing, as for a process with one role."""

    def starts(self, broker: "Broker", boot_us: i64, cause: i64) -> None:
        """The process starts, by an action; its other roles are up after ``boot_us``."""

    def changed(self, broker: "Broker", cause: i64) -> None:
        """The process is in another state (``broker.process``), by an action or another fact."""
