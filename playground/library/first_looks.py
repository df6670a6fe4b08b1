"""First looks: batches of recordings that the engine was held against before anything was changed because of them.

`first_looks.json` has a row a batch, the newest first. A new batch is one more row.
"""

import datetime
import json
from dataclasses import dataclass
from functools import lru_cache
from math import comb
from pathlib import Path
from typing import Any, Final

FILE: Final = Path(__file__).parent / "first_looks.json"
CONFIDENCE: Final = 0.95
HALVINGS: Final = 50  # of the interval from 0 to 1: more than a float can tell apart
FAMILIES: Final = {"random": "random", "wide": "wide", "two clusters": "mirror", "4.4": "random"}
"""The family of scripts (`tests/lab`) of each kind of batch."""
TITLES: Final = {
    "random": "Random faults",
    "wide": "Wide random faults",
    "two clusters": "Two clusters with MirrorMaker 2",
    "4.4": "Faults on Kafka 4.4",
}


@dataclass(frozen=True, slots=True)
class FirstLook:
    """One batch. What the note of an older batch does not say is left out: "", no seeds, no runs, no names."""

    date: str  # of the first look, or of the note that tells of it
    kind: str  # a key of FAMILIES
    explained: int
    total: int
    kafka: str = ""
    seeds: tuple[int, int] | None = None  # of the scripts, first and last
    runs: tuple[int, int] | None = None  # for a recording, fewest and most
    missed: tuple[str, ...] = ()  # files of the recordings that were not explained

    @property
    def title(self) -> str:
        """The kind as the page names it."""
        return TITLES[self.kind]

    @property
    def day(self) -> datetime.date:
        """The date, for the page's own format."""
        return datetime.date.fromisoformat(self.date)

    @property
    def command(self) -> str:
        """The shell's line that records the same scripts again; "" where the seeds were not noted."""
        if self.seeds is None:
            return ""
        first, last = self.seeds
        batch = f"BATCH={last - first + 1} SEED={first} FAMILY={FAMILIES[self.kind]}"
        return f"make record KAFKA={self.kafka} {batch} OUT=batch"


@lru_cache(maxsize=1)
def first_looks() -> tuple[FirstLook, ...]:
    """Every batch, the newest first."""
    rows: list[dict[str, Any]] = json.loads(FILE.read_text(encoding="utf-8"))
    return tuple(map(_of, rows))


def _of(row: dict[str, Any]) -> FirstLook:
    values: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in row.items()}
    return FirstLook(**values)


def unexplained_at_most(missed: int, total: int) -> float:
    """The greatest share of unexplained recordings (0 to 1) that fits `missed` of `total`, with 95 % confidence.

    This is the exact one-sided bound of Clopper and Pearson: the share at which `missed` or fewer are as rare as 5 %.
    Without a miss it is about 3 / `total`.
    """
    if missed == total:  # no recordings at all included
        return 1.0
    low, high = 0.0, 1.0
    for _ in range(HALVINGS):
        share = (low + high) / 2
        low, high = (share, high) if _chance(missed, total, share) > 1 - CONFIDENCE else (low, share)
    return high


def _chance(missed: int, total: int, share: float) -> float:
    """The chance of at most `missed` among `total` when each is missed with the chance `share` (binomial)."""
    return sum(comb(total, k) * share**k * (1 - share) ** (total - k) for k in range(missed + 1))
