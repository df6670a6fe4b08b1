"""The script of a recording of two clusters with MirrorMaker as a document with ``clusters:`` and ``mirrors:``.

Taken from the recording, besides the script: where the remote topics' replicas lie, and the moment at which the first
of them was created (C), which gives the first commit of the worker and the looks for groups their phase. Left out:
actions on controllers other than with their whole cluster.
"""

from dataclasses import dataclass, replace
from typing import Any, Final

from simengine.recordings.errors import RecordingError
from simengine.recordings.mirror_model import KILL, KILL_ALL, START, MirrorRecording
from simengine.recordings.model import PRODUCER, RecordedAction, Recording
from simengine.recordings.script import SETTLE_S, US, Script, script_of, seconds
from simengine.scenario.actions import parse
from simengine.scenario.config_keys import MIRROR, SIMULATED
from simengine.scenario.mirror_plan import HEARTBEATS, flows_of
from simengine.scenario.mirrors import Mirror
from simengine.scenario.model import Document
from simengine.scenario.sites import named
from simengine.scenario.verbs import KILL_SITE

PROCESS: Final = "mirror-maker"
FLOW: Final = "->"
# What the laboratory sets beyond the recorded properties
LAB_CONFIG: Final[dict[str, Any]] = {"emit.heartbeats.enabled": False, "replication.factor": 3, "tasks.max": 1}
WITHOUT_EFFECT: Final = ("offset.flush.interval.ms",)  # a worker's key, ignored at the top level (measured.md, MM-4)
FIRST_TICK_S: Final = 60.35  # after C; measured 60.1 to 60.6
GROUPS_KEY: Final = "refresh.groups.interval.seconds"
TOPICS_KEY: Final = "refresh.topics.interval.seconds"
RECORD_OVERHEAD: Final = 8  # bytes of a record beside its value, in a batch
WORDS: Final = {START: "start", KILL: "kill", "mm_stop": "stop", "mm_pause": "pause", "mm_resume": "resume"}
LINKS: Final = {"mm_cut": "cut", "mm_heal": "heal"}


@dataclass(frozen=True, slots=True)
class MirrorScript:
    """The document (without a seed), the moment of the script's time 0, and each cluster's own script."""

    document: dict[str, Any]
    zero_us: int
    until_us: int
    clusters: dict[str, Script]
    created: float  # C, in seconds of the script


def mirror_script_of(recording: MirrorRecording) -> MirrorScript:
    """Translate a recording. Raises RecordingError where it has something that the engine has not."""
    scripts = {name: script_of(_with_topics(cluster)) for name, cluster in recording.clusters.items()}
    for name, script in scripts.items():
        if script.controller_actions:
            raise RecordingError(f"clusters.{name}.actions", "acts on single controllers", name, "actions on brokers")
    created = _created(recording)
    zero_us = max(*(script.zero_us for script in scripts.values()), round(-created * US))
    end = max(
        *(cluster.end() for cluster in recording.clusters.values()), *(action.end for action in recording.actions), 0.0
    )
    until_us = zero_us + round((end + SETTLE_S) * US)
    document = {
        "format": 1,
        "title": f"{recording.name}: {recording.title}"[:200].strip(": ") or "A recording",
        "until": seconds(until_us),
        "clusters": {
            name: _cluster(recording.clusters[name], script, zero_us - script.zero_us)
            for name, script in scripts.items()
        },
        "mirrors": [
            _mirror(recording, source, target, zero_us + round(created * US)) for source, target in _flows(recording)
        ],
        "network": {"latency": "1ms", "jitter": "6ms"},
        "timeline": _timeline(recording, scripts, zero_us),
    }
    _add_remote_topics(recording, document)
    _add_heartbeats(recording, document, zero_us)
    return MirrorScript(document, zero_us, until_us, scripts, created)


def _with_topics(cluster: Recording) -> Recording:
    """A cluster without producers that write to no topic of its own; the translation of one cluster needs one."""
    if cluster.topics:
        return cluster
    return replace(cluster, clients=tuple(one for one in cluster.clients if one.kind != PRODUCER))


