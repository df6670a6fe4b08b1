"""Measures the time of a run here: runs each variant of a plan under some seeds and gives the rate.

The engine service does it: the measuring stalls no page, and the engine is in the form in which Spark's
workers run it. The rate is time of a core, which a busy machine changes little: ``pace`` learns how busy it is.
"""

from statistics import fmean
from time import process_time
from typing import Final

from playground.whatif.pipeline.axes import document_of
from playground.whatif.pipeline.plan import ExperimentPlan, Variant
from playground.whatif.pipeline.run_one import closed_row, collected_once, run_on
from simengine.scenario import load
from simengine.world.world import World, build

SECONDS: Final = 0.5
"""A variant's runs are measured, seed after seed, until they have taken this long together."""

SECONDS_MAX: Final = 10.0
"""The seconds for one run of each kind and variant, all together.

They are many, since an early end shows only when it comes."""

DRAIN_US: Final = 10_000_000
"""The time that closing and draining adds to a horizon, about, for runs that are too long to be measured whole."""


def seconds_per_run(plan: ExperimentPlan, is_whole: bool) -> float:
    """Seconds of a core for one run, to the horizon if it `is_whole`: the mean of the variants."""
    return fmean(_of_variant(plan, variant, is_whole) for variant in plan.variants)


def _of_variant(plan: ExperimentPlan, variant: Variant, is_whole: bool) -> float:
    """The mean of the runs that begin within `SECONDS`. Each is extrapolated after its share of `SECONDS_MAX`.

    The first run of a process also loads what later ones find loaded: it counts only where it is the only one.
    """
    found: list[float] = []
    while sum(found) < SECONDS:
        seed = plan.first_seed + len(found)
        found.append(_of_run(plan, variant, seed, is_whole, SECONDS_MAX / 2 / len(plan.variants)))
    return fmean(found[1:] or found)


def _of_run(plan: ExperimentPlan, variant: Variant, seed: int, is_whole: bool, seconds_max: float) -> float:
    began = process_time()
    with collected_once():
        document = document_of(plan, variant, seed)
        world = build(load({"closing": document["until"], **document}))
        built = process_time()
        more = run_on(world, plan.horizon_us, is_whole, lambda: process_time() - built < seconds_max)
        if more is None and world.now_us < plan.horizon_us:
            return _extrapolated(world, plan.horizon_us, built - began, process_time() - built)
        closed_row(world, plan.topics, plan.horizon_us, more)
    return process_time() - began


def _extrapolated(world: World, horizon_us: int, built: float, ran: float) -> float:
    """Seconds of a whole run, of which building took so long, and running it to where it is."""
    return float(built + ran * (horizon_us + DRAIN_US) / max(world.now_us, 1))
