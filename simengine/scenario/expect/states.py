"""The states of partitions and brokers over a run, compared with an expectation."""

from collections.abc import Callable
from typing import Any, Final

from simengine.facts import kinds
from simengine.facts.reading import field
from simengine.scenario.durations import format_duration
from simengine.scenario.expect.language import END, Bounds, Expectation, bounds
from simengine.scenario.expect.observed import Observation, Row
from simengine.scenario.expect.values import NONE

State = dict[str, Any]
SETS: Final = ("isr", "elr", "last_known", "adding", "removing")
_STATE_FIELDS: Final = ("leader", "epoch", "isr", "elr", "last_known", "replicas", "adding", "removing")


def partition_states(observed: Observation, name: str) -> list[tuple[int, State]]:
    """(time, state) of a partition at the start, and after every committed record."""
    index = observed.partition(name)
    rows = [row for row in observed.by_kind["PartitionChanged"] if field(row, "PartitionChanged", "p") == index]
    states = [(row[1], _partition_state(row)) for row in rows]
    if index < len(observed.initial["partitions"]):
        first = observed.initial["partitions"][index]
        states.insert(0, (0, _sized({key: first[key] for key in _STATE_FIELDS})))
    return states


def _partition_state(row: Row) -> State:
    return _sized({key: field(row, "PartitionChanged", key) for key in _STATE_FIELDS})


def _sized(state: State) -> State:
    return {**state, "isr_size": len(state["isr"])}


def broker_states(observed: Observation, broker: int) -> list[tuple[int, State]]:
    """(time, {registration, process}) of a broker at the start, and after every change."""
    rows = sorted((*observed.by_kind["BrokerRegistration"], *observed.by_kind["ProcessChanged"]))
    first = observed.initial["brokers"].get(str(broker), {"registration": "unregistered", "process": "down"})
    now: State = {key: first[key] for key in ("registration", "process")}
    states: list[tuple[int, State]] = [(0, now)]
    for row in rows:
        if row[2] == kinds.BROKER_REGISTRATION and field(row, "BrokerRegistration", "broker") == broker:
            now = {**now, "registration": kinds.REG_NAMES[field(row, "BrokerRegistration", "state")]}
        elif row[2] == kinds.PROCESS_CHANGED and field(row, "ProcessChanged", "node") == broker:
            now = {**now, "process": kinds.PROCESS_NAMES[field(row, "ProcessChanged", "state")]}
        else:
            continue
        states.append((row[1], now))
    return states


def differs(state: State, wanted: dict[str, Any]) -> str:
    """The first value of `state` that is not as wanted, in words; "" when all are."""
    for key, value in wanted.items():
        has = state[key]
        if not _same(key, has, value):
            return f"{key} was {has}, not {value}"
    return ""


def _same(key: str, has: Any, wanted: Any) -> bool:
    if key in SETS:
        return sorted(has) == sorted(wanted)
    if key == "epochs":
        return bool([list(entry) for entry in has] == wanted)
    if key == "leader":
        leaders: list[int] = [-1 if one in NONE else one for one in (wanted if isinstance(wanted, list) else [wanted])]
        return has in leaders
    if isinstance(has, int):
        return inside(has, bounds(wanted))
    return bool(has == wanted)


def inside(value: int, limits: Bounds) -> bool:
    """True if an amount lies in its bounds."""
    low, high = limits
    return low <= value and (high is None or value <= high)


def judge_states(states: list[tuple[int, State]], expectation: Expectation, until_us: int) -> str:
    """The reason why a history of states is not as expected; "" when it is."""
    when = expectation.when
    start = until_us if when.start_us == END else min(when.start_us, until_us)
    end = until_us if when.how == "at" else min(when.end_us, until_us)
    check = _CHECKS[when.how]
    return check(states, expectation.wanted, start, end)


def _at(states: list[tuple[int, State]], wanted: dict[str, Any], start: int, _end: int) -> str:
    state = _state_at(states, start)
    if state is None:
        return f"nothing was known at {format_duration(start)}"
    wrong = differs(state, wanted)
    return f"at {format_duration(start)} {wrong}" if wrong else ""


