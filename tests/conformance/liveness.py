"""The controller's records about each broker after time 0: the sequence that rule 3 compares."""

from typing import Final, NamedTuple

from simengine.recordings.model import REGISTERED, BrokerRecord, Recording

REGISTRATION: Final = "registered"
UNFENCING: Final = "unfenced"
FENCING: Final = "fenced"
SHUTDOWN: Final = "shutting down"


class Liveness(NamedTuple):
    """Events of one broker's registration after time 0, with their times in seconds."""

    events: tuple[str, ...]
    times: tuple[float, ...]


def liveness(recording: Recording) -> dict[int, Liveness]:
    """The registration events of each broker of the cluster."""
    events: dict[int, list[str]] = {broker: [] for broker in recording.brokers}
    times: dict[int, list[float]] = {broker: [] for broker in recording.brokers}
    for record in recording.registrations:
        if record.t > 0 and record.broker in events:
            events[record.broker].append(_event(record))
            times[record.broker].append(record.t)
    return {broker: Liveness(tuple(events[broker]), tuple(times[broker])) for broker in events}


def _event(record: BrokerRecord) -> str:
    if record.kind == REGISTERED:
        return REGISTRATION
    if record.fenced == 1:
        return FENCING
    if record.fenced == -1:
        return UNFENCING
    return SHUTDOWN
