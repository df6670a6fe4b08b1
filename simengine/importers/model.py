"""The contents of a paste as plain data: topics with their partition rows, brokers, and the lines not read."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from simengine.importers.evidence import PastedEvidence

NO_LEADER: Final = -1
UNNAMED: Final = "unnamed-topic"  # the topic of rows that name none and stand under no header


@dataclass(frozen=True, slots=True)
class PastedPartition:
    """One partition as listed. ``leader`` is -1 for none; ``elr`` is None where the tool printed no such column.

    Not ``state_told``: only its replicas are listed; leader and ISR are those of a partition in sync. ``moment``: rows
    of one listing have the same; a paste that lists a topic again shows a later one. ``doubtful``: replicas of which a
    value that is cut off leaves open whether they are in the ISR.
    """

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
    state_told: bool = True
    moment: int = 0
    doubtful: tuple[int, ...] = ()

    def named(self) -> Iterator[int]:
        """Its leader and its replicas; an id may come more than once. Other lists name replicas only."""
        if self.leader != NO_LEADER:
            yield self.leader
        yield from self.replicas


@dataclass(slots=True)
class PastedTopic:
    """A topic: what its header declares (None = no header was pasted) and the partitions that are listed.

    ``tells_configs``: the header shows its configs, so that what is not there is not set. ``factor``: its
    ReplicationFactor.
    """

    name: str
    declared: int | None = None
    configs: dict[str, str] | None = None
    rows: dict[int, PastedPartition] = field(default_factory=dict)
    line: int = 0
    tells_configs: bool = False
    factor: int | None = None
    observers: tuple[int, ...] = ()  # brokers whose copies never enter an ISR (Confluent Server)
    filter: str = ""  # the flag that left its other partitions out, where no listing without a filter shows it


@dataclass(slots=True)
class PastedBroker:
    """A broker of the paste. ``alive`` is None where no line says it outright; ``source``: what tells its rack."""

    id: int
    rack: str | None = None
    alive: bool | None = None
    line: int = 0
    source: str = ""
    why: str = ""  # it is alive or not, if a line says so
    is_unlisted: bool = False  # an earlier list of brokers names it, and the last one does not


@dataclass(frozen=True, slots=True)
class ControllerRead:
    """A voter of the metadata quorum. In combined mode its id is that of a broker, and so is its rack.

    ``down``: the observation that says so; "" where nothing does.
    """

    id: int
    rack: str | None = None
    line: int = 0
    source: str = ""
    down: str = ""


@dataclass(slots=True)
class PastedCluster:
    """All that a describe listing or a metadata listing tells."""

    topics: dict[str, PastedTopic] = field(default_factory=dict)
    brokers: dict[int, PastedBroker] = field(default_factory=dict)
    controllers: dict[int, ControllerRead] = field(default_factory=dict)  # {}: the paste names none
    evidence: PastedEvidence = field(default_factory=PastedEvidence)
    is_described: bool = False  # by kafka-topics.sh, whose columns tell of the version

    @property
    def is_plan(self) -> bool:
        """True if it tells replicas and no state."""
        return bool(self.topics) and not any(row.state_told for row in self.rows())

    @property
    def tells_brokers(self) -> bool:
        """True if anything in it names a broker."""
        return bool(self.brokers or self.evidence.is_combined and self.controllers)

    def rows(self) -> Iterator[PastedPartition]:
        """Every listed partition, topic by topic, by number."""
        for topic in self.topics.values():
            for number in sorted(topic.rows):
                yield topic.rows[number]

    def put(self, row: PastedPartition) -> None:
        """Take a row in the place of what is known of its partition."""
        self.topics.setdefault(row.topic, PastedTopic(row.topic, line=row.line)).rows[row.number] = row

    def add_placed(
        self,
        topic: str,
        number: int,
        replicas: tuple[int, ...],
        adding: tuple[int, ...] = (),
        line: int = 0,
        removing: tuple[int, ...] = (),
    ) -> None:
        """Add a partition of which only the replicas are known: in sync, led by the first that is not being added."""
        stay = tuple(broker for broker in replicas if broker not in adding) or replicas
        row = PastedPartition(
            topic, number, stay[0], replicas, stay, adding=adding, removing=removing, line=line, state_told=False
        )
        self.topics.setdefault(topic, PastedTopic(topic, line=line)).rows.setdefault(number, row)

    def name_brokers(self) -> None:
        """Add every broker id that only a row mentions."""
        for row in self.rows():
            for broker in row.named():
                if broker not in self.brokers:
                    self.brokers[broker] = PastedBroker(broker)


@dataclass(frozen=True, slots=True)
class UnreadLine:
    """A line that gave nothing, and why. ``noise`` marks prompts, log lines and the like, which hold no data."""

    line: int
    text: str
    reason: str
    noise: bool = False


@dataclass(slots=True)
class PastedCounts:
    """The numbers that plain counting finds. None: this kind of output does not tell."""

    brokers: int = 0
    topics: int = 0
    partitions: int = 0
    under_replicated: int | None = None
    leaderless: int | None = None
    leader_not_first: int | None = None


@dataclass(slots=True)
class PasteResult:
    """The result of one reader. ``rejected`` holds the sentence that refuses the paste, None when it is usable."""

    kind: str
    label: str
    facts: PastedCounts = field(default_factory=PastedCounts)
    cluster: PastedCluster | None = None
    unread: list[UnreadLine] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    alone: list[str] = field(default_factory=list)  # doubts that hold where no other output gives the cluster
    rejected: str | None = None
    lists_unread: bool = False  # each line that it does not use stands in ``unread``
    left_out: int = 0  # partitions that it lists and that cannot be used
    _said: set[str] = field(default_factory=set)  # the warnings and notes that stand already

    @property
    def can_build(self) -> bool:
        """True if a cluster can be made of it."""
        return self.rejected is None and self.cluster is not None and bool(self.cluster.brokers)

    def warn(self, sentence: str) -> None:
        """Add a doubt, once."""
        if sentence not in self._said:
            self._said.add(sentence)
            self.warnings.append(sentence)

    def leave_out(self, sentence: str) -> None:
        """Count a partition that cannot be used, and say why."""
        self.left_out += 1
        self.warn(sentence)

    def note(self, sentence: str) -> None:
        """Add a remark that is no doubt, once."""
        if sentence not in self._said:
            self._said.add(sentence)
            self.notes.append(sentence)


def count(cluster: PastedCluster) -> PastedCounts:
    """Count a cluster by the plain rules: under-replicated is |ISR| < |replicas|."""
    rows = list(cluster.rows())
    return PastedCounts(
        brokers=len(cluster.brokers),
        topics=sum(name != UNNAMED and bool(topic.rows) for name, topic in cluster.topics.items()),
        partitions=len(rows),
        under_replicated=sum(len(row.isr) < len(row.replicas) for row in rows),
        leaderless=sum(row.leader == NO_LEADER for row in rows),
        leader_not_first=sum(row.leader not in (NO_LEADER, row.replicas[0]) for row in rows),
    )
