"""Which brokers of a paste are alive. No tool says so outright, but the rows do.

Alive: leads a partition, is in the ISR of one that has a leader, stands in the tool's own list of live brokers, or is
named only where it is being added (REA-1: a new broker is in no ISR before its copies are whole).
Dead: is outside the ISR of each partition that has a leader (ISR-8), or is one that would have been elected: a member
of the ISR of a partition without leader, or of its ELR or last known ELR where the ISR is empty (ELEC-7).
Of any other broker the rows tell nothing: it is taken for running, and that is said.
"""

from dataclasses import dataclass

from simengine.importers.model import NO_LEADER, Cluster, Row


@dataclass(frozen=True, slots=True)
class Life:
    """Whether a broker runs, and the observation that says so; not ``told``: there is none."""

    alive: bool
    why: str
    told: bool = True


def infer(cluster: Cluster) -> dict[int, Life]:
    """The life of every named broker, by id."""
    signs: dict[int, Life] = {}
    offline: dict[int, Row] = {}
    for row in cluster.rows():
        _take(row, signs)
        offline.update((broker, row) for broker in row.offline)
    for row in cluster.rows():
        for broker in row.observers:
            if broker not in offline:
                signs.setdefault(broker, Life(True, f"an observer of {row.topic}-{row.number} that is not offline"))
    return {broker: _life(broker, cluster, signs, offline) for broker in sorted(cluster.brokers)}


def _take(row: Row, signs: dict[int, Life]) -> None:
    if row.leader == NO_LEADER:
        return
    name = f"{row.topic}-{row.number}"
    signs.setdefault(row.leader, Life(True, f"it leads {name}"))
    for broker in row.isr:
        signs.setdefault(broker, Life(True, f"it is in the ISR of {name}, which has a leader"))


def _life(broker: int, cluster: Cluster, signs: dict[int, Life], offline: dict[int, Row]) -> Life:
    if broker in signs:
        return signs[broker]
    said = cluster.brokers[broker].alive
    if said is not None:
        default = "it stands in the list of brokers" if said else "the list of brokers calls it fenced"
        return Life(said, cluster.brokers[broker].why or default)
    if broker in offline:
        row = offline[broker]
        return Life(False, f"{row.topic}-{row.number} lists it as Offline")
    copies = [one for one in cluster.rows() if broker in one.replicas]
    if copies and all(broker in one.adding for one in copies):
        first = copies[0]
        return Life(True, f"it is only being added, to {first.topic}-{first.number}: its copy is on the way")
    if any(one.leader != NO_LEADER for one in copies):
        return Life(False, "it leads nothing and is in no ISR of a partition that has a leader")
    for one in copies:
        if broker in _able(one):
            return Life(False, f"{one.topic}-{one.number} has no leader, and would have it if it ran")
    return Life(True, "no line tells whether it runs: taken for running", told=False)


def _able(row: Row) -> tuple[int, ...]:
    """Who would lead a partition without leader if it ran (ELEC-7); all replicas where no column tells."""
    if row.isr:
        return row.isr
    return (*(row.elr or ()), *row.last_known) or row.replicas
