"""The figures that the card shows while a run plays are those that the whole verdict counts, at every look."""

from importlib import resources
from pathlib import Path
from typing import Any, Final

import pytest

from simengine.facts.decisive import VerdictChanged
from simengine.facts.figures import figures_in
from simengine.scenario import Document, load, to_plain
from simengine.world.world import World, build

SCENARIOS: Final = sorted((Path(__file__).parent.parent / "scenarios").glob("*.yaml"))
COUNTED: Final = (
    "acked",
    "lost",
    "duplicated",
    "hidden",
    "refused",
    "unknown",
    "handed_over",
    "vanished",
    "write_down_all_us",
    "write_down_1_us",
    "read_down_us",
)


def with_acks_0(document: Document) -> Document:
    """The same document, in which no producer asks for an answer."""
    plain: Any = to_plain(document)
    plain.pop("expect", None)
    for producer in plain.get("producers", []):
        producer["acks"] = 0
        producer.pop("config", None)
    return load(plain)


def assert_equal(run: World) -> None:
    """Each topic's figures so far against the verdict that goes through all records again."""
    names: Any = run.names()["topics"]
    topics: Any = run.verdict()["topics"]
    for topic in topics:
        so_far = run.book.figures_of(names.index(topic["topic"]), run.now_us)
        stated = figures_in(so_far)
        assert {key: int(stated[key]) for key in COUNTED} == {key: int(topic[key]) for key in COUNTED}, topic["topic"]


@pytest.mark.parametrize("asks", [True, False], ids=["as it is", "with acks=0"])
@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_the_figures_so_far_are_those_of_the_verdict(path: Path, asks: bool) -> None:
    document = load(path.read_bytes())
    run = build(document if asks else with_acks_0(document))
    for part in (1, 2, 5):
        run.run(document.until_us * part // 5)
        assert_equal(run)


def test_a_topic_is_told_by_the_mode_of_its_producer_before_its_first_call() -> None:
    """A follower that dies at once keeps no acks=1 write waiting; the other topic is written with acks=all."""
    plain: Any = to_plain(load(resources.files("simengine.scenario.builtin").joinpath("sandbox.yaml").read_bytes()))
    plain["timeline"] = [{"at": "0s", "do": "kill 3"}]
    run = build(load(plain))
    run.run(1)
    names: Any = run.names()["topics"]
    stated: Any = {names[int(i)]: figures for i, figures in run.book.figures().items()}
    assert (stated["orders"]["acks"], stated["payments"]["acks"]) == (1, -1)
    said = {name: one["sentence"] for name, one in stated.items()}
    assert said.pop("__consumer_offsets") == "No committed offset was lost and no group waited."
    assert set(said.values()) == {"Nothing has been acknowledged."}, "nobody has called yet"


def test_after_the_closing_figures_are_stated_once_a_second() -> None:
    """No time counts any more, and rows of experiments spend much of theirs there."""
    plain: Any = to_plain(load(SCENARIOS[0].read_bytes()))
    timeline = [{"at": "4s", "do": "kill 1"}, {"at": "12500ms", "do": "start 1"}]
    document = load({**plain, "timeline": timeline, "until": "30s", "closing": "12s", "expect": []})
    run = build(document)
    run.run(30_000_000)
    stated = [int(fact.t) for fact in run.trace.decisive if isinstance(fact, VerdictChanged)]
    assert any(t % 1_000_000 for t in stated if t < 12_000_000)
    late = [t for t in stated if t > 12_000_000]
    assert late
    assert all(t % 1_000_000 == 0 for t in late)
    assert_equal(run)
