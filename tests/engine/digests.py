"""Digests of many runs, a line each: run as a process of its own, under the environment its caller chooses.

``python -m tests.engine.digests straight`` runs each document in one go. ``… broken`` runs the same documents in
random slices, under budgets that end them early, with the later half of the actions given only while they run.
A number n after the word takes every n-th document only.
"""

import random
import sys
from pathlib import Path

from simengine.scenario import Document, load
from simengine.world.world import World, build
from tests.long_form import runs
from tests.swarm.draw import document_of, draw

SCENARIOS = sorted((Path(__file__).parent.parent / "scenarios").glob("*.yaml"))
RANDOM_DOCUMENTS = runs("random documents that are run again, in slices")
RANDOM_UNTIL_US = 12_000_000  # of a random document, so many microseconds are run
SCENARIO_UNTIL_US = 60_000_000


def documents() -> list[tuple[str, Document, int]]:
    """(name, document, time to run it to)."""
    found = [(path.stem, load(path.read_bytes())) for path in SCENARIOS]
    runs = [(name, document, min(document.until_us, SCENARIO_UNTIL_US)) for name, document in found]
    for seed in range(1, RANDOM_DOCUMENTS + 1):
        runs.append((f"random-{seed}", load(document_of(draw(seed))), RANDOM_UNTIL_US))
    return runs


def straight(document: Document, until_us: int) -> World:
    """One call runs all."""
    world = build(document)
    world.run(until_us)
    return world


def broken(name: str, document: Document, until_us: int) -> World:
    """Many calls run all, and know of an action only shortly before it."""
    luck = random.Random(name)
    half = len(document.timeline) // 2
    late = [entry for entry in document.timeline[half:] if entry.at_us > 0]
    early = document.timeline[: len(document.timeline) - len(late)]
    world = build(document.model_copy(update={"timeline": early}))
    for entry in late:
        if entry.at_us > until_us:
            break
        _run_in_slices(world, luck.randint(world.now_us, max(world.now_us, entry.at_us - 1)), luck)
        assert world.act(entry.at_us, str(entry.action)) == entry.at_us
    _run_in_slices(world, until_us, luck)
    return world


def _run_in_slices(world: World, until_us: int, luck: random.Random) -> None:
    reached = world.now_us
    while reached < until_us:
        goal = min(until_us, reached + luck.choice((1, 300, 16_667, 1_000_000, 20_000_000)) * luck.randint(1, 3))
        reached = world.run(goal, budget=luck.choice((0, 0, 1, 50, 5_000)))
        world.snapshot()
        world.verdict()
    world.run(until_us)  # a budget may have ended among the events of the last microsecond


def main() -> None:
    step = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    for name, document, until_us in documents()[::step]:
        if sys.argv[1] == "straight":
            world = straight(document, until_us)
        else:
            world = broken(name, document, until_us)
        print(name, world.digest(), world.events)


if __name__ == "__main__":
    main()
