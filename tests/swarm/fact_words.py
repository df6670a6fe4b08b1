"""A run's facts, and what its checkers say, in Kafka's words: names of partitions and clients, of errors and states."""

import re
from collections.abc import Callable
from typing import Any, Final

from simengine.explain.sentences import Words, acks_word
from simengine.facts.errors import ERROR_NAMES
from simengine.facts.kinds import (
    BROKER_REGISTRATION,
    CLIENT_CHANGED,
    CLIENT_NAMES,
    CONFIG_CHANGED,
    CONSUMER_ERROR,
    CONSUMER_RESET,
    ELECTION_NAMES,
    MSG_NAMES,
    PARTITION_CREATED,
    PROCESS_CHANGED,
    PROCESS_NAMES,
    REASON_NAMES,
    REG_NAMES,
    REQUEST_WAITS,
    RESET_NAMES,
    WAIT_NAMES,
    WRITE_FAILED,
)
from simengine.facts.reading import fields_of
from simengine.facts.schema import BY_NUMBER
from simengine.facts.trace import Decisive
from simengine.world.world import World

REPEATED: Final = (CONSUMER_ERROR, CONSUMER_RESET, WRITE_FAILED)  # by clients, each time that they try again
NOBODY: Final = ("leader", "controller", "broker")  # of these -1 is none
TABLES: Final[dict[str, tuple[str, ...] | dict[int, str]]] = {
    "reason": REASON_NAMES,
    "election": ELECTION_NAMES,
    "error": ERROR_NAMES,
    "msg": MSG_NAMES,
}
OF_KIND: Final = {
    (PROCESS_CHANGED, "state"): PROCESS_NAMES,
    (BROKER_REGISTRATION, "state"): REG_NAMES,
    (CLIENT_CHANGED, "state"): CLIENT_NAMES,
    (CONSUMER_RESET, "why"): RESET_NAMES,
    (REQUEST_WAITS, "why"): WAIT_NAMES,
}
LONGER: Final = {"p": "partition"}


class FactWords:
    """Words for the numbers of one run."""

    def __init__(self, world: World) -> None:
        names: Any = world.names()
        self._words = Words(names)
        self._partitions, self._clients = len(names["partitions"]), len(names["clients"])

    def told(self, text: str) -> str:
        """The words of a checker on partitions and clients, with names in place of their index in the run."""
        text = re.sub(r"\bpartition (\d+)\b", self._named(self._words.partition, self._partitions), text)
        return re.sub(r"\b(?:client|consumer) (\d+)\b", self._named(self._words.client, self._clients), text)

    def _named(self, name: Callable[[int], str], count: int) -> Callable[[re.Match[str]], str]:
        """Put a name for an index below ``count``."""

        def put(found: re.Match[str]) -> str:
            noun, index = found[0].split(" ")
            return f"{noun} {name(int(index))}" if int(index) < count else found[0]

        return put

    def line(self, fact: Decisive, count: int = 1, since_us: int = 0) -> str:
        """A fact as one line: time, kind, values by name; ``count`` alike since a moment."""
        values = fields_of(fact.row()).items()
        said = ", ".join(f"{LONGER.get(name, name)} {self._value(fact.kind, name, value)}" for name, value in values)
        alike = f" ({count} times since {since_us / 1e6:.6f} s)" if count > 1 else ""
        return f"{int(fact.t) / 1e6:.6f} s  {BY_NUMBER[fact.kind].name}: {said}{alike}"

    def _value(self, kind: int, name: str, value: Any) -> str:
        table = OF_KIND.get((kind, name)) or TABLES.get(name)
        if table is not None:
            return table[value] or "none"
        if value == -1 and name in (*NOBODY, "p"):
            return "none"
        if name == "p":
            return self._words.partition(value)
        if name == "client":
            return self._words.client(value)
        if name in ("node", "src", "dst"):
            return self._words.node(value)
        if name == "topic" and kind == PARTITION_CREATED:
            return self._words.topic(value)
        if name == "topic" and kind == CONFIG_CHANGED:
            return self._words.topic(value) if value >= -1 else f"broker {-2 - value}"
        return acks_word(value) if name == "acks" else str(value)
