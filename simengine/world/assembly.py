"""From a checked document to a cluster with its clients, ready to run: the one place that reads documents."""

from collections.abc import Sequence
from typing import Final

from simengine.clients.network.ledger import ClientListener
from simengine.facts.kinds import PROCESS_DOWN, REASON_CREATED, REG_ACTIVE, REG_FENCED
from simengine.kafka.cluster.cluster import Cluster, Phases
from simengine.kafka.controller.quorum import Controller
from simengine.kafka.group.coordinator import CommitLog, GroupCoordinator
from simengine.kafka.replica.observer import Observer
from simengine.kafka.replica.old_logs import OldLogs
from simengine.kafka.replica.replica import Partition
from simengine.kafka.shared.config import RECORD_BYTES, ClusterConfig, GroupConfig, LogConfig, TopicSettings
from simengine.kafka.shared.metadata import (
    CLUSTER_SETTINGS,
    PartitionRegistration,
    Record,
    broker_record,
    partition_record,
    topic_record,
)
from simengine.kafka.wire.api import CommitRequest
from simengine.kernel.node import Node
from simengine.kernel.site import Site
from simengine.scenario.config_keys import FOLLOWER_RATE, LEADER_RATE
from simengine.scenario.model import Document, InitialPartition, TopicEntry
from simengine.scenario.profiles import Profile
from simengine.scenario.settings import BrokerSettings, Settings, resolve
from simengine.world import client_assembly, start_state
from simengine.world.cluster_parts import OFFSETS_TOPIC, ClusterParts
from simengine.world.combined import SharedControllers
from simengine.world.configs import plain, set_key
from simengine.world.ground import SharedWorld

BYTES_PER_MB: Final = 1_000_000


