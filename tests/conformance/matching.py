"""Rule 1: which runs have the history that a partition really had, and whether there are enough of them."""

import math
from collections import Counter
from itertools import combinations
from typing import Final, NamedTuple

from simengine.recordings.model import Recording
from simengine.recordings.tolerances import MATCHING_MIN, MATCHING_PART
from tests.conformance import rule_ids
from tests.conformance.cases import span
from tests.conformance.disagreement import Disagreement
from tests.conformance.history import History, State
from tests.conformance.summary import Summary
from tests.conformance.windows import Windows

OTHERS_SHOWN: Final = 3  # other continuations that a sentence names
PLACED: Final = "PLACE-1, PLACE-7"
NOTHING: Final = History(None, ())


class Matching(NamedTuple):
    """For each partition the indices of the runs with its real history (empty: none), and what rule 1 misses.

    ``fewest``: the fewest such runs of a partition that every run puts on the same brokers.
    """

    runs: dict[str, tuple[int, ...]]
    missing: list[Disagreement]
    fewest: int


def needed(runs: int) -> int:
    """The number of runs that must have a history."""
    return max(MATCHING_MIN, math.ceil(MATCHING_PART * runs))


def match(recording: Recording, real: Summary, runs: list[Summary]) -> Matching:
    """The matching runs of each partition, and the disagreements of rule 1.

    Two lists that the cluster drew are drawn together too seldom to need a run in common.
    """
    windows = Windows.of(recording)
    named = {record.partition: None for record in recording.metadata}
    matching: dict[str, tuple[int, ...]] = {}
    missing: list[Disagreement] = []
    for partition, history in real.histories.items():
        theirs = [run.histories.get(partition, NOTHING) for run in runs]
        states = history.states()
        matching[partition] = tuple(i for i, other in enumerate(theirs) if other.states() == states)
        if len(matching[partition]) < needed(len(runs)):
            missing.append(_parting(partition, history, theirs, windows))
    missing += _created_unlike(real, runs, matching)
    missing += _placed_unlike(real, runs)
    given = {partition: which for partition, which in matching.items() if partition in named}
    for one, other in _never_together(given):
        theirs = [runs[i].histories[other] for i in given[one]]
        missing.append(_apart(one, _parting(other, real.histories[other], theirs, windows)))
    return Matching(matching, missing, min(map(len, given.values()), default=len(runs)))


def _parting(partition: str, real: History, theirs: list[History], windows: Windows) -> Disagreement:
    """The place at which the runs leave the real history, and their states there."""
    states = real.states()
    kept = 1
    while kept < len(states) and sum(other.states()[: kept + 1] == states[: kept + 1] for other in theirs) >= needed(
        len(theirs)
    ):
        kept += 1
    until = [other for other in theirs if other.states()[:kept] == states[:kept]]
    if not until:
        starts = _tally([(other.start, None) for other in theirs])
        return Disagreement(1, partition, 0.0, f"really {states[0]} at time 0; in the runs {starts}")
    others = [_next(other, kept - 1) for other in until]
    after, t = (states[kept], real.steps[kept - 1].first) if kept < len(states) else _usual(others, states[-1])
    assert after is not None, "only the state at time 0 may be missing"
    ids = rule_ids.of_step(states[kept - 1], after, healing=windows.healing(t), starting=windows.starting(t))
    if kept == len(states):
        last = f"after {real.steps[-1].first:.2f} s" if real.steps else "after time 0"
        text = f"nothing really changed {last}"
    else:
        text = f"at {t:.2f} s really {after}"
    return Disagreement(1, partition, t, f"{text}; of {len(until)} runs that agree until then {_tally(others)} ({ids})")


def _next(history: History, index: int) -> tuple[State | None, float | None]:
    step = history.steps[index] if index < len(history.steps) else None
    return (None, None) if step is None else (step.state, step.first)


def _usual(others: list[tuple[State | None, float | None]], last: State | None) -> tuple[State | None, float]:
    """The step that most of the runs have, and the first time (s) of it; where none has one, the last that was had."""
    steps = [(state, t) for state, t in others if state is not None and t is not None]
    if not steps:
        return last, 0.0
    usual = Counter(state for state, _ in steps).most_common(1)[0][0]
    return usual, min(t for state, t in steps if state == usual)


def _tally(others: list[tuple[State | None, float | None]]) -> str:
    """The number of runs that have each state, and the times, in words."""
    times: dict[State | None, list[float]] = {}
    for state, t in others:
        times.setdefault(state, []).extend([] if t is None else [t])
    counts = Counter(state for state, _ in others).most_common()
    shown = [
        f"{count} have {state or 'no further step'}" + (f" at {span(times[state])} s" if times[state] else "")
        for state, count in counts[:OTHERS_SHOWN]
    ]
    rest = sum(count for _, count in counts[OTHERS_SHOWN:])
    return "; ".join(shown) + (f"; {rest} something else" if rest else "")


def _never_together(matching: dict[str, tuple[int, ...]]) -> list[tuple[str, str]]:
    """Any two partitions must have a matching run in common: those that have none."""
    return [
        (one, other)
        for one, other in combinations((partition for partition, runs in matching.items() if runs), 2)
        if set(matching[one]).isdisjoint(matching[other])
    ]


def _apart(one: str, parting: Disagreement) -> Disagreement:
    """No run has the real history of both: where those that have the one leave the other."""
    text = f"no run has the real history of both (ISR-8, LIVE-4, PROD-12); in those with that of {one}: {parting.text}"
    return parting._replace(subject=f"{one} and {parting.subject}", text=text)


def _created_unlike(real: Summary, runs: list[Summary], matching: dict[str, tuple[int, ...]]) -> list[Disagreement]:
    """Partitions that every run has and the real cluster had not."""
    extra = [
        (name, 0.0 if history.start is not None else history.steps[0].first)
        for name, history in (runs[0].histories.items() if runs else ())
        if all(name in run.histories for run in runs)
    ]
    return [
        Disagreement(1, name, t, f"at {t:.2f} s every run creates this partition, really it was refused ({PLACED})")
        for name, t in extra
        if name not in real.histories and name not in matching
    ]


def _placed_unlike(real: Summary, runs: list[Summary]) -> list[Disagreement]:
    """Topics placed by the cluster: as many partitions and replicas, on brokers that the placer may draw (PLACE-8)."""
    wrong = []
    for topic, placed in real.placements.items():
        theirs = [run.placements[topic] for run in runs]
        if runs and all(other.shape() != placed.shape() for other in theirs):
            counts = f"really replica counts {placed.shape()}, in the runs {theirs[0].shape()}"
            wrong.append(Disagreement(1, topic, placed.at, f"at {placed.at:.2f} s {counts} (PLACE-1, PLACE-8)"))
        for who, one in (("really", placed), *(("in a run", other) for other in theirs)):
            if not one.can_be_drawn:
                lists = f"put on {' / '.join(map(str, one.lists))}, which no draw leads to (PLACE-2 to PLACE-5)"
                wrong.append(Disagreement(1, topic, one.at, f"at {one.at:.2f} s {who} {lists}"))
                break
    return wrong
