"""What a partition needs that takes no calls: who is to come back, and what an unclean election would lose."""

from typing import Final, NamedTuple

from simengine.verdict.presence import present_range
from simengine.verdict.words import brokers, plural
from simengine.world import World

MAJORITY: Final = "a controller majority"
NOBODY_LIVES: Final = -1
NOBODY: Final = -1


class Needs(NamedTuple):
    """``needs``: "" where nobody is missing; ``would_lose``: by an unclean election, where one is all that is left."""

    needs: str = ""
    would_lose: int = NOBODY_LIVES


def needs_of(world: World, p: int, mode: str) -> Needs:
    """What brings a partition back in a mode of acks.

    Without a leader a member of its ISR or ELR (ELEC-7), unless one lives: that one is elected when who is gone is
    fenced; with acks=all as many others besides as make a sufficient ISR (PROD-2). With a leader and too small an ISR,
    replicas in it. Nobody is elected, and nobody leaves or joins an ISR, without a majority of the controllers (QUO-6).
    """
    registration = world.cluster.quorum.image.partition(p)
    if registration is None:
        return Needs()
    isr = [int(one) for one in registration.isr]
    elr = [int(one) for one in registration.elr]
    leader = world.book.account(p).leader()
    alive = isr if leader is not None else [one for one in (*isr, *elr) if world.cluster.by_id[one].up]
    frozen = MAJORITY if is_frozen(world) else ""
    least = int(world.cluster.quorum.image.min_insync(int(registration.topic)))
    wanted = min(least, len(registration.replicas)) if mode == "all" else 1
    if not alive:
        live = [int(one) for one in registration.replicas if world.cluster.by_id[int(one)].up]
        down = [int(one) for one in registration.replicas if one not in live]
        loses = would_lose(world, p, live[0]) if len(live) >= wanted else NOBODY_LIVES
        return Needs(both(frozen, of_the_down(isr or elr, down, wanted - 1 - len(live), least)), loses)
    if len(alive) < wanted:
        out = [int(one) for one in registration.replicas if one not in alive]
        which = brokers(out, "and" if wanted - len(alive) == len(out) else "or")
        return Needs(both(frozen, f"{which} back in its ISR (min.insync.replicas {least})"))
    if not frozen or leader is None:
        return Needs(frozen)
    answers = isr if mode == "all" else [int(leader.broker.id)]
    silent = [one for one in answers if is_silent(world, int(leader.broker.id), one)]
    if not silent:
        return Needs()
    back = brokers(silent)
    return Needs(f"{frozen} or {back}" if len(isr) - len(silent) >= wanted else back)


def of_the_down(first: list[int], down: list[int], others: int, least: int) -> str:
    """Who of the replicas that are down is to come back: one of the ``first``, and so many others for the ISR."""
    if others <= 0:
        return brokers(first, "or")
    enough = f"(min.insync.replicas {least})"
    if others + 1 == len(down):
        return f"{brokers(sorted(down))} {enough}"
    return f"{brokers(first, 'or')} and {plural(others, 'more replica', 'more replicas')} {enough}"


def both(frozen: str, others: str) -> str:
    """Two needs, or the second alone."""
    return f"{frozen}, and {others}" if frozen else others


def is_frozen(world: World) -> bool:
    """Whether no controller has a majority."""
    quorum = world.cluster.quorum
    return not any(quorum.reaches_majority(voter) for voter in quorum.voters)


def is_silent(world: World, leader: int, member: int) -> bool:
    """Whether a leader cannot hear from a member of its ISR, or is paused itself."""
    one, other = world.cluster.by_id[leader], world.cluster.by_id[member]
    is_cut = one is not other and (one.net.is_cut(one, other) or one.net.is_cut(other, one))
    return bool(not other.up or other.paused or is_cut)


def cut_off_from(world: World, p: int, client: int) -> int:
    """The leader of a partition that a client is cut off from, in a direction or both; -1 where it is not."""
    leader = world.book.account(p).leader()
    if leader is None:
        return NOBODY
    cluster, broker = world.cluster, leader.broker
    node = cluster.net.nodes[len(cluster.brokers) + len(cluster.controllers) + client]
    is_cut = cluster.net.is_cut(node, broker) or cluster.net.is_cut(broker, node)
    return int(broker.id) if is_cut else NOBODY


def would_lose(world: World, p: int, broker: int) -> int:
    """Acknowledged records that are not lost yet, and that a broker's copy does not have."""
    losses = world.book.account(p).losses
    replica = world.cluster.by_id[broker].replica(p)
    lacks = 0
    for run in losses.acked:
        start, end = present_range(replica.log, run.epoch) if replica is not None else (0, 0)
        lacks += int(run.count) - max(0, int(min(end, run.base + run.count) - max(start, run.base)))
    return max(0, lacks - int(losses.count))
