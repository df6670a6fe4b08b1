"""The document of one run of an experiment, whose run has the row's verdict and digest."""

import copy
from typing import Final

from playground.whatif.pipeline.axes import document_of, words
from playground.whatif.pipeline.fault import fault_words
from playground.whatif.pipeline.plan import ExperimentPlan, Json
from simengine.scenario.durations import duration_words, format_duration

ABOUT = (
    "One run of the experiment \N{LEFT DOUBLE QUOTATION MARK}{experiment}\N{RIGHT DOUBLE QUOTATION MARK}: {told}. "
    "What is drawn at random comes from the seed, and is not in the timeline."
)

AT_REST: Final = (
    " It was closed at {rest}, before the end of the simulated time ({horizon}): no action of the timeline was left, "
    "no process was starting, every partition had a leader that takes calls, every living replica was in sync, no "
    "group rebalanced. Only the same calls would have followed, and the experiment adds them to its counts. The "
    "actions after {rest} close the run."
)


def replay_document(plan: ExperimentPlan, title: str, row: Json) -> Json:
    """The document of a row: its variant and seed, closed as the run was. ``title``: the experiment's."""
    variant = plan.variant(row["variant"])
    document = document_of(plan, variant, row["seed"])
    document["title"] = f"{title}: {told(plan, row['variant'], row['seed'])}"[:200]
    document["about"] = ABOUT.format(told=told(plan, row["variant"], row["seed"]), experiment=title)
    if row["rest_us"] is not None:
        document["about"] += AT_REST.format(
            rest=duration_words(row["rest_us"]), horizon=duration_words(row["horizon_us"])
        )
    whole = closed(document, row)
    whole["captions"] = [{"at": whole["until"], "kind": "outcome", "text": row["sentence"]}]
    return whole


def told(plan: ExperimentPlan, letter: str, seed: int) -> str:
    """A run of an experiment by all its settings and its seed."""
    variant = plan.variant(letter)
    parts = list(filter(None, words(plan, variant)))
    fault = variant.settings.get("fault")
    if fault is not None and fault["kind"] != "as-is" and fault_words(fault) not in ", ".join(parts):
        parts.append(fault_words(fault))
    return ", ".join([*parts, f"seed {seed}"])


def closed(document: Json, row: Json) -> Json:
    """The document of a finished run: its closing actions in the timeline, and the moments of its row."""
    whole = copy.deepcopy(document)
    for line in row["ending"]:
        at_us, _, action = line.partition(" ")
        whole["timeline"].append({"at": format_duration(int(at_us)), "do": action})
    if row["rest_us"] is not None:
        whole["closing"] = format_duration(row["rest_us"])
    whole["until"] = format_duration(row["end_us"])
    return whole
