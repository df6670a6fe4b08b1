"""The facts of a world told cluster by cluster, each in the cluster's own numbers: as it would state them alone.

Nodes go by their Kafka ids, topics, partitions and clients by their place among those of their cluster. The numbers of
the facts themselves stay those of the world.
"""

from typing import TYPE_CHECKING, Any, Final

from simengine.facts.kinds import FLIGHT
from simengine.facts.reading import HEAD, fields_of, with_fields
from simengine.facts.schema import BY_NUMBER
from simengine.kernel.site import SEPARATOR, SETTINGS_STEP

if TYPE_CHECKING:
    from simengine.world.world import World

NODES: Final = ("node", "broker", "leader", "controller", "src", "dst")
PARTITIONS: Final = ("p", "to", "remote", "down_all_p", "down_1_p", "read_p", "client_p", "reader_p")
FACT_NUMBERS: Final = ("flight", "deciding")  # values that are numbers of facts
OF_THE_WORLD: Final = ("index", "cluster")  # values that depend on what else there is

Row = list[Any]
Json = dict[str, Any]
Story = list[list[Any]]


class ClusterFacts:
    """Tells the facts of a world that has named clusters. Traffic is told where it was told from the beginning."""

    def __init__(self, world: "World") -> None:
        self._world = world
        self._bases = [int(run.site.base) for run in world.cluster_runs]
        self._names = [run.site.name for run in world.cluster_runs]
        self._flights: dict[int, int] = {}  # the cluster of each flight
        self._topics: list[tuple[int, int]] = []  # of each topic its cluster, and its place there
        self._partitions: list[tuple[int, int]] = []
        self._clients: list[tuple[int, int]] = []

    def told(self, row: Row) -> tuple[int, Row]:
        """The cluster that states a fact, and its row in that cluster's numbers."""
        self._look_up()
        values = fields_of(row)
        cluster = self._cluster_of(BY_NUMBER[row[2]].name, values)
        if row[2] == FLIGHT:
            self._flights[row[0]] = cluster
        return cluster, with_fields(row, [self._own(key, value, cluster) for key, value in values.items()])

    def _look_up(self) -> None:
        catalog, clients = self._world.catalog, self._world.net.clients
        if len(self._clients) != len(clients):
            self._clients = ranked([int(node.site.index) for node in clients])
        if len(self._topics) != len(catalog.topics) or len(self._partitions) != len(catalog.partition_names):
            clusters = [int(topic.site.index) for topic in catalog.topics]
            self._topics = ranked(clusters)
            self._partitions = ranked([clusters[topic] for topic, _ in catalog.partition_names])

    def _cluster_of(self, kind: str, values: dict[str, Any]) -> int:
        if "cluster" in values:
            return int(values["cluster"])
        if "flight" in values:
            return self._flights[int(values["flight"])]
        if kind == "ActionDone":
            return self._of_action(str(values["text"]))
        if "process" in values:
            return int(self._world.mirrors.processes[int(values["process"])].site.index)
        for key in ("p", "remote"):
            if values.get(key, -1) >= 0:
                return self._partitions[int(values[key])][0]
        for key in NODES:
            if values.get(key, -1) >= 0:
                return self.of_node(int(values[key]))
        if "flow" in values:
            return int(self._world.mirrors.flows()[int(values["flow"])].target.index)
        return self._of_client_or_topic(values)

    def _of_client_or_topic(self, values: dict[str, Any]) -> int:
        if "src" in values or "node" in values:
            return self._clients[-1 - int(values["src"] if "src" in values else values["node"])][0]
        if "client" in values:
            return self._clients[int(values["client"])][0]
        if "topic" in values:
            topic = int(values["topic"])
            return self._topics[topic][0] if topic >= 0 else self._of_subject(topic)
        return -1 - int(values["controller"] if "controller" in values else values["p"])

    def _of_action(self, text: str) -> int:
        """The first cluster that an action names; the first of all for one that names none."""
        words = text.replace("|", " ").replace(">", " ").replace(",", " ").split()[1:]
        named = (word.partition(SEPARATOR)[0] for word in words)
        return next((self._names.index(name) for name in named if name in self._names), 0)

    def of_node(self, number: int) -> int:
        """The cluster of a broker or controller."""
        return max(i for i, base in enumerate(self._bases) if base <= number)

    def _of_subject(self, topic: int) -> int:
        is_whole = topic == -1 or topic <= -SETTINGS_STEP
        return -(topic + 1) // SETTINGS_STEP if is_whole else self.of_node(-2 - topic)

    def _own(self, key: str, value: Any, cluster: int) -> Any:
        if isinstance(value, list):
            return [number - self._bases[cluster] for number in value]
        if not isinstance(value, int):
            return value
        if value < 0:
            return self._own_negative(key, value, cluster)
        if key in NODES:
            return value - self._bases[self.of_node(value)]
        ranks = self._partitions if key in PARTITIONS else {"client": self._clients, "topic": self._topics}.get(key)
        return value if ranks is None else ranks[value][1]

    def _own_negative(self, key: str, value: int, cluster: int) -> int:
        if key in ("src", "dst", "node"):
            return -1 - self._clients[-1 - value][1]
        if key == "topic":
            return -1 if value <= -SETTINGS_STEP else value + (self._bases[cluster] if value < -1 else 0)
        return -1 if key in ("controller", "p") else value

    def view(self, view: Json, cluster: int) -> Json:
        """The part of a snapshot that is of one cluster, in its numbers."""
        self._look_up()
        base = self._bases[cluster]
        partitions = [p for p, (of, _) in enumerate(self._partitions[: len(view["partitions"])]) if of == cluster]
        return {
            **view,
            **view["clusters"][cluster],
            "topics": [topic for topic, (of, _) in zip(view["topics"], self._topics, strict=False) if of == cluster],
            "brokers": self._keyed(view["brokers"], cluster),
            "controllers": self._keyed(view["controllers"], cluster),
            "partitions": [self._partition(view["partitions"][p], base) for p in partitions],
            "clients": [
                client
                for client, (of, _) in zip(view["clients"], self._clients, strict=False)  # MirrorMaker's come last
                if of == cluster
            ],
        }

    def _keyed(self, by_node: Json, cluster: int) -> Json:
        base = self._bases[cluster]
        return {str(int(node) - base): told for node, told in by_node.items() if self.of_node(int(node)) == cluster}

    def _partition(self, told: Json, base: int) -> Json:
        lists = ("replicas", "isr", "elr", "last_known", "adding", "removing")
        copies = {str(int(broker) - base): _copy(copy, base) for broker, copy in told["copies"].items()}
        leader = told["leader"] - base if told["leader"] >= 0 else told["leader"]
        topic = self._topics[told["topic"]][1] if told["topic"] >= 0 else -1
        members = {key: [b - base for b in told[key]] for key in lists}
        return {**told, "topic": topic, "leader": leader, **members, "copies": copies}

    def metrics(self, rows: list[Json], cluster: int) -> list[Json]:
        """The readings of one cluster's processes; those of MirrorMaker, which is no node, are of no cluster."""
        base = self._bases[cluster]
        own = [row for row in rows if row["node"] >= 0 and self.of_node(row["node"]) == cluster]
        return [{**row, "node": row["node"] - base} for row in own]

    def names(self, names: Json, cluster: int) -> Json:
        """The names of one cluster: without its name before them."""
        self._look_up()
        topics = [name for name, (of, _) in zip(names["topics"], self._topics, strict=True) if of == cluster]
        prefix = self._names[cluster] + SEPARATOR
        of_all = zip(names["clients"], self._clients, strict=True)
        clients = [{**client, "id": client["id"].removeprefix(prefix)} for client, (of, _) in of_all if of == cluster]
        pairs = [[self._topics[t][1], n] for t, n in names["partitions"] if self._topics[t][0] == cluster]
        return {**names, "topics": topics, "partitions": pairs, "clients": clients}


