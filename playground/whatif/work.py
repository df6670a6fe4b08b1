"""Works of the engine service for experiments: it reads documents, plans, and the builder's requests.

A source is the base of an experiment, by its kind: a run as it is stored, an earlier experiment's plan, or nothing
for the sandbox. Each function raises DocumentError where that cannot be read.
"""

import json
from typing import Any, Final

from playground.engine.limits import LONG, QUICK
from playground.engine.works import work
from playground.scenarios import documents
from playground.whatif import limits
from playground.whatif.circumstances import has_failure
from playground.whatif.experiment_title import title_of
from playground.whatif.forms import ExperimentDraft, largest_rf, read
from playground.whatif.load_words import load_words, rates_of
from playground.whatif.pipeline import axes
from playground.whatif.pipeline.document_clusters import broker_names, racks_of, topics_of
from playground.whatif.pipeline.fault import site_times
from playground.whatif.pipeline.measure import seconds_per_run
from playground.whatif.pipeline.plan import AS_IS, ExperimentPlan, Json, Variant, lettered
from playground.whatif.replay_document import replay_document
from playground.whatif.topic_warnings import topic_warnings
from simengine.questions.az.causes import heaviest_rack
from simengine.scenario import Document, load, to_plain
from simengine.scenario.action_words import clauses, node_names
from simengine.scenario.builtin import builtin
from simengine.scenario.durations import format_duration, parse_duration
from simengine.scenario.verbs import KILL_SITE, START_SITE

RUN: Final = "run"
PLAN: Final = "plan"
SANDBOX: Final = "sandbox"
PROBES_MAX: Final = 6  # configurations whose runs are measured
Source = tuple[str, Any]


def _document(source: Source) -> Json:
    kind, what = source
    if kind == PLAN:
        return ExperimentPlan.from_json(what).document
    return to_plain(documents.of_stored(what) if kind == RUN else builtin("sandbox"))


@work(QUICK)
def started(source: Source, baseline: str) -> Json:
    """The values that the builder needs of its source; with an earlier plan the baseline's letter is given."""
    document = _document(source)
    topics = [name for name, _ in topics_of(document)]
    checked = load(document)
    plan = ExperimentPlan.from_json(source[1]) if source[0] == PLAN else None
    return {
        "document_title": str(document.get("title", "")).strip(),
        "topics": topics,
        "racks": sorted(racks_of(document)),
        "rack": heaviest_rack(checked),
        "brokers": broker_names(document),
        "has_failure": has_failure(document),
        "largest_rf": largest_rf(document, topics),
        "load": load_words(checked, tuple(topics)),
        "has_rates": any(rates_of(checked, tuple(topics)).values()),
        "horizon": _horizon(document),
        "latency": None if checked.clusters else format_duration(checked.network.latency_us),
        "sites": [_site(document, name) for name in checked.clusters],
        "mirrors": _mirrors(checked),
        "first_seed": plan.first_seed if plan else 1,
        "fresh_seed": plan.first_seed + plan.seeds if plan else None,  # the same seeds again would only repeat it
        "named": title_of(plan) if plan else "",
        "chosen": _chosen(plan, baseline) if plan else None,
    }


def _site(document: Json, name: str) -> Json:
    """A cluster, when the run itself loses it ("" if it does not), and after how long it brings it back."""
    lost, back = site_times(document, name, KILL_SITE, START_SITE)
    after_us = 0 if lost is None or back is None else back - lost
    return {
        "name": name,
        "lost": "" if lost is None else format_duration(lost),
        "back": format_duration(after_us) if after_us > 0 else "",
    }


def _mirrors(checked: Document) -> Json | None:
    """The parts of MirrorMaker in the run that the builder offers; None without MirrorMaker."""
    if not checked.mirrors:
        return None
    return {
        "wan": format_duration(checked.network.latency_us),
        "syncs_groups": any(flow.config.get("sync.group.offsets.enabled") is True for flow in checked.mirrors),
    }


def _horizon(document: Json) -> str:
    """The default length of a run: as long as the document, within the limits."""
    until_us = parse_duration(document["until"])
    return format_duration(min(max(until_us, limits.HORIZON_US_MIN), limits.HORIZON_US_MAX))


