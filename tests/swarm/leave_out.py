"""Smaller plans by leaving out nodes and copies: out of replica lists, start states, actions and the core of the heal.

What is left is a document wherever it can be one: a list that would be empty makes room for another broker, or takes
its action with it.
"""

from collections.abc import Iterator
from typing import Any, Final

from simengine.scenario.actions import Action, parse
from simengine.scenario.arguments import split_link
from tests.swarm.draw import Plan

OF_ONE_NODE: Final = ("kill", "stop", "start", "pause", "resume", "slow", "late-heartbeat")
OF_TWO_SIDES: Final = ("cut", "heal", "slow-link")
MEMBERS: Final = ("isr", "elr", "last_known", "adding", "removing", "failed")
COPIES: Final = ("lag", "logs")
MIN_INSYNC: Final = "min.insync.replicas"


def without_nodes(plan: Plan, gone: list[int], moves: bool = False) -> Plan:
    """A plan without these brokers and controllers; ``moves``: other brokers take their copies over, if there are any.

    At least one node of each kind has to be left.
    """
    cluster, heal = plan["cluster"], plan["heal"]
    brokers = [broker for broker in cluster["brokers"] if broker["id"] not in gone]
    voters = [node for node in cluster["controllers"] if node not in gone]
    left = [broker["id"] for broker in brokers]
    entries = [{**entry, "do": text} for entry in plan["timeline"] if (text := said_without(entry["do"], gone, left))]
    return {
        **plan,
        "cluster": {**cluster, "brokers": brokers, "controllers": voters},
        "topics": [topic_on(left, topic, moves) for topic in plan["topics"]],
        "timeline": entries,
        "heal": {
            **heal,
            "brokers": kept(heal["brokers"], gone) or left,
            "controllers": kept(heal["controllers"], gone),
        },
    }


def kept(nodes: list[int], gone: list[int]) -> list[int]:
    """Those that stay."""
    return [node for node in nodes if node not in gone]


def topic_on(left: list[int], topic: dict[str, Any], moves: bool) -> dict[str, Any]:
    """A topic with copies on these brokers alone, equally many of each partition, as a document wants it."""
    lists = [[member for member in members if member in left] for members in topic["assignment"]]
    if moves:
        others = [[b for b in left if b not in members] for members in lists]
        pairs = zip(lists, others, topic["assignment"], strict=True)
        lists = [members + free[: len(before) - len(members)] for members, free, before in pairs]
    fewest = max(1, min(map(len, lists)))
    return with_copies(topic, [(members or left)[:fewest] for members in lists])


def numbers_of(topic: dict[str, Any]) -> list[int]:
    """The numbers of a topic's partitions, in the order of its replica lists."""
    return list(topic.get("partitions", range(len(topic["assignment"]))))


def with_one_partition(plan: Plan, topic: dict[str, Any], number: int) -> Plan:
    """A plan in which a topic has but one of its partitions, under its number, and no action is about another."""
    name, at = topic["name"], numbers_of(topic).index(number)
    fewer = with_copies({**topic, "partitions": [number]}, [topic["assignment"][at]])
    others = [f"{name}-{n}" for n in numbers_of(topic) if n != number]
    entries = [e for e in plan["timeline"] if not any(other in parse(e["do"]).args for other in others)]
    topics = [fewer if one is topic else one for one in plan["topics"]]
    return {**plan, "topics": topics, "timeline": entries}


def with_copies(topic: dict[str, Any], lists: list[list[int]]) -> dict[str, Any]:
    """A topic with these replica lists, and of its start states what they still allow."""
    found = {**topic, "assignment": lists}
    if "initial" in topic:
        states = {int(number): state for number, state in topic["initial"].items()}
        pairs = zip(numbers_of(found), lists, strict=True)
        found["initial"] = {n: state_on(replicas, states[n]) for n, replicas in pairs if n in states}
    return found


def state_on(replicas: list[int], state: dict[str, Any]) -> dict[str, Any]:
    """The state that a partition starts in, as far as it is about these replicas."""
    found = dict(state)
    for key, value in state.items():
        if key in MEMBERS:
            found[key] = [member for member in value if member in replicas]
        elif key in COPIES:
            found[key] = of_members(value, replicas)
    found["isr"] = found["isr"] or replicas[:1]
    if "elr" in found:
        found["elr"] = [member for member in found["elr"] if member not in found["isr"]]
    if state["leader"] not in (-1, *replicas):
        found["leader"] = found["isr"][0]
    return found


