"""The fold of all facts equals a fresh snapshot: ``the_fold_equals_the_snapshot``, for the tests of mirrors too.

Every scenario and two clusters in one world: tests/pages/test_fold_twin.py.
"""

import copy

from simengine.scenario import load
from simengine.scenario.model import Document
from simengine.world.fold import fold
from simengine.world.world import World, build

EMPTIED = """
format: 1
until: 40s
cluster: {brokers: [0, 1, 2], controllers: [100]}
topics:
  - name: t
    assignment: [[0, 1, 2]]
    initial: {0: {leader: 0, isr: [0, 1, 2], epoch: 3, logs: LOGS}}
producers: [{id: P, topic: t, rate: 10}]
timeline: [{at: 3s, do: kill 1}, {at: 4s, do: start 1 empty}]
""".replace("LOGS", f"{{{', '.join(f'{b}: {{epochs: [[1, 50], [3, 60]], leo: 70, start: 50}}' for b in range(3))}}}")


def test_a_log_that_was_cut_below_its_start_begins_where_it_ends() -> None:
    """LOG-7, STATE-7: a copy without its disk begins at 0, until it takes over where its leader's log begins."""
    the_fold_equals_the_snapshot(load(EMPTIED.encode()), 40)


def the_fold_equals_the_snapshot(doc: Document, steps: int) -> None:
    the_facts_tell_all(build(doc), doc.until_us, steps)


def the_facts_tell_all(world: World, until_us: int, steps: int) -> None:
    world.trace.keep_traffic = True
    view = copy.deepcopy(world.snapshot())
    world.trace.take()
    for step in range(1, steps + 1):
        world.run(until_us * step // steps)
        for row in world.trace.take().rows():
            fold(view, row)
        snapshot = world.snapshot()
        view["t"] = snapshot["t"]
        assert view == snapshot, f"after {world.now_us} us"
