"""The observations of one run: its facts by kind, snapshots at some moments, and the verdict at the end."""

from collections.abc import Iterable
from typing import Any, Final

from simengine.facts import kinds
from simengine.facts.errors import ERRORS_BY_NAME
from simengine.facts.reading import field
from simengine.facts.schema import BY_NUMBER, FACTS
from simengine.kernel.titles import partition_title
from simengine.scenario.arguments import split_partition
from simengine.scenario.expect.language import Expectation

Row = list[Any]
NAMES_OF: Final[dict[str, dict[str, tuple[str, ...]]]] = {
    "ProcessChanged": {"state": kinds.PROCESS_NAMES},
    "BrokerRegistration": {"state": kinds.REG_NAMES},
    "PartitionChanged": {"reason": kinds.REASON_NAMES, "election": kinds.ELECTION_NAMES},
    "ClientChanged": {"state": kinds.CLIENT_NAMES},
    "ConsumerReset": {"why": kinds.RESET_NAMES},
    "Flight": {"msg": kinds.MSG_NAMES},
    "FlightEnded": {"how": ("", "dropped", "delayed", "reset")},
}


class Observation:
    """Facts, snapshots and verdict of one run, with the names that its numbers stand for."""

    def __init__(self, names: dict[str, Any], until_us: int) -> None:
        self.until_us = until_us
        self.by_kind: dict[str, list[Row]] = {kind.name: [] for kind in FACTS}
        self.initial: dict[str, Any] = {"partitions": [], "brokers": {}}  # the snapshot at t=0
        self.snapshots: dict[int, dict[str, Any]] = {}
        self.metrics: dict[int, list[dict[str, Any]]] = {}  # readings at the moments of the snapshots
        self.verdict: dict[str, Any] = {}
        self.alerts: dict[str, list[tuple[int, str]]] = {}  # (time, state) of each rule, by its name
        self.name(names)

    def of(self, expectation: Expectation) -> "tuple[Observation, Expectation]":
        """The observations of an expectation's cluster, and the expectation in the names of that cluster."""
        return self, expectation

    def name(self, names: dict[str, Any]) -> None:
        """Takes the names a world gives; once more at the end, since topics are created during a run."""
        self.topics: list[str] = [str(topic) for topic in names["topics"]]
        self.partitions: list[str] = [
            partition_title(self.topics[topic], number) for topic, number in names["partitions"]
        ]
        self.clients: list[str] = [str(client["id"]) for client in names["clients"]]

    def add(self, rows: Iterable[Row]) -> None:
        """Takes more facts, in order."""
        for row in rows:
            self.by_kind[BY_NUMBER[row[2]].name].append(row)

    def rows(self, kind: str, start_us: int = 0, end_us: int | None = None) -> list[Row]:
        """The facts of `kind` from `start_us` to `end_us`, both included."""
        end = self.until_us if end_us is None else end_us
        return [row for row in self.by_kind[kind] if start_us <= row[1] <= end]

    def partition(self, name: str) -> int:
        """Index of a partition such as "t-0"; raises KeyError."""
        split_partition(name)
        if name not in self.partitions:
            raise KeyError(f"no partition {name} in this run")
        return self.partitions.index(name)

    def client(self, name: str) -> int:
        """The number by which facts name a client's node; raises KeyError."""
        if name not in self.clients:
            raise KeyError(f"no client {name} in this run")
        return -1 - self.clients.index(name)

    def client_in(self, row: Row, kind: str, name: str) -> bool:
        """True if the fact is about client `name`, however its number is written (index or node)."""
        value = int(field(row, kind, "client"))
        index = self.clients.index(name)
        return value in (index, -1 - index)

    def number(self, kind: str, key: str, wanted: object) -> object:
        """The value that a fact of `kind` holds where a document writes `wanted` for `key`."""
        if not isinstance(wanted, str):
            return wanted
        texts = NAMES_OF.get(kind, {}).get(key)
        if texts is not None and wanted in texts:
            return texts.index(wanted)
        if key == "error" and wanted in ERRORS_BY_NAME:
            return ERRORS_BY_NAME[wanted]
        if key in ("src", "dst") and wanted in self.clients:
            return self.client(wanted)
        if key == "topic" and wanted in self.topics:
            return self.topics.index(wanted)
        return wanted
