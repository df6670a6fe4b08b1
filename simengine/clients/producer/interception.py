"""A proxy before the brokers that meddles with single produce requests: for the rare orders of events (S06, S07).

A rule waits for the request that carries one given call and works once. *hold-request* stops that request, and all that
follow on its connection, until it is released; *drop-response* lets it be handled, swallows the answer and closes the
connection; *delay-response* hands the answer, and all that follow it, on later.
"""

from typing import Final, final

from mypy_extensions import i64

from simengine.clients.producer.accumulator import PartitionQueue
from simengine.clients.producer.producer_batch import ProducerBatch

HOLD_REQUEST: Final = 1
DROP_RESPONSE: Final = 2
DELAY_RESPONSE: Final = 3
INTERCEPTION_NAMES: Final = ("", "hold-request", "drop-response", "delay-response")


@final
class Interception:
    """One rule, for the request with call ``n`` to partition ``p``."""

    __slots__ = ("delay_us", "n", "name", "p", "what")

    def __init__(self, name: str, p: i64, n: i64, what: i64, delay_us: i64) -> None:
        self.name = name
        self.p: i64 = p
        self.n: i64 = n
        self.what: i64 = what
        self.delay_us: i64 = delay_us

    def matches(self, queues: list[PartitionQueue], batches: list[ProducerBatch]) -> bool:
        """True if a request with these batches (batch i of queue i) carries the call."""
        for i in range(len(batches)):
            batch = batches[i]
            if queues[i].p == self.p and batch.n <= self.n < batch.n + batch.count:
                return True
        return False


def take_rule(
    rules: list[Interception], queues: list[PartitionQueue], batches: list[ProducerBatch]
) -> Interception | None:
    """Take the first rule that waits for a request out of the list, if there is one."""
    for i in range(len(rules)):
        if rules[i].matches(queues, batches):
            return rules.pop(i)
    return None
