"""Records handed over with acks=0 that have vanished, by incident: nobody was promised them; they stand beside the RPO.

They are counted at the newest incident that their own story names, as a loss is (``booked``); where it names none (an
election that somebody asked for, or that chance brought about), at none.
"""

from simengine.why.faults import faults_of
from simengine.why.incidents import Incident
from simengine.why.past import Past
from simengine.why.vanished import Told


def by_incident(stories: list[Told], past: Past, incidents: list[Incident]) -> dict[int, int]:
    """How many vanished by each incident, by its number."""
    numbers = {incident.at_us: i for i, incident in enumerate(incidents)}
    faults = {fact.seq: numbers[fact.t] for fact in faults_of(past)}
    found: dict[int, int] = {}
    for told in stories:
        named = [faults[seq] for seq in told.actions if seq in faults]
        if named:
            found[max(named)] = found.get(max(named), 0) + told.count
    return found
