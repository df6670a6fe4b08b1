"""Waits in the AZ answer are of the loss: each is recounted from another run, or from the records that readers got."""

import re
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from simengine.facts.reading import read as fact_of
from simengine.facts.traffic import Delivered
from simengine.questions.az import run as az_run
from simengine.questions.az.answer import answer
from simengine.questions.az.cell import ACKS, AZ, AzLoss
from simengine.questions.az.edits import DARK, Edits
from simengine.questions.az.losses import rows_of
from simengine.questions.az.moments import at_moment, moments_of
from simengine.questions.az.partition_outages import QUORUM, UNTIL_BACK, Place
from simengine.questions.az.row import AzRow
from simengine.scenario import Document, load
from simengine.verdict.outcomes import ACKED
from simengine.world.world import World, build
from tests.questions.loss_runs import standings
from tests.questions.sick_clusters import Sick, draw

SHORT_US = 1_000_000
LONG_US = 15_000_000


def losses(sick: Sick, kinds: tuple[str, ...]) -> Iterator[tuple[Document, list[AzLoss]]]:
    """The document of each moment, and its losses of these kinds."""
    made = load(sick.plain)
    for moment in moments_of(made, Edits(dies=sick.dies, disks=sick.disks)):
        doc = at_moment(made, moment)
        world = az_run.at_the_loss(doc, "all", sick.dies == DARK)
        yield doc, [loss for loss in rows_of(doc, sick.dies, world) if loss.kind in kinds]


def waits(world: World, of: str) -> dict[Place, int]:
    """The longest wait (us) of a client of each partition, by the verdict; ``of``: write or read."""
    verdict: Any = world.verdict()
    names = [(str(world.cluster.topics[topic].name), int(number)) for topic, number in world.cluster.partition_names]
    key = f"{of}_down_client_us"
    return {names[one["partition"]]: int(one[key]) for topic in verdict["topics"] for one in topic["partitions"]}


@pytest.mark.parametrize(("seed", "of"), [(30000, "write"), (31000, "read")])
def test_a_wait_that_the_run_without_the_loss_has_too_is_not_of_the_loss(seed: int, of: str) -> None:
    """The whole wait is there without the loss: a cell tells the servers' time at most."""
    others = 0
    for doc, lost in losses(draw(seed), (AZ, "broker")):
        for loss, acks in product(lost, ACKS):
            without = build(az_run.cell_base(doc, acks, loss.is_dark))
            without.run(az_run.KILL_US - 1)
            before = waits(without, of)
            without.run(without.doc.until_us)
            after = waits(without, of)
            parts = {part.place: part for part in az_run.run_cell(doc, loss, acks).parts}
            for place in [place for place in after if before[place] and after[place] - before[place] > LONG_US]:
                others += 1
                part = parts.get(place)
                if part is not None:
                    told = (part.write_us, part.write_servers_us), (part.read_us, part.read_servers_us)
                    us, servers = told[of == "read"]
                    assert us <= servers + SHORT_US, (loss.key, acks, place)
    assert others, "some wait goes on since before the loss"


def test_no_acknowledged_record_waits_for_a_reader_where_only_the_quorum_is_missing() -> None:
    """30009: the leader goes on, nobody can shrink the ISR. What it acknowledged was read, the rest never will be."""
    for seed in (30009, 31003):
        sick, seen = draw(seed), 0
        for doc, lost in losses(sick, (AZ,)):
            for loss in lost:
                cell = az_run.run_cell(doc, loss, "all", sick.disks)
                parts = [one for one in cell.parts if one.why == QUORUM and one.leader not in one.dead]
                unread = not_delivered(az_run.cell_document(doc, loss, "all"))
                for part in [one for one in parts if not one.is_internal and not one.was_out]:
                    seen += 1
                    assert (part.write_us, unread[part.place]) == (UNTIL_BACK, 0)
                    assert (part.read_us, part.read_open) == (0, False)
        assert seen, seed


def not_delivered(doc: Document) -> dict[Place, int]:
    """The acknowledged records of each partition that no reader got since its first one, in a run of the document."""
    world = build(doc)
    world.trace.keep_traffic = True
    world.run(doc.until_us)
    got: dict[int, set[int]] = {}
    for fact in map(fact_of, world.trace.take().rows()):
        if isinstance(fact, Delivered):
            got.setdefault(int(fact.p), set()).update(range(int(fact.offset), int(fact.offset + fact.count)))
    found: dict[Place, int] = {}
    for p, (topic, number) in enumerate(world.cluster.partition_names):
        runs = [run for calls in world.book.account(p).calls for run in calls.runs if run.outcome == ACKED]
        acked = {offset for run in runs for offset in range(int(run.offset), int(run.offset + run.count))}
        read = got.get(p, set())
        missing = [offset for offset in acked - read if offset > min(read, default=0)]
        found[str(world.cluster.topics[topic].name), int(number)] = len(missing)
    return found


@pytest.mark.parametrize("seed", [30000, 30008])
def test_what_took_acks_1_alone_and_stops_is_in_the_headline(seed: int) -> None:
    """Below min.insync.replicas a partition takes acks=1 until the loss takes its leader; of such the headline says."""
    sick, said = draw(seed), 0
    for doc, lost in losses(sick, (AZ,)):
        for loss in lost:
            made = az_run.cell_document(doc, loss, "1")
            world = build(made)
            world.run(az_run.KILL_US - 1)
            early = standings(world, "1")
            world.run(made.until_us)
            late = standings(world, "1")
            only = [one for place, one in early.items() if one.is_led and not one.is_enough and place[0][0] != "_"]
            gone = [place for place, one in late.items() if early[place] in only and not one.is_led]
            safe, fast = (az_run.run_cell(doc, loss, acks, sick.disks) for acks in ACKS)
            headline = answer(doc, [AzRow(loss, safe, fast)]).headline
            told = re.search(r"(\d+) of \d+ [^.]* already, and (?:(\d+) of them )?can neither be", headline)
            assert (int(told[2] or told[1]) if told else 0) == len(gone), headline
            assert not gone or "nothing" not in headline.split(".")[0]
            said += len(gone)
    assert said, "some loss takes such a leader"
