"""Rules 2 to 7: times, fencing, fates, waits, consumers and logs against the matching runs of each partition."""

from collections.abc import Callable, Iterator
from typing import Final

from simengine.recordings.model import RecordedClient
from simengine.recordings.tolerances import COUNT_WIDER, COUNT_WIDER_PART
from simengine.recordings.values import Pair
from tests.conformance import rule_ids, sentences
from tests.conformance.cases import NO_WAIT, CaseWait, Counts, either, span
from tests.conformance.consumers import READ, Reading
from tests.conformance.disagreement import Disagreement
from tests.conformance.endings import Ending
from tests.conformance.fates import RecordedFate, RecordedFates
from tests.conformance.haunted import haunted
from tests.conformance.history import History
from tests.conformance.liveness import Liveness
from tests.conformance.recorded import Recorded
from tests.conformance.summary import Summary
from tests.conformance.windows import Windows

NO_FATES: Final = RecordedFates({}, {}, NO_WAIT, {})
NO_READING: Final = Reading({}, NO_WAIT, {}, None)
NO_ENDING: Final = Ending((), ())
NO_HISTORY: Final = History(None, ())
NO_EVENTS: Final = Liveness((), ())

Runs = Callable[[str], list[Summary]]  # the matching runs of a partition


def times(recorded: Recorded, runs: Runs) -> Iterator[Disagreement]:
    """Rule 2: each step lies in the range over the matching runs."""
    for partition, history in recorded.summary.histories.items():
        states = history.states()
        theirs = [run.histories[partition] for run in runs(partition) if partition in run.histories]
        theirs = [other for other in theirs if other.states() == states]
        for i, step in enumerate(history.steps if theirs else ()):
            rules = rule_ids.of_step(
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
                yield Disagreement(3, f"broker {broker}", t, f"{text} ({rule_ids.of_event(real.events[i])})")


def _other_sequence(broker: int, real: Liveness, theirs: list[Liveness]) -> Disagreement:
    """The place at which the runs leave the real sequence of a broker's registration."""
    kept = 0
    while any(other.events[: kept + 1] == real.events[: kept + 1] for other in theirs) and kept < len(real.events):
        kept += 1
    others: dict[str, list[float]] = {}
    silent = 0
    for other in theirs:
        if other.events[:kept] == real.events[:kept]:
            if kept < len(other.events):
                others.setdefault(other.events[kept], []).append(other.times[kept])
            else:
                silent += 1
    usual = sorted(others, key=lambda event: -len(others[event]))
    seen = [f"{len(others[event])} have {event} at {span(others[event])} s" for event in usual]
    seen += [f"{silent} have nothing"] if silent else []
    if kept < len(real.events):
        event, t, what = real.events[kept], real.times[kept], f"{real.events[kept]} at {real.times[kept]:.2f} s"
    else:
        event, t, what = usual[0], min(others[usual[0]]), "nothing"
    text = f"really {what} as number {kept + 1} after time 0; of the runs that agree until then {'; '.join(seen)}"
    ids = ", ".join(dict.fromkeys(map(rule_ids.of_event, [event, *usual[:1]])))
    return Disagreement(3, f"broker {broker}", t, f"{text} ({ids})")


def fates(recorded: Recorded, runs: Runs) -> Iterator[Disagreement]:
    """Rule 4: what became of the records of each producer."""
    for pair, real in recorded.summary.fates.items():
        subject, client = f"{pair[0]} on {pair[1]}", _client(recorded, pair)
        theirs = [run.fates.get(pair, NO_FATES) for run in runs(pair[1])]
        calls = {call.value: call for call in recorded.recording.produce if (call.client, call.partition) == pair}
        for value, fate in real.single.items():
            seen = list(dict.fromkeys(other.single.get(value, RecordedFate("not sent", 0)) for other in theirs))
            if fate not in seen:
                call = calls[value]
                ids = rule_ids.of_fate(sentences.category_of(fate), client)
                text = f"{sentences.single(call, fate, seen)} ({ids})"
                yield Disagreement(4, subject, call.sent if call.done is None else call.done, text)
        for category, is_count in _counts(real.counts, [other.counts for other in theirs]):
            text = f"{sentences.number(category, real, theirs)} ({rule_ids.of_fate(category, client)})"
            yield Disagreement(4, subject, sentences.moment(category, real, theirs), text, is_count)


def waits(recorded: Recorded, runs: Runs) -> Iterator[Disagreement]:
    """Rule 5: the longest time that some call was outstanding and no acknowledgement came."""
    for pair, real in recorded.summary.fates.items():
        seen = [run.fates.get(pair, NO_FATES).wait for run in runs(pair[1])]
        if text := _wait(recorded.windows, real.wait, seen, "without an ack while a call was outstanding", "record "):
            ids = rule_ids.of_wait(_client(recorded, pair), _leaders(recorded, pair[1], real.wait))
            yield Disagreement(5, f"{pair[0]} on {pair[1]}", real.wait.since, f"{text} ({ids})")


def consumers(recorded: Recorded, runs: Runs, every: list[Summary]) -> Iterator[Disagreement]:
    """Rule 6: what consumers read, how long they waited, and what their poll threw."""
    for pair, real in recorded.summary.readings.items():
        subject = f"{pair[0]} on {pair[1]}"
        theirs = [run.readings.get(pair, NO_READING) for run in runs(pair[1])]
        for category, is_count in _counts(real.counts, [other.counts for other in theirs]):
            text = sentences.number(category, real, theirs)
            t = sentences.moment(category, real, theirs)
            if category == READ and real.left_out is not None:
                text, t = f"{text}; {sentences.gap(real.left_out)}", real.left_out.t
            yield Disagreement(6, subject, t, f"{text} ({rule_ids.OF_READS[category]})", is_count)
        if text := _wait(
            recorded.windows, real.wait, [one.wait for one in theirs], "without a record", "after offset "
        ):
            yield Disagreement(6, subject, real.wait.since, f"{text} ({rule_ids.OF_WAITS_TO_READ})")
    for client, thrown in recorded.summary.exceptions.items():
        sets = [run.exceptions.get(client, {}) for run in every]
        if all(thrown.keys() != other.keys() for other in sets):
            yield _thrown(client, thrown, sets)


def _thrown(client: str, real: dict[str, float], sets: list[dict[str, float]]) -> Disagreement:
    """The exceptions that poll really threw, with their times, and those in the runs."""
    words = ", ".join(f"{name} at {t:.2f} s" for name, t in real.items()) or "nothing"
    others = either([", ".join(classes) or "nothing" for classes in sets])
    odd = [name for name in real if any(name not in other for other in sets)]
    odd += [name for other in sets for name in other if name not in real]
    t = real[odd[0]] if odd[0] in real else min(other[odd[0]] for other in sets if odd[0] in other)
    when = "" if odd[0] in real else f" ({odd[0]} first at {t:.2f} s)"
    ids = rule_ids.OF_POLLS.get(odd[0], "CON-4, CON-5")
    return Disagreement(6, client, t, f"poll really threw {words}; in the runs {others}{when} ({ids})")


def logs(recorded: Recorded, runs: Runs) -> Iterator[Disagreement]:
    """Rule 7: some matching run ends with the same epochs and the same replicas that differ."""
    for partition, real in recorded.summary.endings.items():
        seen = [run.endings.get(partition, NO_ENDING) for run in runs(partition)]
        if real in seen:
            continue
        log = recorded.recording.logs[partition]
        alike = [other for other in seen if other.epochs == real.epochs]
        if alike:
            text = f"{sentences.differing(real, alike, log)} ({rule_ids.OF_REPLICAS_THAT_DIFFER})"
            yield Disagreement(7, partition, recorded.recording.end(), text)
            continue
        at = sentences.parted_at(real, seen, log)
        sent = [call.sent for call in recorded.recording.produce if at is not None and call.value == at.value]
        when = f", sent at {sent[0]:.2f} s" if sent else ""
        text = f"{sentences.epochs(real, seen, at, when)} ({rule_ids.OF_EPOCHS})"
        yield Disagreement(7, partition, sent[0] if sent else recorded.recording.end(), text)


def _counts(real: Counts, theirs: list[Counts]) -> Iterator[tuple[str, bool]]:
    """The categories whose number no run explains: none where some were, or some where none; out of range (True).

    Those that tell most come first.
    """
    for category in sorted({*real, *(key for counts in theirs for key in counts)}, key=sentences.telling):
        number = real.get(category, 0)
        seen = [counts.get(category, 0) for counts in theirs]
        wider = max(COUNT_WIDER, COUNT_WIDER_PART * number)
        if min(seen) > 0 if number == 0 else max(seen) == 0:
            yield category, False
        elif not min(seen) - wider <= number <= max(seen) + wider:
            yield category, True


def _wait(windows: Windows, real: CaseWait, seen: list[CaseWait], what: str, since: str) -> str:
    """A wait that no run explains: how long, and since when; empty where the runs explain it."""
    times = [wait.seconds for wait in seen]
    low, high = windows.wait_range(min(times), max(times))
    if low <= real.seconds <= high:
        return ""
    record = f" ({since}{real.record})" if real.record else ""
    theirs = f"{span(times)} s, from {span([wait.since for wait in seen])} s on"
    return f"really up to {real.seconds:.2f} s {what}, from {real.since:.2f} s on{record}; in the runs {theirs}"


def _leaders(recorded: Recorded, partition: str, wait: CaseWait) -> tuple[int, ...]:
    """The leaders that a partition had during a wait, in order."""
    history = recorded.summary.histories.get(partition, NO_HISTORY)
    known = [(0.0, history.start), *((step.first, step.state) for step in history.steps)]
    until = [0.0, *(t for t, state in known if state is not None and t <= wait.since)][-1]
    found = (state.leader for t, state in known if state is not None and until <= t <= wait.since + wait.seconds)
    return tuple(dict.fromkeys(found))


def _client(recorded: Recorded, pair: Pair) -> RecordedClient | None:
    return next((client for client in recorded.recording.clients if client.id == pair[0]), None)


def _between(first: float, last: float, runs: int) -> str:
    return f"in {runs} matching runs between {first:.2f} and {last:.2f} s"
