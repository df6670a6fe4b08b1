"""A run that reached its limit goes on as a new one: its state becomes the initial state of a new document.

What a document can say of a state is taken over: brokers, leaders, epochs, ISR, ELR, reassignments, log ends, copies
that lag or are filled from nothing, committed offsets, settings that were changed, dead controllers. A broker that died
or was paused and is not fenced yet, and cut links, are done again at 0. What is in flight and what clients wait for
starts anew. Of several clusters each is taken over by itself. A document cannot say what MirrorMaker has copied, so a
run with mirrors is not carried on.
"""

import json
from typing import Any, Final

from simengine.importers.assumed import ASSUMED
from simengine.kernel.site import SEPARATOR
from simengine.scenario import Document, DocumentError, Problem, load, to_plain
from simengine.scenario.limits import LOG_RECORDS_MAX
from simengine.world.cluster_facts import ClusterFacts
from simengine.world.world import World

OFFSETS_TOPIC: Final = "__consumer_offsets"  # the run makes its own
WITH_MIRRORS: Final = (
    "A run with MirrorMaker cannot be carried on: a document cannot say which records it has copied, and it would copy "
    "all of them again. Branch the run at an earlier moment."
)

Plain = dict[str, Any]
View = dict[str, Any]


def document_from(document: Document, world: World) -> Document:
    """The document that begins in the state of its run. Raises DocumentError where that is no possible beginning."""
    if document.mirrors:
        raise DocumentError([Problem("", "", WITH_MIRRORS)])
    plain: Plain = json.loads(json.dumps(to_plain(document)))
    view: View = world.snapshot()
    again: list[str] = []
    for prefix, part, own in _parts(plain, world, view):
        unnoticed = _unnoticed(own)
        again += [f"{verb} {prefix}{broker}" for broker, verb in unnoticed.items()]
        _take_over(part, own, unnoticed)
    if not world.is_named:
        _say_who_copies(plain, world)
    plain["timeline"] = [{"at": "0s", "do": do} for do in (*again, *_cuts(view, _ends(world)))]
    plain.pop("captions", None)
    plain.pop("expect", None)
    _, is_pasted, assumed = str(plain.get("about", "")).partition(ASSUMED)
    plain["about"] = f"{ASSUMED}{assumed}" if is_pasted else ""  # what the other run was to show is over
    plain["title"] = f"{document.title or 'Run'}, carried on"[:200]
    return load(plain)


def _say_who_copies(plain: Plain, world: World) -> None:
    """Name the replicas that copy whole logs and have not come to the end (FET-18)."""
    index = world.only.parts.partition_index
    for topic in plain["topics"]:
        for number, initial in topic["initial"].items():
            p = index[topic["name"], int(number)]
            copies = [broker.replica(p) for broker in world.cluster.brokers if int(broker.id) not in initial["isr"]]
            copying = [int(copy.broker.id) for copy in copies if copy is not None and copy.old_copy is not None]
            if copying:
                initial["copying"] = copying


def _parts(plain: Plain, world: World, view: View) -> list[tuple[str, Plain, View]]:
    """Of each cluster what is before its names in an action, its part of the document, and its view in its names."""
    if not world.is_named:
        return [("", plain, view)]
    facts = ClusterFacts(world)
    found = []
    for i, (name, part) in enumerate(plain["clusters"].items()):
        own, prefix = facts.view(view, i), f"{name}{SEPARATOR}"
        clients = [{**client, "id": client["id"].removeprefix(prefix)} for client in own["clients"]]
        found.append((prefix, part, {**own, "clients": clients}))
    return found


def _take_over(plain: Plain, view: View, unnoticed: dict[str, str]) -> None:
    """Bring the document of one cluster into the state of its view."""
    cluster = plain["cluster"]
    shared = view["broker_configs"].get("", {})
    cluster["config"] = cluster.get("config", {}) | shared
    cluster["brokers"] = [_broker(node, view, shared, unnoticed) for node in cluster["brokers"]]
    cluster["controllers"] = [_controller(node, view) for node in cluster.get("controllers", [])]
    plain["topics"] = _topics(plain.get("topics", []), view)
    _take_over_clients(plain, view)
    _leave_out_clients_of_deleted_topics(plain, view)


def _id(node: Any) -> int:
    return int(node["id"] if isinstance(node, dict) else node)


def _broker(node: Any, view: View, shared: Plain, unnoticed: dict[str, str]) -> Plain:
    """A broker as it is now; what was set for all of them meanwhile goes over its own server properties (HW-3)."""
    broker: Plain = dict(node) if isinstance(node, dict) else {"id": node}
    name = str(_id(node))
    now = view["brokers"][name]
    own = {key: value for key, value in broker.pop("config", {}).items() if key not in shared}
    config = own | view["broker_configs"].get(name, {})
    if config:
        broker["config"] = config
    broker.pop("state", None)
    if name in unnoticed:
        return broker
    if now["process"] in ("down", "stopping"):
        broker["state"] = "down"
    elif now["registration"] != "active":
        broker["state"] = "fenced"
    return broker


def _controller(node: Any, view: View) -> Any:
    """A controller as it is now."""
    if view["controllers"][str(_id(node))]["process"] not in ("down", "stopping"):
        return {**node, "state": "running"} if isinstance(node, dict) else node
    return {**(node if isinstance(node, dict) else {"id": node}), "state": "down"}


def _unnoticed(view: View) -> dict[str, str]:
    """Brokers that no longer run while the controller counts on them (LIVE-2), and the verb that is done again."""
    verbs = {"down": "kill", "stopping": "kill", "paused": "pause"}
    return {
        name: verbs[now["process"]]
        for name, now in view["brokers"].items()
        if now["process"] in verbs and now["registration"] in ("active", "shutting down")
    }


