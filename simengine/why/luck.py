"""Whether an incident that lost nothing did so by rule or by luck (section 5 of the list of invariants).

By rule: no moment of the same faults could have lost an acknowledged record, since every answer had waited for the
whole ISR (PROD-6), elections are clean (ELEC-3) and no log loses its end. By luck is all else: some acknowledged record
had one copy, on a broker that was hit, between the fault and what ended it; or a leader was hit that had answered with
acks=1, after its own write (PROD-4), or whose topic may elect a replica outside the ISR (UNC-1); or power was lost
(LOG-8); or followers cut back (LEG-1). What holds nothing acknowledged can lose nothing; nor can a client's link.
"""

from typing import Final, NamedTuple

from simengine.facts.decisive import ActionDone, LinkChanged, ProcessChanged, Truncated
from simengine.facts.trace import Decisive
from simengine.kafka.replica import LEADER
from simengine.verdict.presence import present_range
from simengine.why.faults import faults_of, is_emptied, verb
from simengine.why.past import Past
from simengine.world import World

UNDOES: Final = ("heal", "start", "start-rack", "resume")
GO_ON: Final = ("cut", "pause", "stop")  # after which a leader that was hit may acknowledge still


class Odds(NamedTuple):
    """Whether nothing lost was luck, what says so, and the partitions whose leaders were hit."""

    is_luck: bool
    reason: str
    led: tuple[int, ...] = ()


NOT_SEEN: Final = Odds(True, "nobody looked")


def nodes_hit(past: Past) -> dict[int, dict[int, bool]]:
    """By moment of a fault: the brokers and controllers whose process it changed, or a link between two of them."""
    faults = {fact.seq: True for fact in faults_of(past)}
    found: dict[int, dict[int, bool]] = {}

    def note(done: Decisive | None, *nodes: int) -> None:
        if done is not None and done.seq in faults and min(nodes) >= 0:
            found.setdefault(done.t, {}).update(dict.fromkeys(nodes, True))

    for process in past.of(ProcessChanged):
        note(past.action(process), process.node)
    for link in past.of(LinkChanged):
        note(past.action(link), link.src, link.dst)
    for cut in past.of(Truncated):
        note(past.fact(cut.cause), cut.broker)
    return found


def ends_of(past: Past, moments: list[int], until_us: int) -> list[int]:
    """For each moment of a fault: when the next fault came or something was undone; at the latest ``until_us``."""
    undone = [fact for fact in past.of(ActionDone) if fact.verb in UNDOES]
    over = sorted(fact.t for fact in (*faults_of(past), *undone))
    return [min(next((t for t in over if t > at), until_us), until_us) for at in moments]


def goes_on(actions: list[str]) -> bool:
    """Whether a leader that was hit may acknowledge still, after the fault."""
    return any(verb(action) in GO_ON for action in actions)


def odds(then: World, hit: dict[int, bool], actions: list[str]) -> Odds:
    """Rule or luck, by how the cluster stands just before a fault that hits some nodes, and by what was done."""
    if not hit:
        return Odds(False, "only links of clients were hit")
    acked = [int(account.p) for account in then.book.accounts if account.losses.acked]
    led = tuple(int(account.p) for account in then.book.accounts if is_led_by(then, int(account.p), hit))
    danger = of_a_log(then, actions)
    if danger and any(has_copy(then, p, hit) for p in acked):
        return Odds(True, danger)
    if not acked:
        return Odds(False, "no record had been acknowledged", led)
    if not led:
        return Odds(False, "no leader was hit")
    counted = [p for p in led if p in acked]
    if not counted:
        return Odds(False, "no record had been acknowledged where a leader was hit", led)
    early = with_early(then, Odds(False, "acks=all, clean elections, no log lost its end", led))
    image = then.cluster.quorum.image
    topics = [registration.topic for p in counted if (registration := image.partition(p)) is not None]
    if not early.is_luck and any(image.unclean(topic) for topic in topics):
        return Odds(True, "a replica outside the ISR may be elected")
    return early


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


def single_copies(world: World, hit: dict[int, bool]) -> int:
    """Acknowledged records, not lost so far, that one replica has and no other, where it is on one of some nodes."""
    count = 0
    for account in world.book.accounts:
        for low, high, epoch in account.losses.kept.spans():
            held: list[tuple[int, int]] = [(0, -1), (0, -1)]  # records, broker
            for broker in world.cluster.brokers:
                replica = broker.replica(account.p)
                if replica is not None:
                    start, end = present_range(replica.log, epoch)
                    records = max(0, int(min(end, high) - max(start, low)))
                    held.append((records, int(broker.id)))
            (second, _), (most, where) = sorted(held)[-2:]
            count += most - second if where in hit else 0
    return count
