"""The steps of a real run, in words for a timeline: the controllers, the brokers, each partition, the clients.

Steps of one moment stand in the order in which one brings about the next: a controller is active, a broker is fenced, a
partition gets another leader, a producer has its acknowledgement. A client's steps are few on purpose: where it begins,
what fails, and when it is served again after a stop.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from simengine.recordings.model import OK, Call, Read, Recording
from simengine.recordings.processes import ACTIVE, INACTIVE, STOPPED
from simengine.recordings.values import Pair
from tests.conformance.fates import waits
from tests.conformance.history import histories
from tests.conformance.liveness import liveness

STOP_TOLD_S: Final = 2.0  # a call that waited longer for an acknowledgement is told of
FAILURES_GAP_S: Final = 3.0  # failures of one class less than this apart are one step


class Told(NamedTuple):
    """One step: its time in seconds, and what happened: ``subject: what it did``."""

    t: float
    text: str


def told(recording: Recording) -> list[Told]:
    """All steps after time 0, in order."""
    parts = (_controllers, _brokers, _partitions, _producers, _consumers)
    steps = [step for part in parts for step in part(recording) if step.t > 0]
    return sorted(steps, key=lambda step: step.t)


def _controllers(recording: Recording) -> Iterator[Told]:
    words = {ACTIVE: "active", INACTIVE: "active no longer"}
    for event in recording.nodes:
        if event.node in recording.controllers and event.event in words:
            yield Told(event.t, f"controller {event.node}: {words[event.event]}")


def _brokers(recording: Recording) -> Iterator[Told]:
    """Registrations as committed, and the ends of processes that stopped by themselves."""
    for broker, known in liveness(recording).items():
        for event, t in zip(known.events, known.times, strict=True):
            yield Told(t, f"broker {broker}: {event}")
    for said in recording.nodes:
        if said.node in recording.brokers and said.event == STOPPED:
            yield Told(said.t, f"broker {said.node}: stopped")


def _partitions(recording: Recording) -> Iterator[Told]:
    for partition, history in histories(recording).items():
        for step in history.steps:
            yield Told(step.first, f"{partition}: {step.state}")


def _producers(recording: Recording) -> Iterator[Told]:
    calls: dict[Pair, list[Call]] = {}
    for call in recording.produce:
        calls.setdefault((call.client, call.partition), []).append(call)
    for (client, partition), of_one in calls.items():
        for t, text in (*_acknowledged(of_one), *_failed(of_one)):
            yield Told(t, f"{client} on {partition}: {text}")


def _acknowledged(calls: list[Call]) -> Iterator[Told]:
    """The first acknowledgement of a producer on a partition, and each that ended a stop."""
    is_first = True
    for wait in waits(calls):
        if not wait.is_acked or wait.until is None:
            continue
        seconds = wait.until - wait.since
        if is_first or seconds > STOP_TOLD_S:
            yield Told(
                wait.until, f"{'first acknowledgement' if is_first else 'acknowledged again'} after {seconds:.1f} s"
            )
        is_first = False


def _failed(calls: list[Call]) -> Iterator[Told]:
    """Calls that ended with an exception: those of one class in a row as one step, at the first of them."""
    bursts: dict[str, list[list[float]]] = {}
    for t, outcome in sorted((call.done, call.outcome) for call in calls if call.done is not None and call.outcome):
        if outcome == OK:
            continue
        of_class = bursts.setdefault(outcome, [])
        if of_class and t - of_class[-1][-1] < FAILURES_GAP_S:
            of_class[-1].append(t)
        else:
            of_class.append([t])
    for outcome, of_class in bursts.items():
        for burst in of_class:
            yield Told(burst[0], f"{len(burst)} {'record' if len(burst) == 1 else 'records'} failed, {outcome}")


def _consumers(recording: Recording) -> Iterator[Told]:
    """The steps of each consumer: its beginning, its returns, the exceptions of its poll, and its commits."""
    reads: dict[Pair, list[Read]] = {}
    for read in recording.reads:
        reads.setdefault((read.client, read.partition), []).append(read)
    for (client, partition), of_one in reads.items():
        for t, text in _turns(of_one):
            yield Told(t, f"{client} on {partition}: {text}")
    for event in recording.client_events:
        if event.kind == "error":
            yield Told(event.t, f"{event.client}: poll threw {event.details.get('error')}")
        elif event.kind == "committed":
            yield Told(event.t, f"{event.client}: committed offset {event.details.get('offset')}")


def _turns(reads: list[Read]) -> Iterator[Told]:
    """The first record, each step back, and what stands a second time further on (one step for those in a row)."""
    yield Told(reads[0].t, f"reads from offset {reads[0].offset}")
    at: dict[str, int] = {}
    is_again = False
    for i, read in enumerate(reads):
        if i and read.offset <= reads[i - 1].offset:
            yield Told(read.t, f"back to offset {read.offset} from {reads[i - 1].offset + 1}")
        first = at.setdefault(read.value, read.offset)
        if first < read.offset and not is_again:
            yield Told(read.t, f"reads the record of offset {first} again, at offset {read.offset}")
        is_again = first < read.offset
