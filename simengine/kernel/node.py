"""Nodes: processes on hosts of their own, and what they do at set times.

A paused process leaves all that is due to it in its inbox. What a dead process had not yet got through is dropped (the
default of FLT-8).
"""

from typing import Final

from mypy_extensions import i64

from simengine.kernel.calendar import Event
from simengine.kernel.random import Stream
from simengine.kernel.sim import Sim
from simengine.kernel.site import ALONE, Site

CLOSING_LEAST_US: Final = 10_000  # FLT-3: the least time from a kill to the end of the process's sockets
CLOSING_MORE_US: Final = 45_000  # the mean of what comes on top


class Wire:
    """A connection as its two ends and the network know it, from ``client`` to ``server``."""

    __slots__ = ("client", "server")

    def __init__(self, client: "Node", server: "Node") -> None:
        self.client = client
        self.server = server

    def close(self) -> None:
        """Give the connection up without a call back."""

    def end_died(self, node: "Node") -> None:
        """One of the two processes ended."""

    def server_went_dark(self) -> None:
        """The server's host has no power: nobody is left to repeat the answers that met a cut."""

    def link_healed(self) -> None:
        """A link of this connection is whole again."""


class Node:
    """A process on a host of its own: broker, controller or client."""

    __slots__ = (
        "_closing",
        "channels",
        "dark",
        "id",
        "inbox",
        "incarnation",
        "index",
        "listening",
        "name",
        "open_until",
        "paused",
        "rack",
        "sim",
        "site",
        "slow_mean_us",
        "slow_stream",
        "slow_until",
        "up",
    )

    def __init__(self, sim: Sim, node_id: i64, name: str, rack: str, site: Site = ALONE) -> None:
        self.sim = sim
        self.id: i64 = node_id
        self.name = name
        self.rack = rack
        self.site = site
        self.index: i64 = -1
        self.up: bool = True
        self.listening: bool = True
        self.paused: bool = False
        self.dark: bool = False  # the host has no power: what is sent to it gets no answer at all (PC-7)
        self.incarnation: i64 = 1
        self.open_until: i64 = 0  # until then a killed process's sockets take what is sent, and nobody reads it
        self._closing: Stream | None = None
        self.inbox: list[Event] = []
        self.channels: list[Wire] = []
        self.slow_until: i64 = 0  # until then every request waits before it is handled
        self.slow_mean_us: i64 = 0
        self.slow_stream: Stream | None = None

    def close_sockets_late(self) -> None:
        """The process is being killed: the kernel gives back its memory before it closes its sockets (FLT-3)."""
        if self._closing is None:
            self._closing = self.sim.stream(self.name, "closing")
        self.open_until = self.sim.now + CLOSING_LEAST_US + self._closing.exponential(CLOSING_MORE_US)

    def die(self) -> None:
        """The process ends: peers get resets where the link is whole, as soon as its sockets are closed."""
        self.up = False
        self.listening = False
        self.paused = False
        self.incarnation += 1
        for event in self.inbox:
            event.vanish()
        self.inbox = []
        for channel in self.channels:
            channel.end_died(self)

    def pause(self) -> None:
        """SIGSTOP."""
        self.paused = True

    def resume(self) -> None:
        """SIGCONT: all that was due happens now; timers before messages, as in a poll that comes back late (FLT-7).

        A reset keeps its place among the messages: what arrived before it is read first (f033).
        """
        self.paused = False
        due = self.inbox
        self.inbox = []
        for event in due:
            if not event.comes_by_wire():
                event.fire()
        for event in due:
            if event.comes_by_wire():
                event.fire()


class Task(Event):
    """Something that one incarnation of a process does at a time; late if the process is paused, never if it died."""

    __slots__ = ("incarnation", "node")

    def __init__(self, node: Node) -> None:
        super().__init__()
        self.node = node
        self.incarnation: i64 = node.incarnation

    def fire(self) -> None:
        node = self.node
        if self.incarnation != node.incarnation:
            return
        if node.paused:
            node.inbox.append(self)
            return
        self.run()

    def run(self) -> None:
        """Do it."""
        raise AssertionError("a task without effect")
