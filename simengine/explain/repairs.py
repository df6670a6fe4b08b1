"""The repairs that a partition needs before it accepts writes again: found by running the document on with them.

A repair undoes one fault: a broker that is down is started, one that is paused goes on, cut links are healed,
controllers are a majority again. The smallest sets after which the partition accepts writes are reported. A partition
that accepts writes within LATER_US without a repair needs none.
"""

from itertools import combinations
from typing import Final, NamedTuple

from simengine.explain.decide import written_out
from simengine.explain.fact_index import FactIndex
from simengine.explain.sentences import Words
from simengine.facts.decisive import LinkChanged
from simengine.kafka.shared.standing import BELOW_MIN_ISR, LEADERLESS, OPEN, is_reached
from simengine.kernel.node import Node
from simengine.scenario.action_words import inside, node_names
from simengine.scenario.actions import Action
from simengine.scenario.model import TimelineEntry
from simengine.verdict.account import PartitionCounters
from simengine.verdict.words import brokers
from simengine.words.phrases import plural
from simengine.world.world import World, build

LATER_US: Final = 90_000_000  # after the repairs; sessions end, replicas leave and join the ISR in that time
RUNS_MAX: Final = 24
TRIED_MAX: Final = 4  # where more is in the way, one set is found that has nothing to spare, not all the smallest
WAYS_MAX: Final = 3  # told one by one
NO_ELECTION: Final = -1
ELECTIONS: Final = (("elect preferred all", "an election on request"), ("elect unclean all", "an unclean election"))


class Needs(NamedTuple):
    """``needs``: "" where it comes back by itself; ``would_lose``: by an unclean election instead, if one would do."""

    needs: str = ""
    would_lose: int = NO_ELECTION


class Repair(NamedTuple):
    """The actions of a repair and its name; ``broker``: the one that it starts, else -1."""

    actions: tuple[str, ...]
    noun: str = ""
    broker: int = -1


Way = tuple[Repair, ...]


class Outcome(NamedTuple):
    """The state of a partition's write path after some repairs, and its lost records."""

    state: int
    lost: int

    def is_back(self, mode: str) -> bool:
        """True if it accepts writes of a mode of acks."""
        return self.state == OPEN or (mode != "all" and self.state != LEADERLESS)