def _chosen(plan: ExperimentPlan, baseline: str) -> Json:
    """The fields of an earlier experiment, for editing."""
    values: dict[str, list[Any]] = {}
    for variant in plan.variants:
        for settings in (variant.settings, *variant.also):
            for name, value in settings.items():
                known = values.setdefault(name, [])
                if value not in known:
                    known.append(value)
    return {
        "axes": values,
        "topics": list(plan.topics),
        "seeds": plan.seeds,
        "horizon": format_duration(plan.horizon_us),
        "baseline": next((one for one in plan.variants if one.letter == baseline), plan.variants[0]).settings,
    }


@work(QUICK, is_kept=True)
def drafted(sent: str, source: Source) -> Json:
    """The builder's request (JSON), read: ``problems``, ``baseline``, ``note``, ``title``; of a plan its figures too.

    A plan without problems comes as ``plan`` and ``outline``, and as ``probe`` the one whose runs are measured; not
    where the builder asked for a ``quick`` answer.
    """
    body = json.loads(sent)
    draft = read(body, _document(source))
    found = {"problems": draft.problems, "baseline": draft.baseline, "note": draft.note, "title": draft.title}
    if draft.plan is None:
        return found
    return found | _figures(draft.plan) | ({} if body.get("quick") else _texts(draft))


def _figures(plan: ExperimentPlan) -> Json:
    document = load(plan.document)
    return {
        "variants": [_described(document, plan, variant) for variant in plan.variants],
        "runs": plan.runs,
        "seeds": plan.seeds,
        "horizon_us": plan.horizon_us,
    }


def _described(document: Document, plan: ExperimentPlan, variant: Variant) -> Json:
    name, detail = axes.words(plan, variant)
    called = node_names(document)
    gone = [
        f"{documents.seconds(axes.at_us(entry))} {clauses(str(entry['do']), called)}"
        for entry in axes.removed(plan, variant)
    ]
    return {
        "letter": variant.letter,
        "name": name,
        "detail": detail,
        "settings": [variant.settings, *variant.also],
        "also": axes.also_words(variant),
        "as_in_run": variant.is_as_in_run,
        "removed": gone,
        "warnings": topic_warnings(document, plan, variant),
    }


def _texts(draft: ExperimentDraft) -> Json:
    plan = draft.plan
    if plan is None or draft.problems:
        return {}
    probe = ExperimentPlan(plan.document, _probed(plan), plan.topics, plan.first_seed, 1, plan.horizon_us)
    return {"plan": plan.to_json(), "outline": plan.outline(), "probe": probe.to_json()}


def _probed(plan: ExperimentPlan) -> tuple[Variant, ...]:
    """The variants whose runs are measured: one for each load and acks, which cost most; other axes change little.

    Of more than ``PROBES_MAX`` some, from the least load to the greatest.
    """
    fault = {key: value for key, value in plan.variants[0].settings.items() if key == "fault"}
    costly = [{key: v.settings[key] for key in ("load", "acks") if key in v.settings} for v in plan.variants]
    found = [settings for at, settings in enumerate(costly) if settings not in costly[:at]]
    found.sort(key=lambda settings: 1.0 if settings.get("load", AS_IS) == AS_IS else float(settings["load"]))
    some = min(len(found), PROBES_MAX)
    spread = [found[at * (len(found) - 1) // max(1, some - 1)] for at in range(some)]
    return lettered([fault | settings for settings in spread])


@work(QUICK)
def outlined(plan_text: str) -> Json:
    """The outline of a stored plan."""
    return ExperimentPlan.from_json(plan_text).outline()


@work(QUICK)
def replayed(plan_text: str, title: str, row: str) -> Json:
    """The document of a row (JSON) of an experiment, as it is stored; its plan and title are given."""
    return documents.check(replay_document(ExperimentPlan.from_json(plan_text), title, json.loads(row)))


@work(LONG, is_kept=True)
def measured(plan_text: str) -> Json:
    """``seconds_per_run`` of a plan: of runs that may be closed at rest, and of whole ones."""
    plan = ExperimentPlan.from_json(plan_text)
    return {"seconds_per_run": seconds_per_run(plan, False), "seconds_per_whole_run": seconds_per_run(plan, True)}
