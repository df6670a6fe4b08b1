"""The checks of the state in which one partition starts (`initial`): members, leader, logs."""

from collections.abc import Iterator
from itertools import pairwise

from simengine.scenario.limits import LOG_RECORDS_MAX
from simengine.scenario.model import InitialLog, InitialPartition
from simengine.scenario.problems import Problem, shown

RUNNING = "running"


def check(path: str, state: InitialPartition, replicas: list[int], states: dict[int, str], elr: bool) -> list[Problem]:
    """Everything that is wrong with one start state. `states`: of all brokers, by id."""
    problems = [*_members(path, state, replicas), *_elr(path, state, elr), *_eligible(path, state, states)]
    problems += _reassignment(path, state, replicas)
    problems += _failed(path, state)
    problems += _without_leader(path, state, states) if state.leader == -1 else _leader(path, state, states)
    for member, lag in state.lag.items():
        if lag > state.leo:
            place = f"{path}.lag.{member}"
            problems.append(Problem(place, str(lag), "behind by more than the log has", f"0 to {state.leo}"))
    for member, log in state.logs.items():
        place = f"{path}.logs.{member}"
        if member in state.lag:
            problems.append(Problem(place, "", "a copy has either a lag or a log of its own"))
        problems += _log(place, log, state.epoch)
    return problems


def _members(path: str, state: InitialPartition, replicas: list[int]) -> Iterator[Problem]:
    """Whoever is named is a replica, and named once."""
    named = {"isr": state.isr, "last_known": state.last_known}
    named |= {"adding": state.adding, "removing": state.removing, "failed": state.failed}
    named |= {"copying": state.copying, "lag": list(state.lag), "logs": list(state.logs)}
    for key, members in named.items():
        place = f"{path}.{key}"
        strangers = [member for member in members if member not in replicas]
        yield from [Problem(place, str(member), "not one of the replicas", str(replicas)) for member in strangers]
        yield from _twice(place, members)


def _eligible(path: str, state: InitialPartition, states: dict[int, str]) -> list[Problem]:
    """ELR-2: a broker that a reassignment has removed may still be in the ELR."""
    place, allowed = f"{path}.elr", ", ".join(map(str, states))
    strangers = [member for member in state.elr if member not in states]
    problems = [Problem(place, str(member), f"there is no broker {member}", allowed) for member in strangers]
    return problems + _twice(place, state.elr)


def _twice(place: str, members: list[int]) -> list[Problem]:
    if len(dict.fromkeys(members)) == len(members):
        return []
    return [Problem(place, str(members), "a broker is named twice", "each broker once")]


def _elr(path: str, state: InitialPartition, elr: bool) -> list[Problem]:
    """The problems of an ELR or an empty ISR, with eligible leader replicas on or off."""
    both = [member for member in state.elr if member in state.isr]
    problems = [Problem(f"{path}.elr", str(member), "a member of the ISR is not in the ELR") for member in both]
    if not elr and (state.elr or state.last_known):
        problems.append(Problem(f"{path}.elr", str(state.elr), "ELR is off in this document", "no elr, or elr: true"))
    if not elr and not state.isr:
        problems.append(
            Problem(f"{path}.isr", "[]", "without ELR the ISR is never empty (ELEC-7)", "one or more replicas")
        )
    return problems


def _reassignment(path: str, state: InitialPartition, replicas: list[int]) -> list[Problem]:
    """REA-1: nobody comes and goes at once, and somebody stays or comes."""
    both = [member for member in state.adding if member in state.removing]
    problems = [Problem(f"{path}.removing", str(member), "is also being added") for member in both]
    if all(member in state.removing for member in replicas):
        problems.append(Problem(f"{path}.removing", str(state.removing), "leaves no replica", str(replicas)))
    return problems


def _failed(path: str, state: InitialPartition) -> list[Problem]:
    """FET-17, FET-18: a follower that copies nothing, or the whole log, is in no ISR."""
    messages = {
        "failed": (state.failed, "a member of the ISR has not failed: it copies the partition"),
        "copying": (state.copying, "a member of the ISR has the whole log"),
    }
    return [
        Problem(f"{path}.{key}", str(member), message, "replicas outside the ISR")
        for key, (members, message) in messages.items()
        for member in members
        if member in state.isr
    ]


def _without_leader(path: str, state: InitialPartition, states: dict[int, str]) -> list[Problem]:
    alive = [member for member in state.isr if states.get(member) == RUNNING]
    if not alive:
        return []
    message = f"broker {alive[0]} is running and in the ISR, so it would lead"
    return [Problem(f"{path}.leader", "none", message, ", ".join(map(str, alive)))]


def _leader(path: str, state: InitialPartition, states: dict[int, str]) -> Iterator[Problem]:
    leader = state.leader
    place = f"{path}.leader"
    if leader not in state.isr:
        yield Problem(place, str(leader), "the leader is always in the ISR", str(state.isr))
    if states.get(leader, RUNNING) != RUNNING:
        message = f"broker {leader} is {states[leader]} and cannot lead"
        yield Problem(place, str(leader), message, "a running member of the ISR, or none")
    for member in state.isr:
        if states.get(member, RUNNING) != RUNNING:
            message = f"broker {member} is {states[member]}, and only running brokers are in an ISR that has a leader"
            yield Problem(f"{path}.isr", str(member), message)
    if state.lag.get(leader):
        yield Problem(f"{path}.lag.{leader}", str(state.lag[leader]), "the leader has no lag")


def _log(path: str, log: InitialLog, newest: int) -> Iterator[Problem]:
    """Epochs and offsets rise together, and cover the log; none is newer than the partition's epoch."""
    place, value = f"{path}.epochs", shown(log.epochs)
    if log.start > log.leo:
        yield Problem(f"{path}.start", str(log.start), "behind the log end", f"0 to {log.leo}")
    if log.leo - log.start > LOG_RECORDS_MAX:
        yield Problem(f"{path}.leo", str(log.leo), f"at most {LOG_RECORDS_MAX} records are written out")
    if any(one[0] >= other[0] or one[1] >= other[1] for one, other in pairwise(log.epochs)):
        message = "epochs and their first offsets must both rise"
        yield Problem(place, value, message, "pairs of [epoch, first offset], each above the one before")
    if log.leo > log.start and (not log.epochs or log.epochs[0][1] > log.start):
        allowed = f"a first pair of [epoch, first offset] from offset {log.start} or before"
        yield Problem(place, value, f"no epoch covers offset {log.start}", allowed)
    if log.epochs and log.epochs[-1][1] > log.leo:
        message = f"begins after the log end {log.leo}"
        yield Problem(place, value, message, f"first offsets up to {log.leo}")
    if log.epochs and log.epochs[-1][0] > newest:
        yield Problem(place, value, f"newer than the partition's epoch {newest}", f"0 to {newest}")
