"""Why an action would change nothing at this moment: the state that it asks for is there, or one that it needs is not.

A run still carries such an action out, and nothing follows its ``ActionDone``. Who replays actions in another run than
the one they were made for (a branch) leaves them out and gives the reason. What Kafka itself would refuse is not told
here: the run makes the call, and ``RequestRefused`` says what came of it.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from simengine.clients.producer import Producer
from simengine.configs import Configs, plain
from simengine.facts.kinds import CLIENT_OPEN, PROCESS_STOPPING
from simengine.kafka.broker import Broker
from simengine.kafka.quorum import Controller
from simengine.kernel import by_hand
from simengine.kernel.node import Node
from simengine.scenario.actions import SUBJECT_BROKER, Action, rate_milli, split_partition
from simengine.scenario.durations import parse_duration

if TYPE_CHECKING:
    from simengine.assembly import Assembly

ACKS = {"0": 0, "1": 1, "all": -1}


class NoEffect:
    """Looks at an assembled cluster as it is now."""

    def __init__(self, parts: "Assembly", configs: Configs) -> None:
        self._parts = parts
        self._net = parts.net
        self._configs = configs
        self._verbs: dict[str, Callable[[tuple[str, ...]], str]] = {
            "kill": lambda args: self._of_node(args[0], _kill),
            "stop": lambda args: self._of_node(args[0], _stop),
            "start": lambda args: self._of_node(args[0], _start),
            "pause": lambda args: self._of_node(args[0], _pause),
            "resume": lambda args: self._of_node(args[0], _resume),
            "kill-rack": lambda args: self._of_rack(args[0], _kill, "everything there is down already"),
            "start-rack": lambda args: self._of_rack(args[0], _start, "everything there runs already"),
            "kill-site": lambda _: self._of_all(_kill, "everything there is down already"),
            "start-site": lambda _: self._of_all(_start, "everything there runs already"),
            "power-loss": self._power_loss,
            "cut": self._cut,
            "heal": self._heal,
            "slow-link": self._slow_link,
            "slow": self._slow,
            "acks": self._acks,
            "rate": self._rate,
            "config": self._config,
            "open": lambda args: "it is open already" if self._is_open(args[0]) else "",
            "close": self._needs_open,
            "crash": self._needs_open,
            "commit": self._needs_open,
            "move": self._move,
            "send": self._needs_open,
            "resend": self._needs_open,
            "late-heartbeat": self._late_heartbeat,
            "hold": self._message,
            "deliver": self._message,
            "drop": self._message,
        }

    def reason(self, action: Action) -> str:
        """Why the action would change nothing now, as a clause about its subject; "" where it would."""
        process = self._parts.ground.process_of(action)
        if process is not None:
            return process.why_idle(action.verb)
        look = self._verbs.get(action.verb)
        return "" if look is None else look(action.args)

    # -- processes

    def _of_node(self, name: str, look: Callable[[Node], str]) -> str:
        return look(self._parts.process_of(name))

    def _of_rack(self, rack: str, look: Callable[[Node], str], words: str) -> str:
        nodes: list[Node] = [*self._parts.cluster.brokers, *self._parts.cluster.controllers]
        return words if all(look(node) for node in nodes if node.rack == rack) else ""

    def _of_all(self, look: Callable[[Node], str], words: str) -> str:
        nodes: list[Node] = [*self._parts.cluster.brokers, *self._parts.cluster.controllers]
        return words if all(look(node) for node in nodes) else ""

    def _power_loss(self, args: tuple[str, ...]) -> str:
        brokers: list[Node] = [*self._parts.cluster.brokers]
        named = [node for end in args[0].split(",") for node in self._parts.ends(end)] if args[0] != "all" else brokers
        return "it has no power already" if all(node.dark for node in named) else ""

    # -- links

    def _cut(self, args: tuple[str, ...]) -> str:
        is_cut = all(self._net.is_cut(a, b) for a, b in self._parts.ground.directions(args))
        return "these links are cut already" if is_cut else ""

    def _heal(self, args: tuple[str, ...]) -> str:
        pairs = self._parts.ground.directions(args)
        is_bad = any(self._net.is_cut(a, b) or self._net.slowness(a, b) for a, b in pairs)
        if is_bad or (not args and self._net.pinned):
            return ""
        return "these links are whole" if args else "no link is cut or slow"

    def _slow_link(self, args: tuple[str, ...]) -> str:
        added_us = parse_duration(args[3])
        is_so = all(self._net.slowness(a, b) == added_us for a, b in self._parts.ground.directions(args))
        return ("these links are that slow already" if added_us else "these links are at full speed") if is_so else ""

    def _slow(self, args: tuple[str, ...]) -> str:
        node = self._parts.ends(args[0])[0]
        if not isinstance(node, Broker):
            return ""
        limit = 0 if args[-1] == "off" else int(args[-1])
        if args[1] == "serving":
            if int(node.serving.per_s) != limit:
                return ""
            return "it serves with this limit already" if limit else "it serves without a limit"
        if int(node.intake_per_s) != limit:
            return ""
        return "its fetches have this limit already" if limit else "its fetches have no limit"

    # -- clients

    def _is_open(self, name: str) -> bool:
        return bool(self._parts.clients[name].state == CLIENT_OPEN)

    def _needs_open(self, args: tuple[str, ...]) -> str:
        return "" if self._is_open(args[0]) else "it is not open"

    def _acks(self, args: tuple[str, ...]) -> str:
        models = self._parts.doc.producers
        writers = [node for model, node in zip(models, self._parts.producers, strict=True) if model.topic == args[0]]
        if not writers:
            return "no producer writes to it"
        wanted = ACKS[args[1]]
        return "it is written so already" if all(node.settings.acks == wanted for node in writers) else ""

    def _rate(self, args: tuple[str, ...]) -> str:
        producer = self._parts.clients[args[0]]
        if not isinstance(producer, Producer):
            return ""
        now = int(producer.rate_milli())
        if len(args) > 2:
            p = self._parts.partition_index[split_partition(args[2])]
            now = next((int(calls.rate_milli) for calls in producer.calls if calls.p == p), 0)
        return "it has this rate already" if now == rate_milli(args[1]) else ""

    def _move(self, args: tuple[str, ...]) -> str:
        ground = self._parts.ground
        return ground.moves.why_idle(self._parts, args[0], ground.named(args[1]), "".join(args[2:]))

    # -- administration, messages

    def _config(self, args: tuple[str, ...]) -> str:
        subject, key, value = args
        index = self._parts.topic_index.get(subject, -1)
        if index >= 0:
            known = self._configs.of_topics[index]
        else:
            is_of_one = subject.startswith(SUBJECT_BROKER)
            broker = str(self._parts.number(subject.removeprefix(SUBJECT_BROKER))) if is_of_one else ""
            known = self._configs.committed_of_brokers().get(broker, {})
        return "it has this value already" if known.get(key) == plain(value) else ""

    def _late_heartbeat(self, args: tuple[str, ...]) -> str:
        control = self._parts.cluster.control()
        if control is None:
            return "no controller is active"
        return "it is not registered" if control.image.broker_epoch(self._parts.number(args[0])) < 0 else ""

    def _message(self, args: tuple[str, ...]) -> str:
        return "" if by_hand.is_under_way(self._net, int(args[0])) else "it is not under way"


def _kill(node: Node) -> str:
    is_due = node.start_pending is not None if isinstance(node, Broker) else _boots(node)
    return "" if node.up or is_due else "it is down already"


def _stop(node: Node) -> str:
    if _boots(node):
        return ""
    if not node.up:
        return "it is down already"
    return "it shuts down already" if _shuts_down(node) else ""


def _start(node: Node) -> str:
    if isinstance(node, Broker) and _shuts_down(node) and node.up:
        return "it starts again as soon as it is down" if node.start_pending is not None else ""
    if not node.up and not _boots(node):
        return ""
    return "it is paused, not down" if node.paused else "it runs already"


def _pause(node: Node) -> str:
    if not node.up:
        return "it is down"
    return "it is paused already" if node.paused else ""


def _resume(node: Node) -> str:
    if not node.up:
        return "it is down"
    return "" if node.paused else "it is not paused"


def _boots(node: Node) -> bool:
    """Whether a controller's process boots: a broker that boots counts as up."""
    return isinstance(node, Controller) and node.pending_boot


def _shuts_down(node: Node) -> bool:
    if isinstance(node, Broker):
        return bool(node.process == PROCESS_STOPPING)
    return isinstance(node, Controller) and node.stopping
