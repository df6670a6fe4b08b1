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
    """The registration events of each broker of the cluster.

    Since 4.3 a broker also reports its log directories by a record that changes neither its fencing nor its shutdown
    (KIP-1066). Rule 3 does not look at it.
    """
    events: dict[int, list[str]] = {broker: [] for broker in recording.brokers}
    times: dict[int, list[float]] = {broker: [] for broker in recording.brokers}
    for record in recording.registrations:
        event = _event(record)
        if record.t > 0 and record.broker in events and event is not None:
            events[record.broker].append(event)
            times[record.broker].append(record.t)
    return {broker: Liveness(tuple(events[broker]), tuple(times[broker])) for broker in events}


def _event(record: BrokerRecord) -> str | None:
    if record.kind == REGISTERED:
        return REGISTRATION
    if record.fenced == 1:
        return FENCING
    if record.fenced == -1:
        return UNFENCING
    return SHUTDOWN if record.shutting_down else None
