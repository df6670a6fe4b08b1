"""The memory of each part of an instance while it is soaked, and how it compares at two moments."""

import statistics
import time
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import psutil

from tests.faults.matrix.instance import PARTS, Instance

EVERY_S: Final = 10.0
MIB: Final = 1024 * 1024


@dataclass
class Sample:
    """One look at a part: seconds since the start, its processes, their memory in bytes."""

    at_s: float
    processes: int
    memory: int


def memory_of(process: psutil.Process) -> int:
    """Bytes that hold no file's pages; what forked processes have in common is shared out. Else resident bytes.

    The pages of libraries are left out: the kernel can drop them, and a process's share of them grows when another
    that has them ends, and shrinks when one begins.
    """
    rollup = Path("/proc") / str(process.pid) / "smaps_rollup"
    try:
        if not rollup.exists():
            return int(process.memory_info().rss)
        lines = [line.split() for line in rollup.read_text().splitlines()]
    except (psutil.Error, OSError):  # it ended between two looks
        return 0
    return sum(1024 * int(words[1]) for words in lines if words[0] in ("Pss_Anon:", "Pss_Shmem:"))


@dataclass
class Memory:
    """The samples of all parts."""

    instance: Instance
    samples: dict[str, list[Sample]] = field(default_factory=lambda: defaultdict(list))

    def look(self, began: float) -> None:
        """One sample of each part."""
        for part in PARTS:
            found = [size for size in map(memory_of, self.instance.part(part)) if size]
            self.samples[part].append(Sample(time.monotonic() - began, len(found), sum(found)))

    def median(self, part: str, from_s: float, to_s: float) -> tuple[int, float]:
        """The most processes between two moments, and the median of their memory together while they were as many."""
        inside = [one for one in self.samples[part] if from_s < one.at_s <= to_s]
        most = max((one.processes for one in inside), default=0)
        if not most:
            return 0, 0.0
        return most, statistics.median(one.memory for one in inside if one.processes == most) / MIB