class RepairRuns:
    """Runs a document on from the end of a run, once for each set of repairs."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._outcomes: dict[tuple[str, ...], list[Outcome]] = {}
        self._later: World | None = None

    @property
    def later(self) -> World:
        """The world after LATER_US without any repair."""
        if self._later is None:
            self._later = self._run(())
        return self._later

    def after(self, way: Way, p: int) -> Outcome | None:
        """The outcome for a partition; None: no more runs are made."""
        actions = tuple(action for repair in way for action in repair.actions)
        if actions not in self._outcomes:
            if len(self._outcomes) >= RUNS_MAX:
                return None
            world = self._run(actions) if actions else self.later
            self._outcomes[actions] = [_outcome(world, account) for account in world.book.accounts]
        return self._outcomes[actions][p]

    def _run(self, actions: tuple[str, ...]) -> World:
        at_us = int(self._world.now_us)
        doc = written_out(self._world.doc, at_us)
        done = [entry for entry in doc.timeline if entry.at_us <= at_us]
        timeline = [*done, *(_entry(at_us + 1, action) for action in actions)]
        world = build(doc.model_copy(update={"timeline": timeline, "closing_us": None}))
        world.run(at_us + LATER_US)
        return world


class Repairs:
    """The needs of the partitions of a run at its end."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._reruns = RepairRuns(world)
        self._obstacles: list[Repair] | None = None

    def needs_of(self, p: int, mode: str) -> Needs:
        """The repairs that bring a partition back in a mode of acks; checked, each by a run."""
        now = self._reruns.after((), p)
        if now is None or now.is_back(mode):
            return Needs()
        ways = self._ways(p, mode)
        elected = self._elected(p, mode)
        if not ways:
            return Needs(elected[1] if elected else "")
        is_of_isr = now.state == BELOW_MIN_ISR or (now.state == LEADERLESS and self._ways(p, "1") != ways)
        least = f" (min.insync.replicas {self._least(p)})" if is_of_isr else ""
        loses = NO_ELECTION
        if elected and elected[0].state != LEADERLESS and now.state == LEADERLESS:
            loses = max(0, elected[0].lost - min(self._lost(way, p) for way in ways))
        return Needs(self._told(ways, p) + least, loses)

    def _least(self, p: int) -> int:
        image = self._world.cluster.quorum.image
        known = image.partition(p)
        return 1 if known is None else int(image.min_insync(known.topic))

    def _lost(self, way: Way, p: int) -> int:
        found = self._reruns.after(way, p)
        return 0 if found is None else found.lost

    # -- ways back

    def _is_way(self, way: Way, p: int, mode: str) -> bool:
        found = self._reruns.after(way, p)
        return found is not None and found.is_back(mode)

    def _ways(self, p: int, mode: str) -> list[Way]:
        """The smallest sets of repairs that bring a partition back; none if all together do not."""
        every = self.obstacles()
        if not self._is_way(tuple(every), p, mode):
            return []
        if len(every) > TRIED_MAX:
            return [self._one_way(every, p, mode)]
        sizes = (combinations(every, size) for size in range(1, len(every)))
        found = ([way for way in ways if self._is_way(way, p, mode)] for ways in sizes)
        return next((ways for ways in found if ways), [tuple(every)])

    def _one_way(self, every: list[Repair], p: int, mode: str) -> Way:
        """A small set; nothing can be left out unless the runs are used up. Links are left out first."""
        way = tuple(every)
        for one in reversed(every):
            rest = tuple(repair for repair in way if repair != one)
            way = rest if self._is_way(rest, p, mode) else way
        return way

    def _elected(self, p: int, mode: str) -> tuple[Outcome, str] | None:
        """The outcome of an election on request, and its name with what it would lose (UNC-3, DIR-3)."""
        before = int(self._world.book.account(p).losses.count)
        for action, noun in ELECTIONS:
            found = self._reruns.after((Repair((action,)),), p)
            if found is not None and found.is_back(mode):
                lost = found.lost - before
                return found, f"{noun} (would lose {plural(lost, 'record', 'records')})" if lost else noun
        return None

    def obstacles(self) -> list[Repair]:
        """The repair of each thing that is in the way and that nothing undoes by itself."""
        if self._obstacles is None:
            later, words = self._reruns.later, Words(self._world.names())
            cluster = later.cluster
            controllers = [action for one in cluster.quorum.voters if (action := _revived(one))]
            found = [Repair(tuple(controllers), "a controller majority")] if controllers else []
            for broker in cluster.brokers:
                action = _revived(broker)
                if action.startswith("start"):
                    found.append(Repair((action,), "", int(broker.id)))
                elif action:
                    found.append(Repair((action,), f"{words.node(int(broker.id))} to go on"))
            self._obstacles = [*found, *self._cut_links(later)]
        return self._obstacles

    def _cut_links(self, later: World) -> list[Repair]:
        """The healing of the links of each action by which some are still cut."""
        past = FactIndex(later.trace.decisive)
        end, name = past.after(int(later.now_us)), node_names(later.doc)
        cuts = [fact for fact in past.of(LinkChanged) if fact.cut and past.are_apart(fact.src, fact.dst, end)]
        done = [past.action(fact) for fact in cuts]
        heals = dict.fromkeys(
            f"heal {one.args[0].replace('>', '|')}" if one is not None and one.verb == "cut" else "heal" for one in done
        )
        return [Repair((heal,), inside(heal, name).removesuffix(" are healed")) for heal in heals]

    # -- in words

    def _told(self, ways: list[Way], p: int) -> str:
        """``broker 1, and broker 2 or 3``: what all ways have in common, and the choice between the others."""
        least = min(self._lost(way, p) for way in ways)
        common = [repair for repair in ways[0] if all(repair in way for way in ways)]
        rests = [[repair for repair in way if repair not in common] for way in ways]
        loses = [self._lost(way, p) - least for way in ways]
        if not any(loses) and all(len(rest) == 1 and rest[0].broker >= 0 for rest in rests):
            choice = brokers([rest[0].broker for rest in rests], "or")
        else:
            told = [_way_words(rest, lost) for rest, lost in zip(rests, loses, strict=True)]
            choice = " or ".join(told[:WAYS_MAX]) if any(rests) else ""
        return ", and ".join(filter(None, [_way_words(common), choice]))


def _outcome(world: World, account: PartitionCounters) -> Outcome:
    """A leader that no producer of the partition reaches is none for them."""
    net, leader = world.cluster.net, account.leader()
    if leader is None:
        return Outcome(LEADERLESS, int(account.losses.count))
    clients = [net.clients[int(calls.client)] for calls in account.calls]
    cut = [net.is_cut(one, leader.broker) or net.is_cut(leader.broker, one) for one in clients]
    state = int(account.states[-1][1]) if account.states else OPEN  # nobody has called it yet
    return Outcome(state if is_reached(cut) else LEADERLESS, int(account.losses.count))


def _entry(at_us: int, action: str) -> TimelineEntry:
    verb, *args = action.split(" ")
    return TimelineEntry.model_construct(at_us=at_us, action=Action(verb, tuple(args)))


def _revived(node: Node) -> str:
    """The action that makes a process run again; "" if it runs."""
    return f"start {int(node.id)}" if not node.up else f"resume {int(node.id)}" if node.paused else ""


def _way_words(way: list[Repair], lost: int = 0) -> str:
    """All that one way takes; ``lost``: records more than by another way."""
    starts = [repair.broker for repair in way if repair.broker >= 0]
    parts = [repair.noun for repair in way if repair.noun == "a controller majority"]
    parts += [brokers(sorted(starts))] if starts else []
    parts += [repair.noun for repair in way if repair.noun and repair.noun not in parts]
    text = ", and ".join(parts)
    return f"{text} (would lose {plural(lost, 'record', 'records')})" if lost else text
