"""A row of the table of AZs, which is a loss, and a cell of it, which is what that loss comes to in one run."""

from dataclasses import dataclass
from typing import Final

from simengine.scenario import Action

ACKS: Final = ("all", "1")
ANY_BROKER: Final = "any-broker"


@dataclass(frozen=True, slots=True)
class Loss:
    """One row of the table: an AZ, or the single broker whose loss weighs most by rule, which stands for any."""

    key: str
    place: str  # what is lost: the AZ, "broker 3"
    action: Action
    brokers: tuple[int, ...]
    controllers: int = 0  # that die with it
    quorum: str = ""  # why no majority of the controllers is left then (QUO-1); "": one is
    why: str = ""  # of all brokers this one; "": an AZ
    over: tuple[str, ...] = ()  # what its loss would have done as the document starts, and no longer does at the loss

    @property
    def label(self) -> str:
        """The head of the row."""
        return f"any single broker (here: {self.brokers[0]})" if self.key == ANY_BROKER else self.place

    @property
    def event(self) -> str:
        """The loss as a clause."""
        return f"{self.place} dies" if self.key == ANY_BROKER else f"{self.place} goes dark"


@dataclass(frozen=True, slots=True)
class Cell:
    """The result of one run; times in microseconds, of the partition that fares worst among those that recover."""

    row: str
    acks: str
    lost: int
    by: str  # rule | luck | "" for a number
    duplicated: int
    hidden: int  # acknowledged, and nobody can read them ...
    hidden_before: int  # ... and those in partitions where it was so before the loss
    write_us: int
    write_partitions: int
    write_until_back: int  # partitions that stay unwritable
    write_before: int  # partitions that were unwritable before, which the other figures leave out
    read_us: int
    read_partitions: int
    read_until_back: int
    read_before: int
    cause: str
    causes: tuple[str, ...]
    tint: str  # ok | risk | bad
    stopped_topics: int
    at_risk_a_minute: int
    at_risk_of: str
    outcome: str  # the verdict's sentence at the end of the run
