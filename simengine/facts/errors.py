"""Kafka's error codes, as small integers in facts and messages; ``ERROR_NAMES`` has the protocol's names."""

from typing import Final

ERR_NONE: Final = 0
ERR_NOT_LEADER_OR_FOLLOWER: Final = 1
ERR_UNKNOWN_TOPIC_OR_PARTITION: Final = 2
ERR_NOT_ENOUGH_REPLICAS: Final = 3
ERR_NOT_ENOUGH_REPLICAS_AFTER_APPEND: Final = 4
ERR_REQUEST_TIMED_OUT: Final = 5
ERR_NETWORK_EXCEPTION: Final = 6
ERR_OUT_OF_ORDER_SEQUENCE_NUMBER: Final = 7
ERR_INVALID_PRODUCER_EPOCH: Final = 8
ERR_FENCED_LEADER_EPOCH: Final = 9
ERR_UNKNOWN_LEADER_EPOCH: Final = 10
ERR_OFFSET_OUT_OF_RANGE: Final = 11
ERR_OFFSET_NOT_AVAILABLE: Final = 12
ERR_LEADER_NOT_AVAILABLE: Final = 13
ERR_DELIVERY_TIMEOUT: Final = 14  # TimeoutException: "Expiring n record(s) ... since batch creation"
ERR_INVALID_REQUIRED_ACKS: Final = 15
ERR_STALE_BROKER_EPOCH: Final = 16
ERR_NOT_CONTROLLER: Final = 17
ERR_INVALID_REQUEST: Final = 18
ERR_INVALID_UPDATE_VERSION: Final = 19
ERR_INELIGIBLE_REPLICA: Final = 20
ERR_NEW_LEADER_ELECTED: Final = 21
ERR_OPERATION_NOT_ATTEMPTED: Final = 22
ERR_DUPLICATE_BROKER_REGISTRATION: Final = 23
ERR_ELECTION_NOT_NEEDED: Final = 24
ERR_PREFERRED_LEADER_NOT_AVAILABLE: Final = 25
ERR_ELIGIBLE_LEADERS_NOT_AVAILABLE: Final = 26
ERR_COORDINATOR_NOT_AVAILABLE: Final = 27
ERR_LOG_TRUNCATION: Final = 28  # LogTruncationException
ERR_NO_OFFSET_FOR_PARTITION: Final = 29  # NoOffsetForPartitionException
ERR_OFFSET_OUT_OF_RANGE_CLIENT: Final = 30  # OffsetOutOfRangeException out of poll()
ERR_INVALID_REPLICATION_FACTOR: Final = 31
ERR_INVALID_REPLICA_ASSIGNMENT: Final = 32
ERR_NO_REASSIGNMENT_IN_PROGRESS: Final = 33
ERR_CLIENT_CLOSED: Final = 34
ERR_REBALANCE_IN_PROGRESS: Final = 35
ERR_UNKNOWN_MEMBER_ID: Final = 36
ERR_ILLEGAL_GENERATION: Final = 37
ERR_GROUP_ID_NOT_FOUND: Final = 38
ERR_TOPIC_ALREADY_EXISTS: Final = 39
ERR_INVALID_PARTITIONS: Final = 40

