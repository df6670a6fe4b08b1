"""How long a run takes here: run each variant of a plan for a moment and say the rate.

A question to the engine service: the measuring stalls no page, and the engine is in the form in which Spark's workers
run it.
"""

import time
from typing import Final

from playground.whatif.pipeline.axes import document_of
from playground.whatif.pipeline.early_end import LOOK_US, EarlyEnd
from playground.whatif.pipeline.plan import Json, Plan, Variant
from playground.whatif.pipeline.run_one import closed_row, collected_once
from simengine.scenario import load
from simengine.world import build

SECONDS: Final = 1.0
STEP_US: Final = 250_000
DRAIN_US: Final = 35_000_000
"""What closing and draining adds to a horizon, at most about: it ends when every copy is full, or after 30 s."""


def seconds_per_run(plan: Plan) -> float:
    """Seconds of one process for one run, the mean of the variants: measured whole, or extrapolated after `SECONDS`."""
    seconds = 0.0
    for variant in plan.variants:
        with collected_once():
            seconds += _measured(plan, variant)
    return seconds / len(plan.variants)


def _measured(plan: Plan, variant: Variant) -> float:
    began = time.perf_counter()
    document = document_of(plan, variant, plan.first_seed)
    world = build(load({"closing": document["until"], **document}))
    built = time.perf_counter() - began
    began = time.perf_counter()
    early, is_over = EarlyEnd(world, plan.horizon_us), False
    while world.now_us < plan.horizon_us and not is_over and time.perf_counter() - began < SECONDS:
        world.run(min(world.now_us + STEP_US, plan.horizon_us))
        is_over = world.now_us % LOOK_US == 0 and early.is_over()
    if is_over or world.now_us >= plan.horizon_us:
        closed_row(world, plan.topics, plan.horizon_us, early.close() if is_over else None)
        return built + time.perf_counter() - began
    ran = time.perf_counter() - began
    return float(built + ran * (plan.horizon_us + DRAIN_US) / max(world.now_us, 1))


def measured(plan_text: str) -> Json:
    """``seconds_per_run`` of a plan."""
    return {"seconds_per_run": seconds_per_run(Plan.from_json(plan_text))}
