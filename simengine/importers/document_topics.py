"""The topics of a document: replica lists, the configs that a run obeys, and the state in which partitions start."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from simengine.importers import constraints
from simengine.importers.assumed import RECORDS_MAX, AssumedValues
from simengine.importers.initial import Initial, initial_state, moves
from simengine.importers.model import NO_LEADER, PastedCluster, PastedPartition, PastedTopic
from simengine.scenario import config_keys
from simengine.scenario.problems import FieldError

MIN_ISR: Final = "min.insync.replicas"

Copy = tuple[str, int, int]  # topic, partition, broker


@dataclass(slots=True)
class TopicEntries:
    """Makes the entries, and keeps what was repaired in states and left out of configs: for people to see.

    ``ends``: log ends of the partitions that a group of the paste reads; all others have the assumed one.
    """

    cluster: PastedCluster
    assumed: AssumedValues
    alive: dict[int, bool]
    elr: bool
    new_names: Mapping[str, str]
    ends: Mapping[tuple[str, int], int]
    offset_lags: dict[Copy, int] = field(init=False)  # records that copies are behind, as an output tells
    read_lags: dict[Copy, int] = field(default_factory=dict)  # those of them that a partition starts with
    assumed_lags: list[int] = field(default_factory=list)  # of each partition with a lag that nothing tells, the least
    with_outside: int = 0  # partitions with a running follower outside the ISR
    repairs: dict[str, list[str]] = field(default_factory=dict)
    dropped_configs: dict[str, list[str]] = field(default_factory=dict)
    idle_configs: dict[str, list[str]] = field(default_factory=dict)  # that change nothing in a run

    def __post_init__(self) -> None:
        stored = self.cluster.evidence.stored
        self.offset_lags = {(one.topic, one.number, one.broker): min(one.offset_lag, RECORDS_MAX) for one in stored}

    def of(self, topic: PastedTopic) -> dict[str, Any]:
        """The entry of a topic with its listed partitions."""
        numbers = sorted(topic.rows)
        has_gaps = numbers != list(range(len(numbers)))
        return {
            "name": self.new_names[topic.name],
            **({"partitions": numbers} if has_gaps else {}),
            **({"count": topic.declared} if _is_cut(topic) else {}),
            "assignment": [list(topic.rows[number].replicas) for number in numbers],
            "config": self._configs(topic),
            **({"observers": list(topic.observers)} if topic.observers else {}),
            "initial": {str(number): self._initial(topic.rows[number]) for number in numbers},
        }

    def _configs(self, topic: PastedTopic) -> dict[str, Any]:
        """The topic's configs that a run obeys, and the min.insync.replicas that its state proves."""
        kept: dict[str, Any] = {}
        for key, value in (topic.configs or {}).items():
            if key == constraints.KEY:
                continue
            if config_keys.is_ignored(config_keys.TOPIC, key):
                self.idle_configs.setdefault(key, []).append(self.new_names[topic.name])
                continue
            try:
                kept[key] = config_keys.read(config_keys.TOPIC, key, value)
            except FieldError:
                self.dropped_configs.setdefault(f"{key}={value}", []).append(self.new_names[topic.name])
        proved = self.cluster.evidence.min_isr_of.get(topic.name)
        if proved is not None and MIN_ISR not in kept:
            is_above = not proved.is_exact and self.assumed.min_insync_replicas >= proved.value
            if not is_above:
                kept[MIN_ISR] = proved.value
        return kept

    def _initial(self, row: PastedPartition) -> dict[str, Any]:
        state = initial_state(row, self.alive, self.elr, self.assumed.backlog, self._repaired)
        for broker in self.cluster.topics[row.topic].observers:
            state.lag.pop(broker, None)  # it copies all the time, in no ISR
        copies = {broker: (row.topic, row.number, broker) for broker in state.lag}
        told = {broker: self.offset_lags[copy] for broker, copy in copies.items() if copy in self.offset_lags}
        self.read_lags |= {copies[broker]: lag for broker, lag in told.items()}
        state.lag |= told
        entry: dict[str, Any] = {
            "leader": "none" if state.leader == NO_LEADER else state.leader,
            "isr": state.isr,
            "leo": max([self.ends.get((row.topic, row.number), self.assumed.log_end), *told.values()]),
        }
        if self.elr:
            entry |= {"elr": state.elr, "last_known": state.last_known}
        adding, removing = moves(row)
        if adding or removing:
            entry |= {"adding": adding, "removing": removing}
        outside = self._outside(row, state)
        self.with_outside += bool(outside)
        if outside and self.assumed.stay_out:
            entry["failed"] = outside
        if state.lag:
            entry["lag"] = {str(broker): min(lag, entry["leo"]) for broker, lag in state.lag.items()}
            guessed = [min(lag, entry["leo"]) for broker, lag in state.lag.items() if broker not in told]
            self.assumed_lags += [min(guessed)] if guessed else []
        return entry

    def _outside(self, row: PastedPartition, state: Initial) -> list[int]:
        """The running followers outside the ISR of a led partition; without observers and replicas that are added."""
        if state.leader == NO_LEADER:
            return []
        inside = [*state.isr, *moves(row)[0], *self.cluster.topics[row.topic].observers]
        return [broker for broker in row.replicas if self.alive[broker] and broker not in inside]

    def _repaired(self, what: str, row: PastedPartition) -> None:
        self.repairs.setdefault(what, []).append(f"{self.new_names[row.topic]}-{row.number}")


def _is_cut(topic: PastedTopic) -> bool:
    """True if its header counts more partitions than are listed, and the listed ones agree with it."""
    return topic.declared is not None and topic.declared > len(topic.rows) and topic.declared > max(topic.rows)
