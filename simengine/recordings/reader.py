"""Reads a recording from its JSON text, and refuses with place, value and cure what is not one.

What was given to the run must be there: cluster, topics, clients, actions. What happened may be left out (a script that
is only to be run again), and rows may have further columns, which nothing here looks at.
"""

import json
from collections.abc import Iterable, Iterator
from math import isfinite
from pathlib import Path
from typing import Any, Final

from simengine.recordings.errors import RecordingError, names_of
from simengine.recordings.grammar import check_step
from simengine.recordings.model import (
    CHANGED,
    CONSUMER,
    FORMAT,
    GIVEN,
    PRODUCER,
    REGISTERED,
    Action,
    BrokerRecord,
    Call,
    Client,
    ClientEvent,
    Details,
    FinalLog,
    NodeEvent,
    PartitionRecord,
    Read,
    Record,
    Recording,
    SetupStep,
    Topic,
)

BYTES_MAX: Final = 64 * 1024 * 1024  # a recording of two hours at 100 records/s
ROWS_MAX: Final = 2_000_000  # rows of one list

ELR_SINCE: Final = (4, 1)  # new clusters have eligible leader replicas from this version on
NO_EPOCH: Final = -1

NUMBER: Final = (int, float)
OPTIONAL_NUMBER: Final = (int, float, type(None))
OPTIONAL_TEXT: Final = (str, type(None))
OPTIONAL_INT: Final = (int, type(None))
CHANGES: Final[dict[str, tuple[type, ...]]] = {  # what a change of a partition may name
    **dict.fromkeys(("leader", "epoch", "partitionEpoch", "recovery"), (int,)),
    **dict.fromkeys(("replicas", "isr"), (list,)),
    **dict.fromkeys(("elr", "lastKnownElr", "adding", "removing"), (list, type(None))),
}
KINDS_SHOWN: Final = {
    int: "a whole number",
    float: "a number",
    str: "a text",
    bool: "true or false",
    dict: "an object",
    list: "a list",
}


def read(path: str | Path) -> Recording:
    """The recording in a file. Raises RecordingError, naming the file."""
    name = Path(path).name
    try:
        return parse(_text_of(Path(path)))
    except UnicodeDecodeError as error:
        raise RecordingError(name, f"not UTF-8: {error}") from None
    except RecordingError as error:
        raise error.within(name) from None


def _text_of(file: Path) -> str:
    """The text of a file of at most BYTES_MAX. Raises RecordingError, UnicodeDecodeError."""
    try:
        size = file.stat().st_size
        if size > BYTES_MAX:
            raise RecordingError("the file", "is too large", size, f"at most {BYTES_MAX} bytes")
        return file.read_text(encoding="utf-8")
    except OSError as error:
        raise RecordingError("the file", f"cannot be read: {error.strerror}") from None


