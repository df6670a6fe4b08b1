"""Two scenarios as two clusters of one world, each of which must state what it states alone under the same name.

``python -m tests.engine.pairs`` holds every scenario beside its neighbour and beside itself.
"""

import sys
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from simengine.cluster_facts import KIND, ClusterFacts
from simengine.scenario import Action, Document, load
from simengine.scenario.actions import named_places
from simengine.scenario.model import NO_CLUSTER, ClusterPart, TimelineEntry
from simengine.verdict.final import records_of, verdict_of
from simengine.world import World, build

SCENARIOS = Path(__file__).parent.parent / "scenarios"
FIRST, SECOND = "east", "west"
UNTIL_US = 60_000_000
OF_MESSAGES = ("hold", "deliver", "drop")  # by number: another one where a second cluster sends, too
FACTS = ("flight", "deciding")
OF_THE_WORLD = ("index", "cluster")  # numbers that depend on what else there is

Story = list[list[Any]]


@cache
def scenario(name: str) -> Document:
    """A scenario of tests/scenarios."""
    return load((SCENARIOS / f"{name}.yaml").read_bytes())


def names() -> list[str]:
    """Every scenario that can be told with other names."""
    found = sorted(path.stem for path in SCENARIOS.glob("*.yaml"))
    return [name for name in found if not any(e.action.verb in OF_MESSAGES for e in scenario(name).timeline)]


def in_cluster(action: Action, name: str) -> Action:
    """An action of a document of one cluster, in the words of a world in which that has a name."""
    verb, args = action
    if verb == "heal" and not args:
        return Action("heal", (name, ">", name))
    places = (0, 2) if verb in ("cut", "heal", "slow-link") else named_places(verb, args)
    named = list(args)
    for place in places:
        named[place] = ",".join(f"{name}/{end}" for end in args[place].split(","))
    return Action(verb, tuple(named))


def several(clusters: dict[str, Document], timeline: list[TimelineEntry]) -> Document:
    """The document of these clusters together."""
    fields = ClusterPart.model_fields
    parts = {
        name: ClusterPart.model_construct(**{key: getattr(doc, key) for key in fields})
        for name, doc in clusters.items()
    }
    return Document.model_construct(format=1, cluster=NO_CLUSTER, clusters=parts, timeline=timeline)


def world_of(clusters: dict[str, Document]) -> World:
    """A world of these clusters, with their actions in the order of time."""
    entries = [
        TimelineEntry.model_construct(at_us=entry.at_us, action=in_cluster(entry.action, name))
        for name, doc in clusters.items()
        for entry in doc.timeline
    ]
    made = World(several(clusters, sorted(entries, key=lambda entry: entry.at_us)))
    made.trace.keep_traffic = True
    return made


def busy_pair(checks: bool = False) -> World:
    """Two clusters, in each of which the controller, settings, topics, links and a consumer's group change."""
    cluster = {
        "cluster": {"brokers": [1, 2, 3]},
        "topics": [{"name": "t", "assignment": [[1, 2], [2, 3]]}],
        "producers": [{"id": "P", "topic": "t", "rate": 10}],
        "consumers": [{"id": "C", "topics": ["t"], "group": "G"}],
    }
    world = build(load({"format": 1, "clusters": {FIRST: cluster, SECOND: cluster}}), checks)
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


def stories(run: World) -> list[Story]:
    """The facts of each cluster in its own numbers: [t_us, kind, cause, values...]; facts go by their rank there."""
    facts = ClusterFacts(run)
    found: list[Story] = [[] for _ in run.runs]
    numbers: list[dict[int, int]] = [{0: 0} for _ in run.runs]
    for row in run.trace.take().rows():
        cluster, line = facts.told(row)
        rank = numbers[cluster]
        rank[line[0]] = len(rank)
        kind = KIND[line[2]]
        values = [
            rank.get(value) if key in FACTS else None if key in OF_THE_WORLD else value
            for key, value in zip((*kind.ints, *kind.lists, kind.text), line[4:], strict=False)
        ]
        found[cluster].append([line[1], kind.name, rank.get(line[3]), *values])
    return found


def told(clusters: dict[str, Document]) -> list[tuple[Story, object]]:
    """What each of these clusters states in one world, and what its verdict comes to."""
    run = world_of(clusters)
    run.run(UNTIL_US)
    found: list[tuple[Story, object]] = []
    for i, story in enumerate(stories(run)):
        book = run.runs[i].book
        verdict = verdict_of(book, run.names())
        fates = [{**row, "partition": 0} for row in records_of(book, run.names())]
        found.append((story, (verdict["sentence"], verdict["severity"], verdict["settled"], fates)))
    return found


def differences(first: str, second: str) -> list[str]:
    """Where either cluster of the pair states another thing than alone."""
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