def _ends(world: World) -> dict[str, str]:
    """The names of the ends of links, by their numbers in a view."""
    clients: Any = world.names()["clients"]
    found = {str(-1 - i): str(client["id"]) for i, client in enumerate(clients)}
    for run in world.cluster_runs:
        nodes = (*run.cluster.brokers, *run.cluster.controllers)
        found |= {str(int(node.id)): str(run.site.called(node.id)) for node in nodes}
    return found


def _cuts(view: View, ends: dict[str, str]) -> list[str]:
    """The links that are cut, cut again."""
    pairs = [pair.split(">") for pair, state in view["links"].items() if state["cut"]]
    return [f"cut {ends[src]}>{ends[dst]}" for src, dst in pairs]


def _topics(topics: list[Plain], view: View) -> list[Plain]:
    """The document's topics, and those that were created live; a deleted one is left out."""
    named = {topic["name"]: topic for topic in topics}
    found: list[Plain] = []
    for index, topic in enumerate(view["topics"]):
        name = topic["name"]
        if name and not topic.get("deleted") and (name != OFFSETS_TOPIC or name in named):
            written = named[name] if index < len(topics) and name in named else {"name": name}
            found.append(_topic(written, index, view))
    return found


def _topic(topic: Plain, index: int, view: View) -> Plain:
    partitions = [partition for partition in view["partitions"] if partition["topic"] == index]
    partitions.sort(key=lambda partition: int(partition["number"]))
    return {
        **topic,
        "assignment": [partition["replicas"] for partition in partitions],
        "config": {**topic.get("config", {}), **_known(topic, view["topics"][index]["config"])},
        "initial": {str(partition["number"]): _initial(partition, topic) for partition in partitions},
    }


def _known(topic: Plain, config: Plain) -> Plain:
    """Settings of the view that the document named, or that were changed live."""
    return {key: value for key, value in config.items() if topic.get("config", {}).get(key) != value}


def _initial(partition: View, topic: Plain) -> Plain:
    began = topic.get("initial", {}).get(str(partition["number"]), {})
    ends = {int(broker): int(copy["leo"]) for broker, copy in partition["copies"].items()}
    leader = int(partition["leader"])
    end = ends.get(leader, max(ends.values(), default=0))
    lag = {str(broker): end - leo for broker, leo in ends.items() if leo < end and broker not in partition["isr"]}
    initial: Plain = {
        "leader": leader,
        "epoch": partition["epoch"],
        "isr": partition["isr"],
        "elr": partition["elr"],
        "last_known": partition["last_known"],
        "adding": partition["adding"],
        "removing": partition["removing"],
        "failed": [broker for broker in began.get("failed", []) if broker not in partition["isr"]],
        "leo": end,
        "lag": lag,
    }
    if logs := _logs_that_begin_late(partition):
        del initial["leo"], initial["lag"]
        initial["logs"] = logs
    return {key: value for key, value in initial.items() if value not in ([], {}) or key == "isr"}


def _logs_that_begin_late(partition: View) -> Plain:
    """Each copy's log, where retention has removed the beginning of some; {} where all begin at 0 or are too long."""
    copies: Plain = partition["copies"]
    if not any(copy["start"] for copy in copies.values()):
        return {}
    if any(copy["leo"] - copy["start"] > LOG_RECORDS_MAX for copy in copies.values()):
        return {}
    logs = {}
    for broker, copy in copies.items():
        epochs = [entry for entry in copy["epochs"] if entry[1] < copy["leo"]]
        logs[broker] = {"epochs": epochs, "leo": copy["leo"], "start": copy["start"]}
    return logs


def _take_over_clients(plain: Plain, view: View) -> None:
    now = {client["id"]: client for client in view["clients"]}
    for client in [*plain.get("producers", []), *plain.get("consumers", [])]:
        state = now.get(client["id"])
        if state is None:
            continue
        client["state"] = "open" if state["state"] == "open" else "closed"
        if state["kind"] == "producer":
            client["acks"] = state["acks"]
            client["rate"] = state["rate_milli"] / 1000
        elif client.get("group"):
            client["committed"] = _committed(client, state, view)


def _committed(consumer: Plain, state: View, view: View) -> list[list[Any]]:
    """The offsets that the group had committed before the run, or the consumer in it."""
    found = {(topic, number): offset for topic, number, offset in consumer.get("committed", [])}
    for p, offset in state["committed"].items():
        partition = view["partitions"][int(p)]
        found[view["topics"][partition["topic"]]["name"], partition["number"]] = offset
    return [[*place, offset] for place, offset in found.items()]


def _leave_out_clients_of_deleted_topics(plain: Plain, view: View) -> None:
    """A client ends with the topics that it writes or reads; one that reads others too reads those."""
    topics = {topic["name"] for topic in plain["topics"]}
    names = ["" if topic.get("deleted") else topic["name"] for topic in view["topics"]]
    partitions = [[names[partition["topic"]], partition["number"]] for partition in view["partitions"]]
    plain["producers"] = [producer for producer in plain.get("producers", []) if producer["topic"] in topics]
    left = []
    for consumer in plain.get("consumers", []):
        consumer["topics"] = [name for name in consumer.get("topics", []) if name in topics]
        consumer["partitions"] = [one for one in consumer.get("partitions", []) if list(one) in partitions]
        consumer["committed"] = [one for one in consumer.get("committed", []) if list(one[:2]) in partitions]
        if consumer["topics"] or consumer["partitions"]:
            left.append(consumer)
    plain["consumers"] = left
