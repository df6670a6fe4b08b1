"""Random scenario documents, of every kind that the swarm has to meet.

All draws come from streams keyed by seed, purpose and entity, so that leaving out one fault moves no other. A run first
draws which knobs are on, then their rates. 70 % of the worlds are small: one partition, few records, short timers.
"""

from dataclasses import dataclass, field
from typing import Any, Final

from simengine.kernel.random import Stream
from tests.swarm import rarer, topic_draws
from tests.swarm.client_faults import idle_spells, restarts
from tests.swarm.latencies import network
from tests.swarm.luck import chance, pick, placed
from tests.swarm.site_faults import cut_ends, lost_sites, tangled_links

SMALL_PERCENT: Final = 70
CONTROLLERS: Final = (100, 101, 102, 103, 104)
RACKS: Final = ("az-a", "az-b", "az-c")
WARM_UP_US: Final = 3_000_000
FAULT_KINDS: Final = (
    *("kill", "stop", "pause", "cut", "slow", "admin", "power", "disk", "aimed"),
    *("clients", "idle", "site", "tangle", "create", "factor", "levels"),
)
OWN_KEYS: Final = ("targets", "heal")  # of a plan; the rest is a scenario document

Plan = dict[str, Any]


def ms(us: int) -> str:
    """A duration for a document."""
    return f"{max(1, us)}us"


@dataclass
class World:
    """The draws of one world so far."""

    seed: int
    small: bool
    brokers: list[int]
    controllers: list[int]
    topics: list[Plan]
    scale: int  # of the timers, in percent of Kafka's defaults
    elr: bool
    clients: list[Plan] = field(default_factory=list)

    def stream(self, entity: str, purpose: str) -> Stream:
        """A stream of this seed."""
        return Stream(self.seed, entity, purpose)


def document_of(plan: Plan) -> Plan:
    """The scenario document within a plan, as plain data for ``load``."""
    return {key: value for key, value in plan.items() if key not in OWN_KEYS}


def draw(seed: int) -> Plan:
    """A random plan: a document (``document_of``), faults to be aimed while it runs, and the core of its heal."""
    stream = Stream(seed, "swarm", "shape")
    small = chance(stream, SMALL_PERCENT)
    count = pick(stream, (2, 3, 3, 3, 4)) if small else pick(stream, (3, 3, 4, 5, 6, 7))
    voters = rarer.voter_count(seed, int(pick(stream, (1, 3, 3, 3, 3, 3, 3, 3, 5, 5))))
    profile = drawn_profile(Stream(seed, "swarm", "profile"))
    world = World(
        seed,
        small,
        list(range(int(count))),
        list(CONTROLLERS[:voters]),
        [],
        timers(Stream(seed, "swarm", "timers")),
        profile != "3.7" and chance(Stream(seed, "swarm", "elr"), 50),
    )
    world.topics = topics(world)
    nodes = cluster(world)
    rarer.levels(seed, world.elr, nodes, world.topics)
    rarer.late_starts(seed, world.topics)
    topic_draws.retention(seed, world.topics, nodes)
    producers, consumers = clients(world)
    safety_us = int(world.stream("swarm", "phases").between(30, 60 if small else 300)) * 1_000_000
    outdated = rarer.outdated_controllers(seed, nodes, WARM_UP_US, WARM_UP_US + safety_us - 20_000_000)
    others = [*map(str, world.controllers), *(client["id"] for client in world.clients)]
    return {
        "format": 1,
        "title": f"swarm {seed}",
        "seed": seed,
        "profile": profile,
        "elr": world.elr,
        "until": ms(WARM_UP_US + safety_us),
        "cluster": nodes,
        "topics": world.topics,
        "producers": producers,
        "consumers": consumers,
        "network": network(seed, world.brokers, others, 20_000 * world.scale),
        "timeline": rarer.quiet_around(outdated, timeline(world, safety_us)),
        "targets": rarer.quiet_targets(outdated, targets(world, safety_us)),
        "heal": core(world),
    }


def drawn_profile(stream: Stream) -> str:
    """A fifth of the runs propagates metadata as 4.0 does; a tenth of the others is a 3.7, which has no ELR, or a 4.1.

    Of the rest half is 4.2, half 4.4, where a reassignment completes earlier (REA-3). Legacy is left out: the
    properties are those of logs with leader epochs.
    """
    if chance(stream, 20):
        return "4.0"
    if chance(stream, 10):
        return "3.7"
    if chance(stream, 10):
        return "4.1"
    return "4.2" if chance(stream, 50) else "4.4"


