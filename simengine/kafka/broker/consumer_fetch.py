"""A broker's responses to the Fetch and offset requests of consumers (CON-1, CON-2, CON-4, FFR-1..5, HW-7).

There are no transactions: the last stable offset is the high watermark, whatever isolation.level says (HW-6).
"""

from mypy_extensions import i64

from simengine.facts.errors import (
    ERR_FENCED_LEADER_EPOCH,
    ERR_NONE,
    ERR_NOT_LEADER_OR_FOLLOWER,
    ERR_OFFSET_NOT_AVAILABLE,
    ERR_OFFSET_OUT_OF_RANGE,
    ERR_UNKNOWN_LEADER_EPOCH,
)
from simengine.kafka.broker.produce import not_leading
from simengine.kafka.replica.remote import FollowerState
from simengine.kafka.replica.replica import LEADER, NO_ROLE, Partition
from simengine.kafka.replica.replica_host import ReplicaHost
from simengine.kafka.shared.standing import is_sent_away, may_serve_readers
from simengine.kafka.wire.api import (
    BY_TIME,
    EARLIEST,
    LATEST,
    ClientChannel,
    ConsumerFetch,
    ConsumerPart,
    ConsumerPosition,
    OffsetAnswer,
    OffsetRequest,
)


def read_parts(broker: ReplicaHost, request: ConsumerFetch) -> list[ConsumerPart]:
    """The parts that a fetch can be answered with now."""
    parts: list[ConsumerPart] = []
    left = request.max_bytes
    for position in request.positions:
        limit = broker.config.fetch_max_records
        if request.partition_bytes > 0:
            limit = min(request.partition_bytes, left) // broker.record_bytes(position.p)
        part = read_part(broker, position, request.rack, max(limit, 1)) if left > 0 else None
        if part is not None:
            parts.append(part)
            if request.partition_bytes > 0:
                left -= part.records() * broker.record_bytes(position.p)
    return parts


def read_part(broker: ReplicaHost, position: ConsumerPosition, rack: str, limit: i64) -> ConsumerPart | None:
    """At most ``limit`` records, if the first batch has no more; an error or a redirection; None: nothing yet."""
    replica = broker.replica(position.p)
    error = check_reader(broker, replica, position)
    if error != ERR_NONE or replica is None:
        part = ConsumerPart(position.p, error, [], -1)
        registration = broker.image.partition(position.p)
        if registration is not None:
            part.leader = registration.leader
            part.leader_epoch = registration.epoch
        return part
    log = replica.log
    if position.offset > log.leo or position.offset < log.start:
        return ConsumerPart(position.p, ERR_OFFSET_OUT_OF_RANGE, [], replica.hw)
    if rack and broker.config.rack_selector and replica.role == LEADER:
        preferred = preferred_replica(broker, replica, position.offset, rack)
        if preferred >= 0:
            part = ConsumerPart(position.p, ERR_NONE, [], replica.hw)
            part.preferred = preferred
            return part
    if position.offset >= replica.hw:
        return None
    batches = log.read(position.offset, replica.hw, limit)
    if not batches:
        return None
    broker.observer.served(replica, batches)
    return ConsumerPart(position.p, ERR_NONE, batches, replica.hw)


def check_reader(broker: ReplicaHost, replica: Partition | None, position: ConsumerPosition) -> i64:
    """CON-2, FFR-5: any replica serves a reader whose epoch agrees with its own."""
    if replica is None or replica.role == NO_ROLE:
        return not_leading(broker, position.p)
    if position.epoch >= 0:
        if position.epoch < replica.epoch:
            return ERR_FENCED_LEADER_EPOCH
        if position.epoch > replica.epoch:
            return ERR_UNKNOWN_LEADER_EPOCH
    if replica.role != LEADER and replica.leader < 0:
        return ERR_NOT_LEADER_OR_FOLLOWER
    return ERR_NONE


def preferred_replica(broker: ReplicaHost, replica: Partition, offset: i64, rack: str) -> i64:
    """FFR-1, FFR-2, OBS-1: a broker in the reader's rack to read from instead of the leader, or -1."""
    if not is_sent_away(rack, broker.rack):
        return -1
    best: FollowerState | None = None
    for remote in replica.remotes:
        if broker.rack_of(remote.broker) != rack or remote.leo < offset or remote.start > offset:
            continue
        is_unfenced = broker.image.is_unfenced(remote.broker)
        if not may_serve_readers(remote.broker in replica.isr, remote.is_observer, is_unfenced):
            continue
        if best is None or _is_nearer(remote, best):
            best = remote
    return -1 if best is None else best.broker


def _is_nearer(a: FollowerState, b: FollowerState) -> bool:
    """The more caught-up of two replicas: by end offset, time it was last caught up, highest id (FFR-1)."""
    if a.leo != b.leo:
        return a.leo > b.leo
    at, other = a.last_caught_up(), b.last_caught_up()
    return at > other if at != other else a.broker > b.broker


def handle_offset(broker: ReplicaHost, channel: ClientChannel, request: OffsetRequest) -> None:
    """ListOffsets and OffsetsForLeaderEpoch, at leaders only."""
    replica = broker.replica(request.p)
    error = check_reader(broker, replica, ConsumerPosition(request.p, 0, request.epoch))
    if error == ERR_NONE and replica is not None and replica.role != LEADER:
        error = ERR_NOT_LEADER_OR_FOLLOWER
    epoch: i64 = -1
    offset: i64 = -1
    if error == ERR_NONE and replica is not None:
        if request.what == EARLIEST:
            epoch = replica.epoch
            offset = replica.log.start
        elif request.what == LATEST:
            epoch = replica.epoch
            offset = replica.hw
            if replica.hw < replica.epoch_start:
                error = ERR_OFFSET_NOT_AVAILABLE  # HW-7
            else:
                broker.observer.end_answered(replica, offset)
        elif request.what == BY_TIME:
            epoch = replica.epoch
            offset = replica.log.offset_at(request.timestamp, replica.hw)
            if offset < 0 and replica.hw < replica.epoch_start:
                error = ERR_OFFSET_NOT_AVAILABLE  # HW-7: one may be committed already
        else:
            epoch, offset = replica.log.end_offset_for(request.what)
    channel.answer(OffsetAnswer(request.p, request.what, error, epoch, offset))
