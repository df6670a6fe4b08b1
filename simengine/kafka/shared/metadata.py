"""Cluster metadata: the records the controller commits, and the image a node builds from them (STATE-1..3, STATE-8)."""

from typing import Final, final

from mypy_extensions import i64, mypyc_attr

from simengine.facts.decisive import PartitionChanged
from simengine.facts.kinds import REG_ACTIVE, REG_NONE, REG_SHUTTING_DOWN
from simengine.kafka.shared.config import TopicSettings
from simengine.kafka.shared.standing import PartitionLists, is_active, required_isr

PARTITION_RECORD: Final = 1
BROKER_RECORD: Final = 2
TOPIC_RECORD: Final = 3
NO_OP_RECORD: Final = 4
REMOVE_TOPIC_RECORD: Final = 5
CLUSTER_SETTINGS: Final = -1  # the topic of a record that is about all topics; -2 - id: about broker id alone
THIS_ONE: Final = -1  # a fact that is stated with the record
NO_BROKERS: Final[list[int]] = []  # shared by all who have none: a list of brokers is replaced, never changed
FIRST_DIRECTORIES: Final[dict[int, int]] = {}  # shared by all whose copies lie in first directories: never changed
NEVER_FLUSHED: Final = 2**63 - 1  # log.flush.interval.messages, unless a document says otherwise


@mypyc_attr(acyclic=True)
@final
class PartitionRegistration:
    """The controller's state of a partition (STATE-1). Never changed once made: a change is a new object."""

    __slots__ = (
        "adding",
        "adding_fact",
        "directories",
        "elr",
        "epoch",
        "epoch_fact",
        "fact",
        "isr",
        "last_known",
        "leader",
        "observers",
        "p",
        "pe",
        "recovering",
        "removing",
        "replicas",
        "topic",
    )

    def __init__(
        self, p: i64, topic: i64, replicas: list[int], isr: list[int], leader: i64, epoch: i64, pe: i64
    ) -> None:
        self.p: i64 = p
        self.topic: i64 = topic
        self.replicas = replicas
        self.adding: list[int] = NO_BROKERS
        self.removing: list[int] = NO_BROKERS
        self.directories: dict[int, int] = FIRST_DIRECTORIES  # where each copy lies, first ones left out (DIR-1)
        self.isr = isr
        self.elr: list[int] = NO_BROKERS
        self.last_known: list[int] = NO_BROKERS
        self.leader: i64 = leader
        self.epoch: i64 = epoch
        self.pe: i64 = pe
        self.observers: list[int] = NO_BROKERS  # Confluent's extension: copies that are never in the ISR (OBS-1)
        self.recovering: bool = False
        self.fact: i64 = 0  # the PartitionChanged fact that stated it; 0 for the start state
        self.epoch_fact: i64 = 0  # the one that began its epoch; THIS_ONE until it is stated
        self.adding_fact: i64 = 0  # the one that began to add the brokers of `adding`

    def copy(self) -> "PartitionRegistration":
        """A new registration with equal fields (lists are shared: they are replaced, never changed)."""
        other = PartitionRegistration(self.p, self.topic, self.replicas, self.isr, self.leader, self.epoch, self.pe)
        other.adding = self.adding
        other.epoch_fact = self.epoch_fact
        other.adding_fact = self.adding_fact
        other.directories = self.directories
        other.removing = self.removing
        other.observers = self.observers
        other.elr = self.elr
        other.last_known = self.last_known
        other.recovering = self.recovering
        return other

    def synced(self) -> list[int]:
        """The replicas that may be in the ISR: all but observers (OBS-1), of which Apache Kafka has none."""
        if not self.observers:
            return self.replicas
        return [broker for broker in self.replicas if broker not in self.observers]

    def lists(self) -> PartitionLists:
        """The lists that an election reads."""
        return PartitionLists(self.replicas, self.isr, self.elr, self.last_known, self.observers)


def beginning(registration: PartitionRegistration | None) -> i64:
    """The change that began the epoch of a partition; 0 for that of the start state."""
    return 0 if registration is None else registration.epoch_fact