def timers(stream: Stream) -> int:
    """Percent of the default timers: half of the runs keep them, the others scale them down to an eighth."""
    return 100 if chance(stream, 50) else int(pick(stream, (70, 50, 35, 25, 18, 13)))


def cluster(world: World) -> Plan:
    """Brokers (a third of the runs with racks), controllers, timers."""
    racks = chance(world.stream("swarm", "racks"), 33)
    scale = world.scale
    config: Plan = {}
    if scale < 100:
        config = {
            "broker.session.timeout.ms": 90 * scale,
            "broker.heartbeat.interval.ms": 20 * scale,
            "replica.lag.time.max.ms": 300 * scale,
            "replica.fetch.wait.max.ms": 5 * scale,
        }
    if chance(world.stream("swarm", "preferred"), 50):
        config["leader.imbalance.check.interval.seconds"] = int(pick(world.stream("swarm", "interval"), (5, 15, 30)))
    if racks and chance(world.stream("swarm", "follower reads"), 75):
        config["replica.selector.class"] = "org.apache.kafka.common.replica.RackAwareReplicaSelector"
    brokers = [{"id": b, **({"rack": RACKS[b % 3]} if racks else {})} for b in world.brokers]
    return {"brokers": brokers, "controllers": world.controllers, "config": config}


def topics(world: World) -> list[Plan]:
    """One topic, or several; replication factor half of the time 3; M from 1 to RF+1."""
    stream = world.stream("swarm", "topics")
    count = 1 if world.small else int(pick(stream, (1, 2, 2, 3)))
    unclean = chance(stream, 20)
    found: list[Plan] = []
    for index in range(count):
        factor = min(len(world.brokers), 3 if chance(stream, 50) else 1 + int(stream.below(5)))
        partitions = 1 if world.small or chance(stream, 60) else 2 + int(stream.below(5))
        if not world.small and chance(stream, 5):
            partitions = 30
        assignment = [placed(stream, world.brokers, factor) for _ in range(partitions)]
        config = {
            "min.insync.replicas": 1 + int(stream.below(factor + 1)),
            "unclean.leader.election.enable": unclean,
        }
        found.append({"name": f"t{index}", "assignment": assignment, "config": config})
    return found


def clients(world: World) -> tuple[list[Plan], list[Plan]]:
    """Producers in all modes, and consumers, one of which may restart."""
    stream = world.stream("swarm", "clients")
    producers: list[Plan] = []
    for index in range(1 + int(stream.below(2 if world.small else 4))):
        acks = pick(stream, ("all", "all", "all", "all", "all", "all", "1", "1", "1", "0"))
        config: Plan = {"linger.ms": int(pick(stream, (0, 5, 50)))}
        if acks == "all":
            config["enable.idempotence"] = not chance(stream, 33)
        if chance(stream, 30):
            config |= {"request.timeout.ms": 3000, "delivery.timeout.ms": 12000}
        topic = pick(stream, world.topics)
        rate = int(pick(stream, (1, 2, 5, 10) if world.small else (1, 5, 20, 50, 200, 500)))
        config = rarer.limits(world.stream(f"swarm client P{index}", "limits"), config)
        producers.append({"id": f"P{index}", "topic": topic["name"], "rate": rate, "acks": acks, "config": config})
    consumers: list[Plan] = []
    for index in range(1 + int(stream.below(3))):
        reset = pick(stream, ("earliest", "earliest", "latest", "none"))
        racks = {"rack": pick(stream, RACKS)} if chance(stream, 30) else {}
        assigned = [[t["name"], n] for t in world.topics for n in range(len(t["assignment"]))]
        reader = {"id": f"C{index}", "partitions": assigned, "config": {"auto.offset.reset": reset}, **racks}
        consumers.append(reader | ({"group": f"g{index}"} if chance(stream, 50) else {}))
    consumers += rarer.subscribers(world.seed, world.topics)
    world.clients = [*producers, *consumers]
    return producers, consumers


def timeline(world: World, safety_us: int) -> list[Plan]:
    """Faults of the kinds that are on, then nothing: the heal is the runner's."""
    entries: list[tuple[int, str]] = []
    for kind in kinds_on(world):
        if kind in FAULTS:
            entries += FAULTS[kind](world, world.stream("swarm " + kind, "times"), safety_us)
    end_us = WARM_UP_US + safety_us
    entries += topic_draws.lives(world.seed, world.topics, world.brokers, world.clients, WARM_UP_US, end_us)
    entries.sort()
    return [{"at": ms(at), "do": text} for at, text in entries if at < WARM_UP_US + safety_us]


def kinds_on(world: World) -> list[str]:
    """Each kind of fault is on with a chance of one half; at least one is."""
    return [kind for kind in FAULT_KINDS if chance(world.stream("swarm " + kind, "on"), 50)] or ["kill"]


