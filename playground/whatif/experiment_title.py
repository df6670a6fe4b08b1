"""The name of an experiment that nobody named: the run, what is varied, and what happens to it."""

from typing import Final

from playground.whatif.circumstances import when
from playground.whatif.pipeline.axes import value_words, varied
from playground.whatif.pipeline.plan import ExperimentPlan
from simengine.words.phrases import listed

TITLE_MAX: Final = 200
FAULTS_LONG: Final = 90
"""Letters beyond which failures are counted."""


def title_of(plan: ExperimentPlan) -> str:
    """Such as "Sandbox: acks=1 or acks=all when az-a died": it tells experiments on one run apart."""
    run = str(plan.document.get("title", "")).strip() or "Untitled run"
    axes = [_values(plan, axis) for axis in varied(plan)]
    what = f"{run}: {', '.join(axes)}" if axes else run
    return f"{what} {when(plan)}".strip()[:TITLE_MAX]


def _values(plan: ExperimentPlan, axis: str) -> str:
    """The values of an axis. Failures have long names: many are counted."""
    words = list(dict.fromkeys(value_words(axis, one.settings[axis]) for one in plan.variants))
    told = listed(words, "or")
    return f"one of {len(words):,} failures" if axis == "fault" and len(told) > FAULTS_LONG else told
