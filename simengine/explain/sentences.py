"""Facts as clauses in the past tense, with the rules behind them: the words of a chain."""

from typing import Any, Final

from simengine.facts.decisive import (
    ActionDone,
    BrokerRegistration,
    ClientChanged,
    ConfigChanged,
    LinkChanged,
    PartitionChanged,
    ProcessChanged,
    ServingChanged,
    SlowChanged,
)
from simengine.facts.kinds import (
    PROCESS_DOWN,
    PROCESS_NAMES,
    PROCESS_PAUSED,
    PROCESS_RECOVERING,
    PROCESS_REGISTERING,
    PROCESS_RUNNING,
    PROCESS_STARTING,
    PROCESS_STOPPING,
    REASON_REASSIGNMENT,
    REG_ACTIVE,
    REG_SHUTTING_DOWN,
)
from simengine.facts.trace import Decisive
from simengine.kernel.titles import partition_title
from simengine.scenario.action_words import clauses
from simengine.scenario.actions import NODE_VERBS
from simengine.verdict.words import brokers, pace, serving
from simengine.words.phrases import plural

Clause = tuple[str, tuple[str, ...]]

_PROCESS: Final[dict[int, Clause]] = {
    PROCESS_DOWN: ("died", ("FLT-3",)),
    PROCESS_PAUSED: ("was paused", ("FLT-2",)),
    PROCESS_STOPPING: ("shut down cleanly", ("SHUT-1",)),
    PROCESS_STARTING: ("started again", ("REG-1",)),
    PROCESS_REGISTERING: ("started again", ("REG-1",)),
    PROCESS_RECOVERING: ("started again", ("REG-1", "LOG-10")),
    PROCESS_RUNNING: ("ran again", ()),  # its rule is by what it was before
}


_REGISTERED: Final[dict[int, Clause]] = {
    REG_ACTIVE: ("was unfenced", ("LIVE-6",)),
    REG_SHUTTING_DOWN: ("began its controlled shutdown", ("SHUT-1",)),
}

_OF_ONE_NODE: Final = (*NODE_VERBS, "slow")


