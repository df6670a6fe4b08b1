"""Holds recordings against simulated runs of their scripts: 200 seeds first, more where the history may be rare."""

import math
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from simengine.recordings.assumed import assumed
from simengine.recordings.compare import Comparison, compare
from simengine.recordings.errors import RecordingError
from simengine.recordings.model import Recording
from simengine.recordings.recorded import Recorded
from simengine.recordings.rerun import Reruns, reruns_of
from simengine.recordings.summary import Summary, summarise

FIRST_SEED: Final = 1
LADDER: Final = (200, 400, 1000, 2000)  # runs after which one looks again
RUNS_MAX: Final = LADDER[-1]
JOBS: Final = 2
CHUNK: Final = 10  # runs of one job


class Unusable(NamedTuple):
    """A recording that cannot be held against runs, and why: the file, the place, the value and what is allowed."""

    file: str
    error: str

    def line(self) -> str:
        """One line for people."""
        return f"{self.file}: cannot be used: {self.error}"

    def plain(self) -> dict[str, Any]:
        """The same as data."""
        return {"file": self.file, "explained": False, "error": self.error}


class Verdict(NamedTuple):
    """What became of one recording."""

    file: str
    recording: Recording
    comparison: Comparison

    def line(self) -> str:
        """One line for people: explained, or the first disagreement; and what was assumed of the recording."""
        head = f"{self.file}: {self.recording.title[:60]}"
        runs = f"{self.comparison.runs} runs"
        taken = assumed(self.recording)
        if self.comparison.is_explained:
            return f"{head}: explained ({runs}, {self.comparison.fewest_matching} match; {taken})"
        return f"{head}: NOT explained ({runs}; {taken}): {self.comparison.disagreements[0]}"

    def plain(self) -> dict[str, Any]:
        """The same as data, with every disagreement."""
        return {
            "file": self.file,
            "name": self.recording.name,
            "title": self.recording.title,
            "kafka": self.recording.kafka,
            "assumed": assumed(self.recording).plain(),
            "explained": self.comparison.is_explained,
            "runs": self.comparison.runs,
            "matching": self.comparison.fewest_matching,
            "disagreements": [
                {"rule": found.rule, "subject": found.subject, "t": found.t, "text": found.text}
                for found in self.comparison.disagreements
            ],
        }


def conform(paths: list[Path], runs_max: int = RUNS_MAX, jobs: int = JOBS) -> Iterator[Verdict | Unusable]:
    """The verdict on each recording, in order; one that cannot be used does not hold up the others."""
    with ProcessPoolExecutor(jobs) as pool:
        for path in paths:
            try:
                yield conform_one(path, pool, runs_max)
            except RecordingError as error:
                yield Unusable(path.stem, str(error))


def conform_one(path: Path, pool: Executor, runs_max: int = RUNS_MAX) -> Verdict:
    """Run seeds until the recording is explained, more runs can hardly help, or ``runs_max`` are done.

    Raises RecordingError.
    """
    recorded = Recorded.of(reruns_of(path).recording)
    if not recorded.recording.metadata:
        raise RecordingError("metadata", "missing: without what happened there is nothing to hold runs against")
    runs: list[Summary] = []
    comparison = None
    for wanted in [*(rung for rung in LADDER if rung < runs_max), runs_max]:
        runs += _runs(pool, path, len(runs), wanted)
        comparison = compare(recorded, runs)
        if comparison.is_explained or comparison.is_hopeless:
            break
    assert comparison is not None, "the ladder has a rung"
    return Verdict(path.stem, recorded.recording, comparison)


def _runs(pool: Executor, path: Path, done: int, wanted: int) -> list[Summary]:
    starts = range(FIRST_SEED + done, FIRST_SEED + wanted, CHUNK)
    counts = [min(CHUNK, FIRST_SEED + wanted - start) for start in starts]
    jobs = math.ceil((wanted - done) / CHUNK)
    chunks = pool.map(summaries, [str(path)] * jobs, starts, counts)
    return [summary for chunk in chunks for summary in chunk]


def summaries(path: str, first_seed: int, count: int) -> list[Summary]:
    """What the rules look at in ``count`` runs of a recording's script; runs in a worker process."""
    reruns = _reruns(path)
    end = reruns.recording.end()
    return [summarise(reruns.run(seed), end) for seed in range(first_seed, first_seed + count)]


@lru_cache(maxsize=4)
def _reruns(path: str) -> Reruns:
    return reruns_of(path)
