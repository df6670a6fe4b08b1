"""For how long a consumer, or all of a group, had no position in a partition with records: counted from facts alone.

A group whose last member died has none; one whose members were closed wants none.
"""

from typing import Final

from simengine.facts.decisive import ClientChanged, ConsumerReset
from simengine.facts.kinds import CLIENT_CRASHED, CLIENT_OPEN
from simengine.facts.traffic import Appended, ConsumerMoved, Delivered
from simengine.world.world import World

OfReaders = Appended | ClientChanged | ConsumerMoved | ConsumerReset | Delivered  # the facts that are of account
Owner = tuple[str, int]  # a group and -1, or "" and a consumer that reads by itself

ALONE_US: Final = 1_000_000  # a consumer finds its position within so long when all is well ...
GROUP_US: Final = 5_000_000  # ... and a group that begins or is rebalanced


class Unowned:
    """The consumers that are to read each partition, and the moment since which none of them does."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._until_us = world.doc.closing_us
        self._wanted: dict[int, list[tuple[Owner, int]]] = {}  # by consumer: for whom it reads which partitions
        self._open: set[int] = set()
        self._dead: set[Owner] = set()  # groups whose last member died
        self._positions: set[tuple[int, int]] = set()  # consumer, partition
        self._filled: set[int] = set()  # partitions with records
        self._since: dict[tuple[Owner, int], int] = {}
        self._over: dict[tuple[Owner, int], list[tuple[int, int]]] = {}  # times that are over
        topics = world.cluster.topics
        for i, consumer in enumerate(world.doc.consumers):
            owner = (consumer.group, -1) if consumer.group and consumer.topics else ("", i)
            named = [(str(topics[t].name), n) for t, n in world.cluster.partition_names]
            pairs = [p for p, (t, n) in enumerate(named) if t in consumer.topics or (t, n) in consumer.partitions]
            self._wanted[len(world.doc.producers) + i] = [(owner, p) for p in pairs]
        for broker in world.cluster.brokers:
            self._filled |= {int(replica.p) for replica in broker.hosted if replica.log.leo > 0}

    def take(self, fact: OfReaders) -> None:
        """Take in one fact."""
        if isinstance(fact, Appended):
            if fact.p in self._filled:
                return
            self._filled.add(fact.p)
        elif isinstance(fact, ClientChanged):
            self._change(fact.client, fact.state)
        elif isinstance(fact, ConsumerMoved) and fact.position < 0:
            self._positions.discard((fact.client, fact.p))
        elif (fact.client, fact.p) in self._positions:
            return
        else:
            self._positions.add((fact.client, fact.p))
        self._look(fact.t)

    def _change(self, client: int, state: int) -> None:
        self._positions = {key for key in self._positions if key[0] != client}
        groups = {owner for owner, _ in self._wanted.get(client, []) if owner[0]}
        if state == CLIENT_OPEN and client in self._wanted:
            self._open.add(client)
            self._dead -= groups
        elif client in self._open:
            self._open.discard(client)
            alive = {owner for one in self._open for owner, _ in self._wanted[one]}
            self._dead |= groups - alive if state == CLIENT_CRASHED else set()

    def _at(self, t: int) -> int:
        """Nothing counts after a run is closed."""
        return t if self._until_us is None else min(t, self._until_us)

    def _look(self, t: int) -> None:
        pairs = {pair for client in self._open for pair in self._wanted[client]}
        pairs |= {pair for some in self._wanted.values() for pair in some if pair[0] in self._dead}
        wanted = {pair for pair in pairs if pair[1] in self._filled}
        has_one = {
            (owner, p) for client in self._open for owner, p in self._wanted[client] if (client, p) in self._positions
        }
        missing = wanted - has_one
        for pair in [pair for pair in self._since if pair not in missing]:
            self._over.setdefault(pair, []).append((self._since.pop(pair), self._at(t)))
        for pair in missing:
            self._since.setdefault(pair, self._at(t))

    def _all(self, pair: tuple[Owner, int]) -> list[tuple[int, int]]:
        """The times of an owner without a position in a partition, the one that goes on included."""
        still = [(self._since[pair], self._at(self._world.now_us))] if pair in self._since else []
        return [*self._over.get(pair, []), *still]

    def spans(self, p: int) -> dict[int, list[tuple[int, int]]]:
        """By consumer: when it and its group had no position in a partition, for longer than finding one takes."""
        found: dict[int, list[tuple[int, int]]] = {}
        for client, pairs in self._wanted.items():
            for owner, q in pairs:
                if q == p:
                    limit = GROUP_US if owner[0] else ALONE_US
                    found[client] = [one for one in self._all((owner, p)) if one[1] - one[0] > limit]
        return found

    def longest_us(self, p: int) -> int:
        """The longest time in one go that somebody had no position in a partition."""
        return max((end - start for spans in self.spans(p).values() for start, end in spans), default=0)

    def open(self) -> list[tuple[str, int]]:
        """Groups and consumers by name that have no position in some partition now, and since when."""
        return [(self._name(owner), since) for (owner, _), since in self._since.items()]

    def longest(self) -> list[tuple[str, int]]:
        """Groups and consumers by name, and how long each had no position at most in some partition, in one go."""
        pairs = {*self._over, *self._since}
        times = [(pair[0], [end - start for start, end in self._all(pair)]) for pair in pairs]
        return [(self._name(owner), max(some)) for owner, some in times]

    def _name(self, owner: Owner) -> str:
        group, client = owner
        return group or str(self._world.doc.consumers[client].id)
