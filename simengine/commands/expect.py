"""Run documents with each seed and hold them against what they expect.

Exit status 1 if an expectation does not hold, and if a document expects nothing: then nothing was checked.
"""

import argparse
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from simengine.commands.shared.command_numbers import seed_range
from simengine.facts.schema import BY_NAME
from simengine.scenario import Document, DocumentError, load
from simengine.scenario.expect import Observation, failures, read_all, snapshot_times
from simengine.scenario.expect.language import Expectation
from simengine.scenario.expect.observed import Row
from simengine.scenario.sites import of_cluster
from simengine.world.cluster_facts import ClusterFacts
from simengine.world.world import World, build

SLICE_US = 1_000_000  # facts are taken from the run once a simulated second
Build = Callable[[Document], World]
STORED = [kind.number for kind in BY_NAME.values() if kind.name not in ("FlightEnded", "HeartbeatNoted")]


def main(argv: list[str], build: Build = build, prog: str = "python -m simengine expect") -> int:
    """Runs each FILE with each seed. Returns 0 when all expectations hold, 1 otherwise, and where there is none."""
    parser = argparse.ArgumentParser(prog=prog, description=__doc__)
    parser.add_argument("file", nargs="+", help="scenario documents, YAML or JSON")
    parser.add_argument("--seeds", type=seed_range, help="A..B or one number; without it: the document's own seed")
    options = parser.parse_args(argv)
    held = [_holds(path, options.seeds, build) for path in options.file]
    return 0 if all(held) else 1


def _holds(path: str, seeds: range | None, build: Build) -> bool:
    """Runs one file and prints how it went."""
    try:
        document = load(Path(path).read_bytes())
    except (OSError, DocumentError) as error:
        told = f"cannot be read: {error.strerror}" if isinstance(error, OSError) else error
        print(f"{path}: {told}", file=sys.stderr)
        return False
    if not document.expect:
        print(f"{path}: expects nothing: there is no expectation to check", file=sys.stderr)
        return False
    good = True
    for seed in [document.seed] if seeds is None else seeds:
        wrongs = wrongs_of(document.model_copy(update={"seed": seed}), build)
        outcome = f"{len(wrongs)} of {len(document.expect)} not as expected" if wrongs else "as expected"
        print("\n".join([f"{path} seed {seed}: {outcome}", *(f"  {wrong}" for wrong in wrongs)]))
        good = good and not wrongs
    return good


def wrongs_of(document: Document, build: Build = build) -> list[str]:
    """Runs a document to its end; a sentence for each of its expectations that did not hold."""
    expectations, problems = read_all(document.expect)
    assert not problems, "load has checked the expectations"
    return failures(expectations, observe(document, snapshot_times(expectations, document.until_us), build))


def observe(document: Document, moments: list[int], build: Build = build) -> Observation:
    """Runs a document to its end, looking at it at `moments` (microseconds, ascending)."""
    world = build(document)
    world.trace.keep_kinds(STORED)
    world.trace.keep_traffic = True
    observed = ObservedClusters(world) if world.is_named else Observation(world.names(), document.until_us)
    observed.initial = world.snapshot()
    observed.add(fact.row() for fact in world.trace.decisive)
    wait_us = 0
    for moment in moments:
        while wait_us < moment:
            wait_us = min(wait_us + SLICE_US, moment)
            world.run(wait_us)
            observed.add(world.trace.take().rows())
        observed.snapshots[moment] = world.snapshot()
        observed.metrics[moment] = world.metrics()
    observed.name(world.names())
    observed.verdict = world.verdict()
    observed.alerts = {rule.name: world.alerts.states(i, world.now_us) for i, rule in enumerate(world.alerts.rules)}
    if isinstance(observed, ObservedClusters):
        observed.share()
    return observed


class ObservedClusters(Observation):
    """The observations of a run of several clusters, and of each cluster in its own names and numbers."""

    def __init__(self, world: World) -> None:
        self._facts = ClusterFacts(world)
        self._of: dict[str, Observation] = {}
        super().__init__(world.names(), world.doc.until_us)
        for run in world.cluster_runs:
            self._of[run.site.name] = Observation(self._facts.names(world.names(), int(run.site.index)), self.until_us)
        self._world = world

    def add(self, rows: Iterable[Row]) -> None:
        own = list(self._of.values())
        for row in rows:
            cluster, told = self._facts.told(row)
            own[cluster].add([told])

    def share(self) -> None:
        """Give each cluster what is known of it at the end."""
        for i, (name, own) in enumerate(self._of.items()):
            own.initial = self._facts.view(self.initial, i)
            own.snapshots = {moment: self._facts.view(view, i) for moment, view in self.snapshots.items()}
            own.metrics = {moment: self._facts.metrics(rows, i) for moment, rows in self.metrics.items()}
            own.name(self._facts.names(self._world.names(), i))
            own.verdict = next(one for one in self.verdict["clusters"] if one["cluster"] == name)

    def of(self, expectation: Expectation) -> tuple[Observation, Expectation]:
        if expectation.kind in ("mirror", "alert"):
            return self, expectation
        name, local = of_cluster(expectation, list(self._of))
        return self._of[name], local
