"""What the plan draws more rarely: each from a stream of its own, so that a seed without it stays as it was.

Even numbers of voters, cores without a majority of them, limits of producers (one request in flight, few retries, small
batches), settings of the cluster or of one broker instead of a topic's, consumers that subscribe; and, while the run
goes, new topics, reassignments to another replication factor, and dynamic settings of the cluster and of brokers.
"""

from typing import Any, Final

from simengine.kernel.random import Stream
from simengine.swarm.luck import chance, pick, placed

EVEN_VOTERS_PERCENT: Final = 12
NO_MAJORITY_PERCENT: Final = 3
LIMIT_PERCENT: Final = 12
LEVEL_PERCENT: Final = 10
SUBSCRIBED_PERCENT: Final = 25
CHANGE_PERCENT: Final = 40  # of the runs in which this kind of fault is on at all
MIN_INSYNC: Final = "min.insync.replicas"
UNCLEAN: Final = "unclean.leader.election.enable"

Plan = dict[str, Any]
Timed = list[tuple[int, str]]  # moments (us) and actions


def voter_count(seed: int, odd: int) -> int:
    """How many controllers: ``odd``, or now and then 2 or 4, which bear no more losses than 1 or 3 (QUO-1)."""
    stream = Stream(seed, "swarm", "even voters")
    return int(pick(stream, (2, 4, 4))) if chance(stream, EVEN_VOTERS_PERCENT) else odd


def few_voters(seed: int, controllers: list[int]) -> list[int] | None:
    """The voters of a core that has no majority (QUO-6), or None: most cores have one."""
    stream = Stream(seed, "swarm", "no majority")
    if not chance(stream, NO_MAJORITY_PERCENT):
        return None
    return sorted(placed(stream, controllers, int(stream.below(len(controllers) // 2 + 1))))


def limits(stream: Stream, config: Plan) -> Plan:
    """What narrows a producer: PC-2 (one request in flight), PC-4 (retries), PC-14 (batches of few records)."""
    found = dict(config)
    if chance(stream, LIMIT_PERCENT):
        found["max.in.flight.requests.per.connection"] = 1
    if chance(stream, LIMIT_PERCENT):
        least = 1 if config.get("enable.idempotence") else 0  # IDEM-1: a real producer refuses to start otherwise
        found["retries"] = least + int(stream.below(4))
    if chance(stream, LIMIT_PERCENT):
        found["batch.size"] = int(pick(stream, (100, 300, 1000)))
    return found


def levels(seed: int, elr: bool, cluster: Plan, topics: list[Plan]) -> None:
    """Move settings from the topics to the cluster, or put one onto a broker (HW-3; ELR-7: not with ELR on)."""
    stream = Stream(seed, "swarm", "levels")
    if chance(stream, LEVEL_PERCENT):
        cluster["config"][MIN_INSYNC] = topics[0]["config"][MIN_INSYNC]
        for topic in topics:
            del topic["config"][MIN_INSYNC]
        if not elr and chance(stream, 50):
            broker = pick(stream, cluster["brokers"])
            broker["config"] = {MIN_INSYNC: 1 + int(stream.below(3))}
    if chance(stream, LEVEL_PERCENT):
        cluster["config"][UNCLEAN] = topics[0]["config"][UNCLEAN]
        for topic in topics:
            del topic["config"][UNCLEAN]


def subscribers(seed: int, topics: list[Plan]) -> list[Plan]:
    """Members of one group that share the partitions (CON-6), with sessions short enough to end within a run."""
    stream = Stream(seed, "swarm", "subscribers")
    if not chance(stream, SUBSCRIBED_PERCENT):
        return []
    config: Plan = {"auto.offset.reset": pick(stream, ("earliest", "latest"))}
    config["session.timeout.ms"] = int(pick(stream, (6_000, 10_000, 45_000)))
    config["max.poll.interval.ms"] = int(pick(stream, (20_000, 60_000, 300_000)))
    names = [topic["name"] for topic in topics]
    return [{"id": f"S{i}", "group": "s", "topics": names, "config": config} for i in range(1 + int(stream.below(3)))]


def created(brokers: list[int], producers: list[str], stream: Stream, moments: list[int]) -> Timed:
    """A topic that is created while the run goes, by the cluster's placement or by hand, and written to (PLACE-1)."""
    if not moments or not chance(stream, CHANGE_PERCENT):
        return []
    at = moments[0]
    if chance(stream, 50):
        where = f"{1 + int(stream.below(min(3, len(brokers))))} {1 + int(stream.below(3))}"
    else:
        where = ",".join(map(str, placed(stream, brokers, 1 + int(stream.below(min(3, len(brokers)))))))
    writes = f"rate {pick(stream, producers)} {1 + int(stream.below(5))} new-0"
    return [(at, f"create new {where}"), (at + 1 + int(stream.exponential(500_000)), writes)]


def refactored(brokers: list[int], topics: list[Plan], stream: Stream, moments: list[int]) -> Timed:
    """At most twice a partition is given another number of replicas (REA-1..6)."""
    if not chance(stream, CHANGE_PERCENT):
        return []
    found: Timed = []
    for at in moments[:2]:
        topic = pick(stream, topics)
        number = int(stream.below(len(topic["assignment"])))
        target = placed(stream, brokers, 1 + int(stream.below(min(4, len(brokers)))))
        found.append((at, f"reassign {topic['name']}-{number} {','.join(map(str, target))}"))
    return found


def changed_levels(brokers: list[int], elr: bool, stream: Stream, moments: list[int]) -> Timed:
    """At most three dynamic settings of the cluster or of a single broker (HW-3, HW-9, UNC-2, ELR-7)."""
    if not chance(stream, CHANGE_PERCENT):
        return []
    found: Timed = []
    for at in moments[:3]:
        if chance(stream, 35):
            found.append((at, f"config cluster {UNCLEAN} {pick(stream, ('true', 'false'))}"))
            continue
        where = "cluster" if elr or chance(stream, 50) else f"broker.{pick(stream, brokers)}"
        found.append((at, f"config {where} {MIN_INSYNC} {1 + int(stream.below(3))}"))
    return found
