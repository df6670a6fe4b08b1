"""An incident that lost nothing did so by rule or by luck (STOP-5).

By luck: at some moment the same faults, in this state of the cluster, could have lost an acknowledged record. That
takes a broker that a fault takes from its leadership (its process ends or stands still, or the controllers do not hear
it), or from its log:

- the leader had answered with acks=1, after its own write (PROD-4), and another replica may lead instead of it;
- no member of the ISR is left, and a replica outside of it may be elected (UNC-1);
- the leader, or every in-sync replica that runs, lost the end of its log (LOG-8) or its disk;
- followers cut their logs back (LEG-1).

By rule is all else. A link between two brokers moves no leader (FLT-4), nor does a client's, nor any link of a broker
that is down.
"""

from typing import Final, NamedTuple

from simengine.explain.fact_index import FactIndex
from simengine.explain.faults import faults_of
from simengine.facts.decisive import ActionDone, LinkChanged, ProcessChanged, Truncated
from simengine.facts.trace import Decisive
from simengine.kafka.replica.replica import LEADER
from simengine.kafka.shared.metadata import PartitionRegistration
from simengine.kafka.shared.standing import PartitionLists, awaited
from simengine.scenario.actions import is_emptied
from simengine.scenario.verb import REPAIR
from simengine.scenario.verbs import with_trait
from simengine.verdict.last_copy import missing
from simengine.verdict.presence import present_range
from simengine.world.world import World

UNDOES: Final = with_trait(REPAIR)
EARLY: Final = "acks=1 is answered before another replica has the record"
ALL_HAVE: Final = "acks=all, and each replica that may be elected has the records"
KEEPS: Final = "no other replica may lead, and a log keeps its records"
GO_ON: Final = ("cut", "pause", "stop")  # after which a leader that was hit may acknowledge still


class Odds(NamedTuple):
    """``is_luck`` and the reason for it.

    ``led``: the partitions whose leader was hit and that another replica may lead, each with that leader's epoch.
    """

    is_luck: bool
    reason: str
    led: tuple[tuple[int, int], ...] = ()


NOT_SEEN: Final = Odds(True, "nobody looked")


class Hit:
    """The brokers and controllers that the faults of a moment hit: their processes, and the links between two."""

    def __init__(self) -> None:
        self.nodes: dict[int, bool] = {}
        self.links: dict[tuple[int, int], bool] = {}

    def __bool__(self) -> bool:
        return bool(self.nodes or self.links)

    def displaced(self, then: World) -> dict[int, bool]:
        """The brokers that may lose their leaderships: their processes were hit, or the controllers do not hear them.

        One that will lose them by an earlier fault may lose more by a cut, if it runs. Where the active controller was
        hit itself, any other may be the active one.
        """
        quorum = then.cluster.quorum
        voters = {int(voter.id): True for voter in quorum.voters}
        active = -1 if quorum.active is None else int(quorum.active.id)
        is_hit = active in self.nodes or any(active in link and set(link) <= set(voters) for link in self.links)
        counted = voters if active < 0 or is_hit else {active: True}
        links = self.between_running(then)
        unheard = [one for link in links if any(end in counted for end in link) for one in link]
        doomed = [one for link in links for one in link if one in then.cluster.by_id and not stays(then, one)]
        return {one: True for one in (*self.nodes, *unheard, *doomed) if one in then.cluster.by_id}

    def between_running(self, then: World) -> list[tuple[int, int]]:
        """The links that were hit, without those of brokers whose processes had ended."""
        by_id = then.cluster.by_id
        return [link for link in self.links if all(one not in by_id or by_id[one].up for one in link)]

    def without_leader(self, then: World) -> str:
        """The reason why faults that hit no leader lose nothing."""
        links = self.between_running(then)
        if self.links and not links and not self.nodes:
            return "a broker of each link was down already"
        ends = {one: True for link in links for one in link}
        partitions = [int(account.p) for account in then.book.accounts]
        if any(takes_itself_for_leader(then, p, self.nodes) for p in partitions):
            return "the leader that was hit had been replaced already"
        is_of_leader = any(is_led_by(then, p, ends) for p in partitions)
        return "no leader lost its link to the active controller" if is_of_leader else "no leader was hit"

    def touches(self, broker: int, replicas: list[int], then: World) -> bool:
        """True if a broker's process was hit, or its link to a controller or to another replica of a partition."""
        others = [end for link in self.links if broker in link for end in link if end != broker]
        return broker in self.nodes or any(end in replicas or end not in then.cluster.by_id for end in others)


