"""Errors by Kafka's own numbers (``org.apache.kafka.common.protocol.Errors``), in facts and messages.

An exception of a client has no number in the protocol; here it has one from ``FIRST_OF_CLIENT`` on.
"""

from typing import Final

FIRST_OF_CLIENT: Final = 1000

ERR_NONE: Final = 0
ERR_OFFSET_OUT_OF_RANGE: Final = 1
ERR_UNKNOWN_TOPIC_OR_PARTITION: Final = 3
ERR_LEADER_NOT_AVAILABLE: Final = 5
ERR_NOT_LEADER_OR_FOLLOWER: Final = 6
ERR_REQUEST_TIMED_OUT: Final = 7
ERR_NETWORK_EXCEPTION: Final = 13
ERR_COORDINATOR_NOT_AVAILABLE: Final = 15
ERR_NOT_ENOUGH_REPLICAS: Final = 19
ERR_NOT_ENOUGH_REPLICAS_AFTER_APPEND: Final = 20
ERR_INVALID_REQUIRED_ACKS: Final = 21
ERR_ILLEGAL_GENERATION: Final = 22
ERR_UNKNOWN_MEMBER_ID: Final = 25
ERR_REBALANCE_IN_PROGRESS: Final = 27
ERR_TOPIC_ALREADY_EXISTS: Final = 36
ERR_INVALID_PARTITIONS: Final = 37
ERR_INVALID_REPLICATION_FACTOR: Final = 38
ERR_INVALID_REPLICA_ASSIGNMENT: Final = 39
ERR_NOT_CONTROLLER: Final = 41
ERR_INVALID_REQUEST: Final = 42
ERR_OUT_OF_ORDER_SEQUENCE_NUMBER: Final = 45
ERR_INVALID_PRODUCER_EPOCH: Final = 47
ERR_OPERATION_NOT_ATTEMPTED: Final = 55
ERR_GROUP_ID_NOT_FOUND: Final = 69
ERR_FENCED_LEADER_EPOCH: Final = 74
ERR_UNKNOWN_LEADER_EPOCH: Final = 75
ERR_STALE_BROKER_EPOCH: Final = 77
ERR_OFFSET_NOT_AVAILABLE: Final = 78
ERR_PREFERRED_LEADER_NOT_AVAILABLE: Final = 80
ERR_ELIGIBLE_LEADERS_NOT_AVAILABLE: Final = 83
ERR_ELECTION_NOT_NEEDED: Final = 84
ERR_NO_REASSIGNMENT_IN_PROGRESS: Final = 85
ERR_INVALID_UPDATE_VERSION: Final = 95
ERR_DUPLICATE_BROKER_REGISTRATION: Final = 101
ERR_INELIGIBLE_REPLICA: Final = 107
ERR_NEW_LEADER_ELECTED: Final = 108

ERR_CLIENT_CLOSED: Final = FIRST_OF_CLIENT
ERR_DELIVERY_TIMEOUT: Final = FIRST_OF_CLIENT + 1  # TimeoutException: "Expiring n record(s) ... since batch creation"
ERR_LOG_TRUNCATION: Final = FIRST_OF_CLIENT + 2  # LogTruncationException
ERR_NO_OFFSET_FOR_PARTITION: Final = FIRST_OF_CLIENT + 3  # NoOffsetForPartitionException
ERR_OFFSET_OUT_OF_RANGE_CLIENT: Final = FIRST_OF_CLIENT + 4  # OffsetOutOfRangeException out of poll()

