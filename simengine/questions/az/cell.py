"""A row of the table of AZs, which is a loss, and a cell of it, which is what that loss comes to in one run."""

from dataclasses import dataclass
from typing import Final

from simengine.questions.az.partition_outages import PartitionOutage, Place
from simengine.scenario import Action

ACKS: Final = ("all", "1")
ANY_BROKER: Final = "any-broker"
ANY_TWO: Final = "any-two"
AZ: Final = "az"


@dataclass(frozen=True, slots=True)
class AzLoss:
    """One row of the table: an AZ, the single broker or the two AZs whose loss weighs most by rule."""

    key: str
    place: str  # what is lost: the AZ, "broker 3", "az-a and az-b"
    actions: tuple[Action, ...]
    brokers: tuple[int, ...]  # that run, and die
    disks: tuple[int, ...] = ()  # brokers whose disks are there, running or not
    azs: tuple[str, ...] = ()
    controllers: tuple[int, ...] = ()  # that run, and die with it
    voters: tuple[int, int] = (0, 0)  # controllers left of how many
    has_majority: bool = False  # of the controllers that run
    is_dark: bool = True  # no connection is closed; else the processes are killed
    note: str = ""

    @property
    def kind(self) -> str:
        """az, broker or two."""
        return {ANY_BROKER: "broker", ANY_TWO: "two"}.get(self.key, AZ)

    @property
    def pick(self) -> str:
        """The broker or the AZs that stand for any; "" for an AZ."""
        return {"broker": str(self.brokers[0]) if self.brokers else "", "two": ",".join(self.azs)}.get(self.kind, "")

    @property
    def label(self) -> str:
        """The head of the row."""
        return {"broker": "Any single broker", "two": "Any two AZs"}.get(self.kind, self.place)

    @property
    def event(self) -> str:
        """The loss as a clause."""
        if self.is_dark:
            return f"{self.place} {'go' if self.kind == 'two' else 'goes'} dark"
        return f"the processes of {self.place} are killed"

    @property
    def has_quorum(self) -> bool:
        """True if a majority of the controllers is left (QUO-1)."""
        left, total = self.voters
        return 2 * left > total


@dataclass(frozen=True, slots=True)
class AzCell:
    """The result of one run: every partition that the loss touches, or that was out before it."""

    row: str
    acks: str
    parts: tuple[PartitionOutage, ...]
    users: int  # partitions of topics that people make
    coordinators: int  # partitions of __consumer_offsets
    span_us: int  # the longest time that a record at risk stands on its leader alone
    disks_gone: bool
    older: bool  # than the version since which records below min.insync.replicas are hidden
    outcome: str  # the verdict's sentence at the end of the run
    fences_beside: bool = False  # by rule: a broker that the loss does not touch may be fenced for a while ...
    stops_beside: bool = False  # ... and a partition may then wait for the loss to be back, without a leader
    beside: tuple[Place, ...] = ()  # partitions that may lose records if one is fenced, then or when the loss is back