def of_members(copies: dict[Any, Any], replicas: list[int]) -> dict[Any, Any]:
    """The entries of each of these replicas; a member's id is a text in a file."""
    return {member: copy for member, copy in copies.items() if int(member) in replicas}


def said_without(text: str, gone: list[int], left: list[int]) -> str:
    """An action that names none of these nodes, but brokers that are ``left``; "" if nothing is left of it."""
    action = parse(text)
    verb, args = action
    if verb in OF_ONE_NODE:
        return "" if int(args[0]) in gone else text
    if verb == "config" and args[0].startswith("broker."):
        return "" if int(args[0].removeprefix("broker.")) in gone else text
    if verb in OF_TWO_SIDES and args:
        left_side, sign, right_side = split_link(args[0])
        here, there = listed_without(left_side, gone), listed_without(right_side, gone)
        return str(Action(verb, (f"{here}{sign}{there}", *args[1:]))) if here and there else ""
    if verb == "create" and len(args) == 3:
        return str(Action(verb, (args[0], str(min(int(args[1]), len(left))), args[2])))
    if verb == "power-loss" or (verb == "reassign" and args[1] != "cancel") or (verb == "create" and len(args) == 2):
        at = 0 if verb == "power-loss" else 1
        spare = str(left[0]) if verb == "create" else ""
        parts = [listed_without(part, gone) or spare for part in args[at].split("/")]
        return str(Action(verb, (*args[:at], "/".join(parts), *args[at + 1 :]))) if all(parts) else ""
    return text


def names_topic(text: str, topic: str) -> bool:
    """True if an action is about a topic, or one of its partitions."""
    return any(topic in (arg, arg.rpartition("-")[0]) for arg in parse(text).args)


def listed_without(text: str, gone: list[int]) -> str:
    """A comma list without these nodes."""
    return ",".join(end for end in text.split(",") if not end.isdecimal() or int(end) not in gone)


def fewer_nodes(plan: Plan) -> Iterator[Plan]:
    """Leave out controllers down to one, and brokers one by one, with whatever they hold.

    Others take over what they can. Else partitions lose a copy, and min.insync.replicas goes down if that is needed.
    """
    cluster = plan["cluster"]
    for voters in (1, 3):
        if len(cluster["controllers"]) > voters:
            yield without_nodes(plan, cluster["controllers"][voters:])
    for broker in cluster["brokers"] if len(cluster["brokers"]) > 1 else []:
        yield without_nodes(plan, [broker["id"]], moves=True)
        fewer = without_nodes(plan, [broker["id"]])
        yield fewer
        yield with_lower_min_insync(fewer)


def fewer_copies(plan: Plan) -> Iterator[Plan]:
    """Leave out a copy of each partition of a topic, on brokers that stay: the last one, or the first."""
    for i, topic in enumerate(plan["topics"]):
        for part in (slice(0, -1), slice(1, None)):
            fewer = with_copies(topic, [members[part] or members for members in topic["assignment"]])
            tried = {**plan, "topics": [*plan["topics"][:i], fewer, *plan["topics"][i + 1 :]]}
            yield tried
            yield with_lower_min_insync(tried)


def with_lower_min_insync(plan: Plan) -> Plan:
    """min.insync.replicas one lower wherever it is set, but not below 1."""
    topics = [{**topic, "config": lower(topic.get("config", {}))} for topic in plan["topics"]]
    cluster = plan["cluster"]
    brokers = [{**b, "config": lower(b["config"])} if "config" in b else b for b in cluster["brokers"]]
    return {**plan, "topics": topics, "cluster": {**cluster, "brokers": brokers, "config": lower(cluster["config"])}}


def lower(config: dict[str, Any]) -> dict[str, Any]:
    """A config with min.insync.replicas one lower."""
    return {**config, MIN_INSYNC: max(1, config[MIN_INSYNC] - 1)} if MIN_INSYNC in config else config
