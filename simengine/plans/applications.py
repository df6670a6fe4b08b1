"""The applications of a run: a group is one in every cluster, and so is a producer with the clients it moved to."""

from typing import Final

from simengine.kafka.log.log import BEFORE_RUN
from simengine.plans.story import Call
from simengine.scenario.model import ConsumerEntry
from simengine.scenario.moves import original_name, remote_prefixes
from simengine.words.phrases import listed
from simengine.world.cluster_parts import ClusterParts
from simengine.world.world import World

NAMED_MAX: Final = 3  # topics; more are counted

Place = tuple[str, int]  # a topic by its original name, and the number of a partition


class ApplicationNames:
    """Names the application of each client, and the place of each partition.

    ``groups``: by the consumer's index. ``readers`` likewise: a group that reads in several clusters from the start is
    one reader in each of them. ``producers``: by the producer's index.
    """

    def __init__(self, world: World) -> None:
        self._catalog = world.catalog
        self._prefixes = remote_prefixes(run.doc for run in world.cluster_runs)
        self._places = [self._place(p) for p in range(len(self._catalog.partition_names))]
        self.groups: dict[int, str] = {}
        self.readers: dict[int, str] = {}
        self.producers: dict[int, str] = {}
        self._topics: dict[str, list[str]] = {}  # by the group: what it names in the given document
        self._read: dict[str, set[int]] = {}  # by the group: the partitions that it names in the given document
        self._copies: dict[int, list[int]] = {}  # by a partition: the remote ones to which flows copy it from the start
        self._is_read: dict[tuple[int, str], bool] = {}
        self._homes: dict[int, dict[int, int]] = {}  # of a producer that moved: the partition at its home, by its own
        joined = {int(one.node.number) for one in world.moves.joined}
        for run in world.cluster_runs:
            self._take_consumers(run.parts, joined)
        self._name_readers(world, joined)
        given = {f"{one.source}->{one.target}" for one in world.doc.mirrors if one.state == "running"}
        for flow in world.mirrors.flows():
            for pair in flow.flow.partitions if flow.name in given else ():
                self._copies.setdefault(int(pair.source_p), []).append(int(pair.p))
        self._take_producers(world)
        self._moved = {self.groups.get(int(one.node.number)) for one in world.moves.moved}

    def _take_consumers(self, parts: ClusterParts, joined: set[int]) -> None:
        for model, consumer in zip(parts.doc.consumers, parts.consumers, strict=True):
            group = model.group or model.id
            self.groups[int(consumer.number)] = group
            named = self._read.setdefault(group, set())
            if int(consumer.number) not in joined:
                named.update(_named(parts, model))
                self._topics.setdefault(group, []).extend([*model.topics, *(topic for topic, _ in model.partitions)])

    def _name_readers(self, world: World, joined: set[int]) -> None:
        at_start: dict[str, set[str]] = {}  # by group: the clusters in which members of its own are open
        for run in world.cluster_runs:
            for model, consumer in zip(run.parts.doc.consumers, run.parts.consumers, strict=True):
                if model.state == "open" and int(consumer.number) not in joined:
                    at_start.setdefault(self.groups[int(consumer.number)], set()).add(run.site.name)
        for run in world.cluster_runs:
            for consumer in run.parts.consumers:
                group = self.groups[int(consumer.number)]
                is_alone = len(at_start.get(group, ())) < 2
                self.readers[int(consumer.number)] = group if is_alone else f"{run.site.name}/{group}"

    def _take_producers(self, world: World) -> None:
        known = {int(moved.opened.number): int(moved.node.number) for moved in world.moves.moved}
        producers = {int(one.number): one for run in world.cluster_runs for one in run.parts.producers}
        for number in producers:
            home = number
            while known.get(home, home) < home:  # a client that joined is newer than the one that it was
                home = known[home]
            self.producers[number] = str(home)
            there = {self._places[int(calls.p)]: int(calls.p) for calls in producers[home].calls}
            self._homes[number] = {p: there[place] for p, place in enumerate(self._places) if place in there}

    def stays_on(self, group: str) -> str:
        """The topics that a group reads to the end where other clients move and it does not; "" for another."""
        if not self._moved or group in self._moved:
            return ""
        topics = list(dict.fromkeys(self._topics.get(group, [])))
        return listed(topics) if len(topics) <= NAMED_MAX else f"{len(topics)} topics"

    def place(self, p: int) -> Place:
        """The place of a partition."""
        return self._places[p]

    def is_theirs(self, call: Call) -> bool:
        """True if an application wrote the record of a call, or nobody knows who did; false for commits of groups."""
        return call[1] in self.producers or call[1] == BEFORE_RUN

    def home(self, call: Call) -> int:
        """The partition in which the application of a call wrote before it moved; for history, that of the record."""
        return self._homes.get(call[1], {}).get(call[0], call[0])

    def is_due(self, call: Call, group: str) -> bool:
        """True if a group reads, in the world of the given document, what the application of this call writes."""
        p = self.home(call)
        known = self._is_read.get((p, group))
        if known is None:
            known = self._is_read[p, group] = self._reads_some_copy(p, group)
        return known

    def _reads_some_copy(self, p: int, group: str) -> bool:
        reached, new = {p}, [p]
        while new:
            new = [copy for one in new for copy in self._copies.get(one, []) if copy not in reached]
            reached.update(new)
        return bool(reached & self._read[group])

    def _place(self, p: int) -> Place:
        topic, number = self._catalog.partition_names[p]
        return original_name(self._catalog.topics[topic].name, self._prefixes), int(number)


def _named(parts: ClusterParts, model: ConsumerEntry) -> set[int]:
    """The partitions that a consumer of a cluster names, as far as they exist."""
    topics = [topic for topic in model.topics if topic in parts.topic_index]
    found = {p for topic in topics for p in parts.topic_partitions(topic, None)}
    return found | {parts.partition_index[place] for place in model.partitions if place in parts.partition_index}
