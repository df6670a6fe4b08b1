"""The axes of an experiment: what each sets in a document, and which actions of the timeline it takes away.

An axis sets the initial value of its key and removes the timeline's actions on that key, since they would undo it in
the middle of a run. Actions at or after the horizon are removed as well: there the run is closed (`run_one`).
A document is plain JSON as the scenario store keeps it; nothing here changes the one it is given.
"""

import copy
from collections.abc import Callable
from typing import Any, Final

from playground.whatif.pipeline.fault import apply_fault, duration_words, fault_words, loss_us, stop_faults
from playground.whatif.pipeline.parts import broker_names, parts_of, topics_of
from playground.whatif.pipeline.plan import Json, Plan, Variant
from simengine.scenario.durations import format_duration, parse_duration
from simengine.scenario.profiles import profile_of

MIN_ISR: Final = "min.insync.replicas"
UNCLEAN: Final = "unclean.leader.election.enable"
LAG: Final = "replica.lag.time.max.ms"
BROKER_VERBS: Final = ("kill", "stop", "start", "pause", "resume")
BROKERS_VERBS: Final = ("kill-rack", "start-rack", "power-loss", "kill-site", "start-site")

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
"""Where a document pins the first moment of what such a key repeats."""

Touches = Callable[[list[str], Json, tuple[str, ...]], bool]


def _topic(words: list[str], topics: tuple[str, ...]) -> bool:
    return len(words) > 1 and words[1] in topics


def _config(words: list[str], key: str, topics: tuple[str, ...]) -> bool:
    return words[0] == "config" and len(words) > 2 and words[1] in topics and words[2] == key


def _reassigns(words: list[str], topics: tuple[str, ...]) -> bool:
    return words[0] == "reassign" and len(words) > 1 and words[1].rpartition("-")[0] in topics


def _moves_broker(words: list[str], document: Json) -> bool:
    return words[0] in BROKERS_VERBS or words[0] in BROKER_VERBS and words[1] in broker_names(document)


def _never(words: list[str], document: Json, topics: tuple[str, ...]) -> bool:
    return False


TOUCHES: Final[dict[str, Touches]] = {
    "acks": lambda words, document, topics: words[0] == "acks" and _topic(words, topics),
    "min_isr": lambda words, document, topics: _config(words, MIN_ISR, topics),
    "unclean": lambda words, document, topics: _config(words, UNCLEAN, topics),
    "rf": lambda words, document, topics: _reassigns(words, topics),
    "lag_ms": _never,  # no action changes it: brokers read it when they start
    "kafka": _never,
    "wan_us": _never,  # slow-link adds to it
    **dict.fromkeys(MIRROR_KEYS, _never),
    "fault": lambda words, document, topics: _moves_broker(words, document),
}
"""For each axis: does this action (its words) work on the axis's key?"""


def at_us(entry: Json) -> int:
    """The moment of a timeline entry, microseconds."""
    return parse_duration(entry["at"])


def removed(plan: Plan, variant: Variant) -> list[Json]:
    """The timeline entries that this variant takes away, in their order."""
    axes = [name for name, value in variant.settings.items() if not (name == "fault" and value["kind"] == "as-is")]
    gone = []
    for entry in plan.document.get("timeline") or []:
        words = str(entry["do"]).split()
        by_axis = any(TOUCHES[name](words, plan.document, plan.topics) for name in axes)
        if by_axis or at_us(entry) >= plan.horizon_us:
            gone.append(entry)
    return gone


def document_of(plan: Plan, variant: Variant, seed: int) -> Json:
    """The document of one run, up to the horizon: the plan's with the variant's values, this seed and this horizon."""
    document = copy.deepcopy(plan.document)
    gone = removed(plan, variant)
    document["timeline"] = [entry for entry in document.get("timeline") or [] if entry not in gone]
    document["seed"] = seed
    document["until"] = document["closing"] = format_duration(plan.horizon_us)
    for key in ("expect", "captions"):  # they speak of the run they were written for
        document.pop(key, None)
    stop_faults(document)
    for name, value in variant.settings.items():
        SET[name](document, value, plan)
    document["timeline"].sort(key=at_us)
    return document


