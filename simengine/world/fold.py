"""The fold: facts in, view out, as the page does it (``static/js/fold/fold.js``); it must equal ``view.snapshot``.

It repeats what facts say and decides nothing. Used by tests, which hold both folds and the snapshot against each other.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final

from simengine.facts import decisive, kinds, traffic
from simengine.facts.figures import figures_in
from simengine.facts.reading import read
from simengine.kafka.shared.metadata import CLUSTER_SETTINGS
from simengine.kernel.site import SETTINGS_STEP
from simengine.kernel.titles import deleted_title, split_title

RUNS_MAX: Final = 64
REGISTERED: Final = ("leader", "epoch", "pe", "replicas", "isr", "elr", "last_known", "adding", "removing")
NOTHING_COPIED: Final = {"upstream": -1, "downstream": -1, "count": 0, "at": -1, "skipped": 0, "syncs": 0}

View = dict[str, Any]
Row = Sequence[Any]


def fold(view: View, row: Row) -> None:
    """Apply one fact to a view in place."""
    view["seq"], view["t"] = row[0], row[1]
    handler = HANDLERS.get(row[2])
    if handler is not None:
        handler(view, read(row))


def copy_of(view: View, p: int, broker: int) -> dict[str, Any]:
    """One broker's copy of a partition, made empty if there is none yet."""
    copies: dict[str, dict[str, Any]] = view["partitions"][p]["copies"]
    key = str(broker)
    if key not in copies:
        copies[key] = {
            "role": "none",
            "epoch": -1,
            "leader": -1,
            "hw": 0,
            "leo": 0,
            "start": 0,
            "epochs": [],
            "isr": [],
            "maximal": [],
        }
    return copies[key]


def start_epoch(epochs: list[list[int]], epoch: int, start: int) -> None:
    """Records from ``start`` on carry ``epoch`` (LOG-2, LOG-3)."""
    if epochs and epochs[-1][0] == epoch and epochs[-1][1] <= start:
        return
    while epochs and (epochs[-1][0] >= epoch or epochs[-1][1] >= start):
        epochs.pop()
    epochs.append([epoch, start])


def add_run(runs: list[list[int]], base: int, count: int, epoch: int) -> None:
    """Add a run, joined with the last one where it continues it; keep the newest."""
    if runs and runs[-1][2] == epoch and runs[-1][0] + runs[-1][1] == base:
        runs[-1][1] += count
        return
    runs.append([base, count, epoch])
    if len(runs) > RUNS_MAX:
        runs.pop(0)


def remove_run(runs: list[list[int]], base: int, count: int, epoch: int) -> list[list[int]]:
    """The runs without some records."""
    end = base + count
    left: list[list[int]] = []
    for start, n, of in runs:
        if of != epoch or start >= end or start + n <= base:
            left.append([start, n, of])
            continue
        if start < base:
            left.append([start, base - start, of])
        if start + n > end:
            left.append([end, start + n - end, of])
    return left


def process_changed(view: View, fact: decisive.ProcessChanged) -> None:
    node = str(fact.node)
    holder = view["brokers"].get(node) or view["controllers"].get(node)
    if holder is not None:
        if "left" in holder:
            holder["left"] = bool(fact.left)
        holder["process"] = kinds.PROCESS_NAMES[fact.state]


def broker_registration(view: View, fact: decisive.BrokerRegistration) -> None:
    holder = view["brokers"][str(fact.broker)]
    holder["be"] = fact.be
    holder["registration"] = kinds.REG_NAMES[fact.state]


def cluster_at(view: View, index: int) -> View:
    """The part of a view that is of one cluster: the view itself where the only cluster has no name."""
    clusters: list[View] | None = view.get("clusters")
    return view if clusters is None else clusters[index]


def cluster_of(view: View, node: int) -> int:
    """The index of the cluster that a broker or controller is of."""
    bases = [cluster["base"] for cluster in view.get("clusters", [{"base": 0}])]
    return max(index for index, base in enumerate(bases) if base <= node)


def controller_changed(view: View, fact: decisive.ControllerChanged) -> None:
    controller = fact.controller
    index = cluster_of(view, controller) if controller >= 0 else -1 - controller
    cluster_at(view, index).update(active=max(controller, -1), controller_epoch=fact.epoch)
    if controller >= 0:  # QUO-4: it begins every session anew
        for number, broker in view["brokers"].items():
            if cluster_of(view, int(number)) == index:
                broker["heartbeat"] = fact.t