def _cluster(cluster: Recording, script: Script, later_us: int) -> dict[str, Any]:
    """One cluster of the document; its moments come ``later_us`` later than in a document of its own."""
    keys = ("profile", "elr", "cluster", "topics", "producers", "consumers", "network")
    found = {key: script.document[key] for key in keys}
    values = [call.value for call in cluster.produce]
    if values:
        record_bytes = RECORD_OVERHEAD + sum(map(len, values)) // len(values)
        found["producers"] = [{**one, "record-bytes": record_bytes} for one in found["producers"]]
    phases = {name: seconds(_us(at) + later_us) for name, at in script.document["phases"].items()}
    return {**found, "phases": phases}


def _us(at: str) -> int:
    return round(float(at.removesuffix("s")) * US)


def _created(recording: MirrorRecording) -> float:
    """C: when the first remote topic was created."""
    remote = {(one.target, one.remote) for one in recording.copied()}
    found = [
        row.t
        for name, cluster in recording.clusters.items()
        for row in cluster.metadata
        if (name, row.partition) in remote
    ]
    if not found:
        raise RecordingError("clusters", "no remote topic was created", "none", "a remote topic in some metadata")
    return min(found)


def _flows(recording: MirrorRecording) -> list[tuple[str, str]]:
    """(source, target) of the flows that the properties enable: those that name topics."""
    names = [key.rpartition(".")[0] for key in recording.config if FLOW in key and key.endswith(".topics")]
    return [(source, target) for source, _, target in (name.partition(FLOW) for name in names)]


def _mirror(recording: MirrorRecording, source: str, target: str, created_us: int) -> dict[str, Any]:
    prefix = f"{source}{FLOW}{target}."
    own = {key.removeprefix(prefix): value for key, value in recording.config.items() if key.startswith(prefix)}
    common = {key: value for key, value in recording.config.items() if FLOW not in key and key not in WITHOUT_EFFECT}
    config = {key: _value(value) for key, value in {**common, **own}.items() if key in SIMULATED[MIRROR]}
    every_us = int(recording.config.get(GROUPS_KEY, "600")) * US
    topics_us = int(recording.config.get(TOPICS_KEY, "600")) * US
    return {
        "source": source,
        "target": target,
        "process": PROCESS,
        "config": {**LAB_CONFIG, **config},
        "phases": {
            "offset-flush": seconds(created_us + round(FIRST_TICK_S * US)),
            "refresh-groups": seconds(created_us % every_us),
            "refresh-topics": seconds(created_us % topics_us),
        },
    }


def _value(text: str) -> bool | int | str:
    if text in ("true", "false"):
        return text == "true"
    return int(text) if text.isdecimal() else text


def _timeline(recording: MirrorRecording, scripts: dict[str, Script], zero_us: int) -> list[dict[str, str]]:
    entries = [
        (_us(entry["at"]) + zero_us - script.zero_us, str(named(parse(entry["do"]), name)))
        for name, script in scripts.items()
        for entry in script.document["timeline"]
    ]
    entries += [
        (zero_us + round(t * US), f"rate {name}/{client} 0 {name}/{partition}")
        for name, t, client, partition in _blocked(recording)
    ]
    entries += [
        (zero_us + round(_carried_out(recording, action) * US), text)
        for action in recording.actions
        for text in acts_as(action)
    ]
    entries += [(zero_us + round(t * US), text) for t, text in _killed_first(recording)]
    entries.sort(key=lambda entry: entry[0])
    return [{"at": seconds(at), "do": text} for at, text in entries]


def _carried_out(recording: MirrorRecording, action: RecordedAction) -> float:
    """The moment (s) at which an action takes effect: a whole cluster is gone with the last of its nodes."""
    return max((t for t, _, _ in _kills(recording, action)), default=action.start)


