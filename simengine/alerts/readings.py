"""One value of one series at one scrape."""

from typing import NamedTuple


class SeriesReading(NamedTuple):
    """A metric's value, and whose it is: names as documents write them, "" where the series has no such label."""

    metric: str
    value: int
    process: str = ""  # 1, or east/1, or a process of MirrorMaker
    role: str = "broker"  # or controller; "" of MirrorMaker and of groups
    topic: str = ""
    partition: str = ""
    group: str = ""

    @property
    def series(self) -> str:
        """The series in words: ``broker 1, orders-0``."""
        process = f"{self.role} {self.process}".strip()
        return ", ".join(part for part in (process, self.group and f"group {self.group}", self.partition) if part)