class ClusterBuild(ClusterParts):
    """The parts of one cluster, made from a document whose node ids are world-wide numbers."""

    def __init__(
        self, doc: Document, observer: Observer, ledger: ClientListener, ground: SharedWorld, site: Site
    ) -> None:
        settings: Settings = resolve(doc)
        config = cluster_config(settings, settings.common)
        cluster = Cluster(ground.sim, config, phases(doc), observer, site, ground.catalog)
        cluster.old_logs = old_logs(doc)
        super().__init__(doc, settings, cluster, ground.net, ledger)
        self.ground = ground
        ground.clusters.append(self)
        self._make_nodes()
        self._make_topics()
        self._start()

    # -- nodes and links

    def _make_nodes(self) -> None:
        doc = self.doc
        for i, broker in enumerate(doc.brokers):
            self.cluster.add_broker(
                broker.id, broker.rack or "", cluster_config(self.settings, self.settings.brokers[i])
            )
        for controller in doc.controllers:
            node = self.cluster.add_controller(controller.id, controller.rack or "")
            node.up = controller.state == "running"
        nodes: list[Node] = [*self.cluster.brokers, *self.cluster.controllers]
        net = self.net
        nodes += client_assembly.make_clients(self)
        net.add(nodes, doc.network.latency_us, doc.network.jitter_us)
        for link in doc.network.links:
            latency = doc.network.latency_us if link.latency_us is None else link.latency_us
            jitter = doc.network.jitter_us if link.jitter_us is None else link.jitter_us
            for a in self.ends(link.between[0]):
                for b in self.ends(link.between[1]):
                    if a is not b:
                        net.set_latency(a, b, latency, jitter)
        self.cluster.wire(net)
        self._combine()

    def _combine(self) -> None:
        """The controllers that share the process of a broker go where it goes."""
        homes = [controller.broker for controller in self.doc.controllers]
        for broker in self.cluster.brokers:
            there = [node for node, home in zip(self.cluster.controllers, homes, strict=True) if home == broker.id]
            if there:
                broker.shared = SharedControllers(self.cluster.quorum, there)
                self.shared[int(broker.id)] = there
                self.homes.update({int(node.id): broker for node in there})

    # -- topics

    def _make_topics(self) -> None:
        doc = self.doc
        for topic in doc.topics:
            made = self.table.add_topic(topic.name, topic.numbers)
            self.observers[int(made.index)] = list(topic.observers)
            sizes = [producer.record_bytes for producer in doc.producers if producer.topic == topic.name]
            made.record_bytes = sizes[0] if sizes else RECORD_BYTES
        has_groups = bool(doc.mirrors) or any(consumer.group for consumer in doc.consumers)
        if OFFSETS_TOPIC not in self.topic_index and has_groups:
            self.table.add_topic(OFFSETS_TOPIC, range(1))
            self.cluster.topics[-1].is_made = True
            self.offsets_made = True
        else:
            self.offsets_made = False

    # -- the start state

    def _start(self) -> None:
        doc = self.doc
        cluster = self.cluster
        records: list[Record] = []
        for i, broker in enumerate(doc.brokers):
            state = REG_ACTIVE if broker.state == "running" else REG_FENCED
            records.append(broker_record(broker.id, i, state, 0))
            if broker.state == "down":
                node = cluster.by_id[broker.id]
                node.process = PROCESS_DOWN
                node.up = False
                node.listening = False
        records.append(topic_record(CLUSTER_SETTINGS, self._defaults(), "", 0))
        for broker in doc.brokers:
            throttle = {key: value for key, value in broker.config.items() if key in (LEADER_RATE, FOLLOWER_RATE)}
            if throttle:
                records.append(topic_record(CLUSTER_SETTINGS - 1 - broker.id, topic_settings(throttle), "", 0))
        for topic in doc.topics:
            index = self.topic_index[topic.name]
            records.append(topic_record(index, topic_settings(topic.config), "", 0))
            for number, replicas in zip(topic.numbers, topic.assignment, strict=True):
                records.append(self._partition(topic, index, number, replicas))
        if self.offsets_made:
            records.extend(self._offsets_records())
        cluster.bootstrap(records, self._first_controller())
        self._place_replicas(records)
        self._make_coordinators()
        self._commit_before_run()
        cluster.start_brokers()
        client_assembly.open_clients(self)

    def _make_coordinators(self) -> None:
        if OFFSETS_TOPIC not in self.topic_index:
            return
        commits = self.cluster.commits = CommitLog()
        for broker in self.cluster.brokers:
            broker.coordinator = GroupCoordinator(broker, broker.produce_purgatory, self.offsets_partition(), commits)

    def _commit_before_run(self) -> None:
        """Write what groups have committed before the run into the log of their coordinator's partition."""
        commits = self.cluster.commits
        for consumer in self.doc.consumers:
            if commits is not None and consumer.group and consumer.committed:
                places = [self.partition_index[topic, number] for topic, number, _ in consumer.committed]
                offsets = [offset for _, _, offset in consumer.committed]
                request = CommitRequest(consumer.group, places, offsets, [-1] * len(places))
                copies = [broker.replica(self.offsets_partition()) for broker in self.cluster.brokers]
                n = int(commits.add(request, None))
                start_state.append_commit([copy for copy in copies if copy is not None], n)

    def _defaults(self) -> TopicSettings:
        settings = self.settings.cluster
        defaults = TopicSettings(
            settings.min_insync_replicas, int(settings.unclean_leader_election), settings.flush_messages
        )
        defaults.is_dynamic = False
        for key in (LEADER_RATE, FOLLOWER_RATE):
            if key in self.doc.config:
                set_key(defaults, key, plain(self.doc.config[key]))
        return defaults

    def _partition(self, topic: TopicEntry, index: int, number: int, replicas: list[int]) -> Record:
        p = self.partition_index[topic.name, number]
        initial = topic.initial.get(number)
        if initial is None:
            return self._fresh(p, index, replicas, topic.observers)
        registration = PartitionRegistration(p, index, replicas, sorted(initial.isr), initial.leader, initial.epoch, 0)
        registration.elr = sorted(initial.elr)
        registration.last_known = list(initial.last_known)
        registration.adding = list(initial.adding)
        registration.removing = list(initial.removing)
        registration.observers = [b for b in topic.observers if b in replicas]
        return partition_record(registration, REASON_CREATED, 0, 0)

    def _fresh(self, p: int, topic: int, replicas: list[int], observers: Sequence[int] = ()) -> Record:
        """PLACE-6: ISR = the active members, leader = the first of them; an observer is neither (OBS-1)."""
        states = {broker.id: broker.state for broker in self.doc.brokers}
        active = [b for b in replicas if states[b] == "running" and b not in observers]
        leader = active[0] if active else -1
        isr = sorted(active) if active or self.config.elr else [replicas[0]]
        registration = PartitionRegistration(p, topic, replicas, isr, leader, 0, 0)
        if not active and self.config.elr:
            registration.elr = sorted(replicas[:1])
        registration.observers = [b for b in observers if b in replicas]
        return partition_record(registration, REASON_CREATED, 0, 0)

    def _offsets_records(self) -> list[Record]:
        """``__consumer_offsets`` as a cluster makes it by itself, with as many replicas as it can have (CON-6)."""
        index = self.topic_index[OFFSETS_TOPIC]
        factor = min(self.settings.cluster.offsets_replication_factor, len(self.doc.brokers))
        replicas = spread_over_racks([(broker.id, broker.rack or "") for broker in self.doc.brokers], factor)
        p = self.offsets_partition()
        return [topic_record(index, TopicSettings(-1, -1), "", 0), self._fresh(p, index, replicas)]

    def _first_controller(self) -> Controller:
        running = [controller for controller in self.cluster.controllers if controller.up]
        for controller in running:
            if controller.id == self.doc.cluster.active:
                return controller
        return running[self.sim.stream(self.site.prefix + "quorum", "first").below(len(running))]

    def _place_replicas(self, records: list[Record]) -> None:
        by_name = {self.partition_index[t.name, n]: i for t in self.doc.topics for n, i in t.initial.items()}
        for record in records:
            registration = record.partition
            if registration is None:
                continue
            copies = {member: self.cluster.by_id[member].host(registration.p) for member in registration.replicas}
            initial = by_name.get(int(registration.p))
            if initial is not None:
                start_state.fill(copies, initial)
                self._weigh(registration, copies, initial)

    def _weigh(
        self, registration: PartitionRegistration, copies: dict[int, Partition], initial: InitialPartition
    ) -> None:
        """Give the log of a partition its size, and to each replica that starts from nothing the log to copy (FET-18).

        So to replicas that a reassignment adds. Internal topics are small.
        """
        added = [member for member in initial.adding if member not in initial.isr]
        logs = [copy.log for copy in copies.values() if copy.log.leo > copy.log.start]
        if not logs or self.cluster.topics[registration.topic].internal:
            return
        self.cluster.old_logs.add(registration.p, min(log.start for log in logs), max(log.leo for log in logs))
        for member, copy in copies.items():
            if copy.log.leo == copy.log.start or member in added or member in initial.copying:
                copy.old_copy = self.cluster.old_logs.copy_of(registration.p)


