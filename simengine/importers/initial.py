"""The state of one partition as a run can start from it: what was pasted, made consistent where it is not.

A listing is a moment seen through one node's metadata and may hold what a KRaft controller never keeps for long: a
leader outside the ISR, a live ISR member without leadership, an empty ISR without ELR. Each repair is reported.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from simengine.importers.model import NO_LEADER, PastedPartition

Report = Callable[[str, PastedPartition], None]


@dataclass(slots=True)
class Initial:
    """State of a partition at the start; ``lag``: records that a copy is behind the log end."""

    leader: int
    isr: list[int]
    elr: list[int]
    last_known: list[int]
    lag: dict[int, int] = field(default_factory=dict)


LED_BY_ALIVE = (
    "without leader although a broker of its ISR or ELR is alive: a controller elects it at once, so it leads"
)
LEADER_DEAD = "its leader is down in this scenario: the first live member of the ISR leads, or none"
LEADER_OUTSIDE = "its leader is no replica: the first live member of the ISR leads, or none"
LEADER_ADDED = "its leader is not in the ISR: added to it"
ISR_ALIVE_ONLY = "dead members are taken out of the ISR, as the controller does while there is a leader"
ISR_ASSUMED = (
    "no leader and an empty ISR, which a cluster without ELR never has: the first dead replica is taken as ISR"
)
LEADER_ASSUMED = "no leader and an empty ISR although all replicas are alive: the first replica leads"


def initial_state(row: PastedPartition, alive: dict[int, bool], elr_on: bool, backlog: int, report: Report) -> Initial:
    """The start of one partition. ``backlog``: records that a replica outside the ISR is behind."""
    isr = [broker for broker in row.isr if broker in row.replicas]
    elr = [broker for broker in row.elr or () if broker not in isr] if elr_on else []  # ELR-2: replicas or not
    last_known = [broker for broker in row.last_known if broker in row.replicas][:1] if elr_on else []
    state = Initial(row.leader, isr, elr, last_known)
    _settle_leader(state, row, alive, report)
    if state.leader == NO_LEADER and not state.isr and not elr_on:
        _settle_empty_isr(state, row, alive, report)
    state.lag = _lags(state, row, backlog)
    return state


def moves(row: PastedPartition) -> tuple[list[int], list[int]]:
    """Replicas that come and go in a reassignment in flight (REA-1), as far as the row can be true."""
    adding = [broker for broker in row.adding if broker in row.replicas and broker not in row.removing]
    removing = [broker for broker in row.removing if broker in row.replicas and broker not in row.adding]
    stays = [broker for broker in row.replicas if broker not in removing]
    return adding, removing if stays else []


def _settle_leader(state: Initial, row: PastedPartition, alive: dict[int, bool], report: Report) -> None:
    able = [broker for broker in row.replicas if broker in state.isr and alive[broker]]
    if state.leader == NO_LEADER:
        able = able or [broker for broker in row.replicas if broker in state.elr and alive[broker]]
        if able:
            report(LED_BY_ALIVE, row)
            state.leader = able[0]
    elif state.leader not in row.replicas or not alive[state.leader]:
        report(LEADER_DEAD if state.leader in row.replicas else LEADER_OUTSIDE, row)
        state.leader = able[0] if able else NO_LEADER
    if state.leader == NO_LEADER:
        return
    if state.leader not in state.isr:
        if row.leader == state.leader:
            report(LEADER_ADDED, row)
        state.isr.append(state.leader)
        state.elr = [broker for broker in state.elr if broker != state.leader]
    living = [broker for broker in state.isr if alive[broker]]
    if len(living) < len(state.isr):
        report(ISR_ALIVE_ONLY, row)
        state.isr = living


def _settle_empty_isr(state: Initial, row: PastedPartition, alive: dict[int, bool], report: Report) -> None:
    dead = [broker for broker in row.replicas if not alive[broker]]
    if dead:
        report(ISR_ASSUMED, row)
        state.isr = dead[:1]
    else:
        report(LEADER_ASSUMED, row)
        state.leader = row.replicas[0]
        state.isr = [state.leader]


def _lags(state: Initial, row: PastedPartition, backlog: int) -> dict[int, int]:
    """The lag of each replica that is in none of ISR, ELR and last known ELR; of an empty state, all but the first."""
    whole = [*state.isr, *state.elr, *state.last_known] or [row.replicas[0]]
    return {broker: backlog for broker in row.replicas if broker not in whole}
