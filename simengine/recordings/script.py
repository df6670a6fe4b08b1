"""A recording's script as a scenario document: the same cluster, topics, clients and actions, at the recorded times.

The run begins earlier than the script's time 0, so that the steps of ``setup`` and their consequences lie before it.
Actions on controllers stay apart (``ControllerAction``): which of the simulated controllers one means depends on which
is the active one when it is done, so the rerun decides that.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from simengine.recordings.assumed import profile
from simengine.recordings.grammar import CLIENT_HOST, DISKS, INTERCEPTIONS, LOOKING
from simengine.recordings.lead_in import LeadIn, lead_in
from simengine.recordings.model import CONSUMER, PRODUCER, RecordedAction, RecordedClient, Recording
from simengine.recordings.processes import (
    activation,
    active_controller,
    boots,
    late_heartbeats,
    nodes_of,
    reached_nobody,
)
from simengine.recordings.values import Pair, Writing, values_of, writing
from simengine.scenario.config_keys import BROKER, SIMULATED, THROTTLES, TOPIC
from simengine.scenario.config_known import KNOWN

US: Final = 1_000_000
Side = tuple[int | str, ...]  # of a cut: ids of nodes, and of clients
BEFORE: Final = -1  # index of an action of the setup
SETTLE_S: Final = 1.0  # the run goes on this long after the script's end, for calls and reads on their way
LABORATORY: Final = {"group.initial.rebalance.delay.ms": 0}  # of all recorded clusters, unless they say otherwise
PREFERRED_INTERVAL_S: Final = 300
UNCLEAN_INTERVAL_S: Final = 300
# acks=all took 7 to 30 ms for 75 % of 28,000 records on the recorded machine, four flights each, with a median of 17 ms
LATENCY: Final = "1ms"
JITTER: Final = "6ms"


@dataclass(frozen=True, slots=True)
class ControllerAction:
    """An action on a controller: what was done to the one with this recorded id, and was that the active one."""

    at_us: int
    verb: str
    controller: int
    rest: str  # further words of the action, such as "after 2.5s"
    was_active: bool


@dataclass(frozen=True, slots=True)
class ControllerCut:
    """A cut that does not treat all controllers alike: the recorded ids of both sides, and which one was active."""

    at_us: int
    sides: tuple[Side, Side]
    active: int | None


@dataclass(frozen=True, slots=True)
class Script:
    """The document (without a seed), the moment of the script's time 0, and what the document cannot say."""

    document: dict[str, Any]
    zero_us: int
    until_us: int
    controller_actions: tuple[ControllerAction | ControllerCut, ...]
    values: dict[Pair, list[str]]  # of each producer's calls to each partition, in order


def script_of(recording: Recording) -> Script:
    """Translate a recording. Raises RecordingError where it has something that the engine has not."""
    return _Translation(recording).script()


def seconds(us: int) -> str:
    """A duration as documents write it, exactly."""
    return f"{us / US:.6f}".rstrip("0").rstrip(".") + "s"


