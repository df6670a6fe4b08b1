"""Which broker responded to a send() call: the traffic tells, as a retry may reach a later leader than the writer's."""

from typing import Final

from simengine.facts.kinds import MSG_PRODUCE_ANSWER
from simengine.facts.traffic import CallsSettled, Flight, FlightEnded
from simengine.why.evidence import Evidence
from simengine.why.losses import Loss
from simengine.why.past import Past

UNDER_WAY: Final = -1
KEPT_MAX: Final = 1024  # responses


def acks_in_doubt(losses: list[Loss], evidence: Evidence, past: Past) -> list[int]:
    """The acknowledgements of lost records that came after another broker was to lead: their numbers as facts."""
    found: list[int] = []
    for loss in losses:
        to = past.fact(loss.cause)
        changes = past.leader_changes(loss.p, loss.epoch, to) if to is not None else []
        if changes:
            found += [ack.seq for ack in evidence.acks_of(loss.records) if ack.seq > changes[0].seq]
    return found


class Responders:
    """Finds who sent the response by which calls ended; ``acks``: the numbers of their CallsSettled facts."""

    kinds: tuple[int, ...] = (Flight.KIND, FlightEnded.KIND, CallsSettled.KIND)

    def __init__(self, acks: list[int]) -> None:
        self.found: dict[int, int] = {}  # broker, by acknowledgement
        self._acks = dict.fromkeys(acks)
        self._arrive: dict[int, int] = {}  # when, by flight
        self._ends: dict[int, tuple[int, int]] = {}  # broker and client, by flight

    def feed(self, fact: object) -> None:
        """Note a response on its way, what became of it, or what it ended."""
        if isinstance(fact, Flight) and fact.msg == MSG_PRODUCE_ANSWER:
            self._arrive[fact.seq] = fact.arrive
            self._ends[fact.seq] = fact.src, -1 - fact.dst
            self._forget(fact.t)
        elif isinstance(fact, FlightEnded) and fact.flight in self._arrive:
            self._arrive[fact.flight] = fact.arrive
        elif isinstance(fact, CallsSettled) and fact.seq in self._acks:
            for flight, arrive in self._arrive.items():
                if arrive == fact.t and self._ends[flight][1] == fact.client:
                    self.found[fact.seq] = self._ends[flight][0]

    def _forget(self, t: int) -> None:
        """Leave out responses that have arrived, where they are many: they are of no use any more."""
        if len(self._arrive) > KEPT_MAX:
            self._arrive = {flight: at for flight, at in self._arrive.items() if at >= t or at == UNDER_WAY}
            self._ends = {flight: self._ends[flight] for flight in self._arrive}
