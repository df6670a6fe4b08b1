"""The history of each partition: the sequence of states that rule 1 compares, with the times of rule 2."""

from typing import Final, NamedTuple

from simengine.recordings.model import PartitionRecord, Recording
from simengine.recordings.tolerances import GROWTH_GAP_S
from tests.conformance.windows import Windows

NOBODY: Final = -1


class State(NamedTuple):
    """A state as rule 1 compares it: ``epoch`` counts from time 0; isr, elr and last_known are ascending."""

    leader: int
    epoch: int
    isr: tuple[int, ...]
    elr: tuple[int, ...]
    last_known: tuple[int, ...]
    replicas: tuple[int, ...]

    def __str__(self) -> str:
        leader = "no leader" if self.leader == NOBODY else f"leader {self.leader}"
        text = f"{leader}, epoch +{self.epoch}, ISR {_braces(self.isr)} of {list(self.replicas)}"
        if self.elr:
            text += f", ELR {_braces(self.elr)}"
        if self.last_known:
            text += f", last known {_braces(self.last_known)}"
        return text

    def grew_from(self, before: "State") -> bool:
        """True if only members came into the ISR since ``before`` (ELR and last-known follow the ISR)."""
        same = (self.leader, self.epoch, self.replicas) == (before.leader, before.epoch, before.replicas)
        return same and len(self.isr) > len(before.isr) and all(member in self.isr for member in before.isr)


class Step(NamedTuple):
    """A state that was reached, in one go (first = last) or in several steps of growth."""

    state: State
    first: float
    last: float


class History(NamedTuple):
    """The state at time 0 (None: the partition was created later) and the steps after it."""

    start: State | None
    steps: tuple[Step, ...]

    def states(self) -> tuple[State | None, ...]:
        """The states that rule 1 compares."""
        return (self.start, *(step.state for step in self.steps))


def histories(recording: Recording) -> dict[str, History]:
    """The history of each partition, in the order in which they were created."""
    windows = Windows.of(recording)
    records: dict[str, list[PartitionRecord]] = {}
    for record in recording.metadata:
        records.setdefault(record.partition, []).append(record)
    return {partition: _history(of_one, windows) for partition, of_one in records.items()}


def told_by_list(histories: dict[str, History], topics: list[str]) -> dict[str, History]:
    """The same histories, those of these topics by their replica lists: which partition has which list is chance.

    ``t on 0, 2, 1`` is told once where all partitions that were put there went the same way, else as often as they went
    different ways: ``t on 0, 2, 1 (2)``.
    """
    told: dict[str, History] = {}
    for partition, history in histories.items():
        topic = partition.rpartition("-")[0]
        name = partition
        if topic in topics and history.steps:
            place = f"{topic} on {', '.join(map(str, history.steps[0].state.replicas))}"
            ways = (place, *(f"{place} ({number})" for number in range(2, len(histories) + 2)))
            name = next(way for way in ways if way not in told or told[way].states() == history.states())
        told.setdefault(name, history)
    return told


def epoch_at_zero(recording: Recording) -> dict[str, int]:
    """Each partition's leader epoch at time 0 (0 for one created later)."""
    epochs: dict[str, int] = {}
    for record in recording.metadata:
        epoch = record.changes.get("epoch")
        if isinstance(epoch, int) and (record.t <= 0 or record.partition not in epochs):
            epochs[record.partition] = epoch
    return epochs


def _history(records: list[PartitionRecord], windows: Windows) -> History:
    fields: dict[str, object] = {}
    start: State | None = None
    steps: list[Step] = []
    base: int | None = None
    for record in records:
        fields.update(record.changes)
        epoch = _int(fields["epoch"])
        if record.t <= 0 or base is None:
            base = epoch
        state = State(
            leader=_int(fields["leader"]),
            epoch=epoch - base,
            isr=_ids(fields.get("isr")),
            elr=_ids(fields.get("elr")),
            last_known=_ids(fields.get("lastKnownElr")),
            replicas=_ids(fields.get("replicas"), ordered=True),
        )
        if record.t <= 0:
            start = state
        elif state != (steps[-1].state if steps else start):
            _add(steps, Step(state, record.t, record.t), start, windows)
    return History(start, tuple(steps))


def _add(steps: list[Step], step: Step, start: State | None, windows: Windows) -> None:
    """Append a step, or join it to the last one where both are growth of the ISR (rule 1)."""
    before = steps[-2].state if len(steps) > 1 else start
    if steps and before is not None:
        last = steps[-1]
        soon = step.last - last.last < GROWTH_GAP_S or windows.healing_both(last.last, step.last)
        if soon and last.state.grew_from(before) and step.state.grew_from(last.state):
            steps[-1] = Step(step.state, last.first, step.last)
            return
    steps.append(step)


def _ids(value: object, *, ordered: bool = False) -> tuple[int, ...]:
    members = [_int(item) for item in value] if isinstance(value, list | tuple) else []
    return tuple(members) if ordered else tuple(sorted(members))


def _int(value: object) -> int:
    assert isinstance(value, int), "the reader lets only whole numbers through"
    return value


def _braces(members: tuple[int, ...]) -> str:
    return "{" + ", ".join(str(member) for member in members) + "}"
