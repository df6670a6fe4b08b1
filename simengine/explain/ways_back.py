"""The repairs that would bring a partition back, without a clock: the able replicas, the ISR and the ELR after them.

``simengine.kafka.shared.standing`` decides by that who may lead and whether writes are accepted.

A repair undoes one thing that is in the way: a process that is down is started, one that is paused goes on, links are
healed. Of the sets of repairs after which the partition would take calls the smallest ones are the ways back. What
comes by itself (who is silent is fenced, who does not follow leaves the ISR, who runs joins it) needs no repair.
"""

from itertools import combinations
from typing import Final, NamedTuple

from simengine.explain.sentences import Words
from simengine.facts.kinds import ELECTION_UNCLEAN
from simengine.kafka.broker.broker import Broker
from simengine.kafka.broker.lifecycle import BOOTING, PENDING_SHUTDOWN, REGISTERING
from simengine.kafka.controller.control import ReplicationControlManager
from simengine.kafka.controller.quorum import Controller
from simengine.kafka.shared.metadata import PartitionRegistration
from simengine.kafka.shared.standing import (
    PartitionLists,
    is_reached,
    is_writable,
    required_isr,
    state_of_writes,
    successors,
)
from simengine.kernel.node import Node
from simengine.world.world import World

MAJORITY: Final = "majority"  # of the controllers is there again
START: Final = "start"
RESUME: Final = "resume"
LINKS: Final = "links"  # between two replicas
REACH: Final = "reach"  # the links between a replica and the active controller
CALLS: Final = "calls"  # the links between a replica and all who call the partition
UNCLEAN: Final = "unclean"  # an unclean election is asked for (UNC-3)
TRIED_MAX: Final = 10  # where more is in the way, one set is found that has nothing to spare, not all the smallest


class Repair(NamedTuple):
    """A kind of repair, and the brokers that it is done to."""

    kind: str
    brokers: tuple[int, ...] = ()


Repairs = frozenset[Repair]
NOTHING: Final[Repairs] = frozenset()


def active_controller(world: World) -> Controller | None:
    """The controller that leads a majority, or would be elected by it; None: there is no majority (QUO-6)."""
    quorum = world.cluster.quorum
    able = [voter for voter in quorum.voters if quorum.reaches_majority(voter)]
    return quorum.active if quorum.active in able else next(iter(able), None)


