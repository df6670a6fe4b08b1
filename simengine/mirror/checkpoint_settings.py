"""The settings of a checkpoint connector and its task."""

from typing import final

from mypy_extensions import i64


@final
class CheckpointSettings:
    """Times in us; -1: never.

    ``known``: groups that the connector knows from the start; their task has its first rounds at these moments.
    """

    __slots__ = (
        "emit_interval_us",
        "first_emit_us",
        "first_look_us",
        "first_sync_us",
        "known",
        "refresh_interval_us",
        "sync_interval_us",
    )

    def __init__(self) -> None:
        self.emit_interval_us: i64 = 60_000_000  # emit.checkpoints.interval.seconds
        self.sync_interval_us: i64 = -1  # sync.group.offsets.interval.seconds, if sync.group.offsets.enabled
        self.refresh_interval_us: i64 = 600_000_000  # refresh.groups.interval.seconds
        self.first_look_us: i64 = 0  # after the start of the process
        self.known: list[str] = []
        self.first_emit_us: i64 = -1  # after the start of the task of the known groups; -1: one interval
        self.first_sync_us: i64 = -1  # likewise; -1: one interval after it has read the offset syncs
