"""Elections by kind, as the active controller counts them (MET-10)."""

from typing import final

from mypy_extensions import i64

from simengine.kafka.metadata import Record
from simengine.kernel.facts import ELECTION_ELR, ELECTION_LAST_KNOWN, ELECTION_UNCLEAN


@final
class Counters:
    """MET-10: elections by kind, on the active controller."""

    __slots__ = ("elr_elections", "unclean_elections")

    def __init__(self) -> None:
        self.unclean_elections: i64 = 0
        self.elr_elections: i64 = 0

    def count(self, records: list[Record]) -> None:
        """Committed records, by the kind of election in them."""
        for record in records:
            if record.election == ELECTION_UNCLEAN or record.election == ELECTION_LAST_KNOWN:
                self.unclean_elections += 1
            elif record.election == ELECTION_ELR:
                self.elr_elections += 1
