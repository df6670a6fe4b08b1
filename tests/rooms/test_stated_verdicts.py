"""The verdicts that a room's run has stated leave its facts, and are told to who looks at its past."""

import pytest

from playground.rooms import run as run_module
from playground.rooms import stated_verdicts
from playground.rooms.run import RoomRun, packed
from playground.rooms.streams import STATE, Row, unpack_rows
from simengine.facts.kinds import FIRST_TRAFFIC, VERDICT_CHANGED
from simengine.scenario import load
from simengine.world.world import build
from tests.faults.soak.load import DOCUMENT

END_US = 40_000_000
KILLED_US = 1_000_000


def _shown(run: RoomRun) -> list[Row]:
    """Play to the end; the decisive rows that viewers were sent."""
    rows: list[Row] = []
    while run.world.now_us < END_US:
        _, _, data = run.advance(min(END_US, run.world.now_us + 500_000), False, [STATE], True)["streams"][STATE]
        rows += [row for row in unpack_rows(data) if row[2] < FIRST_TRAFFIC]  # type: ignore[operator]
    return rows


def test_every_decisive_fact_is_sent_and_told_though_most_verdicts_have_left_the_trace(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(run_module, "KEYFRAME_WALL_S", 0.0)
    monkeypatch.setattr(stated_verdicts, "TOGETHER", 8)
    run, other = RoomRun(DOCUMENT), build(load(DOCUMENT))
    begun = len(other.trace.decisive)
    run.act(KILLED_US, "kill 1")
    other.act(KILLED_US, "kill 1")
    shown = _shown(run)
    other.run(END_US)
    told = [fact.row() for fact in other.trace.decisive]
    assert shown == told[begun:] and run.digest() == other.digest()
    assert run.decisive(0, END_US, len(told)) == (len(told), packed(told))
    assert run.decisive(0, END_US, len(told) - 1) == (len(told), b"")
    part = [row for row in told if 5_000_000 <= row[1] <= 30_000_000]  # type: ignore[operator]
    assert run.decisive(5_000_000, 30_000_000, len(told)) == (len(part), packed(part))
    stated = sum(fact.kind == VERDICT_CHANGED for fact in run.world.trace.decisive)
    assert stated < 20 < sum(row[2] == VERDICT_CHANGED for row in told)
