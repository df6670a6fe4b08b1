"""The time before the script's time 0: how long the run takes for it, and when the steps of ``setup`` happen in it.

The script does not time these steps, but the recording shows when their effects were seen (a process that stops, a
record that is sent, a commit); a step that left no trace follows the one before it.
"""

from typing import Final, NamedTuple

from simengine.recordings.model import CONSUMER, PRODUCER, RecordedAction, Recording, SetupStep
from simengine.recordings.processes import STOPPING
from simengine.recordings.values import Writing, writing

LEAD_IN_S: Final = 10.0  # the cluster runs at least this long before time 0 and before the first step of setup
UNSEEN_S: Final = 20.0  # before time 0: steps without a trace begin here, so that their consequences are over
STEP_S: Final = 1.0  # from one step to the next one without a trace
OPEN_S: Final = 2.0  # a client opens this long before the setup uses it
REST_OPEN_S: Final = 1.0  # before time 0: where there is a setup, the other clients open after it
US: Final = 1_000_000
LIKE_ACTIONS: Final = ("rate", "cut", "heal", "pause", "resume", "config", "elect", "reassign", "create", "create-auto")


class TimedAction(NamedTuple):
    """An action (as documents write it) at t seconds, before 0."""

    t: float
    action: str


class LeadIn(NamedTuple):
    """``zero_us``: the script's time 0 in the run; ``closed``: clients that are not open from the beginning."""

    zero_us: int
    steps: tuple[TimedAction, ...]
    writings: tuple[Writing, ...]
    others: tuple[RecordedAction, ...]  # of the setup, to be translated as the script's own
    closed: tuple[str, ...]


def lead_in(recording: Recording) -> LeadIn:
    """The setup of a recording: its place in the run, and its steps."""
    opened_later = [str(c) for a in recording.actions if a.verb in (PRODUCER, CONSUMER) for c in a.named]
    steps: list[TimedAction] = []
    writings: list[Writing] = []
    like: list[RecordedAction] = []
    used: list[str] = []
    for t, step in _timed(recording):
        written = writing(step, t)
        if written is not None and written.per_s is None:
            writings.append(written)
            steps.append(TimedAction(t, f"send {written.pair[0]} {written.pair[1]} {len(written.values)}"))
            _open(steps, used, written.pair[0], t)
        elif step.verb in ("commit", "close"):
            client = str(step.named[0])
            _open(steps, used, client, t)
            steps.append(TimedAction(t, f"{step.verb} {client}{_committed(step)}"))
        elif step.verb in ("kill", "stop", "start"):
            steps += [TimedAction(t, f"{step.verb} {node}") for node in step.named]
        elif step.verb in LIKE_ACTIONS:
            like.append(RecordedAction(t, t, step.verb, step.details))
            if written is not None:
                _open(steps, used, written.pair[0], t)
    others = [client.id for client in recording.clients if client.id not in used and client.id not in opened_later]
    if steps:
        steps += [TimedAction(-REST_OPEN_S, f"open {client}") for client in others]
    first = min((step.t for step in [*steps, *(TimedAction(action.start, "") for action in like)]), default=0.0)
    closed = [*used, *others, *opened_later] if steps else opened_later
    zero_us = round((LEAD_IN_S - first) * US)
    return LeadIn(zero_us, tuple(sorted(steps, key=lambda step: step.t)), tuple(writings), tuple(like), tuple(closed))


def _timed(recording: Recording) -> list[tuple[float, SetupStep]]:
    """The steps with the times at which the recording shows them; one without a trace follows the one before it."""
    timed: list[tuple[float, SetupStep]] = []
    last = -UNSEEN_S
    for step in recording.setup:
        seen = _seen(recording, step)
        last = min(last + STEP_S, -REST_OPEN_S) if seen is None else seen
        timed.append((last, step))
    return timed


def _seen(recording: Recording, step: SetupStep) -> float | None:
    """The moment (s) at which the recording shows a step of the setup, or None."""
    named = step.named
    if step.verb == "stop":
        return min((e.t for e in recording.nodes if e.event == STOPPING and e.node in named and e.t < 0), default=None)
    if step.verb == "send":
        sent = step.details.get("values")
        values = [str(value) for value in sent] if isinstance(sent, list) else []
        return min((c.sent for c in recording.produce if c.value in values and c.client in named), default=None)
    kind = {"commit": "committed", "close": "closed"}.get(step.verb)
    return min((e.t for e in recording.client_events if e.kind == kind and e.client in named and e.t < 0), default=None)


def _committed(step: SetupStep) -> str:
    """The arguments of a commit besides its consumer."""
    if step.verb != "commit":
        return ""
    return f" {step.details['topic']}-{step.details.get('partition', 0)} {step.details['offset']}"


def _open(steps: list[TimedAction], used: list[str], client: str, t: float) -> None:
    if client not in used:
        used.append(client)
        steps.append(TimedAction(t - OPEN_S, f"open {client}"))
