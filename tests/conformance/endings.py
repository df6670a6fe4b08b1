"""The end of each partition's log (rule 7)."""

from typing import NamedTuple

from simengine.recordings.model import Recording
from tests.conformance.history import epoch_at_zero


class Ending(NamedTuple):
    """The epochs of the final log in order, counted from time 0, and the replicas that differ from the leader's."""

    epochs: tuple[int, ...]
    different: tuple[int, ...]

    def __str__(self) -> str:
        epochs = ", ".join(f"+{epoch}" for epoch in self.epochs) or "none"
        others = ", ".join(str(broker) for broker in self.different) or "none"
        return f"epochs {epochs}; replicas that differ: {others}"


def endings(recording: Recording) -> dict[str, Ending]:
    """The ending of each partition whose log was kept."""
    base = epoch_at_zero(recording)
    found: dict[str, Ending] = {}
    for partition, log in recording.logs.items():
        epochs: list[int] = []
        for record in log.records:
            epoch = record.epoch - base.get(partition, 0)
            if not epochs or epochs[-1] != epoch:
                epochs.append(epoch)
        found[partition] = Ending(tuple(epochs), tuple(sorted(log.different)))
    return found
