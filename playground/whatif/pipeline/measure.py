"""How long a run takes here: run each variant of a plan under some seeds and say the rate.

A question to the engine service: the measuring stalls no page, and the engine is in the form in which Spark's workers
run it. The rate is time of a core, which a busy machine changes little: how busy it is, ``pace`` learns.
"""

from statistics import fmean
from time import process_time
from typing import Final

from playground.whatif.pipeline.axes import document_of
from playground.whatif.pipeline.plan import Json, Plan, Variant
from playground.whatif.pipeline.run_one import closed_row, collected_once, run_on
from simengine.scenario import load
from simengine.world import World, build

SECONDS: Final = 1.0
"""A variant's runs are measured, seed after seed, until they have taken this long together."""

SECONDS_MAX: Final = 10.0
"""What one run of each variant may take, all together. It is long, since an early end shows only when it comes."""

DRAIN_US: Final = 10_000_000
"""What closing and draining adds to a horizon, about, for runs that are too long to be measured whole."""


def seconds_per_run(plan: Plan) -> float:
    """Seconds of a core for one run: the mean of the variants."""
    return fmean(_of_variant(plan, variant) for variant in plan.variants)


def _of_variant(plan: Plan, variant: Variant) -> float:
    """The mean of the runs that begin within `SECONDS`. Each is extrapolated after its share of `SECONDS_MAX`.

    The first run of a process also loads what later ones find loaded: it counts only where it is the only one.
    """
    found: list[float] = []
    while sum(found) < SECONDS:
        found.append(_of_run(plan, variant, plan.first_seed + len(found), SECONDS_MAX / len(plan.variants)))
    return fmean(found[1:] or found)


def _of_run(plan: Plan, variant: Variant, seed: int, seconds_max: float) -> float:
    began = process_time()
    with collected_once():
        document = document_of(plan, variant, seed)
        world = build(load({"closing": document["until"], **document}))
        built = process_time()
        more = run_on(world, plan.horizon_us, lambda: process_time() - built < seconds_max)
        if more is None and world.now_us < plan.horizon_us:
            return _extrapolated(world, plan.horizon_us, built - began, process_time() - built)
        closed_row(world, plan.topics, plan.horizon_us, more)
    return process_time() - began


def _extrapolated(world: World, horizon_us: int, built: float, ran: float) -> float:
    """Seconds of a whole run, of which building took so long, and running it to where it is."""
    return float(built + ran * (horizon_us + DRAIN_US) / max(world.now_us, 1))


def measured(plan_text: str) -> Json:
    """``seconds_per_run`` of a plan."""
    return {"seconds_per_run": seconds_per_run(Plan.from_json(plan_text))}
