"""Reads a recording from its JSON text, and refuses with place, value and cure what is not one.

What was given to the run must be there: cluster, topics, clients, actions. What happened may be left out (a script that
is only to be run again), and rows may have further columns, which nothing here looks at.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from simengine.recordings.errors import RecordingError, names_of
from simengine.recordings.grammar import check_step
from simengine.recordings.json_values import (
    NUMBER,
    OPTIONAL_INT,
    OPTIONAL_NUMBER,
    OPTIONAL_TEXT,
    checked,
    config_of,
    get,
    ints,
    json_object,
    node_id,
    read_file,
    rows_of,
    table,
    text_of,
)
from simengine.recordings.model import (
    CHANGED,
    CONSUMER,
    FORMAT,
    GIVEN,
    PRODUCER,
    REGISTERED,
    BrokerRecord,
    Call,
    ClientEvent,
    Details,
    LogRecord,
    NodeEvent,
    PartitionRecord,
    Read,
    RecordedAction,
    RecordedClient,
    RecordedFinalLog,
    RecordedTopic,
    Recording,
    SetupStep,
)

ELR_SINCE: Final = (4, 1)  # new clusters have eligible leader replicas from this version on
NO_EPOCH: Final = -1

CHANGES: Final[dict[str, tuple[type, ...]]] = {  # what a change of a partition may name
    **dict.fromkeys(("leader", "epoch", "partitionEpoch", "recovery"), (int,)),
    **dict.fromkeys(("replicas", "isr"), (list,)),
    **dict.fromkeys(("elr", "lastKnownElr", "adding", "removing"), (list, type(None))),
}


def read(path: str | Path) -> Recording:
    """The recording in a file. Raises RecordingError, naming the file."""
    return read_file(path, parse)


def parse(text: str) -> Recording:
    """The recording in a JSON text. Raises RecordingError."""
    return recording_of(json_object(text))


def recording_of(whole: Details) -> Recording:
    """The recording in the data of a file. Raises RecordingError."""
    if whole.get("format") != FORMAT:
        raise RecordingError("format", "unknown format", whole.get("format"), str(FORMAT))
    cluster = checked(get(whole, "cluster", ""), "cluster", dict)
    kafka = text_of(whole, "kafka", "")
    recording = Recording(
        kafka=kafka,
        name=checked(whole.get("name", ""), "name", str),
        title=checked(whole.get("title", ""), "title", str),
        brokers=_brokers(cluster),
        controllers=tuple(ints(get(cluster, "controllers", "cluster"), "cluster.controllers")),
        elr=bool(checked(cluster.get("elr", version(kafka) >= ELR_SINCE), "cluster.elr", int, bool)),
        config=config_of(cluster.get("config", {}), "cluster.config"),
        topics=tuple(_topics(get(whole, "topics", ""))),
        clients=tuple(_clients(get(whole, "clients", ""))),
        setup=tuple(_setup(whole.get("setup", []))),
        actions=tuple(_actions(get(whole, "actions", ""))),
        nodes=tuple(NodeEvent(*row) for row in _results(whole, "nodes", (NUMBER, int, str))),
        registrations=tuple(_registrations(whole)),
        metadata=tuple(_metadata(whole)),
        produce=tuple(_produce(whole)),
        reads=tuple(_reads(whole)),
        client_events=tuple(ClientEvent(*row) for row in _results(whole, "client_events", (NUMBER, str, str, dict))),
        logs=_logs(whole.get("logs", {})),
        given={key: whole[key] for key in GIVEN if key in whole},
        replicas=tuple(checked(whole.get("replicas", []), "replicas", list)),
    )
    _check_steps(recording)
    _check_clients(recording)
    if "metadata" in whole:
        _check_partitions(recording)
    return recording


def version(kafka: str) -> tuple[int, ...]:
    """The first two numbers of a version of Kafka; () where it does not begin with numbers."""
    numbers = kafka.split(".")[:2]
    return tuple(int(number) for number in numbers) if all(number.isdecimal() for number in numbers) else ()


def _check_steps(recording: Recording) -> None:
    """Steps are of the grammar, and name nodes and clients that there are."""
    clients = [client.id for client in recording.clients]
    nodes = [*recording.brokers, *recording.controllers]
    for i, step in enumerate(recording.setup):
        check_step(f"setup[{i}]", step.verb, step.details, nodes, clients)
    for i, action in enumerate(recording.actions):
        check_step(f"actions[{i}]", action.verb, action.details, nodes, clients)


def _check_clients(recording: Recording) -> None:
    clients = [client.id for client in recording.clients]
    for i, call in enumerate(recording.produce):
        if call.client not in clients:
            raise RecordingError(f"produce[{i}][0]", "unknown client", call.client, names_of(clients))


def _check_partitions(recording: Recording) -> None:
    """Refuse a partition of a call or of a topic that has no record in metadata."""
    partitions = {record.partition for record in recording.metadata}
    for i, call in enumerate(recording.produce):
        if call.partition not in partitions:
            raise RecordingError(f"produce[{i}][1]", "this partition has no record in metadata", call.partition)
    for topic in recording.topics:
        for name in topic.partitions():
            if name not in partitions:
                raise RecordingError("metadata", f"no record of partition {name}")


def _brokers(cluster: Details) -> dict[int, str | None]:
    brokers: dict[int, str | None] = {}
    named = checked(get(cluster, "brokers", "cluster"), "cluster.brokers", dict, list)
    if isinstance(named, list):
        return dict.fromkeys(ints(named, "cluster.brokers"))
    for key, rack in named.items():
        path = f"cluster.brokers.{key}"
        brokers[node_id(key, path)] = checked(rack, path, *OPTIONAL_TEXT)
    return brokers


def _topics(value: object) -> Iterator[RecordedTopic]:
    for i, item in enumerate(checked(value, "topics", list)):
        path = f"topics[{i}]"
        topic = checked(item, path, dict)
        rows = checked(get(topic, "assignment", path), f"{path}.assignment", list)
        assignment = tuple(tuple(ints(row, f"{path}.assignment[{k}]")) for k, row in enumerate(rows))
        yield RecordedTopic(
            text_of(topic, "name", path), assignment, config_of(topic.get("config", {}), f"{path}.config")
        )


def _clients(value: object) -> Iterator[RecordedClient]:
    for i, item in enumerate(checked(value, "clients", list)):
        path = f"clients[{i}]"
        client = checked(item, path, dict)
        kind = text_of(client, "kind", path)
        if kind not in (PRODUCER, CONSUMER):
            raise RecordingError(f"{path}.kind", "unknown kind of client", kind, f"{PRODUCER}, {CONSUMER}")
        settings = dict(checked(client.get("config", {}), f"{path}.config", dict))
        via = tuple(ints(settings.pop("via", []), f"{path}.config.via"))
        assign = table(client, "assign", (str, int), path) if "assign" in client else []
        subscribe = checked(client.get("subscribe", []), f"{path}.subscribe", list)
        yield RecordedClient(
            id=text_of(client, "id", path),
            kind=kind,
            config=config_of(settings, f"{path}.config"),
            assign=tuple((topic, number) for topic, number in assign),
            subscribe=tuple(checked(topic, f"{path}.subscribe", str) for topic in subscribe),
            group=checked(client.get("group", ""), f"{path}.group", str),
            via=via,
        )


def _setup(value: object) -> Iterator[SetupStep]:
    for i, item in enumerate(checked(value, "setup", list)):
        step = dict(checked(item, f"setup[{i}]", dict))
        verb = text_of(step, "do", f"setup[{i}]")
        del step["do"]
        yield SetupStep(verb, step)


def _actions(value: object) -> Iterator[RecordedAction]:
    """An action without an end was at once over."""
    for i, (start, end, verb, details) in enumerate(rows_of(value, "actions", (NUMBER, OPTIONAL_NUMBER, str, dict))):
        action = RecordedAction(start, start if end is None else end, verb, details)
        if action.end < action.start:
            raise RecordingError(f"actions[{i}][1]", "the action ends before it starts", action.end)
        yield action


def _registrations(whole: Details) -> Iterator[BrokerRecord]:
    for i, (t, kind, change) in enumerate(_results(whole, "brokers", (NUMBER, str, dict))):
        path = f"brokers[{i}]"
        if kind not in (REGISTERED, CHANGED):
            raise RecordingError(f"{path}[1]", "unknown record", kind, f"{REGISTERED}, {CHANGED}")
        fenced = int(checked(change.get("fenced", 0), f"{path}[2].fenced", int, bool))
        if kind == CHANGED and fenced not in (-1, 0, 1):
            raise RecordingError(f"{path}[2].fenced", "unknown change", fenced, "1 (fenced), -1 (unfenced), 0")
        broker = checked(get(change, "brokerId", f"{path}[2]"), f"{path}[2].brokerId", int)
        epoch = checked(get(change, "brokerEpoch", f"{path}[2]"), f"{path}[2].brokerEpoch", int)
        stopping = bool(change.get("inControlledShutdown", 0))
        yield BrokerRecord(t, kind, broker, epoch, fenced, stopping, change.get("rack"))


def _metadata(whole: Details) -> Iterator[PartitionRecord]:
    seen: dict[str, None] = {}
    for i, (t, partition, changes) in enumerate(_results(whole, "metadata", (NUMBER, str, dict))):
        if partition not in seen:
            for key in ("replicas", "leader", "epoch", "isr"):
                get(changes, key, f"metadata[{i}][2]")
            seen[partition] = None
        for key in CHANGES.keys() & changes.keys():
            path = f"metadata[{i}][2].{key}"
            if isinstance(checked(changes[key], path, *CHANGES[key]), list):
                ints(changes[key], path)
        yield PartitionRecord(t, partition, changes)


def _produce(whole: Details) -> Iterator[Call]:
    types = (str, str, str, NUMBER, OPTIONAL_NUMBER, OPTIONAL_TEXT, OPTIONAL_INT)
    for i, row in enumerate(_results(whole, "produce", types)):
        call = Call(*row)
        if (call.done is None) != (call.outcome is None):
            raise RecordingError(f"produce[{i}]", "a call has both a time and an outcome, or neither", list(row))
        yield call


def _reads(whole: Details) -> Iterator[Read]:
    for t, client, partition, offset, epoch, value in _results(
        whole, "reads", (NUMBER, str, str, int, OPTIONAL_INT, str)
    ):
        yield Read(t, client, partition, offset, NO_EPOCH if epoch is None else epoch, value)


def _logs(value: object) -> dict[str, RecordedFinalLog]:
    logs: dict[str, RecordedFinalLog] = {}
    for partition, item in checked(value, "logs", dict).items():
        path = f"logs.{partition}"
        log = checked(item, path, dict)
        different = checked(log.get("different", {}), f"{path}.different", dict)
        logs[partition] = RecordedFinalLog(
            tuple(ints(get(log, "replicas", path), f"{path}.replicas")),
            _records(get(log, "records", path), f"{path}.records"),
            {node_id(key, path): _records(rows, f"{path}.different.{key}") for key, rows in different.items()},
        )
    return logs


def _records(value: object, path: str) -> tuple[LogRecord, ...]:
    return tuple(LogRecord(*row) for row in rows_of(value, path, (int, int, str)))


def _results(whole: Details, key: str, types: tuple[object, ...]) -> list[list[Any]]:
    """A table of what happened; none where it was left out."""
    return rows_of(whole.get(key, []), key, types)
