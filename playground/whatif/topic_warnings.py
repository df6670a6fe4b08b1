"""Warnings of configurations that some topics cannot hold, told before a run."""

from collections.abc import Iterable
from typing import Any

from playground.whatif.pipeline.plan import AS_IS, ExperimentPlan, Variant
from playground.whatif.pipeline.topic_groups import group_words, parts
from simengine.questions.az.partition_states import min_isr
from simengine.scenario import Document
from simengine.words.phrases import plural


def topic_warnings(document: Document, plan: ExperimentPlan, variant: Variant) -> list[str]:
    """The sentences on topics of a configuration with too few copies; `document`: that of the plan. PROD-2, HW-3."""
    found: dict[str, list[str]] = {}
    for prefix, part in parts(document):
        written = {entry.topic for entry in part.producers if _chosen(variant, "acks", entry.acks) == "all"}
        for topic in part.topics:
            copies = min(len(replicas) for replicas in topic.assignment)
            least = _chosen(variant, "min_isr", min_isr(part, topic))
            if prefix + topic.name in plan.topics:
                for sentence in _sentences(_chosen(variant, "rf", copies), copies, least, topic.name in written):
                    found.setdefault(sentence, []).append(prefix + topic.name)
    return [sentence.format(group_words(names)) for sentence, names in found.items()]


def _chosen(variant: Variant, axis: str, of_run: Any) -> Any:
    value = variant.settings.get(axis, AS_IS)
    return of_run if value == AS_IS else value


def _sentences(asked: int, there: int, least: int, is_all: bool) -> Iterable[str]:
    """The sentences on a topic, with a place for its name; `asked`: its RF, `there`: copies that it has in the run."""
    copies = min(asked, there)
    if asked > there:
        yield f"RF {asked} adds no copy: {plural(copies, 'copy', 'copies')} of {{}}."
    if least > copies:
        yield f"min ISR {least} is above RF {copies} and counts as {copies}: {{}}."
    if is_all and 1 < copies <= least:
        yield f"Writes with acks=all stop while one of the {copies} copies is away: {{}}."
