"""The state of two clusters when the first client moves between them: what stays behind, and who waits."""

from typing import Any, NamedTuple

from simengine.clients.producer.producer import Producer

Json = dict[str, Any]


class Lag(NamedTuple):
    """The lag of a flow at p50, p99 and the worst of many moments: records, and the age of the oldest of them (us)."""

    records: list[int]
    us: list[int]


class UnmirroredTopic(NamedTuple):
    """A topic of the source that no flow copies to the target: its records, and the time over which they came.

    ``assumed``: those of them from before the run in logs of a paste that tells no end of theirs.
    """

    topic: str
    records: int
    us: int
    assumed: int = 0


class WaitingProducer(NamedTuple):
    """A producer of the source whose calls wait, and when its newest record was appended."""

    node: Producer
    wrote_us: int


class FailoverStart(NamedTuple):
    """``flows``: the verdicts of all flows; ``lag``: of the flow from source to target, None without one.

    ``ends``: the log end of each partition of the target.
    """

    flows: list[Json]
    unmirrored: list[UnmirroredTopic]
    lag: Lag | None
    waiting: list[WaitingProducer]
    ends: dict[int, int]
