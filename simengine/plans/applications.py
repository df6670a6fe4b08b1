"""The applications of a run: a group is one in every cluster, and so is a producer with the clients it moved to."""

from simengine.kafka.log.log import BEFORE_RUN
from simengine.plans.story import Call
from simengine.scenario.model import ConsumerEntry
from simengine.scenario.moves import original_name, remote_prefixes
from simengine.world.world import World

Place = tuple[str, int]  # a topic by its original name, and the number of a partition


class ApplicationNames:
    """Names the application of each client, and the place of each partition."""

    def __init__(self, world: World) -> None:
        self._catalog = world.catalog
        self._prefixes = remote_prefixes(run.doc for run in world.cluster_runs)
        self._places = [self._place(p) for p in range(len(self._catalog.partition_names))]
        self.groups: dict[int, str] = {}  # by the consumer's index
        self.read: dict[str, set[Place]] = {}  # by the group: all that it names
        self.producers: dict[int, str] = {}
        for run in world.cluster_runs:
            for model, consumer in zip(run.parts.doc.consumers, run.parts.consumers, strict=True):
                group = model.group or model.id
                self.groups[int(consumer.number)] = group
                self.read.setdefault(group, set()).update(self._named(model))
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

    def _place(self, p: int) -> Place:
        topic, number = self._catalog.partition_names[p]
        return original_name(self._catalog.topics[topic].name, self._prefixes), int(number)

    def _named(self, model: ConsumerEntry) -> set[Place]:
        topics = {original_name(topic, self._prefixes) for topic in model.topics}
        pairs = {(original_name(topic, self._prefixes), number) for topic, number in model.partitions}
        return {place for place in self._places if place[0] in topics} | pairs
