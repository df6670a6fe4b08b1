"""Holds recordings against simulated runs of their scripts: 200 seeds first, more where the history may be rare."""

import math
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

from simengine.recordings.assumed import assumed
from simengine.recordings.errors import RecordingError
from simengine.recordings.mirror_model import MirrorRecording
from simengine.recordings.mirror_reader import tells_of_mirror
from simengine.recordings.mirror_rerun import MirrorReruns, mirror_reruns_of
from simengine.recordings.model import Recording
from simengine.recordings.rerun import RecordingReruns, reruns_of
from tests.conformance.compare import Comparison, compare
from tests.conformance.mirror_rules import compare_mirror
from tests.conformance.mirror_summary import MirrorSummary, summarise_mirror
from tests.conformance.recorded import Recorded
from tests.conformance.summary import Summary, summarise

T = TypeVar("T")

FIRST_SEED: Final = 1
LADDER: Final = (200, 400, 1000, 2000)  # runs after which one looks again
RUNS_MAX: Final = LADDER[-1]
MIRROR_LADDER: Final = (20, 60, 200)  # a run of two clusters and some minutes takes seconds
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
    """The result for one recording."""

    file: str
    recording: Recording
    comparison: Comparison

    def line(self) -> str:
        """One line for people: explained, or the first disagreement; and what was assumed of the recording."""
        return _line(self.file, self.recording.title, self.comparison, f"; {assumed(self.recording)}")

    def plain(self) -> dict[str, Any]:
        """The same as data, with every disagreement."""
        return _plain(self.file, self.recording, self.comparison, {"assumed": assumed(self.recording).plain()})


class MirrorVerdict(NamedTuple):
    """The result for one recording of two clusters with MirrorMaker."""

    file: str
    recording: MirrorRecording
    comparison: Comparison

    def line(self) -> str:
        """One line for people: explained, or the first disagreement."""
        return _line(self.file, self.recording.title, self.comparison)

    def plain(self) -> dict[str, Any]:
        """The same as data, with every disagreement."""
        return _plain(self.file, self.recording, self.comparison, {"mirror_maker": self.recording.mirror_maker})


def _line(file: str, title: str, comparison: Comparison, also: str = "") -> str:
    head, runs = f"{file}: {title[:60]}", f"{comparison.runs} runs"
    if comparison.is_explained:
        return f"{head}: explained ({runs}, {comparison.fewest_matching} match{also})"
    return f"{head}: NOT explained ({runs}{also}): {comparison.disagreements[0]}"


def _plain(
    file: str, recording: Recording | MirrorRecording, comparison: Comparison, own: dict[str, Any]
) -> dict[str, Any]:
    return {
        "file": file,
        "name": recording.name,
        "title": recording.title,
        "kafka": recording.kafka,
        **own,
        "explained": comparison.is_explained,
        "runs": comparison.runs,
        "matching": comparison.fewest_matching,
        "disagreements": [found.plain() for found in comparison.disagreements],
    }


def conform(
    paths: list[Path], runs_max: int = RUNS_MAX, jobs: int = JOBS
) -> Iterator[Verdict | MirrorVerdict | Unusable]:
    """The verdict on each recording, in order; one that cannot be used does not hold up the others."""
    with ProcessPoolExecutor(jobs) as pool:
        for path in paths:
            try:
                one = mirror_conform_one if tells_of_mirror(path) else conform_one
                yield one(path, pool, runs_max)
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


def mirror_conform_one(path: Path, pool: Executor, runs_max: int = RUNS_MAX) -> MirrorVerdict:
    """As ``conform_one``, for a recording of two clusters. Raises RecordingError."""
    recording = mirror_reruns_of(path).recording
    runs: list[MirrorSummary] = []
    comparison = None
    for wanted in [*(rung for rung in MIRROR_LADDER if rung < runs_max), min(runs_max, MIRROR_LADDER[-1])]:
        runs += _chunks(pool, mirror_summaries, path, len(runs), wanted)
        comparison = compare_mirror(recording, runs)
        if comparison.is_explained:
            break
    assert comparison is not None, "the ladder has a rung"
    return MirrorVerdict(path.stem, recording, comparison)


def _runs(pool: Executor, path: Path, done: int, wanted: int) -> list[Summary]:
    return _chunks(pool, summaries, path, done, wanted)


def _chunks(pool: Executor, work: Callable[[str, int, int], list[T]], path: Path, done: int, wanted: int) -> list[T]:
    starts = range(FIRST_SEED + done, FIRST_SEED + wanted, CHUNK)
    counts = [min(CHUNK, FIRST_SEED + wanted - start) for start in starts]
    jobs = math.ceil((wanted - done) / CHUNK)
    chunks = pool.map(work, [str(path)] * jobs, starts, counts)
    return [summary for chunk in chunks for summary in chunk]


def summaries(path: str, first_seed: int, count: int) -> list[Summary]:
    """The summaries that the rules compare, of ``count`` runs of a recording's script; runs in a worker process."""
    reruns = _reruns(path)
    end = reruns.recording.end()
    return [summarise(reruns.run(seed), end) for seed in range(first_seed, first_seed + count)]


@lru_cache(maxsize=4)
def _reruns(path: str) -> RecordingReruns:
    return reruns_of(path)


def mirror_summaries(path: str, first_seed: int, count: int) -> list[MirrorSummary]:
    """The same for a recording of two clusters."""
    reruns = _mirror_reruns(path)
    return [summarise_mirror(reruns.run(seed)) for seed in range(first_seed, first_seed + count)]


@lru_cache(maxsize=4)
def _mirror_reruns(path: str) -> MirrorReruns:
    return mirror_reruns_of(path)
