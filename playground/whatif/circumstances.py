"""The circumstances of an experiment that its answer rests on: failure, load, network, topics, version."""

from dataclasses import dataclass, field
from typing import Any

from playground.whatif.load_words import load_words, producers_of
from playground.whatif.pipeline.axes import varied
from playground.whatif.pipeline.fault import past_words
from playground.whatif.pipeline.plan import AS_IS, ExperimentPlan
from playground.whatif.pipeline.topic_groups import group_words, parts, topic_groups
from playground.whatif.why_none import lossless, why_none_lost
from simengine.questions.az.words import gigabytes
from simengine.scenario import Document, load
from simengine.scenario.durations import duration_words
from simengine.scenario.profiles import profile_of
from simengine.scenario.verb import FAULT
from simengine.scenario.verbs import VERBS
from simengine.words.phrases import listed

Json = dict[str, Any]

LINKS_MAX = 4
"""Links whose latency is told one by one."""


@dataclass(frozen=True)
class Circumstances:
    """Clauses and sentences of an answer beside its figures; "" where there is nothing to say."""

    when: str = ""  # "when az-a died"
    latency: str = ""  # ", with 8 ms one way between nodes"
    load: str = ""  # "305 records/s"
    moment: str = ""  # the sentence where a failure comes at one moment in all seeds
    lossless: tuple[str, ...] = ()  # letters of the configurations that cannot lose an acknowledged record, by rule
    why_none: str = ""  # why no run could lose an acknowledged record, where that is so by rule
    faults: dict[str, Json] = field(default_factory=dict)  # what happens, by the letter of a configuration
    basis: list[list[str]] = field(default_factory=list)  # [name, value] of all that the answer rests on

    @property
    def tail(self) -> str:
        """The failure as the end of a sentence."""
        return f" {self.when}" if self.when else ""

    @property
    def such_runs(self) -> str:
        """The sentence on the runs that a share is of."""
        load = f" ({self.load})" if self.load else ""
        many = any(fault != other for fault in self.faults.values() for other in self.faults.values())
        fault = "these faults" if many else "this fault"
        return f"Such runs have {fault}, this window and this load{load}: the share is no rate a year."

    def peers(self, chosen: Json, order: list[Json]) -> list[Json]:
        """The configurations to which the same happens as to the chosen one: others do not tell its price."""
        return [v for v in order if self.faults.get(v["letter"]) == self.faults.get(chosen["letter"])]

    @property
    def ends(self) -> list[str]:
        """The sentences behind the shares."""
        return [self.such_runs, self.moment]


def circumstances(plan: ExperimentPlan, losing: list[str]) -> Circumstances:
    """The circumstances of a plan; `losing`: letters of the configurations that lost records."""
    document, safe = load(plan.document), lossless(plan)
    return Circumstances(
        when(plan),
        latency(document),
        _load(document, plan),
        moment(plan),
        safe,
        why_none_lost(plan, safe, losing),
        {v.letter: v.settings.get("fault") or {"kind": "as-is"} for v in plan.variants},
        basis(document, plan),
    )


def when(plan: ExperimentPlan) -> str:
    """The fault of all configurations as a clause, such as "when az-a died"; "" without one fault for all."""
    fault = plan.variants[0].settings.get("fault")
    if fault is None or fault["kind"] == "as-is" or "fault" in varied(plan):
        return ""
    return past_words(fault)


def moment(plan: ExperimentPlan) -> str:
    """The sentence where failures come at the same moments in all seeds."""
    faults = [variant.settings.get("fault") or {"kind": "as-is"} for variant in plan.variants]
    as_in_run = has_failure(plan.document) and any(fault["kind"] == "as-is" for fault in faults)
    if not as_in_run and not any("from_us" in fault and fault["to_us"] <= fault["from_us"] for fault in faults):
        return ""
    return (
        "The failure comes at the same moment in every seed, so the intervals hold for that moment only; give it a "
        "range of moments to ask about such outages."
    )


def has_failure(document: Json) -> bool:
    """True if the timeline of a run does something to its cluster."""
    entries = document.get("timeline") or []
    return any(FAULT in VERBS[str(entry["do"]).split()[0]].traits for entry in entries)


def latency(document: Document) -> str:
    """The one-way delay between nodes, as a clause: every time of a record rests on it. "" if clusters differ in it."""
    networks = [part.network for _, part in parts(document)]
    if len({one.latency_us for one in networks}) > 1:
        return ""
    own = [link.latency_us for one in networks for link in one.links if link.latency_us is not None]
    delays = sorted({networks[0].latency_us, *own})
    span = " to ".join(duration_words(us) for us in dict.fromkeys((delays[0], delays[-1])))
    return f", with {span} one way between nodes"


def basis(document: Document, plan: ExperimentPlan) -> list[list[str]]:
    """[name, value] of all that an answer rests on, as the run has it."""
    own = parts(document)
    network = [f"{duration_words(part.network.latency_us)}{_jitter(part)}{_links(part)}" for _, part in own]
    groups = topic_groups(document, plan.topics)
    sizes = {f"{entry.record_bytes:,} bytes" for _, entry in producers_of(document, plan.topics)}
    versions = list(dict.fromkeys(profile_of(part.profile).label for _, part in own))
    found = [
        ["Load", _load(document, plan)],
        ["Size of a record", listed(sorted(sizes)) if sizes else ""],
        ["Logs at the start", _logs([part for _, part in own])],
        ["Between nodes, one way", listed(list(dict.fromkeys(network)))],
        ["Topics", "; ".join(f"{label} ({group_words(names)})" for label, names in groups.items())],
        ["Kafka", listed(versions)],
    ]
    return [line for line in found if line[1] and not (line[0] == "Kafka" and "kafka" in varied(plan))]


def _logs(clusters: list[Document]) -> str:
    """The sizes by which replicas that start from nothing are filled (FET-18), where the clusters tell them."""
    told = [part.basis for part in clusters if part.basis and part.basis.log_mb and part.basis.copy_mb_per_s]
    words = [f"{gigabytes(one.log_mb or 0)} each, copied at {one.copy_mb_per_s:,} MB/s a broker" for one in told]
    return "; ".join(dict.fromkeys(words))


def _jitter(document: Document) -> str:
    jitter = document.network.jitter_us
    return f" and up to {duration_words(jitter)} more" if jitter else ""


def _links(document: Document) -> str:
    """The links whose latency is another one."""
    own = [link for link in document.network.links if link.latency_us is not None]
    told = [f"{duration_words(link.latency_us or 0)} between {listed(list(link.between))}" for link in own[:LINKS_MAX]]
    rest = len(own) - LINKS_MAX
    return f"; {', '.join([*told, *([f'{rest:,} links more'] if rest > 0 else [])])}" if told else ""


def _load(document: Document, plan: ExperimentPlan) -> str:
    """The load of the runs; a factor that all configurations share is in it."""
    factors = [variant.settings.get("load", AS_IS) for variant in plan.variants]
    if set(factors) <= {AS_IS, 1}:
        return load_words(document, plan.topics)
    shared = len(set(factors)) == 1
    times = f", times {factors[0]:g}" if shared else ", times the load of each configuration"
    return load_words(document, plan.topics, times)
