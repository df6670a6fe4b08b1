"""The scenario document, format 1, as pydantic models: what a run is a pure function of.

Times are integer microseconds (names end in ``_us``), rates are records per 1000 s (``rate_milli``), losses parts
per million. `loading.load` is the way in: it also checks what stands between the parts (`checks`).
"""

from collections.abc import Sequence
from itertools import takewhile
from typing import Annotated, Any, Final, Literal

from pydantic import ConfigDict, Field, model_validator

from simengine.scenario import limits
from simengine.scenario.actions import Action
from simengine.scenario.alerts import Alerts, default_alerts
from simengine.scenario.earlier import with_shared_processes, with_text_profile
from simengine.scenario.fields import (
    Acks,
    ActionField,
    BrokerConfig,
    ClusterName,
    ConsumerConfig,
    End,
    IntKeys,
    LatencyUs,
    Leader,
    LossPpm,
    Name,
    NodeId,
    PlainMap,
    ProducerConfig,
    Rack,
    RateMilli,
    TimeUs,
    TopicConfig,
    TopicName,
    VisibleText,
)
from simengine.scenario.mirrors import Mirror
from simengine.scenario.part import Part
from simengine.scenario.profiles import DEFAULT_PROFILE, Profile, profile_of

Offset = Annotated[int, Field(strict=True, ge=0, le=limits.OFFSET_MAX)]
Epoch = Annotated[int, Field(strict=True, ge=0, le=limits.EPOCH_MAX)]
Replicas = Annotated[list[NodeId], Field(min_length=1, max_length=limits.REPLICAS_MAX)]
Members = Annotated[list[NodeId], Field(max_length=limits.REPLICAS_MAX)]
PartitionNumber = Annotated[int, Field(strict=True, ge=0, le=limits.PARTITION_NUMBER_MAX)]


class BrokerEntry(Part):
    """A broker. `state` at t=0: fenced means that its process runs and the controller has fenced it."""

    model_config = ConfigDict(title="Broker")

    id: NodeId
    rack: Rack | None = None
    config: BrokerConfig = Field(default_factory=dict)
    state: Literal["running", "down", "fenced"] = "running"

    @model_validator(mode="before")
    @classmethod
    def _from_id(cls, value: Any) -> Any:
        return {"id": value} if isinstance(value, int) else value


class ControllerEntry(Part):
    """A KRaft controller (one voter of the metadata quorum), in a process of its own.

    `broker`: in combined mode the broker whose process it shares. They live and end as one.
    """

    model_config = ConfigDict(title="Controller")

    id: NodeId
    broker: NodeId | None = None
    rack: Rack | None = None
    state: Literal["running", "down"] = "running"

    @model_validator(mode="before")
    @classmethod
    def _from_id(cls, value: Any) -> Any:
        return {"id": value} if isinstance(value, int) else value


class ClusterEntry(Part):
    """Brokers, controllers and the server properties that all of them share. Without `controllers`: three.

    `active`: the controller that leads the quorum at t=0 (None: the seed's choice).
    """

    model_config = ConfigDict(title="Cluster")

    brokers: list[BrokerEntry] = Field(min_length=1, max_length=limits.BROKERS_MAX)
    controllers: list[ControllerEntry] = Field(min_length=1, max_length=limits.CONTROLLERS_MAX)
    active: NodeId | None = None
    config: BrokerConfig = Field(default_factory=dict)

    @model_validator(mode="before")
    @classmethod
    def _with_controllers(cls, value: Any) -> Any:
        if not isinstance(value, dict) or value.get("controllers") is not None:
            return value
        brokers = value.get("brokers")
        return {
            **value,
            "controllers": default_controllers(brokers if isinstance(brokers, list) else []),
        }