@mypyc_attr(acyclic=True)
@final
class BrokerState:
    """The controller's state of a broker (STATE-8): broker epoch and REG_* state; never changed once made.

    ``incarnation`` is the process that was registered; -1 for one that ran before the run began. ``directory`` is the
    number of its log directory: 0 for the first disk, one more with each replaced disk.
    """

    __slots__ = ("be", "broker", "directory", "fact", "incarnation", "state")

    def __init__(self, broker: i64, be: i64, state: i64, incarnation: i64 = -1, directory: i64 = 0) -> None:
        self.broker: i64 = broker
        self.be: i64 = be
        self.state: i64 = state
        self.incarnation: i64 = incarnation
        self.directory: i64 = directory
        self.fact: i64 = 0


@mypyc_attr(acyclic=True)
@final
class Record:
    """One record of the metadata log. ``offset`` is set on commit; ``reason``, ``election``, ``cause`` tell why."""

    __slots__ = (
        "broker",
        "cause",
        "election",
        "fact",
        "grows",
        "key",
        "kind",
        "offset",
        "partition",
        "reason",
        "settings",
        "text",
        "topic",
    )

    def __init__(self, kind: i64) -> None:
        self.kind: i64 = kind
        self.offset: i64 = -1
        self.partition: PartitionRegistration | None = None
        self.broker: BrokerState | None = None
        self.settings: TopicSettings | None = None
        self.topic: i64 = -1
        self.text: str = ""
        self.key: str = ""
        self.reason: i64 = 0
        self.election: i64 = 0
        self.cause: i64 = 0
        self.fact: i64 = 0  # that a topic was deleted
        self.grows: bool = False  # the partition was made while the cluster runs


def partition_record(registration: PartitionRegistration, reason: i64, election: i64, cause: i64) -> Record:
    """A record that states the whole of a partition."""
    record = Record(PARTITION_RECORD)
    record.partition = registration
    record.reason = reason
    record.election = election
    record.cause = cause
    return record


def broker_record(broker: i64, be: i64, state: i64, cause: i64, incarnation: i64 = -1, directory: i64 = 0) -> Record:
    """A record that states a broker's registration."""
    record = Record(BROKER_RECORD)
    record.broker = BrokerState(broker, be, state, incarnation, directory)
    record.cause = cause
    return record


def topic_record(topic: i64, settings: TopicSettings, text: str, cause: i64) -> Record:
    """A record that states a topic's settings (topic -1: the cluster's); ``text`` is "key=value"."""
    record = Record(TOPIC_RECORD)
    record.topic = topic
    record.settings = settings
    record.text = text
    record.cause = cause
    return record


def remove_topic_record(topic: i64, name: str, cause: i64) -> Record:
    """A record that removes a topic with all its partitions (``RemoveTopicRecord``)."""
    record = Record(REMOVE_TOPIC_RECORD)
    record.topic = topic
    record.text = name
    record.cause = cause
    return record


