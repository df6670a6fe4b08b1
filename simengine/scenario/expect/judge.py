"""Compares what a document expects with what was observed: one sentence for each expectation that failed."""

from itertools import pairwise
from typing import Any, Final

from simengine.facts import kinds
from simengine.facts.reading import field, field_names
from simengine.facts.schema import BY_NAME
from simengine.scenario.durations import format_duration
from simengine.scenario.expect.clients import judge_consumer, judge_producer, span
from simengine.scenario.expect.language import COPY_KEYS, END, STATE_KEYS, TIMES, Expectation, When, bounds
from simengine.scenario.expect.metrics import judge_metric
from simengine.scenario.expect.mirrors import judge_mirror
from simengine.scenario.expect.observed import Observation, Row
from simengine.scenario.expect.states import (
    SETS,
    broker_states,
    inside,
    judge_copies,
    judge_states,
    partition_states,
)

UNCLEAN: Final = (kinds.ELECTION_LAST_KNOWN, kinds.ELECTION_UNCLEAN)


def failures(expectations: list[Expectation], observed: Observation) -> list[str]:
    """A sentence for each expectation that did not hold, in document order; empty: all as expected."""
    sentences = []
    for i, expectation in enumerate(expectations):
        wrong = judge(expectation, observed)
        if wrong:
            sentences.append(f"expect[{i}] {describe(expectation)}: {wrong}")
    return sentences


def judge(expectation: Expectation, observed: Observation) -> str:
    """The reason why one expectation does not hold; "" when it does."""
    try:
        if expectation.options:
            return _JUDGES[expectation.kind](observed, expectation)
        own, local = observed.of(expectation)
        return _JUDGES[local.kind](own, local)
    except KeyError as error:
        return str(error.args[0]) if error.args else "a name in it is not known"


def describe(expectation: Expectation) -> str:
    """The expectation in a few words, with its rules and reason."""
    when = expectation.when
    wanted = ", ".join(f"{key} {value}" for key, value in expectation.wanted.items())
    words = (
        f"{expectation.kind} {expectation.subject} {wanted}"
        if expectation.kind not in ("any_of", "order")
        else " ".join(("facts in this order" if expectation.kind == "order" else "one of several outcomes", wanted))
    )
    if when.how != "at":
        words += f" {when.how} {format_duration(when.start_us)} to {format_duration(when.end_us)}"
    elif when.start_us != END:
        words += f" at {format_duration(when.start_us)}"
    rules = f" ({', '.join(expectation.rules)})" if expectation.rules else ""
    return " ".join((words + rules).split()) + (f" [{expectation.say}]" if expectation.say else "")


def _judge_any(observed: Observation, expectation: Expectation) -> str:
    reasons = []
    for i, option in enumerate(expectation.options):
        wrongs = [f"{describe(inner)}: {wrong}" for inner in option if (wrong := judge(inner, observed))]
        if not wrongs:
            return ""
        reasons.append(f"not outcome {i + 1}, since {wrongs[0]}")
    return "; ".join(reasons)


def _judge_order(observed: Observation, expectation: Expectation) -> str:
    """The first facts of each kind meant, in the order and as far apart as is written."""
    firsts = []
    for inner in expectation.options[0]:
        found = facts_of(*observed.of(inner))
        if not found:
            return f"there was no {describe(inner)}"
        firsts.append((inner, int(found[0][1]), int(found[0][0])))
    apart = bounds(expectation.wanted.get("apart", [0, None]))
    for (_, then, earlier), (inner, now, later) in pairwise(firsts):
        if (now, later) < (then, earlier):
            return f"{describe(inner)} came at {format_duration(now)}, before {format_duration(then)}"
        if not inside(now - then, apart):
            return f"{describe(inner)} came {format_duration(now - then)} later, not {expectation.wanted['apart']}"
    return ""


def _judge_partition(observed: Observation, expectation: Expectation) -> str:
    states = {key: value for key, value in expectation.wanted.items() if key in STATE_KEYS}
    copies = {key: value for key, value in expectation.wanted.items() if key in COPY_KEYS}
    wrong = ""
    if states:
        history = partition_states(observed, str(expectation.subject))
        wrong = judge_states(history, expectation._replace(wanted=states), observed.until_us)
    if not wrong and copies:
        wrong = judge_copies(observed, expectation, copies)
    return wrong


def _judge_broker(observed: Observation, expectation: Expectation) -> str:
    return judge_states(broker_states(observed, int(expectation.subject)), expectation, observed.until_us)


def _judge_alert(observed: Observation, expectation: Expectation) -> str:
    states = [(at, {"state": state}) for at, state in observed.alerts[str(expectation.subject)]]
    return judge_states(states, expectation, observed.until_us)


