"""The opponent of `make bench`: the reference workload as a modeller would write it with SimPy.

Partitions with three replicas, producers whose batches travel to the leader, followers that fetch, and wait where there
is nothing to fetch, the high watermark, acknowledgements of acks=all, the ISR with its check, brokers that die,
sessions that expire, elections out of the ISR, truncation by leader epochs. It has no controller messages, no requests
but produce and fetch, and no retries of clients: it does less than the engine for every batch, and nothing slows it
down. Times are integer microseconds.
"""

import random
from collections import deque
from collections.abc import Generator
from functools import partial
from typing import Any, Final

import simpy

INTERVAL_US: Final = 20_000  # 50 batches a second and partition
LATENCY_US: Final = (500, 2_000)
MTTF_US: Final = 60_000_000
MTTR_US: Final = 10_000_000
SESSION_US: Final = 9_000_000
LAG_US: Final = 30_000_000
RETRY_US: Final = 100_000
REPLICATION_FACTOR: Final = 3

Process = Generator[simpy.Event, Any, None]


class Broker:
    """A broker: up or down, and which of its lives it lives."""

    __slots__ = ("is_up", "life", "number", "random", "replicas")

    def __init__(self, number: int, seed: int) -> None:
        self.number = number
        self.is_up = True
        self.life = 0
        self.replicas: list[Replica] = []
        self.random = random.Random(f"{seed} broker {number}")


class Replica:
    """A copy of a partition, and what the leader knows of it."""

    __slots__ = (
        "bit",
        "broker",
        "caught_up",
        "epochs",
        "fetcher",
        "hw",
        "last_end",
        "last_fetch",
        "leo",
        "partition",
        "seen",
    )

    def __init__(self, partition: "Partition", slot: int, broker: Broker) -> None:
        self.partition = partition
        self.bit = 1 << slot
        self.broker = broker
        self.leo = 0
        self.hw = 0
        self.epochs = [(0, 0)]  # (epoch, first offset)
        self.fetcher = 0  # generation of its fetching; a stale one stops
        self.seen = 0
        self.caught_up = 0
        self.last_fetch = 0
        self.last_end = 0


class Partition:
    """A partition and its producer's open calls."""

    __slots__ = ("data", "epoch", "isr", "leader", "pending", "random", "replicas", "waiting")

    def __init__(self, number: int, seed: int) -> None:
        self.replicas: list[Replica] = []
        self.leader: Replica | None = None
        self.isr = (1 << REPLICATION_FACTOR) - 1
        self.epoch = 0
        self.waiting: deque[tuple[int, int]] = deque()  # (end offset, created), awaiting the high watermark
        self.pending: list[int] = []  # created; nobody led when they arrived
        self.data: simpy.Event | None = None  # followers at the log's end wait for this
        self.random = random.Random(f"{seed} partition {number}")


