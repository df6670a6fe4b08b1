"""The facts in the outputs of one paste besides partition rows: each with its line and its output.

The rows themselves stand in `model.PastedCluster`. Facts are kept in the order of the paste: a later one counts.
"""

from dataclasses import dataclass, field
from typing import Final

FILTER_URP: Final = "--under-replicated-partitions"
FILTER_OFFLINE: Final = "--unavailable-partitions"
FILTER_UNDER_MIN: Final = "--under-min-isr-partitions"
FILTER_AT_MIN: Final = "--at-min-isr-partitions"
FILTERS: Final = (FILTER_URP, FILTER_OFFLINE, FILTER_UNDER_MIN, FILTER_AT_MIN)
WHAT: Final = {
    FILTER_URP: "is under-replicated",
    FILTER_OFFLINE: "is without a leader",
    FILTER_UNDER_MIN: "has fewer members in its ISR than min.insync.replicas",
    FILTER_AT_MIN: "has just min.insync.replicas members in its ISR",
}  # what a partition is that the filter lists


@dataclass(frozen=True, slots=True)
class PastedValue:
    """A value, the number of the line that says it, and the output it stands in."""

    value: str
    line: int
    source: str

    def place(self) -> str:
        """The place of the value, as text."""
        return f"line {self.line}, {self.source}" if self.line else self.source


@dataclass(frozen=True, slots=True)
class MinIsr:
    """The min.insync.replicas that a topic must have by its state: a value, or at least that."""

    value: int
    is_exact: bool
    why: str
    line: int


@dataclass(frozen=True, slots=True)
class DescribeCommand:
    """A pasted command that describes topics. ``filter``: one of FILTERS or ""; ``topic``: the one it names, or ""."""

    line: int
    end: int
    filter: str
    topic: str
    is_piped: bool


@dataclass(frozen=True, slots=True)
class GroupLag:
    """A row of a consumer group: its committed offset (None: none) and the log end of the partition.

    ``has_member``: a consumer reads it, or the table does not tell.
    """

    group: str
    topic: str
    number: int
    offset: int | None
    log_end: int
    line: int
    has_member: bool = True


@dataclass(frozen=True, slots=True)
class LogDirReplica:
    """A copy in a log directory of a broker: its bytes, and how many records it is behind the high watermark."""

    topic: str
    number: int
    broker: int
    size: int
    offset_lag: int
    line: int


@dataclass(frozen=True, slots=True)
class DeclaredTopic:
    """A topic that a resource or a command declares: how many partitions and replicas (None: the cluster's default)."""

    name: str
    partitions: int | None
    factor: int | None
    configs: dict[str, str]
    line: int
    source: str


@dataclass(slots=True)
class PastedEvidence:
    """The facts of all outputs but those of the partition rows."""

    topic_configs: list[tuple[str, str, PastedValue]] = field(default_factory=list)  # topic, key, value
    cluster_configs: list[tuple[str, PastedValue]] = field(default_factory=list)  # key, value: for all brokers
    versions: list[PastedValue] = field(default_factory=list)  # such as 4.1
    since_4_0: PastedValue | None = None  # what only a cluster of 4.0 or later prints
    elr_columns: bool = False  # any row of the paste has them, also one that does not count
    elr_kept: bool = False  # any row has an Elr or a LastKnownElr that is not empty
    elr: PastedValue | None = None  # on or off, as the feature's level says
    is_zookeeper: PastedValue | None = None  # the cluster has ZooKeeper, so it is older than 4.0
    min_isr_of: dict[str, MinIsr] = field(default_factory=dict)  # topic -> what its state or an error message proves
    min_isr_any: PastedValue | None = None  # of topics that are not named
    lags: list[GroupLag] = field(default_factory=list)
    stored: list[LogDirReplica] = field(default_factory=list)  # copies, as kafka-log-dirs.sh lists them
    rates: dict[str, PastedValue] = field(default_factory=dict)  # topic -> records/s
    declared: dict[str, DeclaredTopic] = field(default_factory=dict)
    brokers_assumed: str = ""  # why the number of brokers is assumed, where no line tells it
    ids_guessed: bool = False  # the ids of nodes are counted here, for the paste gives none
    brokers_are_voters: bool = False  # no output names brokers but the quorum in combined mode
    is_combined: bool = False  # the voters of the quorum are brokers too
    is_rack_aware: bool = False  # the brokers have racks, named or not
    lines_read: list[int] = field(default_factory=list)  # by readers that say which lines they used

    def prove_min_isr(self, topic: str, found: MinIsr) -> None:
        """Note what min.insync.replicas of a topic must be: a higher bound beats a lower one, a value no lower both."""
        known = self.min_isr_of.get(topic)
        if known is None or (known.is_exact == found.is_exact and found.value > known.value):
            self.min_isr_of[topic] = found
        elif known.is_exact != found.is_exact:
            exact, bound = (known, found) if known.is_exact else (found, known)
            self.min_isr_of[topic] = exact if exact.value >= bound.value else bound

    def cluster_config(self, key: str) -> PastedValue | None:
        """The last value for all brokers."""
        return next((said for name, said in reversed(self.cluster_configs) if name == key), None)
