"""The counters of one broker (MET-4, MET-5, MET-12)."""

from typing import final

from mypy_extensions import i64


@final
class Metrics:
    """Counters of one broker under Kafka's names (MET-4, MET-5, MET-12)."""

    __slots__ = ("expired_produces", "failed_isr_updates", "isr_expands", "isr_shrinks")

    def __init__(self) -> None:
        self.isr_shrinks: i64 = 0
        self.isr_expands: i64 = 0
        self.failed_isr_updates: i64 = 0
        self.expired_produces: i64 = 0
