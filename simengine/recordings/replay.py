"""Turns the facts of a simulated run back into a recording, with times relative to the script's time 0."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, Final

from simengine.facts.decisive import (
    BrokerRegistration,
    ClientChanged,
    ConsumerError,
    ControllerChanged,
    PartitionChanged,
    PartitionCreated,
    ProcessChanged,
    RecordsExpired,
)
from simengine.facts.errors import ERR_NO_OFFSET_FOR_PARTITION, ERR_NONE
from simengine.facts.kinds import (
    APPENDED,
    BROKER_REGISTRATION,
    CALLS_MADE,
    CALLS_SETTLED,
    CLIENT_CHANGED,
    CLIENT_CLOSED,
    CLIENT_CRASHED,
    CONSUMER_ERROR,
    CONTROLLER_CHANGED,
    DELIVERED,
    ELECTION_LAST_KNOWN,
    ELECTION_UNCLEAN,
    OFFSET_COMMITTED,
    PARTITION_CHANGED,
    PARTITION_CREATED,
    PROCESS_CHANGED,
    PROCESS_DOWN,
    PROCESS_PAUSED,
    PROCESS_RECOVERING,
    PROCESS_REGISTERING,
    PROCESS_RUNNING,
    PROCESS_STOPPING,
    REASON_ALTER_PARTITION,
    REASON_CONFIG,
    RECORDS_EXPIRED,
    REG_ACTIVE,
    REG_FENCED,
    REG_NAMES,
    REG_SHUTTING_DOWN,
)
from simengine.facts.reading import read
from simengine.facts.traffic import Appended, CallsMade, CallsSettled, Delivered, OffsetCommitted
from simengine.kernel.titles import partition_title
from simengine.recordings.exceptions import exception_class
from simengine.recordings.model import (
    CHANGED,
    OK,
    REGISTERED,
    BrokerRecord,
    Call,
    ClientEvent,
    Details,
    NodeEvent,
    PartitionRecord,
    Read,
    RecordedFinalLog,
    Recording,
)
from simengine.recordings.processes import ACTIVE, INACTIVE, REGISTERING, STARTED, STOPPED, STOPPING

KEPT_TRAFFIC: Final = [APPENDED, CALLS_MADE, CALLS_SETTLED, DELIVERED, OFFSET_COMMITTED]
US: Final = 1_000_000
DIGITS: Final = 3  # of a second, as in real recordings
NOBODY: Final = -1
INTERNAL: Final = "__"  # Kafka's own topics: no recording tells of them
RECOVERED: Final = 0  # leaderRecoveryState
RECOVERING: Final = 1  # the leader was elected uncleanly, and the ISR has not changed by AlterPartition since (UNC-*)
# in the order of real records
_FIELDS: Final = ("replicas", "leader", "epoch", "partitionEpoch", "isr", "elr", "lastKnownElr", "adding", "removing")
_OF_SNAPSHOT: Final = {
    **{key: key for key in ("leader", "epoch", "replicas", "isr", "elr", "adding", "removing")},
    "partitionEpoch": "pe",
    "lastKnownElr": "last_known",
}
NO_POSITION: Final = "Undefined offset with no reset policy for partitions: [{}]"  # of NoOffsetForPartitionException
# what a process says of itself when its state becomes this; how a JVM starts is not simulated (what it says from
# its start until the broker begins to register)
_OF_BROKERS: Final = {
    PROCESS_REGISTERING: (REGISTERING,),
    PROCESS_RECOVERING: ("state:RECOVERY",),
    PROCESS_RUNNING: ("state:RUNNING", STARTED),
    PROCESS_STOPPING: (STOPPING, "state:PENDING_CONTROLLED_SHUTDOWN"),
    PROCESS_DOWN: (STOPPED,),
}
_OF_CONTROLLERS: Final = {PROCESS_RUNNING: (STARTED,), PROCESS_STOPPING: (STOPPING,), PROCESS_DOWN: (STOPPED,)}
_REGISTRATION_CODES: Final = {name: code for code, name in enumerate(REG_NAMES)}


class ReplayRows:
    """Facts of one run, folded into the rows of a recording as they come.

    ``clients``: ids by index; ``racks``: of each broker; ``values``: what each producer's calls to each partition
    carry, in order.
    """

    def __init__(
        self,
        zero_us: int,
        clients: list[str],
        racks: dict[int, str | None],
        controllers: tuple[int, ...],
        values: dict[Any, list[str]],
    ) -> None:
        self.zero_us = zero_us
        self.clients = clients
        self.racks = racks
        self.controllers = controllers
        self.values = values
        self.partitions: dict[int, str] = {}
        self.nodes: list[NodeEvent] = []
        self.registrations: list[BrokerRecord] = []
        self.metadata: list[PartitionRecord] = []
        self.calls: dict[tuple[int, str], list[Call]] = {}  # by client and name: numbers go on in a topic made again
        self.order: list[tuple[int, str, int]] = []  # every call: client, partition, number
        self.reads: list[Read] = []
        self.client_events: list[ClientEvent] = []
        self.written: dict[tuple[int, int, int], str] = {}  # partition, epoch, offset -> value
        self.starts: dict[int, int] = {}  # where the log of a partition begins since retention removed records
        self.without_position: list[str] = []  # the partitions that the newest such exception names
        self._states: dict[int, Details] = {}
        self._leaders: dict[int, int] = {}
        self._registered: dict[int, tuple[int, int]] = {}  # broker -> broker epoch, state
        self._active = NOBODY
        self._processes: dict[int, int] = {}  # node -> PROCESS_*, if it ever changed; not PAUSED
        self._folds: dict[int, Callable[[float, Any], None]] = {
            PROCESS_CHANGED: self._process,
            CONTROLLER_CHANGED: self._controller,
            BROKER_REGISTRATION: self._registration,
            PARTITION_CREATED: self._created,
            PARTITION_CHANGED: self._changed,
            CALLS_MADE: self._called,
            CALLS_SETTLED: self._settled,
            APPENDED: self._appended,
            DELIVERED: self._delivered,
            RECORDS_EXPIRED: self._expired,
            CONSUMER_ERROR: self._threw,
            OFFSET_COMMITTED: self._committed,
            CLIENT_CHANGED: self._client,
        }

    def begin(self, snapshot: dict[str, Any], names: dict[str, Any]) -> None:
        """Take the state in which the run begins from its first snapshot."""
        self.name(names)
        t = self._seconds(0)
        self._controller(t, ControllerChanged(0, controller=snapshot["active"], epoch=0))
        for broker, state in snapshot["brokers"].items():
            code = _REGISTRATION_CODES.get(state["registration"], REG_FENCED)
            self._registration(t, BrokerRegistration(0, broker=int(broker), be=int(state["be"]), state=REG_FENCED))
            if code != REG_FENCED:
                self._registration(t, BrokerRegistration(0, broker=int(broker), be=int(state["be"]), state=code))
        for p, partition in enumerate(snapshot["partitions"]):
            known = {field: partition[_OF_SNAPSHOT[field]] for field in _FIELDS}
            self._record(t, p, {**known, "recovery": RECOVERED})

    def name(self, names: dict[str, Any]) -> None:
        """Learn the partitions' names; again after topics were created."""
        for p, (topic, number) in enumerate(names["partitions"]):
            self.partitions[p] = partition_title(names["topics"][topic], number)

    def fold(self, rows: Iterable[list[Any]]) -> None:
        """Take in the rows of facts, in their order."""
        folds = self._folds
        for row in rows:
            fold = folds.get(row[2])
            if fold is not None:
                fold(self._seconds(row[1]), read(row))

    def _seconds(self, us: int) -> float:
        return round((us - self.zero_us) / US, DIGITS)

    @property
    def active(self) -> int:
        """The active controller by the facts so far, or -1."""
        return self._active

    def leader(self, p: int) -> int:
        """The last leader that a partition had."""
        return self._leaders[p]

    def replicas(self, p: int) -> list[int]:
        """The replicas that a partition has, by its last record."""
        replicas = self._states[p]["replicas"]
        assert isinstance(replicas, list)
        return replicas

    def recording(self, given: Recording, logs: dict[str, RecordedFinalLog]) -> Recording:
        """The run in the form of a recording of the same script."""
        return replace(
            given,
            nodes=tuple(self.nodes),
            registrations=tuple(self.registrations),
            metadata=tuple(self.metadata),
            produce=tuple(self.produce()),
            reads=tuple(self.reads),
            client_events=tuple(self.client_events),
            logs=logs,
            replicas=(),
        )

    def produce(self) -> list[Call]:
        """Every call in the order in which they were made."""
        return [self.calls[client, partition][n] for client, partition, n in self.order]

    def _process(self, t: float, fact: ProcessChanged) -> None:
        node, state = fact.node, fact.state
        is_controller = node in self.controllers
        events = _OF_CONTROLLERS if is_controller else _OF_BROKERS
        before = self._processes.get(node, PROCESS_RUNNING)
        if state == PROCESS_PAUSED:
            return  # a paused process says nothing, and nothing when it goes on
        self._processes[node] = state
        if state != before and (state != PROCESS_DOWN or before == PROCESS_STOPPING):
            self.nodes += [NodeEvent(t, node, event) for event in events.get(state, ())]

    def _controller(self, t: float, fact: ControllerChanged) -> None:
        controller = fact.controller
        if controller == NOBODY:
            if self._active != NOBODY and self._processes.get(self._active) != PROCESS_DOWN:  # a dead one says nothing
                self.nodes.append(NodeEvent(t, self._active, INACTIVE))
        else:
            self.nodes.append(NodeEvent(t, controller, ACTIVE))
        self._active = controller

    def _registration(self, t: float, fact: BrokerRegistration) -> None:
        broker, epoch, state = fact.broker, fact.be, fact.state
        known = self._registered.get(broker)
        if known is None or known[0] != epoch:
            record = BrokerRecord(t, REGISTERED, broker, epoch, 1, False, self.racks.get(broker))
        else:
            fenced = {REG_FENCED: 1, REG_ACTIVE: -1}.get(state, 0)
            record = BrokerRecord(t, CHANGED, broker, epoch, fenced, state == REG_SHUTTING_DOWN, None)
        self._registered[broker] = (epoch, state)
        self.registrations.append(record)

    def _created(self, _t: float, fact: PartitionCreated) -> None:
        self.partitions.setdefault(fact.p, f"{fact.text}-{fact.number}")

    def _changed(self, t: float, fact: PartitionChanged) -> None:
        p = fact.p
        recovery = self._states.get(p, {}).get("recovery", RECOVERED)
        if fact.election in (ELECTION_UNCLEAN, ELECTION_LAST_KNOWN):
            recovery = RECOVERING
        elif fact.reason == REASON_ALTER_PARTITION:
            recovery = RECOVERED
        state: Details = {key: getattr(fact, _OF_SNAPSHOT[key]) for key in _FIELDS}
        state["recovery"] = recovery
        if fact.reason == REASON_CONFIG:
            self._states[p] = state  # Kafka clears ELRs with a record of its own kind, which recordings leave out
        else:
            self._record(t, p, state)

    def _record(self, t: float, p: int, state: Details) -> None:
        known = self._states.get(p, {})
        changes = {key: value for key, value in state.items() if key not in known or known[key] != value}
        self._states[p] = state
        if state["leader"] != NOBODY:
            self._leaders[p] = int(str(state["leader"]))
        if changes and not self.partitions[p].startswith(INTERNAL):
            self.metadata.append(PartitionRecord(t, self.partitions[p], changes))

    def _called(self, t: float, fact: CallsMade) -> None:
        client, p, n, count = fact.client, fact.p, fact.n, fact.count
        name, partition = self.clients[client], self.partitions[p]
        calls = self.calls.setdefault((client, partition), [])
        texts = self.values.get((name, partition), [])
        for number in range(n, n + count):
            value = texts[number] if number < len(texts) else f"{name}#{number}"
            calls.append(Call(name, partition, value, t, None, None, None))
            self.order.append((client, partition, number))

    def _settled(self, t: float, fact: CallsSettled) -> None:
        client, p, n, count, offset, error = fact.client, fact.p, fact.n, fact.count, fact.offset, fact.error
        calls = self.calls[client, self.partitions[p]]
        outcome = OK if error == ERR_NONE else exception_class(error)
        for i in range(count):
            place = None if error != ERR_NONE else offset + i if offset >= 0 else offset
            calls[n + i] = calls[n + i]._replace(done=t, outcome=outcome, offset=place)

    def _appended(self, _t: float, fact: Appended) -> None:
        p, epoch, base = fact.p, fact.epoch, fact.base
        for i in range(fact.count):
            self.written[p, epoch, base + i] = self.value(fact.client, p, fact.n + i)

    def _expired(self, _t: float, fact: RecordsExpired) -> None:
        self.starts[fact.p] = fact.start

    def value(self, client: int, p: int, n: int) -> str:
        """The value that call n of a producer to a partition carried."""
        calls = self.calls.get((client, self.partitions[p]), [])
        return calls[n].value if n < len(calls) else f"{client}#{n}"

    def _delivered(self, t: float, fact: Delivered) -> None:
        client, p, offset, count, epoch = fact.client, fact.p, fact.offset, fact.count, fact.epoch
        name, partition = self.clients[client], self.partitions[p]
        for i in range(offset, offset + count):
            self.reads.append(Read(t, name, partition, i, epoch, self.written.get((p, epoch, i), "?")))

    def _threw(self, t: float, fact: ConsumerError) -> None:
        client, p, error = fact.client, fact.p, fact.error
        name, partition = self.clients[client], self.partitions.get(p, "")
        details: Details = {"error": exception_class(error), "message": partition}
        event = ClientEvent(t, name, "error", details)
        if error == ERR_NO_OFFSET_FOR_PARTITION:  # one exception names all partitions without a position
            last = self.client_events[-1] if self.client_events else None
            if last is not None and (last.t, last.client, last.details.get("error")) == (t, name, details["error"]):
                self.client_events.pop()
            else:
                self.without_position = []
            self.without_position.append(partition)
            details["message"] = NO_POSITION.format(", ".join(self.without_position))
        self.client_events.append(event)

    def _committed(self, t: float, fact: OffsetCommitted) -> None:
        self.client_events.append(ClientEvent(t, self.clients[fact.client], "committed", {"offset": fact.offset}))

    def _client(self, t: float, fact: ClientChanged) -> None:
        client, state = fact.client, fact.state
        if state in (CLIENT_CLOSED, CLIENT_CRASHED) and t > -self.zero_us / US:
            self.client_events.append(ClientEvent(t, self.clients[client], "closed", {}))
