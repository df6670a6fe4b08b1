"""The memory of each part of an instance while it is soaked, and how it compares at two moments."""

import statistics
import time
from collections import defaultdict
from dataclasses import dataclass, field
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
    """Bytes: its own and its share of what it has in common with others (PSS); resident bytes without /proc."""
    try:
        return int(process.memory_full_info().pss)
    except AttributeError:
        return int(process.memory_info().rss)
    except psutil.Error:  # it ended between two looks
        return 0


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

    def median(self, part: str, from_s: float, to_s: float) -> tuple[float, float]:
        """Medians between two moments: processes, and their memory together in MiB."""
        inside = [one for one in self.samples[part] if from_s < one.at_s <= to_s]
        if not inside:
            return 0.0, 0.0
        processes = statistics.median(one.processes for one in inside)
        return processes, statistics.median(one.memory for one in inside) / MIB
