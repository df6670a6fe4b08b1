"""Two scenarios as two clusters of one world, each of which must state what it states alone under the same name.

``python -m tests.engine.pairs`` holds every scenario beside its neighbour and beside itself.
"""

import sys
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from pathlib import Path

from simengine.scenario import Document, load
from simengine.scenario.sites import together
from simengine.verdict.final import records_of, verdict_of
from simengine.world.cluster_facts import Story, stories
from simengine.world.world import World, build

SCENARIOS = Path(__file__).parent.parent / "scenarios"
FIRST, SECOND = "east", "west"
UNTIL_US = 60_000_000
OF_MESSAGES = ("hold", "deliver", "drop")  # by number: another one where a second cluster sends, too


@cache
def scenario(name: str) -> Document:
    """A scenario of tests/scenarios."""
    return load((SCENARIOS / f"{name}.yaml").read_bytes())


def names() -> list[str]:
    """Every scenario that can be told with other names."""
    found = sorted(path.stem for path in SCENARIOS.glob("*.yaml"))
    return [name for name in found if not any(e.action.verb in OF_MESSAGES for e in scenario(name).timeline)]


def world_of(clusters: dict[str, Document]) -> World:
    """A world of these clusters, with their actions in the order of time."""
    made = World(together(clusters, 1))
    made.trace.keep_traffic = True
    return made


def busy_pair(build: Callable[[Document], World] = build) -> World:
    """Two clusters, in each of which the controller, settings, topics, links and a consumer's group change."""
    cluster = {
        "cluster": {"brokers": [1, 2, 3]},
        "topics": [{"name": "t", "assignment": [[1, 2], [2, 3]]}],
        "producers": [{"id": "P", "topic": "t", "rate": 10}],
        "consumers": [{"id": "C", "topics": ["t"], "group": "G"}],
    }
    world = build(load({"format": 1, "clusters": {FIRST: cluster, SECOND: cluster}}))
    for second, action in enumerate(
        (
            *("kill west/100", "kill west/101", "config west/cluster min.insync.replicas 2", "start west/100"),
            *(
                "config east/broker.1 unclean.leader.election.enable true",
                "create west/u 1,2/2,3",
                "create east/v 1,2,3",
            ),
            *("cut east/1|east/2", "config west/t min.insync.replicas 1", "kill west/2", "cut east|west", "heal"),
            "config west/broker.3 unclean.leader.election.enable true",
        ),
        1,
    ):
        world.act(second * 2_000_000, action)
    return world


def told(clusters: dict[str, Document]) -> list[tuple[Story, object]]:
    """The story of each of these clusters in one world, and the outcome of its verdict."""
    run = world_of(clusters)
    run.run(UNTIL_US)
    found: list[tuple[Story, object]] = []
    for i, story in enumerate(stories(run)):
        book = run.cluster_runs[i].book
        verdict = verdict_of(book, run.names())
        fates = [{**row, "partition": 0} for row in records_of(book, run.names())]
        found.append((story, (verdict["sentence"], verdict["severity"], verdict["settled"], fates)))
    return found


def differences(first: str, second: str) -> list[str]:
    """The first difference of each cluster of the pair between its story in the pair and its story alone."""
    found: list[str] = []
    together = told({FIRST: scenario(first), SECOND: scenario(second)})
    for (name, which), (story, verdict) in zip(((FIRST, first), (SECOND, second)), together, strict=True):
        [(alone, own_verdict)] = told({name: scenario(which)})
        found += [f"{name} ({which}): {a} alone, {b} beside" for a, b in zip(alone, story, strict=False) if a != b][:1]
        if len(alone) != len(story):
            found.append(f"{name} ({which}): {len(alone)} facts alone, {len(story)} beside")
        if verdict != own_verdict:
            found.append(f"{name} ({which}): another verdict")
    return found


def main() -> int:
    """Hold all pairs; the number of those that differ."""
    wrong = 0
    every = names()
    pairs = [*pairwise(every), *((name, name) for name in every)]
    for first, second in pairs:
        found = differences(first, second)
        wrong += bool(found)
        for line in found:
            print(first, second, line)
    print(f"{len(pairs)} pairs, {wrong} differ")
    return wrong


if __name__ == "__main__":
    sys.exit(bool(main()))
