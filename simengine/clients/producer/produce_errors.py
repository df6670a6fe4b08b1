"""A producer's reaction to each error: retry, refresh metadata, or leave the outcome unknown (PC-3, PC-5, PC-11)."""

from mypy_extensions import i64

from simengine.facts.errors import (
    ERR_LEADER_NOT_AVAILABLE,
    ERR_NETWORK_EXCEPTION,
    ERR_NOT_ENOUGH_REPLICAS,
    ERR_NOT_ENOUGH_REPLICAS_AFTER_APPEND,
    ERR_NOT_LEADER_OR_FOLLOWER,
    ERR_REQUEST_TIMED_OUT,
    ERR_UNKNOWN_TOPIC_OR_PARTITION,
)


def is_retriable(error: i64) -> bool:
    """True if the exception of the error is a RetriableException (PC-3)."""
    return (
        error == ERR_NOT_LEADER_OR_FOLLOWER
        or error == ERR_NETWORK_EXCEPTION
        or error == ERR_REQUEST_TIMED_OUT
        or error == ERR_NOT_ENOUGH_REPLICAS
        or error == ERR_NOT_ENOUGH_REPLICAS_AFTER_APPEND
        or error == ERR_UNKNOWN_TOPIC_OR_PARTITION
        or error == ERR_LEADER_NOT_AVAILABLE
    )


def asks_for_metadata(error: i64) -> bool:
    """True if the exception of the error is an InvalidMetadataException (PC-5)."""
    return (
        error == ERR_NOT_LEADER_OR_FOLLOWER
        or error == ERR_NETWORK_EXCEPTION
        or error == ERR_UNKNOWN_TOPIC_OR_PARTITION
        or error == ERR_LEADER_NOT_AVAILABLE
    )


def leaves_doubt(error: i64) -> bool:
    """True if the batch may be in a log although the attempt failed (PC-11); PROD-1 and PROD-9 look alike."""
    return (
        error == ERR_REQUEST_TIMED_OUT
        or error == ERR_NETWORK_EXCEPTION
        or error == ERR_NOT_LEADER_OR_FOLLOWER
        or error == ERR_NOT_ENOUGH_REPLICAS_AFTER_APPEND
    )
