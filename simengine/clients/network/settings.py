"""The configuration of producers and consumers, in microseconds and records.

The values below are Kafka 4.x's defaults (docs/rules/settings.md); ``world.build`` fills in what a document says.
Sizes in bytes have become numbers of records.
"""

from typing import Final, final

from mypy_extensions import i64

from simengine.kafka.wire.api import ACKS_ALL, LATEST

IDEMPOTENCE_DEFAULT: Final = -1  # not set: on where acks and retries allow it (IDEM-1)
IDEMPOTENCE_OFF: Final = 0
IDEMPOTENCE_ON: Final = 1

BUFFER_RECORDS: Final = 327_680  # buffer.memory 32 MiB at about 100 bytes a record; each batch takes its full size
RETRIES_MAX: Final = 2147483647
IDEMPOTENT_IN_FLIGHT_MAX: Final = 5  # IDEM-1
DEFAULT_BATCH_RECORDS: Final = 160  # batch.size 16384 at about 100 bytes a record

ASSIGNED: Final = 0  # assign(): exactly the partitions named
SUBSCRIBED: Final = 1  # subscribe(): the group's members share the partitions


def doubled(pause: i64, attempts: i64, limit: i64) -> i64:
    """Exponential back-off: ``pause`` after the first failed attempt, doubled with each further one up to a limit."""
    k: i64 = 1
    while k < attempts and pause < limit:
        pause *= 2
        k += 1
    return min(pause, limit)


@final
class ProducerSettings:
    """Configuration of a producer; it does not change while the producer is open."""

    __slots__ = (
        "acks",
        "batch_records",
        "delivery_timeout_us",
        "idempotence",
        "linger_us",
        "max_block_us",
        "max_in_flight",
        "metadata_max_age_us",
        "notice_us",
        "request_timeout_us",
        "retries",
        "retry_backoff_max_us",
        "retry_backoff_us",
    )

    def __init__(self) -> None:
        self.acks: i64 = ACKS_ALL
        self.idempotence: i64 = IDEMPOTENCE_DEFAULT
        self.linger_us: i64 = 5_000
        self.batch_records: i64 = DEFAULT_BATCH_RECORDS
        self.max_in_flight: i64 = 5
        self.retries: i64 = RETRIES_MAX
        self.retry_backoff_us: i64 = 100_000
        self.retry_backoff_max_us: i64 = 1_000_000
        self.request_timeout_us: i64 = 30_000_000
        self.delivery_timeout_us: i64 = 120_000_000
        self.metadata_max_age_us: i64 = 300_000_000
        self.max_block_us: i64 = 60_000_000
        self.notice_us: i64 = -1  # phase: so long after request.timeout.ms it looks; -1: drawn each time

    def is_idempotent(self) -> bool:
        """True if the producer gets a producer id and sequences (IDEM-1).

        It is off if it was asked for but cannot be (``conflict``: acks changed during the run).
        """
        if self.idempotence == IDEMPOTENCE_OFF:
            return False
        return self.acks == ACKS_ALL and self.retries > 0 and self.max_in_flight <= IDEMPOTENT_IN_FLIGHT_MAX

    def conflict(self) -> str:
        """The ConfigException with which a real producer would refuse to start with these settings, or nothing."""
        if self.delivery_timeout_us < self.linger_us + self.request_timeout_us:
            return "delivery.timeout.ms should be equal to or larger than linger.ms + request.timeout.ms"
        if self.idempotence != IDEMPOTENCE_ON:
            return ""
        if self.acks != ACKS_ALL:
            return "Must set acks to all in order to use the idempotent producer"
        if self.retries == 0:
            return "Must set retries to non-zero when using the idempotent producer"
        if self.max_in_flight > IDEMPOTENT_IN_FLIGHT_MAX:
            return "Must set max.in.flight.requests.per.connection to at most 5 to use the idempotent producer"
        return ""

    def buffer_batches(self) -> i64:
        """The number of batches at which ``send`` blocks (buffer.memory)."""
        return max(BUFFER_RECORDS // self.batch_records, 1)

    def backoff_us(self, attempts: i64) -> i64:
        """The nominal pause after so many failed attempts (PC-4)."""
        return doubled(self.retry_backoff_us, attempts, self.retry_backoff_max_us)

    def copy(self) -> "ProducerSettings":
        """The same settings, to be changed independently."""
        other = ProducerSettings()
        other.acks = self.acks
        other.idempotence = self.idempotence
        other.linger_us = self.linger_us
        other.batch_records = self.batch_records
        other.max_in_flight = self.max_in_flight
        other.retries = self.retries
        other.retry_backoff_us = self.retry_backoff_us
        other.retry_backoff_max_us = self.retry_backoff_max_us
        other.request_timeout_us = self.request_timeout_us
        other.delivery_timeout_us = self.delivery_timeout_us
        other.metadata_max_age_us = self.metadata_max_age_us
        other.max_block_us = self.max_block_us
        other.notice_us = self.notice_us
        return other


@final
class ConsumerSettings:
    """Configuration of a consumer."""

    __slots__ = (
        "auto_commit_us",
        "fetch_bytes",
        "follows_topics",
        "group",
        "heartbeat_us",
        "max_poll_us",
        "max_wait_us",
        "metadata_max_age_us",
        "mode",
        "partition_bytes",
        "rack",
        "request_timeout_us",
        "reset",
        "reset_back_us",
        "retry_backoff_max_us",
        "retry_backoff_us",
        "sees_epochs",
        "session_timeout_us",
    )

    def __init__(self) -> None:
        self.group: str = ""  # "": no group; positions are not committed and start by the reset policy
        self.mode: i64 = ASSIGNED
        self.follows_topics: bool = False  # it names topics, whose new partitions it reads as well
        self.reset: i64 = LATEST  # EARLIEST, LATEST, BY_TIME or NO_RESET
        self.reset_back_us: i64 = 0  # how far back BY_TIME goes
        self.rack: str = ""  # client.rack (FFR-1)
        self.max_wait_us: i64 = 500_000
        self.partition_bytes: i64 = 0  # max.partition.fetch.bytes; 0: 1,000 records
        self.fetch_bytes: i64 = 52_428_800  # fetch.max.bytes
        self.sees_epochs: bool = True  # records carry the epoch they were written in; not so in the legacy mode (LEG-1)
        self.request_timeout_us: i64 = 30_000_000
        self.auto_commit_us: i64 = 5_000_000  # 0: enable.auto.commit=false
        self.session_timeout_us: i64 = 45_000_000
        self.heartbeat_us: i64 = 3_000_000
        self.max_poll_us: i64 = 300_000_000  # also how long a rebalance waits for this member
        self.retry_backoff_us: i64 = 100_000
        self.retry_backoff_max_us: i64 = 1_000_000
        self.metadata_max_age_us: i64 = 300_000_000
