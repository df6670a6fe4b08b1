"""The view for the screen, taken from the state of a run (``snapshot``). The fold of all facts must give the same."""

from typing import TYPE_CHECKING

from simengine.clients.consumer.consumer import Consumer
from simengine.clients.producer.producer import Producer
from simengine.facts.kinds import (
    CLIENT_NAMES,
    PROCESS_DOWN,
    PROCESS_NAMES,
    PROCESS_PAUSED,
    PROCESS_RUNNING,
    PROCESS_STARTING,
    REG_NAMES,
)

if TYPE_CHECKING:
    from simengine.kafka.broker.broker import Broker
    from simengine.kafka.controller.quorum import Controller
    from simengine.kafka.replica.replica import Partition
    from simengine.kafka.shared.config import Topic
    from simengine.world.cluster_run import ClusterRun
    from simengine.world.mirrors.process import RunningFlow
    from simengine.world.world import World

ROLES = ("none", "leader", "follower")

Json = dict[str, object]


def names(world: "World") -> Json:
    """The names behind the numbers in facts."""
    found: Json = {
        "topics": [topic.title for topic in world.catalog.topics],
        "partitions": [list(pair) for pair in world.catalog.partition_names],
        "clients": named_clients(world),
        "brokers": [{"id": int(b.id), "rack": b.rack} for run in world.cluster_runs for b in run.cluster.brokers],
        "controllers": [
            {"id": int(c.id), "rack": c.rack} for run in world.cluster_runs for c in run.cluster.controllers
        ],
    }
    if world.is_named:
        found["clusters"] = [{"name": run.site.name, "base": int(run.site.base)} for run in world.cluster_runs]
        found["topic_clusters"] = [int(topic.site.index) for topic in world.catalog.topics]
    if world.mirrors.processes:
        found["mirrors"] = mirror_names(world)
    return found


def named_clients(world: "World") -> list[Json]:
    """The clients of all clusters, in order of their indices."""
    return [client for run in world.cluster_runs for client in client_names(run)] + later_names(world)


def client_names(run: "ClusterRun") -> list[Json]:
    """The clients of a cluster, in order of their indices."""
    prefix = run.site.prefix
    producers: list[Json] = [
        {"id": prefix + p.id, "kind": "producer", "topic": p.topic, "rack": p.rack or ""} for p in run.doc.producers
    ]
    consumers: list[Json] = [
        {"id": prefix + c.id, "kind": "consumer", "group": c.group or "", "rack": c.rack or ""}
        for c in run.doc.consumers
    ]
    return producers + consumers


def later_names(world: "World") -> list[Json]:
    """The clients that come after all of the document: MirrorMaker's, then those that joined."""
    joined: list[Json] = [
        {
            "id": one.node.name,
            "kind": one.kind,
            **({"topic": one.topics[0]} if one.kind == "producer" else {"group": one.group}),
            "rack": "",
        }
        for one in world.moves.joined
    ]
    return leg_names(world) + joined


def leg_names(world: "World") -> list[Json]:
    """The client nodes of MirrorMaker."""
    legs = {int(leg.id): one.name for one in world.mirrors.processes for leg in one.legs()}
    own = [client for client in world.net.clients if int(client.id) in legs]
    return [{"id": leg.name, "kind": "mirror", "process": legs[int(leg.id)], "rack": ""} for leg in own]


def mirror_names(world: "World") -> Json:
    """The processes of MirrorMaker with the clusters at which they stand, the flows, and its own topics.

    ``remote``: of a flow, the remote partition of each source partition.
    """
    processes = world.mirrors.processes
    of_flow = {one.name: process.name for process in processes for one in process.flows}
    return {
        "processes": [{"name": one.name, "cluster": int(one.site.index)} for one in processes],
        "flows": [flow_names(of_flow[one.name], one) for one in world.mirrors.flows()],
        "own": [int(topic.index) for topic in world.catalog.topics if topic.is_made and not topic.internal],
    }


def flow_names(process: str, running: "RunningFlow") -> Json:
    """A flow: as MirrorMaker writes it, its process, its clusters and its partitions."""
    return {
        "name": running.name,
        "process": process,
        "source": int(running.source.index),
        "target": int(running.target.index),
        "remote": {str(p): int(remote) for p, remote in running.book.remote.items()},
    }