def _judge_verdict(observed: Observation, expectation: Expectation) -> str:
    verdict = observed.verdict
    topics = {topic["topic"]: topic for topic in (*verdict.get("topics", []), *verdict.get("others", []))}
    if expectation.subject not in topics:
        return "the verdict says nothing of it"
    figures: dict[str, Any] = topics[str(expectation.subject)]
    for key, value in expectation.wanted.items():
        if not inside(int(figures[key]), bounds(value)):
            has = format_duration(int(figures[key])) if key in TIMES else figures[key]
            return f"{key} was {has}, not {value}"
    return ""


def _judge_counter(observed: Observation, expectation: Expectation) -> str:
    start, end = span(observed, expectation)
    wanted = expectation.wanted
    counted = _counted(str(expectation.subject), observed, wanted)
    number = sum(1 for t in counted if start <= t <= end)
    return "" if inside(number, bounds(wanted["is"])) else f"it was {number}, not {wanted['is']}"


def _counted(counter: str, observed: Observation, wanted: dict[str, Any]) -> list[int]:
    """The times of the events that a counter counts, of a broker (`of`) and a partition (`on`) where they are given."""
    kind = "Truncated" if counter == "Truncations" else "PartitionChanged"
    partition = observed.partition(str(wanted["on"])) if "on" in wanted else None
    before = {p: len(partition["isr"]) for p, partition in enumerate(observed.initial["partitions"])}
    times: list[int] = []
    for row in observed.by_kind[kind]:
        p = int(field(row, kind, "p"))
        broker = int(field(row, kind, "broker" if kind == "Truncated" else "leader"))
        counts = kind == "Truncated" or _is_counted(counter, before.get(p, 0), row)
        if kind == "PartitionChanged":
            before[p] = len(field(row, kind, "isr"))
        if counts and partition in (None, p) and wanted.get("of", broker) == broker:
            times.append(row[1])
    return times


def _is_counted(counter: str, isr_before: int, row: Row) -> bool:
    """True if a partition record counts; only ISR changes that the leader proposed do (MET-4)."""
    election = field(row, "PartitionChanged", "election")
    if counter == "UncleanElections":
        return election in UNCLEAN
    if counter == "ElrElections":
        return bool(election == kinds.ELECTION_ELR)
    if field(row, "PartitionChanged", "reason") != kinds.REASON_ALTER_PARTITION:
        return False
    grown = len(field(row, "PartitionChanged", "isr")) - isr_before
    return grown < 0 if counter == "IsrShrinks" else grown > 0


def _judge_fact(observed: Observation, expectation: Expectation) -> str:
    found = facts_of(observed, expectation)
    if inside(len(found), bounds(expectation.wanted.get("count", [1, None]))):
        return ""
    others = facts_of(observed, expectation._replace(when=When("at", END, END)))
    elsewhere = f"; in the whole run at {', '.join(format_duration(row[1]) for row in others[:5])}" if others else ""
    return f"there were {len(found)} such facts{elsewhere}"


def facts_of(observed: Observation, expectation: Expectation) -> list[Row]:
    """The facts that an entry of the kind fact means, in its window. Raises KeyError for an unknown kind or value."""
    kind = str(expectation.subject)
    if kind not in BY_NAME:
        raise KeyError(f"no kind of fact is called {kind}; there are {', '.join(BY_NAME)}")
    start, end = span(observed, expectation)
    where: dict[str, Any] = expectation.wanted.get("where", {})
    return [row for row in observed.rows(kind, start, end) if _matches(observed, kind, row, where)]


def _matches(observed: Observation, kind: str, row: Row, where: dict[str, Any]) -> bool:
    return all(_value_matches(observed, kind, row, key, wanted) for key, wanted in where.items())


def _value_matches(observed: Observation, kind: str, row: Row, key: str, wanted: Any) -> bool:
    if key in ("partition", "p"):
        return bool(field(row, kind, "p") == observed.partition(str(wanted)))
    if key == "client":
        return observed.client_in(row, kind, str(wanted))
    if key not in field_names(kind):
        raise KeyError(f"{kind} has no {key}; it has {', '.join(field_names(kind))}")
    value = field(row, kind, key)
    if isinstance(value, list):
        return sorted(value) == sorted(wanted) if key in SETS else list(value) == list(wanted)
    number = observed.number(kind, key, wanted)
    return inside(value, bounds(number)) if isinstance(number, list) else bool(value == number)


_JUDGES: Final = {
    "any_of": _judge_any,
    "order": _judge_order,
    "partition": _judge_partition,
    "broker": _judge_broker,
    "verdict": _judge_verdict,
    "producer": judge_producer,
    "consumer": judge_consumer,
    "counter": _judge_counter,
    "metric": judge_metric,
    "alert": _judge_alert,
    "fact": _judge_fact,
    "mirror": judge_mirror,
}
