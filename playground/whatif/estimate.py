"""The cost of an experiment, estimated before it runs: runs, seconds, and the measured rate behind the figure."""

import json
import os
import re
from dataclasses import dataclass, replace

from asgiref.sync import sync_to_async
from django.conf import settings

from playground.engine.limits import LONG
from playground.engine.questions import questions
from playground.engine.refusals import NotAnswered, OverBudget, WorkFailed
from playground.engine.turns import Holder
from playground.scenarios.engine_version import engine_version
from playground.whatif import limits, work
from playground.whatif.pace import UNKNOWN, EstimateRange, ExperimentPace, cores, learned
from playground.whatif.pipeline.plan import WHOLE_SEEDS, Json


class NotMeasured(Exception):
    """The rate could not be measured; the message says why."""


@dataclass(frozen=True)
class Estimate:
    """Runs, the measured seconds of one run on one core, the processes, and how fast experiments go here."""

    runs: int
    seconds_per_run: float
    processes: int
    seeds: int  # of each configuration
    pace: ExperimentPace = UNKNOWN
    seconds_per_whole_run: float = 0.0  # 0: as of any run

    @property
    def ideal_seconds(self) -> float:
        """The seconds that the runs would take if all processes did nothing else, from the first moment."""
        return self.runs * self.seconds_per_run / self.processes

    @property
    def seconds(self) -> EstimateRange:
        """Until the result, if no other experiment runs: what is expected, the least and the most."""
        return self.pace.seconds(self.ideal_seconds)


def processes() -> int:
    """Python processes that run at once: as the Spark master's name tells, or as the last experiment there had.

    On a cluster where none has run yet, as many as this machine has cores.
    """
    match = re.fullmatch(r"local(?:\[(\d+|\*)(?:,\d+)?\])?", settings.SPARK_MASTER)
    if match is None:
        return cores(settings.SPARK_MASTER) or os.cpu_count() or 1
    return (os.cpu_count() or 1) if match[1] == "*" else int(match[1] or 1)


async def estimate(drafted: Json, holder: Holder) -> Estimate:
    """The cost of a plan as the service drafted it (``work.drafted``), for somebody. Raises NotMeasured."""
    measured = await _measured(drafted["probe"], holder)
    seconds = mean_seconds(drafted["seeds"], measured["seconds_per_run"], measured["seconds_per_whole_run"])
    number = await sync_to_async(processes)()
    pace = await sync_to_async(learned)(settings.SPARK_MASTER, engine_version())
    whole = float(measured["seconds_per_whole_run"])
    return Estimate(drafted["runs"], seconds, number, drafted["seeds"], pace, whole)


def mean_seconds(seeds: int, at_rest: float, whole: float) -> float:
    """Seconds of the mean run, from those of a run that may be closed at rest and of a whole one."""
    share = min(seeds, WHOLE_SEEDS) / seeds
    return share * whole + (1 - share) * at_rest


async def _measured(plan_text: str, holder: Holder) -> Json:
    """Seconds of one run, measured once for each document, fault, acks, load and horizon: others change it little."""
    try:
        found: Json = json.loads(await questions.answer(work.measured.question(plan_text), holder))
        return found
    except OverBudget:
        raise NotMeasured(f"One run takes more than {LONG.seconds_max:.0f} s. Take a smaller cluster.") from None
    except NotAnswered as refused:
        raise NotMeasured(str(refused)) from None
    except WorkFailed as error:
        raise NotMeasured(f"A first run failed: {error}") from error


def too_long(cost: Estimate) -> str:
    """The sentence for an experiment over the limit, or an empty text."""
    if cost.seconds.most <= limits.SECONDS_MAX:
        return ""
    fewer = max(limits.SEEDS_MIN, _fitting(cost))
    return (
        f"{cost.runs:,} runs would take up to {cost.seconds.most / 60:,.0f} min here; the limit is "
        f"{limits.SECONDS_MAX // 60} min. Take a shorter horizon or fewer seeds (about {fewer:,} fit)."
    )


def _fitting(cost: Estimate) -> int:
    """The most seeds that take no longer than the limit."""
    every = range(cost.seeds, 0, -1)
    return next((seeds for seeds in every if _of_seeds(cost, seeds).seconds.most <= limits.SECONDS_MAX), 0)


def _of_seeds(cost: Estimate, seeds: int) -> Estimate:
    """The same cost with another number of seeds."""
    whole, share = cost.seconds_per_whole_run or cost.seconds_per_run, min(cost.seeds, WHOLE_SEEDS) / cost.seeds
    at_rest = (cost.seconds_per_run - share * whole) / (1 - share) if share < 1 else whole
    runs = cost.runs // cost.seeds * seeds
    return replace(cost, runs=runs, seeds=seeds, seconds_per_run=mean_seconds(seeds, at_rest, whole))
