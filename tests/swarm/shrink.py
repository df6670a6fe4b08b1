"""Make a failing plan small: the least of it that still breaks the same property.

In turn: nothing after the failure (and no heal, if it came before), fewest topics and partitions, brokers (out of all
replica lists) and copies, as each makes all that follows quicker; then fewest actions (halves, quarters, … singly),
consumers, producers, and again topics, brokers and copies; default settings and timers, fewest records, round times,
one plain latency; and another seed for what chance still decides, as long as the time lasts. It is CPU time of this
process, so that a busy machine changes no result.
"""

import time
from collections.abc import Callable, Iterator
from typing import Any, Final

from tests.swarm.draw import Plan
from tests.swarm.leave_out import fewer_copies, fewer_nodes, names_topic, numbers_of, with_one_partition
from tests.swarm.run import run_plan

CPU_MAX_S: Final = 60.0
OTHER_SEEDS: Final = 50


class Shrinker:
    """Tries smaller plans until its CPU time is over."""

    def __init__(self, plan: Plan, kind: str, cpu_s: float) -> None:
        self.plan = plan
        self.kind = kind
        self.heals = True  # whether the failure is one of the heal phase
        self.end = time.process_time() + cpu_s

    @property
    def is_over(self) -> bool:
        """True if the time is up."""
        return time.process_time() > self.end

    def try_plan(self, tried: Plan) -> bool:
        """Keep a plan if it breaks the property too."""
        tried = with_known_ends(tried)
        if not self.is_over and tried != self.plan and breaks(tried, self.kind, self.heals):
            self.plan = tried
            return True
        return False

    def try_list(self, key: str, fewest: int) -> None:
        """Leave out ever smaller parts of one list (delta debugging)."""
        size = max(1, len(self.plan[key]) // 2)
        while size >= 1 and not self.is_over:
            at = 0
            while at < len(self.plan[key]) and not self.is_over:
                items = self.plan[key]
                left = items[:at] + items[at + size :]
                if len(left) < fewest or not self.try_plan({**self.plan, key: left}):
                    at += size
            size //= 2

    def try_all(self, variants: Callable[[Plan], Iterator[Plan]]) -> None:
        """Try each variant of the plan; those of a plan that was kept begin anew, so that none undoes another."""
        while any(self.try_plan(tried) for tried in variants(self.plan)):
            pass

    def try_fewer(self) -> None:
        """Fewest topics, nodes and copies."""
        self.try_all(without_topics)
        self.try_all(fewer_nodes)
        self.try_all(fewer_copies)


def shrink(plan: Plan, kind: str, cpu_s: float = CPU_MAX_S) -> Plan:
    """The smallest plan found within the CPU time that still breaks the same (``Outcome.kind``)."""
    work = Shrinker(plan, kind, cpu_s)
    at_us = run_plan(plan).at_us
    work.heals = at_us >= us(plan["until"])
    for tried in without_the_rest(plan, at_us):
        work.try_plan(tried)
    work.try_all(with_whole_core)
    work.try_fewer()
    work.try_list("timeline", 0)
    work.try_list("consumers", 0)
    work.try_list("producers", 1)
    work.try_fewer()
    work.try_all(plainer)
    work.try_all(fewer_records)
    work.try_all(rounder)
    work.try_list("timeline", 0)
    for seed in range(1, OTHER_SEEDS + 1):
        if work.is_over or work.plan["seed"] < seed or work.try_plan({**work.plan, "seed": seed}):
            break
    return work.plan


def with_known_ends(plan: Plan) -> Plan:
    """A plan without the links of nodes and clients that were left out, nor reads or writes of what was left out."""
    cluster = plan["cluster"]
    ends = {str(b["id"]) for b in cluster["brokers"]} | {str(c) for c in cluster["controllers"]}
    ends |= {client["id"] for client in (*plan["producers"], *plan["consumers"])}
    network = plan["network"]
    links = [link for link in network.get("links", []) if ends.issuperset(link["between"])]
    there = [[topic["name"], n] for topic in plan["topics"] for n in numbers_of(topic)]
    consumers = [with_known_partitions(consumer, there) for consumer in plan["consumers"]]
    names = [topic["name"] for topic in plan["topics"]]
    producers = [p if p["topic"] in names else {**p, "topic": names[0]} for p in plan["producers"]]
    return {**plan, "network": {**network, "links": links}, "consumers": consumers, "producers": producers}


def with_known_partitions(consumer: dict[str, Any], there: list[list[Any]]) -> dict[str, Any]:
    """A consumer that reads only what is there; one that subscribes names topics."""
    if "partitions" not in consumer:
        names = [name for name in consumer["topics"] if any(name == topic for topic, _ in there)]
        return {**consumer, "topics": names or [there[0][0]]}
    return {**consumer, "partitions": [one for one in consumer["partitions"] if list(one) in there]}


def breaks(plan: Plan, kind: str, heals: bool = True) -> bool:
    """True if a plan still breaks so, in its heal phase or before; one that is no longer a document does not."""
    return run_plan(plan, heals).kind == kind


def us(text: Any) -> int:
    """The microseconds of a time that this package wrote."""
    return int(str(text).removesuffix("us"))


def without_the_rest(plan: Plan, at_us: int) -> Iterator[Plan]:
    """End the run at the failure, if it comes before the heal; nothing is aimed any more."""
    ended = plan
    if at_us < us(plan["until"]):
        entries = [entry for entry in plan["timeline"] if us(entry["at"]) <= at_us]
        ended = {**plan, "until": f"{at_us + 1}us", "timeline": entries}
        yield ended
    yield {**ended, "targets": []}


def without_topics(plan: Plan) -> Iterator[Plan]:
    """Leave out topics, and of each all partitions but one."""
    for topic in list(plan["topics"])[::-1] if len(plan["topics"]) > 1 else []:
        entries = [entry for entry in plan["timeline"] if not names_topic(entry["do"], topic["name"])]
        yield {**plan, "topics": [t for t in plan["topics"] if t is not topic], "timeline": entries}
    for topic in plan["topics"]:
        for number in numbers_of(topic) if len(topic["assignment"]) > 1 else []:
            yield with_one_partition(plan, topic, number)


def with_whole_core(plan: Plan) -> Iterator[Plan]:
    """Let everybody come back."""
    nodes = [broker["id"] for broker in plan["cluster"]["brokers"]]
    yield {**plan, "heal": {"brokers": nodes, "controllers": plan["cluster"]["controllers"], "how": "kill"}}


def plainer(plan: Plan) -> Iterator[Plan]:
    """Default timers, profile and settings, one at a time; one latency for all links; topics that begin empty."""
    cluster = plan["cluster"]
    for i, topic in enumerate(plan["topics"]):
        if "initial" in topic:
            empty = {key: value for key, value in topic.items() if key != "initial"}
            yield {**plan, "topics": [*plan["topics"][:i], empty, *plan["topics"][i + 1 :]]}
    for key in cluster["config"]:
        yield {**plan, "cluster": {**cluster, "config": {k: v for k, v in cluster["config"].items() if k != key}}}
    yield {**plan, "network": {"latency": "1ms", "jitter": "0ms"}}
    yield {**plan, "profile": "4.2"}
    for key in ("producers", "consumers"):
        for i, client in enumerate(plan[key]):
            yield {**plan, key: [*plan[key][:i], {**client, "config": {}}, *plan[key][i + 1 :]]}


def fewer_records(plan: Plan) -> Iterator[Plan]:
    """Lower rates."""
    for rate in (1, 2, 5, 10):
        yield {**plan, "producers": [{**p, "rate": min(rate, p["rate"])} for p in plan["producers"]]}


def rounder(plan: Plan) -> Iterator[Plan]:
    """All times to whole seconds, or to tenths."""
    for unit in (1_000_000, 100_000):
        yield {**plan, "timeline": [{**e, "at": f"{us(e['at']) // unit * unit}us"} for e in plan["timeline"]]}
    for i, entry in enumerate(plan["timeline"]):
        at = us(entry["at"]) // 1_000_000 * 1_000_000
        yield {**plan, "timeline": [*plan["timeline"][:i], {**entry, "at": f"{at}us"}, *plan["timeline"][i + 1 :]]}
