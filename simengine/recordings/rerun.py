"""Runs a recording's script in the engine, one seed at a time, and gives the run back as a recording."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from simengine.kernel.random import Stream
from simengine.recordings.errors import RecordingError
from simengine.recordings.model import LogRecord, RecordedFinalLog, Recording
from simengine.recordings.reader import read
from simengine.recordings.replay import INTERNAL, KEPT_TRAFFIC, NOBODY, ReplayRows
from simengine.recordings.script import ControllerAction, ControllerCut, Script, cut_words, script_of
from simengine.scenario import Document, DocumentError, load
from simengine.scenario.model import TopicEntry
from simengine.world.world import World, build

LogRun = tuple[int, int, int, int, int]  # base, count, epoch, client, number of the first call

ENDING: Final = ("kill", "stop", "pause")  # it leads no longer, if it did
OFFSETS_TOPIC: Final = "__consumer_offsets"
OFFSETS_FACTOR: Final = 3


def reruns_of(path: str | Path) -> "RecordingReruns":
    """Runs of the script of a file. Raises RecordingError, naming the file."""
    recording = read(path)
    try:
        return RecordingReruns(recording)
    except RecordingError as error:
        raise error.within(Path(path).name) from None


class RecordingReruns:
    """Runs of one recording's script. Raises RecordingError where it asks for what the engine has not."""

    def __init__(self, recording: Recording) -> None:
        self.recording = recording
        self.script = script_of(recording)
        try:
            self.document = load(self.script.document)
        except DocumentError as error:
            raise RecordingError("script", f"the engine cannot do it: {error}") from None

    def run(self, seed: int) -> Recording:
        """One run, in the form of a recording."""
        factor = int(self.recording.config.get("offsets.topic.replication.factor", OFFSETS_FACTOR))
        topics = [*self.document.topics, offsets_topic(list(self.recording.brokers), factor, seed)]
        document = self.document.model_copy(update={"seed": seed, "topics": topics})
        return _run(self.recording, self.script, document)


def offsets_topic(brokers: list[int], factor: int, seed: int) -> TopicEntry:
    """``__consumer_offsets`` as the recorded clusters had it: one partition, placed by the cluster at random.

    No recording shows it, but a broker that leads it is held up in a controlled stop (SHUT-2): of the brokers that led
    no recorded partition about a third were, never two of one cluster at once.
    """
    first = Stream(seed, OFFSETS_TOPIC, "placement").below(len(brokers))
    replicas = [brokers[(first + i) % len(brokers)] for i in range(min(factor, len(brokers)))]
    return TopicEntry(name=OFFSETS_TOPIC, assignment=[replicas])


def _run(recording: Recording, script: Script, document: Document) -> Recording:
    world = build(document)
    world.trace.keep_kinds(KEPT_TRAFFIC)
    names: dict[str, Any] = world.names()
    clients = [client["id"] for client in names["clients"]]
    replay = ReplayRows(script.zero_us, clients, recording.brokers, recording.controllers, script.values)
    replay.begin(world.snapshot(), names)
    roles = _Roles(recording.controllers)
    roles.begin(document.cluster.active, replay.active)
    for action in script.controller_actions:
        world.run(action.at_us - 1)
        replay.fold(world.trace.take().rows())
        world.act(action.at_us, roles.words(action, replay.active))
    world.run(script.until_us)
    replay.fold(world.trace.take().rows())
    replay.name(world.names())
    return replay.recording(recording, _logs(recording, world, replay))


class _Roles:
    """The simulated controller that stands for each recorded one.

    The recorded role decides which simulated one is meant: where a recorded active controller is killed, the simulated
    active one dies. The two then trade places.
    """

    def __init__(self, controllers: tuple[int, ...]) -> None:
        self.stands_for: dict[int, int] = {controller: controller for controller in controllers}
        self.down: dict[int, bool] = {}

    def begin(self, recorded_active: int | None, active: int) -> None:
        if recorded_active is not None and active != NOBODY:
            self._swap(recorded_active, active)

    def words(self, action: ControllerAction | ControllerCut, active: int) -> str:
        """The action on the simulated controllers; ``active``: the simulated active one or -1."""
        if isinstance(action, ControllerAction):
            return f"{action.verb} {self.stand_in(action, active)} {action.rest}".rstrip()
        if action.active is not None and active != NOBODY and self.stands_for[action.active] != active:
            self._swap(action.active, active)
        left, right = (
            [self.stands_for.get(node, node) if isinstance(node, int) else node for node in side]
            for side in action.sides
        )
        return cut_words(left, right)

    def stand_in(self, action: ControllerAction, active: int) -> int:
        """The simulated controller for an action on a recorded one; ``active``: the simulated active one or -1."""
        if action.verb in ENDING and active != NOBODY:
            meant = self.stands_for[action.controller]
            if action.was_active and meant != active:
                self._swap(action.controller, active)
            elif not action.was_active and meant == active:
                self._swap_with_standby(action.controller)
        self.down[action.controller] = action.verb in ENDING
        return self.stands_for[action.controller]

    def _swap_with_standby(self, controller: int) -> None:
        for other in self.stands_for:
            if other != controller and not self.down.get(other):
                self._swap(controller, self.stands_for[other])
                return

    def _swap(self, controller: int, simulated: int) -> None:
        """Let ``simulated`` stand for ``controller``, and what stood for it for the one it stood for."""
        other = next(recorded for recorded, stand_in in self.stands_for.items() if stand_in == simulated)
        self.stands_for[other] = self.stands_for[controller]
        self.stands_for[controller] = simulated


def _logs(recording: Recording, world: World, replay: ReplayRows) -> dict[str, RecordedFinalLog]:
    """The final logs of the partitions whose logs the recording keeps (none: of all but Kafka's own)."""
    every: dict[int, dict[int, list[LogRun]]] = world.logs()
    found: dict[str, RecordedFinalLog] = {}
    for p, whole in every.items():
        partition = replay.partitions[p]
        if partition in recording.logs if recording.logs else not partition.startswith(INTERNAL):
            log = final_log(replay, p, whole)
            if log is not None:
                found[partition] = log
    return found


def final_log(replay: ReplayRows, p: int, whole: dict[int, list[LogRun]]) -> RecordedFinalLog | None:
    """The final log of a partition from those of its replicas, as real recordings show it.

    A replica that has no record has no log to show, nor has a partition without any.
    """
    start = replay.starts.get(p, 0)
    logs = {broker: [run for run in log if run[0] >= start] for broker, log in whole.items()}
    leader = logs.get(replay.leader(p), [])
    others = {b: log for b in sorted(replay.replicas(p)) if (log := logs.get(b, []))}
    if not others:
        return None
    records = _records(p, leader, replay.value)
    different = {b: _records(p, log, replay.value) for b, log in others.items() if log != leader}
    different = {b: log for b, log in different.items() if log != records}
    return RecordedFinalLog(tuple(others), records, different)


def _records(p: int, log: list[LogRun], value: Callable[[int, int, int], str]) -> tuple[LogRecord, ...]:
    return tuple(
        LogRecord(base + i, epoch, value(client, p, n + i))
        for base, count, epoch, client, n in log
        for i in range(count)
    )
