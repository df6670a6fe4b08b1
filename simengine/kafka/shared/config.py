"""The configuration of a cluster in plain numbers (docs/rules/settings.md; defaults are Kafka's).

``world.build`` fills these from a document; the engine reads nothing else. Times are microseconds.
"""

from typing import Final, final

from mypy_extensions import i64

from simengine.kernel.site import ALONE, Site
from simengine.kernel.titles import deleted_title

UNSET: Final = -2  # a setting of retention, where -1 is a value
RECORD_BYTES: Final = 100


@final
class LogConfig:
    """The retention of a broker, for topics that do not set their own (``kafka.retention``)."""

    def __init__(self) -> None:
        self.retention_us: i64 = 604_800_000_000  # -1: for ever
        self.retention_bytes: i64 = -1  # -1: any number
        self.roll_us: i64 = 604_800_000_000
        self.segment_bytes: i64 = 1_073_741_824
        self.check_us: i64 = 300_000_000  # between two looks for old segments
        self.first_check_us: i64 = 30_000_000  # after the start of the process
        self.is_compacted: bool = False  # and nothing else: retention removes nothing
        self.is_set: bool = False  # some limit is, so that it may matter in a run


@final
class GroupConfig:
    """The settings of a broker's consumer groups."""

    def __init__(self) -> None:
        self.first_join_us: i64 = 3_000_000  # an empty group waits so long for further members (CON-13)
        self.offsets_kept_us: i64 = 604_800_000_000  # that nobody uses (CON-10) ...
        self.offsets_check_us: i64 = 600_000_000  # ... between two looks for them
        self.offline_has_rack: bool = False  # 4.4+: a broker that is down keeps its rack (CON-12)


@final
class ClusterConfig:
    """Settings shared by all brokers and controllers, with the switches of the Kafka version (a profile)."""

    def __init__(self) -> None:
        # liveness
        self.heartbeat_us: i64 = 2_000_000
        self.session_us: i64 = 9_000_000
        self.fence_check_us: i64 = 1_125_000
        self.fence_again_us: i64 = 10_000
        self.heartbeat_timeout_us: i64 = 2_000_000
        self.fixed_retry: bool = True  # 4.1+: what failed is repeated after the heartbeat interval (LIVE-1)
        self.registration_timeout_us: i64 = 60_000_000
        # replication
        self.lag_us: i64 = 30_000_000
        self.fetch_wait_us: i64 = 500_000
        self.fetch_backoff_us: i64 = 1_000_000
        self.fetch_timeout_us: i64 = 30_000_000  # request.timeout.ms
        self.fetch_connect_us: i64 = 30_000_000  # replica.socket.timeout.ms
        self.fetch_max_records: i64 = 1000
        self.hw_checkpoint_us: i64 = 5_000_000
        self.alter_retry_us: i64 = 50_000
        self.alter_timeout_us: i64 = 30_000_000  # controller.socket.timeout.ms
        # controller
        self.append_linger_us: i64 = 25_000
        self.quorum_fetch_timeout_us: i64 = 2_000_000
        self.quorum_request_timeout_us: i64 = 2_000_000
        self.metadata_poll_us: i64 = 500_000
        self.preferred_interval_us: i64 = 300_000_000
        self.auto_rebalance: bool = True
        self.unclean_interval_us: i64 = 300_000_000
        self.controlled_shutdown: bool = True
        self.shutdown_wait_us: i64 = 300_000_000
        # topics' defaults
        self.min_insync: i64 = 1
        self.own_min_insync: i64 = -1  # of one broker's own server properties (HW-3)
        self.unclean: bool = False
        # features and version switches
        self.elr: bool = True
        self.propagate_on_commit: bool = True  # QUO-5, 4.1+
        self.last_known_must_be_active: bool = True  # KAFKA-19522
        self.epoch_filter: bool = True  # LOG-9
        self.isr_sorted: bool = True  # ISR-9
        self.periodic_unclean: bool = True  # UNC-2
        self.pre_vote: bool = True  # KIP-996, 4.0+
        self.all_targets_in_sync: bool = True  # REA-3, 3.8+
        self.kept_may_be_out: bool = False  # REA-3, 4.3+
        self.fencing_by_ticks: bool = True  # LIVE-3
        self.rack_selector: bool = False  # FFR-1
        self.legacy: bool = False  # LEG-1..3, teaching only
        self.logs: LogConfig = LogConfig()
        self.groups: GroupConfig = GroupConfig()
        # the simulator: off where somebody compares logs batch by batch
        self.fold_logs: bool = True


