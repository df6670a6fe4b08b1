"""The figures that the book keeps of each partition and topic equal those worked out anew, after every event."""

from pathlib import Path
from typing import Any, Final

import pytest

from simengine.facts.decisive import VerdictChanged
from simengine.kafka.wire.api import ACKS_ALL
from simengine.scenario import Document, load
from simengine.verdict.book import VerdictCounters, stated_figures
from simengine.verdict.whole import WholeFigures
from simengine.world.world import World, build
from tests.long_form import runs
from tests.swarm.draw import document_of, draw

SCENARIOS: Final = sorted((Path(__file__).parent.parent / "scenarios").glob("*.yaml"))
SEEDS: Final = range(1, 1 + runs("random runs whose kept figures are compared after every event"))
STEP_BY_STEP_US: Final = 12_000_000
LOOKED_AT_US: Final = 40_000_000
SECOND_US: Final = 1_000_000
COMPARED: Final[list[int]] = []


def worked_out_anew(book: VerdictCounters, topic: int, now: int) -> VerdictChanged:
    """The figures of a topic without any kept share; the shares stay marked as they are."""
    shares = [account.share for account in book.accounts_of(topic)]
    kept = [share.is_kept for share in shares]
    for share in shares:
        share.is_kept = False
    found = book.figures_of(topic, now)
    for share, was_kept in zip(shares, kept, strict=True):
        share.is_kept = was_kept
    return found


def told_anew(book: VerdictCounters) -> str:
    """The sentence on all topics, from the figures stated last."""
    whole = WholeFigures()
    cluster = book.cluster
    assert cluster is not None
    for topic in cluster.own_topics():
        totals = book.topics[int(topic.index)]
        whole.add(stated_figures(totals), totals.acks == ACKS_ALL, topic.is_made, book.named(topic.index))
    return whole.told(cluster)


def told_as_kept(book: VerdictCounters) -> str:
    """The same, from what was kept for each topic."""
    whole = WholeFigures()
    cluster = book.cluster
    assert cluster is not None
    for topic in cluster.own_topics():
        book._add_topic(topic.index, topic.is_made, whole)
    return whole.told(cluster)


def compare(book: VerdictCounters, now: int) -> int:
    """Compare all topics; how many had a share that was kept."""
    cluster = book.cluster
    assert cluster is not None
    found = 0
    for topic in cluster.own_topics():
        accounts = book.accounts_of(topic.index)
        if any(account.share.is_kept for account in accounts):
            found += 1
            kept = book.figures_of(topic.index, now)
            assert kept.values == worked_out_anew(book, topic.index, now).values, topic.title
    return found


def step_by_step(document: Document) -> int:
    """Run a document event by event, comparing after each; how many comparisons there were."""
    world = build(document)
    until = min(document.until_us, STEP_BY_STEP_US)
    compared, stated = 0, -1
    while world.now_us < until:
        world.run(until, 1)
        for run in world.cluster_runs:
            compared += compare(run.book, world.now_us)
            if len(world.trace.decisive) != stated:
                assert told_as_kept(run.book) == told_anew(run.book)
        stated = len(world.trace.decisive)
    return compared


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_the_kept_figures_of_a_scenario_are_those_worked_out_anew(path: Path) -> None:
    step_by_step(load(path.read_bytes()))


@pytest.mark.parametrize("seed", SEEDS)
def test_the_kept_figures_of_a_random_run_are_those_worked_out_anew(seed: int) -> None:
    """Without consumers: no share is kept where somebody reads."""
    plain: Any = document_of(draw(seed))
    readers = {consumer["id"] for consumer in plain.pop("consumers", [])}
    plain["timeline"] = [entry for entry in plain["timeline"] if not any(one in entry["do"] for one in readers)]
    links = plain.get("network", {}).get("links", [])
    links[:] = [link for link in links if not readers & set(link["between"])]
    COMPARED.append(step_by_step(load(plain)))


def test_shares_were_kept() -> None:
    """Else nothing was compared."""
    assert not COMPARED or max(COMPARED) > 1_000


def looked_at_each_second(document: Document) -> World:
    """The same run, in which the records of all partitions are looked at each second."""
    world = build(document)
    for second in range(1, 1 + min(document.until_us, LOOKED_AT_US) // SECOND_US):
        world.run(second * SECOND_US - 1)
        for run in world.cluster_runs:
            for account in run.book.accounts:
                account.is_looked_at = False
        world.run(second * SECOND_US)
    return world


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_a_look_at_records_that_is_left_out_would_have_found_nothing_new(path: Path) -> None:
    document = load(path.read_bytes())
    often = looked_at_each_second(document)
    world = build(document)
    world.run(often.now_us)
    assert world.digest() == often.digest()
