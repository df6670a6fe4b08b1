"""One swarm run: draw, run with all checks, heal, converge; and many of them, on several processes."""

import multiprocessing
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

from simengine.invariants.violation import Violation
from simengine.kernel import facts
from simengine.scenario import load
from simengine.swarm.draw import Plan, draw
from simengine.swarm.heal import converge
from simengine.world import World, build

EVENTS_MAX = 2_000_000  # a run that needs more does not end: "livelock"
SLICE_US = 5_000_000

Marks = dict[str, int]


@dataclass
class Outcome:
    """What became of one run. ``name`` is the broken property, "" if all held."""

    seed: int
    name: str = ""
    story: str = ""
    at_us: int = 0
    event: int = 0
    simulated_us: int = 0
    digest: str = ""
    marks: Marks = field(default_factory=dict)


def run_plan(plan: Plan) -> Outcome:
    """Run one document through its faults and its heal phase."""
    world = build(load(plan), checks=True)
    outcome = Outcome(int(plan["seed"]))
    try:
        safety(world)
        converge(world)
    except Violation as violation:
        outcome.name, outcome.story = violation.name, f"{violation.where}: {violation.story}"
    except AssertionError as broken:
        outcome.name, outcome.story = "assertion", str(broken)
    outcome.at_us, outcome.event = world.now_us, world.events
    outcome.simulated_us, outcome.digest = world.now_us, world.digest()
    outcome.marks = marks_of(world)
    return outcome


def safety(world: World) -> None:
    """The part with faults, in slices, so that a livelock is seen."""
    until = world.doc.until_us
    while world.now_us < until:
        world.run(min(world.now_us + SLICE_US, until), EVENTS_MAX)
        if world.events > EVENTS_MAX:
            raise Violation("livelock", "the run", f"{world.events} events by {world.now_us} us")


def marks_of(world: World) -> Marks:
    """Coverage marks: how often the rare branches were taken ("sometimes" assertions)."""
    marks: Marks = dict.fromkeys(MARKS, 0)
    for fact in world.trace.decisive:
        row = fact.row()
        if fact.kind == facts.PARTITION_CHANGED:
            name = ELECTIONS.get(int(str(row[9])))
            if name:
                marks[name] += 1
            if row[9] and row[14]:
                marks["reassignment across a failover"] += 1
        elif fact.kind == facts.TRUNCATED and int(str(row[6])) > int(str(row[7])):
            marks["truncation"] += 1
        elif fact.kind == facts.ISR_REFUSED:
            marks["AlterPartition refused"] += 1
        elif fact.kind in SIMPLE_MARKS:
            marks[SIMPLE_MARKS[fact.kind]] += 1
        elif fact.kind == facts.CONTROLLER_CHANGED and int(str(row[5])) > 1:
            marks["controller failover"] += 1
    for broker in world.cluster.brokers:
        marks["duplicate batch answered"] += int(broker.duplicates_answered)
        marks["REQUEST_TIMED_OUT"] += int(broker.metrics.expired_produces)
    return marks


ELECTIONS = {
    facts.ELECTION_ELR: "ELR election",
    facts.ELECTION_LAST_KNOWN: "last-known election",
    facts.ELECTION_UNCLEAN: "unclean election",
    facts.ELECTION_OFFLINE: "partition offline",
}
SIMPLE_MARKS = {
    facts.RECORDS_LOST: "acknowledged records lost",
    facts.RECORDS_BACK: "lost records back",
    facts.DUPLICATE_WRITTEN: "duplicate written",
    facts.CONSUMER_RESET: "consumer repositioned",
    facts.REQUEST_REFUSED: "administrator refused",
    facts.REPLICA_GONE: "replica gone",
}
MARKS = (
    *ELECTIONS.values(),
    *SIMPLE_MARKS.values(),
    "reassignment across a failover",
    "truncation",
    "AlterPartition refused",
    "controller failover",
    "duplicate batch answered",
    "REQUEST_TIMED_OUT",
)


def run_seed(seed: int) -> Outcome:
    """One run of the swarm."""
    return run_plan(draw(seed))


def run_many(first: int, count: int, jobs: int, seconds: float = 0) -> Iterator[Outcome]:
    """Runs of ``count`` seeds, in order of completion, for at most ``seconds`` (0: no limit)."""
    seeds = range(first, first + count)
    end = time.monotonic() + seconds if seconds else None
    if jobs <= 1:
        for seed in seeds:
            if end is not None and time.monotonic() > end:
                return
            yield run_seed(seed)
        return
    with multiprocessing.get_context("fork").Pool(jobs) as pool:
        for outcome in pool.imap_unordered(run_seed, seeds, chunksize=4):
            yield outcome
            if end is not None and time.monotonic() > end:
                return
