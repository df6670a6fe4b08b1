"""Two drawn clusters with MirrorMaker between them: checks the invariants of both clusters and those of mirrors.

One in ``MIRRORED_ONE_IN`` runs of the swarm does so. The clusters keep their drawn faults; faults of MirrorMaker and
of the WAN are drawn in addition. Then everything is brought back, producers close, and the copies have to catch up.
Left out: faults that are aimed during a run, since their aim looks at one cluster.
"""

from typing import Any, Final

from simengine.facts.kinds import PROCESS_DOWN, PROCESS_PAUSED, PROCESS_RUNNING
from simengine.kernel.random import Stream
from simengine.scenario import Document, load
from simengine.scenario.actions import parse
from simengine.scenario.mirrors import Mirror
from simengine.scenario.model import NetworkEntry, TimelineEntry
from simengine.scenario.sites import together
from simengine.world.world import World
from tests.checked import checked, checks_of
from tests.invariants import full_checks
from tests.invariants.link_checks import message_conservation
from tests.swarm.draw import document_of, draw
from tests.swarm.luck import chance, pick
from tests.swarm.mirror_watch import MirrorWatch

MIRRORED_ONE_IN: Final = 5
OTHER: Final = 2_000_003  # between the seed of a run and that of the cluster beside it
NAMES: Final = ("east", "west")
PROCESS: Final = "mirror-maker"
FAULTS_US: Final = 60_000_000
SLICE_US: Final = 5_000_000
CALM_US: Final = 400_000_000  # reconnects, sessions, 5 min until a broker gives up its controlled shutdown, the backlog
FACTOR_MAX: Final = 3


def mirrored(seed: int) -> None:
    """One such run. Raises Violation."""
    world = checked(drawn(seed))
    world.trace.keep_traffic = True
    watch = MirrorWatch(world)
    run_until(world, FAULTS_US, watch)
    bring_back(world)
    run_until(world, FAULTS_US + CALM_US, watch)
    check_whole(world)
    watch.check_caught_up()


def run_until(world: World, until_us: int, watch: MirrorWatch) -> None:
    """Run on in slices, and check the mirrors after each."""
    while world.now_us < until_us:
        world.run(min(world.now_us + SLICE_US, until_us))
        watch.look()


def check_whole(world: World) -> None:
    """The slow checks of every cluster."""
    for run in world.cluster_runs:
        full_checks.check_all(run.cluster, checks_of(run).parts)
    message_conservation(world.net)


# -- what is drawn


def drawn(seed: int) -> Document:
    """Two clusters of the swarm, one or two flows between them, and faults of all."""
    documents = {name: load(document_of(draw(one))) for name, one in zip(NAMES, (seed, seed + OTHER), strict=True)}
    stream = Stream(seed, "swarm", "mirrors")
    flows = [NAMES] if chance(stream, 50) else [NAMES, (NAMES[1], NAMES[0])]
    document = together(documents, seed)
    faults = [(entry.at_us, entry) for entry in document.timeline if entry.at_us < FAULTS_US]
    faults += [(at, _entry(at, do)) for at, do in _faults(stream, [flow[1] for flow in flows])]
    latency_us = int(pick(stream, (500, 5_000, 20_000, 80_000)))
    return document.model_copy(
        update={
            "mirrors": [_mirror(stream, *flow, documents) for flow in flows],
            "network": NetworkEntry.model_validate({"latency": f"{latency_us}us", "jitter": f"{latency_us // 5}us"}),
            "timeline": [entry for _, entry in sorted(faults, key=lambda fault: fault[0])],
        }
    )


def _mirror(stream: Stream, source: str, target: str, documents: dict[str, Document]) -> Mirror:
    factors = {name: min(FACTOR_MAX, len(document.brokers)) for name, document in documents.items()}
    config: dict[str, Any] = {
        "replication.factor": 1 + int(stream.below(factors[target])),
        "offset-syncs.topic.replication.factor": factors[source],
        "checkpoints.topic.replication.factor": factors[target],
        "offset.storage.replication.factor": factors[target],
        "heartbeats.topic.replication.factor": factors[target],
        "offset.lag.max": int(pick(stream, (0, 10, 100))),
        "offset.flush.interval.ms": int(pick(stream, (2_000, 10_000, 60_000))),
        "emit.checkpoints.interval.seconds": int(pick(stream, (1, 5, 60))),
        "sync.group.offsets.enabled": chance(stream, 70),
        "sync.group.offsets.interval.seconds": int(pick(stream, (1, 5, 60))),
        "scheduled.rebalance.max.delay.ms": 10_000,
    }
    process = f"{PROCESS}-{target}"
    return Mirror.model_validate({"source": source, "target": target, "process": process, "config": config})


def _faults(stream: Stream, targets: list[str]) -> list[tuple[int, str]]:
    """Faults of MirrorMaker's processes and of the WAN. Each kind occurs in half of the runs."""
    found: list[tuple[int, str]] = []
    kinds = [pair for pair in (("kill", "start"), ("pause", "resume"), ("stop", "start")) if chance(stream, 50)]
    for target in targets:
        for verb, back in kinds:
            at = _moment(stream)
            found += [(at, f"{verb} {PROCESS}-{target}"), (_later(stream, at), f"{back} {PROCESS}-{target}")]
    if chance(stream, 50):
        ends = pick(stream, ("east|west", f"{PROCESS}-{targets[0]}|east", f"{PROCESS}-{targets[0]}|west"))
        at = _moment(stream)
        found += [(at, f"cut {ends}"), (_later(stream, at), f"heal {ends}")]
    return found


def _moment(stream: Stream) -> int:
    return int(stream.between(3_000, 40_000)) * 1_000


def _later(stream: Stream, at_us: int) -> int:
    return at_us + int(stream.between(50, 18_000)) * 1_000


def _entry(at_us: int, do: str) -> TimelineEntry:
    return TimelineEntry.model_construct(at_us=at_us, action=parse(do))


# -- the calm after it


def bring_back(world: World) -> None:
    """Heal all links, end all slowness, bring every process back, and close the producers of applications."""
    found = ["heal"]
    for run in world.cluster_runs:
        for broker in run.cluster.brokers:
            name = run.site.called(broker.id)
            found += [f"slow {name} off", f"slow {name} serving off", *_back(name, int(broker.process))]
        for controller in run.cluster.controllers:
            state = PROCESS_DOWN if not controller.up else PROCESS_PAUSED if controller.paused else PROCESS_RUNNING
            found += _back(run.site.called(controller.id), state)
        found += [f"close {run.site.prefix}{producer.id}" for producer in run.doc.producers]
    for process in world.mirrors.processes:
        found += _back(process.name, int(process.state))
    for do in found:
        world.act(world.now_us + 1, do)


def _back(name: str, state: int) -> list[str]:
    return {PROCESS_DOWN: [f"start {name}"], PROCESS_PAUSED: [f"resume {name}"]}.get(state, [])
