"""A whole cluster: brokers, controllers, the quorum and the network between them, set going from a start state."""

from typing import final

from mypy_extensions import i64

from simengine.facts.errors import ERR_NOT_CONTROLLER
from simengine.facts.kinds import PROCESS_DOWN
from simengine.kafka.broker.broker import Broker
from simengine.kafka.broker.isr import IsrCheck
from simengine.kafka.cluster.admin import Admin
from simengine.kafka.controller.control import ReplicationControlManager
from simengine.kafka.controller.quorum import Controller, Quorum, QuorumHooks
from simengine.kafka.group.coordinator import CommitLog
from simengine.kafka.replica import retention
from simengine.kafka.replica.observer import Observer
from simengine.kafka.replica.old_logs import OldLogs
from simengine.kafka.replica.replica_host import Copies
from simengine.kafka.replica.roles import take_registration
from simengine.kafka.shared.causes import Causes
from simengine.kafka.shared.config import Catalog, ClusterConfig, Topic
from simengine.kafka.shared.metadata import REMOVE_TOPIC_RECORD, Record
from simengine.kafka.wire.api import ClientServer
from simengine.kafka.wire.controller_api import (
    AlterAnswer,
    AlterRequest,
    AssignDirectoriesAnswer,
    AssignDirectoriesRequest,
    ControllerAnswer,
    ControllerChannel,
    ControllerRequest,
    HeartbeatAnswer,
    HeartbeatRequest,
    MetadataAnswerBatch,
    MetadataPoll,
    RegisterAnswer,
    RegisterRequest,
)
from simengine.kafka.wire.fetch_api import FetchServer
from simengine.kernel.calendar import Event
from simengine.kernel.network import Network
from simengine.kernel.sim import Sim
from simengine.kernel.site import Site


@final
class Phases:
    """First times of periodic work, -1: drawn from the seed. Controller phases count from the activation."""

    def __init__(self) -> None:
        self.heartbeat: dict[int, int] = {}
        self.isr_check: dict[int, int] = {}
        self.fencing: i64 = -1
        self.preferred: i64 = -1
        self.unclean: i64 = -1
        self.fencing_order: list[int] = []


