"""Produce requests at a broker: answered at once, later, or never (PROD-1, PROD-4..6, PROD-10, PROD-13)."""

from mypy_extensions import i64

from simengine.facts.errors import (
    ERR_NONE,
    ERR_NOT_LEADER_OR_FOLLOWER,
    ERR_UNKNOWN_TOPIC_OR_PARTITION,
)
from simengine.kafka.replica.produce_purgatory import ProducePurgatory
from simengine.kafka.replica.produce_wait import DelayedProduce, hint_leader
from simengine.kafka.replica.replica import LEADER, Partition
from simengine.kafka.replica.replica_host import ReplicaHost
from simengine.kafka.wire.api import ACKS_ALL, ClientChannel, ProduceAnswer, ProduceBatch, ProduceRequest, ProduceResult


def handle_produce(
    broker: ReplicaHost, purgatory: ProducePurgatory, channel: ClientChannel, request: ProduceRequest
) -> None:
    """Append what may be appended; answer now, later (acks=all) or never (acks=0)."""
    results: list[ProduceResult] = []
    wait: DelayedProduce | None = None
    failed = False
    is_open = request.conn == channel.conn  # else its client has closed the connection (PROD-13)
    for sent in request.batches:
        replica = broker.replica(sent.p)
        if replica is None or replica.role != LEADER:
            result = ProduceResult(sent.p, not_leading(broker, sent.p), -1, -1)
            hint_leader(broker.image, result)
        else:
            result = append(broker, replica, sent, request.acks)
            end = result.offset + sent.count
            if result.error == ERR_NONE and request.acks == ACKS_ALL and replica.hw < end:
                if wait is None:
                    wait = DelayedProduce(channel, request.request_id, results, broker.sim.now + request.timeout_us)
                    wait.conn = request.conn
                wait.add(result, end)
                replica.wait_for_hw(wait, end)
            elif result.error == ERR_NONE and request.acks != 0 and is_open:
                broker.observer.answered(replica, result.offset, sent.count, request.acks)
        if result.error != ERR_NONE:
            failed = True
        results.append(result)
    if wait is not None:
        purgatory.add(wait)
    elif not is_open:
        pass
    elif request.acks != 0:
        channel.answer(ProduceAnswer(request.request_id, results))
    elif failed:
        channel.hang_up()  # PROD-10
    else:
        channel.next_request()
    broker.flush()


def append(broker: ReplicaHost, replica: Partition, sent: ProduceBatch, acks: i64) -> ProduceResult:
    """Let a leader append a batch, or refuse it (PROD-2, IDEM-4)."""
    leo = replica.log.leo
    result = replica.append(sent, acks)
    if result.error != ERR_NONE:
        broker.observer.refused(replica, leo)
    return result


def not_leading(broker: ReplicaHost, p: i64) -> i64:
    """The error of a request for a partition that this broker does not lead (PROD-1)."""
    if broker.image.partition(p) is None:
        return ERR_UNKNOWN_TOPIC_OR_PARTITION
    return ERR_NOT_LEADER_OR_FOLLOWER