def default_controllers(brokers: list[Any]) -> list[int]:
    """Ids of three controllers that no broker has: 100, 101, 102, or the next three above all brokers."""
    ids = [broker.get("id") if isinstance(broker, dict) else broker for broker in brokers]
    highest = max((number for number in ids if isinstance(number, int)), default=0)
    first = 100 if highest < 100 else highest + 1
    return [first, first + 1, first + 2]


class InitialLog(Part):
    """The log of one copy: its leader-epoch cache as [epoch, first offset] pairs, and its log end (and start)."""

    epochs: list[tuple[Epoch, Offset]] = Field(default_factory=list, max_length=limits.LOG_RECORDS_MAX)
    leo: Offset
    start: Offset = 0


class InitialPartition(Part):
    """State of one partition at t=0. `leo`: log end of the most advanced replica; `lag`: records a copy is behind it.

    `leader` -1: none. `epoch` is the leader epoch; all records carry it, unless `logs` writes out what copies hold.
    `adding`, `removing`: the replicas that a reassignment in flight brings and takes away (REA-1).
    `failed`: the followers whose fetcher has marked the partition as failed (FET-17): they copy nothing of it.
    `copying`: the followers that copy the whole log from nothing and have come so far (FET-18), besides those `adding`.
    """

    leader: Leader
    isr: Members
    epoch: Epoch = 0
    elr: Members = Field(default_factory=list)
    last_known: Members = Field(default_factory=list, max_length=1)
    adding: Members = Field(default_factory=list)
    removing: Members = Field(default_factory=list)
    failed: Members = Field(default_factory=list)
    copying: Members = Field(default_factory=list)
    leo: Offset = 0
    lag: Annotated[dict[NodeId, Offset], IntKeys] = Field(default_factory=dict)
    logs: Annotated[dict[NodeId, InitialLog], IntKeys] = Field(default_factory=dict)


class TopicEntry(Part):
    """A topic with a manual assignment: one replica list, preferred leader first, for each partition.

    `partitions`: their numbers, ascending (None: 0, 1, 2…); a listing that shows only some keeps their names by it.
    `count`: how many partitions the topic has in all, where `assignment` holds only some of them.
    `observers`: brokers whose copies never enter the ISR, an extension of Confluent's; Apache Kafka has none (OBS-1).
    """

    model_config = ConfigDict(title="Topic")

    name: TopicName
    assignment: list[Replicas] = Field(min_length=1, max_length=limits.PARTITIONS_MAX)
    partitions: Annotated[list[PartitionNumber], Field(min_length=1, max_length=limits.PARTITIONS_MAX)] | None = None
    count: Annotated[int, Field(ge=1, le=limits.PARTITION_NUMBER_MAX)] | None = None
    observers: Members = Field(default_factory=list)
    config: TopicConfig = Field(default_factory=dict)
    initial: Annotated[dict[PartitionNumber, InitialPartition], IntKeys] = Field(default_factory=dict)

    @property
    def numbers(self) -> Sequence[int]:
        """The number of each partition, in the order of `assignment`."""
        return range(len(self.assignment)) if self.partitions is None else self.partitions


class ProducerEntry(Part):
    """A producer. `rate_milli` is shared evenly by the named partitions of its topic (all, if none are named).

    Actions may let it write to other topics as well. `via`: the brokers it is told about ([]: all). `resend`: how often
    its application sends a record again whose `send` has failed.
    """

    model_config = ConfigDict(title="Producer")

    id: Name
    topic: TopicName
    rate_milli: RateMilli = Field(default=0, alias="rate")
    acks: Acks = "all"
    config: ProducerConfig = Field(default_factory=dict)
    rack: Rack | None = None
    partitions: list[PartitionNumber] | None = None
    record_bytes: Annotated[int, Field(strict=True, ge=1, le=limits.RECORD_BYTES_MAX)] = Field(
        default=limits.RECORD_BYTES_DEFAULT, alias="record-bytes"
    )
    via: list[NodeId] = Field(default_factory=list)
    resend: Annotated[int, Field(strict=True, ge=0, le=limits.RESEND_MAX)] = 0
    state: Literal["open", "closed"] = "open"


