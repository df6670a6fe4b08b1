"""An incident that lost nothing did so by rule or by luck (section 5 of the list of invariants).

By luck: at some moment the same faults, in this state of the cluster, could have lost an acknowledged record. That
takes a broker that a fault takes from its leadership (its process ends or stands still, or the controllers do not hear
it), or from its log:

- the leader had answered with acks=1, after its own write (PROD-4), and another replica may lead instead of it;
- no member of the ISR is left, and a replica outside of it may be elected (UNC-1);
- the leader, or every in-sync replica that runs, lost the end of its log (LOG-8) or its disk;
- followers cut their logs back (LEG-1).

By rule is all else. A link between two brokers moves no leader (FLT-4), nor does a client's.
"""

from typing import Final, NamedTuple

from simengine.facts.decisive import ActionDone, LinkChanged, ProcessChanged, Truncated
from simengine.facts.trace import Decisive
from simengine.kafka.metadata import Registration
from simengine.kafka.replica import LEADER
from simengine.verdict.presence import present_range
from simengine.why.faults import faults_of, is_emptied, verb
from simengine.why.past import Past
from simengine.world import World

UNDOES: Final = ("heal", "start", "start-rack", "resume")
GO_ON: Final = ("cut", "pause", "stop")  # after which a leader that was hit may acknowledge still


class Odds(NamedTuple):
    """``is_luck`` and the reason for it; ``led``: partitions whose leader was hit and that another replica may lead."""

    is_luck: bool
    reason: str
    led: tuple[int, ...] = ()


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

        One that will lose them by an earlier fault may lose more by a cut. Where the active controller was hit itself,
        any other may be the active one.
        """
        quorum = then.cluster.quorum
        voters = {int(voter.id): True for voter in quorum.voters}
        active = -1 if quorum.active is None else int(quorum.active.id)
        is_hit = active in self.nodes or any(active in link and set(link) <= set(voters) for link in self.links)
        counted = voters if active < 0 or is_hit else {active: True}
        unheard = [one for link in self.links if any(end in counted for end in link) for one in link]
        doomed = [one for link in self.links for one in link if one in then.cluster.by_id and not stays(then, one)]
        return {one: True for one in (*self.nodes, *unheard, *doomed) if one in then.cluster.by_id}

    def touches(self, broker: int, replicas: list[int], then: World) -> bool:
        """True if a broker's process was hit, or its link to a controller or to another replica of a partition."""
        others = [end for link in self.links if broker in link for end in link if end != broker]
        return broker in self.nodes or any(end in replicas or end not in then.cluster.by_id for end in others)


def hits(past: Past) -> dict[int, Hit]:
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


def ends_of(past: Past, moments: list[int], until_us: int) -> list[int]:
    """For each moment of a fault: when the next fault came or something was undone; at the latest ``until_us``."""
    undone = [fact for fact in past.of(ActionDone) if fact.verb in UNDOES]
    over = sorted(fact.t for fact in (*faults_of(past), *undone))
    return [min(next((t for t in over if t > at), until_us), until_us) for at in moments]


def goes_on(actions: list[str]) -> bool:
    """True if a leader that was hit may acknowledge still, after the fault."""
    return any(verb(action) in GO_ON for action in actions)


def odds(then: World, hit: Hit, actions: list[str]) -> Odds:
    """Rule or luck, by how the cluster stands just before a fault and by what was done."""
    if not hit:
        return Odds(False, "only links of clients were hit")
    acked = [int(account.p) for account in then.book.accounts if account.losses.acked]
    displaced = hit.displaced(then)
    known = {int(account.p): then.cluster.quorum.image.partition(account.p) for account in then.book.accounts}
    led = [p for p, registration in known.items() if registration and is_led_by(then, p, displaced)]
    at_risk = tuple(p for p in led if may_be_replaced(then, known[p]))
    danger = of_a_log(then, actions)
    if danger and any(loses_its_log(then, known[p], hit, displaced) for p in acked):
        return Odds(True, danger)
    if not acked:
        return Odds(False, "no record had been acknowledged", at_risk)
    if not led:
        return Odds(False, "no leader was hit")
    if not set(led).intersection(acked):
        return Odds(False, "no record had been acknowledged where a leader was hit", at_risk)
    if any(is_led_uncleanly(then, known[p], displaced) for p in led if p in acked):
        return Odds(True, "a replica outside the ISR may be elected")
    if not at_risk:
        return Odds(False, "no other replica may lead, and a log keeps its records", at_risk)
    return with_early(then, Odds(False, "acks=all, clean elections, an in-sync log is whole", at_risk))