@final
class MetadataImage:
    """Metadata as one node knows it: a prefix of the log, applied in order (STATE-6)."""

    __slots__ = (
        "broker_settings",
        "brokers",
        "default_flush_messages",
        "default_follower_rate",
        "default_is_dynamic",
        "default_leader_rate",
        "default_min_insync",
        "default_unclean",
        "first_of_topic",
        "has_changed",
        "offset",
        "partitions",
        "removed",
        "topics",
    )

    def __init__(self) -> None:
        self.offset: i64 = 0
        self.partitions: list[PartitionRegistration | None] = []
        self.brokers: dict[int, BrokerState] = {}
        self.topics: list[TopicSettings] = []
        self.first_of_topic: list[int] = []  # index of each topic's partition 0: its lowest; -1: none yet
        self.removed: dict[int, bool] = {}  # topics that were deleted
        self.has_changed: bool = False  # topics or partitions were made or deleted while the cluster runs
        self.broker_settings: dict[int, TopicSettings] = {}  # set for one broker while the cluster runs
        self.default_is_dynamic: bool = False
        self.default_min_insync: i64 = 1
        self.default_unclean: bool = False
        self.default_flush_messages: i64 = NEVER_FLUSHED
        self.default_leader_rate: i64 = -1
        self.default_follower_rate: i64 = -1

    def copy(self) -> "MetadataImage":
        """An independent image of the same state."""
        other = MetadataImage()
        other.offset = self.offset
        other.partitions = list(self.partitions)
        other.brokers = dict(self.brokers)
        other.topics = list(self.topics)
        other.first_of_topic = list(self.first_of_topic)
        other.removed = dict(self.removed)
        other.has_changed = self.has_changed
        other.broker_settings = dict(self.broker_settings)
        other.default_is_dynamic = self.default_is_dynamic
        other.default_min_insync = self.default_min_insync
        other.default_unclean = self.default_unclean
        other.default_flush_messages = self.default_flush_messages
        other.default_leader_rate = self.default_leader_rate
        other.default_follower_rate = self.default_follower_rate
        return other

    def apply(self, record: Record) -> None:
        """Take in one record."""
        if record.offset >= 0:
            self.offset = record.offset
        if record.kind == REMOVE_TOPIC_RECORD:
            self._remove_topic(record.topic)
            return
        if record.grows:
            self.has_changed = True
        partition = record.partition
        if partition is not None:
            while len(self.partitions) <= partition.p:
                self.partitions.append(None)
            if self.partitions[partition.p] is None:
                self._first_seen(partition.p, partition.topic)
            self.partitions[partition.p] = partition
        broker = record.broker
        if broker is not None:
            self.brokers[broker.broker] = broker
        settings = record.settings
        if settings is not None:
            self._apply_settings(record.topic, settings)

    def _remove_topic(self, topic: i64) -> None:
        self.removed[topic] = True
        self.has_changed = True
        self.partitions = [None if r is not None and r.topic == topic else r for r in self.partitions]

    def of_topic(self, topic: i64) -> list[PartitionRegistration]:
        """The partitions of a topic, in the order in which they were made."""
        return [r for r in self.partitions if r is not None and r.topic == topic]

    def _first_seen(self, p: i64, topic: i64) -> None:
        while len(self.first_of_topic) <= topic:
            self.first_of_topic.append(-1)
        if self.first_of_topic[topic] < 0 or p < self.first_of_topic[topic]:
            self.first_of_topic[topic] = p

    def _apply_settings(self, topic: i64, settings: TopicSettings) -> None:
        if topic < CLUSTER_SETTINGS:
            self.broker_settings[CLUSTER_SETTINGS - 1 - topic] = settings
            return
        if topic == CLUSTER_SETTINGS:
            if settings.min_insync >= 0:
                self.default_min_insync = settings.min_insync
                self.default_is_dynamic = settings.is_dynamic
            if settings.unclean >= 0:
                self.default_unclean = settings.unclean == 1
            if settings.flush_messages >= 0:
                self.default_flush_messages = settings.flush_messages
            if settings.leader_rate >= 0:
                self.default_leader_rate = settings.leader_rate
            if settings.follower_rate >= 0:
                self.default_follower_rate = settings.follower_rate
            return
        while len(self.topics) <= topic:
            self.topics.append(TopicSettings(-1, -1))
        self.topics[topic] = settings

    def partition(self, p: i64) -> PartitionRegistration | None:
        """The registration of a partition, if it is known."""
        if p < len(self.partitions):
            return self.partitions[p]
        return None

    def broker_state(self, broker: i64) -> i64:
        """REG_* of a broker."""
        known = self.brokers.get(broker)
        return REG_NONE if known is None else known.state

    def broker_epoch(self, broker: i64) -> i64:
        """The broker epoch of a registered broker, -1 if it is not."""
        known = self.brokers.get(broker)
        return -1 if known is None else known.be

    def registered_by(self, broker: i64) -> i64:
        """The fact of a broker's newest registration record; 0 for the start state."""
        known = self.brokers.get(broker)
        return 0 if known is None else known.fact

    def directory_of(self, broker: i64) -> i64:
        """The log directory with which a broker is registered; 0 for one that is not."""
        known = self.brokers.get(broker)
        return 0 if known is None else known.directory

    def directories_of(self, brokers: list[int]) -> dict[int, int]:
        """DIR-2: the directories of new copies on these brokers, without first ones."""
        return {broker: int(self.directory_of(broker)) for broker in brokers if self.directory_of(broker) > 0}

    def has_online_dir(self, broker: i64, partition: PartitionRegistration) -> bool:
        """DIR-1: whether a broker is registered with the directory that its copy of a partition is assigned to."""
        return self.directory_of(broker) == partition.directories.get(int(broker), 0)

    def is_active(self, broker: i64) -> bool:
        """Registered, not fenced, not shutting down (STATE-8)."""
        known = self.brokers.get(broker)
        return known is not None and is_active(known.state)

    def is_unfenced(self, broker: i64) -> bool:
        """Active or in controlled shutdown."""
        known = self.brokers.get(broker)
        return known is not None and (known.state == REG_ACTIVE or known.state == REG_SHUTTING_DOWN)

    def min_insync(self, topic: i64) -> i64:
        """min.insync.replicas of a topic: its own, else the cluster's."""
        if topic < len(self.topics) and self.topics[topic].min_insync >= 0:
            return self.topics[topic].min_insync
        return self.default_min_insync

    def effective_min_insync(self, topic: i64) -> i64:
        """M as the controller resolves it: never above the number of replicas of the topic's partition 0 (ELR-1)."""
        m = self.min_insync(topic)
        first = self.partition(self.first_of_topic[topic])
        return m if first is None else required_isr(m, len(first.synced()))

    def settings_of(self, topic: i64) -> TopicSettings:
        """The topic's own settings."""
        return self.topics[topic] if 0 <= topic < len(self.topics) else TopicSettings(-1, -1)

    def flush_messages(self, topic: i64) -> i64:
        """flush.messages of a topic: its own, else log.flush.interval.messages of the cluster (LOG-8)."""
        if 0 <= topic < len(self.topics) and self.topics[topic].flush_messages >= 0:
            return self.topics[topic].flush_messages
        return self.default_flush_messages

    def throttle(self, broker: i64, leads: bool) -> i64:
        """The throttle of a broker's copying as leader, or as follower, in bytes/s (FET-19); -1: none."""
        own = self.broker_settings.get(broker)
        rate: i64 = -1 if own is None else own.leader_rate if leads else own.follower_rate
        return rate if rate >= 0 else self.default_leader_rate if leads else self.default_follower_rate

    def min_insync_at(self, topic: i64, broker: i64, own: i64) -> i64:
        """min.insync.replicas as a leader resolves it (HW-3): topic, dynamic, static; ``own``: the broker's (-1: none).

        Not the controller's word where the two differ: that knows nothing of single brokers (ELR-1).
        """
        if topic < len(self.topics) and self.topics[topic].min_insync >= 0:
            return self.topics[topic].min_insync
        dynamic = self.broker_settings.get(broker)
        if dynamic is not None and dynamic.min_insync >= 0:
            return dynamic.min_insync
        return own if own >= 0 and not self.default_is_dynamic else self.default_min_insync

    def unclean(self, topic: i64) -> bool:
        """unclean.leader.election.enable of a topic: its own, else the cluster's."""
        if topic < len(self.topics) and self.topics[topic].unclean >= 0:
            return self.topics[topic].unclean == 1
        return self.default_unclean


def registered(r: PartitionRegistration, record: Record) -> PartitionChanged:
    """The fact that a record of the metadata log has given a partition this registration."""
    return PartitionChanged(
        record.cause,
        p=r.p,
        leader=r.leader,
        epoch=r.epoch,
        pe=r.pe,
        reason=record.reason,
        election=record.election,
        replicas=r.replicas,
        isr=r.isr,
        elr=r.elr,
        last_known=r.last_known,
        adding=r.adding,
        removing=r.removing,
    )