def _killed_first(recording: MirrorRecording) -> list[tuple[float, str]]:
    """The nodes of a cluster that is killed as a whole, but for the last: moment (s) and action."""
    kills = [_kills(recording, action)[:-1] for action in recording.actions]
    return [(t, f"kill {name}/{node}") for some in kills for t, name, node in some]


def _kills(recording: MirrorRecording, action: RecordedAction) -> list[tuple[float, str, int]]:
    """The kills of a whole cluster, controllers first, one after the other: moment (s), cluster, node.

    The laboratory waits for the end of each: some 20 ms, on a busy machine more.
    """
    if action.verb != KILL_ALL:
        return []
    sites = [(name, recording.clusters[name]) for name in map(str, action.named)]
    nodes = [(name, node) for name, one in sites for node in (*one.controllers, *one.brokers)]
    each = (action.end - action.start) / len(nodes)
    return [(action.start + at * each, name, node) for at, (name, node) in enumerate(nodes)]


def _blocked(recording: MirrorRecording) -> list[tuple[str, float, str, str]]:
    """The last call of each producer in a cluster that is killed as a whole: cluster, moment, client, partition.

    A client that has lost all brokers begins anew from its bootstrap addresses and knows no topic, so that ``send()``
    blocks. The engine leaves that out.
    """
    found: dict[tuple[str, str, str], float] = {}
    killed = {str(name) for action in recording.actions if action.verb == KILL_ALL for name in action.named}
    for name in killed:
        for call in recording.clusters[name].produce:
            found[name, call.client, call.partition] = call.sent
    return [(name, t, client, partition) for (name, client, partition), t in found.items()]


def acts_as(action: RecordedAction) -> list[str]:
    """The action on MirrorMaker or on a whole cluster, as the timeline writes it."""
    if action.verb in WORDS:
        return [f"{WORDS[action.verb]} {PROCESS}"]
    clusters = action.named
    if action.verb in LINKS:
        return [f"{LINKS[action.verb]} {PROCESS}|{cluster}" for cluster in clusters]
    return [f"{KILL_SITE} {cluster}" for cluster in clusters]


def _add_remote_topics(recording: MirrorRecording, document: dict[str, Any]) -> None:
    """Remote topics with the replicas that they really got; MirrorMaker makes them otherwise as it likes."""
    parts = {name: Document.model_validate({"format": 1, **part}) for name, part in document["clusters"].items()}
    for flow in flows_of([Mirror.model_validate(one) for one in document["mirrors"]], parts):
        topics = document["clusters"][flow.mirror.target]["topics"]
        written = {topic["name"]: topic for topic in document["clusters"][flow.mirror.source]["topics"]}
        for source, remote in flow.copies.items():
            rows = [
                row.changes["replicas"]
                for row in recording.clusters[flow.mirror.target].metadata
                if row.partition.rpartition("-")[0] == remote and "replicas" in row.changes
            ]
            if rows and source in written:
                kept = {key: value for key, value in written[source]["config"].items() if flow.travels(key)}
                topics.append({"name": remote, "assignment": rows, "config": kept})


def _add_heartbeats(recording: MirrorRecording, document: dict[str, Any], zero_us: int) -> None:
    """Copies of ``heartbeats``, which stay empty, where the recording shows them: from the start, or when created."""
    for name, cluster in recording.clusters.items():
        part = document["clusters"][name]
        for row in cluster.metadata:
            topic = row.partition.rpartition("-")[0]
            if topic.endswith(HEARTBEATS) and topic not in [one["name"] for one in part["topics"]] and row.t <= 0:
                part["topics"].append({"name": topic, "assignment": [row.changes["replicas"]]})
            elif topic.endswith(HEARTBEATS) and "replicas" in row.changes and row.t > 0:
                brokers = row.changes["replicas"]
                assert isinstance(brokers, list)
                replicas = ",".join(str(broker) for broker in brokers)
                at_us = zero_us + round(row.t * US)
                document["timeline"].append({"at": seconds(at_us), "do": f"create {name}/{topic} {replicas}"})
    document["timeline"].sort(key=lambda entry: _us(entry["at"]))
