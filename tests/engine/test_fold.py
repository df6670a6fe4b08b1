"""The fold of all facts equals a fresh snapshot, after every scenario and at moments on the way."""

import copy
from pathlib import Path

import pytest

from simengine.fold import fold
from simengine.scenario import load
from simengine.world import build

SCENARIOS = sorted((Path(__file__).parent.parent / "scenarios").glob("*.yaml"))
STEPS = 7


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_the_fold_of_the_facts_equals_the_snapshot(path: Path) -> None:
    doc = load(path.read_bytes())
    world = build(doc)
    world.trace.keep_traffic = True
    view = copy.deepcopy(world.snapshot())
    world.trace.take()
    for step in range(1, STEPS + 1):
        world.run(doc.until_us * step // STEPS)
        for row in world.trace.take().rows():
            fold(view, row)
        snapshot = world.snapshot()
        view["t"] = snapshot["t"]
        assert view == snapshot, f"after {world.now_us} us"
