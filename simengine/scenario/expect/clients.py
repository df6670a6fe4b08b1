"""Compares the calls and reads of producers and consumers in a run with an expectation."""

from itertools import pairwise
from typing import Any, Final

from simengine.facts import kinds
from simengine.facts.errors import ERR_NONE, ERROR_NAMES
from simengine.facts.reading import field
from simengine.scenario.durations import format_duration
from simengine.scenario.expect.language import END, Bounds, Expectation, bounds
from simengine.scenario.expect.observed import Observation, Row
from simengine.scenario.expect.states import inside

SETTLED: Final = "CallsSettled"


def span(observed: Observation, expectation: Expectation) -> tuple[int, int]:
    """The window of an expectation; without one: the whole run."""
    when = expectation.when
    if when.how == "at":
        return 0, observed.until_us if when.start_us == END else min(when.start_us, observed.until_us)
    return when.start_us, min(when.end_us, observed.until_us)


def _of_client(observed: Observation, expectation: Expectation, kind: str) -> list[Row]:
    """The facts of `kind` about the expectation's client (and partition) in its window."""
    start, end = span(observed, expectation)
    observed.client(str(expectation.subject))
    rows = [row for row in observed.rows(kind, start, end) if observed.client_in(row, kind, str(expectation.subject))]
    if "on" in expectation.wanted:
        index = observed.partition(str(expectation.wanted["on"]))
        rows = [row for row in rows if field(row, kind, "p") == index]
    return rows


def judge_producer(observed: Observation, expectation: Expectation) -> str:
    """The difference between a producer's run and the expectation; "" if there is none."""
    wanted = expectation.wanted
    rows = _of_client(observed, expectation, SETTLED)
    if "call" in wanted:
        return _judge_call(rows, wanted)
    by_error = _counts(rows, SETTLED, "error", ERROR_NAMES)
    acked = by_error.get(ERROR_NAMES[ERR_NONE], 0)
    amounts = {"acked": acked, "failed": sum(by_error.values()) - acked}
    for key, has in amounts.items():
        if key in wanted and not inside(has, bounds(wanted[key])):
            return f"{key} was {has}, not {wanted[key]} ({_listed(by_error)})"
    wrong = _judge_counts("calls that ended in", by_error, wanted.get("errors", {}))
    if not wrong and "answers" in wanted:
        wrong = _judge_counts("answers with", _answers(observed, expectation), wanted["answers"])
    if not wrong and "gap" in wanted:
        acks = [row[1] for row in rows if field(row, SETTLED, "error") == ERR_NONE]
        wrong = _judge_gap(acks, wanted["gap"], "an ack")
    return wrong


def _judge_call(rows: list[Row], wanted: dict[str, Any]) -> str:
    """One call, by its number."""
    number = int(wanted["call"])
    for row in rows:
        first = field(row, SETTLED, "n")
        if not first <= number < first + field(row, SETTLED, "count"):
            continue
        error = ERROR_NAMES[field(row, SETTLED, "error")]
        offset = field(row, SETTLED, "offset")
        at = offset + number - first if offset >= 0 else offset
        if error != wanted.get("error", "NONE"):
            return f"call {number} ended in {error} at {format_duration(row[1])}"
        if "offset" in wanted and not inside(at, bounds(wanted["offset"])):
            return f"call {number} got offset {at}, not {wanted['offset']}"
        return ""
    return f"call {number} did not end in that time"


def _answers(observed: Observation, expectation: Expectation) -> dict[str, int]:
    """Produce answers that reached for the producer, by error."""
    start, end = span(observed, expectation)
    node = observed.client(str(expectation.subject))
    counts: dict[str, int] = {}
    for row in observed.rows("Flight", start, end):
        if field(row, "Flight", "msg") == kinds.MSG_PRODUCE_ANSWER and field(row, "Flight", "dst") == node:
            name = ERROR_NAMES[field(row, "Flight", "mark")]
            counts[name] = counts.get(name, 0) + 1
    return counts


def judge_consumer(observed: Observation, expectation: Expectation) -> str:
    """The difference between a consumer's run and the expectation; "" if there is none."""
    wanted = expectation.wanted
    rows = _of_client(observed, expectation, "Delivered")
    delivered, again = _deliveries(observed, expectation)
    for key, has in (("delivered", delivered), ("again", again)):
        if key in wanted and not inside(has, bounds(wanted[key])):
            return f"{key} was {has}, not {wanted[key]}"
    resets = _counts(_of_client(observed, expectation, "ConsumerReset"), "ConsumerReset", "why", kinds.RESET_NAMES)
    wrong = _judge_counts("resets by", resets, wanted.get("resets", {}))
    if not wrong and "errors" in wanted:
        errors = _counts(_of_client(observed, expectation, "ConsumerError"), "ConsumerError", "error", ERROR_NAMES)
        wrong = _judge_counts("poll() threw", errors, wanted["errors"])
    if not wrong and "gap" in wanted:
        wrong = _judge_gap([row[1] for row in rows], wanted["gap"], "a record")
    if not wrong and "behind" in wanted:
        wrong = _judge_behind(observed, rows, bounds(wanted["behind"]), span(observed, expectation)[1])
    return wrong or _judge_position(observed, expectation)


