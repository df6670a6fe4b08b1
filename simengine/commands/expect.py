"""``python -m simengine expect FILE --seeds A..B``: runs a document and holds it against what it expects."""

import argparse
from pathlib import Path

from simengine.scenario import Document, load
from simengine.scenario.expect import Observed, failures, read_all, snapshot_times
from simengine.scenario.expect.observed import KIND_BY_NAME
from simengine.world import build

SLICE_US = 1_000_000  # facts are taken from the run once a simulated second
STORED = [kind.number for kind in KIND_BY_NAME.values() if kind.name not in ("FlightEnded", "HeartbeatNoted")]


def main(argv: list[str]) -> int:
    """Runs FILE with each seed. Returns 0 when all expectations hold."""
    parser = argparse.ArgumentParser(prog="python -m simengine expect", description=main.__doc__)
    parser.add_argument("file", nargs="+")
    parser.add_argument("--seeds", default="", help="A..B; without it: the document's own seed")
    options = parser.parse_args(argv)
    failed = 0
    for path in options.file:
        document = load(Path(path).read_bytes())
        for seed in seeds_of(options.seeds, document):
            wrongs = wrongs_of(document.model_copy(update={"seed": seed}))
            failed += bool(wrongs)
            print(f"{path} seed {seed}: {'as expected' if not wrongs else f'{len(wrongs)} not as expected'}")
            for wrong in wrongs:
                print(f"  {wrong}")
    return 1 if failed else 0


def seeds_of(text: str, document: Document) -> list[int]:
    """The seeds that `text` (A..B or one number) names."""
    if not text:
        return [document.seed]
    first, _, last = text.partition("..")
    return list(range(int(first), int(last or first) + 1))


def wrongs_of(document: Document, checks: bool = False) -> list[str]:
    """Runs a document to its end; a sentence for each of its expectations that did not hold.

    With `checks` every invariant is checked at every event, and a broken one raises Violation.
    """
    expectations, problems = read_all(document.expect)
    assert not problems, "load has checked the expectations"
    return failures(expectations, observe(document, snapshot_times(expectations, document.until_us), checks))


def observe(document: Document, moments: list[int], checks: bool = False) -> Observed:
    """Runs a document to its end, looking at it at `moments` (microseconds, ascending)."""
    world = build(document, checks)
    world.trace.keep_kinds(STORED)
    world.trace.keep_traffic = True
    observed = Observed(world.names(), document.until_us)
    observed.initial = world.snapshot()
    observed.add(fact.row() for fact in world.trace.decisive)
    wait_us = 0
    for moment in moments:
        while wait_us < moment:
            wait_us = min(wait_us + SLICE_US, moment)
            world.run(wait_us)
            observed.add(fact.row() for fact in world.trace.take())
        observed.snapshots[moment] = world.snapshot()
    observed.name(world.names())
    observed.verdict = world.verdict()
    return observed
