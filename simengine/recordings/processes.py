"""What the operating system did with the processes of a recorded run; the README of the recordings calls it input.

How long each start took; starts that had no effect because the old process was still stopping; kills and stops that
then reached nobody; and heartbeats that a dead process's kernel still delivered (FLT-8).
"""

from typing import Final, NamedTuple

from simengine.recordings.model import REGISTERED, Action, NodeEvent, Recording

STARTING: Final = "starting"  # the JVM is up
STOPPING: Final = "stopping"
STOPPED: Final = "stopped"
REGISTERING: Final = "state:STARTING"  # a broker begins to register
STARTED: Final = "started"
ACTIVE: Final = "active"
INACTIVE: Final = "inactive"
ENDING_VERBS: Final = ("kill", "stop", "pause", "resume")


class Boot(NamedTuple):
    """What one ``start`` of a node came to.

    ``delay``: seconds until it registered (a controller: until it was up), counted from the start or, if that came
    later, from the end of the old process; None where the recording does not show it. ``ended_at_once``: the new
    process found the old one alive and went away: the start had no effect.
    """

    t: float
    node: int
    delay: float | None
    ended_at_once: bool


class LateHeartbeat(NamedTuple):
    """A broker was unfenced while its process was dead."""

    t: float
    broker: int


def nodes_of(action: Action) -> list[int]:
    """The nodes that an action on processes names, in order."""
    named = action.details.get("args")
    return [node for node in named if isinstance(node, int)] if isinstance(named, list) else []


def boots(recording: Recording) -> list[Boot]:
    """Every start of every node, in the order of the script."""
    found: list[Boot] = []
    for action in recording.actions:
        if action.verb == "start":
            for node in nodes_of(action):
                found.append(_boot(recording, action.start, node))
    return found


def _boot(recording: Recording, t: float, node: int) -> Boot:
    following = min((time for time in _starts_of(recording, node) if time > t), default=float("inf"))
    events = [event for event in recording.nodes if event.node == node and t <= event.t < following]
    up = next((i for i, event in enumerate(events) if event.event == STARTING), None)
    if up is None:
        return Boot(t, node, None, ended_at_once=False)
    wanted = STARTED if node in recording.controllers else REGISTERING
    for event in events[up + 1 :]:
        if event.event == STOPPING:
            return Boot(t, node, None, ended_at_once=True)
        if event.event == wanted:
            return Boot(t, node, event.t - max(t, _end_of_old(events, event.t, t)), ended_at_once=False)
    return Boot(t, node, None, ended_at_once=False)


def _end_of_old(events: list[NodeEvent], before: float, otherwise: float) -> float:
    """When the old process ended, if it was still stopping at the start."""
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
    missed = reached_nobody(recording)
    deaths = [(event.t, event.node) for event in recording.nodes if event.event == STOPPED]
    for i, action in enumerate(recording.actions):
        if action.verb == "kill":
            deaths += [(action.start, node) for node in nodes_of(action) if (i, node) not in missed]
    births = [(event.t, event.node) for event in recording.nodes if event.event == REGISTERING]
    births += [(record.t, record.broker) for record in recording.registrations if record.kind == REGISTERED]
    found = []
    for record in recording.registrations:
        if record.t > 0 and record.fenced == -1:
            dead = max((t for t, node in deaths if node == record.broker and t < record.t), default=None)
            born = max((t for t, node in births if node == record.broker and t < record.t), default=record.t)
            if dead is not None and dead > born:
                found.append(LateHeartbeat(record.t, record.broker))
    return found


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
    """When the controller that was active at time 0 became so (negative), or None."""
    times = [event.t for event in recording.nodes if event.event == ACTIVE and event.t <= 0]
    return times[-1] if times else None
