"""The brokers of a recording that heartbeats of a dead process kept or brought back: the operating system's doing."""

from typing import Final

from simengine.recordings.model import REGISTERED, Recording
from simengine.recordings.processes import ACTIVE, dead_since, late_heartbeats

SESSION_OVER_S: Final = 11.5  # 9 s, a check every 1.125 s, and a slow machine


def haunted(recording: Recording) -> list[int]:
    """Brokers that a late heartbeat of a dead process unfenced, or kept a session open for (FLT-8, f057).

    The session of a process ends within SESSION_OVER_S of its death, or of a controller's activation (QUO-4): a fencing
    that comes later, without a registration in between, ends a session that somebody else renewed.
    """
    found = [late.broker for late in late_heartbeats(recording)]
    activations = [event.t for event in recording.nodes if event.event == ACTIVE]
    for record in recording.registrations:
        dead = dead_since(recording, record) if record.t > 0 and record.fenced == 1 else None
        if dead is not None and record.kind != REGISTERED:
            since = max([dead, *(t for t in activations if t < record.t)])
            if record.t - since > SESSION_OVER_S:
                found.append(record.broker)
    return found