ERROR_NAMES: Final[dict[int, str]] = {
    ERR_NONE: "NONE",
    ERR_OFFSET_OUT_OF_RANGE: "OFFSET_OUT_OF_RANGE",
    ERR_UNKNOWN_TOPIC_OR_PARTITION: "UNKNOWN_TOPIC_OR_PARTITION",
    ERR_LEADER_NOT_AVAILABLE: "LEADER_NOT_AVAILABLE",
    ERR_NOT_LEADER_OR_FOLLOWER: "NOT_LEADER_OR_FOLLOWER",
    ERR_REQUEST_TIMED_OUT: "REQUEST_TIMED_OUT",
    ERR_NETWORK_EXCEPTION: "NETWORK_EXCEPTION",
    ERR_COORDINATOR_NOT_AVAILABLE: "COORDINATOR_NOT_AVAILABLE",
    ERR_NOT_ENOUGH_REPLICAS: "NOT_ENOUGH_REPLICAS",
    ERR_NOT_ENOUGH_REPLICAS_AFTER_APPEND: "NOT_ENOUGH_REPLICAS_AFTER_APPEND",
    ERR_INVALID_REQUIRED_ACKS: "INVALID_REQUIRED_ACKS",
    ERR_ILLEGAL_GENERATION: "ILLEGAL_GENERATION",
    ERR_UNKNOWN_MEMBER_ID: "UNKNOWN_MEMBER_ID",
    ERR_REBALANCE_IN_PROGRESS: "REBALANCE_IN_PROGRESS",
    ERR_TOPIC_ALREADY_EXISTS: "TOPIC_ALREADY_EXISTS",
    ERR_INVALID_PARTITIONS: "INVALID_PARTITIONS",
    ERR_INVALID_REPLICATION_FACTOR: "INVALID_REPLICATION_FACTOR",
    ERR_INVALID_REPLICA_ASSIGNMENT: "INVALID_REPLICA_ASSIGNMENT",
    ERR_NOT_CONTROLLER: "NOT_CONTROLLER",
    ERR_INVALID_REQUEST: "INVALID_REQUEST",
    ERR_OUT_OF_ORDER_SEQUENCE_NUMBER: "OUT_OF_ORDER_SEQUENCE_NUMBER",
    ERR_INVALID_PRODUCER_EPOCH: "INVALID_PRODUCER_EPOCH",
    ERR_OPERATION_NOT_ATTEMPTED: "OPERATION_NOT_ATTEMPTED",
    ERR_GROUP_ID_NOT_FOUND: "GROUP_ID_NOT_FOUND",
    ERR_FENCED_LEADER_EPOCH: "FENCED_LEADER_EPOCH",
    ERR_UNKNOWN_LEADER_EPOCH: "UNKNOWN_LEADER_EPOCH",
    ERR_STALE_BROKER_EPOCH: "STALE_BROKER_EPOCH",
    ERR_OFFSET_NOT_AVAILABLE: "OFFSET_NOT_AVAILABLE",
    ERR_PREFERRED_LEADER_NOT_AVAILABLE: "PREFERRED_LEADER_NOT_AVAILABLE",
    ERR_ELIGIBLE_LEADERS_NOT_AVAILABLE: "ELIGIBLE_LEADERS_NOT_AVAILABLE",
    ERR_ELECTION_NOT_NEEDED: "ELECTION_NOT_NEEDED",
    ERR_NO_REASSIGNMENT_IN_PROGRESS: "NO_REASSIGNMENT_IN_PROGRESS",
    ERR_INVALID_UPDATE_VERSION: "INVALID_UPDATE_VERSION",
    ERR_DUPLICATE_BROKER_REGISTRATION: "DUPLICATE_BROKER_REGISTRATION",
    ERR_INELIGIBLE_REPLICA: "INELIGIBLE_REPLICA",
    ERR_NEW_LEADER_ELECTED: "NEW_LEADER_ELECTED",
    ERR_CLIENT_CLOSED: "Producer closed",
    ERR_DELIVERY_TIMEOUT: "TimeoutException",
    ERR_LOG_TRUNCATION: "LogTruncationException",
    ERR_NO_OFFSET_FOR_PARTITION: "NoOffsetForPartitionException",
    ERR_OFFSET_OUT_OF_RANGE_CLIENT: "OffsetOutOfRangeException",
}
ERRORS_BY_NAME: Final = {name: error for error, name in ERROR_NAMES.items()}

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
    """The reason for which a call with the text of ``RequestRefused`` was refused, or the error's name."""
    name = ERROR_NAMES[error]
    call = text if text == "reassign cancel" else text.partition(" ")[0]
    return REFUSED_BECAUSE.get(f"{call} {name}", REFUSED_BECAUSE.get(name, name))
