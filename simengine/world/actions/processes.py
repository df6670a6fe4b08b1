"""Actions on processes and hosts: of one node, of a rack, of a whole cluster."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from simengine.facts.kinds import PROCESS_STOPPING
from simengine.kafka.broker.broker import RESUME_BY_CHANCE, RESUME_FAST, RESUME_SLOW, Broker
from simengine.kafka.broker.process_start import DISK_KEPT, DISK_REPLACED, DISK_WIPED, ProcessStart
from simengine.kafka.cluster.power import AS_CHANCE_HAS_IT, lose_power
from simengine.kafka.controller.quorum import Controller
from simengine.kernel.node import Node
from simengine.scenario.durations import parse_duration
from simengine.world import controller_process
from simengine.world.actions.behaviour import Args, Behaviour

if TYPE_CHECKING:
    from simengine.world.assembly import ClusterBuild

DISKS: Final = {"wiped": DISK_WIPED, "empty": DISK_REPLACED}
RESUMES: Final = {"fast": RESUME_FAST, "slow": RESUME_SLOW}
BOOT_MIN_US: Final = 2_000_000
BOOT_MAX_US: Final = 3_000_000
ALL_DOWN: Final = "everything there is down already"
ALL_RUN: Final = "everything there runs already"


class ProcessActions:
    """On one assembled cluster."""

    def __init__(self, parts: "ClusterBuild") -> None:
        self.parts = parts
        self.cluster = parts.cluster
        self.net = parts.net
        self._boot = parts.sim.stream(parts.site.prefix + "process", "boot")
        self._power = {int(broker.id): parts.sim.stream(broker.name, "power loss") for broker in self.cluster.brokers}
        self.verbs: dict[str, Behaviour] = {
            "kill": Behaviour(self._kill, lambda args: _why_not_kill(self._node(args[0]))),
            "stop": Behaviour(self._stop, lambda args: _why_not_stop(self._node(args[0]))),
            "start": Behaviour(self._start, lambda args: _why_not_start(self._node(args[0]))),
            "pause": Behaviour(self._pause, lambda args: _why_not_pause(self._node(args[0]))),
            "resume": Behaviour(self._resume, lambda args: _why_not_resume(self._node(args[0]))),
            "kill-rack": Behaviour(self._kill_rack, lambda args: _of_all(self._rack(args[0]), _why_not_kill, ALL_DOWN)),
            "start-rack": Behaviour(
                self._start_rack, lambda args: _of_all(self._rack(args[0]), _why_not_start, ALL_RUN)
            ),
            "kill-site": Behaviour(self._kill_site, lambda _: _of_all(self._nodes(), _why_not_kill, ALL_DOWN)),
            "start-site": Behaviour(self._start_site, lambda _: _of_all(self._nodes(), _why_not_start, ALL_RUN)),
            "power-loss": Behaviour(self._power_loss, self._why_no_power_loss),
        }

    def _node(self, text: str) -> Node:
        """The node whose process an action names: of a controller that shares a broker's, that broker."""
        return self.parts.process_of(text)

    def _kill(self, args: Args, cause: int) -> None:
        self._kill_node(self._node(args[0]), cause)

    def _kill_node(self, node: Node, cause: int) -> None:
        if isinstance(node, Broker):
            node.start_pending = None
            if node.up:
                node.why = cause
                node.kill()
        elif isinstance(node, Controller):
            controller_process.kill(self.cluster.quorum, node, cause)

    def _stop(self, args: Args, cause: int) -> None:
        node = self._node(args[0])
        if isinstance(node, Broker):
            if node.up and node.process != PROCESS_STOPPING:
                node.why = cause
                node.stop()
        elif isinstance(node, Controller):
            controller_process.stop(self.cluster.quorum, node, cause)

    def _start(self, args: Args, cause: int) -> None:
        node = self._node(args[0])
        for host in (node, *self.parts.shared.get(int(node.id), [])):
            self.net.power_on(host)
        boot_us = int(self._boot.between(BOOT_MIN_US, BOOT_MAX_US))
        if args[-2:-1] == ("after",):
            boot_us = parse_duration(args[-1])
        if isinstance(node, Broker):
            disk = DISKS.get(args[1], DISK_KEPT) if len(args) > 1 else DISK_KEPT
            self._start_broker(node, ProcessStart(boot_us, disk, cause))
        elif isinstance(node, Controller):
            controller_process.start(self.cluster.quorum, node, boot_us, cause)

    def _start_broker(self, node: Broker, start: ProcessStart) -> None:
        if not node.up:
            node.start(start)
        elif node.process == PROCESS_STOPPING:
            node.start_pending = start

    def _pause(self, args: Args, cause: int) -> None:
        node = self._node(args[0])
        if not node.up or node.paused:
            return
        if isinstance(node, Broker):
            node.why = cause
            node.pause_process()
        elif isinstance(node, Controller):
            controller_process.pause(self.cluster.quorum, node, cause)

    def _resume(self, args: Args, cause: int) -> None:
        node = self._node(args[0])
        if not node.up or not node.paused:
            return
        if isinstance(node, Broker):
            node.why = cause
            node.resume_process(RESUMES[args[1]] if len(args) > 1 else RESUME_BY_CHANCE)
        elif isinstance(node, Controller):
            controller_process.resume(self.cluster.quorum, node, cause)

    def _nodes(self) -> list[Node]:
        return [*self.cluster.brokers, *self.cluster.controllers]

    def _rack(self, rack: str) -> list[Node]:
        return [node for node in self._nodes() if node.rack == rack]

    def _kill_rack(self, args: Args, cause: int) -> None:
        for node in self._rack(args[0]):
            self._kill_node(node, cause)

    def _start_rack(self, args: Args, cause: int) -> None:
        self._start_all(self._rack(args[0]), cause)

    def _kill_site(self, _args: Args, cause: int) -> None:
        for node in self._nodes():
            self._kill_node(node, cause)

    def _start_site(self, _args: Args, cause: int) -> None:
        self._start_all(self._nodes(), cause)

    def _start_all(self, nodes: list[Node], cause: int) -> None:
        for node in nodes:
            if int(node.id) not in self.parts.homes:  # it starts with its broker
                self._start((str(int(self.parts.site.kafka_id(node.id))),), cause)

    def _power_loss(self, args: Args, cause: int) -> None:
        records = int(args[1]) if len(args) > 1 else AS_CHANCE_HAS_IT
        for node in self._hosts(args[0]):
            if isinstance(node, Broker):
                node.start_pending = None
                node.why = cause
                for controller in self.parts.shared.get(int(node.id), []):
                    self.net.power_off(controller)
                lose_power(node, records, self._power[int(node.id)], cause)
            elif isinstance(node, Controller):
                self.net.power_off(node)
                controller_process.kill(self.cluster.quorum, node, cause)

    def _hosts(self, text: str) -> list[Node]:
        """The hosts that a comma list of nodes and racks names, in order of the cluster; ``all``: every broker's."""
        if text == "all":
            return [*self.cluster.brokers]
        named = [node for end in text.split(",") for node in self.parts.ends(end)]
        named = [self.parts.homes.get(int(node.id), node) for node in named]
        return [node for node in self._nodes() if node in named]

    def _why_no_power_loss(self, args: Args) -> str:
        return "it has no power already" if all(node.dark for node in self._hosts(args[0])) else ""


