"""The axes of an experiment: what each sets in a document, and which actions of the timeline it takes away.

An axis sets the initial value of its key and removes the timeline's actions on that key, since they would undo it in
the middle of a run. Actions at or after the horizon are removed as well: there the run is closed (`run_one`).
A document is plain JSON as the scenario store keeps it; nothing here changes the one it is given.
"""

import copy
from collections.abc import Callable
from typing import Any, Final

from playground.whatif.pipeline.document_clusters import broker_names, parts_of, topics_of
from playground.whatif.pipeline.fault import apply_fault, fault_words, loss_us, stop_faults
from playground.whatif.pipeline.plan import AS_IS, ExperimentPlan, Json, Variant
from simengine.scenario.actions import NODE_VERBS, Action, parse
from simengine.scenario.arguments import format_rate, rate_milli
from simengine.scenario.durations import duration_words, format_duration, parse_duration
from simengine.scenario.profiles import profile_of
from simengine.scenario.verbs import REASSIGN, verbs_of

MIN_ISR: Final = "min.insync.replicas"
UNCLEAN: Final = "unclean.leader.election.enable"
LAG: Final = "replica.lag.time.max.ms"
BROKERS_VERBS: Final = tuple(verb for kind in ("rack", "site", "hosts") for verb in verbs_of(kind))

MIRROR_KEYS: Final = {
    "checkpoints_s": "emit.checkpoints.interval.seconds",
    "group_sync_s": "sync.group.offsets.interval.seconds",
    "offset_lag": "offset.lag.max",
    "flush_ms": "offset.flush.interval.ms",
}
"""The axes that set a key of each flow of MirrorMaker (MM-1, MM-5 to MM-7)."""

PHASES: Final = {
    "checkpoints_s": "emit-checkpoints",
    "group_sync_s": "sync-group-offsets",
    "flush_ms": "offset-flush",
}
"""The phases of a document that pin the first moment of what such a key repeats."""

Touches = Callable[[Action, Json, tuple[str, ...]], bool]


def _sets_acks(action: Action, topics: tuple[str, ...]) -> bool:
    return "acks" in action.named and action.named["topic"] in topics


def _config(action: Action, key: str, topics: tuple[str, ...]) -> bool:
    return action.named.get("key") == key and action.named["subject"] in topics


def _reassigns(action: Action, topics: tuple[str, ...]) -> bool:
    return action.verb == REASSIGN and action.named["partition"].rpartition("-")[0] in topics


def _moves_broker(action: Action, document: Json) -> bool:
    is_of_one = action.verb in NODE_VERBS and action.args[0] in broker_names(document)
    return is_of_one or action.verb in BROKERS_VERBS


def _never(action: Action, document: Json, topics: tuple[str, ...]) -> bool:
    return False


TOUCHES: Final[dict[str, Touches]] = {
    "acks": lambda action, document, topics: _sets_acks(action, topics),
    "min_isr": lambda action, document, topics: _config(action, MIN_ISR, topics),
    "unclean": lambda action, document, topics: _config(action, UNCLEAN, topics),
    "rf": lambda action, document, topics: _reassigns(action, topics),
    "lag_ms": _never,  # no action changes it: brokers read it when they start
    "kafka": _never,
    "load": _never,  # it multiplies the rates of the timeline too
    "wan_us": _never,  # slow-link adds to it
    **dict.fromkeys(MIRROR_KEYS, _never),
    "fault": lambda action, document, topics: _moves_broker(action, document),
}
"""For each axis: does this action work on the axis's key?"""


def at_us(entry: Json) -> int:
    """The moment of a timeline entry, microseconds."""
    return parse_duration(entry["at"])


def changes(variant: Variant) -> list[tuple[str, Any]]:
    """The settings of a variant that are not as in the run."""
    return [(name, value) for name, value in variant.settings.items() if value not in (AS_IS, {"kind": AS_IS})]


def removed(plan: ExperimentPlan, variant: Variant) -> list[Json]:
    """The timeline entries that this variant takes away, in their order."""
    axes = [name for name, _ in changes(variant)]
    gone = []
    for entry in plan.document.get("timeline") or []:
        action = parse(str(entry["do"]))
        by_axis = any(TOUCHES[name](action, plan.document, plan.topics) for name in axes)
        if by_axis or at_us(entry) >= plan.horizon_us:
            gone.append(entry)
    return gone


