"""The source connector: finds topics and partitions, creates them on the target, and syncs their configs (MM-1).

Kafka's class is ``MirrorSourceConnector``. A topic is known by its name: one that was deleted and created again between
two refreshes has not changed. New, deleted and missing partitions restart all source tasks of the flow. A refresh that
fails changes nothing. A partition that the target's controller has not created yet waits for the next refresh. Left
out: ACLs.
"""

from typing import Final, final

from mypy_extensions import i64, trait

from simengine.kernel.node import Task
from simengine.mirror.flow_listener import FlowListener
from simengine.mirror.remote_topics import NO_PARTITION, RemoteTopics
from simengine.mirror.source_topics import SourceTopics
from simengine.mirror.topic_admin import TopicAdminLeg, TopicsCall, TopicsListener

NOTHING: Final = 0  # what the connector asks for: its thread does one thing at a time
SOURCE_TOPICS: Final = 1
TARGET_TOPICS: Final = 2
CONFIGS: Final = 3

Place = tuple[str, int]  # topic and number of a partition


@trait
class ConnectorListener:
    """Takes new configurations of the source tasks."""

    def tasks_reconfigured(self) -> None:
        """The flow copies other partitions from now on: those that the connector knows."""


@final
class SourceConnectorSettings:
    """Times in us; -1: never. The first moments count from the start of the connector."""

    __slots__ = ("first_configs_us", "first_topics_us", "sync_configs_us", "topics_us")

    def __init__(self) -> None:
        self.topics_us: i64 = 600_000_000  # refresh.topics.interval.seconds
        self.first_topics_us: i64 = 600_000_000
        self.sync_configs_us: i64 = 600_000_000  # sync.topic.configs.interval.seconds
        self.first_configs_us: i64 = 0


@final
class SourceConnector(TopicsListener):
    """One life of a connector. ``known``: the source partitions that the flow copies; the dict belongs to the flow."""

    __slots__ = (
        "_asks",
        "_due",
        "_is_stopped",
        "_listener",
        "_remote",
        "_settings",
        "_source",
        "_target",
        "_topics",
        "flow",
        "known",
        "wanted",
    )

    def __init__(
        self,
        settings: SourceConnectorSettings,
        topics: SourceTopics,
        source: TopicAdminLeg,
        target: TopicAdminLeg,
        remote: RemoteTopics,
        listener: ConnectorListener,
    ) -> None:
        self._settings = settings
        self._topics = topics
        self._source = source
        self._target = target
        self._remote = remote
        self._listener = listener
        self._asks: i64 = NOTHING
        self._due: list[int] = []  # work that waits for the connector's thread
        self._is_stopped: bool = False
        self.flow: FlowListener = FlowListener()
        self.known: dict[Place, int] = {}  # source partitions, by name
        self.wanted: dict[Place, int] = {}  # of the refresh under way

    def start(self, known: dict[Place, int], finds_topics: bool) -> None:
        """The connector starts; ``finds_topics``: it looks for topics first, as a new process does."""
        self.known = known
        settings = self._settings
        if finds_topics:
            self._do(SOURCE_TOPICS)
        if settings.topics_us > 0:
            self._arm(SOURCE_TOPICS, settings.first_topics_us)
        if settings.sync_configs_us > 0:
            self._arm(CONFIGS, settings.first_configs_us)

    def stop(self) -> None:
        """The worker gives the connector up."""
        self._is_stopped = True

    def due(self, what: i64) -> None:
        """Periodic work is due."""
        if self._is_stopped:
            return
        settings = self._settings
        self._arm(what, settings.topics_us if what == SOURCE_TOPICS else settings.sync_configs_us)
        self._do(what)

    def _do(self, what: i64) -> None:
        if self._asks == NOTHING:
            self._ask(what)
        elif what not in self._due:
            self._due.append(what)

    def _ask(self, what: i64) -> None:
        self._asks = what
        leg = self._target if what == TARGET_TOPICS else self._source
        leg.admin().list_topics(self)

    def topics_listed(self, call: TopicsCall, has_failed: bool) -> None:
        if self._is_stopped:
            return
        asked = self._asks
        if has_failed:
            self._go_on()
        elif asked == SOURCE_TOPICS:
            self.wanted = self._replicated(call.partitions)
            self._ask(TARGET_TOPICS)
        elif asked == TARGET_TOPICS:
            self._compare(call.partitions)
            self._go_on()
        else:
            self._sync_configs(call.partitions)
            self._go_on()

    def _go_on(self) -> None:
        self._asks = NOTHING
        if self._due:
            self._ask(self._due.pop(0))

    def _replicated(self, partitions: list[int]) -> dict[Place, int]:
        """The source partitions that the flow copies."""
        found: dict[Place, int] = {}
        for p in partitions:
            place = self._source.name_of(p)
            if self._topics.should_replicate(place[0]):
                found[place] = p
        return found

    def _compare(self, target: list[int]) -> None:
        """Act on partitions that are new or gone at the source, or missing on the target."""
        there: dict[Place, int] = {}
        for p in target:
            there[self._target.name_of(p)] = p
        wanted, known = self.wanted, self.known
        missing = [place for place in wanted if (self._topics.remote_topic(place[0]), place[1]) not in there]
        added = [place for place in wanted if place not in known]
        removed = [place for place in known if place not in wanted]
        known.clear()
        known.update(wanted)
        if added or removed or missing:
            fact = self.flow.topics_changed(len(added), len(removed), len(missing))
            self._make(missing, there, fact)
            self._listener.tasks_reconfigured()

    def _make(self, missing: list[Place], there: dict[Place, int], cause: i64) -> None:
        """Create remote topics, or add partitions to them."""
        done: dict[str, bool] = {}
        for place in missing:
            source = place[0]
            if source in done:
                continue
            done[source] = True
            count = len([other for other in self.wanted if other[0] == source])
            remote = self._topics.remote_topic(source)
            if any(name == remote for name, _ in there):
                self._remote.grow(remote, count, cause)
            else:
                self._remote.create(source, remote, count, cause)

    def _sync_configs(self, partitions: list[int]) -> None:
        done: dict[str, bool] = {}
        for source, _ in self._replicated(partitions):
            remote = self._topics.remote_topic(source)
            if source not in done and self._remote.partition(remote, 0) != NO_PARTITION:
                self._remote.sync_configs(source, remote)
            done[source] = True

    def _arm(self, what: i64, delay_us: i64) -> None:
        self._source.sim.after(delay_us, ConnectorTimer(self, self._source, what))


@final
class ConnectorTimer(Task):
    """Periodic work of a source connector is due."""

    __slots__ = ("connector", "what")

    def __init__(self, connector: SourceConnector, leg: TopicAdminLeg, what: i64) -> None:
        super().__init__(leg)
        self.connector = connector
        self.what: i64 = what

    def run(self) -> None:
        self.connector.due(self.what)
