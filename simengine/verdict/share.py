"""A partition's contribution to its topic's figures while it is idle: kept until something is done to the partition."""

from typing import final

from mypy_extensions import i64, mypyc_attr


@mypyc_attr(acyclic=True)
@final
class PartitionContribution:
    """The kept figures of one partition; ``is_kept``: nothing was done to the partition since they were worked out."""

    __slots__ = (
        "all_cause",
        "all_us",
        "before",
        "client",
        "held",
        "is_kept",
        "longest_wait_us",
        "one_cause",
        "one_us",
        "read_cause",
        "read_us",
        "since",
        "stretch_us",
        "write_same_us",
        "write_us",
    )

    def __init__(self) -> None:
        self.is_kept: bool = False
        self.before: i64 = 0  # records from before the run
        self.all_us: i64 = 0  # the time without writes with acks=all ...
        self.all_cause: i64 = 0  # ... and the fact that began its longest stretch
        self.one_us: i64 = 0  # likewise, with acks=1
        self.one_cause: i64 = 0
        self.read_us: i64 = 0  # likewise, without reads
        self.read_cause: i64 = 0
        self.held: i64 = 0  # calls made while their producers had no response
        self.write_us: i64 = 0  # the longest time in which one of its producers had no response ...
        self.write_same_us: i64 = 0  # ... of it the time for which the servers were out ...
        self.stretch_us: i64 = 0  # the longest stretch of a producer without a response ...
        self.client: i64 = -1  # ... that producer ...
        self.since: i64 = -1  # ... and since when
        self.longest_wait_us: i64 = 0  # the longest wait of one call
