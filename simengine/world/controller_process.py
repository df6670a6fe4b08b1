"""The process of one controller as actions end, stop, start and pause it: it votes while it is up (QUO-1, STATE-7).

A process that boots is not up yet; who ends it then leaves nothing to be ended in order.
"""

from typing import Final

from simengine.facts.decisive import ProcessChanged
from simengine.facts.kinds import (
    PROCESS_DOWN,
    PROCESS_PAUSED,
    PROCESS_RUNNING,
    PROCESS_STARTING,
    PROCESS_STOPPING,
)
from simengine.kafka.controller.quorum import Controller, Quorum
from simengine.kernel.calendar import Event

STOP_US: Final = 150_000


class ControllerStops(Event):
    """A controller's clean stop is complete."""

    def __init__(self, quorum: Quorum, node: Controller, cause: int) -> None:
        super().__init__()
        self._quorum = quorum
        self._node = node
        self._cause = cause

    def fire(self) -> None:
        if self._node.up and self._node.stopping:
            _down(self._quorum, self._node, self._cause, True)


class ControllerStarts(Event):
    """A controller's process is up, unless it was ended while it booted."""

    def __init__(self, quorum: Quorum, node: Controller, cause: int) -> None:
        super().__init__()
        self._quorum = quorum
        self._node = node
        self._boot = int(node.boots)
        self._cause = cause

    def fire(self) -> None:
        node = self._node
        if self._boot != node.boots:
            return
        node.pending_boot = False
        node.up = True
        node.listening = True
        node.loaded = len(self._quorum.log)
        node.why = _state(self._quorum, node, PROCESS_RUNNING, self._cause)
        self._quorum.voter_back(node)


def start(quorum: Quorum, node: Controller, boot_us: int, cause: int) -> None:
    """Begin a process; it votes again after ``boot_us``."""
    if not node.up and not node.pending_boot:
        node.pending_boot = True
        node.boots += 1
        _state(quorum, node, PROCESS_STARTING, cause)
        quorum.sim.after(boot_us, ControllerStarts(quorum, node, cause))


def kill(quorum: Quorum, node: Controller, cause: int) -> None:
    """SIGKILL, or the host is gone."""
    if node.up:
        node.close_sockets_late()
        _down(quorum, node, cause, False)
    elif node.pending_boot:
        node.pending_boot = False
        node.boots += 1
        _state(quorum, node, PROCESS_DOWN, cause)


def stop(quorum: Quorum, node: Controller, cause: int) -> None:
    """SIGTERM."""
    if node.pending_boot:
        kill(quorum, node, cause)
    elif node.up and not node.stopping:
        node.stopping = True
        node.why = _state(quorum, node, PROCESS_STOPPING, cause)
        quorum.sim.after(STOP_US, ControllerStops(quorum, node, cause))


def leave(quorum: Quorum, node: Controller, cause: int) -> None:
    """The process that it shares with a broker has ended in order (SHUT-3)."""
    if node.up:
        _down(quorum, node, cause, True)
    else:
        kill(quorum, node, cause)


def pause(quorum: Quorum, node: Controller, cause: int) -> None:
    """SIGSTOP of a process that is up."""
    node.why = _state(quorum, node, PROCESS_PAUSED, cause)
    node.pause()
    quorum.voter_left(node, False)


def resume(quorum: Quorum, node: Controller, cause: int) -> None:
    """SIGCONT of a process that is paused."""
    node.why = _state(quorum, node, PROCESS_RUNNING, cause)
    node.paused = False
    quorum.voter_back(node)
    node.resume()


def _down(quorum: Quorum, node: Controller, cause: int, has_left: bool) -> None:
    node.why = _state(quorum, node, PROCESS_DOWN, cause, has_left)
    node.die()
    node.stopping = False
    quorum.voter_left(node, has_left)


def _state(quorum: Quorum, node: Controller, state: int, cause: int, has_left: bool = False) -> int:
    return int(quorum.sim.trace.state(ProcessChanged(cause, node=node.id, state=state, left=int(has_left))))
