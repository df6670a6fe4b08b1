"""The classes of Java exception behind the engine's error codes, as recordings name them."""

from typing import Final

from simengine.facts.errors import (
    ERR_CLIENT_CLOSED,
    ERR_COORDINATOR_NOT_AVAILABLE,
    ERR_DELIVERY_TIMEOUT,
    ERR_GROUP_ID_NOT_FOUND,
    ERR_ILLEGAL_GENERATION,
    ERR_INVALID_PRODUCER_EPOCH,
    ERR_INVALID_REQUIRED_ACKS,
    ERR_LOG_TRUNCATION,
    ERR_NETWORK_EXCEPTION,
    ERR_NO_OFFSET_FOR_PARTITION,
    ERR_NOT_ENOUGH_REPLICAS,
    ERR_NOT_ENOUGH_REPLICAS_AFTER_APPEND,
    ERR_NOT_LEADER_OR_FOLLOWER,
    ERR_OFFSET_OUT_OF_RANGE,
    ERR_OFFSET_OUT_OF_RANGE_CLIENT,
    ERR_OUT_OF_ORDER_SEQUENCE_NUMBER,
    ERR_REBALANCE_IN_PROGRESS,
    ERR_REQUEST_TIMED_OUT,
    ERR_UNKNOWN_MEMBER_ID,
    ERR_UNKNOWN_TOPIC_OR_PARTITION,
    ERROR_NAMES,
)

CLASSES: Final[dict[int, str]] = {
    ERR_NOT_LEADER_OR_FOLLOWER: "NotLeaderOrFollowerException",
    ERR_UNKNOWN_TOPIC_OR_PARTITION: "UnknownTopicOrPartitionException",
    ERR_NOT_ENOUGH_REPLICAS: "NotEnoughReplicasException",
    ERR_NOT_ENOUGH_REPLICAS_AFTER_APPEND: "NotEnoughReplicasAfterAppendException",
    ERR_REQUEST_TIMED_OUT: "TimeoutException",
    ERR_NETWORK_EXCEPTION: "NetworkException",
    ERR_OUT_OF_ORDER_SEQUENCE_NUMBER: "OutOfOrderSequenceException",
    ERR_INVALID_PRODUCER_EPOCH: "InvalidProducerEpochException",
    ERR_DELIVERY_TIMEOUT: "TimeoutException",
    ERR_INVALID_REQUIRED_ACKS: "InvalidRequiredAcksException",
    ERR_COORDINATOR_NOT_AVAILABLE: "CoordinatorNotAvailableException",
    ERR_LOG_TRUNCATION: "LogTruncationException",
    ERR_NO_OFFSET_FOR_PARTITION: "NoOffsetForPartitionException",
    ERR_OFFSET_OUT_OF_RANGE: "OffsetOutOfRangeException",
    ERR_OFFSET_OUT_OF_RANGE_CLIENT: "OffsetOutOfRangeException",
    ERR_CLIENT_CLOSED: "KafkaException",
    ERR_GROUP_ID_NOT_FOUND: "KafkaException",
    ERR_ILLEGAL_GENERATION: "CommitFailedException",
    ERR_UNKNOWN_MEMBER_ID: "CommitFailedException",
    ERR_REBALANCE_IN_PROGRESS: "RebalanceInProgressException",
}


def exception_class(error: int) -> str:
    """The class of an error code; a code that no client throws keeps the protocol's name."""
    return CLASSES.get(error, ERROR_NAMES[error])