def mirrors_view(world: "World") -> Json:
    """The state of each process of MirrorMaker, and what each flow has copied, synced and checkpointed."""
    return {
        "processes": [PROCESS_NAMES[int(one.state)] for one in world.mirrors.processes],
        "flows": [one.book.view() for one in world.mirrors.flows()],
    }


def snapshot(world: "World") -> Json:
    """The view at this moment. What a cluster has only one of is on top; of clusters with names, in ``clusters``."""
    runs = world.cluster_runs
    figures: Json = {}
    for run in runs:
        figures.update(run.book.figures())
    found: Json = {
        "t": int(world.sim.now),
        "seq": int(world.sim.trace.seq),
        "brokers": {str(int(b.id)): broker_view(run, b) for run in runs for b in run.cluster.brokers},
        "controllers": {str(int(c.id)): {"process": process_of(c)} for run in runs for c in run.cluster.controllers},
        "links": links(world),
        "topics": topics(world),
        "partitions": partitions(world),
        "clients": clients(world),
        "verdict": figures,
    }
    if world.is_named:
        found["clusters"] = [{"name": run.site.name, "base": int(run.site.base), **cluster_view(run)} for run in runs]
    else:
        found.update(cluster_view(world.only))
    if world.mirrors.processes:
        found["mirrors"] = mirrors_view(world)
    return found


def cluster_view(run: "ClusterRun") -> Json:
    """The values that a cluster has only one of."""
    quorum = run.cluster.quorum
    configs = run.executor.configs.committed_of_brokers()
    return {
        "active": run.active_controller(),
        "controller_epoch": int(quorum.epoch),
        "metadata_offset": len(quorum.log),
        "broker_configs": {broker: dict(config) for broker, config in configs.items()},
        "sentence": run.book.said,
    }


def topics(world: "World") -> list[Json]:
    """Names and settings of all topics, and the clusters that they are of where these have names."""
    configs = [run.executor.configs.committed() for run in world.cluster_runs]
    found: list[Json] = []
    for topic in existing(world):
        cluster = int(topic.site.index)
        told: Json = {"name": topic.title if topic.exists else "", "config": dict(configs[cluster][int(topic.index)])}
        if world.is_named and topic.exists:
            told["cluster"] = cluster
        if topic.is_deleted:
            told["deleted"] = True
        found.append(told)
    return found


def existing(world: "World") -> "list[Topic]":
    """The topics up to the last that exists; one before it may wait to be created."""
    found = world.catalog.topics
    return found[: max((int(topic.index) + 1 for topic in found if topic.exists), default=0)]


def partitions(world: "World") -> list[Json]:
    """All partitions of the existing topics; one of a topic that waits to be created has no topic."""
    found: list[Json] = []
    topics, names = world.catalog.topics, world.catalog.partition_names
    last = max((p for topic in existing(world) if topic.exists for p in topic.partitions), default=-1)
    for p in range(last + 1):
        topic = topics[names[p][0]]
        told = partition_view(world.cluster_runs[int(topic.site.index)], p)
        found.append(told if topic.exists else {**told, "topic": -1, "number": -1})
    return found


def process_of(controller: "Controller") -> str:
    """The state of a controller's process in words."""
    if not controller.up:
        return PROCESS_NAMES[PROCESS_STARTING if controller.pending_boot else PROCESS_DOWN]
    if controller.paused:
        return PROCESS_NAMES[PROCESS_PAUSED]
    return "stopping" if controller.stopping else PROCESS_NAMES[PROCESS_RUNNING]


def processes(world: "World") -> list[tuple[str, str]]:
    """Number and state of every process, as ``snapshot`` names them: controllers first, each kind by its number."""
    controllers = sorted((int(c.id), process_of(c)) for run in world.cluster_runs for c in run.cluster.controllers)
    brokers = sorted(
        (int(b.id), PROCESS_NAMES[int(b.process)]) for run in world.cluster_runs for b in run.cluster.brokers
    )
    return [(str(node), process) for node, process in (*controllers, *brokers)]


def broker_view(run: "ClusterRun", node: "Broker") -> Json:
    """Process, registration and last heartbeat of one broker; ``left``: it is down because it was shut down."""
    image = run.cluster.quorum.image
    return {
        "process": PROCESS_NAMES[int(node.process)],
        "left": node.has_left,
        "registration": REG_NAMES[int(image.broker_state(node.id))],
        "be": int(image.broker_epoch(node.id)),
        "heartbeat": run.book.heartbeat_of(int(node.id)),
    }


