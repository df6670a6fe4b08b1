"""Automatic speed: 100 ms/s around what happens, and waits are skipped up to the next event.

A wait is a time in which nothing happens although something is due: a dead broker whose session has not run out,
a replica that is on its way back into the ISR, an action of the timeline that has not come yet, and behind the last of
them the document's end. Any other cluster at rest waits for nothing and plays at 100 ms/s.
"""

from dataclasses import dataclass, field
from typing import Any

from playground.rooms.limits import BIG_BROKERS, BIG_PARTITIONS, SPEED_BIG_US, SPEED_NORMAL_US
from simengine.facts import kinds
from simengine.facts.decisive import (
    BrokerRegistration,
    ConsumerReset,
    LinkChanged,
    PartitionChanged,
    ProcessChanged,
    WriteFailed,
)
from simengine.facts.errors import ERR_NOT_ENOUGH_REPLICAS, ERR_NOT_ENOUGH_REPLICAS_AFTER_APPEND

HOLD_US = 200_000  # after an event: two seconds of the viewer's time at 100 ms/s
LOOK_US = 30_000_000  # a wait without an event is skipped for this long at most
SKIP_SPEED_US = 10_000_000  # 10 s/s while a wait is skipped
LEAD_IN_US = 50_000  # normal speed again this long before an action of the timeline, or the end

_CHANGING = (kinds.PROCESS_STARTING, kinds.PROCESS_REGISTERING, kinds.PROCESS_RECOVERING, kinds.PROCESS_STOPPING)
# how the brokers follow what the controller decided
_ACCOMPANYING_KINDS = (kinds.LEADER_ACTIVATED, kinds.FOLLOWER_STARTED, kinds.ISR_PROPOSED, kinds.ISR_ADOPTED)
_REFUSALS = (ERR_NOT_ENOUGH_REPLICAS, ERR_NOT_ENOUGH_REPLICAS_AFTER_APPEND)
# decisive facts that only repeat figures
_QUIET_KINDS = (kinds.VERDICT_CHANGED, kinds.CLUSTER_VERDICT_CHANGED, kinds.SITE_VERDICT_CHANGED)


def is_event(kind: int) -> bool:
    """True if a fact of this kind is an event: the log tells it, and a skip ends with it."""
    return kind < kinds.FIRST_TRAFFIC and kind not in _QUIET_KINDS


def is_worth_a_stop(row: list[object]) -> bool:
    """True if a step stops at a fact: at an event that does not merely accompany another (``minor`` in the log)."""
    kind = row[2]
    assert isinstance(kind, int)
    if kind == kinds.WRITE_FAILED:  # of attempts that are made again only those that the servers refuse
        failed = WriteFailed.read(row)
        return bool(failed.ended) or failed.error in _REFUSALS
    if kind == kinds.CONSUMER_RESET:
        return ConsumerReset.read(row).old >= 0  # else it only begins to read
    return is_event(kind) and kind not in _ACCOMPANYING_KINDS


def first_speed_us(names: dict[str, Any]) -> int:
    """The speed of a run that nobody has played yet: automatic (0), or fast where the cluster is drawn as a map."""
    is_map = len(names["brokers"]) > BIG_BROKERS or len(names["partitions"]) > BIG_PARTITIONS
    return SPEED_BIG_US if is_map else 0


@dataclass
class Restlessness:
    """The state that tells if something is due in the cluster; folded from decisive rows."""

    process: dict[int, int] = field(default_factory=dict)
    registration: dict[int, int] = field(default_factory=dict)
    partitions: dict[int, tuple[int, list[int], list[int]]] = field(default_factory=dict)  # leader, replicas, isr
    cut_links: set[str] = field(default_factory=set)  # "1>2"

    @classmethod
    def of_view(cls, view: dict[str, Any]) -> "Restlessness":
        """Start from a whole view."""
        at_once = cls()
        for number, broker in view["brokers"].items():
            at_once.process[int(number)] = kinds.PROCESS_NAMES.index(broker["process"])
            at_once.registration[int(number)] = kinds.REG_NAMES.index(broker["registration"])
        for p, partition in enumerate(view["partitions"]):
            at_once.partitions[p] = (partition["leader"], partition["replicas"], partition["isr"])
        at_once.cut_links = {name for name, link in view["links"].items() if link["cut"]}
        return at_once

    def note(self, row: list[object]) -> None:
        """Take in one decisive row."""
        kind = row[2]
        if kind == kinds.PROCESS_CHANGED:
            changed = ProcessChanged.read(row)
            self.process[changed.node] = changed.state
        elif kind == kinds.BROKER_REGISTRATION:
            registered = BrokerRegistration.read(row)
            self.registration[registered.broker] = registered.state
        elif kind == kinds.PARTITION_CHANGED:
            stands = PartitionChanged.read(row)
            self.partitions[stands.p] = (stands.leader, stands.replicas, stands.isr)
        elif kind == kinds.LINK_CHANGED:
            link = LinkChanged.read(row)
            (self.cut_links.add if link.cut else self.cut_links.discard)(f"{link.src}>{link.dst}")

    def is_due(self) -> bool:
        """True if anything is on its way to another state; behind a cut link sessions and lags run out."""
        return (
            bool(self.cut_links)
            or any(self._broker_is_due(broker) for broker in self.registration)
            or any(self._partition_is_due(*partition) for partition in self.partitions.values())
        )

    def _broker_is_due(self, broker: int) -> bool:
        process = self.process.get(broker, kinds.PROCESS_RUNNING)
        if process in _CHANGING:
            return True
        return (process == kinds.PROCESS_RUNNING) != self._is_active(broker)

    def _partition_is_due(self, leader: int, replicas: list[int], isr: list[int]) -> bool:
        active = [broker for broker in replicas if self._is_active(broker)]
        if leader < 0 and not active:
            return False  # nothing changes until somebody comes back
        return any(self._is_active(broker) != (broker in isr) for broker in replicas)

    def _is_active(self, broker: int) -> bool:
        return self.registration.get(broker, kinds.REG_ACTIVE) == kinds.REG_ACTIVE


@dataclass
class RoomPace:
    """Chooses the speed of a room whose speed is automatic."""

    event_us: int = 0
    hold_until_us: int = HOLD_US

    def note_event(self, t_us: int) -> None:
        """An event happened (or somebody acted) at ``t_us``."""
        self.event_us = t_us
        self.hold_until_us = t_us + HOLD_US

    def is_held(self, t_us: int) -> bool:
        """True if an event has just happened: it is given two seconds of the viewer's time."""
        return t_us < self.hold_until_us

    def is_skipping(self, t_us: int, is_due: bool, coming_us: int) -> bool:
        """True if the wait that the run is in should be skipped. ``coming_us``: `LiveRun.coming_us`."""
        if self.is_held(t_us):
            return False
        if coming_us >= 0:
            return coming_us > t_us + LEAD_IN_US
        return is_due and t_us < self.event_us + LOOK_US

    def speed_us(self, t_us: int, is_due: bool, coming_us: int) -> int:
        """Simulated microseconds a second of wall time, now."""
        return SKIP_SPEED_US if self.is_skipping(t_us, is_due, coming_us) else SPEED_NORMAL_US
