"""The configuration of topics, brokers and the cluster, key by key, as actions change it (HW-3, UNC-1)."""

from typing import TYPE_CHECKING

from simengine.kafka.cluster.admin import Admin, AdminCall
from simengine.kafka.shared.config import Topic, TopicSettings
from simengine.kafka.shared.metadata import CLUSTER_SETTINGS
from simengine.scenario.config_keys import FOLLOWER_RATE, FOLLOWERS_THROTTLED, LEADER_RATE, LEADERS_THROTTLED

TIME_MAX_MS = 10**12  # 31 years

if TYPE_CHECKING:
    from simengine.kafka.controller.control import ReplicationControlManager
    from simengine.kafka.controller.quorum import Quorum
    from simengine.scenario.model import Document


class Configs:
    """The topics' own settings by the topics' indices, from the document on."""

    def __init__(self, doc: "Document", quorum: "Quorum", topics: list[Topic]) -> None:
        self._quorum = quorum
        known = {topic.name: topic.config for topic in doc.topics}
        self.of_topics: dict[int, dict[str, str]] = {  # as written, perhaps not committed yet
            int(topic.index): {key: plain(value) for key, value in known.get(topic.name, {}).items()}
            for topic in topics
        }
        self._committed: dict[int, dict[str, str]] = {index: dict(own) for index, own in self.of_topics.items()}
        self._of_brokers: dict[str, dict[str, str]] = {}
        self._read = len(quorum.log)  # how many records of the metadata log are in `_committed`

    def add_topic(self, index: int) -> None:
        """Another topic, with nothing set."""
        self.of_topics[index] = {}
        self._committed[index] = {}

    def remove_topic(self, index: int) -> None:
        """A topic was refused."""
        del self.of_topics[index]
        del self._committed[index]

    def committed(self) -> dict[int, dict[str, str]]:
        """The settings of every topic by the committed records."""
        self._read_on()
        return self._committed

    def committed_of_brokers(self) -> dict[str, dict[str, str]]:
        """The settings made while the cluster runs, by the committed records: by broker, those of all under ""."""
        self._read_on()
        return self._of_brokers

    def _read_on(self) -> None:
        log = self._quorum.log
        while self._read < len(log):
            record = log[self._read]
            self._read += 1
            if record.settings is not None and record.text:
                key, _, value = record.text.partition("=")
                self._holder(int(record.topic))[key] = value

    def _holder(self, subject: int) -> dict[str, str]:
        if subject > CLUSTER_SETTINGS:
            return self._committed[subject]
        name = "" if subject == CLUSTER_SETTINGS else str(CLUSTER_SETTINGS - 1 - subject)
        return self._of_brokers.setdefault(name, {})

    def settings_with(self, index: int, key: str, value: str) -> TopicSettings:
        """The settings of a topic, the cluster (CLUSTER_SETTINGS) or a broker (below) once this key has this value."""
        settings = TopicSettings(-1, -1)
        if index > CLUSTER_SETTINGS:
            wanted = dict(self.of_topics[index])
            wanted[key] = value
            self.of_topics[index] = wanted
            for known_key, known_value in wanted.items():
                set_key(settings, known_key, known_value)
            return settings
        known = self._quorum.image.broker_settings.get(CLUSTER_SETTINGS - 1 - index)
        if known is not None:
            settings.min_insync, settings.unclean = known.min_insync, known.unclean
            settings.leader_rate, settings.follower_rate = known.leader_rate, known.follower_rate
        set_key(settings, key, value)
        return settings


def set_key(settings: TopicSettings, key: str, value: str) -> None:
    """Set one key, if the engine knows it."""
    if key == "min.insync.replicas":
        settings.min_insync = int(value)
    elif key == "unclean.leader.election.enable":
        settings.unclean = int(value == "true")
    elif key in ("flush.messages", "log.flush.interval.messages"):
        settings.flush_messages = int(value)
    elif key == "retention.ms":
        settings.retention_us = microseconds(int(value))
    elif key == "retention.bytes":
        settings.retention_bytes = int(value)
    elif key == "segment.ms":
        settings.roll_us = microseconds(int(value))
    elif key == "segment.bytes":
        settings.segment_bytes = int(value)
    elif key == "cleanup.policy":
        settings.has_policy = True
        settings.is_compacted = "delete" not in value
    else:
        _set_throttle(settings, key, value)


def _set_throttle(settings: TopicSettings, key: str, value: str) -> None:
    """FET-19: limits of brokers in bytes/s, and the replicas of a topic that they count for."""
    if key == LEADER_RATE:
        settings.leader_rate = int(value)
    elif key == FOLLOWER_RATE:
        settings.follower_rate = int(value)
    elif key == LEADERS_THROTTLED:
        settings.leaders_throttled = value
    elif key == FOLLOWERS_THROTTLED:
        settings.followers_throttled = value


def microseconds(ms: int) -> int:
    """A time limit of Kafka's, where -1 is none, in microseconds as far as the engine counts."""
    return -1 if ms < 0 else min(ms, TIME_MAX_MS) * 1000


def plain(value: int | bool | str) -> str:
    """A configuration value as Kafka prints it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


class SettingCall(AdminCall):
    """A setting of a topic (-1: of the cluster) to change; the topic's other settings are read when it takes effect."""

    __slots__ = ("configs", "key", "topic", "value")

    def __init__(self, configs: Configs, topic: int, key: str, value: str, cause: int) -> None:
        super().__init__(-1, f"config {key}={value}", cause)
        self.configs = configs
        self.topic = topic
        self.key = key
        self.value = value

    def run(self, admin: Admin, control: "ReplicationControlManager") -> None:
        settings = self.configs.settings_with(self.topic, self.key, self.value)
        admin.set_topic(control, self.topic, settings, f"{self.key}={self.value}", self.cause)
