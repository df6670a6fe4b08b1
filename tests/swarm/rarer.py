"""The rarer draws of the plan: each from a stream of its own, so that a seed without it stays as it was.

Even numbers of voters, cores without a majority of them, limits of producers (one request in flight, few retries, small
batches), settings of the cluster or of one broker instead of a topic's, consumers that subscribe, logs that begin late;
and, while the run goes, new topics, reassignments to another replication factor, dynamic settings of the cluster and of
brokers, and controllers that are asked when they are outdated.
"""

from typing import Any, Final

from simengine.kernel.random import Stream
from tests.swarm.luck import chance, pick, placed

EVEN_VOTERS_PERCENT: Final = 12
NO_MAJORITY_PERCENT: Final = 3
LIMIT_PERCENT: Final = 12
LEVEL_PERCENT: Final = 10
SUBSCRIBED_PERCENT: Final = 25
LATE_START_PERCENT: Final = 8
OUTDATED_PERCENT: Final = 6
OUTDATED_VOTERS_MIN: Final = 3
OUTDATED_US: Final = 16_000_000  # so long nothing else is broken
BREAKS: Final = ("kill", "stop", "pause", "cut", "power-loss")
CHANGE_PERCENT: Final = 40  # of the runs in which this kind of fault is on at all
MIN_INSYNC: Final = "min.insync.replicas"
UNCLEAN: Final = "unclean.leader.election.enable"

Plan = dict[str, Any]
Timed = list[tuple[int, str]]  # moments (us) and actions


def voter_count(seed: int, odd: int) -> int:
    """The number of controllers: ``odd``, or now and then 2 or 4, which bear no more losses than 1 or 3 (QUO-1)."""
    stream = Stream(seed, "swarm", "even voters")
    return int(pick(stream, (2, 4, 4))) if chance(stream, EVEN_VOTERS_PERCENT) else odd


def few_voters(seed: int, controllers: list[int]) -> list[int] | None:
    """The voters of a core that has no majority (QUO-6), or None: most cores have one."""
    stream = Stream(seed, "swarm", "no majority")
    if not chance(stream, NO_MAJORITY_PERCENT):
        return None
    return sorted(placed(stream, controllers, int(stream.below(len(controllers) // 2 + 1))))


def limits(stream: Stream, config: Plan) -> Plan:
    """The narrow settings of a producer: PC-2 (one request in flight), PC-4 (retries), PC-14 (small batches)."""
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


def late_starts(seed: int, topics: list[Plan]) -> None:
    """Let the logs of the first topic begin at an offset above 0, as retention leaves them: in all its copies alike.

    So a copy that begins with an empty disk lies before the leader's log, and is begun anew (FET-13).
    """
    stream = Stream(seed, "swarm", "late starts")
    if not chance(stream, LATE_START_PERCENT):
        return
    start = 1 + int(stream.below(1000))
    inner = start + 1 + int(stream.below(20))
    log = {"epochs": [[1, start], [3, inner]], "leo": inner + 1 + int(stream.below(20)), "start": start}
    topics[0]["initial"] = {
        number: {"leader": members[0], "isr": members, "epoch": 3, "logs": dict.fromkeys(members, log)}
        for number, members in enumerate(topics[0]["assignment"])
    }


def outdated_controllers(seed: int, cluster: Plan, from_us: int, until_us: int) -> list[Plan]:
    """At most once the active controller is cut off, and asked by who knows what its successor has changed (AP-2)."""
    stream = Stream(seed, "swarm", "outdated controller")
    if len(cluster["controllers"]) < OUTDATED_VOTERS_MIN or not chance(stream, OUTDATED_PERCENT):
        return []
    cluster["config"]["controller.quorum.fetch.timeout.ms"] = 6_000
    at = int(stream.between(from_us, until_us))
    what = {"role": "controller", "verb": "outdate", "pick": int(stream.below(60))}
    return [{"at": at, **what, "length": 10_000_000 + int(stream.below(5_000_000))}]


def quiet_around(outdated: list[Plan], timeline: list[Plan]) -> list[Plan]:
    """A timeline in which nothing else is broken while a controller is outdated; what is undone then stays."""

    def is_kept(entry: Plan) -> bool:
        at, verb = int(entry["at"].removesuffix("us")), entry["do"].split()[0]
        return verb not in BREAKS or all(not 0 <= at - one["at"] < OUTDATED_US for one in outdated)

    return [entry for entry in timeline if is_kept(entry)]


def quiet_targets(outdated: list[Plan], targets: list[Plan]) -> list[Plan]:
    """All targets in their order, none of them aimed while a controller is outdated."""
    others = [t for t in targets if all(not 0 <= t["at"] - one["at"] < OUTDATED_US for one in outdated)]
    return sorted([*others, *outdated], key=lambda target: int(target["at"]))


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