def parse(text: str) -> Recording:
    """The recording in a JSON text. Raises RecordingError."""
    try:
        data = json.loads(text, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        raise RecordingError(f"line {error.lineno}", f"not JSON: {error.msg}") from None
    except RecursionError:
        raise RecordingError("the file", "is nested too deeply") from None
    whole = _of(data, "recording", dict)
    if whole.get("format") != FORMAT:
        raise RecordingError("format", "unknown format", whole.get("format"), str(FORMAT))
    cluster = _of(_get(whole, "cluster", ""), "cluster", dict)
    kafka = _text(whole, "kafka", "")
    recording = Recording(
        kafka=kafka,
        name=_of(whole.get("name", ""), "name", str),
        title=_of(whole.get("title", ""), "title", str),
        brokers=_brokers(cluster),
        controllers=tuple(_ints(_get(cluster, "controllers", "cluster"), "cluster.controllers")),
        elr=bool(_of(cluster.get("elr", version(kafka) >= ELR_SINCE), "cluster.elr", int, bool)),
        config=_config(cluster.get("config", {}), "cluster.config"),
        topics=tuple(_topics(_get(whole, "topics", ""))),
        clients=tuple(_clients(_get(whole, "clients", ""))),
        setup=tuple(_setup(whole.get("setup", []))),
        actions=tuple(_actions(_get(whole, "actions", ""))),
        nodes=tuple(NodeEvent(*row) for row in _results(whole, "nodes", (NUMBER, int, str))),
        registrations=tuple(_registrations(whole)),
        metadata=tuple(_metadata(whole)),
        produce=tuple(_produce(whole)),
        reads=tuple(_reads(whole)),
        client_events=tuple(ClientEvent(*row) for row in _results(whole, "client_events", (NUMBER, str, str, dict))),
        logs=_logs(whole.get("logs", {})),
        given={key: whole[key] for key in GIVEN if key in whole},
        replicas=tuple(_of(whole.get("replicas", []), "replicas", list)),
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
    """What rows name must have been declared or created."""
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
    named = _of(_get(cluster, "brokers", "cluster"), "cluster.brokers", dict, list)
    if isinstance(named, list):
        return dict.fromkeys(_ints(named, "cluster.brokers"))
    for key, rack in named.items():
        path = f"cluster.brokers.{key}"
        brokers[_id(key, path)] = _of(rack, path, *OPTIONAL_TEXT)
    return brokers


def _topics(value: object) -> Iterator[Topic]:
    for i, item in enumerate(_of(value, "topics", list)):
        path = f"topics[{i}]"
        topic = _of(item, path, dict)
        rows = _of(_get(topic, "assignment", path), f"{path}.assignment", list)
        assignment = tuple(tuple(_ints(row, f"{path}.assignment[{k}]")) for k, row in enumerate(rows))
        yield Topic(_text(topic, "name", path), assignment, _config(topic.get("config", {}), f"{path}.config"))


def _clients(value: object) -> Iterator[Client]:
    for i, item in enumerate(_of(value, "clients", list)):
        path = f"clients[{i}]"
        client = _of(item, path, dict)
        kind = _text(client, "kind", path)
        if kind not in (PRODUCER, CONSUMER):
            raise RecordingError(f"{path}.kind", "unknown kind of client", kind, f"{PRODUCER}, {CONSUMER}")
        settings = dict(_of(client.get("config", {}), f"{path}.config", dict))
        via = tuple(_ints(settings.pop("via", []), f"{path}.config.via"))
        assign = _table(client, "assign", (str, int), path) if "assign" in client else []
        subscribe = _of(client.get("subscribe", []), f"{path}.subscribe", list)
        yield Client(
            id=_text(client, "id", path),
            kind=kind,
            config=_config(settings, f"{path}.config"),
            assign=tuple((topic, number) for topic, number in assign),
            subscribe=tuple(_of(topic, f"{path}.subscribe", str) for topic in subscribe),
            group=_of(client.get("group", ""), f"{path}.group", str),
            via=via,
        )


def _setup(value: object) -> Iterator[SetupStep]:
    for i, item in enumerate(_of(value, "setup", list)):
        step = dict(_of(item, f"setup[{i}]", dict))
        verb = _text(step, "do", f"setup[{i}]")
        del step["do"]
        yield SetupStep(verb, step)


def _actions(value: object) -> Iterator[Action]:
    """An action without an end was at once over."""
    for i, (start, end, verb, details) in enumerate(_rows(value, "actions", (NUMBER, OPTIONAL_NUMBER, str, dict))):
        action = Action(start, start if end is None else end, verb, details)
        if action.end < action.start:
            raise RecordingError(f"actions[{i}][1]", "the action ends before it starts", action.end)
        yield action


def _registrations(whole: Details) -> Iterator[BrokerRecord]:
    for i, (t, kind, change) in enumerate(_results(whole, "brokers", (NUMBER, str, dict))):
        path = f"brokers[{i}]"
        if kind not in (REGISTERED, CHANGED):
            raise RecordingError(f"{path}[1]", "unknown record", kind, f"{REGISTERED}, {CHANGED}")
        fenced = int(_of(change.get("fenced", 0), f"{path}[2].fenced", int, bool))
        if kind == CHANGED and fenced not in (-1, 0, 1):
            raise RecordingError(f"{path}[2].fenced", "unknown change", fenced, "1 (fenced), -1 (unfenced), 0")
        broker = _of(_get(change, "brokerId", f"{path}[2]"), f"{path}[2].brokerId", int)
        epoch = _of(_get(change, "brokerEpoch", f"{path}[2]"), f"{path}[2].brokerEpoch", int)
        stopping = bool(change.get("inControlledShutdown", 0))
        yield BrokerRecord(t, kind, broker, epoch, fenced, stopping, change.get("rack"))


def _metadata(whole: Details) -> Iterator[PartitionRecord]:
    seen: dict[str, None] = {}
    for i, (t, partition, changes) in enumerate(_results(whole, "metadata", (NUMBER, str, dict))):
        if partition not in seen:
            for key in ("replicas", "leader", "epoch", "isr"):
                _get(changes, key, f"metadata[{i}][2]")
            seen[partition] = None
        for key in CHANGES.keys() & changes.keys():
            path = f"metadata[{i}][2].{key}"
            if isinstance(_of(changes[key], path, *CHANGES[key]), list):
                _ints(changes[key], path)
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


def _logs(value: object) -> dict[str, FinalLog]:
    logs: dict[str, FinalLog] = {}
    for partition, item in _of(value, "logs", dict).items():
        path = f"logs.{partition}"
        log = _of(item, path, dict)
        different = _of(log.get("different", {}), f"{path}.different", dict)
        logs[partition] = FinalLog(
            tuple(_ints(_get(log, "replicas", path), f"{path}.replicas")),
            _records(_get(log, "records", path), f"{path}.records"),
            {_id(key, path): _records(rows, f"{path}.different.{key}") for key, rows in different.items()},
        )
    return logs


def _records(value: object, path: str) -> tuple[Record, ...]:
    return tuple(Record(*row) for row in _rows(value, path, (int, int, str)))


def _config(value: object, path: str) -> dict[str, str]:
    """Settings as texts, as Kafka takes them; true and false as Kafka writes them."""
    config: dict[str, str] = {}
    for key, item in _of(value, path, dict).items():
        scalar = _of(item, f"{path}.{key}", str, int, float, bool)
        config[key] = str(scalar).lower() if isinstance(scalar, bool) else str(scalar)
    return config


def _table(data: Details, key: str, types: tuple[object, ...], path: str = "") -> list[list[Any]]:
    place = f"{path}.{key}" if path else key
    return _rows(_get(data, key, path), place, types)


def _results(whole: Details, key: str, types: tuple[object, ...]) -> list[list[Any]]:
    """A table of what happened; none where it was left out."""
    return _rows(whole.get(key, []), key, types)


def _rows(value: object, path: str, types: tuple[object, ...]) -> list[list[Any]]:
    """A list of rows that begin with these columns, without those that follow."""
    rows: list[Any] = _of(value, path, list)
    if len(rows) > ROWS_MAX:
        raise RecordingError(path, "too many rows", len(rows), f"at most {ROWS_MAX}")
    wanted = [kind if isinstance(kind, tuple) else (kind,) for kind in types]
    for i, row in enumerate(rows):
        if not isinstance(row, list) or len(row) < len(wanted):
            raise RecordingError(f"{path}[{i}]", f"a row here has {len(wanted)} values", row)
        for k, kinds in enumerate(wanted):
            if not isinstance(row[k], kinds) or isinstance(row[k], (bool, float)):
                _of(row[k], f"{path}[{i}][{k}]", *kinds)
    return [row[: len(wanted)] for row in rows]


def _get(data: Details, key: str, path: str) -> Any:
    if key not in data:
        raise RecordingError(f"{path}.{key}" if path else key, "missing")
    return data[key]


def _text(data: Details, key: str, path: str) -> str:
    text: str = _of(_get(data, key, path), f"{path}.{key}" if path else key, str)
    return text


def _of(value: Any, path: str, *kinds: type) -> Any:
    """The value, if it is of one of these kinds (true and false only where bool is named)."""
    if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
        shown = [kind for kind in kinds if kind is not int or float not in kinds]  # a whole number is a number
        names = " or ".join(KINDS_SHOWN.get(kind, "nothing") for kind in shown)
        raise RecordingError(path, "wrong kind of value", value, names)
    if isinstance(value, float) and not isfinite(value):
        raise RecordingError(path, "too large a number", value, "finite numbers")
    return value


def _no_number(word: str) -> float:
    raise RecordingError("the file", "not JSON", word, "finite numbers")


def _ints(value: object, path: str) -> Iterable[int]:
    return [_of(item, f"{path}[{i}]", int) for i, item in enumerate(_of(value, path, list))]


def _id(key: str, path: str) -> int:
    if not key.isdecimal():
        raise RecordingError(path, "a node id is a whole number", key)
    return int(key)