def partition_changed(view: View, fact: decisive.PartitionChanged) -> None:
    view["partitions"][fact.p].update({key: getattr(fact, key) for key in REGISTERED})


def leader_activated(view: View, fact: decisive.LeaderActivated) -> None:
    copy = copy_of(view, fact.p, fact.broker)
    copy.update(role="leader", epoch=fact.epoch, leader=fact.broker, hw=fact.hw, leo=fact.leo)
    copy.update(isr=fact.isr, maximal=sorted(fact.isr))
    start_epoch(copy["epochs"], fact.epoch, fact.start)


def follower_started(view: View, fact: decisive.FollowerStarted) -> None:
    copy = copy_of(view, fact.p, fact.broker)
    copy.update(role="follower", epoch=fact.epoch, leader=fact.leader, hw=fact.hw, leo=fact.leo)


def isr_proposed(view: View, fact: decisive.IsrProposed) -> None:
    copy_of(view, fact.p, fact.broker)["maximal"] = fact.maximal


def isr_adopted(view: View, fact: decisive.IsrAdopted) -> None:
    copy_of(view, fact.p, fact.broker).update(isr=fact.isr, maximal=sorted(fact.isr))


def truncated(view: View, fact: decisive.Truncated) -> None:
    copy = copy_of(view, fact.p, fact.broker)
    copy.update(leo=fact.new, hw=fact.hw, start=min(copy["start"], fact.new))
    copy["epochs"] = [entry for entry in copy["epochs"] if entry[1] < fact.new]


def link_changed(view: View, fact: decisive.LinkChanged) -> None:
    key = f"{fact.src}>{fact.dst}"
    if fact.cut or fact.slow_us:
        view["links"][key] = {"cut": fact.cut, "slow_us": fact.slow_us}
    else:
        view["links"].pop(key, None)


