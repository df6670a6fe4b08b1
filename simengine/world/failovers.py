"""The cost of a failover: how long applications stood still (RTO, in parts), and which records stayed behind (RPO).

A failover is all moves from one cluster to another. The stop begins with the newest record of the producer that stopped
first, and ends when the moved groups have read the new cluster's partitions to their ends. Its parts: until the first
action that responds (detect, decide), until every producer that moved has written in the new cluster, and every other
that waited where it is (switch), until the groups have read what is there (catch up). A part is -1 until it is over.
"""

from typing import TYPE_CHECKING, Any, Final

from simengine.clients.producer.producer import Producer
from simengine.facts.kinds import CLIENT_OPEN
from simengine.kernel.site import SEPARATOR
from simengine.scenario.actions import NODE_VERBS, Action
from simengine.scenario.verbs import KILL_SITE
from simengine.words.phrases import listed, plural, seconds
from simengine.world.behind_words import assumed_words, range_words
from simengine.world.client_moves import ClientMove, spans_of
from simengine.world.cluster_parts import ClusterParts
from simengine.world.failover_state import FailoverStart, UnmirroredTopic, WaitingProducer
from simengine.world.moved_groups import group_prices, price_words

if TYPE_CHECKING:
    from simengine.world.world import World

NOT_YET: Final = -1
NAMES_MAX: Final = 3
AT_TARGET: Final = ("create", "config", "open", "partitions")  # verbs that prepare the target

Json = dict[str, Any]


def with_failovers(world: "World", verdict: dict[str, object]) -> dict[str, object]:
    """The verdict, with its failovers if clients have moved."""
    found = failovers(world)
    if not found:
        return verdict
    told = " ".join(str(one["sentence"]) for one in found)
    return {**verdict, "failovers": found, "sentence": f"{told} {verdict['sentence']}"}


def failovers(world: "World") -> list[Json]:
    """One entry for each pair of clusters, in the order of their first moves."""
    by_pair: dict[tuple[str, str], list[ClientMove]] = {}
    for moved in world.moves.moved:
        by_pair.setdefault((moved.here.site.name, moved.there.site.name), []).append(moved)
    return [_failover(world, source, target, moves) for (source, target), moves in by_pair.items()]


def _failover(world: "World", source: str, target: str, moves: list[ClientMove]) -> Json:
    start = world.moves.starts[source, target]
    waiting = _waiting(start, moves)
    first = moves[0].at_us
    stopped = _stopped_us(world, source, moves, waiting)
    acted = _acted_us(world, source, target, stopped, first)
    success = _first_write_us(moves, waiting)
    caught_up = _caught_up_us(moves, success)
    prices = group_prices(world.cluster_runs, world.mirrors.flows(), start, moves)
    parts = {
        "detect_and_decide_us": acted - stopped,
        "switch_us": _part(acted, success),
        "catch_up_us": _part(max(success, moves[0].at_us), caught_up),
    }
    found: Json = {
        "from": source,
        "to": target,
        "stopped_at_us": stopped,
        "moved_at_us": first,
        **parts,
        "rto_us": NOT_YET if NOT_YET in parts.values() else sum(parts.values()),
        "waiting": [one.node.name for one in waiting if _wrote_again_us(one, moves) == NOT_YET],
        **_left_behind(start, f"{source}->{target}"),
        "groups": [one._asdict() for one in prices],
    }
    return {**found, "sentence": f"{failover_words(found)} {price_words(prices)}".rstrip()}


def _waiting(start: FailoverStart, moves: list[ClientMove]) -> list[WaitingProducer]:
    """The producers that waited when the first client moved, and that nobody has moved or closed since."""
    moved = [one.node for one in moves]
    return [one for one in start.waiting if one.node not in moved and one.node.state == CLIENT_OPEN]


def _wrote_again_us(one: WaitingProducer, moves: list[ClientMove]) -> int:
    return _oldest_us(moves[0].here, int(one.node.number), max(one.wrote_us + 1, moves[0].at_us))


def _part(begin: int, end: int) -> int:
    return NOT_YET if end == NOT_YET or begin == NOT_YET else max(0, end - begin)


def _stopped_us(world: "World", source: str, moves: list[ClientMove], waiting: list[WaitingProducer]) -> int:
    """The newest record of each producer that moved or waits: the earliest of their times; else the loss, or a move."""
    writers = [one.wrote_us for one in moves if one.wrote_us != NOT_YET and one.writes]
    writers += [one.wrote_us for one in waiting]
    first = moves[0].at_us
    losses = [at for at, action in world.timeline if at <= first and action == (KILL_SITE, (source,))]
    return min(writers) if writers else max(losses, default=first)


def _oldest_us(parts: ClusterParts, client: int, from_us: int) -> int:
    """The time at which the oldest record of a client since ``from_us`` was written; -1 if there is none."""
    return min((max(begin, from_us) for begin, end in spans_of(parts, client) if end >= from_us), default=NOT_YET)