class ConsumerEntry(Part):
    """A consumer: `topics` (all their partitions) or single `partitions`; `group` None commits nothing.

    `topics` with a group subscribes: the group's coordinator hands out the partitions. `via`: as for producers.
    `committed`: the offsets that its group has committed before the run, as [topic, partition, offset].
    """

    model_config = ConfigDict(title="Consumer")

    id: Name
    group: Name | None = None
    topics: list[TopicName] = Field(default_factory=list)
    partitions: list[tuple[TopicName, PartitionNumber]] = Field(default_factory=list)
    config: ConsumerConfig = Field(default_factory=dict)
    rack: Rack | None = None
    via: list[NodeId] = Field(default_factory=list)
    committed: Annotated[list[tuple[TopicName, PartitionNumber, Offset]], Field(max_length=limits.PARTITIONS_MAX)] = (
        Field(default_factory=list)
    )
    state: Literal["open", "closed"] = "open"


class Link(Part):
    """Special properties between two ends (each a node, a client or a whole rack); the last link that fits counts."""

    between: tuple[End, End]
    latency_us: LatencyUs | None = Field(default=None, alias="latency")
    jitter_us: LatencyUs | None = Field(default=None, alias="jitter")
    loss_ppm: LossPpm = Field(default=0, alias="loss")


class NetworkEntry(Part):
    """One-way delays: `latency_us` plus an even draw from 0 to `jitter_us`."""

    model_config = ConfigDict(title="Network")

    latency_us: LatencyUs = Field(default=1_000, alias="latency")
    jitter_us: LatencyUs = Field(default=200, alias="jitter")
    links: list[Link] = Field(default_factory=list, max_length=limits.LINKS_MAX)


class PinnedPhases(Part):
    """Moments at which periodic work happens first; what is not pinned here is drawn from the seed.

    By broker: `heartbeat_us`, `isr_check_us` (replica.lag.time.max.ms / 2). On the controller, counted from its
    activation: `fencing_us`, `preferred_us`, `unclean_us`. `fencing_order`: which of several stale brokers first.
    By producer: `request_timeout_us`, how long after request.timeout.ms it looks for requests without an answer.
    """

    model_config = ConfigDict(title="Phases")

    heartbeat_us: Annotated[dict[NodeId, TimeUs], IntKeys] = Field(default_factory=dict, alias="heartbeat")
    isr_check_us: Annotated[dict[NodeId, TimeUs], IntKeys] = Field(default_factory=dict, alias="isr-check")
    fencing_us: TimeUs | None = Field(default=None, alias="fencing")
    preferred_us: TimeUs | None = Field(default=None, alias="preferred")
    unclean_us: TimeUs | None = Field(default=None, alias="unclean")
    fencing_order: list[NodeId] = Field(default_factory=list, alias="fencing-order")
    request_timeout_us: dict[Name, TimeUs] = Field(default_factory=dict, alias="request-timeout")


class Faults(Part):
    """Random failures of every broker, from keyed streams: mean time to failure and to repair.

    No broker fails after `until_us` (None: they go on failing); repairs still come.
    """

    broker_mttf_us: TimeUs = Field(alias="broker-mttf")
    broker_mttr_us: TimeUs = Field(alias="broker-mttr")
    kind: Literal["kill", "stop", "pause", "power-loss"] = "kill"
    until_us: TimeUs | None = Field(default=None, alias="until")


class TimelineEntry(Part):
    """One action and its moment."""

    at_us: TimeUs = Field(alias="at")
    action: ActionField = Field(alias="do")


