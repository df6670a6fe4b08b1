"""The decisive events of a run in words: what was done, who led, what was cut and lost.

What merely accompanies another event is left out: how brokers follow the controller, the process that an action ends,
the links that it cuts, the state in which the run began, and that a broker is fenced which was fenced before.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from simengine.facts import kinds
from simengine.facts.decisive import (
    ActionDone,
    BrokerRegistration,
    ConsumerReset,
    ControllerChanged,
    DuplicateWritten,
    PartitionChanged,
    ProcessChanged,
    RecordsLost,
    Truncated,
)
from simengine.facts.trace import Decisive
from simengine.verdict.words import clause, node_name, partition_name
from simengine.words.phrases import plural
from simengine.world.cluster_facts import ClusterFacts
from simengine.world.view import named_clients

if TYPE_CHECKING:
    from simengine.kafka.cluster.cluster import Cluster
    from simengine.world.world import World

_TOLD = (
    ActionDone,
    ProcessChanged,
    BrokerRegistration,
    ControllerChanged,
    PartitionChanged,
    Truncated,
    RecordsLost,
    DuplicateWritten,
)
_RESET_WORDS = {
    kinds.RESET_EARLIEST: "by auto.offset.reset=earliest",
    kinds.RESET_LATEST: "by auto.offset.reset=latest",
    kinds.RESET_TRUNCATION: "where its records end in the leader's log",
    kinds.RESET_COMMITTED: "its committed offset",
    kinds.RESET_BY_DURATION: "by auto.offset.reset=by_duration",
    kinds.RESET_KEPT: "its position in the deleted topic of that name",
}


class ToldEvent(NamedTuple):
    """A decisive event and its sentence."""

    fact: Decisive
    text: str


def events_told(world: "World", most: int) -> tuple[int, list[tuple[int, str]]]:
    """The number of events, positions of consumers left out, and (us, sentence) of the last ``most`` of them."""
    events, registered = _events(world, _TOLD)
    return len(events), [(int(one.fact.t), one.text) for one in _sentences(world, events[-most:], registered)]


def told_events(world: "World") -> list[ToldEvent]:
    """All events with their sentences, in order; with the offsets at which consumers go on."""
    return _sentences(world, *_events(world, (*_TOLD, ConsumerReset)))


def _events(world: "World", told: tuple[type[Decisive], ...]) -> tuple[list[Decisive], set[int]]:
    """The facts that are told, and the numbers of those by which a new process registers."""
    decisive = world.trace.decisive
    actions = {int(fact.seq) for fact in decisive if isinstance(fact, ActionDone)}
    again, registered = _registrations(decisive)
    return [
        fact for fact in decisive if isinstance(fact, told) and _is_told(fact, actions) and int(fact.seq) not in again
    ], registered


def _sentences(world: "World", events: list[Decisive], registered: set[int]) -> list[ToldEvent]:
    of = ClusterFacts(world) if world.is_named else None
    clusters = [world.cluster_runs[of.told(fact.row())[0] if of is not None else 0].cluster for fact in events]
    clients = [str(one["id"]) for one in named_clients(world)]
    return [
        ToldEvent(
            fact,
            _position(fact, one, clients) if isinstance(fact, ConsumerReset) else _sentence(fact, one, registered),
        )
        for fact, one in zip(events, clusters, strict=True)
    ]


def _registrations(decisive: Sequence[Decisive]) -> tuple[set[int], set[int]]:
    """The facts that change nothing in how a broker is registered, and those by which a new process registers."""
    again, registered = set[int](), set[int]()
    last: dict[int, tuple[int, int]] = {}  # by broker: its broker epoch and state
    for fact in decisive:
        if not isinstance(fact, BrokerRegistration):
            continue
        broker, epoch, state = int(fact.broker), int(fact.be), int(fact.state)
        before = last.get(broker)
        if before == (epoch, state):
            again.add(int(fact.seq))
        elif before is not None and before[0] != epoch and state == kinds.REG_FENCED:
            registered.add(int(fact.seq))
        last[broker] = epoch, state
    return again, registered


def _is_told(fact: Decisive, actions: set[int]) -> bool:
    if fact.t == 0:
        return False
    if isinstance(fact, Truncated):
        return fact.old > fact.new  # nothing was cut off else
    return not isinstance(fact, ProcessChanged) or int(fact.cause) not in actions


def _position(fact: ConsumerReset, cluster: "Cluster", clients: list[str]) -> str:
    instead = f" instead of {fact.old}" if fact.old >= 0 else ""
    where = partition_name(int(fact.p), cluster)
    return (
        f"{clients[int(fact.client)]} goes on at offset {fact.new} of {where}{instead}, {_RESET_WORDS[int(fact.why)]}."
    )


def _sentence(fact: Decisive, cluster: "Cluster", registered: set[int]) -> str:
    text = _clause(fact, cluster)
    if isinstance(fact, ActionDone):
        return f"{text}."  # begins as it should: the name of a client or process stays as it is
    if isinstance(fact, BrokerRegistration) and int(fact.seq) in registered:
        text = f"{node_name(int(fact.broker), cluster)} was registered, fenced until it has caught up"
    topics = tuple(topic.site.prefix + topic.name for topic in cluster.topics)
    named = text.startswith(topics)  # a topic's name stays as it is
    return f"{text if named else text[0].upper() + text[1:]}."


def _clause(fact: Decisive, cluster: "Cluster") -> str:
    if isinstance(fact, ControllerChanged):
        if fact.controller >= 0:
            return f"controller {cluster.site.called(fact.controller)} became active in epoch {fact.epoch}"
        return f"no controller of {cluster.site.name} was active" if cluster.site.name else "no controller was active"
    if isinstance(fact, RecordsLost):
        where, count = partition_name(int(fact.p), cluster), int(fact.count)
        offsets = f"offsets {fact.base}–{fact.base + count - 1}" if count > 1 else f"offset {fact.base}"
        gone = plural(count, "acknowledged record is gone", "acknowledged records are gone")
        return f"{where}: {gone}, {offsets} of epoch {fact.epoch}"
    return clause(fact, cluster)[0]