def document_of(plan: ExperimentPlan, variant: Variant, seed: int) -> Json:
    """The document of one run, up to the horizon: the plan's with the variant's values, this seed and this horizon."""
    document = copy.deepcopy(plan.document)
    gone = removed(plan, variant)
    document["timeline"] = [entry for entry in document.get("timeline") or [] if entry not in gone]
    document["seed"] = seed
    document["until"] = document["closing"] = format_duration(plan.horizon_us)
    for key in ("expect", "captions"):  # they speak of the run they were written for
        document.pop(key, None)
    stop_faults(document)
    for name, value in changes(variant):
        SET[name](document, value, plan)
    document["timeline"].sort(key=at_us)
    return document


def _set_acks(document: Json, value: str, plan: ExperimentPlan) -> None:
    written = [(prefix, producer) for prefix, part in parts_of(document) for producer in part.get("producers") or []]
    for prefix, producer in written:
        if prefix + producer["topic"] in plan.topics:
            producer["acks"] = value
            if value != "all" and (producer.get("config") or {}).get("enable.idempotence"):
                del producer["config"]["enable.idempotence"]  # Kafka refuses the pair; left out, it is simply off


def _set_topic_config(key: str) -> Callable[[Json, Any, ExperimentPlan], None]:
    def set_it(document: Json, value: Any, plan: ExperimentPlan) -> None:
        for name, topic in topics_of(document):
            if name in plan.topics:
                topic["config"] = {**(topic.get("config") or {}), key: value}

    return set_it


def _set_lag(document: Json, value: int, plan: ExperimentPlan) -> None:
    for _, part in parts_of(document):
        cluster = part["cluster"]
        cluster["config"] = {**(cluster.get("config") or {}), LAG: value}
        for broker in cluster["brokers"]:
            if isinstance(broker, dict) and broker.get("config"):
                broker["config"].pop(LAG, None)


def _set_rf(document: Json, value: int, plan: ExperimentPlan) -> None:
    for name, topic in topics_of(document):
        if name not in plan.topics:
            continue
        topic["assignment"] = [replicas[:value] for replicas in topic["assignment"]]
        lists = dict(zip(topic.get("partitions") or range(len(topic["assignment"])), topic["assignment"], strict=True))
        for number, state in (topic.get("initial") or {}).items():
            _cut_initial(state, lists[int(number)])


def _cut_initial(state: Json, replicas: list[int]) -> None:
    """Keep of a partition's initial state what the remaining replicas hold.

    A leader that is gone is followed by the first remaining member of the ISR; with none left the partition starts
    with its first replica as leader and only member, since there is no log that it could have fallen behind.
    """
    for key in ("isr", "elr", "last_known", "adding", "removing", "failed"):
        if state.get(key):
            state[key] = [broker for broker in state[key] if broker in replicas]
    if len(state.get("removing") or []) == len(replicas):
        state["removing"] = []
    for key in ("lag", "logs"):
        if state.get(key):
            state[key] = {broker: value for broker, value in state[key].items() if int(broker) in replicas}
    if state.get("leader") in (None, -1, "none") or state["leader"] in replicas:
        return
    if not state.get("isr"):
        state["isr"] = [replicas[0]]
        state["lag"] = {broker: lag for broker, lag in (state.get("lag") or {}).items() if int(broker) != replicas[0]}
    state["leader"] = next(broker for broker in replicas if broker in state["isr"])


def _set_kafka(document: Json, value: str, plan: ExperimentPlan) -> None:
    """Another version's defaults and rules; ELR is off where that version has none."""
    for _, part in parts_of(document):
        part["profile"] = value
        if not profile_of(value).elr_possible:
            part.pop("elr", None)


def _set_load(document: Json, value: float, plan: ExperimentPlan) -> None:
    """The rates of the producers of the topics times a factor, those that the timeline sets as well."""
    names = []
    for prefix, part in parts_of(document):
        for producer in part.get("producers") or []:
            if prefix + producer["topic"] in plan.topics:
                names.append(prefix + producer["id"])
                producer["rate"] = _times(str(producer.get("rate", 0)), value)
    document["timeline"] = [_with_load(entry, value, names) for entry in document["timeline"]]


def _with_load(entry: Json, value: float, producers: list[str]) -> Json:
    action = parse(str(entry["do"]))
    if action.verb != "rate" or action.named["producer"] not in producers:
        return entry
    producer, rate, *partition = action.args
    return {**entry, "do": " ".join([action.verb, producer, _times(rate, value), *partition])}


def _times(rate: str, factor: float) -> str:
    """A written rate times a factor; one that is not 0 stays above it."""
    milli = rate_milli(rate)
    return format_rate(max(1, round(milli * factor)) if milli else 0)


