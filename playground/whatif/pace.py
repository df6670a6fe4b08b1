"""How fast experiments go on a Spark master, learned from those that ran there.

An experiment takes a start (Spark's own, the first Python workers, the engine in them) and the work itself, which is
never done at the full pace of all processes. Short experiments tell the start, long ones the pace; both as the range of
the last few, since a busy machine is slower than an idle one.
"""

from dataclasses import dataclass
from typing import Final

from playground.whatif.models import Experiment, State

LAST: Final = 8
"""Experiments that are looked back on."""

LONG_SECONDS: Final = 60.0
"""Ideal seconds from which on an experiment tells the pace rather than the start."""

START_SECONDS: Final = (10.0, 45.0)
"""Of an idle and of a busy machine, where nothing has run yet."""

SHARES: Final = (0.5, 0.85)
"""How much of the processes' time goes into runs, on a busy and on an idle machine (idle: spark_ratio of the bench)."""

SHARE_MIN: Final = 0.1


@dataclass(frozen=True, slots=True)
class Pace:
    """The start in seconds and the share of the processes' time that goes into runs, each as a range."""

    start_seconds: tuple[float, float] = START_SECONDS
    shares: tuple[float, float] = SHARES
    experiments: int = 0  # that it was learned from


UNKNOWN: Final = Pace()


def learned(master: str, engine: str) -> Pace:
    """The pace of the last experiments on a Spark master that one worker took from start to end.

    Of this engine, where it has run there; else of the engines before it.
    """
    done = Experiment.objects.filter(state=State.DONE, claims=1, ideal_seconds__gt=0, computed_seconds__gt=0)
    there = done.filter(master=master).order_by("-finished")
    of_engine = there.filter(engine=engine)
    last = (of_engine or there).values_list("ideal_seconds", "computed_seconds")[:LAST]
    return pace_of([(float(ideal), float(took)) for ideal, took in last])


def cores(master: str) -> int | None:
    """The cores that the last experiment on a Spark master had there; None where none has run."""
    there = Experiment.objects.filter(master=master, processes__gt=0).order_by("-finished")
    return there.values_list("processes", flat=True).first()


def pace_of(last: list[tuple[float, float]]) -> Pace:
    """The pace behind pairs of ideal and measured seconds."""
    short = [max(0.0, took - ideal / SHARES[1]) for ideal, took in last if ideal < LONG_SECONDS]
    start = (min(short), max(short)) if short else START_SECONDS
    long = [ideal / max(took - start[0], ideal) for ideal, took in last if ideal >= LONG_SECONDS]
    shares = (max(SHARE_MIN, min(long)), max(long)) if long else SHARES
    return Pace(start, shares, len(last))
