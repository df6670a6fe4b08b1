"""What an experiment will cost, said before it runs: runs, seconds, and the measured rate behind the figure."""

import json
import os
import re
from dataclasses import dataclass

from asgiref.sync import sync_to_async
from django.conf import settings

from playground.engine.limits import LONG
from playground.engine.questions import questions
from playground.engine.refusals import NotAnswered, OverBudget, WorkFailed
from playground.engine.turns import Holder
from playground.engine.works import MEASURE
from playground.scenarios.engine_version import engine_version
from playground.whatif import limits
from playground.whatif.pace import UNKNOWN, Pace, Range, cores, learned
from playground.whatif.pipeline.plan import Json


class NotMeasured(Exception):
    """The rate could not be measured; the message says why."""


@dataclass(frozen=True)
class Estimate:
    """Runs, the measured seconds of one run on one core, the processes, and how fast experiments go here."""

    runs: int
    seconds_per_run: float
    processes: int
    seeds: int  # of each configuration
    pace: Pace = UNKNOWN

    @property
    def ideal_seconds(self) -> float:
        """If all processes did nothing but runs, from the first moment."""
        return self.runs * self.seconds_per_run / self.processes

    @property
    def seconds(self) -> Range:
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
    seconds = await _measured(drafted["probe"], holder)
    number = await sync_to_async(processes)()
    pace = await sync_to_async(learned)(settings.SPARK_MASTER, engine_version())
    return Estimate(drafted["runs"], seconds, number, drafted["seeds"], pace)


async def _measured(plan_text: str, holder: Holder) -> float:
    """Seconds of one run, measured once for each document, fault, acks and horizon: other axes change it little."""
    try:
        return float(json.loads(await questions.answer(MEASURE, plan_text, holder))["seconds_per_run"])
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
    fewer = max(limits.SEEDS_MIN, int(limits.SECONDS_MAX / cost.seconds.most * cost.seeds))
    return (
        f"{cost.runs:,} runs would take up to {cost.seconds.most / 60:,.0f} min here; the limit is "
        f"{limits.SECONDS_MAX // 60} min. Take a shorter horizon or fewer seeds (about {fewer:,} fit)."
    )
