"""Finds configurations that come to the same run: their value is the run's own, or it changes nothing in the run.

Two documents are alike if all settings that the engine resolves are equal, written out or a default,
and so is everything else but title, text and version name.
"""

import json
from dataclasses import asdict, replace

from playground.whatif.pipeline.axes import MIN_ISR, UNCLEAN, document_of
from playground.whatif.pipeline.plan import ExperimentPlan, Variant, lettered
from simengine.questions.az.partition_states import allows_unclean, min_isr
from simengine.scenario import Document, load
from simengine.scenario.mirror_settings import mirror_settings
from simengine.scenario.parts import written_parts
from simengine.scenario.profiles import DEFAULT_PROFILE, profile_of
from simengine.scenario.settings import resolve


def folded(plan: ExperimentPlan) -> ExperimentPlan:
    """The plan with one configuration for all that are alike, and a mark where the settings are the run's own.

    Raises DocumentError for a configuration that is no valid document.
    """
    first: dict[str, Variant] = {}
    for variant in plan.variants:
        key = _essence(plan, variant)
        known = first.get(key)
        also = () if known is None else (*known.also, variant.settings)
        first[key] = replace(known or variant, also=also)
    again = lettered([variant.settings for variant in first.values()])
    variants = [
        replace(fresh, also=variant.also, is_as_in_run=key == _essence(plan, _unchanged(variant)))
        for fresh, (key, variant) in zip(again, first.items(), strict=True)
    ]
    return replace(plan, variants=tuple(variants))


def _unchanged(variant: Variant) -> Variant:
    """The same fault and no other setting: it is what is done to the run, not how the run is set."""
    return Variant("", {name: value for name, value in variant.settings.items() if name == "fault"})


def _essence(plan: ExperimentPlan, variant: Variant) -> str:
    return essence(load(document_of(plan, variant, plan.first_seed)))


def essence(doc: Document) -> str:
    """A text that is the same for two documents that are alike."""
    if not doc.clusters:
        return _essence_of_one(doc)
    clusters = {name: _essence_of_one(part) for name, part in written_parts(doc).items()}
    flows = [asdict(mirror_settings(flow, profile_of(doc.clusters[flow.target].profile))) for flow in doc.mirrors]
    configs = {"mirrors": {"__all__": {"config"}}}
    rest = doc.model_dump_json(exclude={"title": True, "about": True, "clusters": True, **configs})
    return json.dumps([clusters, flows, rest], sort_keys=True)


def _essence_of_one(doc: Document) -> str:
    settings = asdict(resolve(doc))
    rules = settings.pop("profile")
    for word in ("name", "checked", "elr_possible", "elr_default", "defaults"):  # what they come to is resolved
        del rules[word]
    topics = [
        topic.model_copy(
            update={"config": {**topic.config, MIN_ISR: min_isr(doc, topic), UNCLEAN: allows_unclean(doc, topic)}}
        )
        for topic in doc.topics
    ]
    bare = {"title": "", "about": "", "mirrors": [], "profile": DEFAULT_PROFILE, "elr_set": None, "topics": topics}
    plain = doc.model_copy(update={**bare, "cluster": doc.cluster.model_copy(update={"config": {}})})
    rest = plain.model_dump_json(exclude={"producers": {"__all__": {"config"}}, "consumers": {"__all__": {"config"}}})
    return json.dumps([settings, rules, rest], sort_keys=True)
