"""Rules 2 to 7: times, fencing, fates, waits, consumers and logs against the matching runs of each partition."""

from collections.abc import Callable, Iterator
from typing import Final

from simengine.recordings.consumers import Reading
from simengine.recordings.disagreement import (
    RULES_OF_FATES,
    RULES_OF_READS,
    Disagreement,
    rules_of_event,
    rules_of_step,
)
from simengine.recordings.endings import Ending
from simengine.recordings.fates import Counts, Fate, Fates, Pair
from simengine.recordings.liveness import Liveness
from simengine.recordings.processes import haunted
from simengine.recordings.recorded import Recorded
from simengine.recordings.summary import Summary

COUNT_WIDER: Final = 2  # rules 4 and 6: records
COUNT_WIDER_PART: Final = 0.25  # of the real number
NO_FATES: Final = Fates({}, {}, 0.0)
NO_READING: Final = Reading({}, 0.0)
NO_ENDING: Final = Ending((), ())
NO_EVENTS: Final = Liveness((), ())

Runs = Callable[[str], list[Summary]]  # the matching runs of a partition


def times(recorded: Recorded, runs: Runs) -> Iterator[Disagreement]:
    """Rule 2: each step lies in the range over the matching runs."""
    for partition, history in recorded.summary.histories.items():
        states = history.states()
        theirs = [run.histories[partition] for run in runs(partition) if partition in run.histories]
        theirs = [other for other in theirs if other.states() == states]
        for i, step in enumerate(history.steps if theirs else ()):
            rules = rules_of_step(
                states[i],
                step.state,
                healing=recorded.windows.healing(step.first),
                starting=recorded.windows.starting(step.first),
            )
            firsts = [other.steps[i].first for other in theirs]
            lasts = [other.steps[i].last for other in theirs]
            for t, seen in ((step.first, firsts), (step.last, lasts)):
                low, high = recorded.windows.step_range(t, min(seen), max(seen))
                if not low <= t <= high:
                    text = f"at {t:.2f} s really {step.state}; {_between(min(seen), max(seen), len(seen))} ({rules})"
                    yield Disagreement(2, partition, t, text)
                    break


def fencing(recorded: Recorded, runs: list[Summary]) -> Iterator[Disagreement]:
    """Rule 3: some run has the same sequence for each broker, its times as in rule 2."""
    ghosts = haunted(recorded.recording)
    for broker, real in recorded.summary.liveness.items():
        if broker in ghosts:
            continue
        theirs = [run.liveness.get(broker, NO_EVENTS) for run in runs]
        same = [other.times for other in theirs if other.events == real.events]
        if not same:
            yield _other_sequence(broker, real, theirs)
            continue
        for i, t in enumerate(real.times):
            seen = [other[i] for other in same]
            low, high = recorded.windows.step_range(t, min(seen), max(seen))
            if not low <= t <= high:
                text = f"really {real.events[i]} at {t:.2f} s; {_between(min(seen), max(seen), len(seen))}"
                yield Disagreement(3, f"broker {broker}", t, f"{text} ({rules_of_event(real.events[i])})")


def _other_sequence(broker: int, real: Liveness, theirs: list[Liveness]) -> Disagreement:
    """Where the runs leave the real sequence of a broker's registration."""
    kept = 0
    while any(other.events[: kept + 1] == real.events[: kept + 1] for other in theirs) and kept < len(real.events):
        kept += 1
    others: dict[str, int] = {}
    for other in theirs:
        if other.events[:kept] == real.events[:kept]:
            event = other.events[kept] if kept < len(other.events) else "nothing"
            text = f"{event} at {other.times[kept]:.1f} s" if kept < len(other.events) else event
            others[text] = others.get(text, 0) + 1
    seen = "; ".join(f"{count} have {text}" for text, count in sorted(others.items(), key=lambda item: -item[1])[:3])
    event = real.events[kept] if kept < len(real.events) else "nothing"
    t = real.times[kept] if kept < len(real.times) else None
    when = f" at {t:.2f} s" if t is not None else ""
    text = f"really {event}{when} as number {kept + 1} after time 0; of the runs that agree until then {seen}"
    return Disagreement(3, f"broker {broker}", t, f"{text} ({rules_of_event(event)})")