class Caption(Part):
    """Plain words for a moment (`at_us`) or for the first fact of a kind (`on`, a name such as PartitionChanged).

    `kind` real: what a real cluster did at that time; shown on a lane of its own below the run's. `kind` outcome: what
    the run comes to by then, for those who open it and have not played it yet. `kind` hint: what one may do; it is over
    as soon as something is done. `before_us`: a fact counts only before this time, at which a branch has begun.
    """

    text: Annotated[str, VisibleText, Field(min_length=1, max_length=limits.TEXT_MAX)]
    at_us: TimeUs | None = Field(default=None, alias="at")
    on: str | None = None
    before_us: TimeUs | None = Field(default=None, alias="before")
    kind: Literal["note", "real", "outcome", "hint"] = "note"


Source = Literal["guessed", "assumed", "default", "yours", "read"]


class Basis(Part):
    """The values that a cluster read from outputs rests on besides them.

    `sources`: where a value comes from, by the name that the AZ answer gives it. `log_mb`: the size of the log with
    which each partition of users begins, in megabytes of 10^6 bytes. `copy_mb_per_s`: how fast a broker copies such
    logs to replicas that start from nothing (FET-18).
    """

    sources: dict[str, Source] = Field(default_factory=dict, alias="from", max_length=limits.BASIS_MAX)
    older: bool = False  # than the oldest version that is simulated
    log_mb: Annotated[int, Field(strict=True, ge=0, le=limits.LOG_MB_MAX)] | None = None
    copy_mb_per_s: Annotated[int, Field(strict=True, ge=1, le=limits.COPY_MB_PER_S_MAX)] | None = None


ProfileName = Literal["legacy", "3.7", "4.0", "4.1", "4.2", "4.3", "4.4"]


class ClusterPart(Part):
    """One cluster of a document of several: what a document of that cluster alone holds besides its run.

    `network`: the delays within it. Its names have no prefix here.
    """

    profile: ProfileName = DEFAULT_PROFILE
    elr_set: Annotated[bool | None, Field(strict=True)] = Field(default=None, alias="elr")
    cluster: ClusterEntry
    topics: list[TopicEntry] = Field(default_factory=list, max_length=limits.TOPICS_MAX)
    producers: list[ProducerEntry] = Field(default_factory=list, max_length=limits.CLIENTS_MAX)
    consumers: list[ConsumerEntry] = Field(default_factory=list, max_length=limits.CLIENTS_MAX)
    network: NetworkEntry = Field(default_factory=NetworkEntry)
    phases: PinnedPhases = Field(default_factory=PinnedPhases)
    faults: Faults | None = None
    basis: Basis | None = None

    @model_validator(mode="before")
    @classmethod
    def _as_today(cls, value: Any) -> Any:
        return with_text_profile(value)


NO_CLUSTER: Final = ClusterEntry.model_construct(brokers=[], controllers=[], active=None, config={})