def config_changed(view: View, fact: decisive.ConfigChanged) -> None:
    key, _, value = fact.text.partition("=")
    subject = fact.topic
    if subject >= 0:
        view["topics"][subject]["config"][key] = value
    elif subject == CLUSTER_SETTINGS or subject <= -SETTINGS_STEP:
        cluster_at(view, -(subject + 1) // SETTINGS_STEP)["broker_configs"].setdefault("", {})[key] = value
    else:
        broker = CLUSTER_SETTINGS - 1 - subject
        configs = cluster_at(view, cluster_of(view, broker))["broker_configs"]
        configs.setdefault(str(broker), {})[key] = value


def client_changed(view: View, fact: decisive.ClientChanged) -> None:
    client = view["clients"][fact.client]
    client["state"] = kinds.CLIENT_NAMES[fact.state]
    client["rate_milli"] = fact.rate_milli
    if client["kind"] == "producer":
        client["acks"] = "all" if fact.acks < 0 else str(fact.acks)


def client_joined(view: View, fact: decisive.ClientJoined) -> None:
    clients = view["clients"]
    while len(clients) < fact.client:  # the clients of MirrorMaker, which a view does not show
        clients.append(new_client("", "mirror"))
    name, kind, topics, *group = fact.text.split(" ")
    if len(clients) == fact.client:
        clients.append({**new_client(name, kind), "topics": topics.split(","), "group": "".join(group)})


def new_client(name: str, kind: str) -> View:
    """A client of which nothing is known yet."""
    counters: View = {"rate_milli": 0, "queued": {}, "inflight": {}, "acked": 0, "failed": 0}
    return {"id": name, "kind": kind, "state": "closed", "acks": "", **counters, "position": {}, "committed": {}}


def replica_gone(view: View, fact: decisive.ReplicaGone) -> None:
    view["partitions"][fact.p]["copies"].pop(str(fact.broker), None)


def records_lost(view: View, fact: decisive.RecordsLost) -> None:
    add_run(view["partitions"][fact.p]["lost"], fact.base, fact.count, fact.epoch)


def records_back(view: View, fact: decisive.RecordsBack) -> None:
    partition = view["partitions"][fact.p]
    partition["lost"] = remove_run(partition["lost"], fact.base, fact.count, fact.epoch)


def verdict_changed(view: View, fact: decisive.VerdictChanged) -> None:
    view["verdict"][str(fact.topic)] = {**figures_in(fact), "sentence": fact.sentence}


def cluster_verdict_changed(view: View, fact: decisive.ClusterVerdictChanged) -> None:
    view["sentence"] = fact.sentence


def site_verdict_changed(view: View, fact: decisive.SiteVerdictChanged) -> None:
    cluster_at(view, fact.cluster)["sentence"] = fact.sentence


def partition_created(view: View, fact: decisive.PartitionCreated) -> None:
    topic, p = fact.topic, fact.p
    while len(view["topics"]) <= topic:  # one before it may wait to be created
        view["topics"].append({"name": "", "config": {}})
    view["topics"][topic]["name"] = fact.text
    if "clusters" in view:
        view["topics"][topic]["cluster"] = cluster_of(view, fact.replicas[0])
    while len(view["partitions"]) <= p:
        view["partitions"].append(new_partition(-1, -1))
    view["partitions"][p] = new_partition(topic, fact.number)


def new_partition(topic: int, number: int) -> View:
    """A partition of which nothing is known yet; of a topic that waits to be created -1, -1."""
    numbers = {"topic": topic, "number": number, "leader": -1, "epoch": -1, "pe": -1}
    lists = ("replicas", "isr", "elr", "last_known", "adding", "removing", "acked", "lost")
    return {**numbers, **{key: [] for key in lists}, "copies": {}}


def topic_deleted(view: View, fact: decisive.TopicDeleted) -> None:
    topic = view["topics"][fact.topic]
    gone = [one for one in view["topics"] if one.get("deleted") and one.get("cluster") == topic.get("cluster")]
    number = 1 + sum(split_title(one["name"])[0] == fact.text for one in gone)
    topic.update(name=deleted_title(fact.text, number), deleted=True)
    for partition in view["partitions"]:
        if partition["topic"] == fact.topic:
            partition.update(leader=-1, epoch=-1, pe=-1)
            partition.update({key: [] for key in ("replicas", "isr", "elr", "last_known", "adding", "removing")})


def appended(view: View, fact: traffic.Appended) -> None:
    copy = copy_of(view, fact.p, fact.broker)
    start_epoch(copy["epochs"], fact.epoch, fact.base)
    copy["leo"] = fact.base + fact.count


def hw_moved(view: View, fact: traffic.HwMoved) -> None:
    copy_of(view, fact.p, fact.broker)["hw"] = fact.hw


def calls_settled(view: View, fact: traffic.CallsSettled) -> None:
    view["clients"][fact.client]["failed" if fact.error else "acked"] += fact.count
    if not fact.error and fact.offset >= 0:
        add_run(view["partitions"][fact.p]["acked"], fact.offset, fact.count, fact.epoch)


def consumer_moved(view: View, fact: traffic.ConsumerMoved) -> None:
    view["clients"][fact.client]["position"][str(fact.p)] = fact.position


def producer_queue(view: View, fact: traffic.ProducerQueue) -> None:
    client = view["clients"][fact.client]
    client["queued"][str(fact.p)] = fact.queued
    client["inflight"][str(fact.p)] = fact.inflight


def heartbeat_noted(view: View, fact: traffic.HeartbeatNoted) -> None:
    view["brokers"][str(fact.broker)]["heartbeat"] = fact.t


def start_moved(view: View, fact: traffic.StartMoved) -> None:
    copy = copy_of(view, fact.p, fact.broker)
    copy["start"] = fact.start
    copy["leo"] = max(copy["leo"], fact.start)
    epochs = copy["epochs"]
    while len(epochs) > 1 and epochs[1][1] <= fact.start:
        del epochs[0]
    if epochs:
        epochs[0][1] = max(epochs[0][1], fact.start)


def epoch_cached(view: View, fact: traffic.EpochCached) -> None:
    start_epoch(copy_of(view, fact.p, fact.broker)["epochs"], fact.epoch, fact.start)


def epochs_dropped(view: View, fact: traffic.EpochsDropped) -> None:
    copy = copy_of(view, fact.p, fact.broker)
    copy["epochs"] = [entry for entry in copy["epochs"] if entry[1] < fact.end]


def metadata_moved(view: View, fact: traffic.MetadataMoved) -> None:
    cluster_at(view, fact.cluster)["metadata_offset"] = fact.offset


def offset_committed(view: View, fact: traffic.OffsetCommitted) -> None:
    view["clients"][fact.client]["committed"][str(fact.p)] = fact.offset


def mirror_process_changed(view: View, fact: decisive.MirrorProcessChanged) -> None:
    view["mirrors"]["processes"][fact.process] = kinds.PROCESS_NAMES[fact.state]


def mirror_tasks_changed(view: View, fact: decisive.MirrorTasksChanged) -> None:
    flow_at(view, fact.flow)["tasks"] = {"state": kinds.TASKS_NAMES[fact.state], "until": fact.until}


def flow_at(view: View, index: int) -> View:
    """A flow by its index."""
    flow: View = view["mirrors"]["flows"][index]
    return flow


def copied_of(view: View, flow: int, p: int) -> View:
    """The view of a flow's copies of a source partition, which may be new."""
    found: View = flow_at(view, flow)["partitions"].setdefault(str(p), dict(NOTHING_COPIED))
    return found


def records_copied(view: View, fact: traffic.RecordsCopied) -> None:
    copied = copied_of(view, fact.flow, fact.p)
    copied["count"] += fact.count
    copied.update(upstream=fact.upstream + fact.count - 1, downstream=fact.downstream + fact.count - 1, at=fact.t)


def offset_synced(view: View, fact: traffic.OffsetSynced) -> None:
    copied_of(view, fact.flow, fact.p)["syncs"] += 1


def mirror_skipped(view: View, fact: decisive.MirrorSkipped) -> None:
    copied_of(view, fact.flow, fact.p)["skipped"] += fact.end - fact.first


def checkpoint_written(view: View, fact: decisive.CheckpointWritten) -> None:
    of_group = flow_at(view, fact.flow)["checkpoints"].setdefault(fact.group, {})
    of_group[str(fact.remote)] = [fact.upstream, fact.downstream]


def group_offset_synced(view: View, fact: decisive.GroupOffsetSynced) -> None:
    flow_at(view, fact.flow)["synced"].setdefault(fact.group, {})[str(fact.remote)] = [fact.offset, fact.error]


HANDLERS: Final[dict[int, Callable[[View, Any], None]]] = {
    kinds.PROCESS_CHANGED: process_changed,
    kinds.BROKER_REGISTRATION: broker_registration,
    kinds.CONTROLLER_CHANGED: controller_changed,
    kinds.PARTITION_CHANGED: partition_changed,
    kinds.LEADER_ACTIVATED: leader_activated,
    kinds.FOLLOWER_STARTED: follower_started,
    kinds.ISR_PROPOSED: isr_proposed,
    kinds.ISR_ADOPTED: isr_adopted,
    kinds.TRUNCATED: truncated,
    kinds.LINK_CHANGED: link_changed,
    kinds.CONFIG_CHANGED: config_changed,
    kinds.CLIENT_CHANGED: client_changed,
    kinds.CLIENT_JOINED: client_joined,
    kinds.REPLICA_GONE: replica_gone,
    kinds.RECORDS_LOST: records_lost,
    kinds.RECORDS_BACK: records_back,
    kinds.VERDICT_CHANGED: verdict_changed,
    kinds.CLUSTER_VERDICT_CHANGED: cluster_verdict_changed,
    kinds.SITE_VERDICT_CHANGED: site_verdict_changed,
    kinds.PARTITION_CREATED: partition_created,
    kinds.TOPIC_DELETED: topic_deleted,
    kinds.APPENDED: appended,
    kinds.HW_MOVED: hw_moved,
    kinds.CALLS_SETTLED: calls_settled,
    kinds.CONSUMER_MOVED: consumer_moved,
    kinds.PRODUCER_QUEUE: producer_queue,
    kinds.HEARTBEAT_NOTED: heartbeat_noted,
    kinds.START_MOVED: start_moved,
    kinds.METADATA_MOVED: metadata_moved,
    kinds.OFFSET_COMMITTED: offset_committed,
    kinds.EPOCH_CACHED: epoch_cached,
    kinds.EPOCHS_DROPPED: epochs_dropped,
    kinds.MIRROR_PROCESS_CHANGED: mirror_process_changed,
    kinds.MIRROR_TASKS_CHANGED: mirror_tasks_changed,
    kinds.RECORDS_COPIED: records_copied,
    kinds.OFFSET_SYNCED: offset_synced,
    kinds.MIRROR_SKIPPED: mirror_skipped,
    kinds.CHECKPOINT_WRITTEN: checkpoint_written,
    kinds.GROUP_OFFSET_SYNCED: group_offset_synced,
}