def spread_over_racks(brokers: list[tuple[int, str]], factor: int) -> list[int]:
    """The last ``factor`` of the brokers (id, rack), one of each rack in turn (PLACE-2), in the given order."""
    left = list(reversed(brokers))
    chosen: list[int] = []
    while len(chosen) < factor:
        racks: list[str] = []
        for broker, rack in list(left):
            if rack not in racks and len(chosen) < factor:
                racks.append(rack)
                chosen.append(broker)
                left.remove((broker, rack))
    return [broker for broker, _ in brokers if broker in chosen]


def old_logs(doc: Document) -> OldLogs:
    """The sizes of a cluster's logs and the rate of a broker's copying, where the document tells both."""
    basis = doc.basis
    if basis is None or basis.log_mb is None or basis.copy_mb_per_s is None:
        return OldLogs()
    return OldLogs(basis.log_mb * BYTES_PER_MB, basis.copy_mb_per_s * BYTES_PER_MB)


def cluster_config(settings: Settings, broker: BrokerSettings) -> ClusterConfig:
    """The plain configuration of one broker, or with what is common to all, of the controllers."""
    config = ClusterConfig()
    cluster = settings.cluster
    profile = settings.profile
    config.heartbeat_us = broker.heartbeat_interval_us
    config.fixed_retry = profile.heartbeat_fixed_retry
    config.heartbeat_timeout_us = min(
        broker.heartbeat_interval_us if profile.heartbeat_fixed_retry else cluster.session_timeout_us // 2,
        broker.controller_socket_timeout_us,
    )
    config.alter_timeout_us = broker.controller_socket_timeout_us
    config.registration_timeout_us = broker.registration_timeout_us
    config.session_us = cluster.session_timeout_us
    config.fence_check_us = cluster.fencing_check_us
    config.lag_us = broker.replica_lag_time_max_us
    config.fetch_wait_us = broker.fetch_wait_max_us
    config.fetch_backoff_us = broker.fetch_backoff_us
    config.fetch_timeout_us = broker.request_timeout_us
    config.fetch_connect_us = broker.replica_socket_timeout_us
    config.hw_checkpoint_us = broker.hw_checkpoint_interval_us
    config.append_linger_us = cluster.append_linger_us
    config.quorum_fetch_timeout_us = cluster.quorum_fetch_timeout_us
    config.auto_rebalance = cluster.auto_rebalance
    config.preferred_interval_us = cluster.rebalance_interval_us
    config.unclean_interval_us = cluster.unclean_interval_us
    config.controlled_shutdown = broker.controlled_shutdown
    config.min_insync = cluster.min_insync_replicas
    config.own_min_insync = broker.own_min_insync
    config.unclean = cluster.unclean_leader_election
    config.elr = settings.elr
    config.propagate_on_commit = profile.metadata_on_commit
    config.last_known_must_be_active = profile.last_known_must_be_active
    config.epoch_filter = profile.fetch_epoch_filter
    config.isr_sorted = profile.isr_sorted
    config.periodic_unclean = profile.periodic_unclean
    config.pre_vote = profile.pre_vote
    config.all_targets_in_sync = profile.all_targets_in_sync
    config.kept_may_be_out = profile.kept_may_be_out
    config.fencing_by_ticks = profile.fencing_by_ticks
    config.rack_selector = broker.rack_aware_reads
    set_log_config(config.logs, broker)
    set_group_config(config.groups, broker, profile)
    config.legacy = profile.legacy
    return config


