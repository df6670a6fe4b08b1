"""The same loss of a cluster in the setups between which teams choose, as documents that run side by side.

Each has the applications of the given document, and ends when a failover by hand is over.
"""

from itertools import combinations
from typing import Any, Final

from simengine.plans.documents import BACK, Plain, Plan, PlanDraft, node_id
from simengine.plans.names import renamed
from simengine.scenario.problems import FieldError
from simengine.scenario.verbs import KILL_RACK

REPLICAS_A_SITE: Final = 2  # of each partition of a stretched cluster
MIN_ISR: Final = "min.insync.replicas"
THIRD: Final = "third-site"


def passive(draft: PlanDraft) -> None:
    """One cluster works and MirrorMaker copies to the other. After the loss somebody moves all clients."""
    draft.fail_over()


def active(draft: PlanDraft) -> None:
    """Both clusters work. Each producer writes half of its records in each, and MirrorMaker copies both ways.

    After the loss somebody moves the clients of the lost cluster.
    """
    if draft.keeps_names:
        circle = "Two flows that keep the names of topics copy in a circle: give the flow the default policy"
        raise FieldError(circle, "active", "the default policy")
    here, there = draft.part(draft.source), draft.part(draft.target)
    moving = [client.id for client in draft.clients]
    for producer in (one for one in here.get("producers", []) if one["id"] in moving):
        producer["rate"] = producer.get("rate", 0) / 2
        there.setdefault("producers", []).append(
            {**_elsewhere(producer, there), "topic": draft.original(producer["topic"])}
        )
    for consumer in (one for one in here.get("consumers", []) if one["id"] in moving):
        there.setdefault("consumers", []).append(renamed(_elsewhere(consumer, there), draft.original))
    assert draft.flow is not None, "only a document with a flow has this setup"
    back = {"source": draft.target, "target": draft.source}
    known = [one for one in draft.plain["mirrors"] if {**one, **back} == one]
    for one in known:
        one["state"] = "running"
    if not known:
        draft.plain["mirrors"].append({**back, "process": BACK, "config": dict(draft.flow.config)})
    draft.fail_over()


def unmirrored(draft: PlanDraft) -> None:
    """Two clusters, and nothing copies between them. After the loss somebody moves all clients."""
    pair = {draft.source, draft.target}
    flows = draft.plain.get("mirrors", [])
    draft.plain["mirrors"] = [one for one in flows if {one["source"], one["target"]} != pair]
    if flows == draft.plain["mirrors"]:
        draft.notes.append("The run that is given is such a setup.")
    draft.forget_copies()
    draft.fail_over()


def stretched(draft: PlanDraft) -> None:
    """One cluster over both sites, with two replicas of each partition and a controller in each.

    A third controller is in a third place. Nobody moves clients: the brokers that are left go on.
    """
    draft.forget_copies()
    here = draft.part(draft.source)
    ids = [node_id(node) for node in here["cluster"]["brokers"]]
    others = [max(ids) + 1 + n for n in range(len(draft.part(draft.target)["cluster"]["brokers"]))]
    racks = dict.fromkeys(ids, draft.source) | dict.fromkeys(others, draft.target)
    places = (draft.target, THIRD, draft.source)
    controllers = [{"id": max(99, *others) + 1 + n, "rack": place} for n, place in enumerate(places)]
    cluster = {
        **here["cluster"],
        "brokers": [{"id": broker, "rack": rack} for broker, rack in racks.items()],
        "controllers": controllers,
    }
    cluster.pop("active", None)
    topics = [one for one in here.get("topics", []) if draft.original(one["name"]) == one["name"]]
    draft.plain = {
        **{key: draft.plain[key] for key in ("format", "seed") if key in draft.plain},
        **{key: here[key] for key in ("profile", "elr", "producers", "consumers") if key in here},
        "cluster": cluster,
        "topics": [_stretched_topic(topic, ids, others) for topic in topics],
        "network": _stretched_network(here.get("network", {}), draft.plain.get("network", {}), places),
    }
    draft.at(draft.times.lost, f"{KILL_RACK} {draft.source}")
    draft.caption(draft.times.lost, f"{draft.source} goes dark.")


def _elsewhere(client: Plain, cluster: Plain) -> Plain:
    """A client of the same settings for another cluster, under an id that is free there. It has read nothing there."""
    taken = [one["id"] for key in ("producers", "consumers") for one in cluster.get(key, [])]
    name = client["id"]
    while name in taken:
        name = f"{name}-2"
    return {**{key: value for key, value in client.items() if key not in ("via", "rack", "committed")}, "id": name}


def _stretched_topic(topic: Plain, ids: list[int], others: list[int]) -> Plain:
    """A topic with replicas in both sites, the leaders where they were."""
    lists = []
    for n, replicas in enumerate(topic["assignment"]):
        here = list(dict.fromkeys([*replicas, *ids]))[:REPLICAS_A_SITE]
        there = [others[(n + k) % len(others)] for k in range(min(REPLICAS_A_SITE, len(others)))]
        lists.append([*here, *there])
    config = {**topic.get("config", {})}
    config[MIN_ISR] = max(int(config.get(MIN_ISR, 1)), min(REPLICAS_A_SITE, len(others)))
    kept = {key: value for key, value in topic.items() if key not in ("initial", "observers")}
    return {**kept, "assignment": lists, "config": config}


def _stretched_network(within: Plain, between: Plain, places: tuple[str, ...]) -> Plain:
    """The delays within the source, and between the places those between the clusters."""
    wan: dict[str, Any] = {key: between[key] for key in ("latency", "jitter") if key in between}
    links = [{"between": list(pair), **wan} for pair in combinations(places, 2)] if wan else []
    return {**{key: within[key] for key in ("latency", "jitter") if key in within}, "links": links}


SETUPS: Final[dict[str, Plan]] = {
    "passive": Plan("Active/passive, MirrorMaker", passive, True),
    "active": Plan("Active/active, MirrorMaker both ways", active, True),
    "unmirrored": Plan("Two clusters, no mirror", unmirrored, False),
    "stretched": Plan("One stretched cluster", stretched, False),
}