class _Translation:
    """The work in hand: the timeline as (microseconds, order, action)."""

    def __init__(self, recording: Recording) -> None:
        self.recording = recording
        self.lead_in: LeadIn = lead_in(recording)
        self.zero_us = self.lead_in.zero_us
        self.timeline: list[tuple[int, str]] = []
        self.on_controllers: list[ControllerAction | ControllerCut] = []
        self.writings: list[Writing] = []
        self.boots = {(boot.t, boot.node): boot for boot in boots(recording)}
        self.missed = reached_nobody(recording)
        self.wiped: dict[int, str] = {}  # what the next start of a broker says of its disk

    def script(self) -> Script:
        recording = self.recording
        for step in self.lead_in.steps:
            self.add(step.t, step.action)
        self.writings += self.lead_in.writings
        for action in self.lead_in.others:
            self.translate(BEFORE, action)
        for i, action in enumerate(recording.actions):
            self.translate(i, action)
        for late in late_heartbeats(recording):
            self.add(late.t, f"late-heartbeat {late.broker}")
        self.timeline.sort(key=lambda entry: entry[0])
        until_us = self.us(recording.end() + SETTLE_S)
        return Script(
            self.document(until_us),
            self.zero_us,
            until_us,
            tuple(self.on_controllers),
            values_of(self.recording, self.writings, recording.end() + SETTLE_S),
        )

    def us(self, t: float) -> int:
        return self.zero_us + round(t * US)

    def add(self, t: float, action: str) -> None:
        self.timeline.append((self.us(t), action))

    def document(self, until_us: int) -> dict[str, Any]:
        recording = self.recording
        return {
            "format": 1,
            "title": f"{recording.name}: {recording.title}"[:200].strip(": ") or "A recording",
            "profile": profile(recording.kafka),
            "elr": recording.elr,
            "until": seconds(until_us),
            "cluster": self.cluster(),
            "network": {"latency": LATENCY, "jitter": JITTER},
            "topics": [
                {
                    "name": topic.name,
                    "assignment": [list(row) for row in topic.assignment],
                    "config": _known(TOPIC, topic.config),
                }
                for topic in recording.topics
            ],
            "producers": [self.producer(client) for client in recording.clients if client.kind == PRODUCER],
            "consumers": [self.consumer(client) for client in recording.clients if client.kind == CONSUMER],
            "phases": self.phases(),
            "timeline": [{"at": seconds(at), "do": action} for at, action in self.timeline],
        }

    def cluster(self) -> dict[str, Any]:
        recording = self.recording
        cluster: dict[str, Any] = {
            "brokers": [{"id": broker, **_rack(rack)} for broker, rack in recording.brokers.items()],
            "controllers": list(recording.controllers),
            "config": {**LABORATORY, **_known(BROKER, recording.config)},
        }
        active = active_controller(recording, 0.0)
        return cluster if active is None else {**cluster, "active": active}

    def phases(self) -> dict[str, str]:
        """The controller was activated before the run begins: its periodic tasks come as much earlier."""
        since = activation(self.recording)
        if since is None:
            return {}
        key = "leader.imbalance.check.interval.seconds"
        preferred = int(self.recording.config.get(key, PREFERRED_INTERVAL_S))
        first = {"preferred": self.us(since + preferred), "unclean": self.us(since + UNCLEAN_INTERVAL_S)}
        return {name: seconds(at) for name, at in first.items() if at > 0}

    def producer(self, client: RecordedClient) -> dict[str, Any]:
        config = {key: value for key, value in client.config.items() if key not in ("acks", "proxied")}
        topics = [written.pair[1].rpartition("-")[0] for written in self.writings if written.pair[0] == client.id]
        return {
            "id": client.id,
            "topic": topics[0] if topics else self.recording.topics[0].name,
            "rate": 0,
            "acks": client.config.get("acks", "all"),
            "config": _known(PRODUCER, config),
            **self.common(client),
        }

    def consumer(self, client: RecordedClient) -> dict[str, Any]:
        defaults = {"auto.offset.reset": "earliest", "enable.auto.commit": "false"}
        config = {**defaults, **{key: value for key, value in client.config.items() if key != "client.rack"}}
        reads: dict[str, Any] = {"partitions": [list(pair) for pair in client.assign]}
        if client.subscribe:
            reads = {"topics": list(client.subscribe)}
        group = {"group": client.group} if client.group else {}
        return {"id": client.id, **group, **reads, "config": _known(CONSUMER, config), **self.common(client)}

    def common(self, client: RecordedClient) -> dict[str, Any]:
        rack = client.config.get("client.rack")
        return {
            **_rack(rack),
            **({"via": list(client.via)} if client.via else {}),
            **({"state": "closed"} if client.id in self.lead_in.closed else {}),
        }

    def translate(self, index: int, action: RecordedAction) -> None:
        """Put one action of the script on the timeline."""
        if action.verb.startswith(LOOKING):
            return
        written = writing(action, action.start)
        if written is not None:
            self.write(written)
        elif action.verb == "wipe":
            self.wiped.update({node: DISKS[str(action.details["directory"])] for node in nodes_of(action)})
        elif action.verb in ("kill", "stop", "start", "pause", "resume"):
            for node in nodes_of(action):
                if (index, node) not in self.missed:
                    self.on_process(action, node)
        else:
            for text in _READERS[action.verb](self, action):
                self.add(action.start, text)

    def write(self, written: Writing) -> None:
        self.writings.append(written)
        client, partition = written.pair
        if written.per_s is None:
            self.add(written.t, f"send {client} {partition} {len(written.values)}")
        else:
            self.add(written.t, f"rate {client} {written.per_s:g} {partition}")

    def on_process(self, action: RecordedAction, node: int) -> None:
        rest = ""
        if action.verb == "start":
            delay = self.boots[action.start, node].delay
            late = f"after {seconds(round(delay * US))}" if delay is not None else ""
            rest = f"{self.wiped.pop(node, '')} {late}".strip()
        if node in self.recording.controllers:
            active = active_controller(self.recording, action.start) == node
            at_us = self.us(action.start)
            self.on_controllers.append(ControllerAction(at_us, action.verb, node, rest, active))
        else:
            self.add(action.start, f"{action.verb} {node} {rest}".rstrip())

    def proxy(self, action: RecordedAction) -> list[str]:
        """Rules of the proxy, each for the produce request that carries the matching record."""
        return [line for rule in action.named for line in self._rule(rule)]

    def _rule(self, rule: Mapping[str, Any]) -> list[str]:
        if "release" in rule:
            return [f"release {rule['release']}"]
        what, match = INTERCEPTIONS[rule["do"]], str(rule["match"])
        duration = f" {rule['s']:g}s" if "s" in rule else ""
        return [
            f"intercept {rule['rule']} {pair[0]} {pair[1]} {number} {what}{duration}"
            for pair, values in self.all_values().items()
            for number, value in enumerate(values)
            if match in value
        ]

    def all_values(self) -> dict[Pair, list[str]]:
        """The values of the whole script, also of actions not yet translated."""
        every = [writing(action, action.start) for action in self.recording.actions]
        known = [*self.lead_in.writings, *(one for one in every if one is not None)]
        return values_of(self.recording, known, self.recording.end())


