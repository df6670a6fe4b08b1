"""A batch of records of a producer: consecutive ``send`` calls to one partition (PC-1)."""

from typing import final

from mypy_extensions import i64, mypyc_attr


@mypyc_attr(acyclic=True)
@final
class ProducerBatch:
    """Calls n .. n+count-1 to one partition, from the first record on until all of them have ended."""

    __slots__ = (
        "attempts",
        "count",
        "created_at",
        "is_done",
        "is_open",
        "is_renumbered",
        "leader_epoch",
        "may_be_written",
        "n",
        "p",
        "retry_at",
        "seq",
    )

    def __init__(self, p: i64, n: i64, created_at: i64) -> None:
        self.p: i64 = p  # where its calls are booked: of a topic created again, not always where it is to go
        self.n: i64 = n
        self.count: i64 = 0
        self.created_at: i64 = created_at
        self.attempts: i64 = 0  # attempts that failed
        self.retry_at: i64 = 0
        self.leader_epoch: i64 = -1  # leader epoch the client knew at the last attempt
        self.seq: i64 = -1  # first sequence; -1: never sent, or not idempotent (IDEM-2)
        self.is_open: bool = True
        self.is_done: bool = False
        self.is_renumbered: bool = False
        self.may_be_written: bool = False  # some attempt may have been appended (PC-11)
