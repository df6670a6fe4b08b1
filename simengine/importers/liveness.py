"""Infers the brokers of a paste that are alive. No tool says so outright, but the rows do.

Alive: leads a partition, is in the ISR of one that has a leader, stands in the tool's own list of live brokers, or is
named only where it is being added (REA-1: a new broker is in no ISR before its copies are whole).
Dead: is outside the ISR of each partition that has a leader (ISR-8), or is one that would have been elected: a member
of the ISR of a partition without leader, of its ELR where the ISR is empty, or its last-known leader where both are
(ELEC-7, ELR-6).
Of any other broker the rows tell nothing: it is taken for running, and that is said. A listing with a filter may leave
out the partitions in which a broker is in sync: such a broker is taken for down, and that is said too.
"""

from dataclasses import dataclass

from simengine.importers.model import NO_LEADER, PastedBroker, PastedCluster, PastedPartition


@dataclass(frozen=True, slots=True)
class Life:
    """The state of a broker, alive or down, and the observation that says so; not ``told``: there is none."""

    alive: bool
    why: str
    told: bool = True


def infer(cluster: PastedCluster) -> dict[int, Life]:
    """The life of every named broker, by id: as the last moment shows it that tells of it."""
    copies: dict[int, list[PastedPartition]] = {}
    for row in cluster.rows():
        for broker in dict.fromkeys(row.named()):
            copies.setdefault(broker, []).append(row)
    return {broker: _life(broker, cluster, copies.get(broker, [])) for broker in sorted(cluster.brokers)}


def _life(broker: int, cluster: PastedCluster, copies: list[PastedPartition]) -> Life:
    rows_at: dict[int, list[PastedPartition]] = {}
    for row in copies:
        if not row.state_told:
            continue
        rows_at.setdefault(row.moment, []).append(row)
    first_moment = min(rows_at, default=0)
    for moment in sorted(rows_at, reverse=True):
        told = _alive(broker, rows_at[moment])
        if told is not None and _is_fenced_since(cluster.brokers[broker], rows_at[moment]):
            break
        if told is not None:
            return told
        if moment != first_moment and (dead := _dead(broker, cluster, rows_at[moment])):
            return dead
    said = cluster.brokers[broker].alive
    if said is not None:
        default = "it stands in the list of brokers" if said else "the list of brokers calls it fenced"
        return Life(said, cluster.brokers[broker].why or default)
    placed = _alive(broker, [row for row in copies if not row.state_told])
    if placed is not None:
        return placed
    offline = next((row for row in copies if broker in row.offline), None)
    if offline is not None:
        return Life(False, f"{offline.topic}-{offline.number} lists it as Offline")
    if copies and all(broker in one.adding for one in copies):
        first = copies[0]
        return Life(True, f"it is only being added, to {first.topic}-{first.number}: its copy is on the way")
    dead = _dead(broker, cluster, copies)
    return dead or Life(True, "no line tells whether it runs: taken for running", told=False)


def _is_fenced_since(broker: PastedBroker, rows: list[PastedPartition]) -> bool:
    """True if an output below these rows calls the broker fenced."""
    return broker.alive is False and not broker.is_unlisted and broker.line > max(row.line for row in rows)


def _alive(broker: int, rows: list[PastedPartition]) -> Life | None:
    """The sign of life in the rows of one moment: it leads, else it is in sync, else it observes. None: no sign."""
    led = [row for row in rows if row.leader != NO_LEADER]
    for row in led:
        if row.leader == broker:
            return Life(True, f"it leads {row.topic}-{row.number}")
    for row in led:
        if broker in row.isr and broker not in row.doubtful:
            return Life(True, f"it is in the ISR of {row.topic}-{row.number}, which has a leader")
    if any(broker in row.offline for row in rows):
        return None
    for row in rows:
        if broker in row.observers:
            return Life(True, f"an observer of {row.topic}-{row.number} that is not offline")
    return None


def _dead(broker: int, cluster: PastedCluster, rows: list[PastedPartition]) -> Life | None:
    """The sign in the rows of some moment that the broker is down; None where they do not tell."""
    away = [row for row in rows if row.leader != NO_LEADER and broker not in (*row.adding, *row.doubtful)]
    if away and all(cluster.topics[row.topic].filter for row in away):
        why = "it is in no ISR of the listed partitions; it may be in others, which the filter left out: taken for down"
        return Life(False, why, told=False)
    if away:
        return Life(False, "it leads nothing and is in no ISR of a partition that has a leader")
    for row in rows:
        if broker in _able(row):
            return Life(False, f"{row.topic}-{row.number} has no leader, and would have it if it ran")
    return None


def _able(row: PastedPartition) -> tuple[int, ...]:
    """The replicas that would lead a partition without leader if they ran (ELEC-7); all where no column tells."""
    if row.leader != NO_LEADER:
        return ()
    return row.isr or row.elr or row.last_known or row.replicas
