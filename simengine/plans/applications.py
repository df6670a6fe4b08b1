"""The applications of a run: a group is one in every cluster, and so is a producer with the clients it moved to."""

from simengine.kafka.log.log import BEFORE_RUN
from simengine.plans.story import Call
from simengine.scenario.model import ConsumerEntry
from simengine.scenario.moves import original_name, remote_prefixes
from simengine.world.cluster_parts import ClusterParts
from simengine.world.world import World

Place = tuple[str, int]  # a topic by its original name, and the number of a partition


class ApplicationNames:
    """Names the application of each client, and the place of each partition."""

    def __init__(self, world: World) -> None:
        self._catalog = world.catalog
        self._prefixes = remote_prefixes(run.doc for run in world.cluster_runs)
        self._places = [self._place(p) for p in range(len(self._catalog.partition_names))]
        self.groups: dict[int, str] = {}  # by the consumer's index
        self._read: dict[str, set[int]] = {}  # by the group: the partitions that it names, in all clusters
        self._copies: dict[int, list[int]] = {}  # by a partition: the remote partitions to which flows copy it
        self._is_read: dict[tuple[int, str], bool] = {}
        self.producers: dict[int, str] = {}
        for run in world.cluster_runs:
            for model, consumer in zip(run.parts.doc.consumers, run.parts.consumers, strict=True):
                group = model.group or model.id
                self.groups[int(consumer.number)] = group
                self._read.setdefault(group, set()).update(_named(run.parts, model))
        for flow in world.mirrors.flows():
            for pair in flow.flow.partitions:
                self._copies.setdefault(int(pair.source_p), []).append(int(pair.p))
        known = {int(moved.opened.number): int(moved.node.number) for moved in world.moves.moved}
        for run in world.cluster_runs:
            for producer in run.parts.producers:
                home = int(producer.number)
                while known.get(home, home) < home:  # a client that joined is newer than the one that it was
                    home = known[home]
                self.producers[int(producer.number)] = str(home)

    def place(self, p: int) -> Place:
        """The place of a partition."""
        return self._places[p]

    def is_theirs(self, call: Call) -> bool:
        """True if an application wrote the record of a call, or nobody knows who did; false for commits of groups."""
        return call[1] in self.producers or call[1] == BEFORE_RUN

    def is_read(self, p: int, group: str) -> bool:
        """True if a group reads a partition, in the cluster where its records are written or in one with copies."""
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
