"""The ids of the rules of the semantics document that decide what a recording and its runs disagree about."""

from typing import Final

from simengine.recordings.model import RecordedClient
from tests.conformance.consumers import PHANTOMS, READ, READ_AGAIN
from tests.conformance.fates import ABSENT, ACKED, EXTRA_COPIES, FAILED, KEPT, OUT_OF_ORDER, UNANSWERED
from tests.conformance.history import NOBODY, State
from tests.conformance.liveness import FENCING, REGISTRATION, UNFENCING

ACKS_ALL: Final = ("all", "-1")
OF_FATES: Final = {
    f"{FAILED}, {KEPT}": "PC-11, PROD-8",
    f"{FAILED}, {ABSENT}": "PC-3, PC-8, PROD-2",
    f"{UNANSWERED}, {KEPT}": "PC-7, PC-11",
    f"{UNANSWERED}, {ABSENT}": "PC-3, PC-8",
}
OF_CLASSES: Final = {  # of exceptions that a callback may have
    "TimeoutException": "PC-3, PC-8, PROD-8",
    "NotEnoughReplicasException": "PROD-2, PC-3",
    "NotEnoughReplicasAfterAppendException": "PROD-7",
    "NetworkException": "PC-5, PC-7",
    "NotLeaderOrFollowerException": "PROD-1, PROD-9",
    "UnknownTopicOrPartitionException": "PROD-1, PC-5",
    "OutOfOrderSequenceException": "IDEM-4, IDEM-5",
    "InvalidProducerEpochException": "IDEM-4",
    "InvalidRequiredAcksException": "PROD-1",
}
OF_READS: Final = {READ: "CON-1, HW-1", READ_AGAIN: "CON-4, CON-5, CON-6", PHANTOMS: "CON-1, CON-2, HW-2, TRUNC-5"}
OF_POLLS: Final = {  # of exceptions that a consumer's poll may throw
    "LogTruncationException": "CON-3, CON-4",
    "OffsetOutOfRangeException": "CON-1, CON-5",
    "NoOffsetForPartitionException": "CON-5, CON-7",
    "CoordinatorNotAvailableException": "CON-6",
    "CommitFailedException": "CON-9",
    "RebalanceInProgressException": "CON-9",
}
OF_WAITS_TO_READ: Final = "CON-1, CON-2, HW-1, HW-2"
OF_EPOCHS: Final = "LOG-1, LOG-2, TRUNC-6"
OF_REPLICAS_THAT_DIFFER: Final = "TRUNC-2, TRUNC-3, FET-9, FET-14"


def of_step(before: State | None, after: State, *, healing: bool, starting: bool) -> str:
    """The rules that decide such a step of a partition."""
    if before is None:
        return "PLACE-6, QUO-8"
    if after.replicas != before.replicas:
        return "REA-1, REA-3"
    if after.leader != before.leader:
        if after.leader == NOBODY:
            return "ELEC-7, ELR-3, LIVE-3"
        if before.leader == NOBODY:
            return "ELEC-6, REG-4, ELR-6"
        return "ELEC-3, LIVE-3, SHUT-1, PREF-1" if after.leader in before.isr else "ELEC-5, UNC-1, ELR-4"
    if len(after.isr) > len(before.isr):
        return "ISR-5, ISR-6, " + ("TCP-1" if healing else "REG-2" if starting else "AP-1")
    if len(after.isr) < len(before.isr):
        return "ISR-2, ISR-8, LIVE-3, SHUT-1, REG-4"
    return "ELR-2, ELR-7"


def of_event(event: str) -> str:
    """The rules that decide an event of a broker's registration."""
    if event == REGISTRATION:
        return "REG-1, REG-2"
    if event == UNFENCING:
        return "LIVE-6, REG-1, TCP-1"
    return "LIVE-2, LIVE-3, SHUT-4, QUO-4" if event == FENCING else "SHUT-1"


def of_fate(category: str, client: RecordedClient | None) -> str:
    """The rules by which records of a producer come to this (a category of rule 4)."""
    acks = acks_of(client)
    if category == f"{ACKED}, {KEPT}":
        return "PROD-5, PROD-6, HW-1" if acks in ACKS_ALL else "PROD-4" if acks == "1" else "PROD-4, PC-9"
    if category == f"{ACKED}, {ABSENT}":
        lost = "PROD-6, HW-2, ELEC-5, UNC-1" if acks in ACKS_ALL else "PROD-4" if acks == "1" else "PROD-10, PC-9"
        return f"{lost}, TRUNC-2"
    if category == EXTRA_COPIES:
        return "IDEM-3, IDEM-7" if is_idempotent(client) else "PC-10"
    if category == OUT_OF_ORDER:
        return "IDEM-5, IDEM-6" if is_idempotent(client) else "PC-10"
    return OF_FATES.get(category) or OF_CLASSES.get(category, "PC-3")


def of_wait(client: RecordedClient | None, leaders: tuple[int, ...]) -> str:
    """The rules that decide how long a producer has no acknowledgement; ``leaders``: of the partition in that time."""
    if NOBODY in leaders:
        return "ELEC-7, PC-8"
    if len(leaders) > 1:
        return "LIVE-3, PC-5, PC-7"
    return "PROD-2, PROD-5, HW-2, PC-7" if acks_of(client) in ACKS_ALL else "PROD-4, PC-4, PC-7"


def acks_of(client: RecordedClient | None) -> str:
    """A producer's acks; Kafka's default is all."""
    return "all" if client is None else client.config.get("acks", "all")


def is_idempotent(client: RecordedClient | None) -> bool:
    """IDEM-1: on unless it, acks or retries say otherwise."""
    if acks_of(client) not in ACKS_ALL or client is None:
        return client is None
    return client.config.get("enable.idempotence", "true").lower() == "true" and client.config.get("retries") != "0"