@final
class Topic:
    """A topic as the simulation knows it: its name and partitions. What nodes believe of its settings is theirs."""

    def __init__(self, index: i64, name: str, site: Site = ALONE) -> None:
        self.index: i64 = index
        self.name = name
        self.site = site  # of its cluster
        self.partitions: list[int] = []
        self.internal: bool = name.startswith("__")
        self.exists: bool = True  # False until the controller has created it, and once it has deleted it
        self.is_deleted: bool = False  # the record that removes it is committed
        self.deleted_as: i64 = 1  # which of the deleted topics of its name it is
        self.record_bytes: i64 = RECORD_BYTES  # as its producers write it
        self.is_going: bool = False  # the controller has decided to delete it
        self.is_made: bool = False  # by the brokers or MirrorMaker for themselves: the document does not speak of it
        self.is_remote: bool = False  # MirrorMaker writes to it copies from another cluster

    @property
    def title(self) -> str:
        """The topic's name for people; a deleted topic is marked, because a new one may have the same name."""
        return deleted_title(self.name, int(self.deleted_as)) if self.is_deleted else self.name


@final
class Catalog:
    """Every topic and partition of a world, by index: of each partition its topic's index and its number."""

    def __init__(self) -> None:
        self.topics: list[Topic] = []
        self.partition_names: list[tuple[int, int]] = []

    def name_of(self, p: i64) -> tuple[str, int]:
        """The name of a partition's topic, and its number there."""
        topic, number = self.partition_names[p]
        return self.topics[topic].name, number


@final
class TopicSettings:
    """Settings of a topic as one metadata record states them; -1 (of retention UNSET): the cluster's default holds."""

    def __init__(self, min_insync: i64, unclean: i64, flush_messages: i64 = -1) -> None:
        self.min_insync: i64 = min_insync
        self.unclean: i64 = unclean  # 0, 1, or -1
        self.flush_messages: i64 = flush_messages
        self.is_dynamic: bool = True  # set while the cluster runs, which goes over server properties
        self.retention_us: i64 = UNSET  # -1: for ever
        self.retention_bytes: i64 = UNSET  # -1: any number
        self.roll_us: i64 = UNSET
        self.segment_bytes: i64 = UNSET
        self.has_policy: bool = False  # ``cleanup.policy`` is set: ``is_compacted`` says to what
        self.is_compacted: bool = False  # and nothing else: retention removes nothing
        self.leader_rate: i64 = -1  # the throttle of a broker's copying as leader and as follower, in bytes/s (FET-19)
        self.follower_rate: i64 = -1
        self.leaders_throttled: str = ""  # the replicas of a topic that it counts for: "*", or "partition:broker,…"
        self.followers_throttled: str = ""

    def is_throttled(self, number: i64, broker: i64, leads: bool) -> bool:
        """True if a replica of the topic is throttled as leader, or as follower."""
        return throttles(self.leaders_throttled if leads else self.followers_throttled, int(number), int(broker))

    def keeps_segments(self) -> bool:
        """True if some setting needs the log's segments."""
        is_kept = self.retention_us != UNSET or self.retention_bytes != UNSET
        return is_kept or self.roll_us != UNSET or self.segment_bytes != UNSET


def throttles(listed: str, number: int, broker: int) -> bool:
    """True if a topic's list of throttled replicas ("*", or "partition:broker,…") names one (FET-19)."""
    return listed == "*" or f"{number}:{broker}" in listed.split(",")
