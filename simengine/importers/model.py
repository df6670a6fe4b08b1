"""What a paste says, as plain data: topics with their partition rows, brokers, and what could not be read."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

NO_LEADER: Final = -1
UNNAMED: Final = "unnamed-topic"  # the topic of rows that name none and stand under no header


@dataclass(frozen=True, slots=True)
class Row:
    """One partition as listed. ``leader`` is -1 for none; ``elr`` is None where the tool printed no such column."""

    topic: str
    number: int
    leader: int
    replicas: tuple[int, ...]
    isr: tuple[int, ...]
    elr: tuple[int, ...] | None = None
    last_known: tuple[int, ...] = ()
    adding: tuple[int, ...] = ()
    removing: tuple[int, ...] = ()
    offline: tuple[int, ...] = ()
    observers: tuple[int, ...] = ()
    line: int = 0

    def named(self) -> Iterator[int]:
        """Its leader and its replicas; an id may come more than once. Other lists name replicas only."""
        if self.leader != NO_LEADER:
            yield self.leader
        yield from self.replicas


@dataclass(slots=True)
class Topic:
    """A topic: what its header declares (None = no header was pasted) and the partitions that are listed.

    ``tells_configs``: the header shows its configs, so that what is not there is not set. ``factor``: its
    ReplicationFactor.
    """

    name: str
    declared: int | None = None
    configs: dict[str, str] | None = None
    rows: dict[int, Row] = field(default_factory=dict)
    line: int = 0
    tells_configs: bool = False
    factor: int | None = None


@dataclass(slots=True)
class Broker:
    """A broker of the paste. ``alive`` is None where no line says it outright; ``source``: what tells its rack."""

    id: int
    rack: str | None = None
    alive: bool | None = None
    line: int = 0
    source: str = ""


@dataclass(frozen=True, slots=True)
class ControllerRead:
    """A voter of the metadata quorum. In combined mode its id is that of a broker, and so is its rack."""

    id: int
    rack: str | None = None
    line: int = 0
    source: str = ""


@dataclass(slots=True)
class Cluster:
    """All that a describe listing or a metadata listing tells."""

    topics: dict[str, Topic] = field(default_factory=dict)
    brokers: dict[int, Broker] = field(default_factory=dict)
    controllers: dict[int, ControllerRead] = field(default_factory=dict)  # {}: the paste names none

    def rows(self) -> Iterator[Row]:
        """Every listed partition, topic by topic, by number."""
        for topic in self.topics.values():
            for number in sorted(topic.rows):
                yield topic.rows[number]

    def name_brokers(self) -> None:
        """Add every broker id that only a row mentions."""
        for row in self.rows():
            for broker in row.named():
                if broker not in self.brokers:
                    self.brokers[broker] = Broker(broker, line=row.line)


@dataclass(frozen=True, slots=True)
class Unread:
    """A line that gave nothing, and why. ``noise`` marks prompts, log lines and the like, which hold no data."""

    line: int
    text: str
    reason: str
    noise: bool = False


@dataclass(slots=True)
class Facts:
    """What plain counting finds. None: this kind of output does not tell."""

    brokers: int = 0
    topics: int = 0
    partitions: int = 0
    under_replicated: int | None = None
    leaderless: int | None = None
    leader_not_first: int | None = None


@dataclass(slots=True)
class Reading:
    """The result of one reader. ``rejected`` holds the sentence that refuses the paste, None when it is usable."""

    kind: str
    label: str
    facts: Facts = field(default_factory=Facts)
    cluster: Cluster | None = None
    unread: list[Unread] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    rejected: str | None = None

    def warn(self, sentence: str) -> None:
        """Add a doubt, once."""
        if sentence not in self.warnings:
            self.warnings.append(sentence)


def count(cluster: Cluster) -> Facts:
    """Count a cluster by the plain rules: under-replicated is |ISR| < |replicas|."""
    rows = list(cluster.rows())
    return Facts(
        brokers=len(cluster.brokers),
        topics=sum(name != UNNAMED for name in cluster.topics),
        partitions=len(rows),
        under_replicated=sum(len(row.isr) < len(row.replicas) for row in rows),
        leaderless=sum(row.leader == NO_LEADER for row in rows),
        leader_not_first=sum(row.leader not in (NO_LEADER, row.replicas[0]) for row in rows),
    )
