"""The operating system's effects on the processes of a recorded run; the README of the recordings calls them input.

How long each start took; starts that had no effect because the old process was still stopping; kills and stops that
then reached nobody; and heartbeats that a dead process's kernel still delivered (FLT-8).
"""

from typing import Final, NamedTuple

from simengine.recordings.model import REGISTERED, BrokerRecord, NodeEvent, RecordedAction, Recording

STARTING: Final = "starting"  # the JVM is up
STOPPING: Final = "stopping"
STOPPED: Final = "stopped"
REGISTERING: Final = "state:STARTING"  # a broker begins to register
STARTED: Final = "started"
NEVER_S: Final = 1.0  # a process that was killed before it registered would have taken longer than it lived, by this
ACTIVE: Final = "active"
INACTIVE: Final = "inactive"
ENDING_VERBS: Final = ("kill", "stop", "pause", "resume")


class RecordedStart(NamedTuple):
    """The outcome of one ``start`` of a node.

    ``delay``: seconds until it registered (a controller: until it was up), counted from the start or, if that came
    later, from the end of the old process; None where the recording does not show it. A process that was killed before
    had longer to go than it lived. ``ended_at_once``: the new process found the old one alive and went away: the start
    had no effect.
    """

    t: float
    node: int
    delay: float | None
    ended_at_once: bool


class LateHeartbeat(NamedTuple):
    """A broker was unfenced while its process was dead."""

    t: float
    broker: int


def nodes_of(action: RecordedAction) -> list[int]:
    """The nodes that an action on processes names, in order."""
    return [node for node in action.named if isinstance(node, int)]


def boots(recording: Recording) -> list[RecordedStart]:
    """Every start of every node, in the order of the script."""
    found: list[RecordedStart] = []
    for action in recording.actions:
        if action.verb == "start":
            for node in nodes_of(action):
                found.append(_boot(recording, action.start, node))
    return found


def _boot(recording: Recording, t: float, node: int) -> RecordedStart:
    following = min((time for time in _starts_of(recording, node) if time > t), default=float("inf"))
    events = [event for event in recording.nodes if event.node == node and t <= event.t < following]
    up = next((i for i, event in enumerate(events) if event.event == STARTING), None)
    if up is None:
        return RecordedStart(t, node, _lived(recording, t, node, following), ended_at_once=False)
    wanted = STARTED if node in recording.controllers else REGISTERING
    for event in events[up + 1 :]:
        if event.event == STOPPING:
            return RecordedStart(t, node, None, ended_at_once=True)
        if event.event == wanted:
            return RecordedStart(t, node, event.t - max(t, _end_of_old(events, event.t, t)), ended_at_once=False)
    registered = _registered(recording, events[up].t, node, following)
    if registered is None:
        return RecordedStart(t, node, _lived(recording, t, node, following), ended_at_once=False)
    return RecordedStart(t, node, registered - max(t, _end_of_old(events, registered, t)), ended_at_once=False)


def _registered(recording: Recording, since: float, node: int, before: float) -> float | None:
    """The first registration of a broker in a span: its process need not have said that it began to register."""
    times = [r.t for r in recording.registrations if r.kind == REGISTERED and r.broker == node and since < r.t < before]
    return min(times, default=None)


def _lived(recording: Recording, t: float, node: int, before: float) -> float | None:
    """More than the time (s) that a process lived which was killed before it registered; None if it was not killed."""
    kills = [a.start for a in recording.actions if a.verb == "kill" and node in nodes_of(a) and t < a.start < before]
    return min(kills) - t + NEVER_S if kills else None


def _end_of_old(events: list[NodeEvent], before: float, otherwise: float) -> float:
    """The moment at which the old process ended, if it was still stopping at the start."""
    return max((event.t for event in events if event.event == STOPPED and event.t < before), default=otherwise)


def _starts_of(recording: Recording, node: int) -> list[float]:
    return [action.start for action in recording.actions if action.verb == "start" and node in nodes_of(action)]


def reached_nobody(recording: Recording) -> list[tuple[int, int]]:
    """(index of the action, node) where the script meant a process that had ended at once."""
    gone: dict[int, bool] = {}
    effects = {(boot.t, boot.node): boot.ended_at_once for boot in boots(recording)}
    missed: list[tuple[int, int]] = []
    for i, action in enumerate(recording.actions):
        for node in nodes_of(action):
            if action.verb == "start":
                gone[node] = effects[action.start, node]
                if gone[node]:
                    missed.append((i, node))
            elif action.verb in ENDING_VERBS and gone.get(node):
                missed.append((i, node))
    return missed


def late_heartbeats(recording: Recording) -> list[LateHeartbeat]:
    """Unfencings of brokers whose process was dead (FLT-8): no action explains them."""
    return [
        LateHeartbeat(record.t, record.broker)
        for record in recording.registrations
        if record.t > 0 and record.fenced == -1 and dead_since(recording, record) is not None
    ]


def dead_since(recording: Recording, record: BrokerRecord) -> float | None:
    """The moment at which the broker lost the process that a record is about, if it had at that time."""
    missed = reached_nobody(recording)
    deaths = [event.t for event in recording.nodes if (event.event, event.node) == (STOPPED, record.broker)]
    for i, action in enumerate(recording.actions):
        if action.verb == "kill" and record.broker in nodes_of(action) and (i, record.broker) not in missed:
            deaths.append(action.start)
    births = [r.t for r in recording.registrations if (r.kind, r.broker) == (REGISTERED, record.broker)]
    if record.fenced == -1:  # a new process that is not registered yet may well see the old one's session end
        births += [e.t for e in recording.nodes if (e.event, e.node) == (REGISTERING, record.broker)]
    dead = max((t for t in deaths if t < record.t), default=None)
    born = max((t for t in births if t < record.t), default=record.t)
    return dead if dead is not None and dead > born else None


def active_controller(recording: Recording, t: float) -> int | None:
    """The controller that was the active one just before t, by what the controllers said."""
    active: int | None = None
    for event in recording.nodes:
        if event.t >= t:
            break
        if event.event == ACTIVE:
            active = event.node
        elif (event.event == INACTIVE or event.event in (STARTING, STOPPED)) and event.node == active:
            active = None
    return active


def activation(recording: Recording) -> float | None:
    """The moment at which the controller that was active at time 0 became so (negative), or None."""
    times = [event.t for event in recording.nodes if event.event == ACTIVE and event.t <= 0]
    return times[-1] if times else None