def hits(past: FactIndex) -> dict[int, Hit]:
    """By moment of a fault: what it hit."""
    faults = {fact.seq: True for fact in faults_of(past)}
    found: dict[int, Hit] = {}

    def at(done: Decisive | None) -> Hit:
        is_of_fault = done is not None and done.seq in faults
        return found.setdefault(done.t, Hit()) if done is not None and is_of_fault else Hit()

    for process in past.of(ProcessChanged):
        at(past.action(process)).nodes[process.node] = True
    for link in past.of(LinkChanged):
        if min(link.src, link.dst) >= 0:
            at(past.action(link)).links[link.src, link.dst] = True
    for cut in past.of(Truncated):
        at(past.fact(cut.cause)).nodes[cut.broker] = True
    return {moment: hit for moment, hit in found.items() if hit}


def ends_of(past: FactIndex, moments: list[int], until_us: int) -> list[int]:
    """For each moment of a fault: when the next fault came or something was undone; at the latest ``until_us``."""
    undone = [fact for fact in past.of(ActionDone) if fact.verb in UNDOES]
    over = sorted(fact.t for fact in (*faults_of(past), *undone))
    return [min(next((t for t in over if t > at), until_us), until_us) for at in moments]


def goes_on(actions: list[ActionDone]) -> bool:
    """True if a leader that was hit may acknowledge still, after the fault."""
    return any(action.verb in GO_ON for action in actions)


def odds(then: World, hit: Hit, actions: list[ActionDone]) -> Odds:
    """Rule or luck, by how the cluster stands just before a fault and by what was done."""
    if not hit:
        return Odds(False, "only links of clients were hit")
    acked = [int(account.p) for account in then.book.accounts if account.losses.acked]
    displaced = hit.displaced(then)
    known = {int(account.p): then.cluster.quorum.image.partition(account.p) for account in then.book.accounts}
    led = {p: one for p, one in known.items() if one is not None and is_led_by(then, p, displaced)}
    at_risk = tuple((p, int(one.epoch)) for p, one in led.items() if may_be_replaced(then, one, displaced))
    danger = of_a_log(then, actions)
    if danger and any(loses_its_log(then, known[p], hit, displaced) for p in acked):
        return Odds(True, danger)
    if not acked:
        return Odds(False, "no record had been acknowledged", at_risk)
    if not led:
        return Odds(False, hit.without_leader(then))
    if not set(led).intersection(acked):
        return Odds(False, "no record had been acknowledged where a leader was hit", at_risk)
    if any(is_led_uncleanly(then, one, displaced) for p, one in led.items() if p in acked):
        return Odds(True, "a replica outside the ISR may be elected")
    if not any(p in acked for p, _ in at_risk):
        return Odds(False, KEEPS, at_risk)
    if any(run.acks >= 0 for p, _ in at_risk for run in then.book.account(p).losses.acked):
        return Odds(True, EARLY)
    if any(one is not None and an_heir_lacks_records(then, one) for one in (known[p] for p, _ in at_risk)):
        return Odds(True, "a replica that may be elected has lost records by an earlier fault")
    return Odds(False, "; ".join([ALL_HAVE, *elsewhere(then, led, at_risk)]), at_risk)


def elsewhere(then: World, led: dict[int, PartitionRegistration], at_risk: tuple[tuple[int, int], ...]) -> list[str]:
    """The reasons where a leader was hit, but nobody else may lead or nothing is acknowledged."""
    others = [then.book.account(p) for p in led if p not in dict(at_risk)]
    unacked = [then.book.account(p) for p in led if not then.book.account(p).losses.acked]
    reasons = []
    if any(account.losses.acked for account in others):
        reasons.append(f"elsewhere {KEEPS}")
    if any(calls.handed_over.count for account in unacked for calls in account.calls):
        reasons.append("elsewhere only acks=0, which acknowledges nothing")
    return reasons


def with_early(then: World, known: Odds) -> Odds:
    """Luck where a leader that was hit goes on and has acknowledged with acks=1 by the end of an incident."""
    runs = ((run, epoch) for p, epoch in known.led for run in then.book.account(p).losses.acked)
    return Odds(True, EARLY) if any(run.acks >= 0 and run.epoch == epoch for run, epoch in runs) else known


def of_a_log(then: World, actions: list[ActionDone]) -> str:
    """The way in which a copy can lose acknowledged records from its end; "" if it cannot."""
    if any(action.verb == "power-loss" for action in actions):
        return "a power loss takes what was not flushed"
    if any(is_emptied(action.verb, action.args) for action in actions):
        return "an empty disk has none of the records"
    return "without leader epochs a follower cuts its log back to its high watermark" if then.doc.version.legacy else ""


