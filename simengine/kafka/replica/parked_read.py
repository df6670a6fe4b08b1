"""A consumer fetch that waits for a record below the high watermark (CON-1)."""

from typing import final

from mypy_extensions import i64

from simengine.kafka.wire.api import ClientChannel, ConsumerFetch


@final
class DelayedFetch:
    """Listed in its broker's purgatory and at each replica that it reads."""

    __slots__ = ("channel", "conn", "deadline", "is_open", "request")

    def __init__(self, channel: ClientChannel, request: ConsumerFetch, deadline: i64) -> None:
        self.channel = channel
        self.conn: i64 = channel.conn
        self.request = request
        self.deadline: i64 = deadline
        self.is_open: bool = True
