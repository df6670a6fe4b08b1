"""Actions on producers and consumers."""

from typing import TYPE_CHECKING, Final

from simengine.clients.producer.interception import INTERCEPTION_NAMES, Interception
from simengine.clients.producer.producer import Producer
from simengine.facts.kinds import CLIENT_OPEN
from simengine.scenario.arguments import rate_milli, split_partition
from simengine.scenario.durations import parse_duration
from simengine.world.actions.behaviour import Args, Behaviour
from simengine.world.client_moves import ClientMoves

if TYPE_CHECKING:
    from simengine.world.assembly import ClusterBuild

ACKS: Final = {"0": 0, "1": 1, "all": -1}


class ClientActions:
    """On the clients of one assembled cluster."""

    def __init__(self, parts: "ClusterBuild", moves: ClientMoves) -> None:
        self.parts = parts
        self.ground = parts.ground
        self.moves = moves
        self.verbs: dict[str, Behaviour] = {
            "acks": Behaviour(self._acks, self._why_no_acks),
            "rate": Behaviour(self._rate, self._why_no_rate),
            "send": Behaviour(self._send, self._needs_open),
            "resend": Behaviour(self._resend, self._needs_open),
            "intercept": Behaviour(self._intercept),
            "release": Behaviour(self._release),
            "open": Behaviour(self._open, lambda args: "it is open already" if self._is_open(args[0]) else ""),
            "close": Behaviour(self._close, self._needs_open),
            "crash": Behaviour(self._crash, self._needs_open),
            "commit": Behaviour(self._commit, self._needs_open),
            "move": Behaviour(self._move, self._why_no_move),
        }

    def _acks(self, args: Args, cause: int) -> None:
        for i, producer in enumerate(self.parts.producers):
            if self.parts.doc.producers[i].topic == args[0]:
                producer.set_acks(ACKS[args[1]], cause)

    def _why_no_acks(self, args: Args) -> str:
        models = self.parts.doc.producers
        writers = [node for model, node in zip(models, self.parts.producers, strict=True) if model.topic == args[0]]
        if not writers:
            return "no producer writes to it"
        wanted = ACKS[args[1]]
        return "it is written so already" if all(node.settings.acks == wanted for node in writers) else ""

    def _rate(self, args: Args, cause: int) -> None:
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

    def _why_no_rate(self, args: Args) -> str:
        producer = self.parts.clients[args[0]]
        if not isinstance(producer, Producer):
            return ""
        now = int(producer.rate_milli())
        if len(args) > 2:
            p = self._partition_of(producer, args[2])
            now = next((int(calls.rate_milli) for calls in producer.calls if calls.p == p), 0)
        return "it has this rate already" if now == rate_milli(args[1]) else ""

    def _partition(self, text: str) -> int:
        return self.parts.partition_index[split_partition(text)]

    def _partition_of(self, producer: Producer, text: str) -> int:
        """The partition of a name as a producer knows it: for a while the old one, where a topic was created again."""
        known = self.parts.table.partitions_called(*split_partition(text))
        return next((p for p in reversed(known) if producer.has_calls_to(p)), known[-1])

    def _send(self, args: Args, cause: int) -> None:
        producer = self.parts.clients[args[0]]
        if isinstance(producer, Producer) and producer.state == CLIENT_OPEN:
            producer.send(self._partition_of(producer, args[1]), int(args[2]))

    def _resend(self, args: Args, cause: int) -> None:
        producer = self.parts.clients[args[0]]
        if isinstance(producer, Producer) and producer.state == CLIENT_OPEN:
            producer.send_again(self._partition_of(producer, args[1]), int(args[2]), int(args[3]))

    def _intercept(self, args: Args, cause: int) -> None:
        name, client, partition, n, what, delay = args
        producer = self.parts.clients[client]
        if isinstance(producer, Producer):
            kind = INTERCEPTION_NAMES.index(what)
            delay_us = parse_duration(delay)
            producer.intercept(Interception(name, self._partition_of(producer, partition), int(n), kind, delay_us))

    def _release(self, args: Args, cause: int) -> None:
        for producer in self.parts.producers:
            producer.release(args[0])

    def _is_open(self, name: str) -> bool:
        return bool(self.parts.clients[name].state == CLIENT_OPEN)

    def _needs_open(self, args: Args) -> str:
        return "" if self._is_open(args[0]) else "it is not open"

    def _open(self, args: Args, cause: int) -> None:
        client = self.parts.clients[args[0]]
        if client.state != CLIENT_OPEN:
            client.open(cause)

    def _close(self, args: Args, cause: int) -> None:
        client = self.parts.clients[args[0]]
        if client.state == CLIENT_OPEN:
            client.close(cause)

    def _crash(self, args: Args, cause: int) -> None:
        client = self.parts.clients[args[0]]
        if client.state == CLIENT_OPEN:
            client.crash(cause)

    def _commit(self, args: Args, cause: int) -> None:
        client = self.parts.clients[args[0]]
        if not isinstance(client, Producer) and client.state == CLIENT_OPEN:
            if len(args) > 1:
                client.commit(self._partition(args[1]), int(args[2]))
            else:
                client.commit(-1, -1)

    def _move(self, args: Args, cause: int) -> None:
        self.moves.move(self.parts, args[0], self.ground.named(args[1]), "".join(args[2:]), cause)

    def _why_no_move(self, args: Args) -> str:
        there = self.parts.ground.named(args[1])
        return self.moves.why_idle(self.parts, args[0], there, "".join(args[2:]))