def _known(scope: str, config: Mapping[str, str]) -> dict[str, str]:
    """Without keys that no document knows: a real cluster takes them; ``assumed`` says which they are."""
    return {key: value for key, value in config.items() if key in SIMULATED[scope] or key in KNOWN[scope]}


def _rack(rack: str | None) -> dict[str, str]:
    return {} if rack is None else {"rack": rack}


def _cut(translation: _Translation, action: RecordedAction) -> list[str]:
    left, right = (_side(translation.recording, side) for side in action.named)
    if not left or not right:
        return []  # it cuts off the clients' host, and there is no client
    controllers = set(translation.recording.controllers)
    if all(controllers <= set(side) or controllers.isdisjoint(side) for side in (left, right)):
        return [cut_words(left, right)]
    active = active_controller(translation.recording, action.start)
    translation.on_controllers.append(ControllerCut(translation.us(action.start), (left, right), active))
    return []


def _side(recording: Recording, named: Iterable[int | str]) -> Side:
    """One side of a cut; all clients run on one host, so its name stands for all of them."""
    clients = [client.id for client in recording.clients]
    return tuple(each for node in named for each in (clients if node == CLIENT_HOST else [node]))


def cut_words(left: Iterable[int | str], right: Iterable[int | str]) -> str:
    """The cut as documents write it."""
    return f"cut {','.join(map(str, left))}|{','.join(map(str, right))}"


def _client(translation: _Translation, action: RecordedAction) -> list[str]:
    verb = "open" if action.verb in (PRODUCER, CONSUMER) else "crash" if action.details.get("crash") else "close"
    return [f"{verb} {client}" for client in action.named]


def _commit(_: _Translation, action: RecordedAction) -> list[str]:
    return [f"commit {action.named[0]} {_partition(action)} {action.details.get('offset')}"]


def _config(translation: _Translation, action: RecordedAction) -> list[str]:
    """Settings that the engine simulates; the others change nothing that the rules see, nor does S19b's throttle.

    A removed one (null) is what the cluster has, or Kafka's default.
    """
    details, settings = action.details, action.details.get("set")
    assert isinstance(settings, dict)
    subject = f"broker.{details['broker']}" if "broker" in details else str(details.get("topic", "cluster"))
    keys = SIMULATED[TOPIC if "topic" in details else BROKER]
    known = translation.recording.config if "topic" in details else {}
    lines = []
    for key, value in settings.items():
        if key in keys and key not in THROTTLES:
            wanted = known.get(key, keys[key].default) if value is None else value
            lines.append(f"config {subject} {key} {str(wanted).lower()}")
    return lines


def _elect(translation: _Translation, action: RecordedAction) -> list[str]:
    kind = str(action.details["type"]).lower()
    if "partition" in action.details:
        return [f"elect {kind} {_partition(action)}"]
    name = action.details.get("topic")
    named = [
        partition for topic in translation.recording.topics if topic.name == name for partition in topic.partitions()
    ]
    for made in translation.recording.actions if not named else ():
        if made.verb in ("create", "create-auto") and made.details.get("topic") == name:
            rows = made.details.get("assignment")
            count = len(rows) if isinstance(rows, list) else int(str(made.details["partitions"]))
            named = [f"{name}-{number}" for number in range(count)]
    return [f"elect {kind} {partition}" for partition in named]


def _reassign(_: _Translation, action: RecordedAction) -> list[str]:
    target = action.details.get("to")
    to = ",".join(str(broker) for broker in target) if isinstance(target, list) else "cancel"
    return [f"reassign {_partition(action)} {to}"]


def _create(translation: _Translation, action: RecordedAction) -> list[str]:
    """A new topic; not one that a document refuses as Kafka does: unknown brokers, uneven or too many replicas."""
    topic, brokers = action.details["topic"], translation.recording.brokers
    if action.verb == "create-auto":
        factor, partitions = action.details["rf"], action.details["partitions"]
        return [f"create {topic} {factor} {partitions}"] if int(str(factor)) <= len(brokers) else []
    rows = action.details["assignment"]
    assert isinstance(rows, list)
    is_even = all(len(row) == len(rows[0]) and all(broker in brokers for broker in row) for row in rows)
    return [f"create {topic} " + "/".join(",".join(str(broker) for broker in row) for row in rows)] if is_even else []


def _partition(action: RecordedAction) -> str:
    return f"{action.details['topic']}-{action.details.get('partition', 0)}"


_READERS: Final[dict[str, Callable[[_Translation, RecordedAction], list[str]]]] = {
    "cut": _cut,
    "heal": lambda _, __: ["heal"],
    PRODUCER: _client,
    CONSUMER: _client,
    "close": _client,
    "commit": _commit,
    "config": _config,
    "elect": _elect,
    "reassign": _reassign,
    "create": _create,
    "create-auto": _create,
    "delete": lambda _, action: [f"delete {action.details['topic']}"],
    "proxy": _Translation.proxy,
}