def _acted_us(world: "World", source: str, target: str, stopped: int, first: int) -> int:
    """The time of the first action that responds to the stop: at MirrorMaker, at the target, or at a client."""
    known = [
        at for at, action in world.timeline if stopped < at <= first and _is_response(world, action, source, target)
    ]
    return min(known, default=first)


def _is_response(world: "World", action: Action, source: str, target: str) -> bool:
    verb, args = action
    if verb == "move":
        return args[0].startswith(source + SEPARATOR)
    if verb in NODE_VERBS:
        return verb in ("kill", "stop", "pause") and args[0] in world.mirrors.ground.processes
    return verb in AT_TARGET and args[0].startswith(target + SEPARATOR)


def _first_write_us(moves: list[ClientMove], waiting: list[WaitingProducer]) -> int:
    """The time at which all producers had written: those that moved in the new cluster, others where they are.

    Without producers it is the time of the last move.
    """
    firsts = [_oldest_us(one.there, int(one.opened.number), one.at_us) for one in moves if one.writes]
    firsts += [_wrote_again_us(one, moves) for one in waiting]
    return NOT_YET if NOT_YET in firsts else max(firsts, default=moves[-1].at_us)


def _caught_up_us(moves: list[ClientMove], success: int) -> int:
    readers = [moved.caught_up_us for moved in moves if not isinstance(moved.node, Producer)]
    return NOT_YET if NOT_YET in readers else max(readers, default=success)


def _left_behind(start: FailoverStart, flow: str) -> Json:
    """Records of the source that were not in the target when the first client moved; -1 without a flow.

    ``lag_records``, ``lag_us``: how far the flow was behind, in the topics that it mirrors, at p50, p99 and the worst
    of the moments before, since it had copied what stood in the source at its start; left out if it has not.
    """
    told = next((one for one in start.flows if one["flow"] == flow), None)
    unmirrored = [one._asdict() for one in start.unmirrored]
    if told is None:
        return {"mirrored": False, "unmirrored": unmirrored, "rpo_records": NOT_YET, "rpo_us": NOT_YET}
    topics = told["topics"]
    records = sum(topic["left"] for topic in topics) + sum(one.records for one in start.unmirrored)
    us = max((*(topic["not_mirrored_us"] for topic in topics), *(one.us for one in start.unmirrored)), default=0)
    found = {"mirrored": True, "unmirrored": unmirrored, "rpo_records": records, "rpo_us": us}
    return found if start.lag is None else {**found, "lag_records": start.lag.records, "lag_us": start.lag.us}


def failover_words(found: Json) -> str:
    """A failover in one sentence."""
    parts = [
        f"{seconds(found[key])} {words}"
        for key, words in (
            ("detect_and_decide_us", "until somebody acted"),
            ("switch_us", "to switch"),
            ("catch_up_us", "to catch up"),
        )
        if found[key] != NOT_YET
    ]
    whole = "is not over" if found["rto_us"] == NOT_YET else f"took {seconds(found['rto_us'])}"
    names = found["waiting"]
    wait = "waits" if len(names) == 1 else "wait"
    waiting = f" {_few(names)} did not move and still {wait}." if names else ""
    return f"Failover {found['from']} to {found['to']} {whole} ({', '.join(parts)}).{waiting} {left_words(found)}"


def left_words(found: Json) -> str:
    """The records that stay behind: first topics without a mirror, then those of the others, then the range."""
    if not found["mirrored"]:
        return f"No flow copies from {found['from']} to {found['to']}: all its records stay there."
    unmirrored = found["unmirrored"]
    alone = sum(one["records"] for one in unmirrored)
    words = []
    if unmirrored:
        have = "has" if len(unmirrored) == 1 else "have"
        records = plural(alone, "record stays", "records stay")
        assumed = assumed_words([UnmirroredTopic(**one) for one in unmirrored])
        names = _few([one["topic"] for one in unmirrored])
        words.append(f"{names} {have} no mirror: {records} in {found['from']}{assumed}.")
    words.append(_mirrored_words(found, found["rpo_records"] - alone))
    if "lag_us" in found:
        words.append(range_words(found["lag_us"], found["from"]))
    elif found["rpo_records"] > alone:
        words.append(
            f"The mirror had not yet copied what stood in {found['from']} at its start, so no range of its lag is told."
        )
    return " ".join(words)


def _mirrored_words(found: Json, left: int) -> str:
    of_what = "the other topics" if found["unmirrored"] else found["from"]
    if not left:
        return f"Every record of {of_what} was in {found['to']} when clients moved."
    were = "was" if left == 1 else "were"
    span = "" if found["unmirrored"] else f" ({seconds(found['rpo_us'])})"
    return f"{plural(left, 'record', 'records')} of {of_what}{span} {were} not in {found['to']} when clients moved."


def _few(names: list[str]) -> str:
    """At most ``NAMES_MAX`` names, and how many more there are."""
    rest = len(names) - NAMES_MAX
    return listed([*names[:NAMES_MAX], f"{rest:,} more"] if rest > 0 else names)
