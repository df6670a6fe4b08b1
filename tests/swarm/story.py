"""The story of a broken property: its values, the last facts around it, the metadata, and every copy's marks.

A crash of the engine tells the exception and the frames that it came from.
"""

import re
import traceback
from pathlib import Path
from typing import Final

from simengine.facts.kinds import PROCESS_NAMES, REG_NAMES
from simengine.facts.schema import BY_NUMBER
from simengine.facts.trace import Decisive
from simengine.form import ROOT
from simengine.world.world import World
from tests.invariants.violation import Violation
from tests.swarm.fact_words import REPEATED, FactWords

FACTS_TOLD: Final = 20
FRAMES_TOLD: Final = 6
OF_ALL: Final = ("ActionDone", "ProcessChanged", "BrokerRegistration", "ControllerChanged", "LinkChanged")
NOT_TOLD: Final = ("VerdictChanged",)


def partition_of(violation: Violation) -> int:
    """The index of the partition that a violation names, or -1."""
    found = re.search(r"partition (\d+)", violation.where)
    return int(found.group(1)) if found else -1


def story_of(world: World, violation: Violation) -> list[str]:
    """The story of a violation, a line each."""
    p = partition_of(violation)
    words = FactWords(world)
    lines = [f"{violation.name} does not hold at {words.told(violation.where)}: {words.told(violation.story)}"]
    lines += [f"  {line}" for line in facts_around(world, p)]
    lines.append("brokers: " + "; ".join(broker_line(world, int(b.id)) for b in world.cluster.brokers))
    if p >= 0:
        lines += partition_lines(world, p)
    return lines


def facts_around(world: World, p: int) -> list[str]:
    """The last decisive facts that touch a partition, and those that touch all; what clients repeat is told once."""
    words = FactWords(world)
    told: dict[tuple[int, ...], list[Decisive]] = {}
    for fact in reversed(world.trace.decisive):
        name = BY_NUMBER[fact.kind].name
        if name in NOT_TOLD:
            continue
        if p < 0 or name in OF_ALL or getattr(fact, "p", None) == p:
            key = (int(fact.kind), *map(int, fact.values)) if fact.kind in REPEATED else (-1, int(fact.seq))
            if key not in told and len(told) == FACTS_TOLD:
                break
            told.setdefault(key, []).append(fact)
    return [words.line(alike[0], len(alike), int(alike[-1].t)) for alike in reversed(told.values())]


def broker_line(world: World, broker: int) -> str:
    """The state of one broker as process and as registration."""
    node = world.cluster.by_id[broker]
    image = world.cluster.quorum.image
    state = f"{PROCESS_NAMES[int(node.process)]}, {REG_NAMES[int(image.broker_state(broker))]}"
    return f"{broker} {state}, BE {int(node.be)} of {int(image.broker_epoch(broker))}"


def partition_lines(world: World, p: int) -> list[str]:
    """The committed registration of a partition, and each copy: epoch, marks, epoch cache, ISR."""
    r = world.cluster.quorum.image.partition(p)
    lines: list[str] = []
    if r is not None:
        state = f"leader {int(r.leader)} E {int(r.epoch)} PE {int(r.pe)} ISR {r.isr} ELR {r.elr}"
        lines.append(f"metadata: {state} last {r.last_known} of {r.replicas}")
    for broker in world.cluster.brokers:
        copy = broker.replica(p)
        if copy is not None:
            cache = " ".join(f"{e}:{s}" for e, s in zip(copy.log.cache.epochs, copy.log.cache.starts, strict=True))
            marks = f"E {int(copy.epoch)} PE {int(copy.pe)} LEO {int(copy.log.leo)} HW {int(copy.hw)} cache {cache}"
            role = ("no role", "leader", f"follows {int(copy.leader)}")[int(copy.role)]
            lines.append(f"on {int(broker.id)}: {role}, {marks}, ISR {copy.isr} maximal {copy.maximal_isr}")
    return lines


def frames_of(error: Exception) -> list[traceback.FrameSummary]:
    """The innermost frames of an exception, the outermost of them first."""
    return traceback.extract_tb(error.__traceback__)[-FRAMES_TOLD:]


def place_of(error: Exception) -> str:
    """The kind of an exception and the function it was raised in: the same in any run that ends by the same fault."""
    frames = frames_of(error)
    return f"{type(error).__name__} in {Path(frames[-1].filename).stem}.{frames[-1].name}" if frames else ""


def story_of_crash(error: Exception) -> list[str]:
    """The story of a crash: type and text, then the innermost frames, the last one first."""
    told = [f"{type(error).__name__}: {error}"]
    for frame in reversed(frames_of(error)):
        place = frame.filename.removeprefix(f"{ROOT}/")
        told.append(f"  {place}:{frame.lineno} in {frame.name}{': ' + frame.line if frame.line else ''}")
    return told