def _of_all(nodes: list[Node], why_not: Callable[[Node], str], words: str) -> str:
    return words if all(why_not(node) for node in nodes) else ""


def _why_not_kill(node: Node) -> str:
    is_due = node.start_pending is not None if isinstance(node, Broker) else _boots(node)
    return "" if node.up or is_due else "it is down already"


def _why_not_stop(node: Node) -> str:
    if _boots(node):
        return ""
    if not node.up:
        return "it is down already"
    return "it shuts down already" if _shuts_down(node) else ""


def _why_not_start(node: Node) -> str:
    if isinstance(node, Broker) and _shuts_down(node) and node.up:
        return "it starts again as soon as it is down" if node.start_pending is not None else ""
    if not node.up and not _boots(node):
        return ""
    return "it is paused, not down" if node.paused else "it runs already"


def _why_not_pause(node: Node) -> str:
    if not node.up:
        return "it is down"
    return "it is paused already" if node.paused else ""


def _why_not_resume(node: Node) -> str:
    if not node.up:
        return "it is down"
    return "" if node.paused else "it is not paused"


def _boots(node: Node) -> bool:
    """True if a controller's process boots: a broker that boots counts as up."""
    return isinstance(node, Controller) and node.pending_boot


def _shuts_down(node: Node) -> bool:
    if isinstance(node, Broker):
        return bool(node.process == PROCESS_STOPPING)
    return isinstance(node, Controller) and node.stopping
