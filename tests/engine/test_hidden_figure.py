"""Acknowledged records above the high watermark: hidden once each of them waits, not while the pipeline flows."""

from importlib import resources
from pathlib import Path

import pytest

from simengine.kernel.facts import VERDICT_CHANGED
from simengine.scenario import load
from simengine.world import build
from tests.engine.cluster import world as small_world

SECOND = 1_000_000
HIDDEN = (
    3 + 4 + 1
)  # place in a row of VerdictChanged: sequence, time, kind, cause, topic, acked, lost, duplicated, hidden


def hidden_figures(text: str, until_us: int) -> list[int]:
    """The hidden figure of every VerdictChanged of a run."""
    world = build(load(text))
    world.run(until_us)
    return [int(str(fact.row()[HIDDEN])) for fact in world.trace.decisive if fact.kind == VERDICT_CHANGED]


def test_the_pipeline_of_acks_1_is_not_called_hidden() -> None:
    text = resources.files("simengine.scenario.builtin").joinpath("sandbox.yaml").read_text()

    figures = hidden_figures(text, 20 * SECOND)

    assert figures
    assert not any(figures)


@pytest.mark.parametrize("name", ["s04a-hidden-then-visible", "s04b-hidden-then-lost"])
def test_records_above_a_high_watermark_that_stands_are_hidden(name: str) -> None:
    text = (Path(__file__).parent.parent / "scenarios" / f"{name}.yaml").read_text()

    figures = hidden_figures(text, 30 * SECOND)

    assert max(figures) >= 1
    assert figures[-1] == 0


def test_that_hidden_records_can_be_read_is_stated_when_the_high_watermark_passes_them() -> None:
    """A follower stands still for 4 s and stays in the ISR (ISR-2): it fetches again, and nothing else happens then.

    A figure of the last whole second would call the records hidden beside a picture in which they are read (HW-1).
    """
    world = small_world(
        producers=[{"id": "P", "topic": "t", "rate": 50, "acks": 1}],
        timeline=[{"at": "5s", "do": "pause 1"}, {"at": "9100ms", "do": "resume 1"}],
    )
    world.run(9_100_000 - 1)
    assert world.book.figures()["0"]["hidden"]
    account = world.book.account(0)
    while account.hidden_records(world.now_us):
        world.run(world.now_us + 1000)
    assert world.now_us < 9_900_000
    assert world.book.figures()["0"]["hidden"] == 0