def set_log_config(logs: LogConfig, broker: BrokerSettings) -> None:
    """Retention, as one broker's properties have it."""
    logs.retention_us = broker.retention_us
    logs.retention_bytes = broker.retention_bytes
    logs.roll_us = broker.roll_us
    logs.segment_bytes = broker.segment_bytes
    logs.is_compacted = broker.is_compacted
    logs.check_us = broker.retention_check_us
    logs.first_check_us = broker.retention_first_us
    logs.is_set = broker.keeps_segments


def set_group_config(groups: GroupConfig, broker: BrokerSettings, profile: Profile) -> None:
    """Consumer groups, as one broker's properties and its version have it."""
    groups.first_join_us = broker.first_join_us
    groups.offsets_kept_us = broker.offsets_kept_us
    groups.offsets_check_us = broker.offsets_check_us
    groups.offline_has_rack = profile.offline_has_rack


def phases(doc: Document) -> Phases:
    """The pinned phases of a document."""
    pinned = Phases()
    pinned.heartbeat = dict(doc.phases.heartbeat_us)
    pinned.isr_check = dict(doc.phases.isr_check_us)
    for name, value in (
        ("fencing", doc.phases.fencing_us),
        ("preferred", doc.phases.preferred_us),
        ("unclean", doc.phases.unclean_us),
    ):
        if value is not None:
            setattr(pinned, name, value)
    pinned.fencing_order = list(doc.phases.fencing_order)
    return pinned


def topic_settings(config: dict[str, int | bool | str]) -> TopicSettings:
    """The settings in a topic's own config, of the keys that the engine knows."""
    settings = TopicSettings(-1, -1)
    for key, value in config.items():
        set_key(settings, key, plain(value))
    return settings
