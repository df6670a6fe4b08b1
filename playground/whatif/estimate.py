"""What an experiment will cost, said before it runs: runs, seconds, and the measured rate behind the figure."""

import hashlib
import json
import os
import re
import subprocess
import sys
import threading
from dataclasses import dataclass
from typing import Final

from django.conf import settings
from django.core.cache import cache

from playground import environment
from playground.scenarios.engine_version import engine_version
from playground.whatif import limits
from playground.whatif.pace import UNKNOWN, Pace, learned
from playground.whatif.pipeline.plan import Plan, Variant

MEASURE_SECONDS_MAX: Final = 60
KEPT_SECONDS: Final = 24 * 3600
_probe = threading.BoundedSemaphore()  # one run at a time is measured: two would slow each other, and the rooms


class NotMeasured(Exception):
    """The rate could not be measured; the message says why."""


@dataclass(frozen=True)
class Estimate:
    """Runs, the measured seconds of one run on one process, the processes, and how fast experiments go here."""

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
    def seconds(self) -> float:
        """Until the result at the least, if no other experiment runs."""
        return self.pace.start_seconds[0] + self.ideal_seconds / self.pace.shares[1]

    @property
    def seconds_max(self) -> float:
        """Until the result where Spark starts slowly and the machine is busy."""
        return self.pace.start_seconds[1] + self.ideal_seconds / self.pace.shares[0]


def processes() -> int:
    """Python processes that run at once, as far as the Spark master tells."""
    match = re.fullmatch(r"local(?:\[(\d+|\*)(?:,\d+)?\])?", settings.SPARK_MASTER)
    if match is None or match[1] == "*":
        return os.cpu_count() or 1
    return int(match[1] or 1)


def estimate(plan: Plan) -> Estimate:
    """The cost of a plan. Raises NotMeasured."""
    fault = {key: value for key, value in plan.variants[0].settings.items() if key == "fault"}
    probe = Plan(plan.document, (Variant("A", fault),), plan.topics, plan.first_seed, 1, plan.horizon_us)
    return Estimate(plan.runs, _measured(probe.to_json()), processes(), plan.seeds, learned())


def _measured(plan_text: str) -> float:
    """Seconds of one run, measured once for each document, fault and horizon: the other axes change it little."""
    name = f"whatif-rate:{engine_version()}:{hashlib.sha256(plan_text.encode()).hexdigest()}"
    known: float | None = cache.get(name)
    if known is not None:
        return known
    if not _probe.acquire(timeout=MEASURE_SECONDS_MAX):
        raise NotMeasured("Other experiments are being measured. Try again in a minute.")
    try:
        seconds = _measure(plan_text)
    finally:
        _probe.release()
    cache.set(name, seconds, KEPT_SECONDS)
    return seconds


def _measure(plan_text: str) -> float:
    command = [sys.executable, "-m", "playground.whatif.pipeline.measure"]
    try:
        asked = subprocess.run(
            command,
            input=plan_text,
            capture_output=True,
            text=True,
            timeout=MEASURE_SECONDS_MAX,
            cwd=environment.ROOT,
            check=True,
        )
    except subprocess.TimeoutExpired:
        raise NotMeasured(f"One run takes more than {MEASURE_SECONDS_MAX} s. Take a smaller cluster.") from None
    except subprocess.CalledProcessError as error:
        last = (error.stderr or "").strip().splitlines()[-1:] or ["no words"]
        raise NotMeasured(f"A first run failed: {last[0]}") from error
    return float(json.loads(asked.stdout)["seconds_per_run"])


def too_long(cost: Estimate) -> str:
    """The sentence for an experiment over the limit, or an empty text."""
    if cost.seconds <= limits.SECONDS_MAX:
        return ""
    fewer = max(limits.SEEDS_MIN, int(limits.SECONDS_MAX / cost.seconds * cost.seeds))
    return (
        f"{cost.runs:,} runs would take about {cost.seconds / 60:,.0f} min here; the limit is "
        f"{limits.SECONDS_MAX // 60} min. Take a shorter horizon or fewer seeds (about {fewer:,} fit)."
    )
