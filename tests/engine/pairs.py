"""Two scenarios as two clusters of one world, each of which must state what it states alone under the same name.

``python -m tests.engine.pairs`` holds every scenario beside its neighbour and beside itself.
"""

import sys
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from simengine.kernel.facts import FLIGHT, KINDS
from simengine.kernel.site import SETTINGS_STEP
from simengine.scenario import Action, Document, load
from simengine.scenario.actions import named_places
from simengine.scenario.model import TimelineEntry
from simengine.verdict.final import records_of, verdict_of
from simengine.world import World

SCENARIOS = Path(__file__).parent.parent / "scenarios"
FIRST, SECOND = "east", "west"
UNTIL_US = 60_000_000
OF_MESSAGES = ("hold", "deliver", "drop")  # by number: another one where a second cluster sends, too
NODES = ("node", "broker", "leader", "controller", "src", "dst")
PARTITIONS = ("p", "down_all_p", "down_1_p", "read_p", "client_p", "reader_p")
FACTS = ("flight", "deciding")
KIND = {kind.number: kind for kind in KINDS}

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


def world_of(clusters: dict[str, Document]) -> World:
    """A world of these clusters, with their actions in the order of time."""
    entries = [
        TimelineEntry.model_construct(at_us=entry.at_us, action=in_cluster(entry.action, name))
        for name, doc in clusters.items()
        for entry in doc.timeline
    ]
    frame = next(iter(clusters.values())).model_copy(
        update={"timeline": sorted(entries, key=lambda entry: entry.at_us), "closing_us": None, "seed": 1}
    )
    made = World(frame, clusters=clusters)
    made.trace.keep_traffic = True
    return made


def busy_pair() -> World:
    """Two clusters, in each of which the controller, settings, topics, links and a consumer's group change."""
    document = load(
        {
            "format": 1,
            "cluster": {"brokers": [1, 2, 3]},
            "topics": [{"name": "t", "assignment": [[1, 2], [2, 3]]}],
            "producers": [{"id": "P", "topic": "t", "rate": 10}],
            "consumers": [{"id": "C", "topics": ["t"], "group": "G"}],
        }
    )
    world = World(document, clusters={FIRST: document, SECOND: document})
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


class Teller:
    """Tells the facts of each cluster of a world in the cluster's own numbers."""

    def __init__(self, run: World) -> None:
        self.run = run
        self.bases = [int(one.site.base) for one in run.runs]
        topics = [int(topic.site.index) for topic in run.catalog.topics]
        self.topics = topics
        self.partitions = [topics[topic] for topic, _ in run.catalog.partition_names]
        self.clients = [int(node.site.index) for node in run.net.clients]
        self.flights: dict[int, int] = {}
        self.numbers: list[dict[int, int]] = [{0: 0} for _ in self.bases]

    def stories(self) -> list[Story]:
        """The facts of each cluster: [t_us, kind, cause, values...]; facts and all else by their rank within it."""
        found: list[Story] = [[] for _ in self.bases]
        for row in self.run.trace.take().rows():
            line: list[Any] = list(row)
            kind = KIND[line[2]]
            values = dict(zip((*kind.ints, *kind.lists, kind.text), line[4:], strict=False))
            cluster = self._cluster_of(line[2], values)
            if line[2] == FLIGHT:
                self.flights[line[0]] = cluster
            numbers = self.numbers[cluster]
            numbers[line[0]] = len(numbers)
            told = [self._told(key, value, cluster) for key, value in values.items()]
            found[cluster].append([line[1], kind.name, numbers.get(line[3]), *told])
        return found

    def _cluster_of(self, kind: int, values: dict[str, Any]) -> int:
        if "cluster" in values:
            return int(values["cluster"])
        if "flight" in values:
            return self.flights[int(values["flight"])]
        if KIND[kind].name == "ActionDone":
            return next(i for i, one in enumerate(self.run.runs) if one.site.name in values["text"].split(" ", 1)[1])
        if values.get("p", -1) >= 0:
            return self.partitions[int(values["p"])]
        for key in NODES:
            if values.get(key, -1) >= 0:
                return self._of_node(int(values[key]))
        if "src" in values or "node" in values:
            return self.clients[-1 - int(values["src"] if "src" in values else values["node"])]
        if "client" in values:
            return self.clients[int(values["client"])]
        if "topic" in values:
            topic = int(values["topic"])
            return self.topics[topic] if topic >= 0 else self._of_subject(topic)
        return -1 - int(values["controller"] if "controller" in values else values["p"])

    def _of_node(self, number: int) -> int:
        return max(i for i, base in enumerate(self.bases) if base <= number)

    def _of_subject(self, topic: int) -> int:
        return -(topic + 1) // SETTINGS_STEP if topic == -1 or topic <= -SETTINGS_STEP else self._of_node(-2 - topic)

    def _told(self, key: str, value: Any, cluster: int) -> Any:
        if key == "index" or key == "cluster":
            return None
        if isinstance(value, list):
            return [number - self.bases[cluster] for number in value]
        if key in FACTS:
            return self.numbers[cluster].get(value)
        if isinstance(value, int) and value >= 0:
            return self._own(key, value, cluster)
        if key in ("src", "dst", "node"):
            return "client", self._rank(self.clients, -1 - value, cluster)
        if key == "topic" and value <= -SETTINGS_STEP:
            return -1
        if key == "topic" and value < -1:
            return value + self.bases[cluster]
        return -1 if key in ("controller", "p") else value

    def _own(self, key: str, value: int, cluster: int) -> int:
        if key in NODES:
            return value - self.bases[cluster]
        if key in PARTITIONS:
            return self._rank(self.partitions, value, cluster)
        if key == "client":
            return self._rank(self.clients, value, cluster)
        return self._rank(self.topics, value, cluster) if key == "topic" else value

    def _rank(self, owners: list[int], number: int, cluster: int) -> int:
        return owners[:number].count(cluster)


def told(clusters: dict[str, Document]) -> list[tuple[Story, object]]:
    """What each of these clusters states in one world, and what its verdict comes to."""
    run = world_of(clusters)
    run.run(UNTIL_US)
    teller = Teller(run)
    found: list[tuple[Story, object]] = []
    for i, story in enumerate(teller.stories()):
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