def stories(world: "World") -> list[Story]:
    """The facts of each cluster since they were last taken: [t_us, kind, cause, values...], facts by their rank.

    A cluster that goes as it goes alone under its name and seed has the same story as alone.
    """
    facts = ClusterFacts(world)
    found: list[Story] = [[] for _ in world.cluster_runs]
    numbers: list[dict[int, int]] = [{0: 0} for _ in world.cluster_runs]
    for row in world.trace.take().rows():
        cluster, line = facts.told(row)
        rank = numbers[cluster]
        rank[line[0]] = len(rank)
        values = [
            rank.get(value) if key in FACT_NUMBERS else None if key in OF_THE_WORLD else value
            for key, value in fields_of(line).items()
        ]
        _, t_us, kind, cause = line[:HEAD]
        found[cluster].append([t_us, BY_NUMBER[kind].name, rank.get(cause), *values])
    return found


def ranked(owners: list[int]) -> list[tuple[int, int]]:
    """Of each thing its owner, and its place among the owner's things."""
    counts: dict[int, int] = {}
    found: list[tuple[int, int]] = []
    for owner in owners:
        found.append((owner, counts.get(owner, 0)))
        counts[owner] = counts.get(owner, 0) + 1
    return found


def _copy(copy: Json, base: int) -> Json:
    leader = copy["leader"] - base if copy["leader"] >= 0 else copy["leader"]
    return {
        **copy,
        "leader": leader,
        "isr": [b - base for b in copy["isr"]],
        "maximal": [b - base for b in copy["maximal"]],
    }