class Model:
    """The workload; `run` simulates it."""

    def __init__(self, partitions: int = 12, brokers: int = 6, seed: int = 1) -> None:
        self.env = simpy.Environment()
        self.acked = 0
        self.elections = 0
        self.latency_us = 0
        self.brokers = [Broker(number, seed) for number in range(brokers)]
        self.partitions = [self._partition(number, seed) for number in range(partitions)]
        for partition in self.partitions:
            self.env.process(self._produce(partition))
            self._follow(partition)
        for broker in self.brokers:
            self.env.process(self._fail(broker))
            self.env.process(self._check_isr(broker))

    def run(self, until_us: int) -> None:
        """Simulate up to a time."""
        self.env.run(until_us)

    def _partition(self, number: int, seed: int) -> Partition:
        partition = Partition(number, seed)
        for slot in range(REPLICATION_FACTOR):
            broker = self.brokers[(number + slot) % len(self.brokers)]
            replica = Replica(partition, slot, broker)
            partition.replicas.append(replica)
            broker.replicas.append(replica)
        partition.leader = partition.replicas[0]
        return partition

    # producing

    @property
    def _now(self) -> int:
        return int(self.env.now)  # an integer already: every delay is one

    def _produce(self, partition: Partition) -> Process:
        timeout = self.env.timeout
        draw = partition.random.random
        low, high = LATENCY_US
        arrive = partial(self._arrive, partition)
        while True:
            yield timeout(INTERVAL_US)
            flight = timeout(low + int(draw() * (high - low)), self.env.now)
            flight.callbacks.append(arrive)

    def _arrive(self, partition: Partition, flight: simpy.Event) -> None:
        leader = partition.leader
        created: Any = flight.value
        if leader is None or not leader.broker.is_up:
            partition.pending.append(created)
        else:
            self._append(partition, leader, created)

    def _append(self, partition: Partition, leader: Replica, created: int) -> None:
        leader.leo += 1
        partition.waiting.append((leader.leo, created))
        if partition.isr == leader.bit:
            self._advance(partition, leader)
        if partition.data is not None:
            partition.data.succeed()
            partition.data = None

    def _retry(self, partition: Partition, _: simpy.Event) -> None:
        leader = partition.leader
        if leader is not None and leader.broker.is_up:
            pending, partition.pending = partition.pending, []
            for created in pending:
                self._append(partition, leader, created)

    def _advance(self, partition: Partition, leader: Replica) -> None:
        """Move the high watermark to what the whole ISR has, and answer what waited for it."""
        hw = leader.leo
        for replica in partition.replicas:
            if partition.isr & replica.bit and replica is not leader and replica.seen < hw:
                hw = replica.seen
        if hw > leader.hw:
            leader.hw = hw
            waiting = partition.waiting
            while waiting and waiting[0][0] <= hw:
                self.acked += 1
                self.latency_us += self._now - waiting.popleft()[1]

    # replicating

    def _follow(self, partition: Partition) -> None:
        for replica in partition.replicas:
            if replica is not partition.leader and replica.broker.is_up:
                self._attach(replica)

    def _attach(self, replica: Replica) -> None:
        """Truncate to where the leader's history differs, then fetch."""
        leader = replica.partition.leader
        assert leader is not None
        end = next((start for epoch, start in leader.epochs if epoch > replica.epochs[-1][0]), leader.leo)
        if replica.leo > end:
            replica.leo = end
            replica.hw = min(replica.hw, end)
            while len(replica.epochs) > 1 and replica.epochs[-1][1] >= end:
                replica.epochs.pop()
        replica.fetcher += 1
        self.env.process(self._fetch(replica, leader, replica.fetcher))

    def _fetch(self, replica: Replica, leader: Replica, fetcher: int) -> Process:
        timeout = self.env.timeout
        partition = replica.partition
        draw = replica.broker.random.random
        low, span = LATENCY_US[0], LATENCY_US[1] - LATENCY_US[0]
        while True:
            yield timeout(low + int(draw() * span))  # the request travels
            if replica.fetcher != fetcher:
                return
            self._note_fetch(partition, leader, replica)
            while leader.leo <= replica.leo:
                if partition.data is None:
                    partition.data = self.env.event()
                yield partition.data
                if replica.fetcher != fetcher:
                    return
            end, hw = leader.leo, leader.hw
            yield timeout(low + int(draw() * span))  # the response travels
            if replica.fetcher != fetcher:
                return
            replica.leo = end
            replica.hw = min(hw, end)
            if leader.epochs[-1] != replica.epochs[-1]:
                known = replica.epochs[-1][0]
                replica.epochs += [entry for entry in leader.epochs if entry[0] > known and entry[1] < end]

    def _note_fetch(self, partition: Partition, leader: Replica, replica: Replica) -> None:
        now = self._now
        if replica.leo >= leader.leo:
            replica.caught_up = now
        elif replica.leo >= replica.last_end:
            replica.caught_up = max(replica.caught_up, replica.last_fetch)
        replica.last_fetch = now
        replica.last_end = leader.leo
        replica.seen = replica.leo
        if replica.leo >= leader.hw:
            partition.isr |= replica.bit
        if replica.leo > leader.hw:
            self._advance(partition, leader)

    # failing

    def _fail(self, broker: Broker) -> Process:
        while True:
            yield self.env.timeout(1 + int(broker.random.expovariate(1 / MTTF_US)))
            self._crash(broker)
            expiry = self.env.timeout(SESSION_US, broker.life)
            expiry.callbacks.append(partial(self._expire, broker))
            yield self.env.timeout(1 + int(broker.random.expovariate(1 / MTTR_US)))
            self._restart(broker)

    def _crash(self, broker: Broker) -> None:
        broker.is_up = False
        for replica in broker.replicas:
            partition = replica.partition
            if partition.leader is replica:
                partition.pending += [created for _, created in partition.waiting]
                partition.waiting.clear()
                partition.data = None
                for other in partition.replicas:
                    other.fetcher += 1
            replica.fetcher += 1

    def _restart(self, broker: Broker) -> None:
        broker.is_up = True
        broker.life += 1
        for replica in broker.replicas:
            partition = replica.partition
            if partition.leader is replica:
                self._lead(partition, replica)
            elif partition.leader is None:
                if partition.isr & replica.bit:
                    self._elect(partition)
            elif partition.leader.broker.is_up:
                self._attach(replica)

    def _expire(self, broker: Broker, session: simpy.Event) -> None:
        if broker.is_up or broker.life != session.value:
            return
        for replica in broker.replicas:
            partition = replica.partition
            if partition.leader is replica:
                self._elect(partition)
            elif partition.leader is not None and partition.isr & replica.bit:
                partition.isr &= ~replica.bit
                if partition.leader.broker.is_up:
                    self._advance(partition, partition.leader)

    def _elect(self, partition: Partition) -> None:
        """The first live member of the ISR leads; without one, nobody does."""
        live = [replica for replica in partition.replicas if replica.broker.is_up]
        leader = next((replica for replica in live if partition.isr & replica.bit), None)
        partition.leader = leader
        if leader is not None:
            self.elections += 1
            partition.epoch += 1
            partition.isr &= sum(replica.bit for replica in live)
            leader.epochs.append((partition.epoch, leader.leo))
            self._lead(partition, leader)

    def _lead(self, partition: Partition, leader: Replica) -> None:
        now = self._now
        for replica in partition.replicas:
            replica.seen = 0
            replica.caught_up = replica.last_fetch = now
            replica.last_end = leader.leo
        self._follow(partition)
        self.env.timeout(RETRY_US).callbacks.append(partial(self._retry, partition))

    def _check_isr(self, broker: Broker) -> Process:
        while True:
            yield self.env.timeout(LAG_US // 2)
            for leader in broker.replicas:
                if broker.is_up and leader.partition.leader is leader:
                    self._shrink(leader.partition, leader)

    def _shrink(self, partition: Partition, leader: Replica) -> None:
        now = self._now
        for replica in partition.replicas:
            is_behind = replica.seen != leader.leo and now - replica.caught_up > LAG_US
            if replica is not leader and partition.isr & replica.bit and is_behind:
                partition.isr &= ~replica.bit
                self._advance(partition, leader)