def _within(states: list[tuple[int, State]], wanted: dict[str, Any], start: int, end: int) -> str:
    """It must begin to hold in the window."""
    before = _state_at(states, start - 1)
    if before is not None and not differs(before, wanted):
        return f"it was so before {format_duration(start)} already"
    held = False
    for t, state in states:
        holds = not differs(state, wanted)
        if holds and not held and start <= t <= end:
            return ""
        held = holds
    later = next((t for t, state in states if t > end and not differs(state, wanted)), None)
    if later is not None:
        return f"it came at {format_duration(later)}"
    last = _state_at(states, end)
    return "it never came; at the end of the window " + (
        differs(last, wanted) if last is not None else "nothing was known"
    )


def _throughout(states: list[tuple[int, State]], wanted: dict[str, Any], start: int, end: int) -> str:
    wrong = _at(states, wanted, start, end)
    if wrong:
        return wrong
    for t, state in states:
        if start < t <= end and differs(state, wanted):
            return f"at {format_duration(t)} {differs(state, wanted)}"
    return ""


def _never(states: list[tuple[int, State]], wanted: dict[str, Any], start: int, end: int) -> str:
    first = _state_at(states, start)
    if first is not None and not differs(first, wanted):
        return f"it was so at {format_duration(start)}"
    for t, state in states:
        if start < t <= end and not differs(state, wanted):
            return f"it was so at {format_duration(t)}"
    return ""


def _state_at(states: list[tuple[int, State]], t_us: int) -> State | None:
    found: State | None = None
    for t, state in states:
        if t > t_us:
            break
        found = state
    return found


_CHECKS: Final[dict[str, Callable[[list[tuple[int, State]], dict[str, Any], int, int], str]]] = {
    "at": _at,
    "within": _within,
    "throughout": _throughout,
    "never": _never,
}


def judge_copies(observed: Observation, expectation: Expectation, wanted: dict[str, Any]) -> str:
    """The difference between a partition's copies at that moment and the expectation; "" if there is none."""
    moment = expectation.when.start_us
    view = observed.snapshots[observed.until_us if moment == END else min(moment, observed.until_us)]
    index = observed.partition(str(expectation.subject))
    if index >= len(view["partitions"]):
        return "it did not exist yet"
    partition = view["partitions"][index]
    copies: dict[str, dict[str, Any]] = partition["copies"]
    for key, value in wanted.items():
        wrong = _logs(copies, value) if key == "logs" else _copies_differ(key, copies, value, partition["leader"])
        if wrong:
            return wrong
    return ""


def _copies_differ(key: str, copies: dict[str, dict[str, Any]], wanted: Any, leader: int) -> str:
    """Compares one value by broker; one value alone: on every copy (hw: on the leader's)."""
    if isinstance(wanted, dict):
        expected = {str(broker): value for broker, value in wanted.items()}
    else:
        names = [str(leader)] if key == "hw" and leader != -1 else sorted(copies)
        expected = dict.fromkeys(names, wanted)
    for broker, value in expected.items():
        if broker not in copies:
            return f"broker {broker} holds no copy"
        has = copies[broker]["leader" if key == "believes" else key]
        if not (_same("leader", has, value) if key == "believes" else _same(key, has, value)):
            return f"{key} on broker {broker} was {has}, not {value}"
    return ""


def _logs(copies: dict[str, dict[str, Any]], wanted: Any) -> str:
    """The reason why the logs are not equal, or not different, as is wanted; "" when they are."""
    differ = _logs_differ(copies)
    if wanted == "equal":
        return differ
    return "" if differ else "the logs were equal"


def _logs_differ(copies: dict[str, dict[str, Any]]) -> str:
    """Equal log ends and epochs of records mean equal logs (log matching)."""
    names = sorted(copies)
    for name in names[1:]:
        for key, read in (("leo", lambda copy: copy["leo"]), ("epochs", _written_epochs)):
            first, other = read(copies[names[0]]), read(copies[name])
            if first != other:
                return f"{key} was {first} on broker {names[0]} and {other} on broker {name}"
    return ""


def _written_epochs(copy: dict[str, Any]) -> list[list[int]]:
    """The epochs in which a record was written: an epoch that starts at the log end has none yet."""
    return [list(entry) for entry in copy["epochs"] if entry[1] < copy["leo"]]