class Words:
    """The names behind the numbers of one run (``World.names``)."""

    def __init__(self, names: dict[str, Any]) -> None:
        self._topics: list[str] = names["topics"]
        self._partitions: list[list[int]] = names["partitions"]
        self._clients: list[dict[str, Any]] = names["clients"]
        self._brokers = {int(broker["id"]) for broker in names["brokers"]}

    def partition(self, p: int) -> str:
        """``orders-0``."""
        topic, number = self._partitions[p]
        return partition_title(self._topics[topic], number)

    def topic_of(self, p: int) -> int:
        """The index of a partition's topic."""
        return self._partitions[p][0]

    def topic(self, index: int) -> str:
        """A topic's name; the cluster for -1."""
        return self._topics[index] if index >= 0 else "the cluster"

    def is_broker(self, node: int) -> bool:
        """True if a node is a broker."""
        return node in self._brokers

    def client(self, index: int) -> str:
        """A client's name."""
        return str(self._clients[index]["id"])

    def node(self, node: int | str) -> str:
        """A node as sentences name it."""
        if isinstance(node, str):
            return node  # of a named cluster
        if node < 0:
            return self.client(-1 - node)
        return f"broker {node}" if self.is_broker(node) else f"controller {node}"

    def clause(self, fact: Decisive) -> Clause:
        """The words on a fact that something goes back to, and its rules."""
        if isinstance(fact, ProcessChanged):
            text, rules = _PROCESS.get(fact.state, (f"became {PROCESS_NAMES[fact.state]}", ()))
            if fact.state == PROCESS_DOWN and fact.left:
                text, rules = "ended its shutdown", ("SHUT-3",)
            return f"{self.node(fact.node)} {text}", rules
        if isinstance(fact, LinkChanged):
            return self._link(fact)
        if isinstance(fact, SlowChanged):
            return f"{self.node(fact.broker)} {pace(fact.per_s)}", ("FLT-1",)
        if isinstance(fact, ServingChanged):
            return f"{self.node(fact.broker)} {serving(fact.per_s)}", ("FLT-9",)
        if isinstance(fact, BrokerRegistration):
            said, rules = _REGISTERED.get(fact.state, ("was registered", ("REG-3",)))
            return f"{self.node(fact.broker)} {said}", rules
        if isinstance(fact, PartitionChanged):
            return self._change(fact)
        if isinstance(fact, ConfigChanged):
            return f"{self.topic(fact.topic)} got {fact.text}", ()
        if isinstance(fact, ClientChanged):
            return f"{self.client(fact.client)} was set to acks={acks_word(fact.acks)}", ("PROD-4",)
        if isinstance(fact, ActionDone):
            return clauses(fact.text, self.node), ()
        return fact.words or "something changed", ()

    def cut_from_controllers(self, fact: Decisive) -> int | None:
        """The broker that a cut link separates from a controller; None for any other fact."""
        if not isinstance(fact, LinkChanged) or not fact.cut or min(fact.src, fact.dst) < 0:
            return None
        brokers = [node for node in (fact.src, fact.dst) if self.is_broker(node)]
        return brokers[0] if len(brokers) == 1 else None

    def says(self, fact: Decisive, done: ActionDone) -> bool:
        """True if the words on a fact tell the action: done to this very node, pair of nodes or setting."""
        if isinstance(fact, ActionDone | ConfigChanged):
            return True
        verb, subject = done.verb, (*done.args, "")[0]  # heal may have no subject
        if isinstance(fact, ProcessChanged):
            return verb in _OF_ONE_NODE and subject == str(fact.node)
        if isinstance(fact, SlowChanged | ServingChanged):
            return verb in _OF_ONE_NODE and subject == str(fact.broker)
        if isinstance(fact, LinkChanged):
            return verb == "cut" and subject in (f"{fact.src}|{fact.dst}", f"{fact.dst}|{fact.src}")
        return False

    def _change(self, fact: PartitionChanged) -> Clause:
        if fact.reason == REASON_REASSIGNMENT:
            to = [member for member in fact.replicas if member not in fact.removing]
            return f"the reassignment of {self.partition(fact.p)} to {brokers(to)} began", ("REA-1",)
        return f"{self.partition(fact.p)} was led by {self.node(fact.leader)}, in epoch {fact.epoch}", ("STATE-4",)

    def _link(self, fact: LinkChanged) -> Clause:
        src, dst = fact.src, fact.dst
        if not fact.cut and not fact.slow_us:
            return f"{self.node(src)} and {self.node(dst)} could reach each other again", ()
        if not fact.cut:
            slower = f"slower by {fact.slow_us / 1000:g} ms"
            return f"the link from {self.node(src)} to {self.node(dst)} was {slower}", ("FLT-1",)
        a, b = sorted((self.node(src), self.node(dst)))
        return f"{a} and {b} could no longer reach each other", ("FLT-4",)


def acks_word(acks: int) -> str:
    """0, 1 or all."""
    return "all" if acks < 0 else str(acks)


def ranges(pairs: list[tuple[int, int]], most: int = 4) -> str:
    """Offsets base .. end-1 as ``95–99, 104``; beyond ``most`` ranges their number."""
    joined: list[tuple[int, int]] = []
    for base, end in sorted(pairs):
        if joined and base <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(joined[-1][1], end))
        else:
            joined.append((base, end))
    texts = [f"{base}–{end - 1}" if end - base > 1 else f"{base}" for base, end in joined[:most]]
    more = len(joined) - most
    return ", ".join(texts) + (f" and {plural(more, 'more range', 'more ranges')}" if more > 0 else "")


def offsets(pairs: list[tuple[int, int]]) -> str:
    """Offsets base .. end-1 as ``offset 95`` or ``offsets 95–99, 104``."""
    is_one = len(pairs) == 1 and pairs[0][1] - pairs[0][0] == 1
    return f"offset{'' if is_one else 's'} {ranges(pairs)}"