def _set_wan(document: Json, value: int, plan: ExperimentPlan) -> None:
    """The latency between clusters. A link with an end that is less than a cluster keeps its own."""
    latency = format_duration(value)
    network, clusters = document.get("network") or {}, document.get("clusters") or {}
    links = [
        {**link, "latency": latency} if all(end in clusters for end in link["between"]) else link
        for link in network.get("links") or []
    ]
    document["network"] = {**network, "latency": latency, **({"links": links} if links else {})}


def _set_mirror_key(axis: str) -> Callable[[Json, Any, ExperimentPlan], None]:
    """Sets the key in each flow. What it repeats happens first at a moment of the seed, where one was pinned."""

    def set_it(document: Json, value: Any, plan: ExperimentPlan) -> None:
        for mirror in document.get("mirrors") or []:
            mirror["config"] = {**(mirror.get("config") or {}), MIRROR_KEYS[axis]: value}
            (mirror.get("phases") or {}).pop(PHASES.get(axis, ""), None)

    return set_it


def _set_fault(document: Json, value: Json, plan: ExperimentPlan) -> None:
    apply_fault(document, value, loss_us(plan.document, value))


SET: Final[dict[str, Callable[[Json, Any, ExperimentPlan], None]]] = {
    "acks": _set_acks,
    "min_isr": _set_topic_config(MIN_ISR),
    "unclean": _set_topic_config(UNCLEAN),
    "rf": _set_rf,
    "lag_ms": _set_lag,
    "kafka": _set_kafka,
    "load": _set_load,
    "wan_us": _set_wan,
    **{axis: _set_mirror_key(axis) for axis in MIRROR_KEYS},
    "fault": _set_fault,
}
"""For each axis: how its value gets into a document."""

WORDS: Final[dict[str, Callable[[Any], str]]] = {
    "acks": lambda value: f"acks={value}",
    "min_isr": lambda value: f"min ISR {value}",
    "unclean": lambda value: f"unclean election {'on' if value else 'off'}",
    "rf": lambda value: f"RF {value}",
    "lag_ms": lambda value: f"lag time {duration_words(value * 1000)}",
    "kafka": lambda value: f"Kafka {profile_of(value).label}",
    "load": lambda value: f"load \N{MULTIPLICATION SIGN}{value:g}",
    "wan_us": lambda value: f"WAN latency {duration_words(value)}",
    "checkpoints_s": lambda value: f"checkpoints every {value:,} s",
    "group_sync_s": lambda value: f"group offsets synced every {value:,} s",
    "offset_lag": lambda value: f"offset.lag.max {value:,}",
    "flush_ms": lambda value: f"offset.flush.interval.ms {value:,}",
    "fault": fault_words,
}
"""For each axis: its value in Kafka's words."""

NAMES: Final = {
    "min_isr": "min ISR",
    "unclean": "unclean election",
    "rf": "RF",
    "lag_ms": "lag time",
    "kafka": "Kafka version",
    "wan_us": "WAN latency",
    **MIRROR_KEYS,
    "checkpoints_s": "checkpoints",
    "group_sync_s": "group offsets synced",
}
"""For each axis: its name, where it is another than the key."""


def value_words(name: str, value: Any) -> str:
    """The value of an axis in words."""
    return f"{NAMES.get(name, name)} as in the run" if value == AS_IS else WORDS[name](value)


def varied(plan: ExperimentPlan) -> list[str]:
    """The axes in which the plan's variants differ."""
    first = plan.variants[0].settings
    return [name for name in first if any(variant.settings[name] != first[name] for variant in plan.variants)]


def common(plan: ExperimentPlan) -> list[str]:
    """The settings that all variants of the plan share, in words."""
    settings = plan.variants[0].settings
    return [value_words(name, value) for name, value in settings.items() if name not in varied(plan)]


def also_words(variant: Variant) -> list[str]:
    """The other configurations that come to the same run, each by the settings that it has otherwise, in words."""
    told = [
        ", ".join(value_words(name, value) for name, value in also.items() if value != variant.settings[name])
        for also in variant.also
    ]
    return list(dict.fromkeys(told))


def words(plan: ExperimentPlan, variant: Variant) -> tuple[str, str]:
    """Name of a variant and the rest of its settings, as the table shows them: what it does not share with all."""
    parts = [value_words(name, variant.settings[name]) for name in varied(plan)]
    if not parts and len(plan.variants) == 1:
        parts = common(plan)
    if not parts:
        return "as it is", ""
    head = 2 if len(parts) > 2 else 1
    return ", ".join(parts[:head]), ", ".join(parts[head:])
