"""Each sentence of a verdict is true of the facts of its run: a recount of every figure in it, while random runs go on.

A sentence of a kind that has no recount fails (`testing.recount.said`).
"""

from pathlib import Path
from typing import Any

import pytest

from simengine import engine_form
from simengine.facts.decisive import ConsumerReset
from simengine.facts.traffic import Delivered, OffsetCommitted
from simengine.scenario import load
from simengine.scenario.model import Document
from simengine.world.world import World, build
from tests.engine.cluster import taken
from tests.engine.test_recount import mixed
from tests.long_form import runs
from tests.recount.fates import KINDS, Recount
from tests.recount.said import parts_of, untrue
from tests.recount.times import Times
from tests.recount.told_figures import Told
from tests.swarm.draw import document_of, draw
from tests.swarm.size import seeds

RUNS = runs("random runs whose sentences are held against their facts") if engine_form() == "compiled" else 6
SCENARIOS = sorted((Path(__file__).parent.parent / "scenarios").glob("*.yaml"))
LOOKS = 8  # moments of a run at which its sentences are read
CALLS_MAX = 8_000  # a recount of more takes minutes: such a run ends at the look before
TIMES_LONGER = 3  # a stretch without a response is about as long as its longest call


def odd_stretches(world: World) -> list[str]:
    """Stretches without a response that are much longer than any call waited, where no call failed."""
    found = []
    now = world.now_us
    for account in world.book.accounts:
        for calls in account.calls:
            has_failed = any(run.outcome > 2 for run in calls.runs)
            longest = int(calls.waits.longest_us(now))
            for mode in () if has_failed or calls.again else calls.modes:
                odd = [(start, end) for start, end in mode.spans(now) if end - start > TIMES_LONGER * longest]
                found += [f"no response from {start} to {end}, the longest send() {longest}" for start, end in odd]
    return found


def untold(world: World, times: Times, facts: list[Any]) -> list[str]:
    """The sentences of this moment that the facts deny."""
    verdict: Any = world.verdict()
    found = odd_stretches(world)
    topics = {topic.title: [int(p) for p in topic.partitions] for topic in world.cluster.topics}
    for topic in verdict["topics"]:
        told = Told(times, topics[topic["topic"]], facts)
        found += [f"{topic['topic']}: {one}" for one in untrue(topic["sentence"], told)]
    said = verdict["sentence"]
    for name in topics:
        said = said.replace(f"{name}: ", "", 1)
    parts_of(said)
    return [f"{world.now_us / 1e6:.3f} s: {one}" for one in found]


def untold_in(document: Document) -> list[str]:
    """The sentences of a whole run that its facts deny, at several moments."""
    world = build(document)
    world.trace.keep_kinds(list(KINDS))
    times = Times(world, Recount(world))
    found: list[str] = []
    facts: list[Any] = []
    for look in range(1, LOOKS + 1):
        world.run(document.until_us * look // LOOKS)
        new = taken(world)
        facts += [fact for fact in new if isinstance(fact, ConsumerReset | Delivered | OffsetCommitted)]
        times.feed(new)
        times.close(world.now_us)
        found += untold(world, times, facts)
        if found or sum(len(calls) for calls in times.recount.calls.values()) > CALLS_MAX:
            break
    return found


@pytest.mark.parametrize("seed", seeds(RUNS))
def test_every_sentence_on_a_random_run_is_true_of_its_facts(seed: int) -> None:
    plan = mixed(draw(seed)) if seed % 2 else draw(seed)
    assert untold_in(load(document_of(plan))) == []


@pytest.mark.parametrize("seed", [880011, 880026])
def test_nothing_is_said_to_be_kept_while_a_partition_has_no_leader(seed: int) -> None:
    """Producers that were closed, and partitions of which only some have a leader: the records are not decided yet."""
    assert untold_in(load(document_of(draw(seed)))) == []


def test_a_group_whose_last_member_died_has_no_position() -> None:
    """It has read nothing since then, and the sentence says so."""
    assert untold_in(load(document_of(draw(7020)))) == []


def test_a_reader_misses_what_another_leader_wrote_at_the_offsets_that_it_has_passed() -> None:
    """Offsets 21 to 26 were read as an older leader wrote them, and lost: retention took 21 to 53 of the newer one."""
    world = build(load(document_of(draw(880004))))
    world.run(world.doc.until_us)
    said = "C0 and C1 missed 38 records of t0-0: retention had removed 33 of them; there was no committed offset"
    assert said in str(world.verdict()["sentence"])


@pytest.mark.parametrize(
    "path",
    SCENARIOS[:: runs("the sentences of one scenario are held against its facts in")],
    ids=lambda path: path.stem,
)
def test_every_sentence_on_a_scenario_is_true_of_its_facts(path: Path) -> None:
    assert untold_in(load(path.read_bytes())) == []


def test_a_sentence_of_a_new_kind_needs_a_recount() -> None:
    with pytest.raises(ValueError, match="no recount for: Writes were odd"):
        parts_of("Nothing acknowledged was lost. Writes were odd.")
