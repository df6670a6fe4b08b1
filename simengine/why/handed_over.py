"""Records handed over with acks=0 that have vanished, by incident: nobody was promised them; they stand beside the RPO.

A record that was appended is counted with the incident that followed its append: it was cut off with its leader. One
that never was belongs to the fault before its hand-over (a connection into nothing, S05), or to one within theta after.
"""

from simengine.kernel.errors import ERR_NONE
from simengine.kernel.facts import APPENDED, CALLS_SETTLED
from simengine.verdict.outage import THETA_US
from simengine.why.evidence import Row
from simengine.why.incidents import Incident
from simengine.world import World

Call = tuple[int, int, int]  # producer, partition, number


class HandedOver:
    """Watches when the vanished calls were handed over and appended."""

    kinds: tuple[int, ...] = (CALLS_SETTLED, APPENDED)

    def __init__(self, world: World) -> None:
        ids = {str(producer.id): index for index, producer in enumerate(world.doc.producers)}
        self._at: dict[Call, tuple[int, bool]] = {}  # when, and whether that was its append
        for row in world.record_fates():
            if row["fate"] == "handed over, vanished":
                first, count, p = int(str(row["call"])), int(str(row["count"])), int(str(row["partition"]))
                client = ids.get(str(row["client"]), -1)
                self._at |= {(client, p, n): (-1, False) for n in range(first, first + count)}

    def feed(self, row: Row) -> None:
        """Note a hand-over or an append of a vanished call."""
        if not self._at:
            return
        if row[2] == CALLS_SETTLED:
            client, p, n, count, offset, _, error = row[4:11]
            if error == ERR_NONE and offset < 0:
                self._note(row[1], client, p, n, count, False)
        elif row[2] == APPENDED:
            _, p, _, count, _, client, n = row[4:11]
            self._note(row[1], client, p, n, count, True)

    def _note(self, t: int, client: int, p: int, n: int, count: int, is_append: bool) -> None:
        for call in range(n, n + count):
            known = self._at.get((client, p, call))
            if known is not None and (is_append or not known[1]):
                self._at[client, p, call] = (t, is_append)

    def by_incident(self, incidents: list[Incident]) -> dict[int, int]:
        """How many vanished by each incident, by its number."""
        found: dict[int, int] = {}
        for t, is_append in self._at.values():
            before = [i for i, incident in enumerate(incidents) if incident.at_us <= t]
            after = [i for i, incident in enumerate(incidents) if incident.at_us > t]
            is_next = after and (is_append or incidents[after[0]].at_us - t <= THETA_US or not before)
            place = after[0] if is_next else before[-1] if before else -1
            if place >= 0:
                found[place] = found.get(place, 0) + 1
        return found
