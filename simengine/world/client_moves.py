"""Applications that move to another cluster while the run is under way: ``move east/app west``.

The client is closed cleanly, and a client of the other cluster that uses the same records is opened (`scenario.moves`).
Its process is killed if it has not ended ``GRACE_US`` later, as Kubernetes does: what it still holds is never written.
A client that joins has the newest index of all clients. Its group continues from the offsets that are committed for it
in the other cluster.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from simengine.clients.consumer.consumer import Consumer
from simengine.clients.producer.producer import Producer
from simengine.facts.decisive import ClientJoined
from simengine.facts.kinds import CLIENT_OPEN
from simengine.kernel.calendar import Event
from simengine.scenario.model import ConsumerEntry, ProducerEntry
from simengine.scenario.moves import Applications, topics_there
from simengine.scenario.problems import FieldError
from simengine.verdict.write_path import leader_of
from simengine.world.client_assembly import attach_consumer, attach_producer, make_consumer, make_producer
from simengine.world.cluster_parts import ClusterParts
from simengine.world.ground import SharedWorld
from simengine.world.mirrors.counted import counted_copy

if TYPE_CHECKING:
    from simengine.world.failover_state import FailoverStart

Client = Producer | Consumer
LOOK_US = 100_000
GRACE_US = 30_000_000  # terminationGracePeriodSeconds


class JoinedClient:
    """A client that joined the run: its node, its topics, and its group ("" without one)."""

    def __init__(self, node: Client, topics: list[str], group: str) -> None:
        self.node = node
        self.topics = topics
        self.group = group

    @property
    def kind(self) -> str:
        """Producer or consumer."""
        return "producer" if isinstance(self.node, Producer) else "consumer"


class ClientMove:
    """One client that moved at ``at_us``.

    ``wrote_us``: when the newest record was appended that it had written by then; -1: none.
    ``writes``: it is a producer that makes calls by itself.
    ``caught_up_us``: when it had read its partitions to the high watermark; -1: not yet.
    ``group``: of a consumer; "" without one. ``read``: up to where it had read the partitions of its old cluster.
    """

    def __init__(
        self, node: Client, opened: Client, here: ClusterParts, there: ClusterParts, read: dict[int, int], at_us: int
    ) -> None:
        self.node = node
        self.opened = opened
        self.here = here
        self.there = there
        self.at_us = at_us
        self.writes = isinstance(opened, Producer) and opened.rate_milli() > 0
        self.caught_up_us = -1
        self.group = "" if isinstance(opened, Producer) else opened.settings.group
        self.read = read
        spans = spans_of(here, int(node.number)) if isinstance(node, Producer) else []
        self.wrote_us = max((min(end, at_us) for _, end in spans), default=-1)


def spans_of(parts: ClusterParts, client: int) -> list[tuple[int, int]]:
    """The times between which each batch of a client that is in a log now was appended."""
    own = [p for p in range(len(parts.cluster.partition_names)) if parts.cluster.has_partition(p)]
    copies = [copy for p in own if (copy := counted_copy(parts.cluster, p)) is not None]
    return [
        (int(batch.time), int(batch.until)) for copy in copies for batch in copy.log.batches if batch.client == client
    ]


class CatchUp(Event):
    """Checks every ``LOOK_US`` whether a consumer that has moved has read its partitions to the high watermark."""

    def __init__(self, moved: ClientMove) -> None:
        super().__init__()
        self._moved = moved

    def fire(self) -> None:
        moved, consumer = self._moved, self._moved.opened
        if consumer.state != CLIENT_OPEN or not isinstance(consumer, Consumer):
            return
        if has_read_all(moved.there, consumer):
            moved.caught_up_us = int(consumer.sim.now)
        else:
            consumer.sim.after(LOOK_US, CatchUp(moved))


class GraceEnded(Event):
    """Kills the process of a producer that has moved, if its last calls still wait."""

    def __init__(self, producer: Producer, cause: int) -> None:
        super().__init__()
        self._producer = producer
        self._cause = cause

    def fire(self) -> None:
        if self._producer.is_closing():
            self._producer.crash(self._cause)


def has_read_all(parts: ClusterParts, consumer: Consumer) -> bool:
    """True if a consumer or its group has reached the high watermark of each of the consumer's partitions."""
    group = consumer.settings.group
    peers = [one for one in parts.consumers if one is consumer or (group and one.settings.group == group)]
    positions: dict[int, int] = {}
    for peer in peers:
        for p, position in peer.positions_stated().items():
            positions[p] = max(position, positions.get(p, -1))
    for p in (int(one.p) for one in consumer.reader().assignment.positions):
        leader = leader_of(parts.cluster, p)
        if leader is None or positions.get(p, -1) < int(leader.hw):
            return False
    return True


