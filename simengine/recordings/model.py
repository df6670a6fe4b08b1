"""A recording: one run of a cluster under a script, as the files of ``tests/conformance/recordings`` hold it.

Real and simulated runs have the same form, so that one comparator looks at both. Times are seconds since the script's
time 0; a partition is named ``topic-number``.
"""

from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

FORMAT: Final = 1
GIVEN: Final = ("format", "kafka", "name", "title", "cluster", "topics", "clients", "setup", "actions")
PRODUCER: Final = "producer"
CONSUMER: Final = "consumer"
OK: Final = "ok"  # outcome of an acknowledged call

REGISTERED: Final = "RegisterBroker"
CHANGED: Final = "BrokerRegistrationChange"

Details = dict[str, object]


def _named(details: Details) -> list[Any]:
    named = details.get("args")
    return named if isinstance(named, list) else []


class RecordedTopic(NamedTuple):
    """A topic with its manual assignment: the replica list of each partition."""

    name: str
    assignment: tuple[tuple[int, ...], ...]
    config: dict[str, str]

    def partitions(self) -> list[str]:
        """The names of its partitions, in order."""
        return [f"{self.name}-{number}" for number in range(len(self.assignment))]


class RecordedClient(NamedTuple):
    """A producer or consumer. ``assign``: (topic, number) it reads; ``subscribe``: topics it reads in its group."""

    id: str
    kind: str
    config: dict[str, str]
    assign: tuple[tuple[str, int], ...]
    subscribe: tuple[str, ...]
    group: str  # "": none
    via: tuple[int, ...]  # brokers it is told about; (): all


class SetupStep(NamedTuple):
    """A step before time 0, not timed by the script."""

    verb: str
    details: Details

    @property
    def named(self) -> list[Any]:
        """The nodes, clients, sides of a cut or rules that it names; [] if it names nothing."""
        return _named(self.details)


class RecordedAction(NamedTuple):
    """An action on the cluster, from ``start`` to ``end``."""

    start: float
    end: float
    verb: str
    details: Details

    @property
    def named(self) -> list[Any]:
        """The things that it names, as in a step of the setup."""
        return _named(self.details)


class NodeEvent(NamedTuple):
    """Something a broker or controller process said about itself."""

    t: float
    node: int
    event: str


class BrokerRecord(NamedTuple):
    """A registration (``kind`` REGISTERED) or a change of one (CHANGED) in the metadata log.

    ``fenced``: 1 fenced, -1 unfenced, 0 unchanged; ``shutting_down``: controlled shutdown begins.
    """

    t: float
    kind: str
    broker: int
    broker_epoch: int
    fenced: int
    shutting_down: bool
    rack: str | None


class PartitionRecord(NamedTuple):
    """A committed partition record: the first of a partition is full, the others have what changed."""

    t: float
    partition: str
    changes: Details


class Call(NamedTuple):
    """One ``send()``: ``done`` and ``outcome`` are None while no callback came; outcome OK or an exception class."""

    client: str
    partition: str
    value: str
    sent: float
    done: float | None
    outcome: str | None
    offset: int | None


class Read(NamedTuple):
    """One record that ``poll()`` returned, with the leader epoch it carried."""

    t: float
    client: str
    partition: str
    offset: int
    epoch: int
    value: str


class ClientEvent(NamedTuple):
    """``error`` (an exception out of poll), ``committed``, ``closed``, ``flushed``."""

    t: float
    client: str
    kind: str
    details: Details


class LogRecord(NamedTuple):
    """A record in a log."""

    offset: int
    epoch: int
    value: str


class RecordedFinalLog(NamedTuple):
    """The last leader's log after the end, and the whole log of each replica that is not equal to it."""

    replicas: tuple[int, ...]
    records: tuple[LogRecord, ...]
    different: dict[int, tuple[LogRecord, ...]]


@dataclass(frozen=True, slots=True)
class Recording:
    """One run. ``brokers`` (ids and racks), ``controllers``, ``elr`` and ``config`` describe the cluster."""

    kafka: str
    name: str
    title: str
    brokers: dict[int, str | None]
    controllers: tuple[int, ...]
    elr: bool
    config: dict[str, str]
    topics: tuple[RecordedTopic, ...]
    clients: tuple[RecordedClient, ...]
    setup: tuple[SetupStep, ...]
    actions: tuple[RecordedAction, ...]
    nodes: tuple[NodeEvent, ...]
    registrations: tuple[BrokerRecord, ...]
    metadata: tuple[PartitionRecord, ...]
    produce: tuple[Call, ...]
    reads: tuple[Read, ...]
    client_events: tuple[ClientEvent, ...]
    logs: dict[str, RecordedFinalLog]
    given: Details = field(repr=False)  # all that was given to the run (GIVEN), as it stood in the file
    replicas: tuple[object, ...] = field(default=(), repr=False)  # samples of what brokers held, for people

    def end(self) -> float:
        """The moment (s) at which the script ended: the end of its last action."""
        return max((action.end for action in self.actions), default=0.0)

    def times_of(self, verb: str) -> list[float]:
        """The start of each action with this verb, in order."""
        return [action.start for action in self.actions if action.verb == verb]