class Document(Part):
    """A scenario. Equal documents have equal runs.

    `closing_us`: the run is closed there, that is brought to rest: the verdict's times count up to it, its records at
    the end. `clusters`: several clusters by name, in place of `cluster` and all that is of one; `network` is then what
    lies between them, and names of actions, links and expectations say their cluster (`sites`). `mirrors`: what
    MirrorMaker copies between them. `parts.parts_of` has the document of each cluster.
    """

    format: Literal[1]
    title: Annotated[str, VisibleText, Field(max_length=limits.TITLE_MAX)] = ""
    about: Annotated[str, VisibleText, Field(max_length=limits.TEXT_MAX)] = ""
    profile: ProfileName = DEFAULT_PROFILE
    elr_set: Annotated[bool | None, Field(strict=True)] = Field(default=None, alias="elr")
    seed: Annotated[int, Field(strict=True, ge=0, le=limits.SEED_MAX)] = 1
    until_us: TimeUs = Field(default=limits.UNTIL_US_DEFAULT, alias="until")
    closing_us: TimeUs | None = Field(default=None, alias="closing")
    cluster: ClusterEntry
    clusters: dict[ClusterName, ClusterPart] = Field(default_factory=dict, max_length=limits.CLUSTERS_MAX)
    topics: list[TopicEntry] = Field(default_factory=list, max_length=limits.TOPICS_MAX)
    producers: list[ProducerEntry] = Field(default_factory=list, max_length=limits.CLIENTS_MAX)
    consumers: list[ConsumerEntry] = Field(default_factory=list, max_length=limits.CLIENTS_MAX)
    network: NetworkEntry = Field(default_factory=NetworkEntry)
    phases: PinnedPhases = Field(default_factory=PinnedPhases)
    faults: Faults | None = None
    mirrors: list[Mirror] = Field(default_factory=list, max_length=limits.MIRRORS_MAX)
    timeline: list[TimelineEntry] = Field(default_factory=list, max_length=limits.TIMELINE_MAX)
    expect: list[PlainMap] = Field(default_factory=list, max_length=limits.EXPECT_MAX)
    captions: list[Caption] = Field(default_factory=list, max_length=limits.CAPTIONS_MAX)
    basis: Basis | None = None
    alerts_set: Alerts | None = Field(default=None, alias="alerts")

    @model_validator(mode="before")
    @classmethod
    def _as_today(cls, value: Any) -> Any:
        """In today's form; YAML reads an unquoted 4.2 as a number."""
        if isinstance(value, dict):
            value = with_shared_processes(value)
            if value.get("clusters") and "cluster" not in value:
                value = {**value, "cluster": NO_CLUSTER}
        return with_text_profile(value)

    @property
    def brokers(self) -> list[BrokerEntry]:
        """The brokers, in document order."""
        return self.cluster.brokers

    @property
    def controllers(self) -> list[ControllerEntry]:
        """The controllers, in document order."""
        return self.cluster.controllers

    @property
    def config(self) -> dict[str, int | bool | str]:
        """Server properties shared by all brokers and controllers."""
        return self.cluster.config

    @property
    def version(self) -> Profile:
        """The profile's data and switches."""
        return profile_of(self.profile)

    @property
    def elr(self) -> bool:
        """True if eligible leader replicas are on (the document's word, else the profile's)."""
        return self.version.elr_default if self.elr_set is None else self.elr_set

    @property
    def alerts(self) -> Alerts:
        """The alert rules: the document's own, else the default ones."""
        return default_alerts(has_mirrors=bool(self.mirrors)) if self.alerts_set is None else self.alerts_set

    def partition_counts(self) -> dict[str, int]:
        """The number of partitions of each topic in all, of which the document holds only some."""
        return {topic.name: topic.count for topic in self.topics if topic.count is not None}

    def with_action(self, at_us: int, action: Action) -> "Document":
        """A document with one more action, kept in the order of time (after others of the same moment)."""
        entry = TimelineEntry.model_construct(at_us=at_us, action=action)
        index = next(
            (i for i, other in enumerate(self.timeline) if other.at_us > at_us),
            len(self.timeline),
        )
        timeline = [*self.timeline[:index], entry, *self.timeline[index:]]
        return self.model_copy(update={"timeline": timeline, "captions": self._told_before(at_us)})

    def cut_before(self, at_us: int) -> "Document":
        """A document without the actions at or after `at_us`: the start of a branch."""
        timeline = [entry for entry in self.timeline if entry.at_us < at_us]
        return self.model_copy(update={"timeline": timeline, "captions": self._told_before(at_us)})

    def _told_before(self, at_us: int) -> list[Caption]:
        """The captions that hold though something else happens at `at_us`: they tell the run they were written for."""
        notes = [caption for caption in self.captions if caption.kind != "real"]
        held = list(takewhile(lambda caption: caption.at_us is None or caption.at_us < at_us, notes))
        return [_before(one, at_us) for one in self.captions if one.kind == "real" or one in held]


def _before(caption: Caption, at_us: int) -> Caption:
    """A caption that no fact at or after a time brings."""
    if caption.on is None or (caption.before_us is not None and caption.before_us <= at_us):
        return caption
    return caption.model_copy(update={"before_us": at_us})
