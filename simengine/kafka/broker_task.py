"""What one incarnation of a broker process does at a set time: never if the process has died meanwhile."""

from typing import TYPE_CHECKING

from simengine.kernel.node import Task

if TYPE_CHECKING:
    from simengine.kafka.broker import Broker


class BrokerTask(Task):
    """A task that knows its broker; ``run`` says what to do there."""

    __slots__ = ("broker",)

    def __init__(self, broker: "Broker") -> None:
        super().__init__(broker)
        self.broker = broker
