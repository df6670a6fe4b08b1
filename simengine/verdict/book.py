"""The book of one run: what the clients and the protocol report, kept for the view and the verdict."""

from typing import TYPE_CHECKING

from simengine.clients.ledger import Ledger
from simengine.kafka.observer import Observer

if TYPE_CHECKING:
    from simengine.assembly import Assembly
    from simengine.execution import Executor


class Book:
    """Keeps the accounts of one run."""

    def __init__(self) -> None:
        self.observer = Observer()
        self.ledger = Ledger()

    def begin(self, parts: "Assembly", executor: "Executor") -> None:
        """The run begins."""
        self.parts = parts

    def heartbeat_of(self, broker: int) -> int:
        """Time of the last heartbeat that the active controller noted, -1 before the first."""
        return -1

    def acked_runs(self, p: int) -> list[list[int]]:
        """The newest runs of acknowledged records: [base, count, epoch] each."""
        return []

    def lost_runs(self, p: int) -> list[list[int]]:
        """The newest runs of records lost after their acknowledgement."""
        return []

    def figures(self) -> dict[str, dict[str, int]]:
        """The last stated figures of each topic."""
        return {}

    def verdict(self) -> dict[str, object]:
        """The verdict so far."""
        return {}