def in_sync(known: PartitionRegistration) -> list[int]:
    """The replicas that have every record acknowledged with acks=all: the ISR, or the ELR where that is empty."""
    return [int(one) for one in awaited(PartitionLists(known.replicas, known.isr, known.elr, [], []))]


def may_be_replaced(then: World, known: PartitionRegistration, displaced: dict[int, bool]) -> bool:
    """True if another replica than the leader may lead a partition; without a leader, another than those displaced."""
    allows_any = then.cluster.quorum.image.unclean(known.topic)
    others = [one for one in known.synced() if allows_any or one in known.isr or one in known.elr]
    return any(one != known.leader and (known.leader >= 0 or int(one) not in displaced) for one in others)


def an_heir_lacks_records(then: World, known: PartitionRegistration) -> bool:
    """True if a member of the ISR or the ELR that may lead next lost acknowledged records from its log (LOG-8)."""
    heirs = [then.cluster.by_id[int(one)] for one in (*known.isr, *known.elr) if one != known.leader]
    logs = [replica.log for replica in (broker.replica(known.p) for broker in heirs) if replica is not None]
    kept = then.book.account(known.p).losses.kept.spans()
    return any(missing([log], [(base, end)], epoch) for log in logs for base, end, epoch in kept)


def is_led_uncleanly(then: World, known: PartitionRegistration, displaced: dict[int, bool]) -> bool:
    """True if no in-sync replica stays, and a replica outside the ISR may be elected."""
    if not then.cluster.quorum.image.unclean(known.topic):
        return False
    stay = [one for one in in_sync(known) if one not in displaced and stays(then, one)]
    return not stay and any(one not in known.isr for one in known.synced())


def loses_its_log(then: World, known: PartitionRegistration | None, hit: Hit, displaced: dict[int, bool]) -> bool:
    """True if a partition may go on without the end of a log: no in-sync broker that runs is safe from the fault.

    A leader that is back soon leads on with what is left of its log (REG-5).
    """
    if known is None:
        return False
    if then.doc.version.legacy:
        return has_copy(then, int(known.p), displaced)
    if known.leader in hit.nodes:
        return True
    heirs = known.synced() if then.cluster.quorum.image.unclean(known.topic) else in_sync(known)
    if not any(one in hit.nodes for one in heirs):
        return False
    return not any(one not in hit.nodes and stays(then, one) for one in in_sync(known))


def stays(then: World, broker: int) -> bool:
    """True if a broker's process runs, the controller has not fenced it, and hears it."""
    process, quorum, net = then.cluster.by_id[broker], then.cluster.quorum, then.cluster.net
    is_up = process.up and not process.paused and quorum.image.is_active(broker)
    active = quorum.active
    is_cut = active is None or net.is_cut(process, active) or net.is_cut(active, process)
    return bool(is_up and not is_cut)


def has_copy(world: World, p: int, nodes: dict[int, bool]) -> bool:
    """True if one of the nodes has a copy of the partition."""
    return any(int(broker.id) in nodes and broker.replica(p) is not None for broker in world.cluster.brokers)


def is_led_by(world: World, p: int, nodes: dict[int, bool]) -> bool:
    """True if one of the nodes is the partition's registered leader, or takes itself for it where there is none."""
    registration = world.cluster.quorum.image.partition(p)
    if registration is not None and registration.leader >= 0:
        return int(registration.leader) in nodes
    return takes_itself_for_leader(world, p, nodes)


def takes_itself_for_leader(world: World, p: int, nodes: dict[int, bool]) -> bool:
    """True if one of the nodes leads the partition in its own eyes, whoever is registered as its leader."""
    for broker in world.cluster.brokers:
        replica = broker.replica(p) if broker.up and int(broker.id) in nodes else None
        if replica is not None and replica.role == LEADER:
            return True
    return False


def single_copies(world: World, hit: Hit) -> int:
    """Acknowledged records, not lost so far, that one replica has and no other, where the fault touched that one.

    None of a deleted topic: its copies go one by one, as asked.
    """
    count = 0
    for account in (one for one in world.book.accounts if not one.deleted_by):
        with_copy = [broker for broker in world.cluster.brokers if broker.replica(account.p) is not None]
        replicas = [int(broker.id) for broker in with_copy]
        for low, high, epoch in account.losses.kept.spans():
            held: list[tuple[int, int]] = [(0, -1), (0, -1)]  # records, broker
            for broker in with_copy:
                replica = broker.replica(account.p)
                if replica is not None:
                    start, end = present_range(replica.log, epoch)
                    records = max(0, int(min(end, high) - max(start, low)))
                    held.append((records, int(broker.id)))
            (second, _), (most, where) = sorted(held)[-2:]
            count += most - second if hit.touches(where, replicas, world) else 0
    return count