def fates(recorded: Recorded, runs: Runs) -> Iterator[Disagreement]:
    """Rule 4: what became of the records of each producer."""
    for pair, real in recorded.summary.fates.items():
        subject = f"{pair[0]} on {pair[1]}"
        theirs = [run.fates.get(pair, NO_FATES) for run in runs(pair[1])]
        for text in _counts(real.counts, [other.counts for other in theirs]):
            yield Disagreement(4, subject, None, f"{text} ({RULES_OF_FATES})")
        for value, fate in real.single.items():
            seen = {other.single.get(value, Fate("not sent", 0)): None for other in theirs}
            if fate not in seen:
                text = f"record {value} really ended {_fate(fate)}; in the runs {' or '.join(map(_fate, seen))}"
                yield Disagreement(4, subject, None, f"{text} ({RULES_OF_FATES})")


def waits(recorded: Recorded, runs: Runs) -> Iterator[Disagreement]:
    """Rule 5: the longest time that some call was outstanding and no acknowledgement came."""
    for pair, real in recorded.summary.fates.items():
        seen = [run.fates.get(pair, NO_FATES).wait for run in runs(pair[1])]
        yield from _wait(5, recorded, pair, real.wait, seen, "without an ack while a call was outstanding", "PROD-*")


def consumers(recorded: Recorded, runs: Runs, every: list[Summary]) -> Iterator[Disagreement]:
    """Rule 6: what consumers read, how long they waited, and what their poll threw."""
    for pair, real in recorded.summary.readings.items():
        theirs = [run.readings.get(pair, NO_READING) for run in runs(pair[1])]
        for text in _counts(real.counts, [other.counts for other in theirs]):
            yield Disagreement(6, f"{pair[0]} on {pair[1]}", None, f"{text} ({RULES_OF_READS})")
        seen = [other.wait for other in theirs]
        yield from _wait(6, recorded, pair, real.wait, seen, "without a record", RULES_OF_READS)
    for client, thrown in recorded.summary.exceptions.items():
        sets = list(dict.fromkeys(run.exceptions.get(client, ()) for run in every))
        if thrown not in sets:
            runs_threw = " or ".join(", ".join(classes) or "nothing" for classes in sets)
            text = f"poll really threw {', '.join(thrown) or 'nothing'}, in the runs {runs_threw} (CON-4, CON-5)"
            yield Disagreement(6, client, None, text)


def logs(recorded: Recorded, runs: Runs) -> Iterator[Disagreement]:
    """Rule 7: some matching run ends with the same epochs and the same replicas that differ."""
    for partition, real in recorded.summary.endings.items():
        seen = {run.endings.get(partition, NO_ENDING): None for run in runs(partition)}
        if real not in seen:
            text = f"the logs really ended with {real}; in the runs with {' or '.join(map(str, list(seen)[:3]))}"
            yield Disagreement(7, partition, None, f"{text} (LOG-*, TRUNC-*)")


def _counts(real: Counts, theirs: list[Counts]) -> Iterator[str]:
    """The categories whose number no run explains: out of range, or none where some were, or some where none."""
    for category in sorted({*real, *(key for counts in theirs for key in counts)}):
        number = real.get(category, 0)
        seen = [counts.get(category, 0) for counts in theirs]
        wider = max(COUNT_WIDER, COUNT_WIDER_PART * number)
        in_range = min(seen) - wider <= number <= max(seen) + wider
        if not in_range or (min(seen) > 0 if number == 0 else max(seen) == 0):
            many = str(min(seen)) if min(seen) == max(seen) else f"{min(seen)} to {max(seen)}"
            yield f"really {number} {category}, {many} in {len(seen)} runs"


def _wait(
    rule: int, recorded: Recorded, pair: Pair, real: float, seen: list[float], what: str, ids: str
) -> Iterator[Disagreement]:
    low, high = recorded.windows.wait_range(min(seen), max(seen))
    if not low <= real <= high:
        text = f"really up to {real:.2f} s {what}; in the runs {min(seen):.2f} to {max(seen):.2f} s ({ids})"
        yield Disagreement(rule, f"{pair[0]} on {pair[1]}", None, text)


def _between(first: float, last: float, runs: int) -> str:
    return f"in {runs} matching runs between {first:.2f} and {last:.2f} s"


def _fate(fate: Fate) -> str:
    return f"{fate.outcome or 'unanswered'} with {fate.copies} {'copy' if fate.copies == 1 else 'copies'}"