class ClientMoves:
    """Moves clients between the clusters of a world.

    ``prefixes``: what stands before the names of remote topics; ``start``: the state of two clusters now.
    """

    def __init__(
        self, ground: SharedWorld, prefixes: list[str], start: "Callable[[ClusterParts, ClusterParts], FailoverStart]"
    ) -> None:
        self._ground = ground
        self.joined: list[JoinedClient] = []  # in order of their indices
        self.moved: list[ClientMove] = []  # in order of time
        self.starts: dict[tuple[str, str], FailoverStart] = {}  # by both clusters: the state before the first move
        self._start = start
        self._prefixes = prefixes
        self._applications = Applications()

    def why_idle(self, here: ClusterParts, name: str, there: ClusterParts, given: str) -> str:
        """The reason why a move would change nothing now; "" where it would."""
        for client in moving(here, name):
            try:
                self._topics(here, client, there, given)
            except FieldError as wrong:
                return f"{there.site.name}: {wrong.message}"
        known = [self._known_at(here, client, there) for client in moving(here, name)]
        is_there = all(one and there.clients[one].state == CLIENT_OPEN for one in known)
        is_gone = all(here.clients[client].state != CLIENT_OPEN for client in moving(here, name))
        return "it has moved already" if is_there and is_gone else ""

    def move(self, here: ClusterParts, name: str, there: ClusterParts, given: str, cause: int) -> None:
        """Move a client or all members of a group; one without a topic there stays."""
        for client in moving(here, name):
            try:
                topics = self._topics(here, client, there, given)
            except FieldError:
                continue
            self._move(here, client, there, topics, cause)

    def _move(self, here: ClusterParts, client: str, there: ClusterParts, topics: list[str], cause: int) -> None:
        node = here.clients[client]
        pair = (here.site.name, there.site.name)
        if pair not in self.starts:
            self.starts[pair] = self._start(here, there)
        read = {} if isinstance(node, Producer) else node.positions_stated()
        if node.state == CLIENT_OPEN:
            node.close(cause)
            if isinstance(node, Producer):
                here.sim.after(GRACE_US, GraceEnded(node, cause))
        target = self._client_at(here, client, there, topics)
        if target not in there.clients:
            self._join(here, client, there, target, topics, cause)
        opened = there.clients[target]
        if opened.state == CLIENT_OPEN:
            return
        if isinstance(opened, Producer) and isinstance(node, Producer) and opened.rate_milli() != node.rate_milli():
            opened.set_rate([int(calls.p) for calls in opened.calls], node.rate_milli(), cause)
        opened.open(cause)
        moved = ClientMove(node, opened, here, there, read, int(here.sim.now))
        self.moved.append(moved)
        if isinstance(opened, Consumer):
            here.sim.after(LOOK_US, CatchUp(moved))

    def _client_at(self, here: ClusterParts, client: str, there: ClusterParts, topics: list[str]) -> str:
        """The client that opens: the one from before, unless it used other topics."""
        known = self._known_at(here, client, there)
        is_new = not known or set(topics) != set(topics_of(there, known))
        return self._applications.client_at((here.site.name, client), there.site.name, there.clients, is_new)

    def _known_at(self, here: ClusterParts, client: str, there: ClusterParts) -> str:
        return self._applications.known_at((here.site.name, client), there.site.name)

    def _topics(self, here: ClusterParts, client: str, there: ClusterParts, given: str) -> list[str]:
        """The topics that a client uses in its new cluster. Raises FieldError where there is none."""
        known = self._known_at(here, client, there)
        if known and not given:
            return topics_of(there, known)
        topics = [topic.name for topic in there.cluster.own_topics() if not topic.is_going]
        is_producer = isinstance(here.clients[client], Producer)
        return topics_there(topics_of(here, client), is_producer, given, topics, self._prefixes)

    def _join(
        self, here: ClusterParts, client: str, there: ClusterParts, target: str, topics: list[str], cause: int
    ) -> None:
        """Another client for the cluster ``there``, closed."""
        group = ""
        if isinstance(here.clients[client], Producer):
            joined: Client = _join_producer(there, _producer_there(here, client, there, target, topics[0]))
        else:
            model = _consumer_there(here, client, there, target, topics)
            joined = _join_consumer(there, model)
            group = model.group or ""
        if group:
            for process in self._ground.processes.values():
                for flow in process.flows:
                    flow.group_joined(there.site, group)
        found = JoinedClient(joined, topics, group)
        self.joined.append(found)
        text = " ".join([joined.name, found.kind, ",".join(topics), *([group] if group else [])])
        there.sim.trace.state(ClientJoined(cause, client=joined.number, cluster=there.site.index, text=text))