def with_early(then: World, known: Odds) -> Odds:
    """Luck where a leader that was hit has acknowledged with acks=1 by a moment."""
    is_early = any(run.acks >= 0 for p in known.led for run in then.book.account(p).losses.acked)
    return Odds(True, "acks=1 is answered before another replica has the record") if is_early else known


def of_a_log(then: World, actions: list[str]) -> str:
    """By what a copy of acknowledged records may lose its end; "" where it cannot."""
    if any(verb(action) == "power-loss" for action in actions):
        return "a power loss takes what was not flushed"
    if any(is_emptied(action) for action in actions):
        return "an empty disk has none of the records"
    return "without leader epochs a follower cuts its log back to its high watermark" if then.doc.version.legacy else ""


def in_sync(then: World, known: Registration) -> list[int]:
    """The replicas that have every record acknowledged with acks=all: the ISR, or the ELR where that is empty."""
    return [int(one) for one in (known.isr or known.elr)]


def may_be_replaced(then: World, known: Registration | None) -> bool:
    """True if another replica than the leader may lead a partition."""
    if known is None:
        return False
    others = [*known.isr, *known.elr, *(known.synced() if then.cluster.quorum.image.unclean(known.topic) else [])]
    return any(one != known.leader for one in others)


def is_led_uncleanly(then: World, known: Registration | None, displaced: dict[int, bool]) -> bool:
    """True if no in-sync replica stays, and a replica outside the ISR may be elected."""
    if known is None or not then.cluster.quorum.image.unclean(known.topic):
        return False
    stay = [one for one in in_sync(then, known) if one not in displaced and stays(then, one)]
    return not stay and any(one not in known.isr for one in known.synced())


def loses_its_log(then: World, known: Registration | None, hit: Hit, displaced: dict[int, bool]) -> bool:
    """True if a partition may go on without the end of a log: no in-sync broker that runs is safe from the fault.

    A leader that is back soon leads on with what is left of its log (REG-5).
    """
    if known is None:
        return False
    if then.doc.version.legacy:
        return has_copy(then, int(known.p), displaced)
    if known.leader in hit.nodes or not any(one in hit.nodes for one in known.replicas):
        return known.leader in hit.nodes
    return not any(one not in hit.nodes and stays(then, one) for one in in_sync(then, known))


def stays(then: World, broker: int) -> bool:
    """True if a broker's process runs, the controller has not fenced it, and hears it."""
    process, quorum, net = then.cluster.by_id[broker], then.cluster.quorum, then.cluster.net
    is_up = process.up and not process.paused and quorum.image.is_active(broker)
    active = quorum.active
    is_cut = active is None or net.is_cut(process, active) or net.is_cut(active, process)
    return bool(is_up and not is_cut)


def has_copy(world: World, p: int, nodes: dict[int, bool]) -> bool:
    """Whether one of the nodes has a copy of a partition."""
    return any(int(broker.id) in nodes and broker.replica(p) is not None for broker in world.cluster.brokers)


def is_led_by(world: World, p: int, nodes: dict[int, bool]) -> bool:
    """Whether one of the nodes leads a partition, in the controller's eyes or in its own."""
    registration = world.cluster.quorum.image.partition(p)
    if registration is not None and int(registration.leader) in nodes:
        return True
    for broker in world.cluster.brokers:
        replica = broker.replica(p) if broker.up and int(broker.id) in nodes else None
        if replica is not None and replica.role == LEADER:
            return True
    return False


def single_copies(world: World, hit: Hit) -> int:
    """Acknowledged records, not lost so far, that one replica has and no other, where the fault touched that one."""
    count = 0
    for account in world.book.accounts:
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
