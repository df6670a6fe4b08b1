"""Which broker responded to a send() call: the traffic tells, as a retry may reach a later leader than the writer's."""

from typing import Final

from simengine.facts.kinds import CALLS_SETTLED, FLIGHT, FLIGHT_ENDED, MSG_PRODUCE_ANSWER
from simengine.why.evidence import Evidence, Row
from simengine.why.losses import Loss
from simengine.why.past import Past

UNDER_WAY: Final = -1


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

    kinds: tuple[int, ...] = (FLIGHT, FLIGHT_ENDED, CALLS_SETTLED)

    def __init__(self, acks: list[int]) -> None:
        self.found: dict[int, int] = {}  # broker, by acknowledgement
        self._acks = dict.fromkeys(acks)
        self._arrive: dict[int, int] = {}  # when, by flight
        self._ends: dict[int, tuple[int, int]] = {}  # broker and client, by flight

    def feed(self, row: Row) -> None:
        """Note a response on its way, what became of it, or what it ended."""
        seq, t, kind = row[:3]
        if kind == FLIGHT and row[4] == MSG_PRODUCE_ANSWER:
            self._arrive[seq] = row[7]
            self._ends[seq] = row[5], -1 - row[6]
        elif kind == FLIGHT_ENDED and row[4] in self._arrive:
            self._arrive[row[4]] = row[6]
        elif kind == CALLS_SETTLED and seq in self._acks:
            for flight, arrive in self._arrive.items():
                if arrive == t and self._ends[flight][1] == row[4]:
                    self.found[seq] = self._ends[flight][0]
        if len(self._arrive) > 1024:  # those that have arrived are of no use any more
            self._arrive = {flight: at for flight, at in self._arrive.items() if at >= t or at == UNDER_WAY}
            self._ends = {flight: self._ends[flight] for flight in self._arrive}
