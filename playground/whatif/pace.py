"""The pace of experiments on a Spark master, learned from those that ran there.

An experiment takes a start (Spark's own, the first Python workers, the engine in them) and the work itself, which takes
longer than its runs alone: rows travel, and a machine has other work. Both are learned from the last few experiments:
their median is expected of the next one, their least and their greatest value are its range. Time in
which a cluster gave no executors does not count.
"""

from dataclasses import dataclass
from datetime import timedelta
from statistics import median
from typing import Final, NamedTuple

from django.db.models import QuerySet
from django.utils import timezone

from playground.whatif.limits import ABSENT_SECONDS
from playground.whatif.models import Experiment, State, WorkerBeat

LAST: Final = 3
"""The number of experiments that count. A disturbed one does not move the median, and a change of load counts soon."""

LONG_SECONDS: Final = 3.0
"""An experiment of so many ideal seconds or more tells the pace. A shorter one tells the start."""


class EstimateRange(NamedTuple):
    """A figure and its range: the least, what is expected, the most."""

    least: float
    middle: float
    most: float


START_SECONDS: Final = EstimateRange(3.0, 8.0, 45.0)
"""Before any experiment has run: the session is there, it has to start, it starts on a busy machine."""

FACTORS: Final = EstimateRange(1.1, 1.4, 2.5)
"""Before any experiment has run: seconds of the work divided by its ideal seconds, idle, as expected, busy."""

BAND: Final = (0.75, 1.5)
"""The range is at least so wide around its middle, since few experiments say little about the next one."""


@dataclass(frozen=True, slots=True)
class ExperimentPace:
    """The start in seconds, and how many times as long as ideal the work takes."""

    start_seconds: EstimateRange = START_SECONDS
    factors: EstimateRange = FACTORS
    experiments: int = 0  # that it was learned from

    def seconds(self, ideal: float) -> EstimateRange:
        """The time from the start of an experiment of so many ideal seconds to its result, in seconds."""
        least, middle, most = (
            start + factor * ideal for start, factor in zip(self.start_seconds, self.factors, strict=True)
        )
        return EstimateRange(least, middle, most)


UNKNOWN: Final = ExperimentPace()


def learned(master: str, engine: str) -> ExperimentPace:
    """The pace of the last experiments on a Spark master that one worker took from start to end.

    Of this engine, where it has run there; else of the engines before it. Of those that had to start Spark if the next
    one has to, else of the others; where there are none of the kind, of all.
    """
    done = Experiment.objects.filter(state=State.DONE, claims=1, ideal_seconds__gt=0, computed_seconds__gt=0)
    there = done.filter(master=master).order_by("-finished")
    there = _some_of(there, engine=engine)
    last = _some_of(there, started_spark=not _has_session()).values_list("ideal_seconds", "computed_seconds")[:LAST]
    return pace_of([(float(ideal), float(took)) for ideal, took in last])


def _some_of(found: QuerySet[Experiment], **wanted: object) -> QuerySet[Experiment]:
    """Those that are as wanted, where there are any; else all."""
    some = found.filter(**wanted)
    return some if some.exists() else found


def _has_session() -> bool:
    """True if a worker has a Spark session for its next experiment. That of a cluster ends with its experiments."""
    now, absent = timezone.now(), timedelta(seconds=ABSENT_SECONDS)
    return WorkerBeat.objects.filter(seen__range=(now - absent, now + absent), has_session=True).exists()


def cores(master: str) -> int | None:
    """The cores that the last experiment on a Spark master had there; None where none has run."""
    there = Experiment.objects.filter(master=master, processes__gt=0).order_by("-finished")
    return there.values_list("processes", flat=True).first()


def pace_of(last: list[tuple[float, float]]) -> ExperimentPace:
    """The pace behind pairs of ideal and measured seconds."""
    if not last:
        return UNKNOWN
    short = [max(0.0, took - ideal * FACTORS.middle) for ideal, took in last if ideal < LONG_SECONDS]
    beside = max(0.0, min(took - ideal for ideal, took in last))  # what they took beyond their runs: no start is longer
    start = _range(short) if short else EstimateRange(*(min(seconds, beside) for seconds in START_SECONDS))
    long = [max(took - start.middle, ideal) / ideal for ideal, took in last if ideal >= LONG_SECONDS]
    return ExperimentPace(start, _range(long) if long else FACTORS, len(last))


def _range(found: list[float]) -> EstimateRange:
    middle = median(found)
    return EstimateRange(min(min(found), middle * BAND[0]), middle, max(max(found), middle * BAND[1]))
