"""A start of a broker process as it is asked for, and what becomes of its disk before."""

from typing import Final, final

from mypy_extensions import i64

DISK_KEPT: Final = 0
DISK_WIPED: Final = 1  # all data is gone; meta.properties is kept, and with it the directory id
DISK_REPLACED: Final = 2  # a newly formatted disk has a new directory id (DIR-1)


@final
class ProcessStart:
    """The time to boot in µs, what becomes of the disk before (DISK_*), and the action."""

    __slots__ = ("boot_us", "cause", "disk")

    def __init__(self, boot_us: i64, disk: i64, cause: i64) -> None:
        self.boot_us: i64 = boot_us
        self.disk: i64 = disk
        self.cause: i64 = cause