def _set_acks(document: Json, value: str, plan: Plan) -> None:
    written = [(prefix, producer) for prefix, part in parts_of(document) for producer in part.get("producers") or []]
    for prefix, producer in written:
        if prefix + producer["topic"] in plan.topics:
            producer["acks"] = value
            if value != "all" and (producer.get("config") or {}).get("enable.idempotence"):
                del producer["config"]["enable.idempotence"]  # Kafka refuses the pair; left out, it is simply off


def _set_topic_config(key: str) -> Callable[[Json, Any, Plan], None]:
    def set_it(document: Json, value: Any, plan: Plan) -> None:
        for name, topic in topics_of(document):
            if name in plan.topics:
                topic["config"] = {**(topic.get("config") or {}), key: value}

    return set_it


def _set_lag(document: Json, value: int, plan: Plan) -> None:
    for _, part in parts_of(document):
        cluster = part["cluster"]
        cluster["config"] = {**(cluster.get("config") or {}), LAG: value}
        for broker in cluster["brokers"]:
            if isinstance(broker, dict) and broker.get("config"):
                broker["config"].pop(LAG, None)


def _set_rf(document: Json, value: int, plan: Plan) -> None:
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


def _set_kafka(document: Json, value: str, plan: Plan) -> None:
    """Another version's defaults and rules; ELR is off where that version has none."""
    for _, part in parts_of(document):
        part["profile"] = value
        if not profile_of(value).elr_possible:
            part.pop("elr", None)


def _set_wan(document: Json, value: int, plan: Plan) -> None:
    """The latency between clusters. A link with an end that is less than a cluster keeps its own."""
    latency = format_duration(value)
    network, clusters = document.get("network") or {}, document.get("clusters") or {}
    links = [
        {**link, "latency": latency} if all(end in clusters for end in link["between"]) else link
        for link in network.get("links") or []
    ]
    document["network"] = {**network, "latency": latency, **({"links": links} if links else {})}


def _set_mirror_key(axis: str) -> Callable[[Json, Any, Plan], None]:
    """Sets the key in each flow. What it repeats happens first at a moment of the seed, where one was pinned."""

    def set_it(document: Json, value: Any, plan: Plan) -> None:
        for mirror in document.get("mirrors") or []:
            mirror["config"] = {**(mirror.get("config") or {}), MIRROR_KEYS[axis]: value}
            (mirror.get("phases") or {}).pop(PHASES.get(axis, ""), None)

    return set_it


def _set_fault(document: Json, value: Json, plan: Plan) -> None:
    apply_fault(document, value, loss_us(plan.document, value))


SET: Final[dict[str, Callable[[Json, Any, Plan], None]]] = {
    "acks": _set_acks,
    "min_isr": _set_topic_config(MIN_ISR),
    "unclean": _set_topic_config(UNCLEAN),
    "rf": _set_rf,
    "lag_ms": _set_lag,
    "kafka": _set_kafka,
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
    "wan_us": lambda value: f"WAN latency {duration_words(value)}",
    "checkpoints_s": lambda value: f"checkpoints every {value:,} s",
    "group_sync_s": lambda value: f"group offsets synced every {value:,} s",
    "offset_lag": lambda value: f"offset.lag.max {value:,}",
    "flush_ms": lambda value: f"offset.flush.interval.ms {value:,}",
    "fault": fault_words,
}
"""For each axis: its value in Kafka's words."""


def varied(plan: Plan) -> list[str]:
    """The axes in which the plan's variants differ."""
    first = plan.variants[0].settings
    return [name for name in first if any(variant.settings[name] != first[name] for variant in plan.variants)]


def common(plan: Plan) -> list[str]:
    """What every variant of the plan sets alike, in words."""
    settings = plan.variants[0].settings
    return [WORDS[name](value) for name, value in settings.items() if name not in varied(plan)]


def also_words(variant: Variant) -> list[str]:
    """What was asked for as well and comes to the same run, each by what it sets otherwise."""
    told = [
        ", ".join(WORDS[name](value) for name, value in also.items() if value != variant.settings[name])
        for also in variant.also
    ]
    return list(dict.fromkeys(told))


def words(plan: Plan, variant: Variant) -> tuple[str, str]:
    """Name of a variant and the rest of its settings, as the table shows them: what it does not share with all."""
    parts = [WORDS[name](variant.settings[name]) for name in varied(plan)]
    if not parts and len(plan.variants) == 1:
        parts = common(plan)
    if not parts:
        return "as it is", ""
    head = 2 if len(parts) > 2 else 1
    return ", ".join(parts[:head]), ", ".join(parts[head:])
