"""Actions on links, and on single messages that are under way."""

from typing import TYPE_CHECKING

from simengine.facts.decisive import LinkChanged
from simengine.kafka.broker.broker import Broker
from simengine.kafka.shared.causes import SLOW_LINK_US
from simengine.kernel import by_hand
from simengine.kernel.node import Node
from simengine.scenario.durations import parse_duration
from simengine.world.actions.behaviour import Args, Behaviour

if TYPE_CHECKING:
    from simengine.world.assembly import ClusterBuild


class LinkActions:
    """On the network of a world."""

    def __init__(self, parts: "ClusterBuild") -> None:
        self.sim = parts.sim
        self.net = parts.net
        self.ground = parts.ground
        self.verbs: dict[str, Behaviour] = {
            "cut": Behaviour(self._cut, self._why_no_cut),
            "heal": Behaviour(self._heal, self._why_no_heal),
            "slow-link": Behaviour(self._slow_link, self._why_no_slow_link),
            "hold": Behaviour(self._hold, self._why_no_message),
            "deliver": Behaviour(self._deliver, self._why_no_message),
            "drop": Behaviour(self._drop, self._why_no_message),
        }

    def _say_link(self, a: Node, b: Node, cause: int) -> None:
        is_cut, slow_us = self.net.is_cut(a, b), self.net.slowness(a, b)
        fact = self.sim.trace.state(LinkChanged(cause, src=a.id, dst=b.id, cut=int(is_cut), slow_us=slow_us))
        if a.site is not b.site:
            return  # no cluster's brokers and controllers talk over it
        causes = self.ground.clusters[int(a.site.index)].cluster.causes
        is_whole = not is_cut and slow_us < SLOW_LINK_US
        causes.link_changed(a.id, b.id, fact, is_whole, self.sim.now)
        for node in (a, b):
            if isinstance(node, Broker) and node.up and not node.paused:  # else its links are not why it is silent
                node.why = fact
                causes.noticed(node.id, fact)

    def _cut(self, args: Args, cause: int) -> None:
        for a, b in self.ground.directions(args[0]):
            if self.net.cut(a, b):
                self._say_link(a, b, cause)
        left, right = self.ground.sides(args[0])
        self._links_changed(left + right)

    def _why_no_cut(self, args: Args) -> str:
        is_cut = all(self.net.is_cut(a, b) for a, b in self.ground.directions(args[0]))
        return "these links are cut already" if is_cut else ""

    def _heal(self, args: Args, cause: int) -> None:
        healed: list[Node] = []
        for a, b in self.ground.directions("".join(args)):
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

    def _why_no_heal(self, args: Args) -> str:
        pairs = self.ground.directions("".join(args))
        is_bad = any(self.net.is_cut(a, b) or self.net.slowness(a, b) for a, b in pairs)
        if is_bad or (not args and self.net.pinned):
            return ""
        return "these links are whole" if args else "no link is cut or slow"

    def _links_changed(self, ends: list[Node]) -> None:
        for parts in self.ground.clusters_of(ends):
            parts.cluster.links_changed()

    def _slow_link(self, args: Args, cause: int) -> None:
        added = parse_duration(args[1])
        for a, b in self.ground.directions(args[0]):
            self.net.slow_down(a, b, added)
            self._say_link(a, b, cause)

    def _why_no_slow_link(self, args: Args) -> str:
        added_us = parse_duration(args[1])
        is_so = all(self.net.slowness(a, b) == added_us for a, b in self.ground.directions(args[0]))
        return ("these links are that slow already" if added_us else "these links are at full speed") if is_so else ""

    def _hold(self, args: Args, cause: int) -> None:
        by_hand.hold(self.net, int(args[0]), cause)

    def _deliver(self, args: Args, cause: int) -> None:
        by_hand.deliver(self.net, int(args[0]), cause)

    def _drop(self, args: Args, cause: int) -> None:
        by_hand.drop(self.net, int(args[0]), cause)

    def _why_no_message(self, args: Args) -> str:
        return "" if by_hand.is_under_way(self.net, int(args[0])) else "it is not under way"
