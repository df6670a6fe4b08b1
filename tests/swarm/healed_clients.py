"""The clients of a healed cluster: write_resolved, fate_total, refused_absent and reads_drain."""

from bisect import bisect_left
from typing import Any, Final

from simengine.clients.consumer.position import INITIALIZING, REVOKED
from simengine.clients.consumer.reader import Reader
from simengine.clients.network.network_client import Connection, NetworkClient, PendingMetadata
from simengine.clients.network.settings import RETRIES_MAX
from simengine.clients.producer.producer import Producer
from simengine.facts.kinds import CLIENT_OPEN
from simengine.kafka.replica.replica import Partition
from simengine.kafka.shared.standing import is_below_min
from simengine.kernel.connecting import CONNECTING
from simengine.verdict.outcomes import REFUSED
from simengine.world.world import World
from tests.invariants.violation import demand
from tests.swarm.healed import Healed

STEP_US: Final = 5_000_000
WRITE_US: Final = 10_000_000
WRITE_SILENT_US: Final = 45_000_000  # a client may first try a silent broker that it takes for the leader (TCP-1)
METADATA_AGE_US: Final = 300_000_000  # metadata.max.age.ms: an idle client asks nobody before (PC-5)
REBOOTSTRAP_US: Final = 310_000_000  # KIP-1102: five minutes, and what a client does next
ATTEMPT_US: Final = 31_000_000  # the longest attempt to connect (TCP-1)


def stop_traffic(world: World) -> None:
    """No more calls."""
    for producer in world.cluster_parts.producers:
        if producer.state == CLIENT_OPEN:
            for calls in producer.calls:
                if calls.rate_milli:
                    world.act(world.now_us + 1, f"rate {producer.name} 0 {name_of(world, int(calls.p))}")


def name_of(world: World, p: int) -> str:
    """A partition as documents name it."""
    topic, number = world.cluster.partition_names[p]
    return f"{world.cluster.topics[topic].name}-{number}"


def open_calls(world: World) -> int:
    """Calls that have not ended."""
    return sum(int(c.queued + c.in_flight) for producer in world.cluster_parts.producers for c in producer.calls)


def check_writes(healed: Healed) -> None:
    """write_resolved: where there is a leader and M members, a new call with acks=all succeeds.

    Who has lost its connection meanwhile may look for brokers outside the core first, for longer than a call lives
    (TCP-1, PC-13): once it has found back, a second call must succeed. A producer with few retries may lose one call to
    an idle client's old metadata (PC-4, PC-5), and the next one to a connection to the new leader that died in a cut,
    as it learns by using it (TCP-1; seed 7311296): its third call must succeed.
    """
    late = write_late(healed)
    if late and (healed.left_out or any(has_few_retries(producer) for producer, _ in late)):
        look_around(healed)
        late = write_late(healed)
    if late and all(has_few_retries(producer) for producer, _ in late):
        late = write_late(healed)
    for producer, expected in late:
        story = f"{int(producer.acked)} acknowledged, {expected} expected, {open_calls(healed.world)} open"
        demand(False, "write_resolved", f"producer {producer.name}", story)


def has_few_retries(producer: Producer) -> bool:
    """True if a call of a producer may fail before its delivery timeout (PC-4)."""
    return bool(producer.settings.retries < RETRIES_MAX)


def write_late(healed: Healed) -> list[tuple[Any, int]]:
    """Make one call on every partition that can be written; producers that have fewer than their successes by then."""
    world = healed.world
    tried: list[tuple[Any, int]] = []
    for producer in world.cluster_parts.producers:
        if producer.state != CLIENT_OPEN or producer.settings.acks >= 0 or producer.is_stuck_out_of_order():
            continue
        if is_too_hasty(healed, producer):
            continue
        for calls in producer.calls:
            r = world.cluster.quorum.image.partition(calls.p)
            if r is None or r.leader not in healed.brokers:
                continue
            if not is_below_min(len(r.isr), healed.leader(r).min_isr):
                world.act(world.now_us + 1, f"send {producer.name} {name_of(world, int(calls.p))} 1")
                tried.append((producer, int(producer.acked) + sum(other is producer for other, _ in tried) + 1))
    # PROD-12: the requests on one connection are answered one after the other
    most = max((sum(other is producer for other, _ in tried) for producer, _ in tried), default=1)
    healed.run(world.now_us + WRITE_US * most + (WRITE_SILENT_US if healed.left_out else 0))
    missing = [(producer, expected) for producer, expected in tried if producer.acked < expected]
    return [
        (producer, expected)
        for producer, expected in missing
        if not waits_for_silence(healed, producer.sender()) and not producer.is_stuck_out_of_order()
    ]


def is_too_hasty(healed: Healed, producer: Producer) -> bool:
    """True if each attempt of a producer may be over before the slowest member has the record and says so (PC-7).

    A fetch that has just found nothing travels back, the next one brings the record, and the one after it tells.
    """
    wait = 2 * healed.round_trip_us + int(healed.world.cluster_parts.config.fetch_wait_us)
    return bool(producer.settings.request_timeout_us < wait)