def links(world: "World") -> Json:
    """The directions that are cut or slowed."""
    net = world.net
    found: Json = {}
    for a in net.nodes:
        for b in net.nodes:
            cut, slow = int(net.is_cut(a, b)), int(net.slowness(a, b))
            if cut or slow:
                found[f"{int(a.id)}>{int(b.id)}"] = {"cut": cut, "slow_us": slow}
    return found


def partition_view(run: "ClusterRun", p: int) -> Json:
    """The committed registration of a partition, every copy as its broker sees it, and what was acked or lost."""
    cluster = run.cluster
    topic, number = cluster.partition_names[p]
    r = cluster.quorum.image.partition(p)
    copies = {
        str(int(broker.id)): copy_view(replica)
        for broker in cluster.brokers
        if (replica := broker.replica(p)) is not None
    }
    observers = run.parts.observers.get(topic, [])
    return {
        "topic": topic,
        "number": number,
        **({"observers": list(observers)} if observers else {}),
        "replicas": [] if r is None else list(r.replicas),
        "leader": -1 if r is None else int(r.leader),
        "epoch": -1 if r is None else int(r.epoch),
        "pe": -1 if r is None else int(r.pe),
        "isr": [] if r is None else list(r.isr),
        "elr": [] if r is None else list(r.elr),
        "last_known": [] if r is None else list(r.last_known),
        "adding": [] if r is None else list(r.adding),
        "removing": [] if r is None else list(r.removing),
        "copies": copies,
        "acked": run.book.acked_runs(p),
        "lost": run.book.lost_runs(p),
    }


def copy_view(replica: "Partition") -> Json:
    """One copy, as its own broker sees it."""
    cache = replica.log.cache
    return {
        "role": ROLES[int(replica.role)],
        "epoch": int(replica.epoch),
        "leader": int(replica.leader),
        "hw": int(replica.hw),
        "leo": int(replica.log.leo),
        "start": int(replica.log.start),
        "epochs": [[e, s] for e, s in zip(cache.epochs, cache.starts, strict=True)],
        "isr": list(replica.isr),
        "maximal": list(replica.maximal_isr),
    }


def clients(world: "World") -> list[Json]:
    """Producers and consumers with their counters, by index. Between them and those that joined are MirrorMaker's."""
    runs, joined = world.cluster_runs, world.moves.joined
    of_document = [node for run in runs for node in clients_of(run)]
    found = [client_view(node) for node in of_document]
    if joined:
        legs = int(joined[0].node.number) - len(found)
        found += [empty_client("", "mirror") for _ in range(legs)]
        found += [{**client_view(one.node), "topics": one.topics, "group": one.group} for one in joined]
    return found


def clients_of(run: "ClusterRun") -> list[Producer | Consumer]:
    """The clients that the document has in a cluster."""
    parts, doc = run.parts, run.doc
    return [*parts.producers[: len(doc.producers)], *parts.consumers[: len(doc.consumers)]]


def empty_client(name: str, kind: str) -> Json:
    """A client of which nothing is known yet."""
    counters: Json = {"rate_milli": 0, "queued": {}, "inflight": {}, "acked": 0, "failed": 0}
    return {"id": name, "kind": kind, "state": "closed", "acks": "", **counters, "position": {}, "committed": {}}


def client_view(client: Producer | Consumer) -> Json:
    """One client with its counters."""
    base = empty_client(client.name, "producer" if isinstance(client, Producer) else "consumer")
    base["state"] = CLIENT_NAMES[int(client.state)]
    if isinstance(client, Producer):
        acks = int(client.settings.acks)
        base["acks"] = "all" if acks < 0 else str(acks)
        base["rate_milli"] = int(client.rate_milli())
        base["queued"] = {str(int(c.p)): int(c.queued) for c in client.calls if c.made}
        base["inflight"] = {str(int(c.p)): int(c.in_flight) for c in client.calls if c.made}
        base["acked"] = int(client.acked) + int(client.handed_over)
        base["failed"] = int(client.failed)
    else:
        base["position"] = {str(p): offset for p, offset in client.positions_stated().items()}
        base["committed"] = {str(p): offset for p, offset in client.commits_stated().items()}
    return base
