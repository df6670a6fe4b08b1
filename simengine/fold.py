"""The fold: facts in, view out, as the page does it (``static/js/fold.js``); it must equal ``view.snapshot``.

It repeats what facts say and decides nothing. Used by tests, which hold both folds and the snapshot against each other.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final

from simengine.facts import kinds
from simengine.facts.schema import FACTS
from simengine.kafka.metadata import CLUSTER_SETTINGS
from simengine.kernel.site import SETTINGS_STEP
from simengine.kernel.titles import DELETED

RUNS_MAX: Final = 64
_VERDICT: Final = FACTS[[kind.number for kind in FACTS].index(kinds.VERDICT_CHANGED)]
VERDICT_FIGURES: Final = (*_VERDICT.ints[1:], _VERDICT.text)

NOTHING_COPIED: Final = {"upstream": -1, "downstream": -1, "count": 0, "at": -1, "skipped": 0, "syncs": 0}

View = dict[str, Any]
Row = Sequence[Any]


def fold(view: View, row: Row) -> None:
    """Apply one fact to a view in place."""
    view["seq"], view["t"] = row[0], row[1]
    handler = HANDLERS.get(row[2])
    if handler is not None:
        handler(view, row)


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


def process_changed(view: View, row: Row) -> None:
    node = str(row[4])
    holder = view["brokers"].get(node) or view["controllers"].get(node)
    if holder is not None:
        if "left" in holder:
            holder["left"] = bool(row[6])
        holder["process"] = kinds.PROCESS_NAMES[row[5]]


def broker_registration(view: View, row: Row) -> None:
    holder = view["brokers"][str(row[4])]
    holder["be"] = row[5]
    holder["registration"] = kinds.REG_NAMES[row[6]]


def cluster_at(view: View, index: int) -> View:
    """The part of a view that is of one cluster: the view itself where the only cluster has no name."""
    clusters: list[View] | None = view.get("clusters")
    return view if clusters is None else clusters[index]


def cluster_of(view: View, node: int) -> int:
    """The index of the cluster that a broker or controller is of."""
    bases = [cluster["base"] for cluster in view.get("clusters", [{"base": 0}])]
    return max(index for index, base in enumerate(bases) if base <= node)


def controller_changed(view: View, row: Row) -> None:
    controller = row[4]
    index = cluster_of(view, controller) if controller >= 0 else -1 - controller
    cluster_at(view, index).update(active=max(controller, -1), controller_epoch=row[5])
    if controller >= 0:  # QUO-4: it begins every session anew
        for number, broker in view["brokers"].items():
            if cluster_of(view, int(number)) == index:
                broker["heartbeat"] = row[1]


def partition_changed(view: View, row: Row) -> None:
    keys = ("leader", "epoch", "pe")
    lists = ("replicas", "isr", "elr", "last_known", "adding", "removing")
    partition = view["partitions"][row[4]]
    partition.update(zip(keys, row[5:8], strict=True))
    partition.update(zip(lists, row[10:16], strict=True))


def leader_activated(view: View, row: Row) -> None:
    _, _, _, _, broker, p, epoch, _, start, hw, leo, isr = row
    copy = copy_of(view, p, broker)
    copy.update(role="leader", epoch=epoch, leader=broker, hw=hw, leo=leo, isr=isr, maximal=sorted(isr))
    start_epoch(copy["epochs"], epoch, start)


def follower_started(view: View, row: Row) -> None:
    _, _, _, _, broker, p, epoch, leader, hw, leo = row
    copy_of(view, p, broker).update(role="follower", epoch=epoch, leader=leader, hw=hw, leo=leo)


def isr_proposed(view: View, row: Row) -> None:
    copy_of(view, row[5], row[4])["maximal"] = row[9]


def isr_adopted(view: View, row: Row) -> None:
    copy_of(view, row[5], row[4]).update(isr=row[8], maximal=sorted(row[8]))


def truncated(view: View, row: Row) -> None:
    _, _, _, _, broker, p, _, leo, hw = row
    copy = copy_of(view, p, broker)
    copy.update(leo=leo, hw=hw, start=min(copy["start"], leo))
    copy["epochs"] = [entry for entry in copy["epochs"] if entry[1] < leo]


def link_changed(view: View, row: Row) -> None:
    key = f"{row[4]}>{row[5]}"
    if row[6] or row[7]:
        view["links"][key] = {"cut": row[6], "slow_us": row[7]}
    else:
        view["links"].pop(key, None)


def config_changed(view: View, row: Row) -> None:
    key, _, value = row[5].partition("=")
    subject = row[4]
    if subject >= 0:
        view["topics"][subject]["config"][key] = value
    elif subject == CLUSTER_SETTINGS or subject <= -SETTINGS_STEP:
        cluster_at(view, -(subject + 1) // SETTINGS_STEP)["broker_configs"].setdefault("", {})[key] = value
    else:
        broker = CLUSTER_SETTINGS - 1 - subject
        configs = cluster_at(view, cluster_of(view, broker))["broker_configs"]
        configs.setdefault(str(broker), {})[key] = value


def client_changed(view: View, row: Row) -> None:
    client = view["clients"][row[4]]
    client["state"] = kinds.CLIENT_NAMES[row[5]]
    client["rate_milli"] = row[7]
    if client["kind"] == "producer":
        client["acks"] = "all" if row[6] < 0 else str(row[6])


def client_joined(view: View, row: Row) -> None:
    clients = view["clients"]
    while len(clients) < row[4]:  # the clients of MirrorMaker, which a view does not show
        clients.append(new_client("", "mirror"))
    name, kind, topics, *group = row[6].split(" ")
    if len(clients) == row[4]:
        clients.append({**new_client(name, kind), "topics": topics.split(","), "group": "".join(group)})


def new_client(name: str, kind: str) -> View:
    """A client of which nothing is known yet."""
    counters: View = {"rate_milli": 0, "queued": {}, "inflight": {}, "acked": 0, "failed": 0}
    return {"id": name, "kind": kind, "state": "closed", "acks": "", **counters, "position": {}, "committed": {}}


def replica_gone(view: View, row: Row) -> None:
    view["partitions"][row[5]]["copies"].pop(str(row[4]), None)


def records_lost(view: View, row: Row) -> None:
    add_run(view["partitions"][row[4]]["lost"], row[5], row[6], row[7])


def records_back(view: View, row: Row) -> None:
    partition = view["partitions"][row[4]]
    partition["lost"] = remove_run(partition["lost"], row[5], row[6], row[7])


def verdict_changed(view: View, row: Row) -> None:
    view["verdict"][str(row[4])] = dict(zip(VERDICT_FIGURES, row[5:], strict=True))


def cluster_verdict_changed(view: View, row: Row) -> None:
    view["sentence"] = row[4]


def site_verdict_changed(view: View, row: Row) -> None:
    cluster_at(view, row[4])["sentence"] = row[5]


def partition_created(view: View, row: Row) -> None:
    _, _, _, _, p, topic, number, replicas, name = row
    while len(view["topics"]) <= topic:  # one before it may wait to be created
        view["topics"].append({"name": "", "config": {}})
    view["topics"][topic]["name"] = name
    if "clusters" in view:
        view["topics"][topic]["cluster"] = cluster_of(view, replicas[0])
    while len(view["partitions"]) <= p:
        view["partitions"].append(new_partition(-1, -1))
    view["partitions"][p] = new_partition(topic, number)


def new_partition(topic: int, number: int) -> View:
    """A partition of which nothing is known yet; of a topic that waits to be created -1, -1."""
    numbers = {"topic": topic, "number": number, "leader": -1, "epoch": -1, "pe": -1}
    lists = ("replicas", "isr", "elr", "last_known", "adding", "removing", "acked", "lost")
    return {**numbers, **{key: [] for key in lists}, "copies": {}}


def topic_deleted(view: View, row: Row) -> None:
    topic = row[4]
    view["topics"][topic].update(name=f"{row[5]}{DELETED}", deleted=True)
    for partition in view["partitions"]:
        if partition["topic"] == topic:
            partition.update(leader=-1, epoch=-1, pe=-1)
            partition.update({key: [] for key in ("replicas", "isr", "elr", "last_known", "adding", "removing")})


def appended(view: View, row: Row) -> None:
    _, _, _, _, broker, p, base, count, epoch = row[:9]
    copy = copy_of(view, p, broker)
    start_epoch(copy["epochs"], epoch, base)
    copy["leo"] = base + count


def hw_moved(view: View, row: Row) -> None:
    copy_of(view, row[5], row[4])["hw"] = row[6]


def calls_settled(view: View, row: Row) -> None:
    _, _, _, _, client, p, _, count, offset, epoch, error = row
    view["clients"][client]["failed" if error else "acked"] += count
    if not error and offset >= 0:
        add_run(view["partitions"][p]["acked"], offset, count, epoch)


def consumer_moved(view: View, row: Row) -> None:
    view["clients"][row[4]]["position"][str(row[5])] = row[6]


def producer_queue(view: View, row: Row) -> None:
    client = view["clients"][row[4]]
    client["queued"][str(row[5])] = row[6]
    client["inflight"][str(row[5])] = row[7]


def heartbeat_noted(view: View, row: Row) -> None:
    holder = view["brokers"][str(row[4])]
    holder["heartbeat"] = row[1]


def start_moved(view: View, row: Row) -> None:
    copy = copy_of(view, row[5], row[4])
    start = row[6]
    copy["start"] = start
    copy["leo"] = max(copy["leo"], start)
    epochs = copy["epochs"]
    while len(epochs) > 1 and epochs[1][1] <= start:
        del epochs[0]
    if epochs:
        epochs[0][1] = max(epochs[0][1], start)


def epoch_cached(view: View, row: Row) -> None:
    start_epoch(copy_of(view, row[5], row[4])["epochs"], row[6], row[7])


def epochs_dropped(view: View, row: Row) -> None:
    copy = copy_of(view, row[5], row[4])
    copy["epochs"] = [entry for entry in copy["epochs"] if entry[1] < row[6]]


def metadata_moved(view: View, row: Row) -> None:
    cluster_at(view, row[5])["metadata_offset"] = row[4]


def offset_committed(view: View, row: Row) -> None:
    view["clients"][row[4]]["committed"][str(row[5])] = row[6]


def mirror_process_changed(view: View, row: Row) -> None:
    view["mirrors"]["processes"][row[4]] = kinds.PROCESS_NAMES[row[5]]


def mirror_tasks_changed(view: View, row: Row) -> None:
    flow_of(view, row)["tasks"] = {"state": kinds.TASKS_NAMES[row[5]], "until": row[6]}


def flow_of(view: View, row: Row) -> View:
    """The flow that a fact is of."""
    flow: View = view["mirrors"]["flows"][row[4]]
    return flow


def copied_of(view: View, row: Row) -> View:
    """What the flow of a fact has copied of its source partition, which may be new."""
    found: View = flow_of(view, row)["partitions"].setdefault(str(row[5]), dict(NOTHING_COPIED))
    return found


def records_copied(view: View, row: Row) -> None:
    _, at, _, _, _, _, upstream, _, downstream, count = row
    copied = copied_of(view, row)
    copied["count"] += count
    copied.update(upstream=upstream + count - 1, downstream=downstream + count - 1, at=at)


def offset_synced(view: View, row: Row) -> None:
    copied_of(view, row)["syncs"] += 1


def mirror_skipped(view: View, row: Row) -> None:
    copied_of(view, row)["skipped"] += row[7] - row[6]


def checkpoint_written(view: View, row: Row) -> None:
    flow_of(view, row)["checkpoints"].setdefault(row[8], {})[str(row[5])] = [row[6], row[7]]


def group_offset_synced(view: View, row: Row) -> None:
    flow_of(view, row)["synced"].setdefault(row[8], {})[str(row[5])] = [row[6], row[7]]


HANDLERS: Final[dict[int, Callable[[View, Row], None]]] = {
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
