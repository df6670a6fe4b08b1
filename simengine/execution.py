"""What the actions of a timeline do to a cluster.

An action is always possible: where it has no effect at its time (a dead broker is killed again) nothing follows its
``ActionDone``; where Kafka would answer an error, ``RequestRefused`` says so.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from simengine import controller_process
from simengine.admin_actions import AdminActions
from simengine.clients.interception import INTERCEPTION_NAMES, Interception
from simengine.clients.producer import Producer
from simengine.configs import Configs
from simengine.facts.decisive import ActionDone, LinkChanged, ServingChanged, SlowChanged
from simengine.facts.kinds import (
    CLIENT_OPEN,
    PROCESS_STOPPING,
)
from simengine.flows.process import MirrorProcess
from simengine.kafka.broker import RESUME_BY_CHANCE, RESUME_FAST, RESUME_SLOW, Broker
from simengine.kafka.power import AS_CHANCE_HAS_IT, lose_power
from simengine.kafka.process_start import DISK_KEPT, DISK_REPLACED, DISK_WIPED, ProcessStart
from simengine.kafka.quorum import Controller
from simengine.kafka.whys import SLOW_LINK_US
from simengine.kernel import by_hand
from simengine.kernel.node import Node
from simengine.no_effect import NoEffect
from simengine.scenario.actions import Action, rate_milli, split_partition
from simengine.scenario.durations import parse_duration

if TYPE_CHECKING:
    from simengine.assembly import Assembly

ACKS = {"0": 0, "1": 1, "all": -1}
DISKS = {"wiped": DISK_WIPED, "empty": DISK_REPLACED}
RESUMES = {"fast": RESUME_FAST, "slow": RESUME_SLOW}


class Executor:
    """Carries out actions on one assembled cluster."""

    def __init__(self, parts: "Assembly") -> None:
        self.parts = parts
        self.sim = parts.sim
        self.cluster = parts.cluster
        self.net = parts.net
        self.ground = parts.ground
        self.configs = Configs(parts.doc, self.cluster.quorum, self.cluster.own_topics())
        self.facts: dict[int, int] = {}  # ActionDone of an action of the timeline -> its place there
        self.idle: dict[int, str] = {}  # place in the timeline of an action that changed nothing -> why
        self._no_effect = NoEffect(parts, self.configs)
        self.admin = AdminActions(parts, self.configs)
        self._boot = self.sim.stream(parts.site.prefix + "process", "boot")
        self._power = {int(broker.id): self.sim.stream(broker.name, "power loss") for broker in self.cluster.brokers}
        self._verbs: dict[str, Callable[[tuple[str, ...], int], None]] = {
            "kill": self._kill,
            "stop": self._stop,
            "start": self._start,
            "pause": self._pause,
            "resume": self._resume,
            "kill-rack": self._kill_rack,
            "power-loss": self._power_loss,
            "start-rack": self._start_rack,
            "kill-site": self._kill_site,
            "start-site": self._start_site,
            "cut": self._cut,
            "heal": self._heal,
            "slow-link": self._slow_link,
            "slow": self._slow,
            "acks": self._acks,
            "rate": self._rate,
            "send": self._send,
            "resend": self._resend,
            "open": self._open,
            "close": self._close,
            "crash": self._crash,
            "commit": self._commit,
            "move": self._move,
            "late-heartbeat": self._late_heartbeat,
            "hold": self._hold,
            "deliver": self._deliver,
            "drop": self._drop,
            "intercept": self._intercept,
            "release": self._release,
            **self.admin.verbs,
        }

    def do(self, action: Action, text: str = "") -> int:
        """Carry out one action now; returns its ActionDone fact. ``text``: as the timeline has it, else as it is."""
        cause = int(self.sim.trace.state(ActionDone(0, index=self.ground.actions, text=text or str(action))))
        self.ground.actions += 1
        process = self.ground.process_of(action)
        if self.admin.missing_topic(action):
            self.admin.refuse_unknown(action, cause)
        elif process is not None:
            self._do_to_process(process, action, cause)
        else:
            self._verbs[action.verb](action.args, cause)
        return cause

    def do_of_timeline(self, action: Action, number: int, text: str) -> int:
        """Carry out an action of the timeline, and take note of it where it changes nothing; its fact."""
        missing = self.admin.missing_topic(action)
        reason = f"there is no topic {missing}" if missing else self._no_effect.reason(action)
        if reason:
            self.idle[number] = reason
        cause = self.do(action, text)
        self.facts[cause] = number
        return cause

    def do_as_well(self, action: Action, cause: int) -> None:
        """Do here what another cluster's executor has stated as the fact ``cause``: the action is of both."""
        self._verbs[action.verb](action.args, cause)

    def _do_to_process(self, process: MirrorProcess, action: Action, cause: int) -> None:
        """What is done to a process of MirrorMaker."""
        if action.verb == "start":
            process.start(parse_duration(action.args[2]) if len(action.args) > 2 else -1, cause)
        elif action.verb == "pause":
            process.pause(cause)
        elif action.verb == "resume":
            process.resume(cause)
        elif action.verb == "stop":
            process.stop(cause)
        else:
            process.kill(cause)

    # -- processes

    def _node(self, text: str) -> Node:
        """The node whose process an action names: of a controller that shares a broker's, that broker."""
        return self.parts.process_of(text)

    def _kill(self, args: tuple[str, ...], cause: int) -> None:
        self._kill_node(self._node(args[0]), cause)

    def _kill_node(self, node: Node, cause: int) -> None:
        if isinstance(node, Broker):
            node.start_pending = None
            if node.up:
                node.why = cause
                node.kill()
        elif isinstance(node, Controller):
            controller_process.kill(self.cluster.quorum, node, cause)

    def _power_loss(self, args: tuple[str, ...], cause: int) -> None:
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
        nodes: list[Node] = [*self.cluster.brokers, *self.cluster.controllers]
        return [node for node in nodes if node in named]

    def _stop(self, args: tuple[str, ...], cause: int) -> None:
        node = self._node(args[0])
        if isinstance(node, Broker):
            if node.up and node.process != PROCESS_STOPPING:
                node.why = cause
                node.stop()
        elif isinstance(node, Controller):
            controller_process.stop(self.cluster.quorum, node, cause)

    def _start(self, args: tuple[str, ...], cause: int) -> None:
        node = self._node(args[0])
        for host in (node, *self.parts.shared.get(int(node.id), [])):
            self.net.power_on(host)
        config = self.parts.config
        boot_us = int(self._boot.between(config.boot_min_us, config.boot_max_us))
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

    def _pause(self, args: tuple[str, ...], cause: int) -> None:
        node = self._node(args[0])
        if not node.up or node.paused:
            return
        if isinstance(node, Broker):
            node.why = cause
            node.pause_process()
        elif isinstance(node, Controller):
            controller_process.pause(self.cluster.quorum, node, cause)

    def _resume(self, args: tuple[str, ...], cause: int) -> None:
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

    def _kill_rack(self, args: tuple[str, ...], cause: int) -> None:
        for node in self._rack(args[0]):
            self._kill_node(node, cause)

    def _start_rack(self, args: tuple[str, ...], cause: int) -> None:
        self._start_all(self._rack(args[0]), cause)

    def _kill_site(self, _args: tuple[str, ...], cause: int) -> None:
        for node in self._nodes():
            self._kill_node(node, cause)

    def _start_site(self, _args: tuple[str, ...], cause: int) -> None:
        self._start_all(self._nodes(), cause)

    def _start_all(self, nodes: list[Node], cause: int) -> None:
        for node in nodes:
            if int(node.id) not in self.parts.homes:  # it starts with its broker
                self._start((str(int(self.parts.site.kafka_id(node.id))),), cause)

    # -- links

    def _say_link(self, a: Node, b: Node, cause: int) -> None:
        is_cut, slow_us = self.net.is_cut(a, b), self.net.slowness(a, b)
        fact = self.sim.trace.state(LinkChanged(cause, src=a.id, dst=b.id, cut=int(is_cut), slow_us=slow_us))
        if a.site is not b.site:
            return  # no cluster's brokers and controllers talk over it
        whys = self.ground.clusters[int(a.site.index)].cluster.whys
        is_whole = not is_cut and slow_us < SLOW_LINK_US
        whys.link_changed(a.id, b.id, fact, is_whole, self.sim.now)
        for node in (a, b):
            if isinstance(node, Broker) and node.up and not node.paused:  # else its links are not why it is silent
                node.why = fact
                whys.noticed(node.id, fact)

    def _cut(self, args: tuple[str, ...], cause: int) -> None:
        for a, b in self.ground.directions(args):
            if self.net.cut(a, b):
                self._say_link(a, b, cause)
        left, right = self.ground.sides(args)
        self._links_changed(left + right)

    def _heal(self, args: tuple[str, ...], cause: int) -> None:
        healed: list[Node] = []
        for a, b in self.ground.directions(args):
            if self.net.is_cut(a, b) or self.net.slowness(a, b):
                self.net.heal(a, b)
                self.net.slow_down(a, b, 0)
                self._say_link(a, b, cause)
                healed += (a, b)
        if not args:
            by_hand.release_all(self.net)
        elif healed:
            self.net.healed()
        self._links_changed(healed)

    def _links_changed(self, ends: list[Node]) -> None:
        for parts in self.ground.clusters_of(ends):
            parts.cluster.links_changed()

    def _hold(self, args: tuple[str, ...], cause: int) -> None:
        by_hand.hold(self.net, int(args[0]), cause)

    def _deliver(self, args: tuple[str, ...], cause: int) -> None:
        by_hand.deliver(self.net, int(args[0]), cause)

    def _drop(self, args: tuple[str, ...], cause: int) -> None:
        by_hand.drop(self.net, int(args[0]), cause)

    def _slow_link(self, args: tuple[str, ...], cause: int) -> None:
        added = parse_duration(args[3])
        for a, b in self.ground.directions(args):
            self.net.slow_down(a, b, added)
            self._say_link(a, b, cause)

    def _slow(self, args: tuple[str, ...], cause: int) -> None:
        node = self._node(args[0])
        assert isinstance(node, Broker), "only brokers fetch"
        if args[1] == "serving":
            self._slow_serving(node, args[2], cause)
            return
        node.fetchers.limit_intake(0 if args[1] == "off" else int(args[1]))
        limit = -1 if args[1] == "off" else int(args[1])
        fact = self.sim.trace.state(SlowChanged(cause, broker=node.id, per_s=limit))
        self.cluster.whys.pace_changed(node.id, fact, limit < 0, self.sim.now)

    def _slow_serving(self, node: Broker, limit: str, cause: int) -> None:
        per_s = -1 if limit == "off" else int(limit)
        fact = self.sim.trace.state(ServingChanged(cause, broker=node.id, per_s=per_s))
        self.cluster.whys.serving_changed(node.id, fact, per_s < 0, self.sim.now)
        node.serving.limit(max(per_s, 0))

    # -- clients

    def _acks(self, args: tuple[str, ...], cause: int) -> None:
        for i, producer in enumerate(self.parts.producers):
            if self.parts.doc.producers[i].topic == args[0]:
                producer.set_acks(ACKS[args[1]], cause)

    def _rate(self, args: tuple[str, ...], cause: int) -> None:
        producer = self.parts.clients[args[0]]
        assert isinstance(producer, Producer), "only producers have a rate"
        if len(args) > 2:
            partitions = [self._partition_of(producer, args[2])]
        elif producer.spread:
            partitions = list(producer.spread)
        else:
            model = next(p for p in self.parts.doc.producers if p.id == args[0])
            partitions = [self._partition_of(producer, f"{model.topic}-{n}") for n in model.partitions or ()]
        producer.set_rate(partitions, rate_milli(args[1]), cause)

    def _partition(self, text: str) -> int:
        return self.parts.partition_index[split_partition(text)]

    def _partition_of(self, producer: Producer, text: str) -> int:
        """The partition of a name as a producer knows it: for a while the old one, where a topic was created again."""
        known = self.parts.table.partitions_called(*split_partition(text))
        return next((p for p in reversed(known) if producer.has_calls_to(p)), known[-1])

    def _send(self, args: tuple[str, ...], cause: int) -> None:
        producer = self.parts.clients[args[0]]
        if isinstance(producer, Producer) and producer.state == CLIENT_OPEN:
            producer.send(self._partition_of(producer, args[1]), int(args[2]))

    def _resend(self, args: tuple[str, ...], cause: int) -> None:
        producer = self.parts.clients[args[0]]
        if isinstance(producer, Producer) and producer.state == CLIENT_OPEN:
            producer.send_again(self._partition_of(producer, args[1]), int(args[2]), int(args[3]))

    def _intercept(self, args: tuple[str, ...], cause: int) -> None:
        name, client, partition, n, what, delay = args
        producer = self.parts.clients[client]
        if isinstance(producer, Producer):
            kind = INTERCEPTION_NAMES.index(what)
            delay_us = parse_duration(delay)
            producer.intercept(Interception(name, self._partition_of(producer, partition), int(n), kind, delay_us))

    def _release(self, args: tuple[str, ...], cause: int) -> None:
        for producer in self.parts.producers:
            producer.release(args[0])

    def _open(self, args: tuple[str, ...], cause: int) -> None:
        client = self.parts.clients[args[0]]
        if client.state != CLIENT_OPEN:
            client.open(cause)

    def _close(self, args: tuple[str, ...], cause: int) -> None:
        client = self.parts.clients[args[0]]
        if client.state == CLIENT_OPEN:
            client.close(cause)

    def _crash(self, args: tuple[str, ...], cause: int) -> None:
        client = self.parts.clients[args[0]]
        if client.state == CLIENT_OPEN:
            client.crash(cause)

    def _commit(self, args: tuple[str, ...], cause: int) -> None:
        client = self.parts.clients[args[0]]
        if not isinstance(client, Producer) and client.state == CLIENT_OPEN:
            if len(args) > 1:
                client.commit(self._partition(args[1]), int(args[2]))
            else:
                client.commit(-1, -1)

    def _move(self, args: tuple[str, ...], cause: int) -> None:
        self.ground.moves.move(self.parts, args[0], self.ground.named(args[1]), "".join(args[2:]), cause)

    def _late_heartbeat(self, args: tuple[str, ...], cause: int) -> None:
        control = self.cluster.control()
        if control is not None:
            control.late_heartbeat(self.parts.number(args[0]), cause)