ERROR_NAMES: Final = (
    "NONE",
    "NOT_LEADER_OR_FOLLOWER",
    "UNKNOWN_TOPIC_OR_PARTITION",
    "NOT_ENOUGH_REPLICAS",
    "NOT_ENOUGH_REPLICAS_AFTER_APPEND",
    "REQUEST_TIMED_OUT",
    "NETWORK_EXCEPTION",
    "OUT_OF_ORDER_SEQUENCE_NUMBER",
    "INVALID_PRODUCER_EPOCH",
    "FENCED_LEADER_EPOCH",
    "UNKNOWN_LEADER_EPOCH",
    "OFFSET_OUT_OF_RANGE",
    "OFFSET_NOT_AVAILABLE",
    "LEADER_NOT_AVAILABLE",
    "TimeoutException",
    "INVALID_REQUIRED_ACKS",
    "STALE_BROKER_EPOCH",
    "NOT_CONTROLLER",
    "INVALID_REQUEST",
    "INVALID_UPDATE_VERSION",
    "INELIGIBLE_REPLICA",
    "NEW_LEADER_ELECTED",
    "OPERATION_NOT_ATTEMPTED",
    "DUPLICATE_BROKER_REGISTRATION",
    "ELECTION_NOT_NEEDED",
    "PREFERRED_LEADER_NOT_AVAILABLE",
    "ELIGIBLE_LEADERS_NOT_AVAILABLE",
    "COORDINATOR_NOT_AVAILABLE",
    "LogTruncationException",
    "NoOffsetForPartitionException",
    "OffsetOutOfRangeException",
    "INVALID_REPLICATION_FACTOR",
    "INVALID_REPLICA_ASSIGNMENT",
    "NO_REASSIGNMENT_IN_PROGRESS",
    "Producer closed",
    "REBALANCE_IN_PROGRESS",
    "UNKNOWN_MEMBER_ID",
    "ILLEGAL_GENERATION",
    "GROUP_ID_NOT_FOUND",
    "TOPIC_ALREADY_EXISTS",
    "INVALID_PARTITIONS",
)

# Kafka's own numbers (``org.apache.kafka.common.protocol.Errors``) in the order of ``ERROR_NAMES``; None: an exception
# of a client, which has no number in the protocol.
KAFKA_CODES: Final[tuple[int | None, ...]] = (
    *(0, 6, 3, 19, 20, 7, 13, 45, 47, 74, 75, 1, 78, 5, None, 21, 77, 41, 42, 95, 107, 108, 55, 101, 84, 80, 83, 15),
    *(None, None, None, 38, 39, 85, None, 27, 25, 22, 69, 36, 37),
)

# Why a call of an administrator is refused, by the call and the error; the calls are those of ``RequestRefused``.
REFUSED_BECAUSE: Final[dict[str, str]] = {
    "create INVALID_REPLICATION_FACTOR": "too few brokers are registered, or all of them are fenced",
    "create INVALID_REPLICA_ASSIGNMENT": "all brokers of a replica list are fenced or shutting down",
    "create TOPIC_ALREADY_EXISTS": "there is a topic of this name",
    "partitions INVALID_PARTITIONS": "the topic has as many partitions already, and partitions are only ever added",
    "partitions INVALID_REPLICATION_FACTOR": "too few brokers are registered, or all of them are fenced",
    "partitions INVALID_REPLICA_ASSIGNMENT": "all brokers of a replica list are fenced or shutting down",
    "reassign INVALID_REPLICA_ASSIGNMENT": "a broker of the new list is not registered",
    "reassign cancel INVALID_REPLICA_ASSIGNMENT": "none of the replicas of before is in the ISR",
    "reassign cancel NO_REASSIGNMENT_IN_PROGRESS": "no reassignment is under way",
    "elect ELECTION_NOT_NEEDED": "the leader is already as it is asked for",
    "elect PREFERRED_LEADER_NOT_AVAILABLE": "the first replica is not active, or not in the ISR",
    "elect ELIGIBLE_LEADERS_NOT_AVAILABLE": "no replica may lead",
    "UNKNOWN_TOPIC_OR_PARTITION": "the topic does not exist",
    "NOT_CONTROLLER": "no broker reached an active controller within a minute",
}


def refused_because(text: str, error: int) -> str:
    """Why a call with the text of ``RequestRefused`` was refused, as a clause; the error's name where none is known."""
    name = ERROR_NAMES[error]
    call = text if text == "reassign cancel" else text.partition(" ")[0]
    return REFUSED_BECAUSE.get(f"{call} {name}", REFUSED_BECAUSE.get(name, name))
