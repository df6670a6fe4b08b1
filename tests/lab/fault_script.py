"""A script of the laboratory: a cluster, its topics and steps in time. It is checked before anything boots."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from simengine.recordings.errors import RecordingError
from simengine.recordings.json_values import checked, get, text_of
from simengine.recordings.model import CONSUMER, FORMAT, PRODUCER, Recording
from simengine.recordings.reader import recording_of
from tests.lab.lab_grammar import RECORDED_AS, check_verb
from tests.lab.plain import Plain

KEYS: Final = ("name", "title", "cluster", "topics", "setup", "timeline", "warmup")
CLUSTER_KEYS: Final = ("brokers", "controllers", "elr", "config")
CONTROLLERS: Final = [100, 101, 102]
CLUSTER: Final[dict[str, Any]] = {
    "brokers": {"0": None, "1": None, "2": None},
    "controllers": CONTROLLERS,
    "elr": 0,
    "config": {},
}
TOPICS: Final = [{"name": "t", "assignment": [[0, 1, 2]], "config": {"min.insync.replicas": 2}}]
CLIENT_KEYS: Final = ("assign", "subscribe", "group")  # of a consumer, beside its configuration
ADDRESSES: Final = {"brokers": range(10), "controllers": range(100, 110)}  # the ids that the network has room for
WARMUP_S: Final = 2.0
NUMBER: Final = (int, float)


@dataclass(frozen=True)
class LabStep:
    """One step. It begins `at` seconds after time 0, or `after` seconds after the end of the step before it."""

    verb: str
    args: list[Any]
    details: Plain  # the named arguments
    at: float | None
    after: float
    background: bool  # the next step does not wait for this one

    def plain(self) -> Plain:
        """The arguments as a recording has them."""
        waits = {"background": True} if self.background else {}
        return {**({"args": self.args} if self.args else {}), **self.details, **waits}


@dataclass(frozen=True)
class LabScript:
    """A checked script."""

    given: Recording  # cluster, topics and clients as in a recording in which nothing happened yet
    setup: tuple[LabStep, ...]  # before time 0, one after the other
    timeline: tuple[LabStep, ...]
    warmup_s: float  # between the setup and time 0


def script_of_plain(whole: Plain, kafka: str) -> LabScript:
    """The script in the data of a file. Raises RecordingError with the place, the value and what is allowed."""
    check_keys(whole, "the script", KEYS)
    setup = tuple(steps_of(whole.get("setup", []), "setup"))
    timeline = tuple(steps_of(get(whole, "timeline", ""), "timeline"))
    given = given_of(whole, (*setup, *timeline), kafka)
    for name, steps in (("setup", setup), ("timeline", timeline)):
        for i, step in enumerate(steps):
            check_lab_step(f"{name}[{i}]", step, given)
    check_order(timeline)
    warmup = checked(whole.get("warmup", WARMUP_S), "warmup", *NUMBER)
    return LabScript(given=given, setup=setup, timeline=timeline, warmup_s=warmup)


def given_of(whole: Plain, steps: Iterable[LabStep], kafka: str) -> Recording:
    """The cluster and topics of a script, and the clients that its steps open. Raises RecordingError."""
    cluster = checked(whole.get("cluster", {}), "cluster", dict)
    check_keys(cluster, "cluster", CLUSTER_KEYS)
    given = recording_of(
        {
            "format": FORMAT,
            "kafka": kafka,
            "name": whole.get("name", ""),
            "title": whole.get("title", ""),
            "cluster": {**CLUSTER, **cluster},
            "topics": whole.get("topics", TOPICS),
            "clients": [_client(step) for step in steps if step.verb in (PRODUCER, CONSUMER)],
            "actions": [],
        }
    )
    _check_ids("brokers", list(given.brokers))
    _check_ids("controllers", list(given.controllers))
    return given


def check_keys(data: Plain, path: str, allowed: tuple[str, ...]) -> None:
    """Refuse a key that nothing here reads. Raises RecordingError."""
    for key in data:
        if key not in allowed:
            raise RecordingError(path, "unknown key", key, ", ".join(allowed))


def _check_ids(kind: str, ids: list[int]) -> None:
    allowed = ADDRESSES[kind]
    wrong = [node for node in ids if node not in allowed]
    if wrong or not ids:
        raise RecordingError(f"cluster.{kind}", "wrong ids", wrong or ids, f"{allowed.start} to {allowed.stop - 1}")


def steps_of(value: object, path: str) -> Iterator[LabStep]:
    """The steps in a list. Raises RecordingError."""
    for i, item in enumerate(checked(value, path, list)):
        place = f"{path}[{i}]"
        step = dict(checked(item, place, dict))
        yield LabStep(
            verb=text_of({"do": step.pop("do", None)}, "do", place),
            args=checked(step.pop("args", []), f"{place}.args", list),
            at=checked(step.pop("at", None), f"{place}.at", *NUMBER, type(None)),
            after=checked(step.pop("after", 0.0), f"{place}.after", *NUMBER),
            background=checked(step.pop("background", False), f"{place}.background", bool),
            details=step,
        )


def _client(step: LabStep) -> Plain:
    """The client that a step opens, as a recording names it."""
    config, opened = split_client(step)
    return {"id": step.args[0] if step.args else None, "kind": step.verb, "config": config, **opened}


def split_client(step: LabStep) -> tuple[Plain, Plain]:
    """The configuration of the client that a step opens, with `via`, and what stands beside it: CLIENT_KEYS."""
    config = {key: value for key, value in step.details.items() if key not in CLIENT_KEYS}
    return config, {key: value for key, value in step.details.items() if key in CLIENT_KEYS}


def check_lab_step(path: str, step: LabStep, given: Recording) -> None:
    """Refuse a step that cannot be done in this cluster. Raises RecordingError."""
    nodes = [*given.brokers, *given.controllers]
    clients = [client.id for client in given.clients]
    check_verb(path, step.verb, step.args, step.details, nodes, clients)
    if step.background and step.verb in RECORDED_AS:
        raise RecordingError(f"{path}.background", f"{step.verb} is recorded with the nodes it chose", True, "false")


def check_order(timeline: tuple[LabStep, ...]) -> None:
    """Steps run in the order of the list: refuse a time that goes back. Raises RecordingError."""
    last = 0.0
    for i, step in enumerate(timeline):
        if step.at is not None and step.at < last:
            raise RecordingError(f"timeline[{i}].at", "before an earlier step", step.at, f"{last} or later")
        last = last if step.at is None else step.at