def _join_producer(there: ClusterParts, model: ProducerEntry) -> Producer:
    there.doc = there.doc.model_copy(update={"producers": [*there.doc.producers, model]})
    node = make_producer(there, model)
    _connect(there, node)
    attach_producer(there, node, model)
    return node


def _join_consumer(there: ClusterParts, model: ConsumerEntry) -> Consumer:
    there.doc = there.doc.model_copy(update={"consumers": [*there.doc.consumers, model]})
    node = make_consumer(there, model)
    _connect(there, node)
    attach_consumer(there, node, model)
    return node


def _connect(there: ClusterParts, node: Client) -> None:
    """Link a client with the nodes of its new cluster."""
    within = there.doc.network
    there.net.add([node], within.latency_us, within.jitter_us)


def _producer_there(here: ClusterParts, client: str, there: ClusterParts, target: str, topic: str) -> ProducerEntry:
    """The producer as the document of its new cluster would have it: with its present acks and rate."""
    node, model = here.clients[client], producer_model(here, client)
    assert isinstance(node, Producer), "only producers write"
    acks = "all" if node.settings.acks < 0 else str(int(node.settings.acks))
    numbers = numbers_of(there, topic)
    kept = [number for number in model.partitions or () if number in numbers]
    own = {"topic": topic, "partitions": kept or None, "rate_milli": int(node.rate_milli()), "acks": acks}
    return model.model_copy(update={**_elsewhere(target), **own})


def _consumer_there(
    here: ClusterParts, client: str, there: ClusterParts, target: str, topics: list[str]
) -> ConsumerEntry:
    """The consumer as the document of its new cluster would have it."""
    model = consumer_model(here, client)
    if model.topics:
        return model.model_copy(update={**_elsewhere(target), "topics": topics, "partitions": []})
    named = dict.fromkeys(number for _, number in model.partitions)
    pairs = [(topic, number) for topic in topics for number in named if number in numbers_of(there, topic)]
    return model.model_copy(update={**_elsewhere(target), "partitions": pairs})


def _elsewhere(client: str) -> dict[str, object]:
    """The changes to a client that moves: its id, its bootstrap brokers and its rack. It joins closed."""
    return {"id": client, "via": [], "rack": None, "state": "closed"}


def moving(parts: ClusterParts, name: str) -> list[str]:
    """The clients that a move names: one by its id, or the members of a group."""
    if name in parts.clients:
        return [name]
    return [consumer.id for consumer in parts.doc.consumers if consumer.group == name]


def topics_of(parts: ClusterParts, client: str) -> list[str]:
    """The topics that a client of a cluster uses."""
    if isinstance(parts.clients[client], Producer):
        return [producer_model(parts, client).topic]
    reader = consumer_model(parts, client)
    return list(dict.fromkeys([*reader.topics, *(topic for topic, _ in reader.partitions)]))


def producer_model(parts: ClusterParts, client: str) -> ProducerEntry:
    """The document's entry of a producer."""
    return next(one for one in parts.doc.producers if one.id == client)


def consumer_model(parts: ClusterParts, client: str) -> ConsumerEntry:
    """The document's entry of a consumer."""
    return next(one for one in parts.doc.consumers if one.id == client)


def numbers_of(parts: ClusterParts, topic: str) -> list[int]:
    """The numbers of a topic's partitions."""
    return [parts.cluster.partition_names[p][1] for p in parts.topic_partitions(topic, None)]