@final
class Cluster(QuorumHooks):
    """All Kafka processes of one cluster. ``topics`` and ``partition_names`` are those of all clusters of the world."""

    def __init__(
        self, sim: Sim, config: ClusterConfig, phases: Phases, observer: Observer, site: Site, catalog: Catalog
    ) -> None:
        self.site = site
        self.sim = sim
        self.config = config
        self.phases = phases
        self.observer = observer
        self.brokers: list[Broker] = []
        self.by_id: dict[int, Broker] = {}
        self.controllers: list[Controller] = []
        self.catalog = catalog
        self.topics = catalog.topics
        self.partition_names = catalog.partition_names
        self.causes: Causes = Causes()
        self.old_logs: OldLogs = OldLogs()
        self.commits: CommitLog | None = None  # contents of __consumer_offsets, where the cluster has it
        self.net: Network
        self.quorum: Quorum
        self.admin: Admin = Admin(self)
        self._activations: i64 = 0

    def add_broker(self, broker_id: int, rack: str, config: ClusterConfig | None = None) -> Broker:
        """A broker, not yet wired; without a configuration of its own it has the cluster's."""
        broker = Broker(self.sim, broker_id, rack, self.config if config is None else config, self.observer, self.site)
        broker.causes = self.causes
        broker.old_logs = self.old_logs
        self.brokers.append(broker)
        self.by_id[broker_id] = broker
        return broker

    def add_controller(self, controller_id: int, rack: str) -> Controller:
        """A dedicated controller."""
        controller = Controller(self.sim, controller_id, rack, self.site)
        self.controllers.append(controller)
        return controller

    def servers(self) -> list[ClientServer]:
        """The brokers, as clients know them."""
        return [*self.brokers]

    def own_topics(self) -> list[Topic]:
        """The topics of this cluster, in order of their indices."""
        return [topic for topic in self.topics if topic.site is self.site]

    def own_partitions(self) -> list[int]:
        """The indices of this cluster's partitions, in order."""
        return [p for p in range(len(self.partition_names)) if self.has_partition(p)]

    def has_node(self, node: i64) -> bool:
        """True if the broker or controller belongs to this cluster."""
        return node in self.by_id or any(controller.id == node for controller in self.controllers)

    def has_partition(self, p: i64) -> bool:
        """True if the partition belongs to this cluster."""
        return self.topics[self.partition_names[p][0]].site is self.site

    def wire(self, net: Network) -> None:
        """Give every process the network; nothing is connected yet."""
        self.net = net
        self.quorum = Quorum(net, self.config, self.controllers, self, self.site)
        copies = Copies()
        peers: dict[int, FetchServer] = {**self.by_id}
        for broker in self.brokers:
            broker.net = net
            broker.brokers = peers
            copies.join(broker)
            broker.topics = self.topics
            broker.partition_names = self.partition_names
            for controller in self.controllers:
                broker.listener.wire(controller)

    def bootstrap(self, records: list[Record], active: Controller) -> None:
        """Begin at time 0 in the state that ``records`` describe, already known to every node."""
        quorum = self.quorum
        for record in records:
            record.offset = len(quorum.log)
            quorum.log.append(record)
            quorum.image.apply(record)
        for broker in self.brokers:
            broker.image = quorum.image.copy()
            broker.applied = quorum.image.offset
            broker.be = quorum.image.broker_epoch(broker.id)
        quorum.start(active)

    def start_brokers(self) -> None:
        """Let the brokers that run take up their roles, heartbeats and checks."""
        for broker in self.brokers:
            stream = self.sim.stream(broker.name, "phase")
            config = broker.config
            half = config.lag_us // 2
            isr_phase = stream.between(1, half)
            beat = stream.between(1, config.heartbeat_us)
            broker.set_checkpoint_phase(stream.below(config.hw_checkpoint_us))
            if int(broker.id) in self.phases.isr_check:
                isr_phase = self.phases.isr_check[int(broker.id)]
            if int(broker.id) in self.phases.heartbeat:
                beat = self.phases.heartbeat[int(broker.id)]
            broker.isr_phase = half
            if broker.process == PROCESS_DOWN:
                broker.be = -1
                continue
            self.sim.after(isr_phase, IsrCheck(broker))
            retention.begin(broker)
            broker.listener.begin(self.quorum.active)
            broker.lifecycle.resume_running(beat)
        for broker in self.brokers:
            if broker.process == PROCESS_DOWN:
                continue
            for replica in list(broker.hosted):
                registration = broker.image.partition(replica.p)
                if registration is not None:
                    take_registration(replica, registration, 0)
            broker.flush()

    def links_changed(self) -> None:
        """Links were cut or healed: a controller may hear of a newer one, or lose its majority."""
        quorum = self.quorum
        self.observer.links_changed()
        for voter in self.controllers:
            active = quorum.active
            if voter.control is not None and active is not None and active is not voter and voter.up:
                if not self.net.is_cut(voter, active) and not self.net.is_cut(active, voter):
                    quorum.depose(voter)
        quorum.reconsider(False)

    # -- what the quorum asks

    def activate(self, controller: Controller) -> ReplicationControlManager:
        control = ReplicationControlManager(controller, self.quorum, self.config, self.causes)
        control.fencing_order = self.phases.fencing_order
        stream = self.sim.stream(controller.name, "phase " + str(int(self._activations)))
        config = self.config
        first = self._activations == 0
        self._activations += 1
        fence = stream.between(1, config.fence_check_us) if first else config.fence_check_us
        preferred = stream.between(1, config.preferred_interval_us) if first else config.preferred_interval_us
        unclean = stream.between(1, config.unclean_interval_us) if first else config.unclean_interval_us
        phases = self.phases
        if first and phases.fencing >= 0:
            fence = phases.fencing
        if first and phases.preferred >= 0:
            preferred = phases.preferred
        if first and phases.unclean >= 0:
            unclean = phases.unclean
        control.begin(fence, preferred, unclean)
        self.observer.controller_activated(self.sim.now)
        if not first:
            self.sim.after(0, Activated(self))
        return control

    def refuse(self, channel: ControllerChannel, request: ControllerRequest, hint: i64) -> None:
        answer: ControllerAnswer
        if isinstance(request, MetadataPoll):
            answer = MetadataAnswerBatch(request.request_id, ERR_NOT_CONTROLLER, [])
        elif isinstance(request, HeartbeatRequest):
            answer = HeartbeatAnswer(request.request_id, ERR_NOT_CONTROLLER, False, False)
        elif isinstance(request, AlterRequest):
            answer = AlterAnswer(request.request_id, ERR_NOT_CONTROLLER, [])
        elif isinstance(request, AssignDirectoriesRequest):
            answer = AssignDirectoriesAnswer(request.request_id, ERR_NOT_CONTROLLER)
        else:
            assert isinstance(request, RegisterRequest)
            answer = RegisterAnswer(request.request_id, ERR_NOT_CONTROLLER, -1)
        answer.hint = hint
        channel.answer(answer)

    def fencing_decided(self, broker: i64, now: i64) -> None:
        self.observer.fencing_decided(broker, now)

    def voters_changed(self) -> None:
        self.observer.voters_changed(self.sim.now)

    def proposal_answered(self, broker: i64, p: i64, error: i64) -> None:
        self.observer.proposal_answered(broker, p, error)

    def heard(self, broker: i64, now: i64) -> None:
        self.observer.heartbeat(broker, now)

    def batch_committed(self, records: list[Record]) -> None:
        self.observer.batch_committed(records)

    def committed(self, record: Record) -> None:
        if record.kind == REMOVE_TOPIC_RECORD:
            topic = self.topics[record.topic]
            for one in self.own_topics():
                if one.is_deleted and one.name == topic.name:
                    topic.deleted_as += 1
            topic.is_deleted = True
        self.observer.committed(record)

    def control(self) -> ReplicationControlManager | None:
        """The state machine of the controller that the quorum takes for active, if there is one."""
        active = self.quorum.active
        control = None if active is None else active.control
        assert control is None or isinstance(control, ReplicationControlManager)
        return control


@final
class Activated(Event):
    """A controller has become active."""

    def __init__(self, cluster: Cluster) -> None:
        super().__init__()
        self._cluster = cluster

    def fire(self) -> None:
        self._cluster.admin.controller_activated()
