"""Actions on a broker that lives on: how fast it fetches and serves, and a heartbeat that it had sent."""

from typing import TYPE_CHECKING

from simengine.facts.decisive import ServingChanged, SlowChanged
from simengine.kafka.broker.broker import Broker
from simengine.world.actions.behaviour import Args, Behaviour

if TYPE_CHECKING:
    from simengine.world.assembly import ClusterBuild


class BrokerActions:
    """On the brokers of one assembled cluster."""

    def __init__(self, parts: "ClusterBuild") -> None:
        self.parts = parts
        self.sim = parts.sim
        self.cluster = parts.cluster
        self.verbs: dict[str, Behaviour] = {
            "slow": Behaviour(self._slow, self._why_not_slow),
            "late-heartbeat": Behaviour(self._late_heartbeat, self._why_no_late_heartbeat),
        }

    def _slow(self, args: Args, cause: int) -> None:
        node = self.parts.process_of(args[0])
        assert isinstance(node, Broker), "only brokers fetch"
        if args[1] == "serving":
            self._slow_serving(node, args[2], cause)
            return
        node.fetchers.limit_intake(0 if args[1] == "off" else int(args[1]))
        limit = -1 if args[1] == "off" else int(args[1])
        fact = self.sim.trace.state(SlowChanged(cause, broker=node.id, per_s=limit))
        self.cluster.causes.pace_changed(node.id, fact, limit < 0, self.sim.now)

    def _slow_serving(self, node: Broker, limit: str, cause: int) -> None:
        per_s = -1 if limit == "off" else int(limit)
        fact = self.sim.trace.state(ServingChanged(cause, broker=node.id, per_s=per_s))
        self.cluster.causes.serving_changed(node.id, fact, per_s < 0, self.sim.now)
        node.serving.limit(max(per_s, 0))

    def _why_not_slow(self, args: Args) -> str:
        node = self.parts.ends(args[0])[0]
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

    def _late_heartbeat(self, args: Args, cause: int) -> None:
        control = self.cluster.control()
        if control is not None:
            control.late_heartbeat(self.parts.number(args[0]), cause)

    def _why_no_late_heartbeat(self, args: Args) -> str:
        control = self.parts.cluster.control()
        if control is None:
            return "no controller is active"
        return "it is not registered" if control.image.broker_epoch(self.parts.number(args[0])) < 0 else ""