def targets(world: World, safety_us: int) -> list[Plan]:
    """Faults at whoever has a role at their time (see ``targets.py``)."""
    if "aimed" not in kinds_on(world):
        return []
    stream = world.stream("swarm aimed", "times")
    coordinators = world.stream("swarm aimed", "coordinators")
    found: list[Plan] = []
    for at in arrivals(stream, int(stream.between(5, 40)) * 10_000 * world.scale, safety_us):
        verb = pick(stream, ("kill", "kill", "pause", "cut", "cut", "stop", "power-loss"))
        length = 1 + int(stream.exponential(60_000 * world.scale))
        role = pick(stream, ("leader", "last member", "sole eligible", "joiner", "proposer", "controller"))
        role = "coordinator" if chance(coordinators, 8) else role
        found.append({"at": at, "role": role, "pick": int(stream.below(60)), "verb": verb, "length": length})
    return found


def core(world: World) -> Plan:
    """The nodes that the heal brings back: all, or some brokers and a majority of the controllers; or all but one."""
    few = rarer.few_voters(world.seed, world.controllers)
    if few is not None:
        return {"brokers": world.brokers, "controllers": few, "how": "kill"}
    stream = world.stream("swarm", "core")
    how = pick(stream, ("kill", "cut"))
    if chance(stream, 50):
        return {"brokers": world.brokers, "controllers": world.controllers, "how": how}
    brokers = [b for b in world.brokers if chance(stream, 60)] or [pick(stream, world.brokers)]
    voters = placed(stream, world.controllers, len(world.controllers) // 2 + 1)
    return {"brokers": brokers, "controllers": sorted(voters), "how": how}


def arrivals(stream: Stream, mean_us: int, safety_us: int) -> list[int]:
    """Poisson moments in the safety phase."""
    at = WARM_UP_US
    found: list[int] = []
    while len(found) < 200:
        at += 1 + int(stream.exponential(mean_us))
        if at >= WARM_UP_US + safety_us:
            return found
        found.append(at)
    return found


def process_faults(verb: str, undo: str) -> Any:
    """Faults that end a process or hold it up, each undone later: many short ones or few long ones."""

    def faults(world: World, stream: Stream, safety_us: int) -> list[tuple[int, str]]:
        short = chance(stream, 50)
        mean = int(stream.between(5, 20) if short else stream.between(15, 60)) * 10_000 * world.scale
        down = (3_000_000 if short else 40_000_000) * world.scale // 100
        found: list[tuple[int, str]] = []
        for at in arrivals(stream, mean, safety_us):
            nodes = world.controllers if chance(stream, 15) and len(world.controllers) > 1 else world.brokers
            node = pick(stream, nodes)
            length = edge(world, stream) if verb == "pause" and chance(stream, 30) else int(stream.exponential(down))
            found += [(at, f"{verb} {node}"), (at + 1 + length, f"{undo} {node}")]
        return found

    return faults


def edge(world: World, stream: Stream) -> int:
    """A pause within a second of the detection window's edges."""
    session, beat = 90_000 * world.scale, 20_000 * world.scale
    middle = session - beat if chance(stream, 50) else session + session // 8
    return max(1, middle + int(stream.between(-10_000 * world.scale, 10_000 * world.scale)))


def cuts(world: World, stream: Stream, safety_us: int) -> list[tuple[int, str]]:
    """Cuts of all shapes, healed one by one or all at once."""
    found: list[tuple[int, str]] = []
    for at in arrivals(stream, int(stream.between(8, 40)) * 1_000_000, safety_us):
        ends = cut_ends(world.brokers, world.controllers, stream)
        length = int(stream.between(1, 90)) * 10_000 * world.scale
        if ends:
            found += [(at, f"cut {ends}"), (at + length, f"heal {ends}")]
    return found


def client_restarts(world: World, stream: Stream, safety_us: int) -> list[tuple[int, str]]:
    """Clients that close or crash, and come back."""
    return restarts(world.clients, stream, arrivals(stream, 20_000_000, safety_us), 60_000 * world.scale)


def idles(world: World, stream: Stream, safety_us: int) -> list[tuple[int, str]]:
    """Producers that fall silent (idle partitions: S22)."""
    return idle_spells(world.clients, stream, arrivals(stream, 20_000_000, safety_us), 200_000 * world.scale)


def sites(world: World, stream: Stream, safety_us: int) -> list[tuple[int, str]]:
    """At most three losses of a site."""
    moments = arrivals(stream, 30_000_000, safety_us)[:3]
    return lost_sites(world.brokers, world.controllers, stream, moments, world.scale)


def tangles(world: World, stream: Stream, safety_us: int) -> list[tuple[int, str]]:
    """At most three times the links of a broker go, and come back in another order."""
    moments = arrivals(stream, 40_000_000, safety_us)[:3]
    return tangled_links(world.brokers, world.controllers, stream, moments, world.scale)


def creations(world: World, stream: Stream, safety_us: int) -> list[tuple[int, str]]:
    """A new topic."""
    producers = [client["id"] for client in world.clients if "rate" in client]
    return rarer.created(world.brokers, producers, stream, arrivals(stream, 20_000_000, safety_us))


def factors(world: World, stream: Stream, safety_us: int) -> list[tuple[int, str]]:
    """Other numbers of replicas."""
    return rarer.refactored(world.brokers, world.topics, stream, arrivals(stream, 20_000_000, safety_us))


def levels(world: World, stream: Stream, safety_us: int) -> list[tuple[int, str]]:
    """Settings of the cluster and of single brokers."""
    return rarer.changed_levels(world.brokers, world.elr, stream, arrivals(stream, 20_000_000, safety_us))


def power_losses(world: World, stream: Stream, safety_us: int) -> list[tuple[int, str]]:
    """Hosts that go dark, and lose what was not on their disks (LOG-8)."""
    found: list[tuple[int, str]] = []
    for at in arrivals(stream, int(stream.between(10, 60)) * 10_000 * world.scale, safety_us):
        broker = pick(stream, world.brokers)
        lost = "" if chance(stream, 50) else f" {1 + int(stream.below(200))}"
        found += [(at, f"power-loss {broker}{lost}"), (at + 1 + int(stream.exponential(3_000_000)), f"start {broker}")]
    return found


def disks(world: World, stream: Stream, safety_us: int) -> list[tuple[int, str]]:
    """One disk in a run is replaced or wiped while its broker is down; half of the time the broker is fenced first."""
    at = WARM_UP_US + int(stream.below(min(safety_us, 1 << 30)))
    broker = pick(stream, world.brokers)
    down = int(stream.exponential(3_000_000)) if chance(stream, 50) else 110_000 * world.scale
    how = "empty" if chance(stream, 50) else "wiped"
    return [(at, f"kill {broker}"), (at + 1 + down, f"start {broker} {how}")]


def slows(world: World, stream: Stream, safety_us: int) -> list[tuple[int, str]]:
    """Brokers whose intake is limited for a while, or, a third of them, what they serve (FLT-9)."""
    serving = world.stream("swarm slow", "serving")
    found: list[tuple[int, str]] = []
    for at in arrivals(stream, 30_000_000, safety_us):
        slow = f"slow {pick(stream, world.brokers)}{' serving' if chance(serving, 33) else ''}"
        found += [(at, f"{slow} {1 + int(stream.below(40))}")]
        found += [(at + int(stream.between(1, 60)) * 1_000_000, f"{slow} off")]
    return found


def admin(world: World, stream: Stream, safety_us: int) -> list[tuple[int, str]]:
    """At most three requests of administrators."""
    found: list[tuple[int, str]] = []
    for _ in range(1 + int(stream.below(3))):
        at = WARM_UP_US + int(stream.below(min(safety_us, 1 << 30)))
        topic = pick(stream, world.topics)
        number = int(stream.below(len(topic["assignment"])))
        factor = len(topic["assignment"][number])
        what = pick(stream, ("preferred", "unclean", "reassign", "cancel", "min", "flag"))
        if what in ("preferred", "unclean"):
            found.append((at, f"elect {what} {topic['name']}-{number}"))
        elif what == "reassign":
            target = placed(stream, world.brokers, factor)
            found.append((at, f"reassign {topic['name']}-{number} {','.join(map(str, target))}"))
        elif what == "cancel":
            found.append((at, f"reassign {topic['name']}-{number} cancel"))
        elif what == "min":
            found.append((at, f"config {topic['name']} min.insync.replicas {1 + int(stream.below(factor))}"))
        else:
            found.append(
                (at, f"config {topic['name']} unclean.leader.election.enable {pick(stream, ('true', 'false'))}")
            )
    return found


FAULTS: Final = {
    "kill": process_faults("kill", "start"),
    "stop": process_faults("stop", "start"),
    "pause": process_faults("pause", "resume"),
    "cut": cuts,
    "slow": slows,
    "admin": admin,
    "power": power_losses,
    "disk": disks,
    "clients": client_restarts,
    "idle": idles,
    "site": sites,
    "tangle": tangles,
    "create": creations,
    "factor": factors,
    "levels": levels,
}