def _deliveries(observed: Observation, expectation: Expectation) -> tuple[int, int]:
    """Records handed over in the window, and how many of them had been handed over before."""
    start, _end = span(observed, expectation)
    furthest: dict[int, int] = {}
    delivered = again = 0
    rows = _of_client(
        observed,
        expectation._replace(when=expectation.when._replace(how="within", start_us=0, end_us=_end)),
        "Delivered",
    )
    for row in rows:
        p, offset, count = _read_in(row)
        known = furthest.get(p, -1)
        if row[1] >= start:
            delivered += count
            again += max(0, min(known, offset + count) - offset)
        furthest[p] = max(known, offset + count)
    return delivered, again


def _judge_position(observed: Observation, expectation: Expectation) -> str:
    if "position" not in expectation.wanted:
        return ""
    moment = span(observed, expectation)[1]
    view = observed.snapshots.get(moment)
    if view is None:
        return f"nobody looked at {format_duration(moment)}: give the position `at` a moment"
    client = next(client for client in view["clients"] if client["id"] == expectation.subject)
    for name, value in expectation.wanted["position"].items():
        has = client["position"].get(str(observed.partition(name)), -1)
        if not inside(has, bounds(value)):
            return f"position in {name} was {has}, not {value}"
    return ""


def _counts(rows: list[Row], kind: str, key: str, names: tuple[str, ...] | dict[int, str]) -> dict[str, int]:
    """The number (by the fact's `count`, where it has one) of each value, by name."""
    counts: dict[str, int] = {}
    for row in rows:
        name = names[field(row, kind, key)]
        counts[name] = counts.get(name, 0) + (int(field(row, kind, "count")) if kind == SETTLED else 1)
    return counts


def _judge_counts(what: str, has: dict[str, int], wanted: dict[str, Any]) -> str:
    for name, value in wanted.items():
        if not inside(has.get(name, 0), bounds(value)):
            return f"{what} {name}: {has.get(name, 0)}, not {value} ({_listed(has)})"
    return ""


def _listed(counts: dict[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counts.items()) or "none at all"


def _judge_gap(times: list[int], wanted: Any, what: str) -> str:
    """The longest time between two events of the window."""
    if len(times) < 2:
        return f"there were not two times of {what}"
    gap, at = max((later - earlier, earlier) for earlier, later in pairwise(times))
    if inside(gap, bounds(wanted)):
        return ""
    return f"the longest time without {what} was {format_duration(gap)} from {format_duration(at)} on, not {wanted}"


def _judge_behind(observed: Observation, rows: list[Row], wanted: Bounds, end_us: int) -> str:
    """The longest time from the commit of a record to its delivery. It is committed when a high watermark passes it.

    With an upper bound nothing may be left out either that was committed so long before the end of the window.
    """
    if not rows:
        return "nothing was delivered"
    read = [_read_in(row) for row in rows]
    delays = [
        (row[1] - _committed_at(observed, p, offset), offset) for row, (p, offset, _) in zip(rows, read, strict=True)
    ]
    worst, late = max(delays)
    if not inside(worst, wanted):
        return f"offset {late} was delivered {format_duration(worst)} after its commit"
    return "" if wanted[1] is None else _undelivered(observed, read, wanted[1], end_us)


def _undelivered(observed: Observation, read: list[tuple[int, int, int]], most_us: int, end_us: int) -> str:
    """The words on an offset committed ``most_us`` before the end of a window and not delivered in it; "" if none."""
    for p in sorted({p for p, _, _ in read}):
        known = max(offset + count for q, offset, count in read if q == p)
        marks = [row for row in observed.rows("HwMoved", 0, end_us - most_us) if field(row, "HwMoved", "p") == p]
        if known < max((field(row, "HwMoved", "hw") for row in marks), default=0):
            return f"offset {known} was committed {format_duration(most_us)} before the end and not delivered"
    return ""


def _committed_at(observed: Observation, p: int, offset: int) -> int:
    """The time at which the first high watermark of a partition, its leader's, passed an offset; 0: before the run."""
    for row in observed.by_kind["HwMoved"]:
        if field(row, "HwMoved", "p") == p and field(row, "HwMoved", "hw") > offset:
            return int(row[1])
    return 0


def _read_in(row: Row) -> tuple[int, int, int]:
    """Partition, first offset and count of a delivery."""
    p, offset, count = (int(field(row, "Delivered", key)) for key in ("p", "offset", "count"))
    return p, offset, count