def look_around(healed: Healed) -> None:
    """Wait for clients that know nobody in the core, or are held up by somebody outside.

    PC-7, TCP-1: a client that is connecting to some node asks no other, and one attempt follows the other where the
    brokers that it knows are gone for good. KIP-1102 ends that after five minutes; it may then meet more of them.
    """
    world = healed.world
    end = world.now_us + METADATA_AGE_US + REBOOTSTRAP_US + ATTEMPT_US * (1 + len(healed.left_out))
    while world.now_us < end and any(is_astray(healed, client) for client in networks(world)):
        healed.run(world.now_us + STEP_US)


def networks(world: World) -> list[NetworkClient]:
    """The network halves of all open clients that use partitions."""
    found: list[NetworkClient] = []
    for producer in world.cluster_parts.producers:
        sender = producer.sender()
        if sender is not None and producer.calls:
            found.append(sender)
    return found + [consumer.reader() for consumer in world.cluster_parts.consumers if consumer.state == CLIENT_OPEN]


def is_astray(healed: Healed, client: NetworkClient) -> bool:
    """True if a client knows only brokers that are left out, takes one for a leader, or waits for one.

    PC-7: it asks one broker for metadata at a time, or tries to connect to one. Whoever is cut off answers neither, and
    each connection that still stands is asked in its turn.
    """
    known = [int(client.brokers[i].id) for i in client.metadata.nodes]
    held_up = any(waits_for(c) for c in client.connections if int(c.broker.id) in healed.left_out)
    misled = any(leader in healed.left_out for leader in client.metadata.leaders)
    return held_up or misled or all(b in healed.left_out for b in known)


def waits_for(connection: Connection) -> bool:
    """True if a client is connecting to a broker, or has asked it for metadata."""
    return connection.state == CONNECTING or any(isinstance(p, PendingMetadata) for p in connection.pending)


def waits_for_silence(healed: Healed, client: NetworkClient | None) -> bool:
    """KAFKA-19522: the committed leader of some partition is silent for good, and the client tries it for ever."""
    is_silent = any(r.leader in healed.left_out for r in healed.registrations())
    return is_silent and client is not None and is_astray(healed, client)


def check_calls(healed: Healed) -> None:
    """write_resolved, fate_total, refused_absent."""
    world = healed.world
    every = world.cluster_parts.producers
    waiting = [p for p in every if not waits_for_silence(healed, p.sender()) and not p.is_stuck_out_of_order()]
    left = sum(int(c.queued + c.in_flight) for producer in waiting for c in producer.calls)
    demand(left == 0, "write_resolved", "the producers", f"{left} calls have not ended")
    verdict = world.verdict()
    demand(verdict["balance_ok"] is True, "fate_total", "the verdict", str(verdict["sentence"]))
    for broker in world.cluster.brokers:
        for copy in broker.hosted:
            check_refused(world, copy)


def check_refused(world: World, copy: Partition) -> None:
    """refused_absent: what no broker can have appended stands in no log, on no disk."""
    refused: dict[int, list[tuple[int, int]]] = {}
    for calls in world.book.account(copy.p).calls:
        runs = [(int(run.n), int(run.n + run.count)) for run in calls.runs if run.outcome == REFUSED]
        refused[int(calls.client)] = sorted(refused.get(int(calls.client), []) + runs)
    for batch in copy.log.batches if any(refused.values()) else []:
        runs = refused.get(int(batch.client), [])
        last = bisect_left(runs, (int(batch.n + batch.count), 0)) - 1  # of those that begin before the batch is over
        if last >= 0 and runs[last][1] > batch.n:
            where = f"partition {int(copy.p)} on broker {int(copy.broker.id)}"
            story = f"calls {runs[last]} of client {int(batch.client)} were refused, and stand at {int(batch.base)}"
            demand(False, "refused_absent", where, story)


def check_readers(healed: Healed) -> None:
    """reads_drain: positions reach the high watermark, and nothing is asked of a leader that is not there."""
    world = healed.world
    for consumer in world.cluster_parts.consumers:
        if consumer.state != CLIENT_OPEN or waits_for_silence(healed, consumer.reader()):
            continue
        for position in consumer.reader().assignment.positions:
            r = world.cluster.quorum.image.partition(position.p)
            if r is None or r.leader not in healed.brokers or position.stated < 0 or position.has_thrown:
                continue
            if position.state == REVOKED:
                continue  # another member's, or nobody's while the group waits for one that is gone (CON-6)
            if position.state == INITIALIZING and not has_coordinator(healed, consumer.reader()):
                healed.excuse()
                continue
            leader = healed.leader(r)
            if leader.hw < leader.epoch_start:
                continue  # HW-7, HW-10: hidden while the ISR is below M
            story = f"position {int(position.stated)} HW {int(leader.hw)}"
            where = f"consumer {consumer.name} partition {int(position.p)}"
            demand(position.stated >= leader.hw or leader.hw == 0, "reads_drain", where, story)


def has_coordinator(healed: Healed, reader: Reader) -> bool:
    """CON-6: where a new process of a group begins is a commit, which only the leader of the offsets knows."""
    r = healed.cluster.quorum.image.partition(reader.commits.offsets_p)
    return r is not None and r.leader in healed.brokers
