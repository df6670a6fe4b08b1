"""One swarm run: draw, run with all checks, heal, converge."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from simengine.scenario import DocumentError, load
from simengine.world.world import World
from tests.checked import checked, checks_of
from tests.invariants import full_checks
from tests.invariants.checks import Parts
from tests.invariants.link_checks import message_conservation
from tests.invariants.marks import MARKS
from tests.invariants.violation import Violation
from tests.recount.changes import Changes
from tests.recount.metrics import metrics_recomputed
from tests.recount.rows import Rows
from tests.recount.told import Told
from tests.swarm.beside import BESIDE_ONE_IN, clusters_apart
from tests.swarm.denied import Denied
from tests.swarm.draw import Plan, document_of, draw
from tests.swarm.fact_words import FactWords
from tests.swarm.heal import converge
from tests.swarm.mirrored import MIRRORED_ONE_IN, mirrored
from tests.swarm.story import place_of, story_of, story_of_crash
from tests.swarm.targets import aimed

EVENTS_MAX: Final = 2_000_000  # a minute of a run that needs more, or longer, does not end: "livelock"
CPU_MAX_S: Final = 60.0  # of this process: on a busy machine time passes without a livelock
MINUTE_US: Final = 60_000_000
SLICE_US: Final = 5_000_000
FULL_ONE_IN: Final = 20  # runs that are also held against the slow checks, every FULL_EVENTS events
FULL_EVENTS: Final = 500
TOLD_ONE_IN: Final = 5  # runs whose followers and clients are recounted too
SAID_EVERY: Final = 8  # slices after which the sentences of the verdict are held against the facts

ASSERTION: Final = "assertion"
CRASH: Final = "crash"
DOCUMENT: Final = "document"  # what was drawn is no document

Marks = dict[str, int]


@dataclass
class Outcome:
    """The outcome of one run. ``name`` is the broken property, "" if all held; ``plan`` then what ran, {} if nothing.

    A run that no property ended, but the engine itself or the draw, is a broken run like any other (``is_crash``).
    """

    seed: int
    name: str = ""
    where: str = ""
    story: list[str] = field(default_factory=list)
    at_us: int = 0
    event: int = 0
    simulated_us: int = 0
    digest: str = ""
    marks: Marks = field(default_factory=dict)
    plan: Plan = field(default_factory=dict)

    @property
    def is_crash(self) -> bool:
        """True if it ended without a verdict: an exception, an assertion, no document."""
        return self.name in (ASSERTION, CRASH, DOCUMENT)

    @property
    def kind(self) -> str:
        """The fault that a smaller plan must show too: the property, or the same exception of the same function."""
        return f"{self.name} {self.where}" if self.is_crash else self.name

    def crashed(self, error: Exception) -> None:
        """The run ended so."""
        self.name = ASSERTION if isinstance(error, AssertionError) else CRASH
        self.where, self.story = place_of(error), story_of_crash(error)


def run_plan(plan: Plan, heals: bool = True) -> Outcome:
    """Run one plan through its faults and, unless told not to, its heal phase; what ends it early is its outcome."""
    outcome = Outcome(int(plan["seed"]))
    try:
        world = checked(load(document_of(plan)))
    except DocumentError as error:
        outcome.name, outcome.story = DOCUMENT, [str(error)]
        return outcome
    except Exception as error:  # noqa: BLE001 - one seed's crash must not end the others, nor go without its seed
        outcome.crashed(error)
        outcome.plan = plan
        return outcome
    acted: list[tuple[int, str]] = []
    try:
        run_world(world, plan, acted, heals)
    except Violation as violation:
        outcome.name, outcome.where = violation.name, FactWords(world).told(violation.where)
        outcome.story = story_of(world, violation)
    except Exception as error:  # noqa: BLE001 - as above
        outcome.crashed(error)
    if outcome.name:
        outcome.plan = as_run(plan, acted, world.now_us)
    outcome.at_us, outcome.event = world.now_us, world.events
    outcome.simulated_us, outcome.digest = world.now_us, world.digest()
    outcome.marks = parts_of(world).marks.totals()
    return outcome


def run_world(world: World, plan: Plan, acted: list[tuple[int, str]], heals: bool) -> None:
    """All of a run; ``acted`` takes the actions that its targets become. Raises what ends it early."""
    changes = Changes(world.cluster)
    safety(world, plan, acted, changes)
    if heals:
        converge(world, plan["heal"])
    check_whole(world, changes)


def parts_of(world: World) -> Parts:
    """The checkers of a run."""
    return checks_of(world.only).parts


def check_whole(world: World, changes: Changes | None = None, told: Told | None = None) -> None:
    """The slow checks, of the whole state; ``changes``, ``told``: what was read of the run so far."""
    full_checks.check_all(world.cluster, parts_of(world))
    metrics_recomputed(world.cluster, changes, told)
    message_conservation(world.cluster_parts.net)


def as_run(plan: Plan, acted: list[tuple[int, str]], now_us: int) -> Plan:
    """A plan whose targets up to now have become actions; one at which it crashed while it was aimed is left."""
    entries = [(int(entry["at"].removesuffix("us")), entry["do"]) for entry in plan["timeline"]] + acted
    timeline = [{"at": f"{at}us", "do": text} for at, text in sorted(entries, key=lambda entry: entry[0])]
    return {**plan, "timeline": timeline, "targets": [t for t in plan["targets"] if t["at"] > now_us]}


def safety(world: World, plan: Plan, acted: list[tuple[int, str]], changes: Changes | None = None) -> None:
    """The part with faults: in slices, so that a livelock is seen; targets are aimed on the way.

    Every process's metrics are recounted after each slice, in some runs every FULL_EVENTS events; those that only the
    traffic tells of (MET-11, MET-12), in one run of TOLD_ONE_IN.
    """
    changes = Changes(world.cluster) if changes is None else changes
    begun = time.process_time()
    until = world.doc.until_us
    targets = list(plan["targets"])
    budget = FULL_EVENTS if int(plan["seed"]) % FULL_ONE_IN == 0 else 0
    denied = Denied(world)
    told = Told(world, [denied.readers]) if int(plan["seed"]) % TOLD_ONE_IN == 0 else None
    rows = Rows(world, [denied.readers]) if told is None else None
    slices = 0
    while world.now_us < until:
        goal = min(world.now_us + SLICE_US, until)
        if targets and targets[0]["at"] - 1 <= goal:
            goal = max(world.now_us, targets[0]["at"] - 1)
        world.run(goal, budget or EVENTS_MAX)
        if budget:
            check_whole(world, changes, told)
        else:
            metrics_recomputed(world.cluster, changes, told)
        if rows is not None:
            rows.read()
        slices += 1
        if slices % SAID_EVERY == 0 or world.now_us >= until:
            denied.check()
        if targets and world.now_us >= targets[0]["at"] - 1:
            for at, text in aimed(world, targets.pop(0)):
                if at < until:  # the heal undoes the rest
                    acted.append((world.act(at, text), text))
        minutes = 1 + world.now_us // MINUTE_US
        if world.events > EVENTS_MAX * minutes or time.process_time() - begun > CPU_MAX_S * minutes:
            raise Violation("livelock", "the run", f"{world.events} events by {world.now_us} us")
    world.trace.keep_traffic = False


def run_seed(seed: int) -> Outcome:
    """One run of the swarm."""
    try:
        plan = draw(seed)
    except Exception as error:  # noqa: BLE001 - as in run_plan
        outcome = Outcome(seed)
        outcome.crashed(error)
        return outcome
    outcome = run_plan(plan)
    if not outcome.name and seed % BESIDE_ONE_IN == 0:
        run_two(outcome, clusters_apart)
    if not outcome.name and seed % MIRRORED_ONE_IN == 0:
        run_two(outcome, mirrored)
    return outcome


def run_two(outcome: Outcome, run: Callable[[int], None]) -> None:
    """The same cluster with another; what is wrong there becomes the outcome, without a plan: it is of two."""
    try:
        run(outcome.seed)
    except Violation as violation:
        outcome.name, outcome.where, outcome.story = violation.name, violation.where, [violation.story]
    except Exception as error:  # noqa: BLE001 - as in run_plan
        outcome.crashed(error)


def never_reached(marks: Marks) -> list[str]:
    """The coverage marks that stayed at 0."""
    return [mark for mark in MARKS if not marks.get(mark)]
