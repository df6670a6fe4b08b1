"""The settings of a Connect worker."""

from typing import final

from mypy_extensions import i64


@final
class WorkerSettings:
    """Times in us."""

    __slots__ = ("graceful_stop_us", "heartbeat_us", "rebalance_delay_us", "rebalance_timeout_us", "session_us")

    def __init__(self) -> None:
        self.session_us: i64 = 10_000_000  # session.timeout.ms
        self.heartbeat_us: i64 = 3_000_000  # heartbeat.interval.ms
        self.rebalance_timeout_us: i64 = 60_000_000  # rebalance.timeout.ms
        self.rebalance_delay_us: i64 = 300_000_000  # scheduled.rebalance.max.delay.ms
        self.graceful_stop_us: i64 = 5_000_000  # task.shutdown.graceful.timeout.ms