class RepairedPartition:
    """One partition at the end of a run, as it would go on after repairs."""

    def __init__(self, world: World, registration: PartitionRegistration, mode: str) -> None:
        cluster = world.cluster
        self._world = world
        self._known = registration
        self._controller = active_controller(world)
        control = None if self._controller is None else self._controller.control
        self._heard = control.tracker if isinstance(control, ReplicationControlManager) else None
        self.replicas = [int(one) for one in registration.synced()]
        self._isr = [int(one) for one in registration.isr]
        self._has_elr = bool(cluster.quorum.config.elr)
        self.is_unclean = bool(cluster.quorum.image.unclean(registration.topic))
        least = int(cluster.quorum.image.min_insync(registration.topic))
        self.least = least if mode == "all" else 1
        self.wanted = int(required_isr(self.least, len(self.replicas)))
        self._mode = mode
        stayers = int(cluster.quorum.image.effective_min_insync(registration.topic))
        stay = self._last_of_isr(stayers)
        self._is_open = self._heard is None and len(self._isr) > stayers  # who will be left of the ISR
        self._eligible = list(dict.fromkeys((*stay, *(int(one) for one in registration.elr))))
        self._clients = [int(calls.client) for calls in world.book.account(registration.p).calls]
        self._callers = [cluster.net.clients[client] for client in self._clients]

    # -- what is in the way

    def obstacles(self) -> list[Repair]:
        """Every repair that there is something to do for."""
        found = [] if self._controller is not None else [Repair(MAJORITY)]
        for one in self.replicas:
            broker = self._broker(one)
            found += [Repair(START, (one,))] if is_gone(broker) else []
            found += [Repair(RESUME, (one,))] if broker.up and broker.paused else []
            found += [] if self._hears(one, NOTHING) else [Repair(REACH, (one,))]
            found += [] if self._is_called(one, NOTHING) else [Repair(CALLS, (one,))]
        for one, other in combinations(sorted(self.replicas), 2):
            found += [] if self._linked(one, other, NOTHING) else [Repair(LINKS, (one, other))]
        return found

    def ways(self) -> list[Repairs]:
        """The smallest sets of repairs that bring the partition back; by an unclean election if nothing else does."""
        obstacles = self.obstacles()
        return self._smallest(obstacles, NOTHING) or self._smallest(obstacles, frozenset({Repair(UNCLEAN)}))

    def _smallest(self, obstacles: list[Repair], always: Repairs) -> list[Repairs]:
        if not self.is_writable_after(always.union(obstacles)):
            return []
        if len(obstacles) > TRIED_MAX:
            return [self._one_way(obstacles, always)]
        for size in range(len(obstacles) + 1):
            found = [always.union(some) for some in combinations(obstacles, size)]
            found = [some for some in found if self.is_writable_after(some)]
            if found:
                return found
        raise AssertionError("all repairs together are enough")

    def _one_way(self, obstacles: list[Repair], always: Repairs) -> Repairs:
        """A set of which nothing can be left out: links are left out first."""
        way = always.union(obstacles)
        for one in reversed(obstacles):
            if self.is_writable_after(way - {one}):
                way -= {one}
        return way

    # -- how it would go on

    def is_writable_after(self, done: Repairs) -> bool:
        """True if it has a leader, and for acks=all a sufficient ISR that responds (PROD-2, HW-1), whoever leads."""
        leaders = self.leaders(done)
        return bool(leaders) and all(self._is_written_at(leader, done) for leader in leaders)

    def _is_written_at(self, leader: int, done: Repairs) -> bool:
        is_frozen = self._is_frozen(done)
        isr = len(self._isr) if is_frozen else self._isr_size(leader, done)
        is_held_up = is_frozen and not all(self._answers(one, leader, done) for one in self._isr)
        state = state_of_writes(self._is_called(leader, done), isr, self.wanted, is_held_up)
        return bool(is_writable(state, acks_all=self._mode == "all"))

    def leaders(self, done: Repairs) -> list[int]:
        """The brokers that may lead: one of these will; nobody new while all is frozen (QUO-6)."""
        if self._is_frozen(done):
            leader = int(self._known.leader)
            return [leader] if self._world.book.account(self._known.p).leader() and self._works_on(leader, done) else []
        active = [one for one in self.replicas if self._is_active(one, done)]
        stay = [one for one in active if one in self._isr and not self._will_reregister(one, done)]
        allows_unclean = self.is_unclean or Repair(UNCLEAN) in done  # UNC-1, UNC-3
        found = successors(self._lists_after(stay, active, done), active, allows_unclean)
        return self._first(found.brokers) if stay or found.how == ELECTION_UNCLEAN else found.brokers

    def _lists_after(self, stay: list[int], active: list[int], done: Repairs) -> PartitionLists:
        """The registration's lists after the repairs; ``stay``: the members that no repair makes register again."""
        isr, elr, last_known = stay, [], []
        if not stay and self._has_elr:
            elr = self._elr_after(active, done)
            last_known = [int(one) for one in self._known.last_known] or [int(self._known.leader)]
        elif not stay:
            last = self._last_of_isr(1)  # ELEC-7: all have to be back where nobody knows who stays in the ISR
            isr = last if set(last) <= set(active) else []
        return PartitionLists(self.replicas, isr, elr, last_known, [])

    def replaced(self) -> int | None:
        """DIR-3: the broker with a replaced disk that an election would make leader; None where there is none."""
        if self._known.leader >= 0 or self._is_frozen(NOTHING):
            return None
        image = self._world.cluster.quorum.image
        able = [one for one in self.leaders(NOTHING) if image.is_active(one)]
        return next((one for one in able if image.directory_of(one) > 0), None)

    def _first(self, able: list[int]) -> list[int]:
        """The leader if it still is able, else the first that needs no repair, else any of them, as they come."""
        now = [one for one in able if self._is_active(one, NOTHING)]
        return [int(self._known.leader)] if self._known.leader in now else now[:1] or able

    def _last_of_isr(self, count: int) -> list[int]:
        """The last members to be fenced, if all are: those heard from last; all of them where nobody knows."""
        return self._isr if self._heard is None else sorted(self._isr, key=self._heard.last_at)[-count:]

    def _elr_after(self, active: list[int], done: Repairs) -> list[int]:
        """ELR-2; who ended uncleanly leaves the ELR as it registers (ELR-5).

        Where nobody knows which members the ELR will have, all of the ISR that are away are waited for.
        """
        away = [one for one in self._isr if one not in active]
        if self._is_open and away:
            return away
        comes_back_unclean = [one for one in active if self._will_reregister(one, done) and not self._is_clean(one)]
        return [one for one in self._eligible if one not in comes_back_unclean]

    def _isr_size(self, leader: int, done: Repairs) -> int:
        """ISR-5, ISR-2: who runs and is linked to the leader gets into its ISR, who is not gets out of it."""
        return sum(self._is_active(one, done) and self._linked(one, leader, done) for one in self.replicas)

    # -- single brokers

    def _broker(self, one: int) -> Broker:
        return self._world.cluster.by_id[one]

    def _is_frozen(self, done: Repairs) -> bool:
        return self._controller is None and Repair(MAJORITY) not in done

    def _will_reregister(self, one: int, done: Repairs) -> bool:
        """True if the broker will register again (REG-4)."""
        state = self._broker(one).lifecycle.state
        return Repair(START, (one,)) in done or state in (BOOTING, REGISTERING, PENDING_SHUTDOWN)

    def _is_clean(self, one: int) -> bool:
        """REG-3: whether its marker says that it ended in order, or will say so."""
        if self._broker(one).lifecycle.state == PENDING_SHUTDOWN:
            return True
        marker = int(self._broker(one).clean_be)
        return marker >= 0 and marker == int(self._world.cluster.quorum.image.broker_epoch(one))

    def _runs(self, one: int, done: Repairs) -> bool:
        broker = self._broker(one)
        is_there = not is_gone(broker) or Repair(START, (one,)) in done
        return is_there and (not broker.paused or Repair(RESUME, (one,)) in done)

    def _works_on(self, one: int, done: Repairs) -> bool:
        """True if its process registered once and runs; without controllers one that stops gets no leave (SHUT-2)."""
        broker = self._broker(one)
        is_old = broker.up and broker.lifecycle.state not in (BOOTING, REGISTERING)
        return is_old and (not broker.paused or Repair(RESUME, (one,)) in done)

    def _hears(self, one: int, done: Repairs) -> bool:
        return Repair(REACH, (one,)) in done or not self.unheard(one)

    def unheard(self, one: int) -> list[Controller]:
        """The controllers that a broker is cut off from, if the active one, or whoever may be it, is among them."""
        cut = [other for other in self._world.cluster.quorum.voters if self._is_cut(self._broker(one), other)]
        return cut if self._controller is None or self._controller in cut else []

    def _is_called(self, one: int, done: Repairs) -> bool:
        """True if a producer that calls the partition reaches the broker, and is reached by it."""
        cut = [self._is_cut(self._broker(one), node) for node in self._callers]
        return bool(is_reached(cut)) or Repair(CALLS, (one,)) in done

    def callers(self) -> list[str]:
        """The names of the producers that call the partition."""
        words = Words(self._world.names())
        return [words.client(client) for client in sorted(self._clients)]

    def _is_cut(self, one: Node, other: Node) -> bool:
        net = self._world.cluster.net
        return bool(net.is_cut(one, other) or net.is_cut(other, one))

    def _is_active(self, one: int, done: Repairs) -> bool:
        return self._runs(one, done) and self._hears(one, done)

    def _linked(self, one: int, other: int, done: Repairs) -> bool:
        is_cut = self._is_cut(self._broker(one), self._broker(other))
        return not is_cut or Repair(LINKS, (min(one, other), max(one, other))) in done

    def _answers(self, one: int, leader: int, done: Repairs) -> bool:
        return self._works_on(one, done) and self._linked(one, leader, done)


def is_gone(broker: Broker) -> bool:
    """True if a process is down, or shuts down and will not start again."""
    return not broker.up or (broker.lifecycle.state == PENDING_SHUTDOWN and broker.start_pending is None)
