"""Applications that move to another cluster while the run is under way: ``move east/app west``.

The client is closed cleanly, and a client of the other cluster that uses the same records is opened (`scenario.moves`).
A client that joins has the newest index of all clients. Its group continues from the offsets that are committed for it
in the other cluster.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from simengine.client_assembly import attach_consumer, attach_producer, make_consumer, make_producer
from simengine.clients.consumer import Consumer
from simengine.clients.producer import Producer
from simengine.facts.decisive import ClientJoined
from simengine.facts.kinds import CLIENT_OPEN
from simengine.flows.counted import counted_copy
from simengine.kernel.calendar import Event
from simengine.scenario.model import Consumer as ConsumerModel
from simengine.scenario.model import Producer as ProducerModel
from simengine.scenario.moves import Applications, topics_there
from simengine.scenario.problems import FieldError
from simengine.verdict.write_path import leader_of

if TYPE_CHECKING:
    from simengine.assembly import Assembly

Client = Producer | Consumer
Json = dict[str, Any]
LOOK_US = 100_000


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


class Moved:
    """One client that moved at ``at_us``.

    ``wrote_us``: when the newest record was appended that it had written by then; -1: none.
    ``caught_up_us``: when it had read its partitions to the high watermark; -1: not yet.
    """

    def __init__(self, node: Client, opened: Client, here: "Assembly", there: "Assembly", at_us: int) -> None:
        self.node = node
        self.opened = opened
        self.here = here
        self.there = there
        self.at_us = at_us
        self.caught_up_us = -1
        spans = spans_of(here, int(node.number)) if isinstance(node, Producer) else []
        self.wrote_us = max((min(end, at_us) for _, end in spans), default=-1)


def spans_of(parts: "Assembly", client: int) -> list[tuple[int, int]]:
    """The times between which each batch of a client that is in a log now was appended."""
    own = [p for p in range(len(parts.cluster.partition_names)) if parts.cluster.has_partition(p)]
    copies = [copy for p in own if (copy := counted_copy(parts.cluster, p)) is not None]
    return [
        (int(batch.time), int(batch.until)) for copy in copies for batch in copy.log.batches if batch.client == client
    ]


class CatchUp(Event):
    """Checks every ``LOOK_US`` whether a consumer that has moved has read its partitions to the high watermark."""

    def __init__(self, moved: Moved) -> None:
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


def has_read_all(parts: "Assembly", consumer: Consumer) -> bool:
    """Whether a consumer or its group has reached the high watermark of each of the consumer's partitions."""
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

    ``prefixes``: what stands before the names of remote topics; ``flows``: tells what each flow has copied now.
    """

    def __init__(self, prefixes: list[str], flows: Callable[[], list[Json]]) -> None:
        self.joined: list[JoinedClient] = []  # in order of their indices
        self.moved: list[Moved] = []  # in order of time
        self.flows_at_first: dict[tuple[str, str], list[Json]] = {}  # by both clusters: the flows before the first move
        self._flows = flows
        self._prefixes = prefixes
        self._applications = Applications()

    def why_idle(self, here: "Assembly", name: str, there: "Assembly", given: str) -> str:
        """Why a move would change nothing now; "" where it would."""
        for client in moving(here, name):
            try:
                self._topics(here, client, there, given)
            except FieldError as wrong:
                return f"{there.site.name}: {wrong.message}"
        known = [self._known_at(here, client, there) for client in moving(here, name)]
        is_there = all(one and there.clients[one].state == CLIENT_OPEN for one in known)
        is_gone = all(here.clients[client].state != CLIENT_OPEN for client in moving(here, name))
        return "it has moved already" if is_there and is_gone else ""

    def move(self, here: "Assembly", name: str, there: "Assembly", given: str, cause: int) -> None:
        """Move a client or all members of a group; one without a topic there stays."""
        for client in moving(here, name):
            try:
                topics = self._topics(here, client, there, given)
            except FieldError:
                continue
            self._move(here, client, there, topics, cause)

    def _move(self, here: "Assembly", client: str, there: "Assembly", topics: list[str], cause: int) -> None:
        node = here.clients[client]
        if node.state == CLIENT_OPEN:
            node.close(cause)
        pair = (here.site.name, there.site.name)
        if pair not in self.flows_at_first:
            self.flows_at_first[pair] = self._flows()
        target = self._client_at(here, client, there)
        if target not in there.clients:
            self._join(here, client, there, target, topics, cause)
        opened = there.clients[target]
        if opened.state == CLIENT_OPEN:
            return
        if isinstance(opened, Producer) and isinstance(node, Producer) and opened.rate_milli() != node.rate_milli():
            opened.set_rate([int(calls.p) for calls in opened.calls], node.rate_milli(), cause)
        opened.open(cause)
        moved = Moved(node, opened, here, there, int(here.sim.now))
        self.moved.append(moved)
        if isinstance(opened, Consumer):
            here.sim.after(LOOK_US, CatchUp(moved))

    def _client_at(self, here: "Assembly", client: str, there: "Assembly") -> str:
        return self._applications.client_at((here.site.name, client), there.site.name, there.clients)

    def _known_at(self, here: "Assembly", client: str, there: "Assembly") -> str:
        return self._applications.known_at((here.site.name, client), there.site.name)

    def _topics(self, here: "Assembly", client: str, there: "Assembly", given: str) -> list[str]:
        """The topics that a client uses in its new cluster. Raises FieldError where there is none."""
        known = self._known_at(here, client, there)
        if known:
            return topics_of(there, known)
        topics = [topic.name for topic in there.cluster.own_topics() if not topic.is_going]
        is_producer = isinstance(here.clients[client], Producer)
        return topics_there(topics_of(here, client), is_producer, given, topics, self._prefixes)

    def _join(
        self, here: "Assembly", client: str, there: "Assembly", target: str, topics: list[str], cause: int
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
            for process in there.ground.processes.values():
                for flow in process.flows:
                    flow.group_joined(there.site, group)
        found = JoinedClient(joined, topics, group)
        self.joined.append(found)
        text = " ".join([joined.name, found.kind, ",".join(topics), *([group] if group else [])])
        there.sim.trace.state(ClientJoined(cause, client=joined.number, cluster=there.site.index, text=text))


def _join_producer(there: "Assembly", model: ProducerModel) -> Producer:
    there.doc = there.doc.model_copy(update={"producers": [*there.doc.producers, model]})
    node = make_producer(there, model)
    _connect(there, node)
    attach_producer(there, node, model)
    return node


def _join_consumer(there: "Assembly", model: ConsumerModel) -> Consumer:
    there.doc = there.doc.model_copy(update={"consumers": [*there.doc.consumers, model]})
    node = make_consumer(there, model)
    _connect(there, node)
    attach_consumer(there, node, model)
    return node


def _connect(there: "Assembly", node: Client) -> None:
    """Link a client with the nodes of its new cluster."""
    within = there.doc.network
    there.net.add([node], within.latency_us, within.jitter_us)


def _producer_there(here: "Assembly", client: str, there: "Assembly", target: str, topic: str) -> ProducerModel:
    """The producer as the document of its new cluster would have it: with its present acks and rate."""
    node, model = here.clients[client], producer_model(here, client)
    assert isinstance(node, Producer), "only producers write"
    acks = "all" if node.settings.acks < 0 else str(int(node.settings.acks))
    numbers = numbers_of(there, topic)
    kept = [number for number in model.partitions or () if number in numbers]
    own = {"topic": topic, "partitions": kept or None, "rate_milli": int(node.rate_milli()), "acks": acks}
    return model.model_copy(update={**_elsewhere(target), **own})


def _consumer_there(here: "Assembly", client: str, there: "Assembly", target: str, topics: list[str]) -> ConsumerModel:
    """The consumer as the document of its new cluster would have it."""
    model = consumer_model(here, client)
    if model.topics:
        return model.model_copy(update={**_elsewhere(target), "topics": topics, "partitions": []})
    named = dict.fromkeys(number for _, number in model.partitions)
    pairs = [(topic, number) for topic in topics for number in named if number in numbers_of(there, topic)]
    return model.model_copy(update={**_elsewhere(target), "partitions": pairs})


def _elsewhere(client: str) -> dict[str, object]:
    """What changes when a client moves: its id, its bootstrap brokers and its rack. It joins closed."""
    return {"id": client, "via": [], "rack": None, "state": "closed"}


def moving(parts: "Assembly", name: str) -> list[str]:
    """The clients that a move names: one by its id, or the members of a group."""
    if name in parts.clients:
        return [name]
    return [consumer.id for consumer in parts.doc.consumers if consumer.group == name]


def topics_of(parts: "Assembly", client: str) -> list[str]:
    """The topics that a client of a cluster uses."""
    if isinstance(parts.clients[client], Producer):
        return [producer_model(parts, client).topic]
    reader = consumer_model(parts, client)
    return list(dict.fromkeys([*reader.topics, *(topic for topic, _ in reader.partitions)]))


def producer_model(parts: "Assembly", client: str) -> ProducerModel:
    """What the document says of a producer."""
    return next(one for one in parts.doc.producers if one.id == client)


def consumer_model(parts: "Assembly", client: str) -> ConsumerModel:
    """What the document says of a consumer."""
    return next(one for one in parts.doc.consumers if one.id == client)


def numbers_of(parts: "Assembly", topic: str) -> list[int]:
    """The numbers of a topic's partitions."""
    return [parts.cluster.partition_names[p][1] for p in parts.topic_partitions(topic, None)]
